#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <tenure/base/assert.hpp>
#include <tenure/stats/interval.hpp>
#include <tenure/stats/threshold.hpp>

namespace tenure::stats {
namespace {

// Values beyond int64 stand for the ends that an interval does not have.
__extension__ using Wide = __int128;
constexpr Wide endless = static_cast<Wide>(1) << 120;

struct Range {
  Wide lower = -endless;
  Wide upper = endless;
};

std::int64_t clamped(Wide value) {
  using Limits = std::numeric_limits<std::int64_t>;
  return static_cast<std::int64_t>(std::clamp<Wide>(value, Limits::min(), Limits::max()));
}

bool holds(Wide estimate, const Threshold& threshold) {
  switch (threshold.comparison) {
    case Comparison::less:
      return estimate < threshold.value;
    case Comparison::at_most:
      return estimate <= threshold.value;
    case Comparison::more:
      return estimate > threshold.value;
    case Comparison::at_least:
      return estimate >= threshold.value;
    case Comparison::equal:
      return estimate == threshold.value;
    case Comparison::different:
      return estimate != threshold.value;
  }
  TENURE_ASSERT(false, "every comparison is known");
  return false;
}

Verdict verdict_of(Wide estimate, const Threshold& threshold) {
  return holds(estimate, threshold) ? Verdict::ok : Verdict::fail;
}

bool asks_for_equality(const Threshold& threshold) {
  return threshold.comparison == Comparison::equal || threshold.comparison == Comparison::different;
}

// Orderings are decided by the two ends; equality also by what lies between them.
Verdict verdict_of(const Range& range, const Threshold& threshold) {
  const Verdict lower = verdict_of(range.lower, threshold);
  const Verdict upper = verdict_of(range.upper, threshold);
  if (lower != upper) return Verdict::inconclusive;
  const bool inside = range.lower < threshold.value && threshold.value < range.upper;
  if (asks_for_equality(threshold) && inside) return Verdict::inconclusive;
  return lower;
}

bool bounds_from_above(const Threshold& threshold) {
  return threshold.comparison == Comparison::less || threshold.comparison == Comparison::at_most;
}

std::string percent(Ratio q) {
  return fmt::format("p({:g})",
                     100 * static_cast<double>(q.numerator) / static_cast<double>(q.denominator));
}

// Three significant digits, upwards: an estimate should not look like more than it is.
std::uint64_t rounded_up(double count) {
  double step = 1;
  while (count / step >= 1000) step *= 10;
  return static_cast<std::uint64_t>(std::ceil(count / step) * step);
}

// From samples to runs, at the rate of samples per run seen so far; nothing beyond 10^15.
std::optional<std::uint64_t> runs_for(double samples_needed, const Samples& samples) {
  const double per_sample =
      static_cast<double>(samples.runs_spanned()) / static_cast<double>(samples.size());
  const double runs = samples_needed * per_sample;
  if (!(runs < 1e15)) return std::nullopt;
  return rounded_up(runs);
}

void explain_straddling(Judgement& judgement, const Threshold& threshold, double alpha) {
  if (asks_for_equality(threshold)) {
    judgement.settling.reset();
    judgement.note =
        "no number of runs settles whether an estimate equals a value; ask for a bound";
    return;
  }
  if (!judgement.note.empty()) return;
  judgement.note = fmt::format("the {} interval straddles the threshold", level_text(alpha));
}

Judgement fact(Wide value, const Threshold& threshold) {
  Judgement judgement;
  judgement.verdict = verdict_of(value, threshold);
  if (value < endless) judgement.estimate = clamped(value);
  if (value >= endless) judgement.note = "a censored sample counts as longer than every bound";
  return judgement;
}

Judgement judge_rank(const Ordered& ordered, std::size_t rank, const Threshold& threshold) {
  const auto value = ordered.at(rank);
  Judgement judgement = fact(value ? Wide{*value} : endless, threshold);
  if (value) judgement.sample = ordered.locate(*value).index;
  return judgement;
}

Wide sum_of(const Samples& samples) {
  if (!samples.censored_at().empty()) return endless;
  Wide sum = 0;
  for (const std::int64_t value : samples.values()) sum += value;
  return sum;
}

End end_at(const Ordered& ordered, std::optional<std::size_t> rank) {
  if (!rank) return {};
  const auto value = ordered.at(*rank);
  if (!value) return {End::Kind::beyond, 0};
  return {End::Kind::value, *value};
}

Range range_of(const Interval& interval) {
  Range range;
  if (interval.lower.kind == End::Kind::value) range.lower = interval.lower.value;
  if (interval.lower.kind == End::Kind::beyond) range.lower = endless;
  if (interval.upper.kind == End::Kind::value) range.upper = interval.upper.value;
  return range;
}

// The quantile lies below the threshold's value iff the share of samples below it exceeds q. That
// share is known to z sqrt(q (1 - q) / n), which gives the n that tells the two apart.
std::optional<std::uint64_t> settling_quantile(const Ordered& ordered,
                                               const Threshold& threshold,
                                               double alpha) {
  const bool strict =
      threshold.comparison == Comparison::less || threshold.comparison == Comparison::at_least;
  const std::size_t inside =
      strict ? ordered.below(threshold.value) : ordered.at_most(threshold.value);
  const double share = static_cast<double>(inside) / static_cast<double>(ordered.size());
  const Ratio ratio = threshold.quantile;
  const double q = static_cast<double>(ratio.numerator) / static_cast<double>(ratio.denominator);
  if (share == q) return std::nullopt;
  // Either side may win while the interval is open: with both ends there, one of them decides.
  const auto for_an_end =
      static_cast<double>(std::max(samples_for_upper_end(ratio, Sides::two, alpha),
                                   samples_for_lower_end(ratio, Sides::two, alpha)));
  const bool all_on_one_side = inside == 0 || inside == ordered.size();
  const double gap = (share - q) / normal_quantile(alpha);
  const double for_the_gap = all_on_one_side ? 0 : q * (1 - q) / (gap * gap);
  const auto more_than_now = static_cast<double>(ordered.size() + 1);
  return runs_for(std::max({for_an_end, for_the_gap, more_than_now}), ordered.samples());
}

std::string missing_end(const Ordered& ordered,
                        const Threshold& threshold,
                        const Interval& interval,
                        double alpha) {
  const bool above = bounds_from_above(threshold);
  const End& needed = above ? interval.upper : interval.lower;
  if (asks_for_equality(threshold) || needed.kind != End::Kind::open) return {};
  const Ratio q = threshold.quantile;
  if (q.numerator == q.denominator) return "the largest possible value has no upper end; use max";
  return fmt::format(
      "{} needs {} samples for {} end of its {} interval; with {} this threshold can fail but "
      "never pass",
      percent(q),
      above ? samples_for_upper_end(q, Sides::two, alpha)
            : samples_for_lower_end(q, Sides::two, alpha),
      above ? "an upper" : "a lower", level_text(alpha), ordered.size());
}

Judgement judge_quantile(const Ordered& ordered,
                         const Threshold& threshold,
                         Decision decision,
                         double alpha) {
  const Ratio q = threshold.quantile;
  Judgement judgement;
  if (const auto shown = quantile(ordered, q)) {
    judgement.estimate = shown->value;
    judgement.sample = shown->index;
  }
  judgement.interval = quantile_interval(ordered, q, alpha);
  if (decision == Decision::point) {
    const auto value = ordered.at(quantile_rank(q, ordered.size()));
    judgement.verdict = verdict_of(value ? Wide{*value} : endless, threshold);
    if (!value) judgement.note = "the quantile falls on a censored sample, longer than every bound";
    return judgement;
  }
  judgement.verdict = verdict_of(range_of(*judgement.interval), threshold);
  judgement.note = missing_end(ordered, threshold, *judgement.interval, alpha);
  if (judgement.verdict != Verdict::inconclusive) return judgement;
  if (q.numerator < q.denominator)
    judgement.settling = settling_quantile(ordered, threshold, alpha);
  explain_straddling(judgement, threshold, alpha);
  return judgement;
}

// Outwards to whole units, so that rounding never decides.
Interval outwards(double lower, double upper) {
  const auto whole = [](double value) {
    return clamped(static_cast<Wide>(std::clamp(value, -0x1p100, 0x1p100)));
  };
  return {{End::Kind::value, whole(std::floor(lower))},
          {End::Kind::value, whole(std::ceil(upper))}};
}

// The half width shrinks with the square root of n.
std::optional<std::uint64_t> settling_mean(const Samples& samples,
                                           const MeanInterval& interval,
                                           const Threshold& threshold) {
  const double mean = (interval.lower + interval.upper) / 2;
  const double half = (interval.upper - interval.lower) / 2;
  const double distance = std::abs(mean - static_cast<double>(threshold.value));
  if (distance == 0) return std::nullopt;
  const double ratio = half / distance;
  const auto n = static_cast<double>(samples.size());
  return runs_for(std::max(n + 1, n * ratio * ratio), samples);
}

Judgement judge_mean(const Samples& samples,
                     const Threshold& threshold,
                     Decision decision,
                     double alpha) {
  Judgement judgement;
  judgement.verdict = Verdict::inconclusive;
  judgement.estimate = mean(samples);
  if (!judgement.estimate) {
    judgement.note = fmt::format("no mean: {} of {} samples are censored; use a quantile",
                                 samples.censored_at().size(), samples.size());
    return judgement;
  }
  auto interval = mean_interval(samples, alpha);
  if (interval) {
    const auto scale = static_cast<double>(mean_scale(samples.unit()));
    interval = MeanInterval{interval->lower * scale, interval->upper * scale};
    judgement.interval = outwards(interval->lower, interval->upper);
  }
  if (decision == Decision::point) {
    judgement.verdict = verdict_of(*judgement.estimate, threshold);
  } else if (!interval) {
    judgement.note = "a single sample has no interval";
  } else {
    judgement.verdict = verdict_of(range_of(*judgement.interval), threshold);
    if (judgement.verdict == Verdict::inconclusive) {
      judgement.settling = settling_mean(samples, *interval, threshold);
      explain_straddling(judgement, threshold, alpha);
    }
  }
  return judgement;
}

constexpr double billion = 1e9;

std::optional<std::uint64_t> settling_rate(const Samples& samples,
                                           std::uint64_t events,
                                           const Threshold& threshold,
                                           double alpha) {
  const double value = static_cast<double>(threshold.value) / billion;
  const auto n = static_cast<double>(samples.size());
  const double p = static_cast<double>(events) / n;
  if (p == value || value <= 0 || value >= 1) return std::nullopt;
  const double z = normal_quantile(alpha);
  double needed = z * z * p * (1 - p) / ((p - value) * (p - value));
  if (events == 0) needed = std::log(alpha) / std::log1p(-value);
  if (events == samples.size()) needed = std::log(alpha) / std::log(value);
  return runs_for(std::max(n + 1, needed), samples);
}

Judgement judge_rate(const Ordered& ordered,
                     const Threshold& threshold,
                     Decision decision,
                     double alpha) {
  const Samples& samples = ordered.samples();
  const std::uint64_t runs = ordered.size();
  const std::uint64_t events = runs - ordered.at_most(0);  // a censored sample is above 0
  const ShareInterval share = guaranteed_share(events, runs, alpha);
  const Wide scaled = static_cast<Wide>(events) * 1'000'000'000;
  Judgement judgement;
  judgement.estimate =
      static_cast<std::int64_t>((2 * scaled + runs) / (2 * static_cast<Wide>(runs)));
  judgement.interval = outwards(share.lower * billion, share.upper * billion);
  if (decision == Decision::point) {
    judgement.verdict = verdict_of(*judgement.estimate, threshold);
    return judgement;
  }
  judgement.verdict = verdict_of(range_of(*judgement.interval), threshold);
  if (events == 0) judgement.note = fmt::format("no event in {} samples: one-sided bound", runs);
  if (judgement.verdict != Verdict::inconclusive) return judgement;
  judgement.settling = settling_rate(samples, events, threshold, alpha);
  explain_straddling(judgement, threshold, alpha);
  return judgement;
}

}  // namespace

Interval quantile_interval(const Ordered& ordered, Ratio q, double alpha) {
  const RankInterval ranks = quantile_ranks(q, ordered.size(), alpha);
  return {end_at(ordered, ranks.lower), end_at(ordered, ranks.upper)};
}

bool may_change(const Judgement& judgement, const Threshold& threshold) {
  if (judgement.verdict != Verdict::fail) return judgement.verdict != Verdict::ok;
  // Of the facts, the largest sample, the number and the sum grow with the runs, the least falls.
  const bool grows = threshold.aggregation == Aggregation::max ||
                     threshold.aggregation == Aggregation::count ||
                     threshold.aggregation == Aggregation::sum;
  if (!grows && threshold.aggregation != Aggregation::min) return false;
  if (threshold.comparison == Comparison::different) return true;
  if (threshold.comparison != Comparison::equal) return bounds_from_above(threshold) != grows;
  // An equality comes true while the value still lies ahead. What has no estimate is above all.
  if (!judgement.estimate) return !grows;
  return grows ? *judgement.estimate < threshold.value : *judgement.estimate > threshold.value;
}

Judgement judge(const Ordered& ordered,
                const Threshold& threshold,
                Decision decision,
                double alpha) {
  if (ordered.size() == 0) {
    Judgement judgement;
    judgement.note = "the metric has no samples";
    return judgement;
  }
  switch (threshold.aggregation) {
    case Aggregation::min:
      return judge_rank(ordered, 1, threshold);
    case Aggregation::max:
      return judge_rank(ordered, ordered.size(), threshold);
    case Aggregation::count:
      return fact(static_cast<Wide>(ordered.size()), threshold);
    case Aggregation::sum:
      return fact(sum_of(ordered.samples()), threshold);
    case Aggregation::mean:
      return judge_mean(ordered.samples(), threshold, decision, alpha);
    case Aggregation::quantile:
      return judge_quantile(ordered, threshold, decision, alpha);
    case Aggregation::rate:
      return judge_rate(ordered, threshold, decision, alpha);
  }
  TENURE_ASSERT(false, "every aggregation is known");
  return {};
}

}  // namespace tenure::stats
