#include <algorithm>
#include <cmath>

#include <boost/math/policies/policy.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <fmt/format.h>

#include <tenure/base/assert.hpp>
#include <tenure/stats/interval.hpp>

namespace tenure::stats {
namespace {

namespace policies = boost::math::policies;

// Nothing here throws, and results stay in double: the same on every machine.
using Policy = policies::policy<policies::domain_error<policies::ignore_error>,
                                policies::pole_error<policies::ignore_error>,
                                policies::overflow_error<policies::ignore_error>,
                                policies::underflow_error<policies::ignore_error>,
                                policies::evaluation_error<policies::ignore_error>,
                                policies::promote_double<false>>;

double value_of(Ratio q) {
  return static_cast<double>(q.numerator) / static_cast<double>(q.denominator);
}

// P(at most k of n) when each happens with probability q.
double binomial_at_most(std::size_t k, std::size_t n, double q) {
  if (k >= n) return 1;
  return boost::math::ibetac(static_cast<double>(k) + 1, static_cast<double>(n - k), q, Policy());
}

// P(at least k of n); not 1 - the above, which would lose the small values that matter.
double binomial_at_least(std::size_t k, std::size_t n, double q) {
  if (k == 0) return 1;
  return boost::math::ibeta(static_cast<double>(k), static_cast<double>(n - k) + 1, q, Policy());
}

// The first k in [first, last] with holds(k), last + 1 if there is none; once true, it stays true.
template <class Predicate>
std::size_t first_where(std::size_t first, std::size_t last, Predicate holds) {
  std::size_t end = last + 1;
  while (first < end) {
    const std::size_t middle = first + (end - first) / 2;
    if (holds(middle)) {
      end = middle;
    } else {
      first = middle + 1;
    }
  }
  return end;
}

// The smallest n with share^n <= level.
std::size_t power_falls_to(double share, double level) {
  auto n = static_cast<std::size_t>(std::ceil(std::log(level) / std::log(share)));
  while (n > 1 && std::pow(share, static_cast<double>(n - 1)) <= level) --n;
  while (std::pow(share, static_cast<double>(n)) > level) ++n;
  return n;
}

double level_of(Sides sides, double alpha) {
  return sides == Sides::one ? alpha : alpha / 2;
}

}  // namespace

double normal_quantile(double alpha) {
  TENURE_ASSERT(alpha > 0 && alpha < 1, "an error probability lies inside (0, 1)");
  return std::sqrt(2.0) * boost::math::erfc_inv(alpha, Policy());
}

std::string level_text(double alpha) {
  return fmt::format("{:.4g} %", 100 * (1 - alpha));
}

RankInterval quantile_ranks(Ratio q, std::size_t n, double alpha) {
  const double tail = alpha / 2;
  RankInterval found;
  const double share = value_of(q);
  const auto too_high = [&](std::size_t l) { return binomial_at_most(l - 1, n, share) > tail; };
  const auto high_enough = [&](std::size_t u) { return binomial_at_least(u, n, share) <= tail; };
  const std::size_t lower = first_where(1, n, too_high) - 1;
  const std::size_t upper = first_where(1, n, high_enough);
  if (lower >= 1) found.lower = lower;
  if (upper <= n) found.upper = upper;
  const double missed_below = found.lower ? binomial_at_most(lower - 1, n, share) : 0;
  const double missed_above = found.upper ? binomial_at_least(upper, n, share) : 0;
  found.coverage = 1 - missed_below - missed_above;
  return found;
}

std::size_t samples_for_upper_end(Ratio q, Sides sides, double alpha) {
  TENURE_ASSERT(q.numerator > 0 && q.numerator < q.denominator, "a quantile inside (0, 1)");
  return power_falls_to(value_of(q), level_of(sides, alpha));
}

std::size_t samples_for_lower_end(Ratio q, Sides sides, double alpha) {
  return samples_for_upper_end({q.denominator - q.numerator, q.denominator}, sides, alpha);
}

ShareInterval wilson(std::uint64_t events, std::uint64_t runs, double alpha) {
  TENURE_ASSERT(runs > 0 && events <= runs, "a share is of something");
  const auto n = static_cast<double>(runs);
  const double p = static_cast<double>(events) / n;
  const double z = normal_quantile(alpha);
  const double z2 = z * z;
  const double middle = (p + z2 / (2 * n)) / (1 + z2 / n);
  const double half = z * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n);
  return {events == 0 ? 0 : std::max(0.0, middle - half),
          events == runs ? 1 : std::min(1.0, middle + half)};
}

ShareInterval clopper_pearson(std::uint64_t events, std::uint64_t runs, double alpha) {
  TENURE_ASSERT(runs > 0 && events <= runs, "a share is of something");
  const auto k = static_cast<double>(events);
  const auto n = static_cast<double>(runs);
  const double tail = alpha / 2;
  ShareInterval found;
  if (events > 0) found.lower = boost::math::ibeta_inv(k, n - k + 1, tail, Policy());
  if (events < runs) found.upper = boost::math::ibetac_inv(k + 1, n - k, tail, Policy());
  return found;
}

double upper_without_events(std::uint64_t runs, double alpha) {
  TENURE_ASSERT(runs > 0, "without runs nothing is known");
  return -std::expm1(std::log(alpha) / static_cast<double>(runs));
}

ShareInterval guaranteed_share(std::uint64_t events, std::uint64_t runs, double alpha) {
  if (events == 0) return {0, upper_without_events(runs, alpha)};
  if (events == runs) return {1 - upper_without_events(runs, alpha), 1};
  return clopper_pearson(events, runs, alpha);
}

std::optional<MeanInterval> mean_interval(const Samples& samples, double alpha) {
  if (samples.size() < 2 || !samples.censored_at().empty()) return std::nullopt;
  const auto n = static_cast<double>(samples.size());
  double sum = 0;
  for (const std::int64_t value : samples.values()) sum += static_cast<double>(value);
  const double mean = sum / n;
  double squares = 0;
  for (const std::int64_t value : samples.values()) {
    const double distance = static_cast<double>(value) - mean;
    squares += distance * distance;
  }
  const double half = normal_quantile(alpha) * std::sqrt(squares / (n - 1) / n);
  return MeanInterval{mean - half, mean + half};
}

}  // namespace tenure::stats
