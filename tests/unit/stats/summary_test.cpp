#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

#include <tenure/stats/summary.hpp>

using namespace tenure::stats;

namespace {

// The values 1..n in a scattered order, one a run; n must not be a multiple of 7.
Samples one_to(std::int64_t n) {
  Samples samples(Unit::nanosecond);
  for (std::int64_t i = 0; i < n; ++i) {
    samples.add({1 + (i * 7) % n, static_cast<std::uint64_t>(i)});
  }
  return samples;
}

Samples of(std::initializer_list<std::int64_t> values) {
  Samples samples(Unit::nanosecond);
  std::uint64_t run = 0;
  for (const std::int64_t value : values) samples.add({value, run++});
  return samples;
}

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

}  // namespace

// statistics.md, section 2: type 1, x(ceil(q n)).
TEST_CASE("the rank of a quantile is ceil(q n) without rounding errors") {
  CHECK(quantile_rank({99, 100}, 1000) == 990);
  CHECK(quantile_rank({99, 100}, 1001) == 991);
  CHECK(quantile_rank({999, 1000}, 3000) == 2997);
  CHECK(quantile_rank({1, 10}, 30) == 3);  // 0.1 x 30 is 3.0000000000000004 in doubles
  CHECK(quantile_rank({1, 100}, 1) == 1);
  CHECK(quantile_rank({1, 1}, 17) == 17);
}

TEST_CASE("a summary of 1..1000 has the ranks as values") {
  const Samples samples = one_to(1000);
  const Summary summary = summary_of(Ordered(samples));
  CHECK(summary.n == 1000);
  CHECK(summary.censored == 0);
  CHECK(summary.min->value == 1);
  CHECK(summary.mean == 501);  // 500.5
  CHECK(summary.p50->value == 500);
  CHECK(summary.p90->value == 900);
  CHECK(summary.p95->value == 950);
  CHECK(summary.p99->value == 990);
  CHECK(summary.max->value == 1000);
}

TEST_CASE("a quantile names the first run that has its value") {
  const Samples samples = of({5, 9, 7, 7, 1});
  const auto median = quantile(Ordered(samples), {1, 2});
  REQUIRE(median);
  CHECK(*median == Observed{7, 2});
  CHECK(samples.run_of(median->index) == 2);
}

// statistics.md, section 2, and interface 6.2: no p99 for n < 299, no p95 below 59, no p90
// below 29.
TEST_CASE("a quantile is not shown for fewer samples than bound it") {
  CHECK(least_samples_shown({99, 100}) == 299);
  CHECK(least_samples_shown({95, 100}) == 59);
  CHECK(least_samples_shown({9, 10}) == 29);
  CHECK(least_samples_shown({999, 1000}) == 2995);
  CHECK(least_samples_shown({1, 2}) == 1);

  const Samples few = one_to(298);
  CHECK_FALSE(summary_of(Ordered(few)).p99);
  CHECK(summary_of(Ordered(few)).p95);
  const Samples enough = one_to(299);
  CHECK(summary_of(Ordered(enough)).p99->value == 297);
}

TEST_CASE("a censored sample is longer than every bound and forbids a mean") {
  Samples samples = one_to(1000);
  for (std::uint64_t run = 1000; run < 1020; ++run) samples.add({3, run, 0, true});
  const Summary summary = summary_of(Ordered(samples));
  CHECK(summary.n == 1020);
  CHECK(summary.censored == 20);
  CHECK_FALSE(summary.mean);
  CHECK_FALSE(summary.max);
  CHECK(summary.min->value == 1);
  CHECK(summary.p50->value == 510);
  CHECK(summary.p95->value == 969);
  CHECK_FALSE(summary.p99);  // rank 1010 is a censored one
}

TEST_CASE("a censored sample is never named as where a value was observed") {
  Samples samples(Unit::nanosecond);
  samples.add({5, 0, 0, true});
  samples.add({5, 1, 0, false});
  CHECK(summary_of(Ordered(samples)).min == Observed{5, 1});
}

TEST_CASE("a metric without samples has no figures") {
  const Samples none(Unit::one);
  const Summary summary = summary_of(Ordered(none));
  CHECK(summary.n == 0);
  CHECK_FALSE(summary.min);
  CHECK_FALSE(summary.mean);
  CHECK_FALSE(summary.p50);
  CHECK_FALSE(summary.max);
}

TEST_CASE("a metric of nothing but censored samples has a count only") {
  Samples samples(Unit::nanosecond);
  samples.add({5, 0, 0, true});
  const Summary summary = summary_of(Ordered(samples));
  CHECK(summary.n == 1);
  CHECK_FALSE(summary.min);
  CHECK_FALSE(summary.p50);
}

TEST_CASE("a mean is exact where the sum leaves int64, and rounds a half away from zero") {
  CHECK(mean(of({most, most, most})) == most);
  CHECK(mean(of({most, most - 1})) == most);
  CHECK(mean(of({1, 2})) == 2);
  CHECK(mean(of({-1, -2})) == -2);
  CHECK(mean(of({1, 1, 2})) == 1);
}

TEST_CASE("samples below and up to a value are counted apart") {
  const Samples samples = of({1, 2, 2, 3});
  const Ordered ordered(samples);
  CHECK(ordered.below(2) == 1);
  CHECK(ordered.at_most(2) == 3);
}
