// Thresholds: statements about the distribution of a metric over runs, and the verdict on them.
//
// A quantile, a mean or a rate is known only up to its interval, so a threshold on one holds (or is
// broken) when the whole interval says so, 95 % unless a look of a sequence takes less. min, max,
// count and sum are facts about the runs that were made and are always decided.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <tenure/base/ratio.hpp>
#include <tenure/stats/interval.hpp>
#include <tenure/stats/sample.hpp>
#include <tenure/stats/summary.hpp>

namespace tenure::stats {

enum class Aggregation : std::uint8_t {
  min,
  max,
  mean,      // avg
  quantile,  // p(N); med is p(50)
  count,     // number of samples, censored ones included
  rate,      // share of samples above 0
  sum,
};

enum class Comparison : std::uint8_t { less, at_most, more, at_least, equal, different };

struct Threshold {
  Aggregation aggregation = Aggregation::max;
  Ratio quantile{1, 2};  // of Aggregation::quantile only, in (0, 1]: p(99.9) is 999/1000
  Comparison comparison = Comparison::less;
  std::int64_t value = 0;  // in the metric's unit; of a rate and a mean of counts in 1e-9

  friend bool operator==(const Threshold&, const Threshold&) = default;
};

enum class Decision : std::uint8_t {
  confident,  // the whole interval decides
  point,      // the bare estimate decides, as k6 does
};

enum class Verdict : std::uint8_t { ok, fail, inconclusive, not_exercised };

// One end of an interval.
struct End {
  enum class Kind : std::uint8_t {
    value,
    open,    // too few samples for an end on this side
    beyond,  // falls on a censored sample: longer than every bound
  };

  Kind kind = Kind::open;
  std::int64_t value = 0;

  friend bool operator==(const End&, const End&) = default;
};

struct Interval {
  End lower;
  End upper;

  friend bool operator==(const Interval&, const Interval&) = default;
};

struct Judgement {
  Verdict verdict = Verdict::not_exercised;
  std::optional<std::int64_t> estimate;   // in the unit of the threshold's value; nothing where the
                                          // samples do not carry it, as in a summary
  std::optional<std::size_t> sample;      // the sample the estimate is, if it is one
  std::optional<Interval> interval;       // 1 - alpha; nothing for facts
  std::optional<std::uint64_t> settling;  // about so many runs would settle what is inconclusive
  std::string note;                       // why it is not decided, or what limits it; may be empty

  friend bool operator==(const Judgement&, const Judgement&) = default;
};

Judgement judge(const Ordered& ordered,
                const Threshold& threshold,
                Decision decision = Decision::confident,
                double alpha = usual_alpha);

// Whether more runs could make something of it: it is undecided, or a fact that does not hold yet.
bool may_change(const Judgement& judgement, const Threshold& threshold);

// The interval of a quantile from order statistics.
Interval quantile_interval(const Ordered& ordered, Ratio q, double alpha = usual_alpha);

}  // namespace tenure::stats
