// Confidence intervals: for quantiles from order statistics, which assume nothing about the
// distribution, for probabilities, and for means. All at 95 % unless said otherwise.
//
// These figures are shown and compared, they never feed back into a run; so libm may be used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <tenure/base/ratio.hpp>
#include <tenure/stats/sample.hpp>

namespace tenure::stats {

// 1.96: the 97.5 % quantile of the standard normal distribution.
inline constexpr double normal_975 = 1.959963984540054;

enum class Sides : std::uint8_t { one, two };

// Ranks l, u of the order statistics that enclose a quantile with equal tails: x(l) lies above the
// quantile, and x(u) below it, with a probability of at most 2.5 % each.
struct RankInterval {
  std::optional<std::size_t> lower;  // nothing: no sample is low enough to be an end
  std::optional<std::size_t> upper;  // nothing: no sample is high enough
  double coverage = 0;               // the probability to enclose the quantile, at least 0.95

  friend bool operator==(const RankInterval&, const RankInterval&) = default;
};

RankInterval quantile_ranks(Ratio q, std::size_t n);

// The smallest number of samples whose largest one bounds the q-quantile from above: q^n <= 0.05
// on one side, 0.025 with two equal tails (299 and 368 for q = 0.99). And the same for the smallest
// sample from below. 0 < q < 1.
std::size_t samples_for_upper_end(Ratio q, Sides sides);
std::size_t samples_for_lower_end(Ratio q, Sides sides);

struct ShareInterval {
  double lower = 0;  // in [0, 1]
  double upper = 1;

  friend bool operator==(const ShareInterval&, const ShareInterval&) = default;
};

// Wilson's score interval (JASA 22, 1927): for display. `events` out of `runs` > 0.
ShareInterval wilson(std::uint64_t events, std::uint64_t runs);

// The interval of Clopper and Pearson (Biometrika 26, 1934): covers at least 95 %, so for a stated
// guarantee ("at most").
ShareInterval clopper_pearson(std::uint64_t events, std::uint64_t runs);

// The probability that is exceeded with at most 5 % confidence when no event was seen in `runs`
// runs: 1 - 0.05^(1/n), the exact form of the rule of three.
double upper_without_events(std::uint64_t runs);

// What a statement about a probability rests on: the interval of Clopper and Pearson, or when there
// was no event, or nothing but events, the one-sided bound above, 0.05^(1/n) from below.
ShareInterval guaranteed_share(std::uint64_t events, std::uint64_t runs);

// Mean -+ 1.96 standard errors, in the metric's unit; nothing for fewer than two samples or when
// one is censored. Normal theory: rough where a few samples dominate.
struct MeanInterval {
  double lower = 0;
  double upper = 0;

  friend bool operator==(const MeanInterval&, const MeanInterval&) = default;
};

std::optional<MeanInterval> mean_interval(const Samples& samples);

}  // namespace tenure::stats
