// What an exploration of a scenario came to: a verdict for each of its properties, within which
// bounds, and the run that shows a violation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenure/check/property.hpp>
#include <tenure/explore/explorer.hpp>
#include <tenure/explore/state_graph.hpp>
#include <tenure/run/result.hpp>
#include <tenure/scenario/grid.hpp>
#include <tenure/scenario/scenario.hpp>

namespace tenure::explore {

enum class Verdict : std::uint8_t { holds, violated, inconclusive, not_exercised };
std::string_view to_text(Verdict verdict);

struct PropertyVerdict {
  std::string name;  // as the scenario names it
  Verdict verdict = Verdict::holds;
  run::Finding finding = run::Finding::ok;  // the verdict against what was expected
  bool counts = true;                       // false: `not exercised` was allowed
  std::string text;                         // the verdict in words
  Position where;
};

// A violation as a run that was made in the simulator.
struct Counterexample {
  scenario::Scenario script;
  check::Violation violation;
  std::uint64_t tick = 0;
  std::uint64_t events = 0;
};

struct ExploreResult {
  scenario::Scenario scenario;
  Duration tick{};
  std::vector<scenario::Rounding> roundings;
  Ended ended = Ended::complete;
  Progress progress;
  std::uint64_t visited_memory = 0;  // bytes
  double collision_probability = 0;
  Probes probes;
  std::optional<GraphAnswers> graph;  // none: the search was not finished, or too large for it
  std::vector<PropertyVerdict> properties;
  Verdict verdict = Verdict::holds;          // of all properties together
  run::Verdict passes = run::Verdict::pass;  // against what was expected
  std::optional<Counterexample> counterexample;
  // A violation that was found does not happen in the simulator: a bug in one of the two.
  bool does_not_replay = false;

  // The explored graph and the path of the counterexample, for drawing.
  StateGraph states;
  std::vector<std::uint32_t> path;
};

// The properties that an exploration judges; who lists none asks whether two can lead.
std::vector<scenario::Property> listed_in(const scenario::Scenario& scenario);

// Says in `result`, which has all the rest, what the exploration means for each property, and for
// all of them together. `failover_within`: of boundedFailover.
void judge(ExploreResult& result, const Exploration& explored, Duration failover_within);

// Explores a scenario that `on_grid` made; `original` is what the user wrote.
ExploreResult explore_scenario(const scenario::Scenario& original,
                               const scenario::OnGrid& rounded,
                               const Options& options);

// What the scenario asks for.
Options options_of(const scenario::Scenario& scenario);

}  // namespace tenure::explore
