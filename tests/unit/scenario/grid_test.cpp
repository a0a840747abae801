#include <string>

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

Scenario of(Elector::Type type) {
  Scenario scenario;
  scenario.candidates.emplace_back().elector.type = type;
  scenario.cluster.latency = OneWay{};
  return scenario;
}

std::string first_problem(const OnGrid& made) {
  return made.problems.empty() ? std::string{} : made.problems.front().field;
}

}  // namespace

TEST_CASE("the wall clock of client-go matters where a naive loop compares what it wrote") {
  Scenario alone = of(Elector::Type::client_go);
  alone.candidates.front().clock.offset.base = 7s;
  CHECK(on_grid(alone, 1s).scenario.candidates.front().clock.offset.base == 0s);
  Scenario mixed = alone;
  mixed.candidates.push_back(of(Elector::Type::naive_loop).candidates.front());
  CHECK(on_grid(mixed, 1s).scenario.candidates.front().clock.offset.base == 7s);
  mixed.candidates.front().clock.gain_per_second.base = 250ms;
  CHECK(first_problem(on_grid(mixed, 1s)) == "spec.candidates.0.clock.rate");
}

TEST_CASE("a range that takes for ever to try is refused") {
  Scenario scenario = of(Elector::Type::client_go);
  scenario.cluster.latency = OneWay{Distribution::uniform(0s, 1s), Distribution::constant(0s)};
  CHECK(on_grid(scenario, 10ms).problems.empty());
  CHECK(first_problem(on_grid(scenario, 1ms)) == "spec.cluster.latency.request");
  // A follower waits R to 2.2 R.
  CHECK(first_problem(on_grid(of(Elector::Type::client_go), 1ms)) ==
        "spec.candidates.0.elector.retryPeriod");
}

TEST_CASE("so many beginnings that they fill the memory before the first step are refused") {
  Scenario scenario = of(Elector::Type::client_go);
  scenario.candidates.front().start = Distribution::uniform(0s, 10s);
  scenario.candidates.front().replicas = 3;
  CHECK(on_grid(scenario, 100ms).problems.size() == 1);
  CHECK(on_grid(scenario, 1s).problems.empty());
  scenario.candidates.front().start = Distribution::constant(0s);
  scenario.candidates.front().replicas = 33;
  CHECK(first_problem(on_grid(scenario, 1s)) == "spec.candidates");
}

TEST_CASE("a duration that cannot be rounded up is no range") {
  Scenario scenario = of(Elector::Type::client_go);
  const Distribution endless = Distribution::constant(longest_duration - 1ns);
  scenario.cluster.latency = OneWay{endless, endless};
  CHECK(first_problem(on_grid(scenario, 1s)) == "spec.cluster.latency.request");
}

TEST_CASE("what has no chance does not happen, and what may happen does or does not") {
  Scenario scenario = of(Elector::Type::client_go);
  Fault& fault = scenario.faults.emplace_back();
  fault.probability = {0, 100};
  CHECK(on_grid(scenario, 1s).scenario.faults.front().probability == Ratio{0, 1});
  fault.probability = {3, 100};
  CHECK(on_grid(scenario, 1s).scenario.faults.front().probability == Ratio{1, 2});
}

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
