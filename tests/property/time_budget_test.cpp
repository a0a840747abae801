// The parts of a failover, measured one by one, add up to it: a statement about every run, for the
// function that measures them takes none of them from the others.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <support/experiments.hpp>

#include <tenure/report/story.hpp>
#include <tenure/report/time_budget.hpp>

using namespace tenure;
using namespace tenure::test;
using namespace std::chrono_literals;
using report::BudgetPart;
using report::NotSplit;
using report::TimeBudget;

namespace {

constexpr int runs = 300;

Trial trial_with(std::string fault, Group group = {}) {
  Trial trial;
  trial.groups = {std::move(group)};
  trial.faults = {std::move(fault)};
  trial.length = 150;
  trial.runs = runs;
  trial.latency = "{uniform: [1ms, 80ms]}";
  return trial;
}

std::vector<TimeBudget> budgets_of(const scenario::Scenario& scenario) {
  const run::Experiment experiment = run::experiment_of(scenario);
  run::Runner runner{experiment};
  std::vector<TimeBudget> all;
  for (std::uint64_t number = 0; number < experiment.runs; ++number) {
    record::KeepHistory history;
    const auto& failovers = runner.run(number, &history).metrics().failovers;
    const auto clocks = report::clocks_of(runner.world());
    const auto budgets =
        report::time_budgets({*experiment.setup, history.history(), failovers, clocks});
    std::size_t over = 0;
    for (const check::FailoverSample& failover : failovers) over += failover.censored ? 0 : 1;
    REQUIRE(budgets.size() == over);
    all.insert(all.end(), budgets.begin(), budgets.end());
  }
  return all;
}

// Adds up to the nanosecond, or is told as not split for one of the reasons that `allowed` names.
// That the parts are not what they should be is never one.
std::size_t check_that_it_adds_up(const scenario::Scenario& scenario,
                                  const std::vector<NotSplit>& allowed = {}) {
  std::size_t split = 0;
  const std::vector<TimeBudget> budgets = budgets_of(scenario);
  CHECK(!budgets.empty());
  for (const TimeBudget& budget : budgets) {
    if (budget.why_not) {
      CAPTURE(std::string{report::to_text(*budget.why_not)});
      CHECK(std::find(allowed.begin(), allowed.end(), *budget.why_not) != allowed.end());
      continue;
    }
    ++split;
    const Duration sum = std::accumulate(
        budget.parts.begin(), budget.parts.end(), Duration{},
        [](Duration so_far, const report::PartLength& part) { return so_far + part.length; });
    CHECK(sum == budget.failover);
  }
  return split;
}

std::vector<TimeBudget> budgets_of(const Trial& trial) {
  return budgets_of(scenario_of(trial));
}
std::size_t check_that_it_adds_up(const Trial& trial, const std::vector<NotSplit>& allowed = {}) {
  return check_that_it_adds_up(scenario_of(trial), allowed);
}

Duration part_of(const TimeBudget& budget, BudgetPart wanted) {
  for (const auto& [part, length] : budget.parts) {
    if (part == wanted) return length;
  }
  FAIL("the part is missing");
  return {};
}

std::string at_random(const std::string& fault) {
  return fault + ", at: {uniform: [40s, 60s]}";
}

}  // namespace

TEST_CASE("the parts of a failover add up after a crash, restarted under a new name or never") {
  CHECK(check_that_it_adds_up(trial_with(at_random("type: crash, target: leader"))) == runs);
  Group never;
  never.fields = "restart: {policy: Never}";
  CHECK(check_that_it_adds_up(trial_with(at_random("type: crash, target: leader"), never)) == runs);
}

TEST_CASE("a candidate that comes back under its own name finds itself in the Lease: not split") {
  Group alone;
  alone.replicas = 1;
  alone.fields = "restart: {delay: 3s, identity: same}";
  const Trial trial = trial_with(at_random("type: crash, target: leader"), alone);
  CHECK(check_that_it_adds_up(trial, {NotSplit::named_already}) == 0);
}

TEST_CASE("they add up when the leader is cut off, in either direction or both") {
  for (const char* direction : {"both", "to", "from"}) {
    CAPTURE(std::string{direction});
    const std::string fault = "type: partition, target: leader, duration: 40s, direction: ";
    const std::size_t split =
        check_that_it_adds_up(trial_with(at_random(fault + direction)), {NotSplit::named_already});
    CHECK(split > runs / 2);
  }
}

TEST_CASE("they add up when the leader is frozen, and when its followers are") {
  CHECK(check_that_it_adds_up(trial_with(at_random("type: pause, target: leader, duration: 40s"))) >
        runs / 2);
  Trial both = trial_with(at_random("type: crash, target: leader"));
  both.faults.push_back("type: pause, target: followers, duration: 20s, at: {uniform: [30s, 70s]}");
  CHECK(check_that_it_adds_up(both, {NotSplit::named_already}) > runs / 2);
}

TEST_CASE("a follower whose clock stood still is not split, and the others add up") {
  Trial trial = trial_with(at_random("type: crash, target: leader"));
  trial.faults.push_back(
      "type: pause, target: followers, clocks: stop, duration: 5s, at: {uniform: [30s, 70s]}");
  const std::size_t split = check_that_it_adds_up(trial, {NotSplit::clock_stopped});
  CHECK(split > 0);
  CHECK(split < runs);
}

TEST_CASE("they add up after a drain whose leader releases the Lease, and one that does not") {
  Group releasing;
  releasing.elector = "releaseOnCancel: true";
  const std::string drain = at_random("type: drain, target: leader");
  const std::vector<TimeBudget> released = budgets_of(trial_with(drain, releasing));
  for (const TimeBudget& budget : released) {
    REQUIRE(!budget.why_not);
    CHECK(budget.parts.front().part == BudgetPart::release);
  }
  CHECK(check_that_it_adds_up(trial_with(drain, releasing)) == runs);
  CHECK(check_that_it_adds_up(trial_with(drain)) == runs);
}

TEST_CASE("they add up whatever the speed of the clocks, and leaseDuration is the winner's") {
  for (const char* rate : {"0.9", "1.1", "{uniform: [0.95, 1.05]}"}) {
    CAPTURE(std::string{rate});
    Group group;
    group.fields = "clock: {offset: {uniform: [+0s, +3s]}, rate: " + std::string{rate} + "}";
    CHECK(check_that_it_adds_up(trial_with(at_random("type: crash, target: leader"), group)) ==
          runs);
  }
  Group fast;
  fast.fields = "clock: {rate: 1.25}";
  for (const TimeBudget& budget :
       budgets_of(trial_with(at_random("type: crash, target: leader"), fast))) {
    CHECK(part_of(budget, BudgetPart::lease) == 12s);
  }
}

TEST_CASE("they add up when messages get lost or are late, and when the API server is away") {
  Trial lossy = trial_with(at_random("type: crash, target: leader"));
  lossy.faults.push_back("type: loss, target: all, fraction: 0.2, duration: 60s, at: 40s");
  CHECK(check_that_it_adds_up(lossy, {NotSplit::named_already}) > runs / 2);
  Trial slow = trial_with(at_random("type: crash, target: leader"));
  slow.faults.push_back(
      "type: delay, target: all, latency: {uniform: [0s, 2s]}, duration: 60s, at: 40s");
  CHECK(check_that_it_adds_up(slow, {NotSplit::named_already}) > runs / 2);
  const Trial away = trial_with(at_random("type: apiOutage, mode: refuse, duration: 30s"));
  check_that_it_adds_up(away, {NotSplit::named_already});
}

TEST_CASE("they add up when renewals follow each other within a second") {
  // Followers compare whole seconds (elect::raw_of), and so do not see every renewal.
  scenario::Scenario quick = scenario_of(trial_with(at_random("type: crash, target: leader")));
  scenario::Elector& elector = quick.candidates.front().elector;
  elector.lease_duration = 3s;
  elector.renew_deadline = 2s;
  elector.retry_period = 200ms;
  CHECK(check_that_it_adds_up(quick) == runs);
  std::size_t unseen = 0;
  for (const TimeBudget& budget : budgets_of(quick)) {
    if (part_of(budget, BudgetPart::notice) < 0s) ++unseen;
  }
  CHECK(unseen > runs / 2);
}

TEST_CASE("without latency only four parts last, and the Lease lasts as long as it says") {
  Trial trial = trial_with(at_random("type: crash, target: leader"));
  trial.latency = "0s";
  for (const TimeBudget& budget : budgets_of(trial)) {
    CHECK(part_of(budget, BudgetPart::last_renewal) <= 0s);
    CHECK(part_of(budget, BudgetPart::last_renewal) >= -2s);
    CHECK(part_of(budget, BudgetPart::notice) <= 4400ms);
    CHECK(part_of(budget, BudgetPart::lease) == 15s);
    CHECK(part_of(budget, BudgetPart::poll) <= 4400ms);
    for (const BudgetPart part : {BudgetPart::read, BudgetPart::update, BudgetPart::reply}) {
      CHECK(part_of(budget, part) == 0s);
    }
  }
}

TEST_CASE("the mean parts add up to the mean failover, but for rounding") {
  const Trial trial = trial_with(at_random("type: crash, target: leader"));
  const run::Experiment experiment = run::experiment_of(scenario_of(trial));
  const report::BudgetMeans means = report::mean_time_budget(experiment, runs);
  CHECK(means.expired.n == runs);
  CHECK(means.released.n == 0);
  Duration sum{};
  for (const report::PartLength& part : means.expired.parts) sum += part.length;
  CHECK(sum - means.expired.failover <= 7ns);
  CHECK(means.expired.failover - sum <= 7ns);
}

TEST_CASE("a naive loop is not split") {
  scenario::Scenario naive = scenario_of(trial_with(at_random("type: crash, target: leader")));
  naive.candidates.front().elector.type = scenario::Elector::Type::naive_loop;
  const report::BudgetMeans means = report::mean_time_budget(run::experiment_of(naive), 20);
  CHECK(means.not_split[static_cast<std::size_t>(NotSplit::wall_clock)] == 20);
  CHECK(means.expired.n == 0);
}
