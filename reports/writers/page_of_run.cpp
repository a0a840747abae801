// The report of one scenario: what was judged first, then what was measured, then who led in the
// runs that are worth a look, and at the end all that is needed to do it again.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tenure/base/text.hpp>
#include <tenure/report/page.hpp>
#include <tenure/report/time_budget.hpp>
#include <tenure/scenario/build.hpp>
#include <tenure/stats/ecdf.hpp>

#include "findings.hpp"
#include "pages.hpp"
#include "wording.hpp"

namespace tenure::report {
namespace {

using check::MetricId;

const stats::Samples& samples_of(const run::RunResult& result, MetricId id) {
  return result.metrics[static_cast<std::size_t>(id)];
}
const stats::Summary& summary_of(const run::RunResult& result, MetricId id) {
  return result.summaries[static_cast<std::size_t>(id)];
}

// A link where the run is shown, its number alone where it is not.
Cell run_cell(std::uint64_t number, const std::vector<ShownRun>& runs) {
  const bool is_shown = std::any_of(runs.begin(), runs.end(),
                                    [&](const ShownRun& run) { return run.number == number; });
  return {fmt::format("#{}", number), is_shown ? fmt::format("run-{}", number) : Anchor{}};
}

// ---- verdicts

VerdictTable::Row row_of(const run::RunResult& result,
                         const run::PropertyResult& property,
                         const std::vector<ShownRun>& runs) {
  VerdictTable::Row row;
  row.finding = property.finding;
  row.name = property.name;
  row.estimate = fmt::format("violated in {} of {}", property.tally.violated_runs, result.runs);
  row.interval = property.tally.violated_runs == 0
                     ? fmt::format("< {} of runs", percent(property.share.upper))
                     : fmt::format("{} .. {} of runs", percent(property.share.lower),
                                   percent(property.share.upper));
  if (property.finding == run::Finding::not_exercised)
    row.notes.push_back(what_was_seen(result, property));
  if (property.tally.exercised_runs != result.runs)
    row.notes.push_back(fmt::format("exercised in {}", property.tally.exercised_runs));
  if (property.tally.first_violating) row.run = run_cell(*property.tally.first_violating, runs);
  if (!property.story.empty()) row.notes.push_back(property.story);
  return row;
}

VerdictTable::Row row_of(const run::RunResult& result,
                         const run::ThresholdResult& threshold,
                         const std::vector<ShownRun>& runs) {
  VerdictTable::Row row;
  row.finding = threshold.finding;
  row.name = fmt::format("{} {}", threshold.metric, threshold.text);
  row.estimate = estimate_text(result, threshold);
  row.interval = interval_text(result, threshold);
  if (threshold.run) row.run = run_cell(*threshold.run, runs);
  if (!threshold.judgement.note.empty()) row.notes.push_back(threshold.judgement.note);
  if (threshold.judgement.settling) {
    row.notes.push_back(
        fmt::format("about {} runs would settle it (--runs)", *threshold.judgement.settling));
  }
  return row;
}

// ---- failover

// Up to so many steps can be told apart in the height of a chart.
constexpr std::size_t most_steps = 240;

EcdfCurve curve_of(std::string name, const stats::Samples& samples, bool has_band) {
  const stats::Ordered ordered{samples};
  const stats::Ecdf ecdf{ordered};
  EcdfCurve curve;
  curve.name = std::move(name);
  if (ordered.uncensored() != 0) curve.steps = ecdf.thinned(most_steps);
  curve.n = samples.size();
  curve.censored = samples.censored_at().size();
  curve.half_width = ecdf.half_width();
  curve.has_band = has_band;
  return curve;
}

// L + R of the slowest group: what is often said of a failover, and often wrong.
std::optional<Duration> rule_of_thumb(const scenario::Scenario& scenario) {
  std::optional<Duration> rule;
  for (const scenario::Candidates& group : scenario.candidates) {
    if (group.elector.type != scenario::Elector::Type::client_go) continue;
    rule = std::max(rule.value_or(Duration{}),
                    longer(group.elector.lease_duration, group.elector.retry_period));
  }
  return rule;
}

std::vector<ValueMark> marks_of(const run::RunResult& result) {
  std::vector<ValueMark> marks;
  const scenario::Scenario& scenario = result.scenario;
  const auto rule = rule_of_thumb(scenario);
  if (rule)
    marks.push_back(
        {rule->count(), fmt::format("L + R = {}, the rule of thumb", seconds_text(*rule))});
  const Duration bound = scenario::failover_bound(scenario);
  if (rule && bound < scenario.duration)
    marks.push_back({bound.count(), fmt::format("bound of a crash {}", seconds_text(bound))});
  std::sort(marks.begin(), marks.end(),
            [](const ValueMark& a, const ValueMark& b) { return a.at < b.at; });
  return marks;
}

Chart failover_chart(const run::RunResult& result) {
  const stats::Samples& samples = samples_of(result, MetricId::failover);
  const stats::Summary& summary = summary_of(result, MetricId::failover);
  Ecdf ecdf;
  ecdf.unit = samples.unit();
  ecdf.what = "failover";
  if (!samples.empty()) ecdf.curves.push_back(curve_of("all failovers", samples, true));
  const auto& faults = result.scenario.faults;
  for (std::size_t i = 0; i < faults.size() && faults.size() > 1; ++i) {
    const stats::Samples of_one = stats::of_fault(samples, static_cast<std::uint32_t>(i));
    if (!of_one.empty() && of_one.size() < samples.size())
      ecdf.curves.push_back(curve_of(fmt::format("after {}", faults[i].name), of_one, false));
  }
  ecdf.marks = marks_of(result);
  return {"Failover: share that was over by then",
          fmt::format("The empirical distribution of {} failovers, from {} to {}, half of them at "
                      "most {}; with a band that holds the true one with 95 %.",
                      summary.n, shown(summary.unit, summary.min),
                      summary.max ? shown(summary.unit, summary.max) : "longer than the run",
                      shown(summary.unit, summary.p50)),
          std::move(ecdf)};
}

std::string end_text(stats::Unit unit, const stats::End& end) {
  if (end.kind == stats::End::Kind::value) return shown(unit, end.value);
  return end.kind == stats::End::Kind::open ? "?" : "longer than the run";
}

Table percentiles(const run::RunResult& result, MetricId id, const std::vector<ShownRun>& runs) {
  const stats::Samples& samples = samples_of(result, id);
  const stats::Summary& summary = summary_of(result, id);
  const stats::Ordered ordered{samples};
  Table table;
  table.caption = fmt::format("percentiles of {} failovers, each one that was observed", summary.n);
  table.columns = {{"figure"}, {"value", true}, {"95 % interval", true}, {"run", true}};
  const auto observed = [&](std::string name, const std::optional<stats::Observed>& value,
                            std::optional<Ratio> q, std::string_view otherwise) {
    std::string interval = "-";
    if (q) {
      const stats::Interval found = stats::quantile_interval(ordered, *q);
      interval = fmt::format("{} .. {}", end_text(summary.unit, found.lower),
                             end_text(summary.unit, found.upper));
    }
    table.rows.push_back({{std::move(name), {}},
                          {value ? shown(summary.unit, value->value) : std::string{otherwise}, {}},
                          {interval, {}},
                          value ? run_cell(samples.run_of(value->index), runs) : Cell{"-", {}}});
  };
  constexpr std::string_view too_few = "too few samples, or not over";
  observed("min", summary.min, {}, "-");
  observed("p50", summary.p50, Ratio{1, 2}, too_few);
  observed("p90", summary.p90, Ratio{9, 10}, too_few);
  observed("p95", summary.p95, Ratio{19, 20}, too_few);
  observed("p99", summary.p99, Ratio{99, 100}, too_few);
  observed("max", summary.max, {}, "longer than the run");
  const auto interval = stats::mean_interval(samples);
  const auto rounded = [&](double value) {
    return shown(summary.unit, static_cast<std::int64_t>(value));
  };
  table.rows.push_back(
      {{"mean", {}},
       {summary.mean ? shown(summary.unit, *summary.mean) : "-", {}},
       {interval ? fmt::format("{} .. {}", rounded(interval->lower), rounded(interval->upper))
                 : "-",
        {}},
       {"-", {}}});
  return table;
}

void add_failover(const run::RunResult& result, const std::vector<ShownRun>& runs, Page& page) {
  page.blocks.push_back(Heading{"Failover", "failover"});
  const stats::Summary& summary = summary_of(result, MetricId::failover);
  if (summary.n == 0) {
    page.blocks.push_back(Paragraph{"No fault cost a leader its leadership."});
    return;
  }
  page.blocks.push_back(Paragraph{std::string{check::definition(MetricId::failover)}});
  if (summary.censored != 0) {
    page.blocks.push_back(Paragraph{fmt::format(
        "{} of {}: nobody led again before the run ended. They count as longer than every value.",
        summary.censored, summary.n)});
  }
  page.blocks.push_back(Figure{failover_chart(result), "ecdf", {}});
  page.blocks.push_back(percentiles(result, MetricId::failover, runs));
}

// ---- who leads

void add_timelines(const run::RunResult& result, const std::vector<ShownRun>& runs, Page& page) {
  if (runs.empty()) return;
  page.blocks.push_back(Heading{"Who leads", "who-leads"});
  page.blocks.push_back(Paragraph{
      "Three things are kept apart: the Lease is what the API server stores, belief is what a "
      "process thinks, work is what it does. A frozen process still believes."});
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const ShownRun& run = runs[i];
    const Chart chart = timeline_chart(run);
    page.blocks.push_back(
        Figure{chart, fmt::format("run-{}", run.number), i == 0 ? std::string{} : chart.title});
    if (!run.story.empty())
      page.blocks.push_back(Code{run.story, fmt::format("what happened in run {}", run.number)});
    page.blocks.push_back(Code{replay_command(result, run.number), {}});
  }
}

// ---- where the time goes

// Runs that are made again for it; the mean of so many changes little with more.
constexpr std::uint64_t most_budgeted = 200;

void add_way(const BudgetMeans::Way& way, std::string_view freed, Page& page) {
  if (way.n == 0) return;
  BudgetChart chart;
  chart.total = way.failover;
  for (const PartLength& part : way.parts)
    chart.parts.push_back({std::string{to_text(part.part)}, part.length});
  std::string title =
      fmt::format("Parts of a failover after which the Lease {}, means of {}", freed, way.n);
  page.blocks.push_back(
      Figure{{std::move(title),
              "Each part begins where the one before it ended; each is measured from facts of its "
              "own, and those below zero go back in time.",
              std::move(chart)},
             {},
             {}});
}

void add_budget(const run::RunResult& result, Page& page) {
  const BudgetMeans means =
      mean_time_budget(run::experiment_of(result.scenario), std::min(result.runs, most_budgeted));
  if (means.expired.n + means.released.n == 0) return;
  page.blocks.push_back(Heading{"Where the time goes", "budget"});
  add_way(means.expired, "expired", page);
  add_way(means.released, "was released", page);
  List meanings;
  for (const BudgetMeans::Way* way : {&means.expired, &means.released}) {
    for (const PartLength& part : way->parts) {
      std::string text = fmt::format("{}: {}", to_text(part.part), meaning(part.part));
      if (std::find(meanings.items.begin(), meanings.items.end(), text) == meanings.items.end())
        meanings.items.push_back(std::move(text));
    }
  }
  page.blocks.push_back(std::move(meanings));
  for (std::size_t i = 0; i < reasons_not_to_split; ++i) {
    if (means.not_split[i] == 0) continue;
    page.blocks.push_back(Paragraph{fmt::format("{} were not split: {}.", means.not_split[i],
                                                to_text(static_cast<NotSplit>(i)))});
  }
}

// ---- the rest

Table all_metrics(const run::RunResult& result) {
  Table table;
  table.caption = "all metrics";
  table.columns = {{"metric"}};
  for (const std::string_view column : metric_columns)
    table.columns.push_back({std::string{column}, true});
  for (const MetricRow& metric : suite_of(result, "").metrics) {
    std::vector<Cell> row{{metric.name, {}}};
    for (const std::string& figure : metric.figures) row.push_back({figure, {}});
    table.rows.push_back(std::move(row));
  }
  return table;
}

void add_load(const run::RunResult& result, Page& page) {
  page.blocks.push_back(Heading{"API load and all metrics", "load"});
  const stats::Summary& rate = summary_of(result, MetricId::api_requests_per_second);
  if (rate.mean) {
    page.blocks.push_back(
        Paragraph{fmt::format("{:.2f} requests/s before the first fault, in the mean "
                              "of {} runs.",
                              static_cast<double>(*rate.mean) / 1e9, rate.n)});
  }
  page.blocks.push_back(all_metrics(result));
}

void add_assumptions(const run::RunResult& result, Page& page) {
  page.blocks.push_back(Heading{"Assumptions", "assumptions"});
  page.blocks.push_back(List{result.assumptions});
  std::vector<std::string> warnings;
  for (const Diagnostic& warning : result.warnings)
    warnings.push_back(fmt::format("{} {}", warning.code, warning.text));
  if (!warnings.empty()) page.blocks.push_back(List{std::move(warnings)});
}

void add_reproduction(const run::RunResult& result, Page& page) {
  page.blocks.push_back(Heading{"Reproduce", "reproduce"});
  page.blocks.push_back(Paragraph{fmt::format(
      "tenure {}, seed {}, scenario SHA-256 {}. The same version, scenario and seed give the same "
      "bytes.",
      result.version, result.scenario.seed, result.scenario_sha256)});
  page.blocks.push_back(Code{
      fmt::format("{} --seed {} --run N --timeline", result.replay, result.scenario.seed), {}});
  page.blocks.push_back(
      Code{scenario::scenario_json(result.scenario).dump(1), "the scenario, as it was run"});
}

}  // namespace

std::string replay_command(const run::RunResult& result, std::uint64_t number) {
  return fmt::format("{} --seed {} --run {} --timeline", result.replay, result.scenario.seed,
                     number);
}

Chart failover_ecdf(const run::RunResult& result) {
  return failover_chart(result);
}

Page page_of(const run::RunResult& result,
             const std::vector<ShownRun>& runs,
             const std::string& counterexample) {
  const Suite suite = suite_of(result, "");
  Page page;
  page.title = result.scenario.name;
  page.verdict = suite.verdict;
  page.word = verdict_word(suite.verdict);
  page.facts = {suite.title};
  if (!suite.problem.empty()) page.facts.push_back("PARTIAL: " + suite.problem);
  page.description = result.scenario.description;
  page.blocks.push_back(Heading{"Verdicts", "verdicts"});
  VerdictTable verdicts;
  for (const auto& property : result.properties)
    verdicts.rows.push_back(row_of(result, property, runs));
  for (const auto& threshold : result.thresholds)
    verdicts.rows.push_back(row_of(result, threshold, runs));
  if (verdicts.rows.empty()) {
    page.blocks.push_back(Paragraph{"The scenario demands nothing."});
  } else {
    page.blocks.push_back(std::move(verdicts));
  }
  if (!counterexample.empty()) {
    page.blocks.push_back(Heading{"Counterexample", "counterexample"});
    page.blocks.push_back(Code{counterexample, {}});
  }
  add_failover(result, runs, page);
  add_timelines(result, runs, page);
  add_budget(result, page);
  add_load(result, page);
  add_assumptions(result, page);
  add_reproduction(result, page);
  return page;
}

}  // namespace tenure::report
