// When the runs may end before all of them are made.
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tenure/base/text.hpp>

#include "decode.hpp"

namespace tenure::scenario {

namespace {

enum class Rule : std::uint8_t { thresholds, precision };

void decode_looks(const Reader& at, std::vector<std::uint64_t>& out) {
  if (!at.expect_list()) return;
  for (const Reader& item : at.items()) {
    std::int64_t look = 0;
    if (!read_in_range(item, 1, 1'000'000'000, look)) continue;
    const auto runs = static_cast<std::uint64_t>(look);
    if (!out.empty() && runs <= out.back()) {
      item.error("E0209", fmt::format("looks must grow, and {} comes after {}", runs, out.back()));
      continue;
    }
    out.push_back(runs);
  }
  if (at.items().empty()) at.error("E0209", "looks must list a number of runs");
}

bool has_interval(const Threshold& figure) {
  using Aggregation = Threshold::Aggregation;
  return figure.aggregation == Aggregation::mean || figure.aggregation == Aggregation::quantile ||
         figure.aggregation == Aggregation::rate;
}

// A share of the estimate; nothing: the width is a value in the metric's unit.
std::optional<Ratio> relative_width(std::string_view text) {
  if (text.empty() || text.back() != '%') return std::nullopt;
  std::optional<Ratio> percent = parse_decimal(text.substr(0, text.size() - 1));
  if (!percent || percent->denominator > 1'000'000'000'000'000) return std::nullopt;
  percent->denominator *= 100;
  return percent;
}

bool is_zero(const Stopping::Precision& precision) {
  if (precision.relative) return precision.relative->numerator <= 0;
  const Ratio* number = std::get_if<Ratio>(&precision.figure.value);
  return number != nullptr ? number->numerator <= 0
                           : std::get<Duration>(precision.figure.value) <= Duration{};
}

// The text of a field, or its default.
std::string text_or(const Reader& map, std::string_view name, std::string otherwise) {
  read_field(map, name, otherwise);
  return otherwise;
}

// The figure and its width are what a threshold compares, and are read as one.
void decode_precision(const Reader& stopping, const Scenario& scenario, Stopping& out) {
  const std::size_t errors_before = stopping.errors();
  const std::string metric = text_or(stopping, "metric", "failover");
  const std::string of = text_or(stopping, "of", "p(99)");
  Stopping::Precision precision;
  precision.width = text_or(stopping, "width", "5%");
  if (stopping.errors() != errors_before) return;
  if (!is_known_metric(stopping.field("metric").value_or(stopping), metric, scenario)) return;
  std::string problem;
  auto figure = parse_threshold(metric, of + " < 0", problem);
  if (!figure || !has_interval(*figure)) {
    stopping.report_field(Diagnostic::Level::error, "of", "E0204",
                          fmt::format("{} is not a figure that has an interval", quoted(of)),
                          {"expected: avg, med, p(99) or rate"});
    return;
  }
  precision.relative = relative_width(precision.width);
  if (!precision.relative) figure = parse_threshold(metric, of + " < " + precision.width, problem);
  if (figure) precision.figure = std::move(*figure);
  if (!figure || is_zero(precision)) {
    stopping.report_field(
        Diagnostic::Level::error, "width", "E0209",
        figure
            ? "width must be greater than zero"
            : fmt::format("{} is not a width of {}: {}", quoted(precision.width), metric, problem),
        {"a percentage of the estimate, 5%, or a value in the metric's unit, 500ms"});
    return;
  }
  precision.figure.text = of;
  out.precision = std::move(precision);
}

}  // namespace

void decode_stopping(const Reader& spec, Scenario& out) {
  static constexpr Word<Rule> rules[] = {{"thresholds", Rule::thresholds},
                                         {"precision", Rule::precision}};
  const std::optional<Reader> stopping = spec.field("stopping");
  if (!stopping || !stopping->has_fields({"looks", "rule", "metric", "of", "width"})) return;
  Stopping& made = out.stopping.emplace();
  if (const auto looks = stopping->field("looks")) decode_looks(*looks, made.looks);
  Rule rule = Rule::thresholds;
  if (const auto at = stopping->field("rule");
      at && !read_word(*at, "a rule to stop by", rules, rule))
    return;
  if (rule == Rule::precision) return decode_precision(*stopping, out, made);
  for (const std::string_view name : {"metric", "of", "width"}) {
    if (const auto at = stopping->field(name))
      at->error_at_key("E0218", fmt::format("{} goes with rule: precision", name));
  }
  const std::optional<Reader> thresholds = spec.field("thresholds");
  if (!thresholds || (thresholds->is_map() && thresholds->entries().empty()))
    stopping->error_at_key("E0218", "there is no threshold that could be decided",
                           {"list thresholds, or stop by rule: precision"});
}

}  // namespace tenure::scenario
