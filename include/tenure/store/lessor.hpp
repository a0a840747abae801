// The leases of an etcd: which exist, which keys hang on them, and when they are over. etcd's
// lease/lessor.go, on the clock of the member that leads.
//
// Invariants:
//  (1) a key hangs on at most one lease, and that lease exists
//  (2) a lease is in the queue exactly once, under the time at which it is next looked at
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenure/base/time.hpp>
#include <tenure/store/message.hpp>

namespace tenure::store {

struct LessorConfig {
  // Shorter ones are granted with this: ceil(1.5 election timeouts of 1 s) (etcdserver/server.go).
  std::int64_t min_ttl = 2;
  Duration period = std::chrono::milliseconds{500};  // lease/lessor.go, runLoop
  Duration phase{0};           // when the loop runs first: fixed by the start of the process
  std::size_t per_pass = 500;  // leaseRevokeRate / 2
  Duration retry = std::chrono::seconds{7};  // an expired lease whose revoke got lost

  friend bool operator==(const LessorConfig&, const LessorConfig&) = default;
};

inline constexpr std::int64_t max_lease_ttl = 9'000'000'000;

class Lessor {
 public:
  struct Lease {
    std::int64_t ttl = 0;
    MonoTime expires_at{};
    MonoTime looked_at_next{};
    std::set<std::string, std::less<>> keys;

    friend bool operator==(const Lease&, const Lease&) = default;
  };

  explicit Lessor(LessorConfig config = {}) : config_(config), next_pass_(MonoTime{config.phase}) {}

  // The TTL as granted, or why it was not.
  std::variant<std::int64_t, Error> grant(LeaseId id, std::int64_t ttl, MonoTime now);
  // The id of a grant that leaves the choice to the server. etcd's are random; these count.
  LeaseId fresh_id();
  void renew(LeaseId id, MonoTime now);
  // The lease is gone; returns the keys that hung on it, in key order.
  std::vector<std::string> revoke(LeaseId id);

  const Lease* find(LeaseId id) const;
  bool is_expired(LeaseId id, MonoTime now) const;
  std::vector<LeaseId> in_order_of_expiry() const;

  void attach(std::string_view key, LeaseId id);
  void detach(std::string_view key);

  // The loop: when it runs next, and which leases it then wants revoked.
  std::optional<MonoTime> next_pass() const;
  std::vector<LeaseId> pass(MonoTime now);

  friend bool operator==(const Lessor&, const Lessor&) = default;

 private:
  void look_at(LeaseId id, Lease& lease, MonoTime at);

  LessorConfig config_;
  std::map<LeaseId, Lease> leases_;
  std::map<std::string, LeaseId, std::less<>> lease_of_;
  std::set<std::pair<MonoTime, LeaseId>> queue_;
  MonoTime next_pass_;
  std::int64_t made_ = 0;
};

}  // namespace tenure::store
