// The value of an expression at an instant, with the arithmetic of Prometheus.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <tenure/alert/promql.hpp>
#include <tenure/alert/series.hpp>

namespace tenure::alert {

// What changed with version 3.0: ranges and the lookback no longer hold a sample at their very
// beginning, extrapolation ends at zero first, and sums and means are compensated (Kahan, Neumaier)
// in more places. Version 2 is v2.42.
enum class PrometheusVersion : std::uint8_t { v2, v3 };

inline constexpr Millis lookback = 5 * 60 * 1000;

struct Element {
  Labels labels;
  double value = 0;
};
using Vector = std::vector<Element>;

// Prometheus evaluates such an expression only for other series: many-to-many matching, say.
struct EvaluationFailure {
  std::string text;
};

// A scalar is a vector of one element without labels.
std::variant<Vector, EvaluationFailure> evaluate(const Expr& expr,
                                                 const SeriesStore& store,
                                                 Millis at,
                                                 PrometheusVersion version);

}  // namespace tenure::alert
