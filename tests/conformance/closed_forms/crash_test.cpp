// client-go 9.2: the law of the failover after a crash of the leader.
#include <doctest/doctest.h>
#include <support/distributions.hpp>
#include <support/experiments.hpp>

#include "windows.hpp"

using namespace tenure::test;

namespace {

constexpr double table_samples = 1e5;  // behind each figure of the table

struct Cell {
  Timing timing;
  int candidates;
  double mean, p50, p95, p99;
};

constexpr Cell table[] = {
    {{15, 10, 2}, 2, 17.359, 17.311, 20.055, 21.117},
    {{15, 10, 2}, 3, 16.514, 16.471, 18.691, 19.609},
    {{15, 10, 2}, 5, 15.862, 15.825, 17.662, 18.376},
    {{60, 40, 5}, 2, 65.895, 65.770, 72.681, 75.315},
    {{60, 40, 5}, 3, 63.783, 63.665, 69.240, 71.521},
    {{60, 40, 5}, 5, 62.128, 62.037, 66.615, 68.545},
    {{137, 107, 26}, 2, 167.988, 167.276, 203.620, 217.187},
    {{137, 107, 26}, 3, 156.951, 156.436, 185.580, 197.544},
    {{137, 107, 26}, 5, 148.265, 147.749, 172.019, 181.670},
};

Trial crash(const Timing& timing, int candidates) {
  return {
      .groups = {{.replicas = candidates, .timing = timing, .fields = "restart: {policy: Never}"}},
      .faults = {"type: crash, target: leader, " + in_the_cycle(timing)},
      .length = length_with(timing)};
}

}  // namespace

TEST_CASE("after a crash the failover has the law of client-go 9.2") {
  for (const Cell& cell : table) {
    const Timing& t = cell.timing;
    CAPTURE(t.lease);
    CAPTURE(cell.candidates);
    Trial trial = crash(t, cell.candidates);
    trial.runs = 2000;
    const auto sample = failovers(outcomes(trial));
    REQUIRE(sample.size() == 2000);
    CHECK(sample.front() >= t.lease - t.retry);
    CHECK(sample.back() <= t.lease + 4.4 * t.retry);
    check_mean(sample, cell.mean, table_samples);
    check_quantile(sample, 0.50, cell.p50, table_samples);
    check_quantile(sample, 0.95, cell.p95, table_samples);
    check_quantile(sample, 0.99, cell.p99, table_samples);
  }
}

TEST_CASE("a constant latency adds about three of it to the failover (client-go 9.2)") {
  struct Row {
    const char* latency;
    double period, mean;
  };
  for (const Row& row : {Row{"100ms", 2.1, 16.87}, Row{"500ms", 2.5, 18.13}}) {
    CAPTURE(std::string{row.latency});
    Trial trial = crash({15, 10, 2}, 3);
    trial.latency = row.latency;
    trial.faults = {"type: crash, target: leader, at: {uniform: [50s, " + seconds(50 + row.period) +
                    "]}"};
    trial.length = 90;
    trial.runs = 1500;
    check_mean(failovers(outcomes(trial)), row.mean, 6000, 0.005);
  }
}

TEST_CASE("with a follower lost as well, the law is that of one candidate fewer (client-go 9.7)") {
  const Timing t{15, 10, 2};
  Trial trial = crash(t, 3);
  trial.faults.push_back("name: first, type: crash, target: {role: followers, mode: one}, at: 10s");
  trial.runs = 1500;
  check_mean(failovers(outcomes(trial)), 17.359, table_samples);
}
