// Binary operators (promql/engine.go, VectorBinop and vectorElemBinop).
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "evaluator.hpp"

namespace tenure::alert {
namespace {

// math.Pow of Go for a whole exponent: the result depends on the order of the multiplications.
double go_power_of_whole(double base, std::int64_t exponent, bool inverts) {
  double result = 1;
  int result_exponent = 0;
  int base_exponent = 0;
  double factor = std::frexp(base, &base_exponent);
  for (std::int64_t i = exponent; i != 0; i >>= 1U) {
    if (base_exponent < -(1 << 12) || base_exponent > 1 << 12) {
      // It overflows or underflows, whatever the rest is.
      result_exponent += base_exponent;
      break;
    }
    if ((i & 1) == 1) {
      result *= factor;
      result_exponent += base_exponent;
    }
    factor *= factor;
    base_exponent *= 2;
    if (factor < .5) {
      factor += factor;
      --base_exponent;
    }
  }
  if (inverts) {
    result = 1 / result;
    result_exponent = -result_exponent;
  }
  return std::ldexp(result, result_exponent);
}

double go_power(double base, double exponent) {
  if (exponent == 0 || base == 1) return 1;
  if (exponent == 1) return base;
  if (std::isnan(base)) return base;
  const bool is_special = base == 0 || std::isinf(base);
  if (is_special) return std::pow(base, exponent);  // C and Go agree about these
  if (exponent == 0.5) return std::sqrt(base);
  if (exponent == -0.5) return 1 / std::sqrt(base);
  return go_power_of_whole(base, static_cast<std::int64_t>(std::fabs(exponent)), exponent < 0);
}

// What two elements must have in common.
Labels signature(const Labels& labels, const Matching& matching) {
  Labels out;
  if (matching.on) {
    for (const std::string& name : matching.labels) out.set(name, labels.of(name));
    return out;
  }
  out = labels;
  out.erase(metric_name_label);
  for (const std::string& name : matching.labels) out.erase(name);
  return out;
}

Labels result_labels(const Binary& binary, const Labels& left) {
  Labels out;
  if (binary.matching.on) {
    for (const std::string& name : binary.matching.labels) out.set(name, left.of(name));
  } else {
    out = left;
    for (const std::string& name : binary.matching.labels) out.erase(name);
  }
  if (drops_metric_name(binary.op) || binary.returns_bool) out.erase(metric_name_label);
  return out;
}

Vector set_operation(const Binary& binary, const Vector& left, const Vector& right) {
  std::set<Labels> seen;
  const bool from_left = binary.op == BinaryOp::logical_or;
  for (const Element& element : from_left ? left : right) {
    seen.insert(signature(element.labels, binary.matching));
  }
  const auto is_seen = [&](const Element& element) {
    return seen.count(signature(element.labels, binary.matching)) > 0;
  };
  Vector out;
  if (from_left) {
    out = left;
    for (const Element& element : right) {
      if (!is_seen(element)) out.push_back(element);
    }
    return out;
  }
  for (const Element& element : left) {
    if (is_seen(element) == (binary.op == BinaryOp::logical_and)) out.push_back(element);
  }
  return out;
}

}  // namespace

bool drops_metric_name(BinaryOp op) {
  return op <= BinaryOp::power;
}

Computed computed(BinaryOp op, double left, double right) {
  switch (op) {
    case BinaryOp::add:
      return {left + right};
    case BinaryOp::subtract:
      return {left - right};
    case BinaryOp::multiply:
      return {left * right};
    case BinaryOp::divide:
      return {left / right};
    case BinaryOp::modulo:
      return {std::fmod(left, right)};
    case BinaryOp::power:
      return {go_power(left, right)};
    case BinaryOp::equal:
      return {left, left == right};
    case BinaryOp::different:
      return {left, left != right};
    case BinaryOp::less:
      return {left, left < right};
    case BinaryOp::at_most:
      return {left, left <= right};
    case BinaryOp::more:
      return {left, left > right};
    case BinaryOp::at_least:
      return {left, left >= right};
    case BinaryOp::logical_and:
    case BinaryOp::logical_or:
    case BinaryOp::unless:
      break;
  }
  return {};
}

Vector combined(const Binary& binary,
                const Vector& left,
                const Vector& right,
                std::optional<EvaluationFailure>& failure) {
  if (binary.op >= BinaryOp::logical_and) return set_operation(binary, left, right);
  Vector out;
  if (left.empty() || right.empty()) return out;
  std::map<Labels, const Element*> partners;
  for (const Element& element : right) {
    const auto [at, is_new] =
        partners.emplace(signature(element.labels, binary.matching), &element);
    if (is_new) continue;
    failure = EvaluationFailure{fmt::format(
        "found duplicate series for the match group {} on the right hand-side of the operation: "
        "[{}, {}]; many-to-many matching not allowed: matching labels must be unique on one side",
        to_text(at->first), to_text(element.labels), to_text(at->second->labels))};
    return out;
  }
  std::set<Labels> paired;
  for (const Element& element : left) {
    Labels common = signature(element.labels, binary.matching);
    const auto partner = partners.find(common);
    if (partner == partners.end()) continue;
    Computed one = computed(binary.op, element.value, partner->second->value);
    if (binary.returns_bool) one = {static_cast<double>(one.keep), true};
    if (!one.keep) continue;
    if (!paired.insert(std::move(common)).second) {
      failure = EvaluationFailure{
          "multiple matches for labels: many-to-one matching must be explicit "
          "(group_left/group_right)"};
      return out;
    }
    out.push_back({result_labels(binary, element.labels), one.value});
  }
  return out;
}

}  // namespace tenure::alert
