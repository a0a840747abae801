#include <algorithm>
#include <cmath>

#include <tenure/base/assert.hpp>
#include <tenure/stats/ecdf.hpp>

namespace tenure::stats {
namespace {

double share_of(std::size_t part, std::size_t all) {
  return static_cast<double>(part) / static_cast<double>(all);
}

}  // namespace

double dkw_half_width(std::size_t n, double alpha) {
  TENURE_ASSERT(n > 0, "a distribution has samples");
  return std::sqrt(std::log(2 / alpha) / (2 * static_cast<double>(n)));
}

std::size_t samples_for_band(double half_width, double alpha) {
  TENURE_ASSERT(half_width > 0 && half_width < 1, "half a width lies inside (0, 1)");
  return static_cast<std::size_t>(std::ceil(std::log(2 / alpha) / (2 * half_width * half_width)));
}

Ecdf::Ecdf(const Ordered& ordered, double alpha)
    : ordered_(&ordered), half_width_(dkw_half_width(ordered.size(), alpha)) {}

double Ecdf::share(std::int64_t value) const {
  return share_of(ordered_->at_most(value), size());
}

ShareInterval Ecdf::band(std::int64_t value) const {
  const double middle = share(value);
  return {std::max(0.0, middle - half_width_), std::min(1.0, middle + half_width_)};
}

std::vector<EcdfStep> Ecdf::steps() const {
  std::vector<EcdfStep> all;
  for (std::size_t rank = 1; rank <= ordered_->uncensored(); ++rank) {
    const std::int64_t value = *ordered_->at(rank);
    if (!all.empty() && all.back().value == value)
      all.back().at_most = rank;
    else
      all.push_back({value, rank});
  }
  return all;
}

std::vector<EcdfStep> Ecdf::thinned(std::size_t most) const {
  TENURE_ASSERT(most >= 2, "a staircase has a first and a last step");
  const std::vector<EcdfStep> all = steps();
  if (all.size() <= most) return all;
  std::vector<EcdfStep> kept{all.front()};
  const std::size_t last = all.back().at_most;
  const auto storey = [&](const EcdfStep& step) { return (step.at_most - 1) * (most - 1) / last; };
  for (std::size_t i = 1; i < all.size(); ++i) {
    const bool is_last_of_its_storey = i + 1 == all.size() || storey(all[i + 1]) != storey(all[i]);
    if (is_last_of_its_storey) kept.push_back(all[i]);
  }
  return kept;
}

std::optional<EcdfDistance> distance_between(const Ordered& a, const Ordered& b, double alpha) {
  if (a.size() == 0 || b.size() == 0) return std::nullopt;
  EcdfDistance found;
  const auto look_at = [&](std::int64_t value) {
    const double gap =
        std::abs(share_of(a.at_most(value), a.size()) - share_of(b.at_most(value), b.size()));
    found.distance = std::max(found.distance, gap);
  };
  for (const EcdfStep& step : Ecdf{a, alpha}.steps()) look_at(step.value);
  for (const EcdfStep& step : Ecdf{b, alpha}.steps()) look_at(step.value);
  // Half of alpha for each: both bands hold together, and distributions whose bands do not meet
  // somewhere are not the same.
  found.differs =
      found.distance > dkw_half_width(a.size(), alpha / 2) + dkw_half_width(b.size(), alpha / 2);
  return found;
}

}  // namespace tenure::stats
