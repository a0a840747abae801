#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <tenure/report/sweep.hpp>

#include "units.hpp"

namespace tenure::report {
namespace {

// RFC 4180: a field with a quote, a comma or a line break stands in quotes.
std::string field(std::string_view text) {
  if (text.find_first_of("\",\r\n") == std::string_view::npos) return std::string{text};
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string{"\"\""} : std::string{c};
  return quoted + "\"";
}

// In seconds with nine decimals, exactly; counts as they are.
std::string value_field(const run::ThresholdResult& figure, std::int64_t value) {
  if (compared_unit(figure, run::unit_of(figure.id)) == stats::Unit::one)
    return fmt::format("{}", value);
  const std::int64_t positive = value < 0 ? -value : value;
  return fmt::format("{}{}.{:09}", value < 0 ? "-" : "", positive / 1'000'000'000,
                     positive % 1'000'000'000);
}

std::string end_field(const run::ThresholdResult& figure, const stats::End& end) {
  return end.kind == stats::End::Kind::value ? value_field(figure, end.value) : "";
}

std::string head(const scenario::Sweep& sweep) {
  std::string line = "point";
  for (const auto& parameter : sweep.parameters) line += "," + field(parameter.name);
  line += ",runs,verdict";
  for (const auto& objective : sweep.minimized) {
    for (const std::string_view part : {"", " lower95", " upper95"})
      line += "," + field(objective.text + std::string{part});
  }
  return line + ",pareto,skipped\r\n";
}

std::string row(const run::SweepResult& result, std::size_t index) {
  const scenario::Point& point = result.plan.points[index];
  const run::PointResult& made = result.points[index];
  std::string line = fmt::format("{}", index);
  for (const auto& value : point.values) line += "," + field(value.text);
  line += made.result ? fmt::format(",{},{}", made.result->runs, run::to_text(made.result->verdict))
                      : ",0,";
  for (std::size_t i = 0; i < result.plan.sweep.minimized.size(); ++i) {
    if (!made.result) {
      line += ",,,";
      continue;
    }
    const run::ThresholdResult& figure = made.objectives[i];
    const stats::Judgement& judgement = figure.judgement;
    line += "," + (judgement.estimate ? value_field(figure, *judgement.estimate) : "");
    line += "," + (judgement.interval ? end_field(figure, judgement.interval->lower) : "");
    line += "," + (judgement.interval ? end_field(figure, judgement.interval->upper) : "");
  }
  const bool on_front =
      std::find(result.pareto.begin(), result.pareto.end(), index) != result.pareto.end();
  return line + (on_front ? ",1," : ",0,") + field(point.skipped) + "\r\n";
}

}  // namespace

void write_sweep_csv(const run::SweepResult& result, const TextSink& sink) {
  sink(head(result.plan.sweep));
  for (std::size_t i = 0; i < result.points.size(); ++i) sink(row(result, i));
}

}  // namespace tenure::report
