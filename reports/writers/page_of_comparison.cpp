// The report of a comparison: the distributions of both results on one axis, and what differs
// beyond luck.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/report/page.hpp>

#include "pages.hpp"

namespace tenure::report {
namespace {

using check::MetricId;

std::string value_text(stats::Unit unit, double value) {
  if (std::isinf(value)) return value < 0 ? "-unbounded" : "unbounded";
  if (unit == stats::Unit::nanosecond) return fmt::format("{:.3f}s", value / 1e9);
  return fmt::format("{:.4g}", unit == stats::Unit::billionth ? value / 1e9 : value);
}

std::string signed_text(stats::Unit unit, double value) {
  return (value < 0 ? "" : "+") + value_text(unit, value);
}

std::string word_of(run::Change change) {
  if (change == run::Change::no_evidence) return "no evidence";
  return std::string{run::to_text(change)};
}

Table figures(const run::PointComparison& point) {
  Table table;
  table.caption = "figures of both, and the difference with its 95 % interval";
  table.columns = {{"figure"},           {"base", true},          {"other", true},
                   {"difference", true}, {"95 % interval", true}, {"change"}};
  for (const run::FigureChange& figure : point.figures) {
    const stats::Unit unit = run::unit_of(figure.metric);
    const stats::Difference& found = figure.difference;
    const bool differs = found.base != found.other;
    if (!differs && figure.metric != MetricId::failover) continue;
    const auto text = [&](const std::optional<double>& value) {
      return value ? value_text(unit, *value) : std::string{"-"};
    };
    table.rows.push_back(
        {{fmt::format("{} {}", check::to_text(figure.metric), figure.name), {}},
         {text(found.base), {}},
         {text(found.other), {}},
         {found.base && found.other ? signed_text(unit, *found.other - *found.base) : "-", {}},
         {found.interval ? fmt::format("{} .. {}", signed_text(unit, found.interval->lower),
                                       signed_text(unit, found.interval->upper))
                         : "too few samples",
          {}},
         {word_of(figure.change), {}}});
  }
  return table;
}

Table verdicts(const run::PointComparison& point) {
  Table table;
  table.caption = "verdicts of both";
  table.columns = {{"property or threshold"}, {"base"}, {"other"}, {"regression"}};
  const auto word = [](const std::optional<run::Finding>& finding) {
    return finding ? std::string{run::to_text(*finding)} : std::string{"not judged"};
  };
  const auto add = [&](const run::VerdictChange& verdict) {
    table.rows.push_back({{verdict.name, {}},
                          {word(verdict.base), {}},
                          {word(verdict.other), {}},
                          {verdict.is_regression() ? "yes" : "no", {}}});
  };
  for (const run::PropertyChange& property : point.properties) add(property.verdict);
  for (const run::VerdictChange& threshold : point.thresholds) add(threshold);
  return table;
}

Table settings(const run::PointComparison& point) {
  Table table;
  table.caption = "what the scenarios differ in";
  table.columns = {{"field"}, {"base"}, {"other"}};
  for (const run::SettingChange& setting : point.settings)
    table.rows.push_back({{setting.path, {}}, {setting.base, {}}, {setting.other, {}}});
  return table;
}

const run::RunResult* named(const std::vector<run::RunResult>& results, const std::string& name) {
  if (results.size() == 1) return &results.front();
  for (const run::RunResult& result : results) {
    if (result.scenario.name == name) return &result;
  }
  return nullptr;
}

}  // namespace

Chart compared_ecdfs(const run::RunResult& base, const run::RunResult& other) {
  Chart both = failover_ecdf(base);
  Ecdf& ecdf = std::get<Ecdf>(both.what);
  const auto only_the_whole = [](Ecdf& of, std::string name) {
    if (of.curves.size() > 1) of.curves.resize(1);
    for (EcdfCurve& curve : of.curves) curve.name = name;
  };
  Chart second = failover_ecdf(other);
  only_the_whole(ecdf, "base");
  only_the_whole(std::get<Ecdf>(second.what), "other");
  for (EcdfCurve& curve : std::get<Ecdf>(second.what).curves) ecdf.curves.push_back(curve);
  // Marks of two settings would be taken for each other.
  ecdf.marks.clear();
  both.title = "Failover of both: share that was over by then";
  both.description =
      "The empirical distributions of the failovers of both results, each with its "
      "95 % band.";
  return both;
}

Page page_of(const run::Comparison& comparison,
             const ComparedFiles& files,
             const std::vector<run::RunResult>& base,
             const std::vector<run::RunResult>& other) {
  Page page;
  page.title = fmt::format("{} against {}", files.other, files.base);
  page.verdict = comparison.is_regression() ? run::Verdict::fail : run::Verdict::pass;
  page.word = comparison.is_regression() ? "REGRESSION" : "NO REGRESSION";
  page.facts = {"base " + files.base, "other " + files.other};
  for (std::size_t i = 0; i < comparison.points.size(); ++i) {
    const run::PointComparison& point = comparison.points[i];
    page.blocks.push_back(Heading{point.name, fmt::format("point-{}", i + 1)});
    page.blocks.push_back(Paragraph{
        point.pairing == stats::Pairing::paired
            ? fmt::format("{} pairs of runs with the same random numbers.", point.base_runs)
            : fmt::format("{} runs against {}, not paired.", point.base_runs, point.other_runs)});
    if (!point.settings.empty()) page.blocks.push_back(settings(point));
    const run::RunResult* a = named(base, point.name);
    const run::RunResult* b = named(other, point.name);
    if (a != nullptr && b != nullptr) page.blocks.push_back(Figure{compared_ecdfs(*a, *b), {}, {}});
    page.blocks.push_back(figures(point));
    if (!point.properties.empty() || !point.thresholds.empty())
      page.blocks.push_back(verdicts(point));
  }
  return page;
}

}  // namespace tenure::report
