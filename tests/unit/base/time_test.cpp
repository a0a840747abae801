#include <limits>

#include <doctest/doctest.h>

#include <tenure/base/time.hpp>

using namespace tenure;
using namespace std::chrono_literals;

TEST_CASE("a later instant is the sum where int64 can hold it") {
  CHECK(later(TrueTime{2s}, 3s) == TrueTime{5s});
  CHECK(later(TrueTime{2s}, -3s) == TrueTime{-1s});
}

TEST_CASE("beyond the end of int64 it is never") {
  CHECK(later(TrueTime{1ns}, longest_duration) == never<TrueTime>);
  CHECK(later(TrueTime{0ns}, longest_duration) == never<TrueTime>);
  CHECK(later(never<MonoTime>, 1ns) == never<MonoTime>);
}

TEST_CASE("before its beginning it is the earliest instant") {
  constexpr Duration shortest{std::numeric_limits<std::int64_t>::min()};
  CHECK(later(TrueTime{-1ns}, shortest) == TrueTime{shortest});
}

TEST_CASE("sums of durations are clamped alike") {
  CHECK(longer(2s, 3s) == 5s);
  CHECK(longer(longest_duration, 1ns) == longest_duration);
  CHECK(longer(longest_duration, longest_duration) == longest_duration);
}
