// The figures of one metric: count, mean, quantiles, each with the sample it was read from, and
// each absent where the samples do not carry it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <tenure/base/ratio.hpp>
#include <tenure/stats/sample.hpp>

namespace tenure::stats {

// A value that was observed, and where.
struct Observed {
  std::int64_t value = 0;
  std::size_t index = 0;  // the first sample with this value; `Samples::run_of` names the run

  friend bool operator==(const Observed&, const Observed&) = default;
};

// The samples in ascending order, censored ones behind all others. Sorting is the expensive part of
// every figure, so it is done once per metric and shared.
class Ordered {
 public:
  explicit Ordered(const Samples& samples);  // keeps a reference to `samples`

  const Samples& samples() const { return *samples_; }
  std::size_t size() const { return samples_->size(); }
  std::size_t uncensored() const { return values_.size(); }

  // The `rank`-th smallest sample, ranks from 1 to size(); nothing if it is a censored one.
  std::optional<std::int64_t> at(std::size_t rank) const;

  // How many samples are below `value`, and how many at most `value`.
  std::size_t below(std::int64_t value) const;
  std::size_t at_most(std::int64_t value) const;

  // The value together with its first sample in order of run; it must occur.
  Observed locate(std::int64_t value) const;

 private:
  const Samples* samples_;
  std::vector<std::int64_t> values_;  // the uncensored ones
};

// ceil(q n), at least 1, in exact arithmetic: the rank of the q-quantile of n samples (type 1 of
// Hyndman and Fan, 1996), which is always an observed value. 0 < q <= 1.
std::size_t quantile_rank(Ratio q, std::size_t n);

// The smallest number of samples for which a q-quantile is shown: the largest of n samples is then
// an upper bound of it with 95 % confidence, q^n <= 0.05. 29 for p90, 59 for p95, 299 for p99; 1 up
// to the median.
std::size_t least_samples_shown(Ratio q);

// The q-quantile; nothing if there are too few samples to show it or if it falls on a censored one.
std::optional<Observed> quantile(const Ordered& ordered, Ratio q);

// Rounded to the nearest whole unit, a half away from zero, from an exact sum; nothing without
// samples or when one is censored.
std::optional<std::int64_t> mean(const Samples& samples);

struct Summary {
  Unit unit = Unit::nanosecond;
  std::size_t n = 0;
  std::size_t censored = 0;
  std::optional<Observed> min;  // of the uncensored samples
  std::optional<std::int64_t> mean;
  std::optional<Observed> p50, p90, p95, p99;
  std::optional<Observed> max;  // nothing when a sample is censored

  friend bool operator==(const Summary&, const Summary&) = default;
};

Summary summary_of(const Ordered& ordered);

}  // namespace tenure::stats
