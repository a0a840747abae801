#include <cstdint>

#include <doctest/doctest.h>

#include <tenure/stats/threshold.hpp>

using namespace tenure;
using namespace tenure::stats;

namespace {

constexpr Ratio p50{1, 2}, p99{99, 100};

// The values 1..n, one a run.
Samples one_to(std::int64_t n) {
  Samples samples(Unit::nanosecond);
  for (std::int64_t i = 1; i <= n; ++i) samples.add({i, static_cast<std::uint64_t>(i - 1)});
  return samples;
}

// `events` ones among `runs` zeros.
Samples events_among(std::uint64_t events, std::uint64_t runs) {
  Samples samples(Unit::nanosecond);
  for (std::uint64_t run = 0; run < runs; ++run) samples.add({run < events ? 1 : 0, run});
  return samples;
}

Judgement judged(const Samples& samples,
                 const Threshold& threshold,
                 Decision decision = Decision::confident,
                 double alpha = usual_alpha) {
  return judge(Ordered(samples), threshold, decision, alpha);
}

Threshold quantile_of(Ratio q, Comparison comparison, std::int64_t value) {
  return {Aggregation::quantile, q, comparison, value};
}

Threshold about(Aggregation aggregation, Comparison comparison, std::int64_t value) {
  return {aggregation, {1, 2}, comparison, value};
}

End at(std::int64_t value) {
  return {End::Kind::value, value};
}

}  // namespace

// interface 6.2: the whole interval satisfies, violates or straddles. The interval for p99 of 1000
// samples is x(983)..x(997).
TEST_CASE("a percentile is decided by its whole interval") {
  const Samples samples = one_to(1000);
  const auto below = [&](std::int64_t v) {
    return judged(samples, quantile_of(p99, Comparison::less, v));
  };
  CHECK(below(998).verdict == Verdict::ok);
  CHECK(below(997).verdict == Verdict::inconclusive);
  CHECK(below(984).verdict == Verdict::inconclusive);
  CHECK(below(983).verdict == Verdict::fail);
  CHECK(below(998).estimate == 990);
  CHECK(below(998).sample == 989);
  CHECK(below(998).interval == Interval{at(983), at(997)});
}

TEST_CASE("every comparison reads both ends of the interval") {
  const Samples samples = one_to(1000);
  const auto verdict = [&](Comparison comparison, std::int64_t v) {
    return judged(samples, quantile_of(p99, comparison, v)).verdict;
  };
  CHECK(verdict(Comparison::at_most, 997) == Verdict::ok);
  CHECK(verdict(Comparison::at_most, 983) == Verdict::inconclusive);
  CHECK(verdict(Comparison::at_most, 982) == Verdict::fail);
  CHECK(verdict(Comparison::more, 982) == Verdict::ok);
  CHECK(verdict(Comparison::more, 983) == Verdict::inconclusive);
  CHECK(verdict(Comparison::more, 997) == Verdict::fail);
  CHECK(verdict(Comparison::at_least, 983) == Verdict::ok);
  CHECK(verdict(Comparison::at_least, 998) == Verdict::fail);
  CHECK(verdict(Comparison::equal, 982) == Verdict::fail);
  CHECK(verdict(Comparison::equal, 983) == Verdict::inconclusive);
  CHECK(verdict(Comparison::equal, 990) == Verdict::inconclusive);
  CHECK(verdict(Comparison::different, 990) == Verdict::inconclusive);
  CHECK(verdict(Comparison::different, 998) == Verdict::ok);
}

TEST_CASE("equality is decided when the interval is a single value") {
  const Samples samples = events_among(0, 1000);
  CHECK(judged(samples, quantile_of(p50, Comparison::equal, 0)).verdict == Verdict::ok);
  CHECK(judged(samples, quantile_of(p50, Comparison::different, 0)).verdict == Verdict::fail);
}

TEST_CASE("with fewer than 368 samples an upper threshold on p99 can fail but never pass") {
  const Samples samples = one_to(367);
  const Judgement passing = judged(samples, quantile_of(p99, Comparison::less, 1'000'000));
  CHECK(passing.verdict == Verdict::inconclusive);
  CHECK(passing.settling == 368);
  CHECK(passing.interval->upper.kind == End::Kind::open);
  CHECK(
      passing.note ==
      "p(99) needs 368 samples for an upper end of its 95 % interval; with 367 this threshold can "
      "fail but never pass");
  CHECK(judged(samples, quantile_of(p99, Comparison::less, 100)).verdict == Verdict::fail);
  CHECK(judged(one_to(368), quantile_of(p99, Comparison::less, 1'000'000)).verdict == Verdict::ok);
}

TEST_CASE("a percentile of too few samples has no estimate to show") {
  const Judgement few = judged(one_to(298), quantile_of(p99, Comparison::less, 10));
  CHECK(few.verdict == Verdict::fail);
  CHECK_FALSE(few.estimate);
  CHECK(judged(one_to(299), quantile_of(p99, Comparison::less, 10)).estimate == 297);
}

TEST_CASE("the point decision compares the bare estimate") {
  const Samples samples = one_to(1000);
  const auto verdict = [&](std::int64_t v) {
    return judged(samples, quantile_of(p99, Comparison::less, v), Decision::point).verdict;
  };
  CHECK(verdict(991) == Verdict::ok);
  CHECK(verdict(990) == Verdict::fail);
}

// 99.5 % of the samples lie below the value: 1.96^2 x 0.99 x 0.01 / 0.005^2 = 1522 tell it from 99
// %.
TEST_CASE("a straddling percentile says how many runs would settle it") {
  const Judgement straddling = judged(one_to(1000), quantile_of(p99, Comparison::less, 996));
  CHECK(straddling.verdict == Verdict::inconclusive);
  CHECK(straddling.settling == 1'530);
  CHECK(straddling.note == "the 95 % interval straddles the threshold");
}

TEST_CASE("no fewer runs are named than a pass would need") {
  // Three of 88 beyond the value lean towards a failure, and more runs may turn that.
  const Judgement leaning = judged(one_to(88), quantile_of(p99, Comparison::less, 86));
  CHECK(leaning.verdict == Verdict::inconclusive);
  CHECK(leaning.settling == 368);
}

TEST_CASE("no number of runs is named when the estimate lies on the threshold") {
  CHECK_FALSE(judged(one_to(1000), quantile_of(p99, Comparison::less, 991)).settling);
}

TEST_CASE("no number of runs settles an equality") {
  const Judgement equality = judged(one_to(1000), quantile_of(p99, Comparison::equal, 990));
  CHECK_FALSE(equality.settling);
  CHECK(equality.note ==
        "no number of runs settles whether an estimate equals a value; ask for a bound");
}

TEST_CASE("an interval whose end is censored is longer than every bound") {
  Samples samples = one_to(990);
  for (std::uint64_t run = 990; run < 1000; ++run) samples.add({1, run, 0, true});
  const Judgement upper = judged(samples, quantile_of(p99, Comparison::less, 1'000'000));
  CHECK(upper.verdict == Verdict::inconclusive);
  CHECK(upper.interval->upper.kind == End::Kind::beyond);
  for (std::uint64_t run = 1000; run < 1100; ++run) samples.add({1, run, 0, true});
  const Judgement beyond = judged(samples, quantile_of(p99, Comparison::less, 1'000'000));
  CHECK(beyond.verdict == Verdict::fail);
  CHECK_FALSE(beyond.estimate);
  CHECK(beyond.interval->lower.kind == End::Kind::beyond);
}

TEST_CASE("min, max, count and sum are facts about the runs made") {
  const Samples samples = one_to(10);
  CHECK(judged(samples, about(Aggregation::min, Comparison::equal, 1)).verdict == Verdict::ok);
  CHECK(judged(samples, about(Aggregation::max, Comparison::less, 10)).verdict == Verdict::fail);
  CHECK(judged(samples, about(Aggregation::max, Comparison::at_most, 10)).sample == 9);
  CHECK(judged(samples, about(Aggregation::count, Comparison::at_least, 10)).verdict ==
        Verdict::ok);
  CHECK(judged(samples, about(Aggregation::sum, Comparison::equal, 55)).verdict == Verdict::ok);
  CHECK_FALSE(judged(samples, about(Aggregation::sum, Comparison::equal, 55)).interval);
}

TEST_CASE("a maximum or a sum with a censored sample exceeds every bound") {
  Samples samples = one_to(10);
  samples.add({1, 10, 0, true});
  const Judgement most = judged(samples, about(Aggregation::max, Comparison::less, 1'000'000));
  CHECK(most.verdict == Verdict::fail);
  CHECK_FALSE(most.estimate);
  CHECK(judged(samples, about(Aggregation::sum, Comparison::less, 1'000'000)).verdict ==
        Verdict::fail);
  CHECK(judged(samples, about(Aggregation::min, Comparison::equal, 1)).verdict == Verdict::ok);
  CHECK(judged(samples, about(Aggregation::count, Comparison::equal, 11)).verdict == Verdict::ok);
}

TEST_CASE("a sum beyond int64 is compared exactly") {
  Samples samples(Unit::nanosecond);
  constexpr std::int64_t most = 9'223'372'036'854'775'807;
  samples.add({most, 0});
  samples.add({most, 1});
  CHECK(judged(samples, about(Aggregation::sum, Comparison::more, most)).verdict == Verdict::ok);
}

TEST_CASE("a mean is decided by its interval") {
  const Samples samples = one_to(1000);  // 500.5 -+ 17.9
  const auto verdict = [&](std::int64_t v) {
    return judged(samples, about(Aggregation::mean, Comparison::less, v)).verdict;
  };
  CHECK(verdict(520) == Verdict::ok);
  CHECK(verdict(501) == Verdict::inconclusive);
  CHECK(verdict(482) == Verdict::fail);
  const Judgement straddling = judged(samples, about(Aggregation::mean, Comparison::less, 510));
  CHECK(straddling.verdict == Verdict::inconclusive);
  CHECK(straddling.settling == 3'560);  // 1000 x (17.9 / 9.5)^2
}

TEST_CASE("a mean with censored samples is not decided") {
  Samples samples = one_to(10);
  samples.add({1, 10, 0, true});
  const Judgement judgement = judged(samples, about(Aggregation::mean, Comparison::less, 100));
  CHECK(judgement.verdict == Verdict::inconclusive);
  CHECK(judgement.note == "no mean: 1 of 11 samples are censored; use a quantile");
}

// statistics.md, section 4: to claim p < 1e-3 with 95 % confidence one needs 2995 runs without an
// event.
TEST_CASE("a rate without events is bounded on one side") {
  const Threshold claim = about(Aggregation::rate, Comparison::less, 1'000'000);
  CHECK(judged(events_among(0, 2'995), claim).verdict == Verdict::ok);
  const Judgement early = judged(events_among(0, 1'000), claim);
  CHECK(early.verdict == Verdict::inconclusive);
  CHECK(early.settling == 3'000);
  CHECK(early.estimate == 0);
}

TEST_CASE("a rate with events is decided by the interval of Clopper and Pearson") {
  const Samples samples = events_among(5, 100);  // 0.0164 .. 0.1128
  const auto verdict = [&](std::int64_t percent) {
    return judged(samples, about(Aggregation::rate, Comparison::at_most, percent * 10'000'000))
        .verdict;
  };
  CHECK(verdict(12) == Verdict::ok);
  CHECK(verdict(11) == Verdict::inconclusive);
  CHECK(verdict(1) == Verdict::fail);
  CHECK(judged(samples, about(Aggregation::rate, Comparison::less, 0)).estimate == 50'000'000);
}

TEST_CASE("a threshold on a metric without samples is not exercised") {
  const Samples none(Unit::nanosecond);
  for (const Aggregation aggregation :
       {Aggregation::min, Aggregation::max, Aggregation::mean, Aggregation::quantile,
        Aggregation::rate, Aggregation::sum, Aggregation::count}) {
    CHECK(judged(none, about(aggregation, Comparison::less, 1)).verdict == Verdict::not_exercised);
  }
}

TEST_CASE("the runs that would settle a verdict count runs without a sample too") {
  Samples samples(Unit::nanosecond);
  for (std::uint64_t i = 0; i < 100; ++i) samples.add({1, i * 10});
  const Judgement judgement = judged(samples, quantile_of(p99, Comparison::less, 10));
  CHECK(judgement.verdict == Verdict::inconclusive);
  CHECK(judgement.settling == 3'650);  // 368 samples at 100 samples in 991 runs
}

// 0.99^n <= 0.0125 at the first of several looks, where alpha is 2.5 %.
TEST_CASE("a stricter interval needs more samples, and says so") {
  const Threshold threshold = quantile_of(p99, Comparison::less, 1'000'000);
  const Judgement few = judged(one_to(400), threshold, Decision::confident, 0.025);
  CHECK(few.verdict == Verdict::inconclusive);
  CHECK(few.settling == 437);
  CHECK(few.note ==
        "p(99) needs 437 samples for an upper end of its 97.5 % interval; with 400 this threshold "
        "can fail but never pass");
  CHECK(judged(one_to(437), threshold, Decision::confident, 0.025).verdict == Verdict::ok);
}

TEST_CASE("more runs may change what is open, and facts that do not hold yet") {
  const Samples samples = one_to(1000);
  const auto open = [&](const Threshold& threshold) {
    return may_change(judged(samples, threshold), threshold);
  };
  CHECK(open(quantile_of(p99, Comparison::less, 990)));
  CHECK_FALSE(open(quantile_of(p99, Comparison::less, 5000)));
  CHECK_FALSE(open(quantile_of(p99, Comparison::less, 5)));
  CHECK_FALSE(open(about(Aggregation::max, Comparison::less, 1000)));  // it will not shrink
  CHECK(open(about(Aggregation::max, Comparison::more, 1000)));
  CHECK_FALSE(open(about(Aggregation::max, Comparison::less, 1001)));  // holds, as far as it goes
  CHECK(open(about(Aggregation::min, Comparison::less, 1)));
  CHECK_FALSE(open(about(Aggregation::min, Comparison::more, 1)));
  CHECK(open(about(Aggregation::count, Comparison::at_least, 2000)));
  CHECK_FALSE(open(about(Aggregation::count, Comparison::less, 1000)));
  CHECK(open(about(Aggregation::count, Comparison::equal, 2000)));
  CHECK_FALSE(open(about(Aggregation::count, Comparison::equal, 999)));
  CHECK(open(about(Aggregation::count, Comparison::different, 1000)));
  CHECK(open(about(Aggregation::max, Comparison::equal, 1001)));
  CHECK_FALSE(open(about(Aggregation::max, Comparison::equal, 10)));
  CHECK(open(about(Aggregation::sum, Comparison::equal, 500'501)));
  CHECK_FALSE(open(about(Aggregation::sum, Comparison::equal, 500'499)));
  CHECK(open(about(Aggregation::min, Comparison::equal, 0)));
  CHECK_FALSE(open(about(Aggregation::min, Comparison::equal, 2)));
  const Threshold absent = quantile_of(p99, Comparison::less, 5);
  CHECK(may_change(judged(one_to(0), absent), absent));
}
