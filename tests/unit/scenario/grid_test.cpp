#include <doctest/doctest.h>

#include <tenure/scenario/grid.hpp>

namespace tenure::scenario {
namespace {

using namespace std::chrono_literals;

Scenario drifting(Duration retry_period, Duration gain_per_second) {
  Scenario scenario;
  scenario.candidates.emplace_back().elector.retry_period = retry_period;
  scenario.candidates.back().clock.gain_per_second.base = gain_per_second;
  scenario.cluster.latency = OneWay{};
  return scenario;
}

}  // namespace

TEST_CASE("a retry period that a fast clock makes shorter than a tick is refused") {
  const OnGrid refused = on_grid(drifting(1s, 250ms), 1s);
  REQUIRE(refused.problems.size() == 1);
  CHECK(refused.problems.front().field == "spec.candidates.0.clock.rate");
  CHECK(on_grid(drifting(1s, 250ms), 500ms).problems.empty());
  CHECK(on_grid(drifting(2s, 250ms), 1s).problems.empty());
  CHECK(on_grid(drifting(1s, -250ms), 1s).problems.empty());
  CHECK(on_grid(drifting(1s, 0s), 1s).problems.empty());
}

}  // namespace tenure::scenario
