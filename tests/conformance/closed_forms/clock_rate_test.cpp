// client-go 9.4: clocks of different speed, and the leader is cut off.
#include <doctest/doctest.h>
#include <support/distributions.hpp>
#include <support/experiments.hpp>

#include "windows.hpp"

using namespace tenure::test;

namespace {

// One candidate with a true clock, which leads as it starts first, and followers whose clocks are
// `ratio` times as fast all along.
Trial with_fast_followers(int candidates, const char* ratio) {
  const Timing t{15, 10, 2};
  return {.groups = {{.name = "true-time",
                      .replicas = 1,
                      .timing = t,
                      .fields = "start: 0s, restart: {policy: Never}"},
                     {.name = "fast",
                      .replicas = candidates - 1,
                      .timing = t,
                      .fields =
                          "start: {uniform: [1s, 3s]}, clock: {rate: " + std::string{ratio} + "}"}},
          .faults = {"type: partition, target: candidate/true-time-0, " + in_the_cycle(t)},
          .length = length_with(t)};
}

constexpr double table_draws = 60'000;

}  // namespace

TEST_CASE("the share of isolations with two leaders grows with the clock ratio (client-go 9.4)") {
  struct Row {
    const char* ratio;
    double two, three, five;
  };
  const Row table[] = {{"1.3", 0.016, 0.034, 0.066},
                       {"1.4", 0.153, 0.285, 0.494},
                       {"1.5", 0.425, 0.669, 0.890},
                       {"1.6", 0.714, 0.918, 0.993}};
  for (const Row& row : table) {
    CAPTURE(std::string{row.ratio});
    const auto check_cell = [&](int candidates, double expected) {
      CAPTURE(candidates);
      const auto all = outcomes(with_fast_followers(candidates, row.ratio));
      check_share(share(all, overlaps), expected, all.size(), table_draws, 0.002);
    };
    check_cell(2, row.two);
    check_cell(3, row.three);
    check_cell(5, row.five);
  }
}

TEST_CASE("up to a clock ratio of L / (D + R) there is one leader (client-go 9.4)") {
  Trial trial = with_fast_followers(5, "1.25");
  trial.runs = 1000;
  CHECK(share(outcomes(trial), overlaps) == 0);
}

TEST_CASE("a ratio just above L / (D + R) does give two leaders, rarely (client-go 9.4)") {
  Trial trial = with_fast_followers(5, "1.28");
  trial.runs = 1000;
  const double found = share(outcomes(trial), overlaps);
  CHECK(found > 0.0026);  // that of 1.26
  CHECK(found < 0.066);   // that of 1.3
}

TEST_CASE("constant offsets of the wall clocks have no effect (client-go 9.4)") {
  Trial trial = with_fast_followers(3, "1.25");
  trial.groups[0].fields += ", clock: {offset: -1000s}";
  trial.groups[1].fields =
      "start: {uniform: [1s, 3s]}, clock: {rate: 1.25, offset: {uniform: [+10m, +20m]}}";
  CHECK(share(outcomes(trial), overlaps) == 0);
}
