#include <cstdint>

#include <tenure/api/server.hpp>

namespace tenure::api {
namespace {

// kubernetes/kubernetes pkg/apis/coordination/validation/validation.go @02f19cb0ae1c: the same
// rules for create and update. Times are not checked at all.
bool is_valid(const LeaseSpec& spec) {
  const bool duration =
      spec.lease_duration_seconds == LeaseSpec::absent || spec.lease_duration_seconds > 0;
  const bool transitions =
      spec.lease_transitions == LeaseSpec::absent || spec.lease_transitions >= 0;
  const bool strategy = spec.strategy != Strategy::unsupported;
  const bool preferred = spec.preferred_holder.empty() || spec.strategy != Strategy::absent;
  return duration && transitions && strategy && preferred;
}

Server::Handled refused(Outcome outcome) {
  return {failure(outcome), false, false, {}};
}

}  // namespace

Response failure(Outcome outcome) {
  constexpr auto code = [](Outcome o) -> std::uint16_t {
    switch (o) {
      case Outcome::ok:
        return 200;
      case Outcome::not_found:
        return 404;
      case Outcome::already_exists:
      case Outcome::conflict:
        return 409;
      case Outcome::forbidden:
        return 403;
      case Outcome::invalid:
        return 422;
      case Outcome::too_many:
        return 429;
      case Outcome::server_error:
        return 500;
      case Outcome::refused:
      case Outcome::timeout:
      case Outcome::connection_lost:
        return 0;
    }
    return 0;
  };
  return {outcome, code(outcome), {}};
}

Response failure_with_code(std::uint16_t code) {
  constexpr auto outcome = [](std::uint16_t c) {
    switch (c) {
      case 403:
        return Outcome::forbidden;
      case 404:
        return Outcome::not_found;
      case 409:
        return Outcome::conflict;
      case 422:
        return Outcome::invalid;
      case 429:
        return Outcome::too_many;
      default:
        return Outcome::server_error;
    }
  };
  return {outcome(code), code, {}};
}

const Lease* Server::find(store::Key key) const {
  const auto* entry = store_.find(key);
  return entry == nullptr ? nullptr : &entry->value;
}

Server Server::holding(store::Key key, const Lease& lease) {
  Server server;
  server.store_ = store::Mvcc<Lease>::holding(key, lease.resource_version, lease);
  server.uids_.made = static_cast<std::uint32_t>(lease.uid);
  return server;
}

Server::Handled Server::handle(const Request& request) {
  switch (request.verb) {
    case Verb::get:
      return get(request);
    case Verb::create:
      return create(request);
    case Verb::update:
      return update(request);
    case Verb::remove:
      return remove(request);
  }
  return refused(Outcome::server_error);
}

// No resourceVersion parameter: a quorum read, which sees every acknowledged write
// (kubernetes/apiserver pkg/storage/cacher/delegator.go @24a394e516bf).
Server::Handled Server::get(const Request& request) const {
  const Lease* lease = find(request.key);
  if (lease == nullptr) return refused(Outcome::not_found);
  return {{Outcome::ok, 200, *lease}, false, true, {}};
}

Server::Handled Server::create(const Request& request) {
  if (!is_valid(request.body.spec)) return refused(Outcome::invalid);
  // "resourceVersion should not be set on objects to be created" is a plain error: 500.
  if (request.body.resource_version != Revision{}) return refused(Outcome::server_error);
  if (find(request.key) != nullptr) return refused(Outcome::already_exists);
  return write(request.key, nullptr, request.body);
}

// The Lease strategy: AllowUnconditionalUpdate false, AllowCreateOnUpdate true
// (kubernetes/kubernetes pkg/registry/coordination/lease/strategy.go @152eb4fe7426).
Server::Handled Server::update(const Request& request) {
  const Lease* stored = find(request.key);
  const Lease& body = request.body;
  if (stored == nullptr) {
    // A uid asks for the object it names, which is gone.
    if (body.uid != 0) return refused(Outcome::conflict);
    if (!is_valid(body.spec)) return refused(Outcome::invalid);
    return write(request.key, nullptr, body);
  }
  if (body.uid != 0 && body.uid != stored->uid) return refused(Outcome::conflict);
  if (body.resource_version == Revision{}) return refused(Outcome::invalid);
  if (body.resource_version != stored->resource_version) return refused(Outcome::conflict);
  if (!is_valid(body.spec)) return refused(Outcome::invalid);
  // A write that changes nothing is not a write (apiserver pkg/storage/etcd3/store.go,
  // GuaranteedUpdate).
  if (body.spec == stored->spec) return {{Outcome::ok, 200, *stored}, false, true, {}};
  return write(request.key, stored, body);
}

Server::Handled Server::remove(const Request& request) {
  const Lease* stored = find(request.key);
  if (stored == nullptr) return refused(Outcome::not_found);
  const Lease before = *stored;
  const bool uid_fits = request.body.uid == 0 || request.body.uid == before.uid;
  const bool version_fits = request.body.resource_version == Revision{} ||
                            request.body.resource_version == before.resource_version;
  if (!uid_fits || !version_fits) return refused(Outcome::conflict);
  store_.remove_if(request.key, before.resource_version);
  return {{Outcome::ok, 200, before}, true, true, before};
}

Server::Handled Server::write(store::Key key, const Lease* stored, Lease object) {
  Handled handled;
  handled.existed = stored != nullptr;
  if (stored != nullptr) handled.before = *stored;
  object.uid = stored != nullptr ? stored->uid : std::uint64_t{uids_.next()} + 1;
  // The stored object carries the revision of the transaction that writes it.
  object.resource_version = Revision{store_.revision().value + 1};
  store_.put_if(key, handled.before.resource_version, object);
  handled.applied = true;
  handled.response = {Outcome::ok, static_cast<std::uint16_t>(stored != nullptr ? 200 : 201),
                      object};
  return handled;
}

}  // namespace tenure::api
