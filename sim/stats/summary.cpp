#include <algorithm>

#include <tenure/base/assert.hpp>
#include <tenure/stats/interval.hpp>
#include <tenure/stats/summary.hpp>

namespace tenure::stats {
namespace {

__extension__ using Wide = __int128;

std::optional<Observed> located(const Ordered& ordered, std::size_t rank) {
  const auto value = ordered.at(rank);
  if (!value) return std::nullopt;
  return ordered.locate(*value);
}

}  // namespace

Ordered::Ordered(const Samples& samples) : samples_(&samples) {
  const auto& all = samples.values();
  values_.reserve(all.size() - samples.censored_at().size());
  auto next_censored = samples.censored_at().begin();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (next_censored != samples.censored_at().end() && *next_censored == i) {
      ++next_censored;
    } else {
      values_.push_back(all[i]);
    }
  }
  std::sort(values_.begin(), values_.end());
}

std::optional<std::int64_t> Ordered::at(std::size_t rank) const {
  TENURE_ASSERT(rank >= 1 && rank <= size(), "ranks count from 1 to the number of samples");
  if (rank > values_.size()) return std::nullopt;
  return values_[rank - 1];
}

std::size_t Ordered::below(std::int64_t value) const {
  const auto place = std::lower_bound(values_.begin(), values_.end(), value);
  return static_cast<std::size_t>(place - values_.begin());
}

std::size_t Ordered::at_most(std::int64_t value) const {
  const auto place = std::upper_bound(values_.begin(), values_.end(), value);
  return static_cast<std::size_t>(place - values_.begin());
}

Observed Ordered::locate(std::int64_t value) const {
  const auto& all = samples_->values();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == value && !samples_->is_censored(i)) return {value, i};
  }
  TENURE_ASSERT(false, "a quantile is one of the samples");
  return {};
}

std::size_t quantile_rank(Ratio q, std::size_t n) {
  TENURE_ASSERT(q.numerator > 0 && q.numerator <= q.denominator, "a quantile lies in (0, 1]");
  const Wide product = static_cast<Wide>(q.numerator) * static_cast<Wide>(n);
  return static_cast<std::size_t>((product + q.denominator - 1) / q.denominator);
}

std::size_t least_samples_shown(Ratio q) {
  if (q.numerator >= q.denominator || q.numerator <= q.denominator / 2) return 1;
  return samples_for_upper_end(q, Sides::one);
}

std::optional<Observed> quantile(const Ordered& ordered, Ratio q) {
  if (ordered.size() == 0 || ordered.size() < least_samples_shown(q)) return std::nullopt;
  return located(ordered, quantile_rank(q, ordered.size()));
}

std::optional<std::int64_t> mean(const Samples& samples) {
  if (samples.empty() || !samples.censored_at().empty()) return std::nullopt;
  Wide sum = 0;
  for (const std::int64_t value : samples.values()) sum += value;
  const auto n = static_cast<Wide>(samples.size());
  const Wide half = sum < 0 ? -n / 2 : n / 2;
  return static_cast<std::int64_t>((sum + half) / n);
}

Summary summary_of(const Ordered& ordered) {
  Summary result;
  result.unit = ordered.samples().unit();
  result.n = ordered.size();
  result.censored = ordered.size() - ordered.uncensored();
  if (result.n == 0) return result;
  result.min = located(ordered, 1);
  result.mean = mean(ordered.samples());
  result.p50 = quantile(ordered, {1, 2});
  result.p90 = quantile(ordered, {9, 10});
  result.p95 = quantile(ordered, {19, 20});
  result.p99 = quantile(ordered, {99, 100});
  result.max = located(ordered, result.n);
  return result;
}

}  // namespace tenure::stats
