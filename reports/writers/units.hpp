// Units and field names of metrics in result files, for writing and for reading them.
#pragma once

#include <string>
#include <string_view>

#include <tenure/check/metrics.hpp>
#include <tenure/run/campaign.hpp>
#include <tenure/run/result.hpp>
#include <tenure/stats/sample.hpp>

namespace tenure::report {

inline std::string_view unit_text(check::MetricId id) {
  if (id == check::MetricId::leaderless) return "share";
  switch (run::unit_of(id)) {
    case stats::Unit::nanosecond:
      return "ns";
    case stats::Unit::billionth:
      return "1/s";
    case stats::Unit::one:
      return "count";
  }
  return "";
}

// "p99Ns": times are whole nanoseconds, and say so.
inline std::string unit_field(std::string_view name, stats::Unit unit) {
  return std::string{name} + (unit == stats::Unit::nanosecond ? "Ns" : "");
}

// Shares and rates are coded as whole billionths.
inline std::string samples_field(stats::Unit unit) {
  return unit_field(unit == stats::Unit::billionth ? "samplesBillionths" : "samples", unit);
}

// The unit of what a threshold compares: a count of samples is no time.
inline stats::Unit compared_unit(const run::ThresholdResult& threshold, stats::Unit metric) {
  switch (threshold.threshold.aggregation) {
    case stats::Aggregation::count:
      return stats::Unit::one;
    case stats::Aggregation::rate:
      return stats::Unit::billionth;
    case stats::Aggregation::mean:
      return metric == stats::Unit::one ? stats::Unit::billionth : metric;
    default:
      return metric;
  }
}

}  // namespace tenure::report
