// What functions make of the samples of one series in a range. Stale markers are not among them.
#pragma once

#include <optional>
#include <span>

#include <tenure/alert/evaluate.hpp>
#include <tenure/alert/promql.hpp>
#include <tenure/alert/series.hpp>

namespace tenure::alert {

struct Window {
  std::span<const Sample> samples;
  Millis begin = 0;
  Millis end = 0;
};

// Nothing: the series has no value there.
std::optional<double> value_of(Function function, const Window& window, PrometheusVersion version);

// A sum that keeps what rounding takes from it (Neumaier 1974).
class CompensatedSum {
 public:
  explicit CompensatedSum(PrometheusVersion version, double first = 0)
      : version_(version), sum_(first) {}

  void add(double value);
  double value() const;
  double sum() const { return sum_; }
  double compensation() const { return compensation_; }

 private:
  friend class CompensatedMean;
  PrometheusVersion version_;
  double sum_ = 0;
  double compensation_ = 0;
};

// The mean of version 3: the sum by the count, unless the sum overflows.
class CompensatedMean {
 public:
  explicit CompensatedMean(double first) : sum_(PrometheusVersion::v3, first) {}

  void add(double value);
  double value() const;

 private:
  CompensatedSum sum_;
  double count_ = 1;
  bool is_incremental_ = false;  // then sum_ holds the mean
};

}  // namespace tenure::alert
