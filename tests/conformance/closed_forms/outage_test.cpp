// client-go 9.5: the API server is out, for everybody.
#include <doctest/doctest.h>
#include <support/distributions.hpp>
#include <support/experiments.hpp>

#include "windows.hpp"

using namespace tenure::test;

namespace {

constexpr Timing timing{15, 10, 2};

Trial outage(const std::string& mode, double length, int candidates = 3, std::string elector = "") {
  return {.groups = {{.replicas = candidates,
                      .timing = timing,
                      .elector = std::move(elector),
                      .fields = "restart: {policy: Never}"}},
          .faults = {"type: apiOutage, mode: " + mode + ", duration: " + seconds(length) + ", " +
                     in_the_cycle(timing)},
          .length = length_with(timing, length) + 10};
}

double share_lost(const Trial& trial) {
  return share(outcomes(trial), [](const Outcome& o) { return o.lost(); });
}

}  // namespace

TEST_CASE(
    "refused for 8 s to 10 s, the leader is lost with a probability of (O - 8 s) / 2 s (client-go "
    "9.5)") {
  for (const double length : {8.0, 8.5, 9.0, 9.5, 10.0}) {
    CAPTURE(length);
    check_share(share_lost(outage("refuse", length)), (length - 8) / 2, usual_runs);
  }
  CHECK(share_lost(outage("refuse", 8)) == 0);
  CHECK(share_lost(outage("refuse", 10)) == 1);
}

TEST_CASE(
    "an outage that fails fast is survived up to (ceil(D/R) - 1) R in other settings too "
    "(client-go 9.5)") {
  const auto lost = [](const Timing& t, double length) {
    Trial trial = outage("refuse", length);
    trial.groups[0].timing = t;
    trial.faults = {"type: apiOutage, mode: refuse, duration: " + seconds(length) + ", " +
                    in_the_cycle(t)};
    trial.length = length_with(t, length);
    return share_lost(trial);
  };
  CHECK(lost({60, 40, 5}, 35) == 0);
  check_share(lost({60, 40, 5}, 37.5), 0.5, usual_runs);
  CHECK(lost({60, 40, 5}, 40) == 1);
  CHECK(lost({137, 107, 26}, 104) == 0);
}

TEST_CASE("requests that hang for D/2 get two tries a round: survived up to D/2 (client-go 9.5)") {
  CHECK(share_lost(outage("hang", 4)) == 0);
  check_share(share_lost(outage("hang", 6)), 0.5, usual_runs);
  CHECK(share_lost(outage("hang", 8)) == 1);
}

TEST_CASE("without a time limit one swallowed request costs the leadership (client-go 9.5)") {
  for (const double length : {0.5, 1.0, 1.5, 2.0}) {
    CAPTURE(length);
    check_share(share_lost(outage("hang", length, 3, "requestTimeout: none")), length / 2,
                usual_runs);
  }
}

TEST_CASE("a leader that is lost in an outage stops D to D + R after its begin (client-go 9.5)") {
  std::vector<double> stops;
  for (const Outcome& o : outcomes(outage("refuse", 20))) stops.push_back(o.stopped_after.value());
  check_uniform(stops, timing.deadline, timing.deadline + timing.retry);
}

TEST_CASE(
    "after a long outage the followers recover at once or wait another lease (client-go 9.5)") {
  struct Row {
    int candidates;
    double nobody_saw;  // q_n: no follower had seen the last renewal
    double mean;        // after recovery, 4000 runs
  };
  for (const Row& row : {Row{2, 0.688, 13.1}, Row{3, 0.505, 9.7}, Row{5, 0.318, 6.1}}) {
    CAPTURE(row.candidates);
    Trial trial = outage("refuse", 20, row.candidates);
    trial.runs = 1000;
    const auto all = outcomes(trial);
    std::vector<double> recoveries;
    for (const Outcome& o : all) recoveries.push_back(o.failover.value() - 20);
    const auto waits = [](const Outcome& o) { return o.failover.value() - 20 > 4.4; };
    check_share(share(all, waits), row.nobody_saw, all.size());
    check_mean(recoveries, row.mean, 4000, 0.05);
    for (const double recovery : recoveries) {
      CHECK((recovery <= 4.4 || recovery >= 15.0));
      CHECK(recovery <= 15 + 4.4 * 2);
    }
  }
}

TEST_CASE("the old leader has always stopped before anybody else begins (client-go 9.5)") {
  for (const double length : {9.0, 11.0, 14.0}) {
    CHECK(share(outcomes(outage("refuse", length, 5)), overlaps) == 0);
    CHECK(share(outcomes(outage("hang", length, 5)), overlaps) == 0);
  }
}
