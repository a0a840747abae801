// The record that electors keep in a Lease: client-go's LeaderElectionRecord and its conversions
// (client-go tools/leaderelection/resourcelock, leaselock.go and interface.go, 32ce75a7d).
#pragma once

#include <cstdint>
#include <tuple>

#include <tenure/api/lease.hpp>
#include <tenure/base/fields.hpp>
#include <tenure/elect/elector.hpp>

namespace tenure::elect {

struct LeaseRecord {
  Identity holder{};
  std::int32_t lease_duration_seconds = 0;
  std::int32_t leader_transitions = 0;
  api::MicroTime acquire_time{};
  api::MicroTime renew_time{};
  Identity preferred_holder{};
  std::uint32_t strategy = api::Strategy::absent;

  static constexpr auto fields() {
    return std::tuple{Field{"holderIdentity", &LeaseRecord::holder},
                      Field{"leaseDurationSeconds", &LeaseRecord::lease_duration_seconds},
                      Field{"leaderTransitions", &LeaseRecord::leader_transitions},
                      Field{"acquireTime", &LeaseRecord::acquire_time},
                      Field{"renewTime", &LeaseRecord::renew_time},
                      Field{"preferredHolder", &LeaseRecord::preferred_holder},
                      Field{"strategy", &LeaseRecord::strategy}};
  }
  friend bool operator==(const LeaseRecord&, const LeaseRecord&) = default;
};
static_assert(every_member_is_described<LeaseRecord>);

// An absent field reads as the zero value.
LeaseRecord record_of(const api::LeaseSpec& spec);

// Holder, duration, times and transitions are always written, also when they are zero; strategy and
// preferred holder only when they are not empty.
api::LeaseSpec spec_of(const LeaseRecord& record);

// What a comparison of two "raw" records can see: the JSON form of the record prints its times in
// whole seconds, so renewals within one second look the same.
LeaseRecord raw_of(const LeaseRecord& record);

// leaseDurationSeconds as client-go writes it: whole seconds, cut off; clamped to what int32 holds.
std::int32_t whole_seconds(Duration duration);

// observed + duration > now, strictly: a record that is exactly as old as its duration has expired.
inline bool is_valid_by_observation(MonoTime observed_at,
                                    Duration lifetime,
                                    MonoTime now,
                                    Ties& ties) {
  return ties.is_later(later(observed_at, lifetime), now);
}

}  // namespace tenure::elect
