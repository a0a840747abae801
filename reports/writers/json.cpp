#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tenure/report/writer.hpp>
#include <tenure/scenario/scenario.hpp>
#include <tenure/stats/codec.hpp>
#include <tenure/stats/looks.hpp>

#include "alerts.hpp"
#include "run_json.hpp"
#include "units.hpp"
#include "wording.hpp"

namespace tenure::report {
namespace {

using Json = nlohmann::ordered_json;

// A value in the unit that its field is in: whole nanoseconds, counts, or a share.
Json number(stats::Unit unit, std::int64_t value) {
  if (unit == stats::Unit::billionth) return static_cast<double>(value) / 1e9;
  return value;
}

Json mean_number(stats::Unit unit, std::int64_t value) {
  if (unit == stats::Unit::nanosecond) return value;
  return static_cast<double>(value) / 1e9;
}

template <class Figure>
Json observed(stats::Unit unit, const Figure& figure) {
  return figure ? number(unit, figure->value) : Json(nullptr);
}

// Shares are rounded to what can be said about them, so that no digit depends on a library.
double rounded_share(double share) {
  return std::stod(fmt::format("{:.6g}", share));
}

Json metric_json(const run::RunResult& result, std::size_t id, SampleSlots& slots) {
  const stats::Summary& summary = result.summaries[id];
  const stats::Samples& samples = result.metrics[id];
  const stats::Unit unit = summary.unit;
  Json json;
  json["unit"] = unit_text(static_cast<check::MetricId>(id));
  json["n"] = summary.n;
  json["censored"] = summary.censored;
  json[unit_field("min", unit)] = observed(unit, summary.min);
  json[unit_field("mean", unit)] = summary.mean ? mean_number(unit, *summary.mean) : Json(nullptr);
  json[unit_field("p50", unit)] = observed(unit, summary.p50);
  json[unit_field("p90", unit)] = observed(unit, summary.p90);
  json[unit_field("p95", unit)] = observed(unit, summary.p95);
  json[unit_field("p99", unit)] = observed(unit, summary.p99);
  json[unit_field("max", unit)] = observed(unit, summary.max);
  if (const auto half = band_half_width(result, static_cast<check::MetricId>(id)))
    json["bandHalfWidth95"] = rounded_share(*half);
  json[samples_field(unit)] =
      slots.slot([&samples](const TextSink& sink) { stats::encode_values(samples, sink); });
  if (!samples.one_per_run(0, result.runs))
    json["runOf"] =
        slots.slot([&samples](const TextSink& sink) { stats::encode_runs(samples, sink); });
  if (!samples.censored_at().empty()) json["censoredAt"] = samples.censored_at();
  const bool several_faults = result.scenario.faults.size() > 1;
  if (several_faults && static_cast<check::MetricId>(id) == check::MetricId::failover) {
    json["faultOf"] =
        slots.slot([&samples](const TextSink& sink) { stats::encode_faults(samples, sink); });
  }
  return json;
}

Json end_json(const stats::End& end, stats::Unit unit) {
  return end.kind == stats::End::Kind::value ? number(unit, end.value) : Json(nullptr);
}

}  // namespace

Json threshold_json(const run::RunResult& result, const run::ThresholdResult& threshold) {
  const stats::Unit unit =
      compared_unit(threshold, result.metrics[static_cast<std::size_t>(threshold.id)].unit());
  Json json;
  json["metric"] = threshold.metric;
  json["expr"] = threshold.text;
  json["verdict"] = run::to_text(threshold.finding);
  const stats::Judgement& judgement = threshold.judgement;
  json[unit_field("estimate", unit)] =
      judgement.estimate ? number(unit, *judgement.estimate) : Json(nullptr);
  if (judgement.interval) {
    json[unit_field("interval95", unit)] = {end_json(judgement.interval->lower, unit),
                                            end_json(judgement.interval->upper, unit)};
  }
  if (threshold.run) json["run"] = *threshold.run;
  if (judgement.settling) json["settlingRuns"] = *judgement.settling;
  if (!judgement.note.empty()) json["note"] = judgement.note;
  return json;
}

namespace {

Json property_json(const run::PropertyResult& property) {
  Json json;
  json["name"] = property.name;
  json["ids"] = property.ids;
  json["verdict"] = run::to_text(property.finding);
  json["violatedRuns"] = property.tally.violated_runs;
  json["exercisedRuns"] = property.tally.exercised_runs;
  if (property.tally.violated_runs == 0) {
    json["upper95"] = rounded_share(property.share.upper);
  } else {
    json["interval95"] = {rounded_share(property.share.lower), rounded_share(property.share.upper)};
    json["firstRun"] = *property.tally.first_violating;
    json["firstViolation"] = property.story;
    json["atNs"] = property.tally.violation->at.time_since_epoch().count();
  }
  return json;
}

}  // namespace

void add_findings(const run::RunResult& result, Json& json, SampleSlots& slots) {
  json["properties"] = Json::array();
  for (const run::PropertyResult& property : result.properties) {
    json["properties"].push_back(property_json(property));
  }
  json["thresholds"] = Json::array();
  for (const run::ThresholdResult& threshold : result.thresholds) {
    json["thresholds"].push_back(threshold_json(result, threshold));
  }
  if (result.scenario.alerts) {
    json["alerts"] = Json::array();
    for (const run::AlertResult& alert : result.alerts) json["alerts"].push_back(alert_json(alert));
  }
  for (std::size_t id = 0; id < check::metric_count; ++id) {
    json["metrics"][std::string{check::to_text(static_cast<check::MetricId>(id))}] =
        metric_json(result, id, slots);
  }
}

namespace {

Json warning_json(const Diagnostic& warning) {
  Json json;
  json["code"] = warning.code;
  json["text"] = warning.text;
  if (warning.where.line != 0) {
    json["line"] = warning.where.line;
    json["column"] = warning.where.column;
  }
  json["hints"] = warning.hints;
  return json;
}

// At which numbers of runs it was to be looked, what was seen, and where it ended.
Json stopping_json(const run::RunResult& result) {
  Json json;
  json["rule"] = result.scenario.stopping->precision ? "precision" : "thresholds";
  json["schedule"] = stats::looks_up_to(result.scenario.runs, result.scenario.stopping->looks);
  json["looks"] = Json::array();
  for (const run::Look& look : result.looks) {
    json["looks"].push_back(
        {{"runs", look.runs}, {"alpha", look.alpha}, {"undecided", look.undecided}});
  }
  const bool ended = !result.looks.empty() && result.looks.back().enough();
  json["stoppedAt"] = ended ? Json(result.looks.back().runs) : Json(nullptr);
  return json;
}

Json run_json(const run::RunResult& result, SampleSlots& slots) {
  Json json;
  json["apiVersion"] = "tenure/v1alpha1";
  json["kind"] = "RunResult";
  json["metadata"] = {{"name", result.scenario.name},
                      {"scenarioSha256", result.scenario_sha256},
                      {"tenureVersion", result.version},
                      {"seed", result.scenario.seed}};
  Json status;
  status["verdict"] = run::to_text(result.verdict);
  status["runs"] = result.runs;
  status["shards"] = Json::array({Json::array({0, result.runs})});
  if (result.interrupted) status["interrupted"] = true;
  if (result.partial) status["partial"] = true;
  status["events"] = result.events;
  status["runHash"] = fmt::format("{:016x}", result.run_hash);
  json["status"] = status;
  if (result.scenario.stopping) json["stopping"] = stopping_json(result);
  add_findings(result, json, slots);
  json["warnings"] = Json::array();
  for (const Diagnostic& warning : result.warnings)
    json["warnings"].push_back(warning_json(warning));
  json["assumptions"] = result.assumptions;
  json["scenario"] = scenario::scenario_json(result.scenario);
  return json;
}

}  // namespace

void write_json(const run::RunResult& result, const TextSink& sink) {
  SampleSlots slots{result.scenario_sha256};
  const Json json = run_json(result, slots);
  slots.write(json, sink);
}

}  // namespace tenure::report
