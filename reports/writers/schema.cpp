#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tenure/check/metrics.hpp>
#include <tenure/report/schema.hpp>
#include <tenure/scenario/schema.hpp>
#include <tenure/stats/codec.hpp>

namespace tenure::report {
namespace {

using Json = nlohmann::ordered_json;

enum class Presence : std::uint8_t { always, sometimes };

struct Member {
  std::string_view name;
  Json schema;
  Presence presence = Presence::always;
  std::string_view meaning = {};
};

Json map_of(const std::vector<Member>& members) {
  Json out{{"type", "object"}, {"properties", Json::object()}, {"required", Json::array()}};
  for (const Member& member : members) {
    Json& field = out["properties"][std::string{member.name}];
    field = member.schema;
    if (!member.meaning.empty()) field["description"] = member.meaning;
    if (member.presence == Presence::always) out["required"].push_back(member.name);
  }
  out["additionalProperties"] = false;
  return out;
}

Json list_of(const Json& item) {
  return {{"type", "array"}, {"items", item}};
}

Json words(const std::vector<std::string_view>& words) {
  return {{"enum", words}};
}

const Json text{{"type", "string"}};
const Json flag{{"type", "boolean"}};
const Json whole{{"type", "integer"}};
const Json count{{"type", "integer"}, {"minimum", 0}};
const Json share{{"type", "number"}, {"minimum", 0}, {"maximum", 1}};
const Json number_or_null{{"type", {"number", "null"}}};
const Json whole_or_null{{"type", {"integer", "null"}}};

Json pair_of(const Json& item) {
  Json out = list_of(item);
  out["minItems"] = out["maxItems"] = 2;
  return out;
}

Json finding() {
  return words({"ok", "fail", "xfail", "xpass", "inconclusive", "notExercised"});
}

// The scenario after overrides, with every field: as the schema of scenarios has it.
Json embedded() {
  return {{"$ref", "#/definitions/scenario"}};
}

Json with_definitions(std::string_view title, Json schema) {
  Json out{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", title}};
  out.update(schema);
  Json scenario = scenario::scenario_schema();
  out["definitions"] = std::move(scenario["definitions"]);
  for (const std::string_view own : {"$schema", "definitions"}) scenario.erase(std::string{own});
  out["definitions"]["scenario"] = std::move(scenario);
  return out;
}

Json constant(std::string_view word) {
  return {{"const", word}};
}

Json property() {
  return map_of(
      {{"name", text},
       {"ids", text},
       {"verdict", finding()},
       {"violatedRuns", count},
       {"exercisedRuns", count},
       {"upper95", share, Presence::sometimes,
        "With no violation seen: the share that is still possible."},
       {"interval95", pair_of(share), Presence::sometimes, "Of the share of violating runs."},
       {"firstRun", count, Presence::sometimes, "The first run that violates it."},
       {"firstViolation", text, Presence::sometimes},
       {"atNs", count, Presence::sometimes, "When, in nanoseconds of simulated time."}});
}

Json threshold() {
  return map_of({{"metric", text, Presence::always, "As written: failover[kill]."},
                 {"expr", text},
                 {"verdict", finding()},
                 {"estimate", number_or_null, Presence::sometimes},
                 {"estimateNs", whole_or_null, Presence::sometimes},
                 {"interval95", pair_of(number_or_null), Presence::sometimes},
                 {"interval95Ns", pair_of(whole_or_null), Presence::sometimes},
                 {"run", count, Presence::sometimes, "The run behind the figure."},
                 {"settlingRuns", count, Presence::sometimes, "So many runs would decide it."},
                 {"note", text, Presence::sometimes}});
}

Json alert() {
  std::vector<Member> delay;
  for (const std::string_view name :
       {"minNs", "meanNs", "p50Ns", "p90Ns", "p95Ns", "p99Ns", "maxNs"})
    delay.push_back({name, whole_or_null});
  return map_of({{"alertname", text},
                 {"expect", text, Presence::always, "fires always within 90s after kill"},
                 {"verdict", finding()},
                 {"violatedRuns", count},
                 {"exercisedRuns", count},
                 {"firingRuns", count, Presence::always, "In which it fired when it was expected."},
                 {"expected", count, Presence::always, "Firings that were expected."},
                 {"missed", count, Presence::always, "Of these, those that did not come."},
                 {"falseAlarms", count},
                 {"falseAlarmsPerDay",
                  {{"type", "number"}},
                  Presence::always,
                  "Of simulated time, after the warm-up."},
                 {"delay", map_of(delay), Presence::always,
                  "From when it was expected to its firing; null: longer than the run, or none."},
                 {"firstRun", count, Presence::sometimes},
                 {"firstViolation", text, Presence::sometimes}});
}

// Figures of a metric; a time has its unit in the names of its fields.
Json metric(std::string_view unit) {
  const bool is_time = unit == "ns";
  const std::string suffix = is_time ? "Ns" : "";
  const std::string samples = is_time           ? "samplesNs"
                              : unit == "count" ? "samples"
                                                : "samplesBillionths";
  std::vector<Member> members{{"unit", constant(unit)}, {"n", count}, {"censored", count}};
  std::vector<std::string> names;
  for (const std::string_view name : {"min", "mean", "p50", "p90", "p95", "p99", "max"})
    names.push_back(std::string{name} + suffix);
  for (const std::string& name : names)
    members.push_back({name, is_time ? whole_or_null : number_or_null});
  const Json half{{"type", "number"}, {"exclusiveMinimum", 0}};
  members.push_back({"bandHalfWidth95", half, Presence::sometimes,
                     "So far, up or down, the share of samples at most x may be off, for all x "
                     "together (DKW)."});
  const Json coded{{"type", "string"}, {"pattern", fmt::format("^{}", stats::coding)}};
  members.push_back({samples, coded, Presence::always,
                     "In the order of runs, then of time: differences, zigzag, LEB128, base64."});
  members.push_back({"runOf", coded, Presence::sometimes, "The run of each sample, coded alike."});
  members.push_back(
      {"censoredAt", list_of(count), Presence::sometimes, "Samples that are lower bounds."});
  members.push_back(
      {"faultOf", coded, Presence::sometimes, "The fault of each sample, by its place."});
  return map_of(members);
}

std::string_view unit_of(check::MetricId id) {
  using Id = check::MetricId;
  switch (id) {
    case Id::leaderless:
      return "share";
    case Id::api_requests_per_second:
      return "1/s";
    case Id::failover:
    case Id::gap:
    case Id::overlap:
    case Id::overlap_running:
      return "ns";
    case Id::transitions:
    case Id::restarts:
    case Id::api_conflicts:
      break;
  }
  return "count";
}

Json metrics() {
  std::vector<Member> members;
  for (std::size_t i = 0; i < check::metric_count; ++i) {
    const auto id = static_cast<check::MetricId>(i);
    members.push_back(
        {check::to_text(id), metric(unit_of(id)), Presence::always, check::definition(id)});
  }
  return map_of(members);
}

Json warning() {
  return map_of({{"code", text},
                 {"text", text},
                 {"line", count, Presence::sometimes},
                 {"column", count, Presence::sometimes},
                 {"hints", list_of(text)}});
}

Json hash(int digits) {
  return {{"type", "string"}, {"pattern", fmt::format("^[0-9a-f]{{{}}}$", digits)}};
}

Json stopping() {
  return map_of(
      {{"rule", words({"thresholds", "precision"})},
       {"schedule", list_of(count)},
       {"looks", list_of(map_of({{"runs", count}, {"alpha", share}, {"undecided", count}}))},
       {"stoppedAt", {{"type", {"integer", "null"}}, {"minimum", 1}}}});
}

Json map_to_text() {
  return {{"type", "object"}, {"additionalProperties", text}};
}

// A skipped point has its parameters and the reason alone.
Json point() {
  Json objective = threshold();
  objective["properties"].erase("verdict");
  objective["required"] = {"metric", "expr"};
  const Json need = map_of({{"expr", text}, {"verdict", finding()}});
  const Json made = map_of({{"parameters", map_to_text()},
                            {"seed", count},
                            {"runs", count},
                            {"verdict", words({"pass", "fail", "inconclusive"})},
                            {"events", count},
                            {"runHash", hash(16)},
                            {"objectives", list_of(objective)},
                            {"subjectTo", list_of(need)},
                            {"properties", list_of(property())},
                            {"thresholds", list_of(threshold())},
                            {"metrics", metrics()}});
  const Json not_made = map_of({{"parameters", map_to_text()},
                                {"skipped", text, Presence::sometimes, "Why there are no runs."}});
  return {{"anyOf", Json::array({not_made, made})}};
}

Json input() {
  const Json file = map_of({{"name", text}, {"text", text}});
  const Json number{{"type", {"integer", "null"}}, {"minimum", 0}};
  return map_of({{"sweep", file},
                 {"scenario", file},
                 {"sets", list_of(text)},
                 {"runs", number},
                 {"seed", number}});
}

}  // namespace

Json sweep_result_schema() {
  const Json status = map_of({{"verdict", words({"pass", "fail", "inconclusive"})},
                              {"points", count},
                              {"refused", count},
                              {"constrained", count},
                              {"excluded", count},
                              {"runsPerPoint", count},
                              {"partial", flag, Presence::sometimes}});
  Json out{{"$schema", "http://json-schema.org/draft-07/schema#"},
           {"title", "SweepResult of tenure, tenure/v1alpha1"}};
  out.update(map_of(
      {{"apiVersion", constant("tenure/v1alpha1")},
       {"kind", constant("SweepResult")},
       {"metadata",
        map_of({{"name", text}, {"sha256", hash(64)}, {"tenureVersion", text}, {"seed", count}})},
       {"status", status},
       {"points", list_of(point())},
       {"pareto", list_of(count)},
       {"present", {{"type", {"integer", "null"}}, {"minimum", 0}}},
       {"input", input()}}));
  return out;
}

Json run_result_schema() {
  const Json status = map_of({{"verdict", words({"pass", "fail", "inconclusive"})},
                              {"runs", count},
                              {"shards", list_of(pair_of(count))},
                              {"interrupted", flag, Presence::sometimes},
                              {"partial", flag, Presence::sometimes},
                              {"events", count},
                              {"runHash", hash(16)}});
  return with_definitions("RunResult of tenure, tenure/v1alpha1",
                          map_of({{"apiVersion", constant("tenure/v1alpha1")},
                                  {"kind", constant("RunResult")},
                                  {"metadata", map_of({{"name", text},
                                                       {"scenarioSha256", hash(64)},
                                                       {"tenureVersion", text},
                                                       {"seed", count}})},
                                  {"status", status},
                                  {"stopping", stopping(), Presence::sometimes},
                                  {"properties", list_of(property())},
                                  {"thresholds", list_of(threshold())},
                                  {"alerts", list_of(alert()), Presence::sometimes},
                                  {"metrics", metrics()},
                                  {"warnings", list_of(warning())},
                                  {"assumptions", list_of(text)},
                                  {"scenario", embedded(), Presence::always}}));
}

Json explore_result_schema() {
  const Json verdict = words({"holds", "violated", "inconclusive", "notExercised"});
  const Json counts{{"type", "object"}, {"additionalProperties", count}};
  return with_definitions(
      "ExploreResult of tenure, tenure/v1alpha1",
      map_of(
          {{"apiVersion", constant("tenure/v1alpha1")},
           {"kind", constant("ExploreResult")},
           {"version", text},
           {"verdict", verdict},
           {"ended", text},
           {"states", count},
           {"transitions", count},
           {"ticks", count},
           {"collisionProbability", share},
           {"longestGapNs", whole_or_null, Presence::sometimes, "null: it has no end."},
           {"longestOverlapNs", whole_or_null, Presence::sometimes},
           {"leaderlessCycle", flag, Presence::sometimes},
           {"probes", map_of({{"takeovers", count},
                              {"conflicts", count},
                              {"stepDowns", count},
                              {"faults", counts, Presence::sometimes}})},
           {"properties",
            list_of(map_of(
                {{"name", text}, {"verdict", verdict}, {"finding", finding()}, {"text", text}})),
            Presence::sometimes},
           {"roundings", list_of(map_of({{"field", text}, {"from", text}, {"to", text}}))},
           {"counterexample", map_of({{"atNs", count}, {"steps", count}, {"scenario", embedded()}}),
            Presence::sometimes},
           {"bounds", embedded()}}));
}

}  // namespace tenure::report
