// The formulas are those of promql/functions.go: v2.42 for version 2, 003b9e9 (3.x) for version 3.
#include "range_functions.hpp"

#include <cmath>

namespace tenure::alert {
namespace {

using Samples = std::span<const Sample>;

double seconds(Millis duration) {
  return static_cast<double>(duration) / 1000;
}

// time.Duration.Seconds of Go, which adds whole seconds and a fraction.
double go_seconds(Millis duration) {
  const Millis nanos = duration % 1000 * 1'000'000;
  return static_cast<double>(duration / 1000) + static_cast<double>(nanos) / 1e9;
}

double increase_of(Samples samples, bool is_counter) {
  double increase = samples.back().value - samples.front().value;
  if (!is_counter) return increase;
  double before = samples.front().value;
  for (const Sample& sample : samples.subspan(1)) {
    if (sample.value < before) increase += before;  // the counter began again at 0
    before = sample.value;
  }
  return increase;
}

// How far the slope that was sampled is taken to reach beyond its first and last sample.
struct Reach {
  double to_start = 0;
  double to_end = 0;
  double sampled = 0;
  double average = 0;  // between two samples

  double threshold() const { return average * 1.1; }
};

// A counter is never below 0: where its line meets 0 is as early as it can have begun.
void end_at_zero(Reach& reach, double first, double increase) {
  const double to_zero = reach.sampled * (first / increase);
  if (to_zero < reach.to_start) reach.to_start = to_zero;
}

// The order of the additions is part of the result, to the last bit.
double factor_v2(Reach reach, bool has_zero, double first, double increase) {
  if (has_zero) end_at_zero(reach, first, increase);
  double interval = reach.sampled;
  interval += reach.to_start < reach.threshold() ? reach.to_start : reach.average / 2;
  interval += reach.to_end < reach.threshold() ? reach.to_end : reach.average / 2;
  return interval / reach.sampled;
}

double factor_v3(Reach reach, bool has_zero, double first, double increase) {
  if (reach.to_start >= reach.threshold()) reach.to_start = reach.average / 2;
  if (has_zero) end_at_zero(reach, first, increase);
  if (reach.to_end >= reach.threshold()) reach.to_end = reach.average / 2;
  return (reach.sampled + reach.to_start + reach.to_end) / reach.sampled;
}

std::optional<double> extrapolated(Function function,
                                   const Window& window,
                                   PrometheusVersion version) {
  const Samples samples = window.samples;
  if (samples.size() < 2) return std::nullopt;
  const bool is_counter = function != Function::delta;
  const double increase = increase_of(samples, is_counter);
  Reach reach;
  reach.to_start = seconds(samples.front().at - window.begin);
  reach.to_end = seconds(window.end - samples.back().at);
  reach.sampled = seconds(samples.back().at - samples.front().at);
  reach.average = reach.sampled / static_cast<double>(samples.size() - 1);
  const double first = samples.front().value;
  const bool has_zero = is_counter && increase > 0 && first >= 0;
  double factor = version == PrometheusVersion::v2 ? factor_v2(reach, has_zero, first, increase)
                                                   : factor_v3(reach, has_zero, first, increase);
  if (function == Function::rate) factor /= go_seconds(window.end - window.begin);
  return increase * factor;
}

std::optional<double> instant_rate(Samples samples) {
  if (samples.size() < 2) return std::nullopt;
  const Sample& last = samples.back();
  const Sample& before = samples[samples.size() - 2];
  const double increase = last.value < before.value ? last.value : last.value - before.value;
  return increase / seconds(last.at - before.at);
}

double changes(Samples samples) {
  int count = 0;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    const double before = samples[i - 1].value;
    const double value = samples[i].value;
    if (value != before && !(std::isnan(value) && std::isnan(before))) ++count;
  }
  return count;
}

double resets(Samples samples) {
  int count = 0;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    if (samples[i].value < samples[i - 1].value) ++count;
  }
  return count;
}

double extreme(Samples samples, bool greatest) {
  double found = samples.front().value;
  for (const Sample& sample : samples) {
    const bool is_better = greatest ? sample.value > found : sample.value < found;
    if (is_better || std::isnan(found)) found = sample.value;
  }
  return found;
}

double sum(Samples samples, PrometheusVersion version) {
  CompensatedSum out{version};
  for (const Sample& sample : samples) out.add(sample.value);
  return out.value();
}

double mean_v2(Samples samples) {
  CompensatedSum mean{PrometheusVersion::v2};
  double count = 0;
  for (const Sample& sample : samples) {
    ++count;
    const double value = sample.value;
    const double so_far = mean.sum();
    const bool same_infinity = std::isinf(value) && (so_far > 0) == (value > 0);
    // An infinite mean stays what it is unless the opposite infinity or no number comes.
    if (std::isinf(so_far) && (same_infinity || std::isfinite(value))) continue;
    mean.add(value / count - so_far / count);
  }
  return mean.value();
}

double mean_v3(Samples samples) {
  CompensatedMean mean{samples.front().value};
  for (const Sample& sample : samples.subspan(1)) mean.add(sample.value);
  return mean.value();
}

}  // namespace

void CompensatedSum::add(double value) {
  const double next = sum_ + value;
  if (version_ == PrometheusVersion::v3 && std::isinf(next)) {
    compensation_ = 0;
  } else if (std::fabs(sum_) >= std::fabs(value)) {
    compensation_ += (sum_ - next) + value;
  } else {
    compensation_ += (value - next) + sum_;
  }
  sum_ = next;
}

double CompensatedSum::value() const {
  return std::isinf(sum_) ? sum_ : sum_ + compensation_;
}

void CompensatedMean::add(double value) {
  ++count_;
  if (!is_incremental_) {
    CompensatedSum next = sum_;
    next.add(value);
    if (!std::isinf(next.sum_)) {
      sum_ = next;
      return;
    }
    is_incremental_ = true;
    sum_.sum_ /= count_ - 1;
    sum_.compensation_ /= count_ - 1;
  }
  const double share = (count_ - 1) / count_;
  CompensatedSum next{PrometheusVersion::v3, share * sum_.sum_};
  next.compensation_ = share * sum_.compensation_;
  next.add(value / count_);
  sum_ = next;
}

double CompensatedMean::value() const {
  if (is_incremental_) return sum_.sum_ + sum_.compensation_;
  return sum_.sum_ / count_ + sum_.compensation_ / count_;
}

std::optional<double> value_of(Function function, const Window& window, PrometheusVersion version) {
  const Samples samples = window.samples;
  if (samples.empty()) return std::nullopt;
  switch (function) {
    case Function::increase:
    case Function::rate:
    case Function::delta:
      return extrapolated(function, window, version);
    case Function::irate:
      return instant_rate(samples);
    case Function::changes:
      return changes(samples);
    case Function::resets:
      return resets(samples);
    case Function::min_over_time:
      return extreme(samples, false);
    case Function::max_over_time:
      return extreme(samples, true);
    case Function::avg_over_time:
      return version == PrometheusVersion::v2 ? mean_v2(samples) : mean_v3(samples);
    case Function::sum_over_time:
      return sum(samples, version);
    case Function::count_over_time:
      return static_cast<double>(samples.size());
    case Function::last_over_time:
      return samples.back().value;
    default:
      return std::nullopt;
  }
}

}  // namespace tenure::alert
