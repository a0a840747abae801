// What a sweep minimizes, and what it demands of a setting.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/scenario/sweep.hpp>

#include "decode.hpp"

namespace tenure::scenario {
namespace {

constexpr Word<ClosedForm> closed_forms[] = {{"apiOutageSurvived", ClosedForm::api_outage_survived},
                                             {"safetyMargin", ClosedForm::safety_margin},
                                             {"clockRatio", ClosedForm::clock_ratio},
                                             {"pauseSurvived", ClosedForm::pause_survived}};

// A metric at the beginning of a text, narrowed to a fault or not, and what follows it:
// "failover[kill].p(99)".
struct Figure {
  std::string_view written;  // "failover[kill]"
  Metric metric = Metric::failover;
  std::string_view fault;
  std::string_view rest;
};

std::optional<Figure> figure_of(std::string_view text, std::string& problem) {
  Figure out;
  std::size_t length = 0;
  for (std::size_t i = 0; i < check::metric_count; ++i) {
    const std::string_view name = check::to_text(static_cast<Metric>(i));
    if (!text.starts_with(name) || name.size() < length) continue;
    const bool ends = text.size() == name.size() ||
                      std::string_view{".[ <>=!"}.find(text[name.size()]) != text.npos;
    if (!ends) continue;
    length = name.size();
    out.metric = static_cast<Metric>(i);
  }
  if (length == 0) {
    problem = "it begins with no metric";
    return std::nullopt;
  }
  if (length < text.size() && text[length] == '[') {
    const std::size_t end = text.find(']', length);
    if (end == std::string_view::npos) {
      problem = "a \"]\" is missing";
      return std::nullopt;
    }
    out.fault = text.substr(length + 1, end - length - 1);
    length = end + 1;
  }
  out.written = text.substr(0, length);
  out.rest = text.substr(length);
  return out;
}

std::optional<Objective> objective_of(std::string_view text, std::string& problem) {
  const auto figure = figure_of(text, problem);
  if (!figure) return std::nullopt;
  Objective out;
  out.text = text;
  out.metric = figure->metric;
  out.fault = figure->fault;
  if (figure->rest.empty()) return out;
  Threshold aggregated;
  if (!figure->rest.starts_with('.') ||
      !parse_aggregation(figure->rest.substr(1), aggregated, problem)) {
    if (problem.empty()) problem = "a \".\" is expected before the aggregation";
    return std::nullopt;
  }
  out.aggregation = aggregated.aggregation;
  out.percentile = aggregated.percentile;
  return out;
}

// " >= 8s", of a closed form.
std::optional<ClosedFormCondition> bound_of(ClosedForm of,
                                            std::string_view comparison,
                                            std::string& problem) {
  comparison = trimmed(comparison);
  const std::size_t end = std::min(comparison.find_first_not_of("<>=!"), comparison.size());
  Threshold compared;
  if (!parse_op(comparison.substr(0, end), compared)) {
    problem = "a comparison is missing: < <= > >= == !=";
    return std::nullopt;
  }
  const std::string_view value = trimmed(comparison.substr(end));
  const auto quantity = quantity_of(value);
  const int power = of == ClosedForm::clock_ratio ? 0 : 1;
  if (!quantity || quantity->power != power) {
    problem = fmt::format("{} is not {}", quoted(value),
                          power == 1 ? "a duration: 8s" : "a number: 1.25");
    return std::nullopt;
  }
  return ClosedFormCondition{of, compared.op, *quantity, {}};
}

// As a threshold, "failover p(50) < 30s", or with the figure as an objective has it,
// "failover.p(50) < 30s".
std::optional<Condition> need_of(std::string_view text, std::string& problem) {
  text = trimmed(text);
  const std::string_view first = text.substr(0, text.find_first_of(" <>=!"));
  for (const Word<ClosedForm>& word : closed_forms) {
    if (word.word != first) continue;
    auto bound = bound_of(word.value, text.substr(first.size()), problem);
    if (!bound) return std::nullopt;
    bound->text = text;
    return Condition{std::move(*bound)};
  }
  const auto figure = figure_of(text, problem);
  if (!figure) {
    if (problem == "it begins with no metric")
      problem = fmt::format("{} is neither a metric nor a closed form", quoted(first));
    return std::nullopt;
  }
  std::string_view statement = figure->rest;
  if (statement.starts_with('.')) statement.remove_prefix(1);
  auto threshold = parse_threshold(figure->written, trimmed(statement), problem);
  if (!threshold) return std::nullopt;
  return Condition{std::move(*threshold)};
}

}  // namespace

void decode_objectives(const Reader& spec, Sweep& out) {
  const auto objectives = spec.field("objectives");
  if (!objectives || !objectives->has_fields({"minimize", "subjectTo"})) return;
  std::string problem;
  if (const auto list = objectives->required("minimize"); list && list->expect_list()) {
    for (const Reader& item : list->items()) {
      if (!item.expect_text("a figure like failover.p(99)")) continue;
      problem.clear();
      auto objective = objective_of(item.text(), problem);
      if (objective) {
        out.minimized.push_back(std::move(*objective));
        continue;
      }
      item.error("E0223", fmt::format("{} is not an objective: {}", quoted(item.text()), problem),
                 {"form: METRIC.AGGREGATION, for example failover.p(99); tenure list metrics"});
    }
    if (list->items().empty()) list->error("E0209", "minimize must name at least one figure");
  }
  const auto list = objectives->field("subjectTo");
  if (!list || !list->expect_list()) return;
  for (const Reader& item : list->items()) {
    if (!item.expect_text("a condition like \"apiOutageSurvived >= 8s\"")) continue;
    problem.clear();
    auto need = need_of(item.text(), problem);
    if (need) {
      out.needed.push_back(std::move(*need));
      continue;
    }
    item.error("E0223", fmt::format("{} is not a condition: {}", quoted(item.text()), problem),
               {"METRIC AGGREGATION OP VALUE, or one of apiOutageSurvived, safetyMargin, "
                "clockRatio, pauseSurvived OP VALUE"});
  }
}

std::string_view to_text(ClosedForm of) {
  for (const Word<ClosedForm>& word : closed_forms) {
    if (word.value == of) return word.word;
  }
  return "";
}

}  // namespace tenure::scenario
