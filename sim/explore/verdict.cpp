#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <tenure/explore/counterexample.hpp>
#include <tenure/explore/verdict.hpp>
#include <tenure/run/run.hpp>

namespace tenure::explore {
namespace {

using check::PropertyId;
using scenario::Property;

// What the answers of a graph take beside it, measured with chains of states, which take most.
constexpr std::uint64_t bytes_per_answered_state = 90;

// How long a script goes on after its violation, so that its reader sees how it ends.
Duration aftermath(const scenario::Scenario& scenario) {
  Duration longest{};
  for (const scenario::Candidates& group : scenario.candidates) {
    longest = std::max(longest, longer(group.elector.lease_duration, group.elector.renew_deadline));
  }
  return longest;
}

// The run of a violation, made in the ordinary simulator; nothing: it does not go that way.
std::optional<Counterexample> replayed(const scenario::Scenario& rounded,
                                       const std::shared_ptr<const world::Setup>& setup,
                                       const Options& options,
                                       const Exploration& explored,
                                       const Found& found) {
  std::vector<std::uint64_t> fingerprints;
  for (const std::uint32_t state : explored.path_to(found.state)) {
    fingerprints.push_back(explored.fingerprints[state]);
  }
  const auto path = walk(setup, options, fingerprints);
  if (!path) return std::nullopt;
  auto script = scripted(rounded, *setup, *path, aftermath(rounded));
  if (!script) return std::nullopt;
  const run::Experiment experiment = run::experiment_of(*script);
  run::Runner runner{experiment};
  runner.run(0);
  const auto& violation = runner.checks().findings().first(found.property);
  const Duration at = setup->grid->tick * static_cast<std::int64_t>(found.tick);
  if (runner.misfit() || !violation || violation->at != TrueTime{at}) return std::nullopt;
  return Counterexample{std::move(*script), *violation, found.tick, found.events};
}

std::shared_ptr<const world::Setup> without_end(const world::Setup& setup) {
  auto endless = std::make_shared<world::Setup>(setup);
  endless->duration = longest_duration;
  return endless;
}

}  // namespace

std::string_view to_text(Verdict verdict) {
  constexpr std::array<std::string_view, 4> words = {"holds", "violated", "inconclusive",
                                                     "notExercised"};
  return words[static_cast<std::size_t>(verdict)];
}

Options options_of(const scenario::Scenario& scenario) {
  Options options;
  const scenario::Explore& bounds = *scenario.explore;
  options.symmetry = bounds.symmetry ? Symmetry::on : Symmetry::off;
  options.orders = bounds.reduction ? Orders::that_matter : Orders::all;
  options.limits.ticks = bounds.max_tick;
  options.limits.states = bounds.max_states;
  options.limits.memory = bounds.max_memory;
  options.judged = {PropertyId::S1, PropertyId::S2, PropertyId::S3};
  for (const Property& property : listed_in(scenario)) {
    if (property.level == Property::Level::is_leader) options.level = property.level;
    for (const PropertyId id : property.ids) options.judged.add(id);
  }
  return options;
}

ExploreResult explore_scenario(const scenario::Scenario& original,
                               const scenario::OnGrid& rounded,
                               const Options& options) {
  ExploreResult result;
  result.scenario = original;
  result.tick = original.explore->tick;
  result.roundings = rounded.roundings;
  const scenario::Built built = scenario::build_on_grid(rounded.scenario, result.tick);
  const auto setup = without_end(*built.setup);
  Exploration explored = explore(setup, options);
  result.ended = explored.ended;
  result.progress = explored.progress;
  result.visited_memory = explored.visited_memory;
  result.collision_probability = explored.collision_probability;
  result.probes = explored.probes;
  const bool fits = (explored.progress.states + 1) * bytes_per_answered_state +
                        explored.progress.transitions * sizeof(std::uint32_t) <=
                    options.limits.memory;
  if (explored.ended == Ended::complete && fits) {
    result.graph = answers_of(explored.graph);
  }
  judge(result, explored, built.properties.failover_within);
  if (explored.found.empty()) {
    result.states = std::move(explored.graph);
    return result;
  }
  const Found& found = explored.found.front();
  result.counterexample = replayed(rounded.scenario, setup, options, explored, found);
  result.does_not_replay = !result.counterexample;
  result.path = explored.path_to(found.state);
  result.states = std::move(explored.graph);
  return result;
}

}  // namespace tenure::explore
