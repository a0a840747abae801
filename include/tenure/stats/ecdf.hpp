// The empirical distribution of a metric, with a band that encloses the true one as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <tenure/stats/interval.hpp>
#include <tenure/stats/summary.hpp>

namespace tenure::stats {

// Half the width of the band of Dvoretzky, Kiefer and Wolfowitz with Massart's constant (Annals of
// Probability 18, 1990): sqrt(ln(2 / alpha) / (2 n)). It holds for all values at once, so it says
// nothing in the tails; quantiles have intervals of their own (quantile_ranks). n > 0.
double dkw_half_width(std::size_t n, double alpha = usual_alpha);

// The number of samples that makes the band so narrow. 0 < half_width < 1.
std::size_t samples_for_band(double half_width, double alpha = usual_alpha);

// From here on, up to the next step, so many samples are at most `value`.
struct EcdfStep {
  std::int64_t value = 0;
  std::size_t at_most = 0;

  friend bool operator==(const EcdfStep&, const EcdfStep&) = default;
};

// A staircase from 0 to the share of samples that are not censored: a censored one lies above every
// value, and so the rest of the way to 1 is never climbed.
class Ecdf {
 public:
  // Refers to `ordered` from then on; it holds a sample.
  explicit Ecdf(const Ordered& ordered, double alpha = usual_alpha);

  std::size_t size() const { return ordered_->size(); }
  double half_width() const { return half_width_; }

  // The share of samples at most `value`, and what the true share lies in.
  double share(std::int64_t value) const;
  ShareInterval band(std::int64_t value) const;

  // Every step of the staircase, at most one for each different value.
  std::vector<EcdfStep> steps() const;

  // At most `most` >= 2 of them, the first and the last included: of steps that are too close to be
  // told apart, when the height is divided evenly, the last one stands for all.
  std::vector<EcdfStep> thinned(std::size_t most) const;

 private:
  const Ordered* ordered_;
  double half_width_;
};

// The largest distance between two distributions, of Kolmogorov and Smirnov, and whether it is more
// than the two bands together leave room for: a flag that they differ, not a measure of how.
struct EcdfDistance {
  double distance = 0;
  bool differs = false;
};

// Nothing when one of them has no samples.
std::optional<EcdfDistance> distance_between(const Ordered& a,
                                             const Ordered& b,
                                             double alpha = usual_alpha);

}  // namespace tenure::stats
