#include <limits>

#include <doctest/doctest.h>

#include <tenure/base/ratio.hpp>

using namespace tenure;
using namespace std::chrono_literals;

TEST_CASE("a scaled duration is cut to whole nanoseconds") {
  CHECK(scaled(2s, Ratio{6, 5}) == 2400ms);
  CHECK(scaled(9ns, Ratio{6, 5}) == 10ns);
  CHECK(scaled(1ns, Ratio{1, 3}) == 0ns);
}

TEST_CASE("a negative duration is cut downwards") {
  CHECK(scaled(-1ns, Ratio{1, 3}) == -1ns);
  CHECK(scaled(-5ns, Ratio{6, 5}) == -6ns);
}

TEST_CASE("what int64 cannot hold is clamped at both ends") {
  constexpr Duration shortest{std::numeric_limits<std::int64_t>::min()};
  CHECK(scaled(longest_duration, Ratio{6, 5}) == longest_duration);
  CHECK(scaled(longest_duration, Ratio{1, 1}) == longest_duration);
  CHECK(scaled(shortest, Ratio{6, 5}) == shortest);
}
