// The clocks of one node: how its monotonic and wall clocks follow true time. Piecewise linear; a
// change starts a new segment, so only the present one is kept.
#pragma once

#include <cstdint>
#include <tuple>

#include <tenure/base/fields.hpp>
#include <tenure/base/time.hpp>

namespace tenure::kernel {

// Local nanoseconds per true second: 10^9 is a perfect clock, 1 000 200 000 one that is 200 ppm
// fast.
struct ClockRate {
  std::int64_t local_per_true_second = 1'000'000'000;

  static constexpr std::int64_t perfect = 1'000'000'000;
  static constexpr auto fields() {
    return std::tuple{Field{"localPerTrueSecond", &ClockRate::local_per_true_second}};
  }
  friend auto operator<=>(const ClockRate&, const ClockRate&) = default;
};
static_assert(every_member_is_described<ClockRate>);

struct NodeClock {
  TrueTime since{};  // begin of the present segment, and what the clocks showed then
  MonoTime mono{};
  WallTime wall{};
  ClockRate rate{};
  bool mono_stopped = false;  // suspended: CLOCK_MONOTONIC stands still, the wall clock goes on

  static constexpr auto fields() {
    return std::tuple{Field{"since", &NodeClock::since}, Field{"mono", &NodeClock::mono},
                      Field{"wall", &NodeClock::wall}, Field{"rate", &NodeClock::rate},
                      Field{"monoStopped", &NodeClock::mono_stopped}};
  }

  LocalTime local(TrueTime at) const {
    const Duration passed = elapsed(at - since);
    return {mono_stopped ? mono : mono + passed, wall + passed};
  }

  // The first true instant at which the monotonic clock shows at least `at`; `never` while it
  // stands still. On the nanosecond grid the inverse of `local`.
  TrueTime true_of(MonoTime at) const;

  // New segments.
  void set_rate(TrueTime at, ClockRate to);
  void step_wall(TrueTime at, Duration by);
  void stop_mono(TrueTime at);
  void resume_mono(TrueTime at);

  friend bool operator==(const NodeClock&, const NodeClock&) = default;

 private:
  Duration elapsed(Duration true_time) const;
  void new_segment(TrueTime at);
};

inline Duration NodeClock::elapsed(Duration true_time) const {
  if (rate.local_per_true_second == ClockRate::perfect) return true_time;
  __extension__ using Wide = __int128;
  return Duration{static_cast<std::int64_t>(static_cast<Wide>(true_time.count()) *
                                            rate.local_per_true_second / ClockRate::perfect)};
}

inline TrueTime NodeClock::true_of(MonoTime at) const {
  if (at == never<MonoTime> || mono_stopped) return never<TrueTime>;
  if (rate.local_per_true_second == ClockRate::perfect) return later(since, at - mono);
  __extension__ using Wide = __int128;
  const Wide local = static_cast<Wide>((at - mono).count()) * ClockRate::perfect;
  const Wide rounded_up = (local + rate.local_per_true_second - 1) / rate.local_per_true_second;
  if (rounded_up > longest_duration.count()) return never<TrueTime>;
  return later(since, Duration{static_cast<std::int64_t>(rounded_up)});
}

inline void NodeClock::new_segment(TrueTime at) {
  const LocalTime now = local(at);
  since = at;
  mono = now.mono;
  wall = now.wall;
}

inline void NodeClock::set_rate(TrueTime at, ClockRate to) {
  new_segment(at);
  rate = to;
}

inline void NodeClock::step_wall(TrueTime at, Duration by) {
  new_segment(at);
  wall += by;
}

inline void NodeClock::stop_mono(TrueTime at) {
  new_segment(at);
  mono_stopped = true;
}

inline void NodeClock::resume_mono(TrueTime at) {
  new_segment(at);
  mono_stopped = false;
}

}  // namespace tenure::kernel
