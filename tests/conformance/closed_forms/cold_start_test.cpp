// client-go 9.7: everybody crashes together.
#include <doctest/doctest.h>
#include <support/distributions.hpp>
#include <support/experiments.hpp>

#include "windows.hpp"

using namespace tenure::test;

namespace {

constexpr double restart_delay = 10;

Trial crash_of_all(const Timing& timing, int candidates, const std::string& identity) {
  return {
      .groups = {{.replicas = candidates,
                  .timing = timing,
                  .fields = "restart: {policy: Always, delay: 10s, identity: " + identity + "}"}},
      .faults = {"type: crash, target: all, " + in_the_cycle(timing)},
      .length = length_with(timing, restart_delay)};
}

}  // namespace

TEST_CASE("fresh candidates wait out a whole lease from their first GET (client-go 9.7)") {
  struct Row {
    Timing timing;
    double one, two, three, five;  // means above the restart, 40 000 samples, one decimal
  };
  const Row table[] = {{{15, 10, 2}, 16.7, 16.1, 15.8, 15.5},
                       {{60, 40, 5}, 64.2, 62.7, 62.0, 61.3},
                       {{137, 107, 26}, 159.1, 151.2, 147.6, 144.0}};
  for (const Row& row : table) {
    CAPTURE(row.timing.lease);
    const auto check_mean_of = [&](int candidates, double expected) {
      CAPTURE(candidates);
      auto sample = failovers(outcomes(crash_of_all(row.timing, candidates, "new")));
      REQUIRE(sample.size() == usual_runs);
      for (double& time : sample) time -= restart_delay;
      CHECK(sample.front() >= row.timing.lease);
      CHECK(sample.back() <= row.timing.lease + 2.2 * row.timing.retry);
      check_mean(sample, expected, 40'000, 0.05);
    };
    check_mean_of(1, row.one);
    check_mean_of(2, row.two);
    check_mean_of(3, row.three);
    check_mean_of(5, row.five);
  }
}

TEST_CASE("a restarted process with the same identity does not wait at all (client-go 9.7)") {
  for (const int candidates : {1, 3}) {
    CAPTURE(candidates);
    Trial trial = crash_of_all({15, 10, 2}, candidates, "same");
    trial.runs = 200;
    for (const double failover : failovers(outcomes(trial))) CHECK(failover == restart_delay);
  }
}
