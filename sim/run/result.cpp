#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tenure/base/text.hpp>
#include <tenure/base/variant.hpp>
#include <tenure/run/result.hpp>
#include <tenure/run/stopping.hpp>
#include <tenure/scenario/build.hpp>

#include "digest.hpp"

namespace tenure::run {
namespace {

using check::PropertyId;

// Always judged, listed or not, and before all others.
constexpr check::PropertySet lease_safety{PropertyId::S1, PropertyId::S2, PropertyId::S3};
// renewTime of one holder going back is worth a warning, whatever was asked for.
constexpr check::PropertySet renew_time{PropertyId::S7};
constexpr std::size_t hidden_sets = 2;

check::PropertySet set_of(const scenario::Property& property) {
  check::PropertySet set;
  for (const PropertyId id : property.ids) {
    // In leaseRecord, S7 is a warning; asked for by its id it is judged.
    if (id == PropertyId::S7 && property.ids.size() > 1) continue;
    set.add(id);
  }
  return set;
}

Finding finding_of(const scenario::Property& property, const PropertyTally& tally) {
  using Expect = scenario::Property::Expect;
  if (tally.violated_runs != 0)
    return property.expect == Expect::holds ? Finding::fail : Finding::xfail;
  if (property.expect == Expect::violated) return Finding::xpass;
  return tally.exercised_runs == 0 ? Finding::not_exercised : Finding::ok;
}

PropertyResult result_of(const scenario::Property& property,
                         const PropertyTally& tally,
                         std::uint64_t runs,
                         const world::Setup& setup) {
  PropertyResult result;
  result.name = property.name;
  const check::PropertySet judged = set_of(property);
  for (const PropertyId id : property.ids) {
    if (!judged.contains(id)) continue;
    result.ids += result.ids.empty() ? "" : ", ";
    result.ids += check::to_text(id);
  }
  result.finding = finding_of(property, tally);
  result.counts = !(result.finding == Finding::not_exercised && property.allow_vacuous);
  result.tally = tally;
  result.share = share_shown(tally.violated_runs, runs);
  if (tally.violation) result.story = story_of(setup, *tally.violation);
  result.where = property.origin.where;
  return result;
}

// ---- thresholds

// In which unit the value of a threshold is given to the statistics.
std::int64_t scale_of(stats::Unit unit, stats::Aggregation aggregation) {
  if (aggregation == stats::Aggregation::count) return 1;
  if (aggregation == stats::Aggregation::rate || unit == stats::Unit::billionth)
    return 1'000'000'000;
  return aggregation == stats::Aggregation::mean ? stats::mean_scale(unit) : 1;
}

stats::Threshold threshold_of(const scenario::Threshold& from, stats::Unit unit) {
  stats::Threshold to;
  to.aggregation = from.aggregation;
  to.comparison = from.op;
  if (to.aggregation == stats::Aggregation::quantile) {
    to.quantile = {from.percentile.numerator, from.percentile.denominator * 100};
  }
  const std::int64_t scale = scale_of(unit, to.aggregation);
  to.value =
      std::visit(overloaded{[](Duration d) { return d.count(); },
                            [&](const Ratio& r) { return scaled(Duration{scale}, r).count(); }},
                 from.value);
  return to;
}

Finding finding_of(stats::Verdict verdict) {
  switch (verdict) {
    case stats::Verdict::ok:
      return Finding::ok;
    case stats::Verdict::fail:
      return Finding::fail;
    case stats::Verdict::inconclusive:
      return Finding::inconclusive;
    case stats::Verdict::not_exercised:
      return Finding::not_exercised;
  }
  return Finding::inconclusive;
}

std::uint32_t fault_named(const scenario::Scenario& scenario, const std::string& name) {
  const auto found = std::find_if(scenario.faults.begin(), scenario.faults.end(),
                                  [&](const scenario::Fault& fault) { return fault.name == name; });
  return static_cast<std::uint32_t>(found - scenario.faults.begin());
}

// ---- warnings and assumptions

void warn_about_faults(RunResult& result,
                       const scenario::Document& document,
                       const std::vector<std::uint64_t>& effects) {
  for (std::size_t i = 0; i < effects.size(); ++i) {
    if (effects[i] != 0 || result.runs == 0) continue;
    const scenario::Fault& fault = result.scenario.faults[i];
    Diagnostic warning = document.source->diagnostic(
        Diagnostic::Level::warning, "W0303", fault.origin.where,
        fmt::format("fault {} had no effect in any run", tenure::quoted(fault.name)));
    const Duration earliest = fault.at.lower_bound();
    warning.hints.push_back(
        earliest >= result.scenario.duration
            ? fmt::format("it begins at {} at the earliest, and a run ends at {}",
                          seconds_text(earliest), seconds_text(result.scenario.duration))
            : "nobody was hit, or nothing that anybody did was changed by it");
    result.warnings.push_back(std::move(warning));
  }
}

void warn_about_renew_time(RunResult& result,
                           const scenario::Document& document,
                           std::uint64_t runs) {
  if (runs == 0) return;
  Diagnostic warning = document.source->diagnostic(
      Diagnostic::Level::warning, "W0305", Position{},
      fmt::format("renewTime of one holder went back in {} of {} runs (S7)", runs, result.runs));
  warning.hints.push_back(
      "a wall clock was set back; electors that compare renewTime with their own clock "
      "may misjudge the Lease");
  result.warnings.push_back(std::move(warning));
}

std::string latency_text(const Distribution& d) {
  switch (d.kind) {
    case Distribution::Kind::constant:
      return fmt::format("constant {}", duration_text(d.low));
    case Distribution::Kind::uniform:
      return fmt::format("uniform {} .. {}", duration_text(d.low), duration_text(d.high));
    case Distribution::Kind::exponential:
      return fmt::format("exponential, mean {}", duration_text(d.low));
    case Distribution::Kind::lognormal:
      return fmt::format("lognormal, p50 {}, p99 {}", duration_text(d.low), duration_text(d.high));
    case Distribution::Kind::pareto:
      return fmt::format("Pareto from {}", duration_text(d.low));
    case Distribution::Kind::empirical:
      return "empirical";
    case Distribution::Kind::mixture:
      return "mixture";
  }
  return "";
}

std::vector<std::string> assumptions_of(const scenario::Scenario& scenario) {
  std::vector<std::string> texts;
  texts.push_back(
      std::visit(overloaded{[](const scenario::RoundTrip& l) {
                              return fmt::format("API latency, round trip: GET {}, writes {}",
                                                 latency_text(l.read), latency_text(l.write));
                            },
                            [](const scenario::OneWay& l) {
                              return fmt::format("API latency, one way: request {}, response {}",
                                                 latency_text(l.request), latency_text(l.response));
                            }},
                 scenario.cluster.latency));
  texts.emplace_back(
      "one API server over a store that never fails; it answers in no time of its own");
  texts.emplace_back("a message is lost when its path is cut as it leaves or as it would arrive");
  texts.emplace_back(
      "a request without a client timeout ends after 45s, when the dead connection is noticed");
  texts.emplace_back(
      "no work of the leader, no admission, no flow control, no client-side rate limit");
  if (scenario.alerts) {
    texts.emplace_back(fmt::format(
        "one Prometheus beside the API server scrapes every {}, in no time, and evaluates every {}",
        duration_text(scenario.alerts->scrape_interval),
        duration_text(scenario.alerts->evaluation_interval)));
  }
  return texts;
}

// To the millisecond: a story is told to people, and the history has every nanosecond.
std::string milliseconds(Duration time) {
  return fmt::format("{:.3f}s", static_cast<double>(time.count()) / 1e9);
}

// ---- alerts

Finding finding_of(const scenario::AlertExpectation& expectation, const AlertTally& tally) {
  using Fires = scenario::AlertExpectation::Fires;
  if (expectation.fires == Fires::any) return Finding::ok;
  if (tally.violated_runs != 0) return Finding::fail;
  if (tally.exercised_runs == 0) return Finding::not_exercised;
  const bool is_silent = expectation.fires == Fires::sometimes && tally.firing_runs == 0;
  return is_silent ? Finding::fail : Finding::ok;
}

std::string story_of(const scenario::AlertExpectation& expectation, const AlertTally& tally) {
  const std::string at = milliseconds(tally.violated_at.time_since_epoch());
  const bool is_never = expectation.fires == scenario::AlertExpectation::Fires::never;
  return fmt::format("{} {} at {}", expectation.alert, is_never ? "fires" : "has not fired", at);
}

AlertResult result_of(const scenario::Scenario& scenario,
                      const scenario::AlertExpectation& expectation,
                      AlertTally tally,
                      std::uint64_t runs) {
  AlertResult result;
  result.name = expectation.alert;
  result.text = scenario::text_of(expectation);
  result.finding = finding_of(expectation, tally);
  result.share = share_shown(tally.violated_runs, runs);
  if (tally.first_violating) result.story = story_of(expectation, tally);
  const double seconds =
      std::chrono::duration<double>(scenario.duration - scenario.warmup).count() *
      static_cast<double>(runs);
  if (seconds > 0)
    result.false_alarms_per_day = static_cast<double>(tally.false_alarms) * 86400 / seconds;
  const stats::Ordered ordered{tally.delays};
  result.delay = stats::summary_of(ordered);
  result.where = expectation.where;
  result.tally = std::move(tally);
  return result;
}

void warn_about_rules(RunResult& result,
                      const scenario::Document& document,
                      const std::optional<AlertFailure>& failure) {
  if (!failure) return;
  Diagnostic warning = document.source->diagnostic(
      Diagnostic::Level::warning, "W0403", Position{},
      fmt::format("in run {} a rule could not be evaluated: {}", failure->run, failure->text));
  warning.hints.emplace_back(
      "its alerts stay as they are until an evaluation succeeds, as in Prometheus");
  result.warnings.push_back(std::move(warning));
}

Verdict verdict_of(const RunResult& result) {
  bool failed = false;
  bool open = false;
  const auto take = [&](Finding finding) {
    failed = failed || finding == Finding::fail || finding == Finding::xpass;
    open = open || finding == Finding::inconclusive || finding == Finding::not_exercised;
  };
  for (const PropertyResult& property : result.properties) {
    if (property.counts) take(property.finding);
  }
  for (const ThresholdResult& threshold : result.thresholds) take(threshold.finding);
  for (const AlertResult& alert : result.alerts) take(alert.finding);
  if (failed) return Verdict::fail;
  return open ? Verdict::inconclusive : Verdict::pass;
}

std::string name(const world::Setup& setup, record::Incarnation who) {
  if (who.process == nobody<ProcessTag>) return "nobody";
  const std::string& text = setup.processes[who.process.value].name;
  return who.number == 0 ? text : fmt::format("{} (process {})", text, who.number + 1);
}

Script script_of(const scenario::Choices& choices) {
  Script script;
  script.otherwise = choices.otherwise;
  for (const scenario::Choice& choice : choices.answers)
    script.answers.push_back({{stream_named(choice.stream), choice.number}, choice.answer});
  return script;
}

}  // namespace

std::string_view to_text(Finding finding) {
  constexpr std::array<std::string_view, 6> words = {"ok",    "fail",         "xfail",
                                                     "xpass", "inconclusive", "notExercised"};
  return words[static_cast<std::size_t>(finding)];
}

std::string_view to_text(Verdict verdict) {
  constexpr std::array<std::string_view, 3> words = {"pass", "fail", "inconclusive"};
  return words[static_cast<std::size_t>(verdict)];
}

Experiment experiment_of(const scenario::Scenario& scenario) {
  scenario::Built built = scenario::build(scenario);
  Experiment experiment;
  experiment.setup = std::move(built.setup);
  experiment.properties = built.properties;
  experiment.runs = scenario.runs;
  experiment.seed = scenario.seed;
  experiment.stopping = stopping_of(scenario);
  experiment.aborts = aborts_of(scenario);
  experiment.alerts = alert_plan_of(scenario);
  if (scenario.choices) experiment.script = script_of(*scenario.choices);
  experiment.judged = {lease_safety, renew_time};
  for (const scenario::Property& property : scenario.properties) {
    experiment.judged.push_back(set_of(property));
  }
  return experiment;
}

std::vector<bool> fail_fast_of(const scenario::Scenario& scenario) {
  std::vector<bool> fails = {true, false};
  for (const scenario::Property& property : scenario.properties) {
    fails.push_back(property.expect == scenario::Property::Expect::holds);
  }
  return fails;
}

ThresholdResult judged(const scenario::Scenario& scenario,
                       const scenario::Threshold& from,
                       const std::vector<stats::Samples>& metrics,
                       double alpha) {
  const stats::Samples& all = metrics[static_cast<std::size_t>(from.metric)];
  ThresholdResult result;
  result.id = from.metric;
  result.metric = std::string{check::to_text(result.id)};
  if (!from.fault.empty()) result.metric += fmt::format("[{}]", from.fault);
  result.text = from.text;
  result.threshold = threshold_of(from, all.unit());
  result.where = from.origin.where;
  const stats::Samples narrowed = from.fault.empty()
                                      ? stats::Samples{all.unit()}
                                      : stats::of_fault(all, fault_named(scenario, from.fault));
  const stats::Samples& samples = from.fault.empty() ? all : narrowed;
  const stats::Ordered ordered{samples};
  result.judgement = stats::judge(ordered, result.threshold, from.decision, alpha);
  result.finding = finding_of(result.judgement.verdict);
  if (result.judgement.sample) result.run = samples.run_of(*result.judgement.sample);
  return result;
}

stats::ShareInterval share_shown(std::uint64_t violated_runs, std::uint64_t runs) {
  if (runs == 0) return {};
  if (violated_runs == 0) return {0, stats::upper_without_events(runs)};
  return stats::wilson(violated_runs, runs);
}

std::vector<ThresholdResult> judge_thresholds(const scenario::Scenario& scenario,
                                              const std::vector<stats::Samples>& metrics,
                                              std::uint64_t runs) {
  std::vector<ThresholdResult> results;
  const double alpha = alpha_after(scenario, runs);
  for (const scenario::Threshold& threshold : scenario.thresholds)
    results.push_back(judged(scenario, threshold, metrics, alpha));
  return results;
}

RunResult judged(const scenario::Scenario& scenario,
                 const scenario::Document& document,
                 CampaignResult campaign) {
  RunResult result;
  result.scenario = scenario;
  result.scenario_sha256 = sha256_hex(scenario::scenario_json(scenario).dump());
  result.runs = campaign.runs;
  result.interrupted = campaign.interrupted;
  result.partial = !campaign.interrupted && campaign.runs < scenario.runs && !campaign.is_settled();
  result.looks = campaign.looks;
  result.metrics = std::move(campaign.metrics);
  result.violating_runs = std::move(campaign.violating_runs);
  result.overlapping_runs = campaign.overlapping_runs;
  result.events = campaign.events;
  result.run_hash = campaign.run_hash;
  result.difference = std::move(campaign.difference);
  for (const stats::Samples& samples : result.metrics) {
    const stats::Ordered ordered{samples};
    result.summaries.push_back(stats::summary_of(ordered));
  }
  const std::shared_ptr<const world::Setup> built = scenario::build(scenario).setup;
  const world::Setup& setup = *built;
  const bool lists_lease_safety =
      std::any_of(scenario.properties.begin(), scenario.properties.end(),
                  [](const scenario::Property& p) { return p.name == "leaseSafety"; });
  if (!lists_lease_safety && campaign.properties[0].violated_runs != 0) {
    scenario::Property unlisted;
    unlisted.name = "leaseSafety";
    unlisted.ids = {PropertyId::S1, PropertyId::S2, PropertyId::S3};
    result.properties.push_back(result_of(unlisted, campaign.properties[0], result.runs, setup));
  }
  for (std::size_t i = 0; i < scenario.properties.size(); ++i) {
    result.properties.push_back(result_of(
        scenario.properties[i], campaign.properties[i + hidden_sets], result.runs, setup));
  }
  result.thresholds = judge_thresholds(scenario, result.metrics, result.runs);
  for (std::size_t i = 0; i < campaign.alerts.size(); ++i) {
    result.alerts.push_back(result_of(scenario, scenario.alerts->expect[i],
                                      std::move(campaign.alerts[i]), result.runs));
  }
  warn_about_rules(result, document, campaign.alert_failure);
  warn_about_faults(result, document, campaign.fault_effects);
  warn_about_renew_time(result, document, campaign.properties[1].violated_runs);
  result.assumptions = assumptions_of(scenario);
  result.verdict = verdict_of(result);
  return result;
}

std::string story_of(const world::Setup& setup, const check::Violation& v) {
  const std::string at = milliseconds(v.at.time_since_epoch());
  const std::string who = name(setup, v.who);
  switch (v.id) {
    case PropertyId::S1:
      return fmt::format("{}: {} was given resourceVersion {} a second time", at, who, v.found);
    case PropertyId::S2:
      return fmt::format("{}: a write of {} with base {} was applied over {}", at, who, v.found,
                         v.expected);
    case PropertyId::S3:
      return fmt::format("{}: a stale write of {} was applied", at, who);
    case PropertyId::S4:
      return fmt::format("{}: {} wrote another process into holderIdentity", at, who);
    case PropertyId::S5:
      return fmt::format("{}: {} took the Lease {} after it saw it change; it had to wait {}", at,
                         who, milliseconds(v.length), seconds_text(Duration{v.expected}));
    case PropertyId::S6:
      return fmt::format("{}: {} wrote leaseTransitions {}; {} would be right", at, who, v.found,
                         v.expected);
    case PropertyId::S7:
      return fmt::format("{}: {} wrote a renewTime before the last one", at, who);
    case PropertyId::S8:
      return fmt::format("{}: {} changed acquireTime while it held the Lease", at, who);
    case PropertyId::B1:
      return fmt::format("{}: {} and {} both believe to lead, for {}", at, who,
                         name(setup, v.other), milliseconds(v.length));
    case PropertyId::B2:
      return fmt::format("{}: {} believes to lead before any write that names it was applied", at,
                         who);
    case PropertyId::V1:
      return fmt::format("{}: {} is said to lead but does not live", at, who);
    case PropertyId::L1:
      return fmt::format(
          "{}: {} had failed {} before, somebody could have taken over, and nobody leads", at, who,
          milliseconds(v.length));
    case PropertyId::L4:
      return fmt::format("from {} on there is no single unchanged leader ({} at the end)", at,
                         v.found);
  }
  return at;
}

std::string value_text(stats::Unit unit, std::int64_t value) {
  switch (unit) {
    case stats::Unit::nanosecond:
      return seconds_text(Duration{value});
    case stats::Unit::one:
      return fmt::format("{}", value);
    case stats::Unit::billionth:
      return fmt::format("{:.4g}", static_cast<double>(value) / 1e9);
  }
  return "";
}

}  // namespace tenure::run
