// The report of a sweep: what each setting costs for what it gives.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/report/page.hpp>
#include <tenure/report/sweep.hpp>

#include "findings.hpp"
#include "pages.hpp"
#include "units.hpp"
#include "wording.hpp"

namespace tenure::report {
namespace {

using scenario::Point;

stats::Unit unit_of(const run::ThresholdResult& figure) {
  return compared_unit(figure, run::unit_of(figure.id));
}

// The unit of an objective is the same at all points that were run.
stats::Unit unit_of(const run::SweepResult& result, std::size_t objective) {
  for (const run::PointResult& point : result.points) {
    if (point.result) return unit_of(point.objectives[objective]);
  }
  return stats::Unit::nanosecond;
}

// The parameters that a person chose, not those that follow from them.
std::vector<std::size_t> chosen(const scenario::Sweep& sweep) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < sweep.parameters.size(); ++i) {
    if (!std::holds_alternative<scenario::Expression>(sweep.parameters[i].values)) all.push_back(i);
  }
  return all;
}

std::size_t index_in(std::vector<std::string>& all, const std::string& text) {
  const auto found = std::find(all.begin(), all.end(), text);
  const auto index = static_cast<std::size_t>(found - all.begin());
  if (found == all.end()) all.push_back(text);
  return index;
}

HeatCell cell_of(const run::SweepResult& result, std::size_t point, std::size_t objective) {
  if (!result.plan.points[point].skipped.empty()) return {{}, result.plan.points[point].skipped};
  const run::PointResult& made = result.points[point];
  if (!made.result) return {{}, "its runs were not made"};
  const auto& estimate = made.objectives[objective].judgement.estimate;
  if (!estimate) return {{}, "its samples do not carry it"};
  return {estimate, {}};
}

// Points of a grid in which all parameters but the first two have these values.
Heatmap heatmap_of(const run::SweepResult& result,
                   std::size_t objective,
                   const std::vector<std::string>& others) {
  const scenario::SweepPlan& plan = result.plan;
  const std::vector<std::size_t> axes = chosen(plan.sweep);
  Heatmap map;
  map.unit = unit_of(result, objective);
  map.what = plan.sweep.minimized[objective].text;
  map.row_name = plan.sweep.parameters[axes[0]].name;
  map.column_name = plan.sweep.parameters[axes[1]].name;
  std::vector<std::pair<std::size_t, std::pair<std::size_t, std::size_t>>> places;
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    const Point& point = plan.points[i];
    if (point.is_included) continue;
    const std::size_t row = index_in(map.rows, point.values[axes[0]].text);
    const std::size_t column = index_in(map.columns, point.values[axes[1]].text);
    bool is_here = true;
    for (std::size_t k = 2; k < axes.size(); ++k)
      is_here = is_here && point.values[axes[k]].text == others[k - 2];
    if (is_here) places.push_back({i, {row, column}});
  }
  map.cells.resize(map.rows.size() * map.columns.size());
  for (const auto& [point, place] : places) {
    const std::size_t at = place.first * map.columns.size() + place.second;
    map.cells[at] = cell_of(result, point, objective);
    if (plan.present_point == point) map.present = at;
  }
  return map;
}

// Small multiples: a map for each combination of the parameters behind the first two.
std::vector<std::vector<std::string>> multiples(const run::SweepResult& result) {
  const std::vector<std::size_t> axes = chosen(result.plan.sweep);
  std::vector<std::vector<std::string>> all;
  for (const Point& point : result.plan.points) {
    if (point.is_included) continue;
    std::vector<std::string> others;
    for (std::size_t k = 2; k < axes.size(); ++k) others.push_back(point.values[axes[k]].text);
    if (std::find(all.begin(), all.end(), others) == all.end()) all.push_back(std::move(others));
  }
  return all;
}

std::string others_text(const run::SweepResult& result, const std::vector<std::string>& others) {
  const std::vector<std::size_t> axes = chosen(result.plan.sweep);
  std::string text;
  for (std::size_t k = 0; k < others.size(); ++k) {
    text += fmt::format("{}{} = {}", k == 0 ? ", " : " ",
                        result.plan.sweep.parameters[axes[k + 2]].name, others[k]);
  }
  return text;
}

Chart heatmap_chart(const run::SweepResult& result,
                    std::size_t objective,
                    const std::vector<std::string>& others) {
  Heatmap map = heatmap_of(result, objective, others);
  const std::string title = fmt::format("{}{}", map.what, others_text(result, others));
  std::string description = fmt::format("A grid of {} by {}, with {} in each cell.", map.row_name,
                                        map.column_name, map.what);
  return {title, std::move(description), std::move(map)};
}

bool has_maps(const run::SweepResult& result) {
  const scenario::Sweep& sweep = result.plan.sweep;
  return sweep.design.kind == scenario::Design::Kind::grid && chosen(sweep).size() >= 2 &&
         !sweep.minimized.empty();
}

bool has_front(const run::SweepResult& result) {
  return result.plan.sweep.minimized.size() >= 2;
}

Chart pareto_chart(const run::SweepResult& result) {
  const scenario::Sweep& sweep = result.plan.sweep;
  Pareto pareto;
  pareto.x_name = sweep.minimized[0].text;
  pareto.y_name = sweep.minimized[1].text;
  pareto.x_unit = unit_of(result, 0);
  pareto.y_unit = unit_of(result, 1);
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    if (!result.points[i].result) continue;
    const auto& x = result.points[i].objectives[0].judgement.estimate;
    const auto& y = result.points[i].objectives[1].judgement.estimate;
    if (!x || !y) continue;
    const bool on_front =
        std::find(result.pareto.begin(), result.pareto.end(), i) != result.pareto.end();
    pareto.points.push_back(
        {label_of(sweep, result.plan.points[i]), *x, *y, on_front, result.plan.present_point == i});
  }
  return {fmt::format("{} against {}", pareto.x_name, pareto.y_name),
          fmt::format("{} settings; on the front are the {} that meet all conditions and that no "
                      "other one beats in every objective.",
                      pareto.points.size(), result.pareto.size()),
          std::move(pareto)};
}

Table points_table(const run::SweepResult& result) {
  const scenario::Sweep& sweep = result.plan.sweep;
  Table table;
  table.caption = "all points; - where nothing was run";
  for (const scenario::Parameter& parameter : sweep.parameters)
    table.columns.push_back({parameter.name, true});
  for (const scenario::Objective& objective : sweep.minimized)
    table.columns.push_back({objective.text + " (95 %)", true});
  table.columns.push_back({"demands"});
  table.columns.push_back({"remarks"});
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    const Point& point = result.plan.points[i];
    const run::PointResult& made = result.points[i];
    std::vector<Cell> row;
    for (const scenario::ParameterValue& value : point.values) row.push_back({value.text, {}});
    for (std::size_t k = 0; k < sweep.minimized.size(); ++k) {
      std::string text = made.result ? estimate_text(*made.result, made.objectives[k]) : "-";
      const std::string interval =
          made.result ? interval_text(*made.result, made.objectives[k]) : "";
      if (!interval.empty()) text += fmt::format(" ({})", interval);
      row.push_back({std::move(text), {}});
    }
    row.push_back({made.result ? std::string{run::to_text(made.result->verdict)} : "-", {}});
    std::string remarks = point.skipped;
    if (result.plan.present_point == i) remarks += remarks.empty() ? "present" : ", present";
    if (std::find(result.pareto.begin(), result.pareto.end(), i) != result.pareto.end())
      remarks += remarks.empty() ? "on the front" : ", on the front";
    row.push_back({std::move(remarks), {}});
    table.rows.push_back(std::move(row));
  }
  return table;
}

void add_charts(const run::SweepResult& result, Page& page) {
  for (std::size_t k = 0; has_maps(result) && k < result.plan.sweep.minimized.size(); ++k) {
    page.blocks.push_back(
        Heading{result.plan.sweep.minimized[k].text, fmt::format("objective-{}", k + 1)});
    for (const std::vector<std::string>& others : multiples(result))
      page.blocks.push_back(Figure{heatmap_chart(result, k, others), {}, {}});
  }
  if (!has_front(result)) return;
  page.blocks.push_back(Heading{"What a setting costs for what it gives", "front"});
  page.blocks.push_back(Figure{pareto_chart(result), {}, {}});
}

}  // namespace

Page page_of(const run::SweepResult& result) {
  const Suite suite = suite_of(result, "");
  Page page;
  page.title = result.plan.sweep.name;
  page.verdict = suite.verdict;
  page.word = verdict_word(suite.verdict);
  page.facts = {suite.title, one_line(plan_text(result.plan))};
  if (result.partial) page.facts.emplace_back("PARTIAL: not all runs were made");
  page.description = result.plan.sweep.description;
  add_charts(result, page);
  page.blocks.push_back(Heading{"All points", "points"});
  page.blocks.push_back(points_table(result));
  page.blocks.push_back(Heading{"Reproduce", "reproduce"});
  page.blocks.push_back(Paragraph{
      fmt::format("tenure {}{}.", run::tenure_version,
                  result.sha256.empty() ? "" : fmt::format(", sweep SHA-256 {}", result.sha256))});
  for (const run::PointResult& point : result.points) {
    if (!point.result) continue;
    page.blocks.push_back(Paragraph{"A run of the first point:"});
    page.blocks.push_back(Code{replay_command(*point.result, 0), {}});
    page.blocks.push_back(Heading{"Assumptions", "assumptions"});
    page.blocks.push_back(List{point.result->assumptions});
    break;
  }
  return page;
}

std::optional<Chart> sweep_heatmap(const run::SweepResult& result) {
  if (!has_maps(result)) return std::nullopt;
  return heatmap_chart(result, 0, multiples(result).front());
}

std::optional<Chart> sweep_pareto(const run::SweepResult& result) {
  if (!has_front(result)) return std::nullopt;
  return pareto_chart(result);
}

}  // namespace tenure::report
