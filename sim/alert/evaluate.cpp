#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include <tenure/alert/evaluate.hpp>

#include "evaluator.hpp"
#include "range_functions.hpp"

namespace tenure::alert {
namespace {

bool holds(const Matcher& matcher, const Labels& labels) {
  const std::string_view value = labels.of(matcher.name);
  switch (matcher.op) {
    case Matcher::Op::equal:
      return value == matcher.value;
    case Matcher::Op::different:
      return value != matcher.value;
    case Matcher::Op::matches:
      return matcher.pattern.matches(value);
    case Matcher::Op::matches_not:
      return !matcher.pattern.matches(value);
  }
  return false;
}

bool selects(const Selector& selector, const Labels& labels) {
  return std::all_of(selector.matchers.begin(), selector.matchers.end(),
                     [&labels](const Matcher& matcher) { return holds(matcher, labels); });
}

Labels without_name(Labels labels) {
  labels.erase(metric_name_label);
  return labels;
}

bool has_duplicates(const Vector& elements) {
  std::set<Labels> seen;
  return std::any_of(elements.begin(), elements.end(),
                     [&seen](const Element& e) { return !seen.insert(e.labels).second; });
}

// The samples from `begin` to `end`, both or only the last one included, and no stale ones.
std::vector<Sample> in_range(const std::vector<Sample>& samples,
                             Millis begin,
                             Millis end,
                             PrometheusVersion version) {
  const Millis first = version == PrometheusVersion::v2 ? begin : begin + 1;
  auto at = std::lower_bound(samples.begin(), samples.end(), first,
                             [](const Sample& sample, Millis t) { return sample.at < t; });
  std::vector<Sample> out;
  for (; at != samples.end() && at->at <= end; ++at) {
    if (!at->is_stale) out.push_back(*at);
  }
  return out;
}

// The value that a series has at an instant: of its last sample, when that is fresh.
std::optional<double> value_at(const std::vector<Sample>& samples,
                               Millis at,
                               PrometheusVersion version) {
  const auto behind =
      std::upper_bound(samples.begin(), samples.end(), at,
                       [](Millis t, const Sample& sample) { return t < sample.at; });
  if (behind == samples.begin()) return std::nullopt;
  const Sample& last = *(behind - 1);
  const Millis oldest = at - lookback;
  const bool is_fresh = version == PrometheusVersion::v2 ? last.at >= oldest : last.at > oldest;
  if (last.is_stale || !is_fresh) return std::nullopt;
  return last.value;
}

// The labels that the one element of absent() has: those the selector asks for by equality, once.
Labels labels_of_absent(const Expr& argument) {
  Labels out;
  const auto* selector = std::get_if<Selector>(&argument.form);
  if (selector == nullptr) return out;
  std::set<std::string> seen;
  for (const Matcher& matcher : selector->matchers) {
    if (matcher.name == metric_name_label) continue;
    if (matcher.op == Matcher::Op::equal && seen.insert(matcher.name).second) {
      out.set(matcher.name, matcher.value);
    } else {
      out.erase(matcher.name);
    }
  }
  return out;
}

// math.Max and math.Min of Go: an infinity wins against no number, and no number against the rest.
double go_max(double a, double b) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (a == infinite || b == infinite) return infinite;
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
  if (a == 0 && b == 0) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
double go_min(double a, double b) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (a == -infinite || b == -infinite) return -infinite;
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
  if (a == 0 && b == 0) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

double rounded(double value, double to_nearest) {
  // Division by the inverse is what promql does, to avoid errors with 0.1 and the like.
  const double inverse = 1.0 / to_nearest;
  return std::floor(value * inverse + 0.5) / inverse;
}

double of_each(Function function, double value, double parameter) {
  switch (function) {
    case Function::abs:
      return std::fabs(value);
    case Function::ceil:
      return std::ceil(value);
    case Function::floor:
      return std::floor(value);
    case Function::round:
      return rounded(value, parameter);
    case Function::clamp_min:
      return go_max(parameter, value);
    case Function::clamp_max:
      return go_min(parameter, value);
    default:
      return value;
  }
}

}  // namespace

Value Evaluator::value(const Expr& expr) {
  if (failure_) return {};
  return std::visit([this](const auto& form) { return value_of_form(form); }, expr.form);
}

void Evaluator::fail(std::string text) {
  if (!failure_) failure_ = EvaluationFailure{std::move(text)};
}

Value Evaluator::vector_of(Vector elements) {
  if (has_duplicates(elements)) fail("vector cannot contain metrics with the same labelset");
  return {false, 0, std::move(elements)};
}

Value Evaluator::value_of_form(const Number& number) {
  return {true, number.value, {}};
}

Value Evaluator::value_of_form(const Selector& selector) {
  Vector out;
  for (const auto& [labels, samples] : store_->all()) {
    if (!selects(selector, labels)) continue;
    if (const auto value = value_at(samples, at_ - selector.offset, version_)) {
      out.push_back({labels, *value});
    }
  }
  return {false, 0, std::move(out)};
}

Value Evaluator::value_of_form(const Unary& unary) {
  Value out = value(*unary.operand);
  if (!unary.negates) return out;
  out.scalar = -out.scalar;
  for (Element& element : out.vector) {
    element.labels = without_name(std::move(element.labels));
    element.value = -element.value;
  }
  return out.is_scalar ? out : vector_of(std::move(out.vector));
}

Value Evaluator::value_of_form(const Binary& binary) {
  const Value left = value(*binary.left);
  const Value right = value(*binary.right);
  if (failure_) return {};
  if (left.is_scalar && right.is_scalar) {
    const Computed one = computed(binary.op, left.scalar, right.scalar);
    return {true, binary.returns_bool ? static_cast<double>(one.keep) : one.value, {}};
  }
  if (!left.is_scalar && !right.is_scalar) {
    return vector_of(combined(binary, left.vector, right.vector, failure_));
  }
  Vector out;
  for (const Element& element : left.is_scalar ? right.vector : left.vector) {
    Computed one = left.is_scalar ? computed(binary.op, left.scalar, element.value)
                                  : computed(binary.op, element.value, right.scalar);
    const bool is_comparison = !drops_metric_name(binary.op);
    if (is_comparison) one.value = element.value;  // also when it stands on the right
    if (binary.returns_bool) {
      one = {static_cast<double>(one.keep), true};
    }
    if (!one.keep) continue;
    const bool drops = !is_comparison || binary.returns_bool;
    out.push_back({drops ? without_name(element.labels) : element.labels, one.value});
  }
  return vector_of(std::move(out));
}

Value Evaluator::value_of_form(const Aggregation& aggregation) {
  return {false, 0, aggregated(aggregation, value(*aggregation.operand).vector, version_)};
}

Value Evaluator::over_range(Function function, const Selector& selector) {
  const Millis end = at_ - selector.offset;
  const Millis begin = end - selector.range;
  Vector out;
  for (const auto& [labels, samples] : store_->all()) {
    if (!selects(selector, labels)) continue;
    const std::vector<Sample> found = in_range(samples, begin, end, version_);
    if (const auto value = tenure::alert::value_of(function, {found, begin, end}, version_)) {
      const bool keeps_name = function == Function::last_over_time;
      out.push_back({keeps_name ? labels : without_name(labels), *value});
    }
  }
  return vector_of(std::move(out));
}

Value Evaluator::value_of_form(const Call& call) {
  const auto& arguments = call.arguments;
  if (call.function == Function::time) return {true, static_cast<double>(at_) / 1000, {}};
  if (const auto* selector = std::get_if<Selector>(&arguments[0]->form);
      selector != nullptr && selector->range != 0) {
    if (call.function != Function::absent_over_time) return over_range(call.function, *selector);
    const bool is_absent = over_range(Function::count_over_time, *selector).vector.empty();
    failure_.reset();  // without their names the series may be the same; that does not matter here
    return is_absent ? Value{false, 0, {{labels_of_absent(*arguments[0]), 1}}} : Value{};
  }
  Value first = value(*arguments[0]);
  if (failure_) return {};
  switch (call.function) {
    case Function::absent:
      return first.vector.empty() ? Value{false, 0, {{labels_of_absent(*arguments[0]), 1}}}
                                  : Value{};
    case Function::vector:
      return {false, 0, {{{}, first.scalar}}};
    case Function::scalar:
      return {true,
              first.vector.size() == 1 ? first.vector[0].value
                                       : std::numeric_limits<double>::quiet_NaN(),
              {}};
    default:
      break;
  }
  const double parameter = arguments.size() > 1 ? value(*arguments[1]).scalar : 1;
  for (Element& element : first.vector) {
    element.labels = without_name(std::move(element.labels));
    element.value = of_each(call.function, element.value, parameter);
  }
  return vector_of(std::move(first.vector));
}

std::variant<Vector, EvaluationFailure> evaluate(const Expr& expr,
                                                 const SeriesStore& store,
                                                 Millis at,
                                                 PrometheusVersion version) {
  Evaluator evaluator{store, at, version};
  Value value = evaluator.value(expr);
  if (evaluator.failure()) return *evaluator.failure();
  if (value.is_scalar) return Vector{{{}, value.scalar}};
  return std::move(value.vector);
}

}  // namespace tenure::alert
