// The coordination.k8s.io/v1 Lease, as far as an election can tell (kubernetes/api,
// coordination/v1/types.go). Every field of the spec is optional.
#pragma once

#include <cstdint>
#include <limits>
#include <tuple>

#include <tenure/base/fields.hpp>
#include <tenure/base/id.hpp>
#include <tenure/base/time.hpp>

namespace tenure::api {

// A wall-clock time with the resolution of the wire, microseconds. Absent on the wire: `null`.
struct MicroTime {
  std::int64_t microseconds = absent;

  static constexpr std::int64_t absent = std::numeric_limits<std::int64_t>::min();
  constexpr bool present() const { return microseconds != absent; }

  static constexpr auto fields() {
    return std::tuple{Field{"microseconds", &MicroTime::microseconds}};
  }
  friend auto operator<=>(const MicroTime&, const MicroTime&) = default;
};

// What Go's RFC3339Micro layout keeps of a time (apimachinery, micro_time.go): the rest is cut off.
constexpr MicroTime micro_time(WallTime at) {
  return {std::chrono::floor<std::chrono::microseconds>(at.time_since_epoch()).count()};
}
constexpr WallTime wall_time(MicroTime at) {
  return WallTime{std::chrono::microseconds{at.microseconds}};
}

// What metav1.Time keeps of it when it is printed (apimachinery, time.go, MarshalJSON): whole
// seconds.
constexpr MicroTime whole_second(MicroTime at) {
  if (!at.present()) return at;
  constexpr std::int64_t second = 1'000'000;
  const std::int64_t remainder = at.microseconds % second;
  return {at.microseconds - (remainder < 0 ? remainder + second : remainder)};
}

struct LeaseSpec {
  Identity holder{};  // absent and "" read the same
  std::int32_t lease_duration_seconds = absent;
  std::int32_t lease_transitions = absent;
  MicroTime acquire_time{};
  MicroTime renew_time{};
  Identity preferred_holder{};  // since 1.31
  std::uint32_t strategy = 0;   // since 1.31; 0 is absent, see Strategy

  static constexpr std::int32_t absent = std::numeric_limits<std::int32_t>::min();

  static constexpr auto fields() {
    return std::tuple{Field{"holderIdentity", &LeaseSpec::holder},
                      Field{"leaseDurationSeconds", &LeaseSpec::lease_duration_seconds},
                      Field{"leaseTransitions", &LeaseSpec::lease_transitions},
                      Field{"acquireTime", &LeaseSpec::acquire_time},
                      Field{"renewTime", &LeaseSpec::renew_time},
                      Field{"preferredHolder", &LeaseSpec::preferred_holder},
                      Field{"strategy", &LeaseSpec::strategy}};
  }
  friend bool operator==(const LeaseSpec&, const LeaseSpec&) = default;
};
static_assert(every_member_is_described<LeaseSpec>);

// The values of spec.strategy that the server tells apart.
struct Strategy {
  static constexpr std::uint32_t absent = 0;
  static constexpr std::uint32_t oldest_emulation_version = 1;
  static constexpr std::uint32_t unsupported = 2;      // without "/", and not the one above
  static constexpr std::uint32_t first_qualified = 3;  // "example.com/mine" and the like
};

struct Lease {
  std::uint64_t uid = 0;        // 0 is "none given"; set by the server on create
  Revision resource_version{};  // 0 is "none given"
  LeaseSpec spec{};

  static constexpr auto fields() {
    return std::tuple{Field{"uid", &Lease::uid}, Field{"resourceVersion", &Lease::resource_version},
                      Field{"spec", &Lease::spec}};
  }
  friend bool operator==(const Lease&, const Lease&) = default;
};
static_assert(every_member_is_described<Lease>);

}  // namespace tenure::api
