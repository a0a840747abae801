#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tenure/base/text.hpp>
#include <tenure/report/explore.hpp>

#include "findings.hpp"

namespace tenure::report {
namespace {

using explore::Ended;
using explore::ExploreResult;
using explore::Stretch;
using run::Finding;
using Json = nlohmann::ordered_json;

std::string time_of(const ExploreResult& result, std::uint64_t ticks) {
  return seconds_text(result.tick * static_cast<std::int64_t>(ticks));
}

std::string stretch_text(const ExploreResult& result, const Stretch& stretch) {
  if (stretch.unbounded) return "without end";
  return stretch.ticks == 0 ? "none" : time_of(result, stretch.ticks);
}

std::string ending(const ExploreResult& result) {
  switch (result.ended) {
    case Ended::complete:
      return "every state was reached";
    case Ended::at_violation:
      return "ended at the first violation (--fail-fast)";
    case Ended::at_tick_limit:
      return "ended at maxTick";
    case Ended::at_state_limit:
      return "ended at maxStates";
    case Ended::at_memory_limit:
      return "ended at maxMemory, or at three quarters of what the machine has";
    case Ended::interrupted:
      return "interrupted";
  }
  return "";
}

std::string most_times(std::uint64_t count) {
  return count == 1 ? ", once at most" : fmt::format(", at most {} times", count);
}

// What was allowed to happen: a verdict is worth no more than that.
std::string bounds_text(const scenario::Scenario& scenario) {
  std::string text;
  for (const scenario::Fault& fault : scenario.faults) {
    text += fmt::format("    fault {}{}{}\n", fault.name, fault.at_any ? " at any tick" : "",
                        fault.count && fault.at_any ? most_times(*fault.count)
                        : fault.at_any              ? ", any number of times"
                                                    : "");
  }
  return text.empty() ? "    no faults\n" : text;
}

Json stretch_json(const ExploreResult& result, const Stretch& stretch) {
  if (stretch.unbounded) return nullptr;
  return (result.tick * static_cast<std::int64_t>(stretch.ticks)).count();
}

}  // namespace

void write_explore_json(const ExploreResult& result, const TextSink& sink) {
  Json json;
  json["apiVersion"] = "tenure/v1alpha1";
  json["kind"] = "ExploreResult";
  json["version"] = run::tenure_version;
  json["verdict"] = explore::to_text(result.verdict);
  json["ended"] = ending(result);
  json["states"] = result.progress.states;
  json["transitions"] = result.progress.transitions;
  json["ticks"] = result.progress.tick;
  json["collisionProbability"] = result.collision_probability;
  if (result.graph) {
    json["longestGapNs"] = stretch_json(result, result.graph->gap);
    json["longestOverlapNs"] = stretch_json(result, result.graph->overlap);
    json["leaderlessCycle"] =
        result.graph->gap.unbounded || result.graph->never_led_cycle.has_value();
  }
  Json& probes = json["probes"];
  probes["takeovers"] = result.probes.takeovers;
  probes["conflicts"] = result.probes.conflicts;
  probes["stepDowns"] = result.probes.step_downs;
  for (std::size_t i = 0; i < result.scenario.faults.size(); ++i) {
    probes["faults"][result.scenario.faults[i].name] = result.probes.faults[i];
  }
  for (const explore::PropertyVerdict& property : result.properties) {
    json["properties"].push_back({{"name", property.name},
                                  {"verdict", explore::to_text(property.verdict)},
                                  {"finding", run::to_text(property.finding)},
                                  {"text", property.text}});
  }
  json["roundings"] = Json::array();
  for (const scenario::Rounding& rounding : result.roundings) {
    json["roundings"].push_back(
        {{"field", rounding.field}, {"from", rounding.from}, {"to", rounding.to}});
  }
  if (result.counterexample) {
    json["counterexample"] = {
        {"atNs", result.counterexample->violation.at.time_since_epoch().count()},
        {"steps", result.counterexample->events},
        {"scenario", scenario::scenario_json(result.counterexample->script)}};
  }
  json["bounds"] = scenario::scenario_json(result.scenario);
  sink(json.dump(2));
  sink("\n");
}

std::string explore_summary(const ExploreResult& result, Colour colour) {
  std::string out = fmt::format("{}: every run{}, tick {}\n", result.scenario.name,
                                candidates_text(result.scenario), duration_text(result.tick));
  out += "\n  BOUNDS\n" + bounds_text(result.scenario);
  for (const scenario::Rounding& rounding : result.roundings) {
    out += fmt::format("    {}: {} became {}\n", rounding.field, rounding.from, rounding.to);
  }
  out += fmt::format("\n  SEARCH\n    {} states, {} steps, {} simulated; {}\n",
                     result.progress.states, result.progress.transitions,
                     time_of(result, result.progress.tick), ending(result));
  out += fmt::format("    chance that two states were taken for one: {:.0e}\n",
                     result.collision_probability);
  out += fmt::format("    take-overs {}, conflicts {}, step-downs {}", result.probes.takeovers,
                     result.probes.conflicts, result.probes.step_downs);
  for (std::size_t i = 0; i < result.scenario.faults.size(); ++i) {
    if (result.scenario.faults[i].at_any)
      out += fmt::format(", {} {}", result.scenario.faults[i].name, result.probes.faults[i]);
  }
  out += " (steps of the graph)\n";
  if (result.graph) {
    out += fmt::format("    longest time without a leader {}, with two {}\n",
                       stretch_text(result, result.graph->gap),
                       stretch_text(result, result.graph->overlap));
    if (result.graph->never_led_cycle) out += "    it can go on for ever without a first leader\n";
  }
  out += "\n  PROPERTIES\n";
  for (const explore::PropertyVerdict& property : result.properties) {
    out += fmt::format("    {} {:18} {}\n", mark(property.finding, colour), property.name,
                       property.text);
  }
  return out;
}

std::string explore_verdict(const ExploreResult& result, Colour colour, std::string_view cost) {
  using explore::Verdict;
  std::string text;
  switch (result.verdict) {
    case Verdict::holds:
      text = "HOLDS within these bounds";
      break;
    case Verdict::violated:
      text = "VIOLATED";
      break;
    case Verdict::inconclusive:
      text = "INCONCLUSIVE";
      break;
    case Verdict::not_exercised:
      text = "NOT EXERCISED";
      break;
  }
  const bool as_expected = result.passes == run::Verdict::pass;
  if (result.verdict == Verdict::violated && as_expected) text += ", as expected";
  const Finding shade = as_expected                           ? Finding::ok
                        : result.passes == run::Verdict::fail ? Finding::fail
                                                              : Finding::inconclusive;
  return fmt::format("{}  {}{}\n", painted(text, colour_of(shade), colour), result.scenario.name,
                     cost.empty() ? std::string{} : fmt::format("  ({})", cost));
}

std::string progress_text(const explore::Progress& progress, double seconds) {
  const auto states = static_cast<double>(progress.states);
  return fmt::format("{:.2f} million states, {:.2f} million/s, {} at hand, tick {}, {} MiB",
                     states / 1e6, states / 1e6 / (seconds > 0 ? seconds : 1e-9), progress.frontier,
                     progress.tick, progress.memory >> 20);
}

}  // namespace tenure::report
