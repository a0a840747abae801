#include <algorithm>

#include <tenure/base/assert.hpp>
#include <tenure/store/lessor.hpp>

namespace tenure::store {

std::variant<std::int64_t, Error> Lessor::grant(LeaseId id, std::int64_t ttl, MonoTime now) {
  if (ttl > max_lease_ttl) return Error::lease_ttl_too_large;
  if (leases_.contains(id)) return Error::lease_exists;
  Lease lease;
  lease.ttl = std::max(ttl, config_.min_ttl);
  lease.expires_at = later(now, std::chrono::seconds{lease.ttl});
  lease.looked_at_next = lease.expires_at;
  queue_.emplace(lease.looked_at_next, id);
  const std::int64_t granted = lease.ttl;
  leases_.emplace(id, std::move(lease));
  return granted;
}

LeaseId Lessor::fresh_id() {
  // Far from the small numbers that people choose themselves.
  LeaseId id;
  do {
    id = LeaseId{(std::int64_t{1} << 40) + ++made_};
  } while (leases_.contains(id));
  return id;
}

void Lessor::renew(LeaseId id, MonoTime now) {
  const auto found = leases_.find(id);
  TENURE_ASSERT(found != leases_.end(), "only a lease that exists is renewed");
  Lease& lease = found->second;
  lease.expires_at = later(now, std::chrono::seconds{lease.ttl});
  look_at(id, lease, lease.expires_at);
}

void Lessor::look_at(LeaseId id, Lease& lease, MonoTime at) {
  queue_.erase({lease.looked_at_next, id});
  lease.looked_at_next = at;
  queue_.emplace(at, id);
}

std::vector<std::string> Lessor::revoke(LeaseId id) {
  const auto found = leases_.find(id);
  TENURE_ASSERT(found != leases_.end(), "only a lease that exists is revoked");
  std::vector<std::string> keys{found->second.keys.begin(), found->second.keys.end()};
  for (const std::string& key : keys) lease_of_.erase(key);
  queue_.erase({found->second.looked_at_next, id});
  leases_.erase(found);
  return keys;
}

const Lessor::Lease* Lessor::find(LeaseId id) const {
  const auto found = leases_.find(id);
  return found == leases_.end() ? nullptr : &found->second;
}

bool Lessor::is_expired(LeaseId id, MonoTime now) const {
  const Lease* lease = find(id);
  return lease != nullptr && lease->expires_at <= now;
}

std::vector<LeaseId> Lessor::in_order_of_expiry() const {
  std::vector<std::pair<MonoTime, LeaseId>> order;
  for (const auto& [id, lease] : leases_) order.emplace_back(lease.expires_at, id);
  std::sort(order.begin(), order.end());
  std::vector<LeaseId> ids;
  for (const auto& each : order) ids.push_back(each.second);
  return ids;
}

void Lessor::attach(std::string_view key, LeaseId id) {
  detach(key);
  const auto found = leases_.find(id);
  TENURE_ASSERT(found != leases_.end(), "a key hangs on a lease that exists");
  found->second.keys.emplace(key);
  lease_of_.emplace(key, id);
}

void Lessor::detach(std::string_view key) {
  const auto found = lease_of_.find(key);
  if (found == lease_of_.end()) return;
  leases_.find(found->second)->second.keys.erase(found->first);
  lease_of_.erase(found);
}

std::optional<MonoTime> Lessor::next_pass() const {
  if (leases_.empty()) return std::nullopt;
  // Passes before anything is due change nothing.
  const MonoTime due = queue_.begin()->first;
  if (due == never<MonoTime>) return std::nullopt;
  if (due <= next_pass_) return next_pass_;
  const Duration missing = due - next_pass_;
  const std::int64_t passes = (missing + config_.period - Duration{1}) / config_.period;
  return later(next_pass_, config_.period * passes);
}

std::vector<LeaseId> Lessor::pass(MonoTime now) {
  while (next_pass_ <= now) next_pass_ = later(next_pass_, config_.period);
  std::vector<LeaseId> expired;
  while (!queue_.empty() && queue_.begin()->first <= now && expired.size() < config_.per_pass) {
    const LeaseId id = queue_.begin()->second;
    Lease& lease = leases_.find(id)->second;
    // In etcd a lease that is asked about again stays in the heap under a later time.
    look_at(id, lease, later(now, config_.retry));
    expired.push_back(id);
  }
  return expired;
}

}  // namespace tenure::store
