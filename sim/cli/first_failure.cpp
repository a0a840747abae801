#include "first_failure.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>

#include <tenure/report/story.hpp>
#include <tenure/run/neighbour.hpp>
#include <tenure/run/run.hpp>
#include <tenure/run/shrink.hpp>

#include "app.hpp"

namespace tenure::cli {
namespace {

using scenario::Scenario;

// Runs that are spent on shrinking, at most; and events, which say what a run costs.
constexpr std::uint64_t most_runs = 300;
constexpr std::uint64_t most_events = 1'000'000;

constexpr std::size_t columns = 100;

// The scenario with nothing but the properties that fail, so that none that may be violated is
// shown in their place; and the first run in which one of them is.
struct Failure {
  Scenario scenario;
  std::uint64_t run = 0;
};

std::optional<Failure> failure_of(const run::RunResult& result) {
  std::optional<std::uint64_t> first;
  std::set<std::string> failing;
  for (const run::PropertyResult& property : result.properties) {
    if (property.finding != run::Finding::fail || !property.tally.first_violating) continue;
    failing.insert(property.name);
    first =
        std::min(first.value_or(*property.tally.first_violating), *property.tally.first_violating);
  }
  if (!first) return std::nullopt;
  Failure failure{result.scenario, *first};
  std::erase_if(failure.scenario.properties,
                [&](const auto& property) { return !failing.contains(property.name); });
  return failure;
}

std::size_t candidates_of(const Scenario& scenario) {
  std::size_t all = 0;
  for (const scenario::Candidates& group : scenario.candidates) all += group.replicas;
  return all;
}

// "shrunk from 2 faults to 1, 3 candidates to 2"; empty: neither became fewer.
std::string shrunk_text(const Scenario& before, const Scenario& after) {
  std::string text;
  const auto fewer = [&](std::size_t from, std::string_view what, std::size_t to) {
    if (to >= from) return;
    text += fmt::format("{}{} {}{} to {}", text.empty() ? "" : ", ", from, what,
                        from == 1 ? "" : "s", to);
  };
  fewer(before.faults.size(), "fault", after.faults.size());
  fewer(candidates_of(before), "candidate", candidates_of(after));
  return text.empty() ? text : fmt::format("  (shrunk from {})", text);
}

std::string nearest_text(const run::Shrunk& shrunk) {
  std::string text;
  for (const run::Neighbour& neighbour :
       run::nearest_passing(shrunk.scenario, shrunk.signature, &stop_requested)) {
    text += (text.empty() ? "" : "; ") + run::to_text(neighbour);
  }
  return text;
}

std::string told(const run::Shrunk& shrunk, const std::string& replay) {
  const run::Experiment experiment = run::experiment_of(shrunk.scenario);
  run::Runner runner{experiment};
  record::KeepHistory history;
  runner.run(0, &history);
  const report::Counterexample example{.setup = *experiment.setup,
                                       .history = history.history(),
                                       .violation = shrunk.violation,
                                       .level = experiment.properties.belief_level,
                                       .clocks = report::clocks_of(runner.world()),
                                       .nearest = nearest_text(shrunk),
                                       .replay = replay};
  return report::story(example, columns, report::Characters::ascii);
}

}  // namespace

std::string first_failure(const run::RunResult& result) {
  const auto failure = failure_of(result);
  if (!failure || result.interrupted) return {};
  const std::uint64_t events_per_run = std::max<std::uint64_t>(1, result.events / result.runs);
  run::ShrinkOptions options;
  options.budget = std::min(most_runs, most_events / events_per_run);
  options.stop = &stop_requested;
  if (options.budget < 2) return {};
  // A script was made to be looked at as it is.
  if (failure->scenario.choices) options.budget = 1;
  const auto shrunk = run::shrink(failure->scenario, failure->run, options);
  if (!shrunk || shrunk->interrupted) return {};
  const bool is_script = failure->scenario.choices.has_value();
  const std::string replay =
      fmt::format("{} --seed {} --run {}{}", result.replay, result.scenario.seed, failure->run,
                  is_script ? "" : " --shrink");
  return fmt::format("\n  COUNTEREXAMPLE  run {}{}\n\n{}", failure->run,
                     shrunk_text(failure->scenario, shrunk->scenario), told(*shrunk, replay));
}

}  // namespace tenure::cli
