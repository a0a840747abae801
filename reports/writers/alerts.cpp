#include "alerts.hpp"

#include <cstdint>

#include <fmt/format.h>

#include "wording.hpp"

namespace tenure::report {
namespace {

using Json = nlohmann::ordered_json;
using run::Finding;

std::string runs_text(const run::RunResult& result, const run::AlertResult& alert) {
  const std::uint64_t violated = alert.tally.violated_runs;
  if (alert.finding == Finding::not_exercised)
    return "not exercised: no run was long enough for it";
  if (violated == 0)
    return alert.finding == Finding::ok ? fmt::format("{0}/{0} runs", result.runs)
                                        : "it fired in no run";
  return fmt::format("violated in {} of {} runs ({} .. {})", violated, result.runs,
                     percent(alert.share.lower), percent(alert.share.upper));
}

Json figure(const std::optional<stats::Observed>& observed) {
  return observed ? Json(observed->value) : Json(nullptr);
}

// Rates are rounded to what can be said about them, so that no digit depends on a library.
double rounded(double value) {
  return std::stod(fmt::format("{:.6g}", value));
}

}  // namespace

std::string seen_text(const run::RunResult& result, const run::AlertResult& alert) {
  std::string text = runs_text(result, alert);
  const stats::Summary& delay = alert.delay;
  if (delay.n != 0) {
    text += fmt::format(", delay p50 {}, p95 {}, max {}", shown(delay.unit, delay.p50),
                        shown(delay.unit, delay.p95),
                        delay.max ? shown(delay.unit, delay.max) : "none: some never fired");
    if (alert.tally.missed != 0)
      text += fmt::format(", missed {} of {}", alert.tally.missed, delay.n);
  }
  if (alert.tally.false_alarms != 0)
    text += fmt::format(", {:.3g} false alarms a day", alert.false_alarms_per_day);
  return text;
}

Json alert_json(const run::AlertResult& alert) {
  Json json;
  json["alertname"] = alert.name;
  json["expect"] = alert.text;
  json["verdict"] = run::to_text(alert.finding);
  json["violatedRuns"] = alert.tally.violated_runs;
  json["exercisedRuns"] = alert.tally.exercised_runs;
  json["firingRuns"] = alert.tally.firing_runs;
  json["expected"] = alert.delay.n;
  json["missed"] = alert.tally.missed;
  json["falseAlarms"] = alert.tally.false_alarms;
  json["falseAlarmsPerDay"] = rounded(alert.false_alarms_per_day);
  Json delay;
  delay["minNs"] = figure(alert.delay.min);
  delay["meanNs"] = alert.delay.mean ? Json(*alert.delay.mean) : Json(nullptr);
  delay["p50Ns"] = figure(alert.delay.p50);
  delay["p90Ns"] = figure(alert.delay.p90);
  delay["p95Ns"] = figure(alert.delay.p95);
  delay["p99Ns"] = figure(alert.delay.p99);
  delay["maxNs"] = figure(alert.delay.max);
  json["delay"] = delay;
  if (alert.tally.first_violating) {
    json["firstRun"] = *alert.tally.first_violating;
    json["firstViolation"] = alert.story;
  }
  return json;
}

}  // namespace tenure::report
