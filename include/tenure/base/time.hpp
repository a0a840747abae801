// Time. Three clocks that do not mix: the simulation's own (true), and a node's monotonic and wall
// clocks. All of them count int64 nanoseconds; true time 0 is the start of a run.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <limits>

namespace tenure {

using Duration = std::chrono::duration<std::int64_t, std::nano>;

struct TrueClock {};
struct MonoClock {};
struct WallClock {};

using TrueTime = std::chrono::time_point<TrueClock, Duration>;
using MonoTime = std::chrono::time_point<MonoClock, Duration>;
using WallTime = std::chrono::time_point<WallClock, Duration>;

// All that a process may know of time.
struct LocalTime {
  MonoTime mono{};
  WallTime wall{};

  friend auto operator<=>(const LocalTime&, const LocalTime&) = default;
};

inline constexpr Duration longest_duration{std::numeric_limits<std::int64_t>::max()};

template <class Time>
inline constexpr Time never = Time{longest_duration};

// The instant `delay` after `at`; `never` (or the earliest instant) where int64 ends. Durations
// come from users and may be as long as 292 years, so every sum with one of them goes through here.
template <class Clock>
constexpr std::chrono::time_point<Clock, Duration> later(
    std::chrono::time_point<Clock, Duration> at,
    Duration delay) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(at.time_since_epoch().count(), delay.count(), &sum)) {
    sum = delay.count() > 0 ? std::numeric_limits<std::int64_t>::max()
                            : std::numeric_limits<std::int64_t>::min();
  }
  return std::chrono::time_point<Clock, Duration>{Duration{sum}};
}

// The sum of two durations, clamped like `later`.
constexpr Duration longer(Duration a, Duration b) {
  return later(TrueTime{a}, b).time_since_epoch();
}

}  // namespace tenure
