// What a change of setting did to a metric: the difference of a figure between two sets of runs,
// with a 95 % interval.
//
// Run k of one set and run k of the other share their random numbers when both have the same seed,
// so they are compared as pairs: what is resampled are pairs of runs, with all samples of each run,
// and what was luck of both cancels out. Otherwise each set is resampled by itself. The bootstrap
// (Efron, 1979) takes its choices from fixed streams, so that the same samples always give the same
// interval.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <tenure/base/ratio.hpp>
#include <tenure/stats/interval.hpp>
#include <tenure/stats/sample.hpp>
#include <tenure/stats/threshold.hpp>

namespace tenure::stats {

inline constexpr std::size_t bootstrap_replicates = 2000;

// Below so many samples a bootstrap of means knows too few values to vary.
inline constexpr std::size_t least_for_mean = 30;

enum class Pairing : std::uint8_t { paired, unpaired };

struct Figure {
  Aggregation aggregation = Aggregation::mean;  // mean, or quantile
  Ratio quantile{1, 2};

  friend bool operator==(const Figure&, const Figure&) = default;
};

// Of the second set less that of the first. Infinite where one of the two falls on a censored
// sample, which is longer than every bound.
struct Difference {
  std::optional<double> base;  // in the metric's unit, means of counts too; nothing: not carried by
  std::optional<double> other;           // the samples, as in a summary
  std::optional<MeanInterval> interval;  // 95 %; nothing: too few samples
  double p = 1;  // the probability of a difference so large, or larger, by luck; at least 1/1000

  // The whole interval lies on one side of zero.
  bool is_above() const { return interval && interval->lower > 0; }
  bool is_below() const { return interval && interval->upper < 0; }
};

// The same metric in both sets.
struct ComparedSamples {
  const Samples* base = nullptr;
  const Samples* other = nullptr;
};

// For each metric the differences of `figures`, whose quantiles ascend. The sets are of the runs 0
// to base_runs - 1 and 0 to other_runs - 1; paired sets have as many. Takes time in proportion to
// runs and replicates: some 10 ns for each of both and metric.
std::vector<std::vector<Difference>> differences(std::span<const ComparedSamples> metrics,
                                                 std::span<const Figure> figures,
                                                 std::uint64_t base_runs,
                                                 std::uint64_t other_runs,
                                                 Pairing pairing);

// Of the shares of runs with an event, which need not be known run by run: Newcombe's interval
// (Statistics in Medicine 17, 1998, method 10), made of the two intervals of Wilson. All > 0 runs.
struct ShareDifference {
  double base = 0;
  double other = 0;
  ShareInterval interval;  // of other - base, in [-1, 1]
};
ShareDifference share_difference(std::uint64_t base_events,
                                 std::uint64_t base_runs,
                                 std::uint64_t other_events,
                                 std::uint64_t other_runs);

// Which of many findings stand when at most the share `rate` of those that stand should be luck
// (Benjamini and Hochberg, 1995): with the p ascending, all up to the last k with p_k <= rate k /
// m.
std::vector<bool> findings_that_stand(std::span<const double> p, double rate = usual_alpha);

}  // namespace tenure::stats
