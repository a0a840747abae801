#include "edits.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tenure/base/text.hpp>
#include <tenure/base/variant.hpp>
#include <tenure/world/setup.hpp>

namespace tenure::run {
namespace {

using scenario::Candidates;
using scenario::Fault;
using scenario::Scenario;
using scenario::Target;

std::string process_name(const Candidates& group, std::uint32_t replica) {
  return fmt::format("{}-{}", group.name, replica);
}

std::uint64_t processes_in(const Scenario& scenario) {
  std::uint64_t processes = 0;
  for (const Candidates& group : scenario.candidates) processes += group.replicas;
  return processes;
}

// ---- size

std::int64_t occurrences_of(const Fault& fault) {
  constexpr std::uint64_t many = 1'000'000;
  return fault.every ? static_cast<std::int64_t>(std::min(fault.count.value_or(many), many)) + 1
                     : 1;
}

std::int64_t random_parts(const Fault& fault) {
  const auto is_random = [](const std::optional<Distribution>& d) { return d && !is_constant(*d); };
  std::int64_t parts = fault.probability == Ratio{1, 1} ? 0 : 1;
  for (const std::optional<Distribution>& d :
       {std::optional{fault.at}, fault.duration, fault.every})
    parts += is_random(d) ? 1 : 0;
  return parts + std::visit(overloaded{[](const scenario::Delay& f) -> std::int64_t {
                                         return (is_constant(f.latency) ? 0 : 1) +
                                                (f.jitter == Duration{} ? 0 : 1);
                                       },
                                       [](const scenario::Loss& f) -> std::int64_t {
                                         return f.fraction == Ratio{1, 1} ? 0 : 1;
                                       },
                                       [&](const scenario::Crash& f) -> std::int64_t {
                                         return is_random(f.restart_delay) ? 1 : 0;
                                       },
                                       [](const auto&) -> std::int64_t { return 0; }},
                            fault.kind);
}

std::int64_t random_parts(const Scenario& scenario) {
  // Without its choices, which can be many.
  Scenario copy;
  copy.cluster = scenario.cluster;
  copy.candidates = scenario.candidates;
  std::int64_t parts = 0;
  for (const Distribution* d : distributions_of(copy)) parts += is_constant(*d) ? 0 : 1;
  for (const Candidates& group : scenario.candidates) parts += has_random_clocks(group) ? 1 : 0;
  for (const Fault& fault : scenario.faults) parts += random_parts(fault);
  return parts;
}

// What a fault stands in the way for; the time that a delay adds counts too.
Duration time_of(const Fault& fault, Duration run) {
  if (is_instantaneous(fault)) return {};
  Duration time = fault.duration ? std::min(fault.duration->upper_bound(), run) : run;
  if (const auto* delay = std::get_if<scenario::Delay>(&fault.kind))
    time = longer(time, longer(delay->latency.upper_bound(), delay->jitter));
  return time;
}

std::int64_t sum_of_answers(const Scenario& scenario) {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  std::uint64_t sum = 0;
  if (!scenario.choices) return 0;
  for (const scenario::Choice& choice : scenario.choices->answers)
    sum += std::min(most - sum, choice.answer);
  return static_cast<std::int64_t>(sum);
}

// ---- processes

bool names(const Target& target, const Scenario& scenario, const std::string& process) {
  const bool by_node = target.role == Target::Role::node && scenario.cluster.nodes.empty();
  return (target.role == Target::Role::candidate || by_node) && target.name == process;
}

bool is_named(const Scenario& scenario, const std::string& process) {
  return std::any_of(scenario.faults.begin(), scenario.faults.end(), [&](const Fault& fault) {
    return names(fault.target, scenario, process) ||
           (fault.other && names(*fault.other, scenario, process));
  });
}

using NewNames = std::map<std::string, std::string>;

// The nodes that the replicas of a group run on, one each; empty: nodes named like them.
std::vector<std::string> nodes_of(const Scenario& scenario, const Candidates& group) {
  std::vector<std::string> all = group.nodes;
  if (all.empty()) {
    for (const scenario::ClusterNode& node : scenario.cluster.nodes) all.push_back(node.name);
  }
  std::vector<std::string> nodes;
  for (std::uint32_t i = 0; i < group.replicas && !all.empty(); ++i)
    nodes.push_back(all[i % all.size()]);
  return nodes;
}

// A group without some of its processes; fills in what the others are called then.
Candidates reduced(const Scenario& scenario,
                   const Candidates& group,
                   const std::vector<std::string>& gone,
                   NewNames& new_names) {
  const std::vector<std::string> nodes = nodes_of(scenario, group);
  Candidates kept = group;
  std::vector<std::string> kept_nodes;
  kept.replicas = 0;
  for (std::uint32_t i = 0; i < group.replicas; ++i) {
    const std::string name = process_name(group, i);
    if (std::find(gone.begin(), gone.end(), name) != gone.end()) continue;
    new_names[name] = process_name(group, kept.replicas++);
    if (!nodes.empty()) kept_nodes.push_back(nodes[i]);
  }
  const bool moved = kept.replicas != group.replicas;
  if (moved && !nodes.empty()) kept.nodes = kept_nodes;
  return kept;
}

void rename(Target& target, const Scenario& scenario, const NewNames& new_names) {
  const auto known = new_names.find(target.name);
  if (known != new_names.end() && names(target, scenario, target.name)) target.name = known->second;
}

void rename(Signature& signature, const NewNames& new_names) {
  if (!signature.who.empty()) signature.who = new_names.at(signature.who);
  if (!signature.other.empty()) signature.other = new_names.at(signature.other);
  if (!signature.other.empty() && signature.other < signature.who)
    std::swap(signature.who, signature.other);
}

// The choices of those who are gone go too.
void rename(scenario::Choices& choices,
            const std::vector<std::string>& gone,
            const NewNames& new_names) {
  NewNames streams;
  for (const auto& [before, after] : new_names) {
    const std::vector<std::string> from = world::process_stream_names(before);
    const std::vector<std::string> to = world::process_stream_names(after);
    for (std::size_t i = 0; i < from.size(); ++i) streams[from[i]] = to[i];
  }
  std::vector<std::string> dropped;
  for (const std::string& process : gone) {
    for (std::string& name : world::process_stream_names(process))
      dropped.push_back(std::move(name));
  }
  std::erase_if(choices.answers, [&](const scenario::Choice& choice) {
    return std::find(dropped.begin(), dropped.end(), choice.stream) != dropped.end();
  });
  for (scenario::Choice& choice : choices.answers) {
    const auto known = streams.find(choice.stream);
    if (known != streams.end()) choice.stream = known->second;
  }
}

// ---- text

const Fault* fault_named(const Scenario& scenario, const std::string& name) {
  const auto found = std::find_if(scenario.faults.begin(), scenario.faults.end(),
                                  [&](const Fault& fault) { return fault.name == name; });
  return found == scenario.faults.end() ? nullptr : &*found;
}

std::string count_text(std::string_view what, std::uint64_t before, std::uint64_t after) {
  return fmt::format("{} {}{} -> {}", before, what, before == 1 ? "" : "s", after);
}

// A distribution in the place of a number: "random", "20s".
std::string time_text(const std::optional<Distribution>& d) {
  if (!d) return "until the end";
  return is_constant(*d) ? seconds_text(d->upper_bound()) : "random";
}

void add_fault_changes(const Fault& before, const Fault& after, std::vector<std::string>& changes) {
  if (before.at != after.at) {
    changes.push_back(
        fmt::format("{} at {} -> {}", before.name, time_text(before.at), time_text(after.at)));
  }
  if (before.duration != after.duration) {
    changes.push_back(fmt::format("{} for {} -> {}", before.name, time_text(before.duration),
                                  time_text(after.duration)));
  }
  if (before.every && (before.every != after.every || before.count != after.count)) {
    changes.push_back(fmt::format("{} {} -> {}", before.name, "repeated",
                                  after.every ? fmt::format("{} times", *after.count) : "once"));
  }
  if (before.probability != after.probability)
    changes.push_back(fmt::format("{} happens for certain", before.name));
  if (before.kind != after.kind) changes.push_back(fmt::format("{} is simpler", before.name));
}

}  // namespace

Size size_of(const Scenario& scenario) {
  Size size{};
  Duration faults{};
  Duration times{};
  for (const Fault& fault : scenario.faults) {
    size[0] += occurrences_of(fault);
    faults = longer(faults, time_of(fault, scenario.duration));
    times = longer(times, fault.at.upper_bound());
  }
  size[1] = static_cast<std::int64_t>(processes_in(scenario));
  size[2] = random_parts(scenario) +
            static_cast<std::int64_t>(scenario.choices ? scenario.choices->answers.size() : 0);
  size[3] = faults.count();
  size[4] = scenario.duration.count();
  size[5] = times.count();
  size[6] = sum_of_answers(scenario);
  return size;
}

Scenario without_faults(Scenario scenario, std::size_t from, std::size_t to) {
  const auto begin = scenario.faults.begin();
  scenario.faults.erase(begin + static_cast<std::ptrdiff_t>(from),
                        begin + static_cast<std::ptrdiff_t>(to));
  return scenario;
}

Scenario without_answers(Scenario scenario, std::size_t from, std::size_t to) {
  const auto begin = scenario.choices->answers.begin();
  scenario.choices->answers.erase(begin + static_cast<std::ptrdiff_t>(from),
                                  begin + static_cast<std::ptrdiff_t>(to));
  return scenario;
}

std::vector<std::string> unnamed_processes(const Scenario& scenario) {
  std::vector<std::string> processes;
  for (const Candidates& group : scenario.candidates) {
    // Nodes named like processes would vanish with them.
    if (scenario.cluster.nodes.empty() && !group.nodes.empty()) return {};
    for (std::uint32_t i = 0; i < group.replicas; ++i) {
      if (!is_named(scenario, process_name(group, i))) processes.push_back(process_name(group, i));
    }
  }
  return processes;
}

Renamed without_processes(const Scenario& scenario,
                          const Signature& signature,
                          const std::vector<std::string>& gone) {
  Renamed renamed{scenario, signature};
  NewNames new_names;
  renamed.scenario.candidates.clear();
  for (const Candidates& group : scenario.candidates) {
    Candidates kept = reduced(scenario, group, gone, new_names);
    if (kept.replicas != 0) renamed.scenario.candidates.push_back(std::move(kept));
  }
  for (Fault& fault : renamed.scenario.faults) {
    rename(fault.target, scenario, new_names);
    if (fault.other) rename(*fault.other, scenario, new_names);
  }
  if (renamed.scenario.choices) rename(*renamed.scenario.choices, gone, new_names);
  rename(renamed.signature, new_names);
  return renamed;
}

bool is_instantaneous(const Fault& fault) {
  return std::holds_alternative<scenario::Crash>(fault.kind) ||
         std::holds_alternative<scenario::Terminate>(fault.kind) ||
         std::holds_alternative<scenario::Drain>(fault.kind);
}

bool is_constant(const Distribution& distribution) {
  return distribution.lower_bound() == distribution.upper_bound();
}

std::vector<Distribution*> distributions_of(Scenario& scenario) {
  std::vector<Distribution*> all =
      std::visit(overloaded{[](scenario::RoundTrip& l) {
                              return std::vector{&l.read, &l.write};
                            },
                            [](scenario::OneWay& l) {
                              return std::vector{&l.request, &l.response};
                            }},
                 scenario.cluster.latency);
  for (Candidates& group : scenario.candidates) {
    all.push_back(&group.start);
    all.push_back(&group.restart.delay);
    all.push_back(&group.shutdown.on_stopped_leading);
  }
  return all;
}

bool has_random_clocks(const Candidates& group) {
  return !is_constant(group.clock.offset.over) || !is_constant(group.clock.gain_per_second.over);
}

std::optional<Duration> fixed_duration(const Fault& fault) {
  if (!fault.duration || !is_constant(*fault.duration)) return std::nullopt;
  return fault.duration->upper_bound();
}

std::string difference_text(const Scenario& before, const Scenario& after) {
  std::vector<std::string> changes;
  if (before.duration != after.duration) {
    changes.push_back(
        fmt::format("run {} -> {}", seconds_text(before.duration), seconds_text(after.duration)));
  }
  if (before.faults.size() != after.faults.size())
    changes.push_back(count_text("fault", before.faults.size(), after.faults.size()));
  if (processes_in(before) != processes_in(after))
    changes.push_back(count_text("candidate", processes_in(before), processes_in(after)));
  const std::size_t answers = before.choices ? before.choices->answers.size() : 0;
  const std::size_t fewer = after.choices ? after.choices->answers.size() : 0;
  if (answers != fewer) changes.push_back(count_text("choice", answers, fewer));
  for (const Fault& fault : after.faults) {
    if (const Fault* was = fault_named(before, fault.name)) add_fault_changes(*was, fault, changes);
  }
  if (changes.empty()) changes.emplace_back("smaller values");
  return fmt::format("{}", fmt::join(changes, ", "));
}

}  // namespace tenure::run
