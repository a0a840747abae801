// The index of what was checked: a line for each scenario, and the figures of what is not as it
// should be.
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tenure/report/page.hpp>

#include "pages.hpp"

namespace tenure::report {
namespace {

std::string word_of(run::Verdict verdict) {
  if (verdict == run::Verdict::pass) return "ok";
  return verdict == run::Verdict::fail ? "FAIL" : "?";
}

std::string anchor_of(std::size_t index) {
  return fmt::format("scenario-{}", index + 1);
}

run::Verdict worst(const Outcome& outcome) {
  run::Verdict all = run::Verdict::pass;
  for (const Suite& suite : outcome.suites) {
    run::Verdict one = suite.verdict;
    if (one == run::Verdict::inconclusive && suite.problem.empty()) one = outcome.undecided;
    if (one == run::Verdict::fail || all == run::Verdict::pass) all = one;
    if (all == run::Verdict::fail) break;
  }
  return all;
}

Table overview(const Outcome& outcome) {
  Table table;
  table.caption = "scenarios";
  table.columns = {{"result"}, {"scenario"}, {"file"}, {"checks", true}, {"made", true}};
  for (std::size_t i = 0; i < outcome.suites.size(); ++i) {
    const Suite& suite = outcome.suites[i];
    table.rows.push_back({{word_of(suite.verdict), {}},
                          {suite.name, anchor_of(i)},
                          {suite.file, {}},
                          {fmt::format("{}", suite.cases.size()), {}},
                          {suite.work, {}}});
  }
  return table;
}

VerdictTable verdicts_of(const Suite& suite) {
  VerdictTable table;
  for (const Case& one : suite.cases)
    table.rows.push_back({one.finding, one.name, one.seen, {}, {}, one.details});
  return table;
}

Table metrics_of(const Suite& suite) {
  Table table;
  table.caption = "all metrics";
  table.is_folded = true;
  table.columns = {{"metric"}};
  for (const std::string_view column : metric_columns)
    table.columns.push_back({std::string{column}, true});
  for (const MetricRow& metric : suite.metrics) {
    std::vector<Cell> row{{metric.name, {}}};
    for (const std::string& figure : metric.figures) row.push_back({figure, {}});
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Page page_of(const Outcome& outcome) {
  Page page;
  page.title =
      fmt::format("{} scenario{}", outcome.suites.size(), outcome.suites.size() == 1 ? "" : "s");
  page.verdict = worst(outcome);
  page.word = verdict_word(page.verdict);
  page.facts = {one_line(check_total(outcome))};
  page.blocks.push_back(Heading{"All scenarios", "all"});
  page.blocks.push_back(overview(outcome));
  for (const Diagnostic& diagnostic : outcome.diagnostics) {
    page.blocks.push_back(
        Paragraph{fmt::format("{}: {} {}", diagnostic.file, diagnostic.code, diagnostic.text)});
  }
  for (std::size_t i = 0; i < outcome.suites.size(); ++i) {
    const Suite& suite = outcome.suites[i];
    page.blocks.push_back(
        Heading{fmt::format("{}: {}", word_of(suite.verdict), suite.name), anchor_of(i)});
    page.blocks.push_back(Paragraph{suite.title});
    if (!suite.problem.empty()) page.blocks.push_back(Paragraph{suite.problem});
    if (!suite.cases.empty()) page.blocks.push_back(verdicts_of(suite));
    if (!suite.metrics.empty()) page.blocks.push_back(metrics_of(suite));
  }
  return page;
}

}  // namespace tenure::report
