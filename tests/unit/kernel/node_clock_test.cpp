#include <array>
#include <cstdint>

#include <doctest/doctest.h>

#include <tenure/base/oracle.hpp>
#include <tenure/kernel/node_clock.hpp>

using namespace tenure;
using namespace tenure::kernel;
using namespace std::chrono_literals;

namespace {

constexpr TrueTime at(Duration since_start) {
  return TrueTime{since_start};
}

constexpr std::array<std::int64_t, 11> rates{1,
                                             3,
                                             500'000'000,
                                             999'999'999,
                                             1'000'000'000,
                                             1'000'000'001,
                                             999'800'000,
                                             1'000'200'000,
                                             1'250'000'000,
                                             1'999'999'999,
                                             7'000'000'013};

}  // namespace

TEST_CASE("a perfect clock shows true time plus what it showed at the start") {
  NodeClock clock;
  clock.mono = MonoTime{3s};
  clock.wall = WallTime{100s};
  CHECK(clock.local(at(5s)) == LocalTime{MonoTime{8s}, WallTime{105s}});
  CHECK(clock.true_of(MonoTime{8s}) == at(5s));
}

TEST_CASE("a clock that is 200 ppm fast gains 0.2 ms a second") {
  NodeClock clock;
  clock.rate = ClockRate{1'000'200'000};
  CHECK(clock.local(at(10s)).mono == MonoTime{10s + 2ms});
  CHECK(clock.local(at(10s)).wall == WallTime{10s + 2ms});
}

TEST_CASE("setting the rate keeps what the clocks show") {
  NodeClock clock;
  const LocalTime before = clock.local(at(10s));
  clock.set_rate(at(10s), ClockRate{2'000'000'000});
  CHECK(clock.local(at(10s)) == before);
  CHECK(clock.local(at(11s)).mono == before.mono + 2s);
}

TEST_CASE("a step moves the wall clock and leaves the monotonic one alone") {
  NodeClock clock;
  clock.step_wall(at(10s), -3s);
  CHECK(clock.local(at(10s)) == LocalTime{MonoTime{10s}, WallTime{7s}});
  CHECK(clock.true_of(MonoTime{12s}) == at(12s));
}

// client-go-elector.md 4.1: CLOCK_MONOTONIC stands still while a machine is suspended.
TEST_CASE("a stopped monotonic clock stands still while the wall clock goes on") {
  NodeClock clock;
  clock.stop_mono(at(10s));
  CHECK(clock.local(at(25s)) == LocalTime{MonoTime{10s}, WallTime{25s}});
  CHECK(clock.true_of(MonoTime{11s}) == never<TrueTime>);
  clock.resume_mono(at(25s));
  CHECK(clock.local(at(26s)) == LocalTime{MonoTime{11s}, WallTime{26s}});
  CHECK(clock.true_of(MonoTime{11s}) == at(26s));
}

TEST_CASE("what is due never is due never by every clock") {
  for (const std::int64_t rate : rates) {
    NodeClock clock;
    clock.rate = ClockRate{rate};
    CHECK(clock.true_of(never<MonoTime>) == never<TrueTime>);
  }
}

TEST_CASE("a slow clock may reach a local time only after the end of all time") {
  NodeClock clock;
  clock.rate = ClockRate{1};
  CHECK(clock.true_of(MonoTime{11s}) == never<TrueTime>);
}

// architecture.md 4.5: exact inverses on the nanosecond grid.
TEST_CASE("property: true_of is the first instant at which the clock shows at least that time") {
  SeededOracle oracle{7, 0};
  Draw draw{stream_named("clock"), 0};
  const auto pick = [&](std::int64_t most) {
    ++draw.number;
    return Duration{static_cast<std::int64_t>(oracle.pick(draw, static_cast<std::uint64_t>(most)))};
  };
  for (const std::int64_t rate : rates) {
    CAPTURE(rate);
    for (int round = 0; round < 500; ++round) {
      NodeClock clock;
      clock.wall = WallTime{pick(1'000'000'000'000) - 500s};
      clock.rate = ClockRate{1'000'000'000 + pick(1000).count()};
      clock.set_rate(at(pick(5'000'000'000)), ClockRate{rate});
      if (round % 3 == 1) {
        clock.stop_mono(clock.since + pick(1'000'000'000));
        clock.resume_mono(clock.since + pick(1'000'000'000));
      }
      if (round % 3 == 2) clock.step_wall(clock.since + pick(1'000'000'000), pick(100) - 50ns);
      const MonoTime due = clock.mono + (round % 2 == 0 ? pick(50) : pick(3'600'000'000'000));
      const TrueTime when = clock.true_of(due);
      if (when == never<TrueTime>) continue;
      REQUIRE(clock.local(when).mono >= due);
      if (when > clock.since) REQUIRE(clock.local(when - 1ns).mono < due);
      // The other way round: a clock reading leads back to the first instant that gives it.
      const TrueTime instant = clock.since + pick(60'000'000'000);
      const TrueTime back = clock.true_of(clock.local(instant).mono);
      REQUIRE(back <= instant);
      REQUIRE(clock.local(back).mono == clock.local(instant).mono);
    }
  }
}
