#include <algorithm>
#include <chrono>

#include <tenure/store/etcd.hpp>

#include "operations.hpp"

namespace tenure::store {

Reply Etcd::apply(const Command& command, MonoTime now) {
  return std::visit([&](const auto& request) { return answer(request, now); }, command);
}

Reply Etcd::answer(const RangeRequest& request, MonoTime) {
  if (const auto error = malformed(request)) return *error;
  if (const auto error = keys_.refuses(request.revision, keys_.revision())) return *error;
  return run(keys_, request);
}

Reply Etcd::answer(const PutRequest& request, MonoTime now) {
  if (const auto error = malformed(request)) return *error;
  if (request.lease.value != 0 && lessor_.find(request.lease) == nullptr) {
    return Error::lease_not_found;
  }
  const bool needs_key = request.ignore_value || request.ignore_lease;
  if (needs_key && keys_.find(request.key, keys_.revision()) == nullptr) {
    return Error::key_not_found;
  }
  PutResponse response = run(keys_, lessor_, request);
  commit(now);
  return response;
}

Reply Etcd::answer(const DeleteRangeRequest& request, MonoTime now) {
  if (const auto error = malformed(request)) return *error;
  DeleteRangeResponse response = run(keys_, lessor_, request);
  commit(now);
  return response;
}

Reply Etcd::answer(const TxnRequest& request, MonoTime now) {
  if (const auto error = malformed(request, config_.max_txn_ops)) return *error;
  const Path path = path_of(keys_, request);
  if (const auto error = refusal(keys_, lessor_, request, path)) return *error;
  TxnResponse response = run(keys_, lessor_, request, path);
  commit(now);
  return response;
}

Reply Etcd::answer(const CompactRequest& request, MonoTime) {
  if (request.revision <= keys_.compacted()) return Error::compacted;
  if (request.revision > keys_.revision()) return Error::future_revision;
  keys_.compact(request.revision, config_.version);
  return CompactResponse{keys_.revision()};
}

Reply Etcd::answer(const LeaseGrantRequest& request, MonoTime now) {
  const LeaseId id = request.id.value != 0 ? request.id : lessor_.fresh_id();
  const auto granted = lessor_.grant(id, request.ttl, now);
  if (const Error* error = std::get_if<Error>(&granted)) return *error;
  return LeaseGrantResponse{keys_.revision(), id, std::get<std::int64_t>(granted)};
}

Reply Etcd::answer(const LeaseRevokeRequest& request, MonoTime now) {
  if (lessor_.find(request.id) == nullptr) return Error::lease_not_found;
  revoke(request.id, now);
  return LeaseRevokeResponse{keys_.revision()};
}

Reply Etcd::answer(const LeaseKeepAliveRequest& request, MonoTime now) {
  const Lessor::Lease* lease = lessor_.find(request.id);
  if (lease == nullptr) return LeaseKeepAliveResponse{keys_.revision(), request.id, 0};
  if (lessor_.is_expired(request.id, now)) return AwaitsRevoke{request.id};
  lessor_.renew(request.id, now);
  return LeaseKeepAliveResponse{keys_.revision(), request.id, lease->ttl};
}

Reply Etcd::answer(const LeaseTimeToLiveRequest& request, MonoTime now) {
  LeaseTimeToLiveResponse response{keys_.revision(), request.id, -1, 0, {}};
  const Lessor::Lease* lease = lessor_.find(request.id);
  if (lease == nullptr) return response;
  response.ttl = std::chrono::duration_cast<std::chrono::seconds>(lease->expires_at - now).count();
  response.granted_ttl = lease->ttl;
  if (request.keys) response.keys.assign(lease->keys.begin(), lease->keys.end());
  return response;
}

Reply Etcd::answer(const LeaseLeasesRequest&, MonoTime) {
  return LeaseLeasesResponse{keys_.revision(), lessor_.in_order_of_expiry()};
}

// All keys of the lease go in one revision; a lease without keys takes none.
void Etcd::revoke(LeaseId id, MonoTime now) {
  for (const std::string& key : lessor_.revoke(id)) keys_.remove(key);
  commit(now);
}

void Etcd::commit(MonoTime now) {
  const std::size_t first = keys_.commit();
  if (first < keys_.log().size()) watches_.notify(keys_, first, now);
}

void Etcd::open(StreamId stream, Duration progress_every, MonoTime now) {
  watches_.open(stream, progress_every, now);
}

void Etcd::watch(StreamId stream, const WatchRequest& request, MonoTime now) {
  watches_.request(stream, request, keys_, now);
}

std::optional<MonoTime> Etcd::next_wake() const {
  const auto lease = lessor_.next_pass();
  const auto watch = watches_.next_pass();
  if (!lease || !watch) return lease ? lease : watch;
  return std::min(*lease, *watch);
}

// Leases first: what they delete at this instant belongs to the past that watches then read.
void Etcd::advance(MonoTime now) {
  for (auto due = next_wake(); due && *due <= now; due = next_wake()) {
    if (const auto pass = lessor_.next_pass(); pass && *pass <= *due) {
      for (const LeaseId id : lessor_.pass(*due)) revoke(id, *due);
    }
    watches_.pass(*due, keys_);
  }
}

}  // namespace tenure::store
