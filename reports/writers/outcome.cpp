#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/report/outcome.hpp>

#include "alerts.hpp"
#include "findings.hpp"
#include "wording.hpp"

namespace tenure::report {
namespace {

using run::Finding;

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// What stands in columns on a terminal, as one line of text.
std::string in_a_sentence(std::string text) {
  for (std::size_t at = text.find("  "); at != std::string::npos; at = text.find("  ", at)) {
    const std::size_t next = std::min(text.find_first_not_of(' ', at), text.size());
    text.replace(at, next - at, text[next] == '(' ? " " : ", ");
  }
  return text;
}

std::string replay_line(const run::RunResult& result, std::uint64_t number) {
  return fmt::format("{} --seed {} --run {} --timeline", result.replay, result.scenario.seed,
                     number);
}

Case case_of(const run::RunResult& result, const run::PropertyResult& property) {
  Case one;
  one.kind = "property";
  one.name = property.name;
  one.finding = property.finding;
  one.counts = property.counts;
  one.seen = in_a_sentence(what_was_seen(result, property));
  one.where = property.where;
  one.brief = one.seen;
  const run::PropertyTally& tally = property.tally;
  if (tally.violated_runs == 0) return one;
  one.share = static_cast<double>(tally.violated_runs) / static_cast<double>(result.runs);
  one.brief = fmt::format("{} of {} runs", tally.violated_runs, result.runs);
  one.details.push_back(fmt::format("run {}: {}", *tally.first_violating, property.story));
  one.details.push_back(replay_line(result, *tally.first_violating));
  return one;
}

Case case_of(const run::RunResult& result, const run::ThresholdResult& threshold) {
  Case one;
  one.kind = "threshold";
  one.name = fmt::format("{} {}", threshold.metric, threshold.text);
  one.finding = threshold.finding;
  one.where = threshold.where;
  one.brief =
      one.finding == Finding::not_exercised ? "no samples" : estimate_text(result, threshold);
  const std::string interval = interval_text(result, threshold);
  one.seen =
      interval.empty() ? one.brief : fmt::format("{}, 95 % interval {}", one.brief, interval);
  if (!threshold.judgement.note.empty()) one.details.push_back(threshold.judgement.note);
  if (threshold.judgement.settling) {
    one.details.push_back(
        fmt::format("about {} runs would settle it (--runs)", *threshold.judgement.settling));
  }
  if (threshold.run && one.finding == Finding::fail)
    one.details.push_back(replay_line(result, *threshold.run));
  return one;
}

Case case_of(const run::RunResult& result, const run::AlertResult& alert) {
  Case one;
  one.kind = "alert";
  one.name = fmt::format("{} {}", alert.name, alert.text);
  one.finding = alert.finding;
  one.seen = one.brief = seen_text(result, alert);
  one.where = alert.where;
  if (!alert.tally.first_violating) return one;
  one.share = static_cast<double>(alert.tally.violated_runs) / static_cast<double>(result.runs);
  one.brief = fmt::format("{} of {} runs", alert.tally.violated_runs, result.runs);
  one.details.push_back(fmt::format("run {}: {}", *alert.tally.first_violating, alert.story));
  one.details.push_back(replay_line(result, *alert.tally.first_violating));
  return one;
}

Case case_of(const explore::PropertyVerdict& property) {
  Case one;
  one.kind = "property";
  one.name = property.name;
  one.finding = property.finding;
  one.counts = property.counts;
  one.brief = one.seen = property.text;
  one.where = property.where;
  return one;
}

// An exploration judges no thresholds: runs do, unless a fault at any instant leaves none to make.
std::vector<Case> unjudged(const scenario::Scenario& scenario) {
  std::vector<Case> cases;
  if (std::none_of(scenario.faults.begin(), scenario.faults.end(),
                   [](const scenario::Fault& fault) { return fault.at_any; }))
    return cases;
  for (const scenario::Threshold& threshold : scenario.thresholds) {
    Case one;
    one.kind = "threshold";
    one.name = fmt::format("{}{} {}", check::to_text(threshold.metric),
                           threshold.fault.empty() ? "" : fmt::format("[{}]", threshold.fault),
                           threshold.text);
    one.finding = Finding::not_exercised;
    one.brief = one.seen = "an exploration judges no thresholds";
    one.where = threshold.origin.where;
    cases.push_back(std::move(one));
  }
  return cases;
}

MetricRow row_of(const run::RunResult& result, std::size_t id) {
  const stats::Summary& summary = result.summaries[id];
  const stats::Unit mean = summary.unit == stats::Unit::one ? stats::Unit::billionth : summary.unit;
  MetricRow row;
  row.name = std::string{check::to_text(static_cast<check::MetricId>(id))};
  row.figures = {fmt::format("{}", summary.n),
                 shown(summary.unit, summary.min),
                 summary.mean ? shown(mean, *summary.mean) : "-",
                 shown(summary.unit, summary.p50),
                 shown(summary.unit, summary.p90),
                 shown(summary.unit, summary.p95),
                 shown(summary.unit, summary.p99),
                 summary.max      ? shown(summary.unit, summary.max)
                 : summary.n == 0 ? "-"
                                  : "longer than the run"};
  return row;
}

std::string problem_of(const run::RunResult& result) {
  if (result.interrupted)
    return fmt::format("interrupted: {} of {} runs were made", result.runs, result.scenario.runs);
  if (result.partial)
    return fmt::format("{}: {} of {} runs were made; the statistics are of these",
                       why_partial(result), result.runs, result.scenario.runs);
  return {};
}

}  // namespace

run::Verdict verdict_of(const Case& one, run::Verdict undecided) {
  switch (one.finding) {
    case Finding::ok:
    case Finding::xfail:
      return run::Verdict::pass;
    case Finding::fail:
    case Finding::xpass:
      return run::Verdict::fail;
    case Finding::inconclusive:
    case Finding::not_exercised:
      return one.counts ? undecided : run::Verdict::pass;
  }
  return undecided;
}

Suite suite_of(const run::RunResult& result, std::string file) {
  const scenario::Scenario& scenario = result.scenario;
  Suite suite;
  suite.name = scenario.name;
  suite.label = file.empty() ? scenario.name : file;
  suite.file = std::move(file);
  suite.title =
      fmt::format("{} x {}, seed {}{}", counted(result.runs, "run"),
                  duration_text(scenario.duration), scenario.seed, candidates_text(scenario));
  suite.work = counted(result.runs, "run");
  suite.verdict = result.verdict;
  suite.problem = problem_of(result);
  if (result.interrupted && suite.verdict == run::Verdict::pass)
    suite.verdict = run::Verdict::inconclusive;
  for (const auto& property : result.properties) suite.cases.push_back(case_of(result, property));
  for (const auto& threshold : result.thresholds) suite.cases.push_back(case_of(result, threshold));
  for (const auto& alert : result.alerts) suite.cases.push_back(case_of(result, alert));
  for (std::size_t id = 0; id < check::metric_count; ++id)
    suite.metrics.push_back(row_of(result, id));
  return suite;
}

Suite suite_of(const explore::ExploreResult& result, std::string file, const std::string& replay) {
  Suite suite;
  suite.name = result.scenario.name;
  suite.label = file.empty() ? suite.name : file;
  suite.file = std::move(file);
  suite.title = fmt::format("every run, tick {}{}", duration_text(result.tick),
                            candidates_text(result.scenario));
  suite.work = counted(result.progress.states, "state");
  suite.verdict = result.passes;
  if (result.ended == explore::Ended::interrupted)
    suite.problem = fmt::format("interrupted after {}", suite.work);
  for (const explore::PropertyVerdict& property : result.properties) {
    suite.cases.push_back(case_of(property));
    if (property.verdict == explore::Verdict::violated) suite.cases.back().share = 1;
    if (verdict_of(suite.cases.back(), run::Verdict::inconclusive) != run::Verdict::pass)
      suite.cases.back().details.push_back(replay);
  }
  const std::vector<Case> open = unjudged(result.scenario);
  suite.cases.insert(suite.cases.end(), open.begin(), open.end());
  const bool is_open = !suite.problem.empty() || !open.empty();
  if (is_open && suite.verdict == run::Verdict::pass) suite.verdict = run::Verdict::inconclusive;
  return suite;
}

Suite suite_of(const run::SweepResult& result, std::string file) {
  Suite suite;
  suite.name = result.plan.sweep.name;
  suite.label = file.empty() ? suite.name : file;
  suite.file = std::move(file);
  const std::uint64_t points = result.plan.run_points();
  suite.title = fmt::format("{} x {} runs{}", counted(points, "point"),
                            result.plan.runs_per_point(), candidates_text(result.plan.present));
  suite.verdict = result.verdict;
  std::uint64_t runs = 0;
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    if (!result.points[i].result) continue;
    runs += result.points[i].result->runs;
    const std::string point = label_of(result.plan.sweep, result.plan.points[i]);
    for (Case& one : suite_of(*result.points[i].result, "").cases) {
      one.name = fmt::format("{} {}", point, one.name);
      one.where = {};  // in the scenario's file, not in the sweep's
      suite.cases.push_back(std::move(one));
    }
  }
  suite.work = counted(runs, "run");
  if (result.interrupted) suite.problem = fmt::format("interrupted after {}", suite.work);
  if (result.plan.sweep.needed.empty()) return suite;
  Case conditions;
  conditions.kind = "conditions";
  conditions.name = "subjectTo";
  conditions.finding = result.needs;
  conditions.brief = conditions.seen =
      fmt::format("{} of {} meet all conditions", result.meeting_needs, counted(points, "point"));
  suite.cases.push_back(std::move(conditions));
  return suite;
}

}  // namespace tenure::report
