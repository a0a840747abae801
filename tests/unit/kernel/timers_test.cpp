#include <doctest/doctest.h>

#include <tenure/kernel/timers.hpp>

using namespace tenure;
using namespace tenure::kernel;
using namespace std::chrono_literals;

TEST_CASE("a timer that was not set is due never") {
  const Timers<3> timers;
  CHECK(timers.first_due() == never<MonoTime>);
}

TEST_CASE("the timer that is due first comes first") {
  Timers<3> timers;
  timers.set(0, MonoTime{5s});
  timers.set(2, MonoTime{4s});
  CHECK(timers.first() == 2);
  CHECK(timers.first_due() == MonoTime{4s});
}

// client-go-elector.md 6: at the round deadline the deadline wins over a tick.
TEST_CASE("of timers due at one instant the one with the lower number comes first") {
  Timers<3> timers;
  timers.set(2, MonoTime{4s});
  timers.set(1, MonoTime{4s});
  CHECK(timers.first() == 1);
}

TEST_CASE("setting a timer again moves it") {
  Timers<2> timers;
  timers.set(0, MonoTime{4s});
  timers.set(0, MonoTime{9s});
  CHECK(timers.due(0) == MonoTime{9s});
}

TEST_CASE("a cancelled timer is due never") {
  Timers<2> timers;
  timers.set(0, MonoTime{4s});
  timers.set(1, MonoTime{5s});
  timers.cancel(0);
  CHECK(timers.first() == 1);
  timers.cancel_all();
  CHECK(timers.first_due() == never<MonoTime>);
  CHECK(timers == Timers<2>{});
}
