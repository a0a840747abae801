// Comparing samples with laws. Every seed is fixed, so nothing here is flaky; the bands are as wide
// as chance alone makes them, at 4.5 standard errors (a two-sided probability of 7e-6), so that a
// band that is missed is a difference and not bad luck with a seed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <doctest/doctest.h>
#include <support/experiments.hpp>

namespace tenure::test {

inline constexpr double standard_errors = 4.5;

inline std::vector<double> failovers(const std::vector<Outcome>& outcomes) {
  std::vector<double> out;
  for (const Outcome& o : outcomes) {
    if (o.failover) out.push_back(*o.failover);
  }
  std::sort(out.begin(), out.end());
  return out;
}

template <class Predicate>
double share(const std::vector<Outcome>& outcomes, Predicate is_counted) {
  const auto counted = std::count_if(outcomes.begin(), outcomes.end(), is_counted);
  return static_cast<double>(counted) / static_cast<double>(outcomes.size());
}

inline bool overlaps(const Outcome& o) {
  return o.overlap > 0;
}

inline double mean(const std::vector<double>& sample) {
  double sum = 0;
  for (const double x : sample) sum += x;
  return sum / static_cast<double>(sample.size());
}

inline double deviation(const std::vector<double>& sample) {
  const double middle = mean(sample);
  double sum = 0;
  for (const double x : sample) sum += (x - middle) * (x - middle);
  return std::sqrt(sum / static_cast<double>(sample.size() - 1));
}

// The q-quantile of a sorted sample: its ceil(q n)-th value, clamped.
inline double quantile(const std::vector<double>& sorted, double q) {
  const double rank = std::ceil(q * static_cast<double>(sorted.size()));
  const double last = static_cast<double>(sorted.size());
  return sorted[static_cast<std::size_t>(std::clamp(rank, 1.0, last)) - 1];
}

// Two sample means differ by chance alone; the expected one comes from `reference` samples (0: from
// a formula), and was printed with an error of up to `rounding`.
inline void check_mean(const std::vector<double>& sample,
                       double expected,
                       double reference = 0,
                       double rounding = 0) {
  const double n = static_cast<double>(sample.size());
  const double variance = 1 / n + (reference > 0 ? 1 / reference : 0);
  const double band = standard_errors * deviation(sample) * std::sqrt(variance) + rounding;
  CHECK_MESSAGE(std::abs(mean(sample) - expected) <= band, "mean ", mean(sample), ", expected ",
                expected, " +- ", band);
}

// The expected q-quantile lies between two order statistics of the sample (binomial count below
// it).
inline void check_quantile(const std::vector<double>& sorted,
                           double q,
                           double expected,
                           double reference) {
  const double n = static_cast<double>(sorted.size());
  const double band = standard_errors * std::sqrt(q * (1 - q) * (1 / n + 1 / reference));
  const double low = quantile(sorted, q - band);
  const double high = quantile(sorted, q + band);
  CHECK_MESSAGE((low <= expected && expected <= high), "p", q * 100, " ", quantile(sorted, q),
                ", expected ", expected, " in ", low, " .. ", high);
}

// A share of runs, against a probability that was itself seen in `reference` draws (0: a formula).
inline void check_share(double found,
                        double expected,
                        std::size_t runs,
                        double reference = 0,
                        double rounding = 0) {
  const double n = static_cast<double>(runs);
  const double p = std::clamp(expected, 1 / n, 1 - 1 / n);
  const double variance = p * (1 - p) * (1 / n + (reference > 0 ? 1 / reference : 0));
  const double band = standard_errors * std::sqrt(variance) + rounding;
  CHECK_MESSAGE(std::abs(found - expected) <= band, "share ", found, ", expected ", expected,
                " +- ", band);
}

// Kolmogorov and Smirnov: the largest distance of the empirical from the uniform distribution on
// (low, high]; beyond 2.5 / sqrt(n) by chance with a probability of 7e-6.
inline void check_uniform(std::vector<double> sample, double low, double high) {
  std::sort(sample.begin(), sample.end());
  const double n = static_cast<double>(sample.size());
  double distance = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double expected = (sample[i] - low) / (high - low);
    const double below = static_cast<double>(i) / n;
    distance = std::max({distance, std::abs(expected - below), std::abs(expected - below - 1 / n)});
  }
  CHECK_MESSAGE(distance < 2.5 / std::sqrt(n), "distance ", distance, " from the uniform law on ",
                low, " .. ", high);
}

}  // namespace tenure::test
