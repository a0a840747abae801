#include "promql_functions.hpp"

#include <algorithm>

namespace tenure::alert {
namespace {

constexpr ValueType scalar = ValueType::scalar;
constexpr ValueType instant = ValueType::instant_vector;
constexpr ValueType range = ValueType::range_vector;

const std::vector<FunctionSignature>& functions() {
  static const std::vector<FunctionSignature> all{
      {"increase", Function::increase, {range}},
      {"rate", Function::rate, {range}},
      {"irate", Function::irate, {range}},
      {"delta", Function::delta, {range}},
      {"changes", Function::changes, {range}},
      {"resets", Function::resets, {range}},
      {"min_over_time", Function::min_over_time, {range}},
      {"max_over_time", Function::max_over_time, {range}},
      {"avg_over_time", Function::avg_over_time, {range}},
      {"sum_over_time", Function::sum_over_time, {range}},
      {"count_over_time", Function::count_over_time, {range}},
      {"last_over_time", Function::last_over_time, {range}},
      {"absent_over_time", Function::absent_over_time, {range}},
      {"absent", Function::absent, {instant}},
      {"vector", Function::vector, {scalar}},
      {"scalar", Function::scalar, {instant}, 0, scalar},
      {"time", Function::time, {}, 0, scalar},
      {"abs", Function::abs, {instant}},
      {"ceil", Function::ceil, {instant}},
      {"floor", Function::floor, {instant}},
      {"round", Function::round, {instant, scalar}, 1},
      {"clamp_min", Function::clamp_min, {instant, scalar}},
      {"clamp_max", Function::clamp_max, {instant, scalar}},
  };
  return all;
}

// promql/parser/functions.go and the aggregators of lex.go, up to version 3.
constexpr std::string_view outside[] = {"acos",
                                        "acosh",
                                        "asin",
                                        "asinh",
                                        "atan",
                                        "atanh",
                                        "bottomk",
                                        "clamp",
                                        "cos",
                                        "cosh",
                                        "count_values",
                                        "day_of_month",
                                        "day_of_week",
                                        "day_of_year",
                                        "days_in_month",
                                        "deg",
                                        "deriv",
                                        "double_exponential_smoothing",
                                        "exp",
                                        "group",
                                        "histogram_avg",
                                        "histogram_count",
                                        "histogram_fraction",
                                        "histogram_quantile",
                                        "histogram_stddev",
                                        "histogram_stdvar",
                                        "histogram_sum",
                                        "holt_winters",
                                        "hour",
                                        "idelta",
                                        "info",
                                        "label_join",
                                        "label_replace",
                                        "limit_ratio",
                                        "limitk",
                                        "ln",
                                        "log10",
                                        "log2",
                                        "mad_over_time",
                                        "minute",
                                        "month",
                                        "pi",
                                        "predict_linear",
                                        "present_over_time",
                                        "quantile",
                                        "quantile_over_time",
                                        "rad",
                                        "sgn",
                                        "sin",
                                        "sinh",
                                        "sort",
                                        "sort_by_label",
                                        "sort_by_label_desc",
                                        "sort_desc",
                                        "sqrt",
                                        "stddev",
                                        "stddev_over_time",
                                        "stdvar",
                                        "stdvar_over_time",
                                        "tan",
                                        "tanh",
                                        "timestamp",
                                        "topk",
                                        "year"};

}  // namespace

const FunctionSignature* find_function(std::string_view name) {
  const auto& all = functions();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [name](const FunctionSignature& f) { return f.name == name; });
  return found == all.end() ? nullptr : &*found;
}

bool is_function_outside(std::string_view name) {
  return std::find(std::begin(outside), std::end(outside), name) != std::end(outside);
}

std::string_view to_text(ValueType type) {
  switch (type) {
    case ValueType::scalar:
      return "a scalar";
    case ValueType::instant_vector:
      return "an instant vector";
    case ValueType::range_vector:
      return "a range vector";
  }
  return {};
}

}  // namespace tenure::alert
