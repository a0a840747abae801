#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/explore/counterexample.hpp>
#include <tenure/explore/verdict.hpp>
#include <tenure/run/run.hpp>

namespace tenure::explore {
namespace {

using check::PropertyId;
using run::Finding;
using scenario::Property;

// What the answers of a graph take beside it, measured with chains of states, which take most.
constexpr std::uint64_t bytes_per_answered_state = 90;

bool is_one_of(PropertyId id, std::initializer_list<PropertyId> ids) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

// Judged step by step. V1 cannot fail here: a process that has ended is not asked what it believes.
bool is_judged_on_the_way(PropertyId id) {
  return is_one_of(
      id, {PropertyId::S1, PropertyId::S2, PropertyId::S3, PropertyId::B1, PropertyId::B2});
}

// How many processes a fault can end in a run; nothing: it is no crash, or has no limit.
std::optional<std::uint64_t> most_crashed(const scenario::Fault& fault, std::uint64_t processes) {
  using Role = scenario::Target::Role;
  if (!std::holds_alternative<scenario::Crash>(fault.kind)) return std::nullopt;
  const bool repeats = fault.at_any || fault.every;
  if (repeats && !fault.count) return std::nullopt;
  const bool hits_one = fault.target.role == Role::leader || fault.target.role == Role::candidate;
  return (repeats ? *fault.count : 1) * (hits_one ? 1 : processes);
}

// The premise of L1 is a candidate that is up, connected and answered in time from the failure on.
// That is sure where nothing but crashes happens, and fewer of them than there are processes.
bool somebody_stays(const scenario::Scenario& scenario) {
  std::uint64_t processes = 0;
  for (const scenario::Candidates& group : scenario.candidates) processes += group.replicas;
  std::uint64_t crashed = 0;
  for (const scenario::Fault& fault : scenario.faults) {
    const auto most = most_crashed(fault, processes);
    if (!most || *most >= processes) return false;
    crashed += *most;
  }
  return crashed < processes;
}

// What the closed form lacks on a grid: its longest waits, R + 1.2 R, are rounded up, and there are
// two of them in a failover.
Duration rounding_of_waits(const scenario::Scenario& scenario, Duration tick) {
  Duration most{};
  for (const scenario::Candidates& group : scenario.candidates) {
    const Duration over = scaled(group.elector.retry_period, {22, 10}) % tick;
    if (over != Duration{0}) most = std::max(most, (tick - over) * 2);
  }
  return most;
}

const Found* first_found(const Exploration& explored, PropertyId id) {
  const auto found = std::find_if(explored.found.begin(), explored.found.end(),
                                  [&](const Found& f) { return f.property == id; });
  return found == explored.found.end() ? nullptr : &*found;
}

Property named(std::string name, std::vector<PropertyId> ids) {
  Property property;
  property.name = std::move(name);
  property.ids = std::move(ids);
  return property;
}

// Who lists nothing asks whether two can lead.
std::vector<Property> listed_in(const scenario::Scenario& scenario) {
  if (!scenario.properties.empty()) return scenario.properties;
  return {named("beliefSafety", {PropertyId::B1, PropertyId::B2})};
}

class Judge {
 public:
  Judge(ExploreResult& result, const Exploration& explored, const scenario::Built& built)
      : result_(result), explored_(explored), built_(built) {}

  void properties() {
    for (const Property& property : listed()) {
      PropertyVerdict verdict = judged(property);
      verdict.finding = finding_of(property, verdict.verdict);
      verdict.counts = !(property.allow_vacuous && verdict.verdict == Verdict::not_exercised);
      verdict.where = property.origin.where;
      result_.properties.push_back(std::move(verdict));
    }
    together();
  }

 private:
  // leaseSafety is judged all the same, and told when it fails.
  std::vector<Property> listed() const {
    std::vector<Property> properties = listed_in(result_.scenario);
    const bool lists_it = std::any_of(properties.begin(), properties.end(),
                                      [](const Property& p) { return p.name == "leaseSafety"; });
    const Property lease_safety =
        named("leaseSafety", {PropertyId::S1, PropertyId::S2, PropertyId::S3});
    const bool fails = std::any_of(lease_safety.ids.begin(), lease_safety.ids.end(),
                                   [&](auto id) { return first_found(explored_, id) != nullptr; });
    if (fails && !lists_it) properties.push_back(lease_safety);
    return properties;
  }

  PropertyVerdict judged(const Property& property) const {
    PropertyVerdict verdict;
    verdict.name = property.name;
    for (const PropertyId id : property.ids) {
      const Found* found = first_found(explored_, id);
      if (found == nullptr) continue;
      verdict.verdict = Verdict::violated;
      verdict.text = fmt::format("{} violated at {}, after {} steps", check::to_text(id),
                                 time_of(found->tick), found->events);
      return verdict;
    }
    const bool on_the_way =
        std::all_of(property.ids.begin(), property.ids.end(), is_judged_on_the_way);
    const bool is_failover = property.ids.size() == 1 && property.ids.front() == PropertyId::L1;
    if (!on_the_way && !(is_failover && somebody_stays(result_.scenario))) {
      verdict.verdict = Verdict::not_exercised;
      verdict.text = is_failover ? "judged where nothing but crashes happens, fewer than processes"
                                 : "not judged by an exploration";
      return verdict;
    }
    if (result_.ended != Ended::complete) {
      verdict.verdict = Verdict::inconclusive;
      verdict.text = fmt::format("no violation up to {}", time_of(result_.progress.tick));
      return verdict;
    }
    if (is_failover) return failover(property, std::move(verdict));
    const bool needs_takeover = std::any_of(property.ids.begin(), property.ids.end(),
                                            [](auto id) { return id == PropertyId::B1; });
    if (needs_takeover && result_.probes.takeovers == 0) {
      verdict.verdict = Verdict::not_exercised;
      verdict.text = "the Lease never changed hands";
      return verdict;
    }
    verdict.text = "holds in every run within these bounds";
    return verdict;
  }

  PropertyVerdict failover(const Property& property, PropertyVerdict verdict) const {
    if (!result_.graph) {
      verdict.verdict = Verdict::inconclusive;
      verdict.text = "the graph of states is too large";
      return verdict;
    }
    const Stretch& gap = result_.graph->gap;
    const Duration rounding =
        property.within ? Duration{0} : rounding_of_waits(result_.scenario, result_.tick);
    const Duration within = longer(built_.properties.failover_within, rounding);
    if (gap.ticks == 0 && !gap.unbounded) {
      verdict.verdict = Verdict::not_exercised;
      verdict.text = "nobody who led ever failed";
      return verdict;
    }
    const bool is_late =
        gap.unbounded || result_.tick * static_cast<std::int64_t>(gap.ticks) > within;
    verdict.verdict = is_late ? Verdict::violated : Verdict::holds;
    verdict.text = fmt::format("within {}: at worst {}", seconds_text(within),
                               gap.unbounded ? "for ever" : time_of(gap.ticks));
    return verdict;
  }

  static Finding finding_of(const Property& property, Verdict verdict) {
    using Expect = Property::Expect;
    if (verdict == Verdict::inconclusive) return Finding::inconclusive;
    if (verdict == Verdict::not_exercised) return Finding::not_exercised;
    const bool is_violated = verdict == Verdict::violated;
    if (property.expect == Expect::any) return Finding::ok;
    if (property.expect == Expect::violated) return is_violated ? Finding::xfail : Finding::xpass;
    return is_violated ? Finding::fail : Finding::ok;
  }

  void together() {
    const auto any = [&](Verdict verdict) {
      return std::any_of(result_.properties.begin(), result_.properties.end(),
                         [&](const auto& p) { return p.counts && p.verdict == verdict; });
    };
    if (any(Verdict::violated))
      result_.verdict = Verdict::violated;
    else if (any(Verdict::inconclusive))
      result_.verdict = Verdict::inconclusive;
    else if (any(Verdict::not_exercised))
      result_.verdict = Verdict::not_exercised;
    bool failed = false;
    bool open = false;
    for (const PropertyVerdict& property : result_.properties) {
      failed = failed || property.finding == Finding::fail || property.finding == Finding::xpass;
      open = open || (property.counts && (property.finding == Finding::inconclusive ||
                                          property.finding == Finding::not_exercised));
    }
    if (failed)
      result_.passes = run::Verdict::fail;
    else if (open)
      result_.passes = run::Verdict::inconclusive;
  }

  std::string time_of(std::uint64_t ticks) const {
    return seconds_text(result_.tick * static_cast<std::int64_t>(ticks));
  }

  ExploreResult& result_;
  const Exploration& explored_;
  const scenario::Built& built_;
};

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
  Judge{result, explored, built}.properties();
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
