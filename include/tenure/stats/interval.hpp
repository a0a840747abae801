// Confidence intervals: for quantiles from order statistics, which assume nothing about the
// distribution, for probabilities, and for means. Each misses the truth with a probability of at
// most `alpha`, half of it on either side; 5 % unless said otherwise.
//
// These figures are shown and compared, they never feed back into a run; so libm may be used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <tenure/base/ratio.hpp>
#include <tenure/stats/sample.hpp>

namespace tenure::stats {

inline constexpr double usual_alpha = 0.05;

// What a standard normal variable exceeds with probability alpha / 2: 1.96 for 5 %.
double normal_quantile(double alpha);

enum class Sides : std::uint8_t { one, two };

// Ranks l, u of the order statistics that enclose a quantile with equal tails: x(l) lies above the
// quantile, and x(u) below it, with a probability of at most alpha / 2 each.
struct RankInterval {
  std::optional<std::size_t> lower;  // nothing: no sample is low enough to be an end
  std::optional<std::size_t> upper;  // nothing: no sample is high enough
  double coverage = 0;               // the probability to enclose the quantile, at least 1 - alpha

  friend bool operator==(const RankInterval&, const RankInterval&) = default;
};

RankInterval quantile_ranks(Ratio q, std::size_t n, double alpha = usual_alpha);

// The smallest number of samples whose largest one bounds the q-quantile from above: q^n <= alpha
// on one side, alpha / 2 with two equal tails (299 and 368 for q = 0.99). And the same for the
// smallest sample from below. 0 < q < 1.
std::size_t samples_for_upper_end(Ratio q, Sides sides, double alpha = usual_alpha);
std::size_t samples_for_lower_end(Ratio q, Sides sides, double alpha = usual_alpha);

struct ShareInterval {
  double lower = 0;  // in [0, 1]
  double upper = 1;

  friend bool operator==(const ShareInterval&, const ShareInterval&) = default;
};

// Wilson's score interval (JASA 22, 1927): for display. `events` out of `runs` > 0.
ShareInterval wilson(std::uint64_t events, std::uint64_t runs, double alpha = usual_alpha);

// The interval of Clopper and Pearson (Biometrika 26, 1934): covers at least 1 - alpha, so for a
// stated guarantee ("at most").
ShareInterval clopper_pearson(std::uint64_t events, std::uint64_t runs, double alpha = usual_alpha);

// The probability that is exceeded with at most 5 % confidence when no event was seen in `runs`
// runs: 1 - 0.05^(1/n), the exact form of the rule of three; alpha in place of the 5 %.
double upper_without_events(std::uint64_t runs, double alpha = usual_alpha);

// What a statement about a probability rests on: the interval of Clopper and Pearson, or when there
// was no event, or nothing but events, the one-sided bound above, 0.05^(1/n) from below. All of
// alpha is on one side then.
ShareInterval guaranteed_share(std::uint64_t events,
                               std::uint64_t runs,
                               double alpha = usual_alpha);

// Mean -+ 1.96 standard errors, in the metric's unit; nothing for fewer than two samples or when
// one is censored. Normal theory: rough where a few samples dominate.
struct MeanInterval {
  double lower = 0;
  double upper = 0;

  friend bool operator==(const MeanInterval&, const MeanInterval&) = default;
};

std::optional<MeanInterval> mean_interval(const Samples& samples, double alpha = usual_alpha);

// "95 %" for an alpha of 0.05, "99.17 %" for 1/120.
std::string level_text(double alpha);

}  // namespace tenure::stats
