#include <algorithm>
#include <cstdint>
#include <limits>

#include <tenure/elect/lease_record.hpp>

namespace tenure::elect {

LeaseRecord record_of(const api::LeaseSpec& spec) {
  constexpr auto or_zero = [](std::int32_t value) {
    return value == api::LeaseSpec::absent ? 0 : value;
  };
  return {.holder = spec.holder,
          .lease_duration_seconds = or_zero(spec.lease_duration_seconds),
          .leader_transitions = or_zero(spec.lease_transitions),
          .acquire_time = spec.acquire_time,
          .renew_time = spec.renew_time,
          .preferred_holder = spec.preferred_holder,
          .strategy = spec.strategy};
}

api::LeaseSpec spec_of(const LeaseRecord& record) {
  return {.holder = record.holder,
          .lease_duration_seconds = record.lease_duration_seconds,
          .lease_transitions = record.leader_transitions,
          .acquire_time = record.acquire_time,
          .renew_time = record.renew_time,
          .preferred_holder = record.preferred_holder,
          .strategy = record.strategy};
}

LeaseRecord raw_of(const LeaseRecord& record) {
  LeaseRecord raw = record;
  raw.acquire_time = api::whole_second(record.acquire_time);
  raw.renew_time = api::whole_second(record.renew_time);
  return raw;
}

std::int32_t whole_seconds(Duration duration) {
  const std::int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(duration).count();
  return static_cast<std::int32_t>(
      std::min<std::int64_t>(seconds, std::numeric_limits<std::int32_t>::max()));
}

}  // namespace tenure::elect
