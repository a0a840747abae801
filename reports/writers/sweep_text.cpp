#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/report/sweep.hpp>
#include <tenure/scenario/preset.hpp>

#include "findings.hpp"
#include "units.hpp"

namespace tenure::report {
namespace {

using run::PointResult;
using scenario::Parameter;
using scenario::Point;

// ---- figures

// Three digits are what settings are compared by.
std::string figure_text(const run::ThresholdResult& figure) {
  if (!figure.judgement.estimate) return "-";
  const auto value = static_cast<double>(*figure.judgement.estimate);
  switch (compared_unit(figure, run::unit_of(figure.id))) {
    case stats::Unit::nanosecond:
      return value < 99.95e9 ? fmt::format("{:.1f}s", value / 1e9)
                             : fmt::format("{:.0f}s", value / 1e9);
    case stats::Unit::billionth:
      return fmt::format("{:.2f}", value / 1e9);
    case stats::Unit::one:
      return fmt::format("{}", *figure.judgement.estimate);
  }
  return "";
}

std::string closed_form_text(const scenario::Quantity& value) {
  if (value.power != 1 || value.denominator != 1) return scenario::text_of(value).value_or("-");
  return seconds_text(Duration{static_cast<std::int64_t>(value.numerator)});
}

// ---- tables

// Columns as wide as their widest cell, the first flush left, the others flush right; a remark
// stands behind all of them.
class Table {
 public:
  void row(std::vector<std::string> cells, std::string remark = {}) {
    rows_.push_back(std::move(cells));
    remarks_.push_back(std::move(remark));
  }

  std::string text() const {
    std::vector<std::size_t> widths;
    for (const auto& row : rows_) {
      widths.resize(std::max(widths.size(), row.size()));
      for (std::size_t i = 0; i < row.size(); ++i)
        widths[i] = std::max(widths[i], code_points(row[i]));
    }
    std::string out;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const auto& row = rows_[r];
      std::string line = "   ";
      for (std::size_t i = 0; i < row.size(); ++i) {
        const std::string blanks(widths[i] - code_points(row[i]), ' ');
        line += (i == 0 ? " " : "  ") + (i == 0 ? row[i] + blanks : blanks + row[i]);
      }
      if (!remarks_[r].empty()) line += "  " + remarks_[r];
      out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return out;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::string> remarks_;  // by row
};

// The parameters that a person chose, not those that follow from them.
std::vector<std::size_t> chosen(const scenario::Sweep& sweep) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < sweep.parameters.size(); ++i) {
    if (!std::holds_alternative<scenario::Expression>(sweep.parameters[i].values)) all.push_back(i);
  }
  return all;
}

class Summary {
 public:
  Summary(const run::SweepResult& result, Colour colour)
      : result_(result), plan_(result.plan), sweep_(result.plan.sweep), colour_(colour) {}

  std::string text(std::string_view cost) {
    headline();
    if (is_matrix()) {
      matrix();
    } else {
      list();
    }
    reasons();
    front();
    findings();
    verdict(cost);
    return std::move(out_);
  }

 private:
  void headline() {
    const std::string what = sweep_.minimized.empty() ? "" : sweep_.minimized.front().text + ", ";
    out_ += fmt::format("{}: {}n={} per point{}\n\n", sweep_.name, what, plan_.runs_per_point(),
                        candidates());
    if (result_.partial)
      out_ += "  PARTIAL: not all runs were made; the figures are of those that were\n\n";
  }

  std::string candidates() const {
    std::uint32_t count = 0;
    for (const auto& group : plan_.present.candidates) count += group.replicas;
    return fmt::format(", {} candidates", count);
  }

  // Two parameters with values make rows and columns.
  bool is_matrix() const {
    const bool is_grid = sweep_.design.kind == scenario::Design::Kind::grid;
    return is_grid && chosen(sweep_).size() == 2 && !sweep_.minimized.empty();
  }

  std::string cell(std::size_t index) const {
    if (!plan_.points[index].skipped.empty()) return "-";
    const PointResult& point = result_.points[index];
    return point.result ? figure_text(point.objectives.front()) : "?";
  }

  void matrix() {
    const std::vector<std::size_t> axes = chosen(sweep_);
    std::vector<std::string> rows;
    std::vector<std::string> columns;
    const auto note = [](std::vector<std::string>& all, const std::string& text) {
      if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(text);
    };
    for (const Point& point : plan_.points) {
      if (point.is_included) continue;
      note(rows, point.values[axes[0]].text);
      note(columns, point.values[axes[1]].text);
    }
    Table table;
    std::vector<std::string> head{sweep_.parameters[axes[0]].name + " \\ " +
                                  sweep_.parameters[axes[1]].name};
    head.insert(head.end(), columns.begin(), columns.end());
    table.row(head);
    for (const std::string& row : rows) {
      std::vector<std::string> cells{row};
      for (const std::string& column : columns) cells.push_back(at(axes, row, column));
      table.row(cells);
    }
    for (std::size_t i = 0; i < plan_.points.size(); ++i) {
      if (plan_.points[i].is_included) table.row({label_of(sweep_, plan_.points[i]), cell(i)});
    }
    out_ += table.text();
  }

  std::string at(const std::vector<std::size_t>& axes,
                 const std::string& row,
                 const std::string& column) const {
    for (std::size_t i = 0; i < plan_.points.size(); ++i) {
      const Point& point = plan_.points[i];
      if (!point.is_included && point.values[axes[0]].text == row &&
          point.values[axes[1]].text == column)
        return cell(i);
    }
    return "x";
  }

  std::vector<std::string> row_of(std::size_t index) const {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < sweep_.parameters.size(); ++i)
      cells.push_back(visible(plan_.points[index].values[i].text));
    const PointResult& point = result_.points[index];
    for (std::size_t i = 0; i < sweep_.minimized.size(); ++i)
      cells.push_back(point.result ? figure_text(point.objectives[i]) : "-");
    return cells;
  }

  std::vector<std::string> head() const {
    std::vector<std::string> cells;
    for (const Parameter& parameter : sweep_.parameters) cells.push_back(parameter.name);
    for (const scenario::Objective& objective : sweep_.minimized) cells.push_back(objective.text);
    return cells;
  }

  void list() {
    Table table;
    table.row(head());
    for (std::size_t i = 0; i < plan_.points.size(); ++i) {
      if (plan_.points[i].skipped.empty()) table.row(row_of(i));
    }
    out_ += table.text();
  }

  // Points that are not run, with the reason, the same reason once.
  void reasons() {
    std::vector<std::pair<std::string, std::size_t>> reasons;
    for (const Point& point : plan_.points) {
      if (point.skipped.empty()) continue;
      const auto known = std::find_if(reasons.begin(), reasons.end(), [&](const auto& reason) {
        return reason.first == without_values(point.skipped);
      });
      if (known == reasons.end()) {
        reasons.emplace_back(without_values(point.skipped), 1);
      } else {
        ++known->second;
      }
    }
    if (reasons.empty() && plan_.excluded == 0) return;
    out_ += "\n";
    for (const auto& [reason, count] : reasons)
      out_ += fmt::format("    -  {}: {}\n", count, reason);
    if (plan_.excluded != 0) out_ += fmt::format("    x  {}: excluded\n", plan_.excluded);
  }

  // "leaseDuration (15s) must be ..." of many points is one reason.
  static std::string without_values(std::string_view reason) {
    std::string text;
    std::size_t depth = 0;
    for (const char c : reason) {
      if (c == '(') {
        ++depth;
        if (!text.empty() && text.back() == ' ') text.pop_back();
      }
      if (depth == 0) text += c;
      if (c == ')' && depth > 0) --depth;
    }
    return text;
  }

  // ---- the front

  std::string needs_text() const {
    std::string text;
    for (const scenario::Condition& need : sweep_.needed) {
      const auto* threshold = std::get_if<scenario::Threshold>(&need);
      text += text.empty() ? "; " : ", ";
      text += threshold != nullptr
                  ? fmt::format("{} {}", check::to_text(threshold->metric), threshold->text)
                  : std::get<scenario::ClosedFormCondition>(need).text;
    }
    return text;
  }

  void front() {
    if (sweep_.minimized.empty()) return;
    std::string objectives;
    for (const scenario::Objective& objective : sweep_.minimized)
      objectives += (objectives.empty() ? "" : ", ") + objective.text;
    out_ += fmt::format("\n  PARETO FRONT  ({}{})\n", objectives, needs_text());
    if (result_.pareto.empty()) {
      out_ += sweep_.needed.empty() || result_.meeting_needs != 0
                  ? "    no point has a figure for every objective\n"
                  : "    no point meets all conditions\n";
      return;
    }
    Table table;
    std::vector<std::string> names = head();
    for (const scenario::Condition& need : sweep_.needed) {
      if (const auto* closed = std::get_if<scenario::ClosedFormCondition>(&need))
        names.emplace_back(scenario::to_text(closed->of));
    }
    table.row(names);
    for (const std::size_t index : result_.pareto) {
      std::vector<std::string> cells = row_of(index);
      for (const scenario::Condition& need : sweep_.needed) {
        const auto* closed = std::get_if<scenario::ClosedFormCondition>(&need);
        if (closed == nullptr) continue;
        const auto value =
            scenario::closed_form_of(result_.points[index].result->scenario, closed->of);
        cells.push_back(value ? closed_form_text(*value) : "-");
      }
      table.row(std::move(cells), mark_of(index));
    }
    out_ += table.text();
    if (!plan_.present_point) out_ += "    the scenario's own setting is not among the points\n";
  }

  // Whose setting it is.
  std::string mark_of(std::size_t index) const {
    std::string mark = plan_.present_point == index ? "<- the scenario's own setting" : "";
    const auto& candidates = result_.points[index].result->scenario.candidates;
    if (candidates.empty()) return mark;
    const scenario::Elector& elector = candidates.front().elector;
    const scenario::Preset* preset =
        scenario::preset_with(elector.lease_duration, elector.renew_deadline, elector.retry_period);
    if (elector.type == scenario::Elector::Type::client_go && preset != nullptr)
      mark += fmt::format("{}{}", mark.empty() ? "<- " : ", ", preset->name);
    return mark;
  }

  // ---- what does not hold

  void findings() {
    std::string text;
    for (std::size_t i = 0; i < result_.points.size(); ++i) {
      const auto& made = result_.points[i].result;
      if (!made) continue;
      for (const run::PropertyResult& property : made->properties) {
        if (property.counts) add(text, i, property.finding, property.name, property.story);
      }
      for (const run::ThresholdResult& threshold : made->thresholds) {
        add(text, i, threshold.finding, threshold.metric + " " + threshold.text,
            threshold.judgement.note);
      }
    }
    if (!text.empty()) out_ += "\n  NOT AS ASKED FOR\n" + text;
  }

  void add(std::string& text,
           std::size_t index,
           run::Finding finding,
           const std::string& what,
           const std::string& why) const {
    if (finding == run::Finding::ok || finding == run::Finding::xfail) return;
    text += fmt::format("    {} {}: {}{}{}\n", mark(finding, colour_),
                        label_of(sweep_, plan_.points[index]), what, why.empty() ? "" : ": ", why);
  }

  void verdict(std::string_view cost) {
    out_ += "\n" + verdict_line(result_.verdict, sweep_.name, cost, colour_);
  }

  const run::SweepResult& result_;
  const scenario::SweepPlan& plan_;
  const scenario::Sweep& sweep_;
  Colour colour_;
  std::string out_;
};

}  // namespace

std::string plan_text(const scenario::SweepPlan& plan) {
  std::size_t included = 0;
  for (const Point& point : plan.points) included += point.is_included ? 1U : 0U;
  std::string parts = fmt::format("{} combined", plan.combined);
  if (plan.refused != 0) parts += fmt::format(", {} refused by client-go", plan.refused);
  if (plan.constrained != 0)
    parts += fmt::format(", {} outside of the constraints", plan.constrained);
  if (plan.excluded != 0) parts += fmt::format(", {} excluded", plan.excluded);
  if (included != 0) parts += fmt::format(", {} added", included);
  const std::uint64_t runs = plan.run_points() * plan.runs_per_point();
  return fmt::format("{} {} ({}), {} {}\n", plan.run_points(),
                     plan.run_points() == 1 ? "point" : "points", parts, runs,
                     runs == 1 ? "run" : "runs");
}

std::string sweep_summary(const run::SweepResult& result, Colour colour, std::string_view cost) {
  return Summary{result, colour}.text(cost);
}

}  // namespace tenure::report
