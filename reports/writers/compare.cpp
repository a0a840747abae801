#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tenure/base/text.hpp>
#include <tenure/report/compare.hpp>

#include "findings.hpp"
#include "units.hpp"

namespace tenure::report {
namespace {

using Json = nlohmann::ordered_json;
using run::Change;
using run::FigureChange;

// ---- values in words

std::string value_text(stats::Unit unit, double value) {
  switch (unit) {
    case stats::Unit::nanosecond:
      return fmt::format("{:.3f}s", value / 1e9);
    case stats::Unit::billionth:
      return fmt::format("{:.4g}", value / 1e9);
    case stats::Unit::one:
      return fmt::format("{:.4g}", value);
  }
  return "";
}

std::string signed_text(stats::Unit unit, double value) {
  if (std::isinf(value)) return value > 0 ? "+unbounded" : "-unbounded";
  return (value < 0 ? "-" : "+") + value_text(unit, std::abs(value));
}

std::string value_or_dash(stats::Unit unit, const std::optional<double>& value) {
  return value ? value_text(unit, *value) : "-";
}

std::string percent(double share) {
  return fmt::format("{:+.3g} %", share * 100);
}

std::string_view words_of(Change change) {
  constexpr std::string_view words[] = {"no evidence", "better", "worse", "more", "less"};
  return words[static_cast<std::size_t>(change)];
}

std::string_view colour_of(Change change) {
  if (change == Change::better) return "32";
  return change == Change::worse ? "1;31" : "0";
}

// A row of what was compared.
struct Row {
  std::string what, base, other, difference, interval, change;
};

Row row_of(const FigureChange& figure) {
  const stats::Unit unit = run::unit_of(figure.metric);
  const stats::Difference& found = figure.difference;
  Row row;
  row.what = fmt::format("{} {}", check::to_text(figure.metric), figure.name);
  row.base = value_or_dash(unit, found.base);
  row.other = value_or_dash(unit, found.other);
  row.difference = found.base && found.other ? signed_text(unit, *found.other - *found.base) : "-";
  row.interval = found.interval ? fmt::format("{} .. {}", signed_text(unit, found.interval->lower),
                                              signed_text(unit, found.interval->upper))
                                : "too few samples, or no mean";
  row.change = words_of(figure.change);
  return row;
}

std::string verdict_text(const std::optional<run::Finding>& finding) {
  return finding ? std::string{run::to_text(*finding)} : "not judged";
}

std::string pairing_text(const run::PointComparison& point) {
  if (point.pairing == stats::Pairing::paired)
    return fmt::format("{} pairs of runs with the same random numbers", point.base_runs);
  return fmt::format("{} runs against {}, not paired", point.base_runs, point.other_runs);
}

std::string share_text(const run::PropertyChange& property) {
  if (!property.share) return "";
  return fmt::format("{} .. {}", percent(property.share->interval.lower),
                     percent(property.share->interval.upper));
}

// Rows of a metric that does not differ at all say nothing.
bool is_worth_a_row(const FigureChange& figure) {
  return figure.difference.base != figure.difference.other ||
         figure.metric == check::MetricId::failover;
}

// ---- text

std::string settings_text(const run::PointComparison& point) {
  if (point.settings.empty()) return "";
  std::string out = "\n  SETTINGS\n";
  for (const run::SettingChange& setting : point.settings) {
    const auto shown = [](const std::string& value) {
      return value.empty() ? std::string{"(absent)"} : visible(value);
    };
    out += fmt::format("    {}  {} -> {}\n", visible(setting.path), shown(setting.base),
                       shown(setting.other));
  }
  return out;
}

std::string figures_text(const run::PointComparison& point, Colour colour) {
  std::string out = fmt::format("\n  {:28} {:>10} {:>10} {:>11}   {}\n", "METRICS", "base", "other",
                                "difference", "95 % interval");
  for (const FigureChange& figure : point.figures) {
    if (!is_worth_a_row(figure)) continue;
    const Row row = row_of(figure);
    out += fmt::format("    {:26} {:>10} {:>10} {:>11}   {:28} {}\n", row.what, row.base, row.other,
                       row.difference, row.interval,
                       painted(row.change, colour_of(figure.change), colour));
  }
  return out;
}

std::string verdict_change_text(const run::VerdictChange& verdict, Colour colour) {
  if (!verdict.is_changed()) return verdict_text(verdict.base);
  const std::string text =
      fmt::format("{} -> {}", verdict_text(verdict.base), verdict_text(verdict.other));
  return verdict.is_regression() ? painted(text, "1;31", colour) : text;
}

std::string verdicts_text(const run::PointComparison& point, Colour colour) {
  std::string out;
  if (!point.properties.empty()) out += "\n  PROPERTIES\n";
  for (const run::PropertyChange& property : point.properties) {
    out += fmt::format("    {:26} {}", property.verdict.name,
                       verdict_change_text(property.verdict, colour));
    if (property.base_violated + property.other_violated > 0) {
      out += fmt::format("   violated in {} and {} runs", property.base_violated,
                         property.other_violated);
      if (property.share) out += fmt::format(": {}", share_text(property));
    }
    out += "\n";
  }
  if (!point.thresholds.empty()) out += "\n  THRESHOLDS\n";
  for (const run::VerdictChange& threshold : point.thresholds)
    out += fmt::format("    {:34} {}\n", threshold.name, verdict_change_text(threshold, colour));
  return out;
}

std::string conclusion(const run::Comparison& comparison) {
  return comparison.is_regression() ? "REGRESSION" : "NO REGRESSION";
}

std::string missing_text(const std::vector<std::string>& names, std::string_view where) {
  std::string out;
  for (const std::string& name : names) out += fmt::format("  {} is only in {}\n", name, where);
  return out;
}

// ---- JSON

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

// Times stay whole nanoseconds, outwards at the ends of intervals.
Json number(stats::Unit unit, double value, double (*rounded)(double)) {
  if (!std::isfinite(value)) return nullptr;
  if (unit == stats::Unit::nanosecond) return static_cast<std::int64_t>(rounded(value));
  return unit == stats::Unit::billionth ? Json(value / 1e9) : Json(value);
}

double nearest(double value) {
  return std::round(value);
}
double downwards(double value) {
  return std::floor(value);
}
double upwards(double value) {
  return std::ceil(value);
}

Json figure_json(const FigureChange& figure) {
  const stats::Unit unit = run::unit_of(figure.metric);
  const stats::Difference& found = figure.difference;
  const auto value = [&](const std::optional<double>& of) {
    return of ? number(unit, *of, nearest) : Json(nullptr);
  };
  Json json;
  json["metric"] = check::to_text(figure.metric);
  json["figure"] = figure.name;
  json[unit_field("base", unit)] = value(found.base);
  json[unit_field("other", unit)] = value(found.other);
  json[unit_field("difference", unit)] =
      found.base && found.other ? value(*found.other - *found.base) : Json(nullptr);
  json[unit_field("interval95", unit)] =
      found.interval ? Json::array({number(unit, found.interval->lower, downwards),
                                    number(unit, found.interval->upper, upwards)})
                     : Json(nullptr);
  json["verdict"] = run::to_text(figure.change);
  return json;
}

Json verdict_json(const run::VerdictChange& verdict) {
  const auto word = [](const std::optional<run::Finding>& finding) {
    return finding ? Json(run::to_text(*finding)) : Json(nullptr);
  };
  return {{"name", verdict.name},
          {"base", word(verdict.base)},
          {"other", word(verdict.other)},
          {"regression", verdict.is_regression()}};
}

Json property_json(const run::PropertyChange& property) {
  Json json = verdict_json(property.verdict);
  json["baseViolatedRuns"] = property.base_violated;
  json["otherViolatedRuns"] = property.other_violated;
  if (property.share) {
    const auto rounded = [](double share) { return std::stod(fmt::format("{:.6g}", share)); };
    json["shareDifference95"] = {number(rounded(property.share->interval.lower)),
                                 number(rounded(property.share->interval.upper))};
  }
  return json;
}

Json point_json(const run::PointComparison& point) {
  Json json;
  json["name"] = point.name;
  json["paired"] = point.pairing == stats::Pairing::paired;
  json["baseRuns"] = point.base_runs;
  json["otherRuns"] = point.other_runs;
  json["settings"] = Json::array();
  for (const run::SettingChange& setting : point.settings) {
    json["settings"].push_back(
        {{"path", setting.path}, {"base", setting.base}, {"other", setting.other}});
  }
  json["metrics"] = Json::array();
  for (const FigureChange& figure : point.figures) json["metrics"].push_back(figure_json(figure));
  json["properties"] = Json::array();
  for (const run::PropertyChange& property : point.properties)
    json["properties"].push_back(property_json(property));
  json["thresholds"] = Json::array();
  for (const run::VerdictChange& threshold : point.thresholds)
    json["thresholds"].push_back(verdict_json(threshold));
  json["regression"] = point.is_regression();
  return json;
}

// ---- Markdown

// A cell keeps to its line and its column.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : visible(text)) out += c == '|' ? std::string{"\\|"} : std::string{c};
  return out;
}

std::string point_markdown(const run::PointComparison& point) {
  std::string out = fmt::format("### {}\n\n{}\n", cell(point.name), pairing_text(point));
  if (!point.settings.empty()) out += "\n| setting | base | other |\n|---|---|---|\n";
  for (const run::SettingChange& setting : point.settings)
    out += fmt::format("| {} | {} | {} |\n", cell(setting.path), cell(setting.base),
                       cell(setting.other));
  out += "\n| metric | base | other | difference | 95 % interval | |\n|---|--:|--:|--:|---|---|\n";
  for (const FigureChange& figure : point.figures) {
    if (!is_worth_a_row(figure)) continue;
    const Row row = row_of(figure);
    out += fmt::format("| {} | {} | {} | {} | {} | {} |\n", row.what, row.base, row.other,
                       row.difference, row.interval, row.change);
  }
  if (!point.properties.empty() || !point.thresholds.empty())
    out += "\n| judged | base | other | |\n|---|---|---|---|\n";
  const auto row = [&](const run::VerdictChange& verdict) {
    out += fmt::format("| {} | {} | {} | {} |\n", cell(verdict.name), verdict_text(verdict.base),
                       verdict_text(verdict.other), verdict.is_regression() ? "worse" : "");
  };
  for (const run::PropertyChange& property : point.properties) row(property.verdict);
  for (const run::VerdictChange& threshold : point.thresholds) row(threshold);
  return out + "\n";
}

}  // namespace

std::string comparison_text(const run::Comparison& comparison,
                            const ComparedFiles& files,
                            Colour colour) {
  std::string out = fmt::format("base {}, other {}\n", files.base, files.other);
  for (const run::PointComparison& point : comparison.points) {
    out += fmt::format("\n{}: {}\n", point.name, pairing_text(point));
    out += settings_text(point);
    out += figures_text(point, colour);
    out += verdicts_text(point, colour);
  }
  out += missing_text(comparison.only_in_base, files.base);
  out += missing_text(comparison.only_in_other, files.other);
  return out + fmt::format("\n{}\n", painted(conclusion(comparison),
                                             comparison.is_regression() ? "1;31" : "1;32", colour));
}

std::string comparison_markdown(const run::Comparison& comparison, const ComparedFiles& files) {
  std::string out = fmt::format("## {}\n\nbase {}, other {}\n\n", conclusion(comparison),
                                cell(files.base), cell(files.other));
  for (const run::PointComparison& point : comparison.points) out += point_markdown(point);
  out += missing_text(comparison.only_in_base, files.base);
  return out + missing_text(comparison.only_in_other, files.other);
}

Json comparison_json(const run::Comparison& comparison) {
  Json json;
  json["apiVersion"] = "tenure/v1alpha1";
  json["kind"] = "CompareResult";
  json["metadata"] = {{"tenureVersion", run::tenure_version}};
  json["regression"] = comparison.is_regression();
  json["points"] = Json::array();
  for (const run::PointComparison& point : comparison.points)
    json["points"].push_back(point_json(point));
  json["onlyInBase"] = comparison.only_in_base;
  json["onlyInOther"] = comparison.only_in_other;
  return json;
}

}  // namespace tenure::report
