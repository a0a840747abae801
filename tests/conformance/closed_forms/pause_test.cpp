// client-go 9.8: the leader's process is frozen.
#include <array>
#include <cmath>

#include <doctest/doctest.h>
#include <support/distributions.hpp>
#include <support/experiments.hpp>

#include "windows.hpp"

using namespace tenure::test;

namespace {

constexpr Timing timing{15, 10, 2};

Trial pause_of(double length, const std::string& clocks, int candidates = 2) {
  return {
      .groups = {{.replicas = candidates, .timing = timing, .fields = "restart: {policy: Never}"}},
      .faults = {"type: pause, clocks: " + clocks +
                 ", target: leader, duration: " + seconds(length) + ", " + in_the_cycle(timing)},
      .length = length_with(timing, length) + timing.deadline};
}

// P(V > x) of client-go 9.1, in units of R.
double survival(double x) {
  if (x <= 0) return 1;
  if (x <= 1) return 1 - x / 1.6;
  return x >= 2.2 ? 0 : (2.2 - x) * (2.2 - x) / 3.84;
}

// P(V + W < x) for one follower, W taken for V (9.1: within a few per cent), by the trapezium rule.
double wait_shorter_than(double x) {
  constexpr int steps = 2000;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    const double v = x * (i + 0.5) / steps;
    const double density = (survival(v - 0.5e-6) - survival(v + 0.5e-6)) / 1e-6;
    sum += density * (1 - survival(x - v)) * x / steps;
  }
  return sum;
}

}  // namespace

TEST_CASE(
    "with running clocks a pause gives two leaders when the failover is shorter (client-go 9.8)") {
  struct Row {
    double length, two_leaders;
  };
  for (const Row& row :
       {Row{13, 0}, Row{14, 0.01}, Row{16, 0.21}, Row{18, 0.67}, Row{22, 0.998}, Row{24, 1}}) {
    CAPTURE(row.length);
    Trial trial = pause_of(row.length, "run");
    trial.runs = 1000;
    const auto all = outcomes(trial);
    check_share(share(all, overlaps), row.two_leaders, all.size(), 0, 0.005);
  }
}

TEST_CASE("a pause of up to L - R is harmless, one of L + 2(1+J)R never is (client-go 9.8)") {
  for (const int candidates : {2, 5}) {
    CHECK(share(outcomes(pause_of(13, "run", candidates)), overlaps) == 0);
    CHECK(share(outcomes(pause_of(23.8, "run", candidates)), overlaps) == 1);
  }
}

TEST_CASE("however short the pause, both run for exactly D (client-go 9.8)") {
  for (const double length : {14.0, 16.0, 20.0}) {
    CAPTURE(length);
    for (const Outcome& o : outcomes(pause_of(length, "run"))) {
      if (!overlaps(o)) continue;
      CHECK(o.overlap_running == timing.deadline);
      CHECK(o.overlap ==
            doctest::Approx(length + timing.deadline - o.failover.value()).epsilon(1e-9));
    }
  }
}

// What is left of the wait still runs after the resume: two leaders iff P + R - A > F = L + V + W -
// A.
TEST_CASE("with stopped clocks two leaders follow when P + R - A > F (client-go 9.8)") {
  CHECK(share(outcomes(pause_of(13, "stop")), overlaps) == 0);
  CHECK(share(outcomes(pause_of(21.8, "stop")), overlaps) == 1);
  for (const double length : {14.0, 16.0, 18.0, 20.0}) {
    CAPTURE(length);
    const auto all = outcomes(pause_of(length, "stop"));
    const double expected = wait_shorter_than((length - 13) / 2);
    check_share(share(all, overlaps), expected, all.size(), 0, 0.03);
  }
}

TEST_CASE("with stopped clocks both run for the rest of the wait and D (client-go 9.8)") {
  std::vector<double> both_run;
  for (const Outcome& o : outcomes(pause_of(23, "stop"))) both_run.push_back(o.overlap_running);
  check_uniform(both_run, timing.deadline, timing.deadline + timing.retry);
}

TEST_CASE("a paused follower is harmless (client-go 9.8)") {
  Trial trial = pause_of(20, "run", 3);
  trial.faults = {"type: pause, target: followers, duration: 20s, " + in_the_cycle(timing)};
  for (const Outcome& o : outcomes(trial)) {
    CHECK(o.overlap == 0);
    CHECK(o.transitions == 0);
  }
}

// The reply came while it was frozen; on resume the reply and the deadline of the round race.
TEST_CASE(
    "frozen with a request in flight it leads for R + D more, or stops at once (client-go 9.8)") {
  Trial trial = pause_of(20, "run");
  trial.latency = "500ms";
  trial.faults = {"type: pause, target: leader, duration: 20s, at: {uniform: [50s, 52.5s]}"};
  trial.length = 120;
  int led_on = 0;
  int stopped_at_once = 0;
  for (const Outcome& o : outcomes(trial)) {
    CHECK(o.overlap_running <= timing.retry + timing.deadline);
    if (o.overlap_running == timing.retry + timing.deadline) ++led_on;
    if (o.stopped_after == 20.0) ++stopped_at_once;
  }
  CHECK(led_on > 0);
  CHECK(stopped_at_once > 0);
}
