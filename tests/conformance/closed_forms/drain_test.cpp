// client-go 9.6: the leader is told to stop.
#include <doctest/doctest.h>
#include <support/distributions.hpp>
#include <support/experiments.hpp>

#include "windows.hpp"

using namespace tenure::test;

namespace {

constexpr Timing timing{15, 10, 2};

Trial stop(const std::string& fault, int candidates, std::string elector) {
  return {.groups = {{.replicas = candidates,
                      .timing = timing,
                      .elector = std::move(elector),
                      .fields = "restart: {policy: Never}"}},
          .faults = {"type: " + fault + ", target: leader, " + in_the_cycle(timing)},
          .length = length_with(timing)};
}

}  // namespace

TEST_CASE("after a release the first follower to poll leads, 0 to 2.2 R later (client-go 9.6)") {
  struct Row {
    int candidates;
    double mean;  // in units of R, two decimals
  };
  for (const Row& row : {Row{2, 0.84}, Row{3, 0.54}, Row{4, 0.40}, Row{5, 0.32}}) {
    for (const char* fault : {"terminate", "drain"}) {
      CAPTURE(row.candidates);
      CAPTURE(std::string{fault});
      const auto sample = failovers(outcomes(stop(fault, row.candidates, "releaseOnCancel: true")));
      REQUIRE(sample.size() == usual_runs);
      check_mean(sample, row.mean * 2, 0, 0.01);
      CHECK(sample.back() <= 4.4);
    }
  }
}

TEST_CASE("one follower takes a released lease over in 1.68 s, p99 4.0 s (client-go 9.6)") {
  Trial trial = stop("drain", 2, "releaseOnCancel: true");
  trial.runs = 2000;
  const auto sample = failovers(outcomes(trial));
  check_mean(sample, 1.675);                  // 0.8375 R
  check_quantile(sample, 0.99, 4.008, 1e12);  // 2.2 R - x, where x^2 = 0.01 * 3.84 R^2
}

TEST_CASE("without ReleaseOnCancel a drain is a crash (client-go 9.6)") {
  for (const char* fault : {"terminate", "drain"}) {
    CAPTURE(std::string{fault});
    Trial trial = stop(fault, 3, "");
    trial.runs = 2000;
    const auto sample = failovers(outcomes(trial));
    REQUIRE(sample.size() == 2000);
    check_mean(sample, 16.514, 1e5);
    CHECK(sample.front() >= 13);
    CHECK(sample.back() <= 23.8);
  }
}

TEST_CASE("a candidate that starts after the release leads at once (client-go 9.6)") {
  Trial trial = stop("terminate", 1, "releaseOnCancel: true");
  trial.groups[0].fields = "restart: {policy: Always, delay: 3s}";
  for (const double failover : failovers(outcomes(trial))) CHECK(failover == 3.0);
}

TEST_CASE(
    "the release of every version frees the lease of a leader that is told to stop (client-go "
    "4.6)") {
  for (const char* version : {"v0.26", "v0.33", "v0.34", "v0.37"}) {
    CAPTURE(std::string{version});
    const auto sample = failovers(
        outcomes(stop("drain", 2, std::string{"releaseOnCancel: true, version: "} + version)));
    CHECK(sample.back() <= 4.4);
  }
}
