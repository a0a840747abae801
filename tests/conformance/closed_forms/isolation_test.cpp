// client-go 9.3: the leader is cut off from the API server.
#include <algorithm>

#include <doctest/doctest.h>
#include <support/distributions.hpp>
#include <support/experiments.hpp>

#include "windows.hpp"

using namespace tenure::test;

namespace {

Trial isolation(const Timing& timing, int candidates, std::string elector = "") {
  return {.groups = {{.replicas = candidates,
                      .timing = timing,
                      .elector = std::move(elector),
                      .fields = "restart: {policy: Never}"}},
          .faults = {"type: partition, target: leader, " + in_the_cycle(timing)},
          .length = length_with(timing, timing.deadline)};
}

std::vector<double> overlap_times(const std::vector<Outcome>& outcomes) {
  std::vector<double> out;
  for (const Outcome& o : outcomes) out.push_back(o.overlap);
  std::sort(out.begin(), out.end());
  return out;
}

constexpr Timing all_settings[] = {{15, 10, 2}, {60, 40, 5}, {137, 107, 26}};

}  // namespace

TEST_CASE("a leader that is cut off stops between D and D + R later, uniformly (client-go 9.3)") {
  for (const Timing& t : all_settings) {
    CAPTURE(t.lease);
    std::vector<double> stops;
    for (const Outcome& o : outcomes(isolation(t, 2))) stops.push_back(o.stopped_after.value());
    check_uniform(stops, t.deadline, t.deadline + t.retry);
  }
}

TEST_CASE("between the old leader and the next lies at least L - D - R (client-go 9.3)") {
  for (const Timing& t : all_settings) {
    CAPTURE(t.lease);
    for (const Outcome& o : outcomes(isolation(t, 3))) {
      CHECK(o.overlap == 0);
      CHECK(o.gap >= t.lease - t.deadline - t.retry);
    }
  }
}

TEST_CASE("others see a crash: the failover after an isolation has its law (client-go 9.3, 9.2)") {
  check_mean(failovers(outcomes(isolation({15, 10, 2}, 3))), 16.514, 1e5);
}

TEST_CASE("with L - D - R < 0 the isolation itself gives two leaders (client-go 9.3)") {
  Trial trial = isolation({270, 240, 60}, 2);
  trial.runs = 3000;
  const auto all = outcomes(trial);
  // 4 to 5 per cent; min V + W < R / 2 is 4.9 per cent when W is taken for V.
  check_share(share(all, overlaps), 0.045, all.size(), 0, 0.005);
  for (const Outcome& o : all) CHECK(o.overlap <= 30);
}

TEST_CASE("a release that hangs keeps the leader for another time limit (client-go 9.3)") {
  struct Row {
    Timing timing;
    int candidates;
    const char* elector;
    double hang, most_overlap;
  };
  const Row rows[] = {
      {{15, 10, 2}, 2, "releaseOnCancel: true", 5, 2},
      {{15, 10, 2}, 3, "releaseOnCancel: true, requestTimeout: none", 10, 7},
      {{35, 30, 5}, 2, "releaseOnCancel: true", 15, 15},
      {{137, 107, 26}, 2, "releaseOnCancel: true, requestTimeout: 107s", 45, 41},
  };
  for (const Row& row : rows) {
    CAPTURE(row.timing.lease);
    CAPTURE(row.hang);
    Trial trial = isolation(row.timing, row.candidates, row.elector);
    trial.length += row.hang;
    std::vector<double> stops;
    for (const Outcome& o : outcomes(trial)) {
      stops.push_back(o.stopped_after.value());
      CHECK(o.overlap <= row.most_overlap);
    }
    const double first = row.timing.deadline + row.hang;
    check_uniform(stops, first, first + row.timing.retry);
  }
}

TEST_CASE("the overlaps of a hanging release are as long as simulated before (client-go 9.3)") {
  Trial two = isolation({15, 10, 2}, 2, "releaseOnCancel: true");
  two.runs = 2000;
  CHECK(quantile(overlap_times(outcomes(two)), 0.95) == doctest::Approx(0.99).epsilon(0.12));
  Trial three = isolation({15, 10, 2}, 3, "releaseOnCancel: true");
  three.runs = 2000;
  CHECK(quantile(overlap_times(outcomes(three)), 0.95) == doctest::Approx(1.28).epsilon(0.08));

  Trial unlimited = isolation({15, 10, 2}, 3, "releaseOnCancel: true, requestTimeout: none");
  unlimited.length += 10;
  const auto always = overlap_times(outcomes(unlimited));
  CHECK(always.front() > 0);
  check_mean(always, 4.5, 0, 0.05);

  Trial flux = isolation({35, 30, 5}, 2, "releaseOnCancel: true");
  flux.length += 15;
  check_mean(overlap_times(outcomes(flux)), 6.6, 0, 0.05);

  Trial open_shift = isolation({137, 107, 26}, 2, "releaseOnCancel: true, requestTimeout: 107s");
  open_shift.length += 45;
  CHECK(quantile(overlap_times(outcomes(open_shift)), 0.95) == doctest::Approx(28).epsilon(0.1));
}

TEST_CASE("requests that fail fast end the release at once (client-go 9.3)") {
  const Timing t{15, 10, 2};
  Trial trial = isolation(t, 2, "releaseOnCancel: true");
  trial.faults = {"type: apiOutage, mode: refuse, " + in_the_cycle(t)};
  std::vector<double> stops;
  for (const Outcome& o : outcomes(trial)) stops.push_back(o.stopped_after.value());
  check_uniform(stops, t.deadline, t.deadline + t.retry);
}
