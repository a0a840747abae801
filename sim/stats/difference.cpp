#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <tenure/base/assert.hpp>
#include <tenure/base/oracle.hpp>
#include <tenure/stats/difference.hpp>
#include <tenure/stats/summary.hpp>

namespace tenure::stats {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// How often each run is taken in a replicate.
using Weights = std::vector<std::uint32_t>;

void draw(Weights& weights, Stream stream, std::uint64_t replicate) {
  std::fill(weights.begin(), weights.end(), 0U);
  SeededOracle oracle{0, replicate};
  const std::uint64_t last = weights.size() - 1;
  for (std::uint64_t i = 0; i <= last; ++i) ++weights[oracle.pick({stream, i}, last)];
}

// The samples of one set by value, each with its run; censored ones come last, as infinite.
class Ladder {
 public:
  explicit Ladder(const Samples& samples) : censored_(!samples.censored_at().empty()) {
    std::vector<std::size_t> order(samples.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<double> values(samples.values().begin(), samples.values().end());
    for (const std::size_t index : samples.censored_at()) values[index] = infinite;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    for (const std::size_t index : order) {
      values_.push_back(values[index]);
      runs_.push_back(static_cast<std::uint32_t>(samples.run_of(index)));
    }
  }

  std::size_t size() const { return values_.size(); }
  bool has_censored() const { return censored_; }

  // The figures of the runs taken so often each; not a number where no sample is among them.
  void figures(const Weights& weights, std::span<const Figure> wanted, double* out) const {
    std::uint64_t total = 0;
    double sum = 0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      total += weights[runs_[i]];
      if (!censored_) sum += weights[runs_[i]] * values_[i];
    }
    std::uint64_t passed = 0;
    std::size_t at = 0;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      out[k] = std::numeric_limits<double>::quiet_NaN();
      if (total == 0) continue;
      if (wanted[k].aggregation == Aggregation::mean) {
        if (!censored_) out[k] = sum / static_cast<double>(total);
        continue;
      }
      const std::size_t rank = quantile_rank(wanted[k].quantile, total);
      while (passed + weights[runs_[at]] < rank) passed += weights[runs_[at++]];
      out[k] = values_[at];
    }
  }

 private:
  std::vector<double> values_;
  std::vector<std::uint32_t> runs_;
  bool censored_;
};

bool is_carried(const Ladder& ladder, const Figure& figure) {
  if (figure.aggregation == Aggregation::mean)
    return ladder.size() >= least_for_mean && !ladder.has_censored();
  return ladder.size() >= std::max(samples_for_upper_end(figure.quantile, Sides::two),
                                   samples_for_lower_end(figure.quantile, Sides::two));
}

// With 2000 replicates the 50th from below and from above. A difference of two infinite figures is
// not known, so it speaks for both sides.
void conclude(Difference& out, std::vector<double>& replicates) {
  const auto counted = [&](auto speaks) {
    return static_cast<double>(std::count_if(replicates.begin(), replicates.end(), speaks));
  };
  const double not_above = counted([](double d) { return !(d > 0); });
  const double not_below = counted([](double d) { return !(d < 0); });
  const auto n = static_cast<double>(replicates.size());
  out.p = std::min(1.0, 2 * (std::min(not_above, not_below) + 1) / (n + 1));
  const auto tail = static_cast<std::size_t>(usual_alpha / 2 * (n + 1)) - 1;
  const auto end = [&](double unknown, std::size_t rank) {
    std::vector<double> sorted = replicates;
    for (double& d : sorted) d = std::isnan(d) ? unknown : d;
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(rank),
                     sorted.end());
    return sorted[rank];
  };
  out.interval = MeanInterval{end(-infinite, tail), end(infinite, replicates.size() - 1 - tail)};
}

std::optional<double> shown(const Samples& samples, const Figure& figure) {
  if (figure.aggregation == Aggregation::mean) {
    const auto value = mean(samples);
    if (!value) return std::nullopt;
    return static_cast<double>(*value) / static_cast<double>(mean_scale(samples.unit()));
  }
  const Ordered ordered{samples};
  const auto value = quantile(ordered, figure.quantile);
  if (!value) return std::nullopt;
  return static_cast<double>(value->value);
}

// One metric while it is resampled.
struct Resampled {
  Ladder base, other;
  bool same = false;  // pairs that are equal throughout differ in no replicate either
  std::vector<std::vector<double>> replicates{};  // by figure
};

}  // namespace

std::vector<std::vector<Difference>> differences(std::span<const ComparedSamples> metrics,
                                                 std::span<const Figure> figures,
                                                 std::uint64_t base_runs,
                                                 std::uint64_t other_runs,
                                                 Pairing pairing) {
  const bool paired = pairing == Pairing::paired;
  TENURE_ASSERT(!paired || base_runs == other_runs, "every run of a pair has its partner");
  std::vector<Resampled> all;
  for (const ComparedSamples& metric : metrics) {
    Resampled one{Ladder{*metric.base}, Ladder{*metric.other},
                  paired && *metric.base == *metric.other};
    one.replicates.resize(figures.size());
    all.push_back(std::move(one));
  }
  Weights base_weights(base_runs);
  Weights other_weights(paired ? 0 : other_runs);
  const bool any = base_runs > 0 && other_runs > 0;
  std::vector<double> base_figures(figures.size());
  std::vector<double> other_figures(figures.size());
  for (std::uint64_t replicate = 0; any && replicate < bootstrap_replicates; ++replicate) {
    draw(base_weights, stream_named("compare/base"), replicate);
    if (!paired) draw(other_weights, stream_named("compare/other"), replicate);
    for (Resampled& one : all) {
      if (one.same) continue;
      one.base.figures(base_weights, figures, base_figures.data());
      one.other.figures(paired ? base_weights : other_weights, figures, other_figures.data());
      for (std::size_t k = 0; k < figures.size(); ++k)
        one.replicates[k].push_back(other_figures[k] - base_figures[k]);
    }
  }
  std::vector<std::vector<Difference>> results(metrics.size());
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    for (std::size_t k = 0; k < figures.size(); ++k) {
      Difference difference;
      difference.base = shown(*metrics[m].base, figures[k]);
      difference.other = shown(*metrics[m].other, figures[k]);
      const bool carried =
          any && is_carried(all[m].base, figures[k]) && is_carried(all[m].other, figures[k]);
      if (carried && all[m].same) difference.interval = MeanInterval{0, 0};
      if (carried && !all[m].same) conclude(difference, all[m].replicates[k]);
      results[m].push_back(difference);
    }
  }
  return results;
}

ShareDifference share_difference(std::uint64_t base_events,
                                 std::uint64_t base_runs,
                                 std::uint64_t other_events,
                                 std::uint64_t other_runs) {
  const ShareInterval base = wilson(base_events, base_runs);
  const ShareInterval other = wilson(other_events, other_runs);
  ShareDifference found;
  found.base = static_cast<double>(base_events) / static_cast<double>(base_runs);
  found.other = static_cast<double>(other_events) / static_cast<double>(other_runs);
  const double estimate = found.other - found.base;
  found.interval = {estimate - std::hypot(found.other - other.lower, base.upper - found.base),
                    estimate + std::hypot(other.upper - found.other, found.base - base.lower)};
  return found;
}

std::vector<bool> findings_that_stand(std::span<const double> p, double rate) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::size_t standing = 0;
  for (std::size_t k = 1; k <= order.size(); ++k) {
    if (p[order[k - 1]] <= rate * static_cast<double>(k) / static_cast<double>(p.size()))
      standing = k;
  }
  std::vector<bool> stands(p.size(), false);
  for (std::size_t k = 0; k < standing; ++k) stands[order[k]] = true;
  return stands;
}

}  // namespace tenure::stats
