// The law of the failover after a crash, client-go 9.2.
#include <chrono>
#include <cmath>

#include <doctest/doctest.h>

#include <tenure/scenario/crash_law.hpp>

using namespace tenure;
using namespace tenure::scenario;
using namespace std::chrono_literals;

namespace {

double seconds_of(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

bool near(Duration found, double expected, double within) {
  return std::abs(seconds_of(found) - expected) <= within;
}

struct Row {
  Duration lease, retry;
  std::uint32_t candidates;
  double mean, p50, p95, p99;
};

// Monte-Carlo, 100 000 samples each.
constexpr Row table[] = {
    {15s, 2s, 2, 17.359, 17.311, 20.055, 21.117},
    {15s, 2s, 3, 16.514, 16.471, 18.691, 19.609},
    {15s, 2s, 5, 15.862, 15.825, 17.662, 18.376},
    {60s, 5s, 2, 65.895, 65.770, 72.681, 75.315},
    {60s, 5s, 3, 63.783, 63.665, 69.240, 71.521},
    {60s, 5s, 5, 62.128, 62.037, 66.615, 68.545},
    {137s, 26s, 2, 167.988, 167.276, 203.620, 217.187},
    {137s, 26s, 3, 156.951, 156.436, 185.580, 197.544},
    {137s, 26s, 5, 148.265, 147.749, 172.019, 181.670},
};

}  // namespace

TEST_CASE("the law of a crash has the mean and the quantiles of the table (client-go 9.2)") {
  for (const Row& row : table) {
    CAPTURE(row.lease.count());
    CAPTURE(row.candidates);
    const CrashLaw law{row.lease, row.retry, row.candidates - 1};
    const double retry = seconds_of(row.retry);
    // Sampling errors of the table: of p99 the greatest, about 0.03 R.
    CHECK(near(law.mean(), row.mean, 0.012 * retry));
    CHECK(near(law.quantile({1, 2}), row.p50, 0.015 * retry));
    CHECK(near(law.quantile({95, 100}), row.p95, 0.015 * retry));
    CHECK(near(law.quantile({99, 100}), row.p99, 0.03 * retry));
  }
}

// client-go 9.2: (F - L)/R for L = 60, R = 5, two decimals.
TEST_CASE("many candidates make the next leader come at about leaseDuration (client-go 9.2)") {
  const CrashLaw law{60s, 5s, 9};
  CHECK(near(law.mean(), 60 + 5 * 0.14, 5 * 0.006));
  CHECK(near(law.quantile({99, 100}), 60 + 5 * 1.16, 5 * 0.006));
}

TEST_CASE("nobody leads before L - R or after L + 2(1+J)R (client-go 9.2)") {
  for (const std::uint32_t followers : {1U, 2U, 100U}) {
    const CrashLaw law{15s, 2s, followers};
    CHECK(law.later_than(13s) == 1);
    CHECK(law.later_than(23800ms) == 0);
    CHECK(law.quantile({1, 1}) <= 23800ms);
    CHECK(law.quantile({1, 1'000'000}) >= 13s);
  }
}

// With one follower V + W has its mean 2 x 0.8375 R, less half a period (client-go 9.2).
TEST_CASE("one follower leads L + 1.175 R after a crash in the mean") {
  const CrashLaw law{1000s, 10s, 1};
  CHECK(near(law.mean(), 1011.75, 0.001));
}

TEST_CASE("a later time is less likely to be exceeded, and quantiles invert that") {
  const CrashLaw law{15s, 5s, 2};
  double before = 1;
  for (Duration time = 10s; time <= 37s; time += 250ms) {
    CHECK(law.later_than(time) <= before);
    before = law.later_than(time);
  }
  CHECK(std::abs(law.later_than(law.quantile({9, 10})) - 0.1) < 1e-4);
}
