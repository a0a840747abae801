// sum, min, max, avg and count (promql/engine.go, aggregation).
#include <algorithm>
#include <cmath>
#include <map>

#include "evaluator.hpp"
#include "range_functions.hpp"

namespace tenure::alert {
namespace {

Labels group_of(const Aggregation& aggregation, const Labels& labels) {
  Labels out;
  if (aggregation.without) {
    out = labels;
    out.erase(metric_name_label);
    for (const std::string& name : aggregation.labels) out.erase(name);
  } else {
    for (const std::string& name : aggregation.labels) out.set(name, labels.of(name));
  }
  return out;
}

using Values = std::vector<double>;

double sum(const Values& values, PrometheusVersion version) {
  CompensatedSum compensated{version, values.front()};
  double plain = values.front();
  for (std::size_t i = 1; i < values.size(); ++i) {
    compensated.add(values[i]);
    plain += values[i];
  }
  return version == PrometheusVersion::v2 ? plain : compensated.value();
}

double mean_v2(const Values& values) {
  double mean = values.front();
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double value = values[i];
    const bool same_infinity = std::isinf(value) && (mean > 0) == (value > 0);
    if (std::isinf(mean) && (same_infinity || std::isfinite(value))) continue;
    const auto count = static_cast<double>(i + 1);
    mean += value / count - mean / count;
  }
  return mean;
}

double mean(const Values& values, PrometheusVersion version) {
  if (version == PrometheusVersion::v2) return mean_v2(values);
  CompensatedMean out{values.front()};
  for (std::size_t i = 1; i < values.size(); ++i) out.add(values[i]);
  return out.value();
}

double extreme(const Values& values, bool greatest) {
  double found = values.front();
  for (const double value : values) {
    if ((greatest ? found < value : found > value) || std::isnan(found)) found = value;
  }
  return found;
}

double value_of_group(Aggregation::Op op, const Values& values, PrometheusVersion version) {
  switch (op) {
    case Aggregation::Op::sum:
      return sum(values, version);
    case Aggregation::Op::min:
      return extreme(values, false);
    case Aggregation::Op::max:
      return extreme(values, true);
    case Aggregation::Op::avg:
      return mean(values, version);
    case Aggregation::Op::count:
      return static_cast<double>(values.size());
  }
  return 0;
}

}  // namespace

Vector aggregated(const Aggregation& aggregation,
                  const Vector& elements,
                  PrometheusVersion version) {
  std::map<Labels, Values> groups;
  for (const Element& element : elements) {
    groups[group_of(aggregation, element.labels)].push_back(element.value);
  }
  Vector out;
  for (const auto& [labels, values] : groups) {
    out.push_back({labels, value_of_group(aggregation.op, values, version)});
  }
  return out;
}

}  // namespace tenure::alert
