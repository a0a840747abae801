#include <cmath>
#include <cstdint>

#include <doctest/doctest.h>

#include <tenure/stats/interval.hpp>

using namespace tenure;
using namespace tenure::stats;

namespace {

constexpr Ratio p50{1, 2}, p95{95, 100}, p99{99, 100}, p999{999, 1000};

// To the digits that the table prints.
bool shows(double value, double printed, int decimals) {
  return std::abs(value - printed) <= 0.5000001 * std::pow(10, -decimals);
}

}  // namespace

// statistics.md, section 2, first table.
TEST_CASE("the interval for p99 has the ranks of the table") {
  struct Row {
    std::size_t n, lower, upper;
    double coverage;
  };
  const Row table[] = {{500, 490, 500, 0.980},        {1'000, 983, 997, 0.976},
                       {2'000, 1'971, 1'989, 0.958},  {5'000, 4'936, 4'964, 0.954},
                       {10'000, 9'880, 9'920, 0.956}, {100'000, 98'938, 99'062, 0.951}};
  for (const Row& row : table) {
    INFO(row.n);
    const RankInterval found = quantile_ranks(p99, row.n);
    CHECK(found.lower == row.lower);
    CHECK(found.upper == row.upper);
    CHECK(shows(found.coverage, row.coverage, 3));
  }
}

TEST_CASE("300 samples give p99 a lower end, rank 293, and no upper one") {
  const RankInterval found = quantile_ranks(p99, 300);
  CHECK(found.lower == 293);
  CHECK_FALSE(found.upper);
}

TEST_CASE("368 samples are the fewest that give p99 an upper end at equal tails") {
  CHECK_FALSE(quantile_ranks(p99, 367).upper);
  CHECK(quantile_ranks(p99, 368).upper == 368);
  CHECK(samples_for_upper_end(p99, Sides::two) == 368);
}

// statistics.md, section 2, below the second table.
TEST_CASE("the intervals for the median of 100 and for p95 of 1000 are those of the text") {
  CHECK(quantile_ranks(p50, 100).lower == 40);
  CHECK(quantile_ranks(p50, 100).upper == 61);
  CHECK(quantile_ranks(p95, 1000).lower == 936);
  CHECK(quantile_ranks(p95, 1000).upper == 964);
}

TEST_CASE("equal tails: neither end may be moved inwards") {
  for (const std::size_t n : {1U, 5U, 6U, 37U, 400U, 1500U}) {
    for (const Ratio q : {p50, p95, p99}) {
      const RankInterval found = quantile_ranks(q, n);
      CHECK(found.coverage >= 0.95);
      if (found.lower && found.upper) CHECK(*found.lower < *found.upper);
    }
  }
}

// statistics.md, section 2, second table, and section 4.
TEST_CASE("the largest of 59, 299, 2995 samples bounds p95, p99, p99.9 with 95 % confidence") {
  CHECK(samples_for_upper_end(p95, Sides::one) == 59);
  CHECK(samples_for_upper_end(p99, Sides::one) == 299);
  CHECK(samples_for_upper_end(p999, Sides::one) == 2'995);
  CHECK(samples_for_upper_end(p999, Sides::two) == 3'688);
  CHECK(samples_for_upper_end({9'999, 10'000}, Sides::one) == 29'956);
  CHECK(samples_for_upper_end({999'999, 1'000'000}, Sides::one) == 2'995'731);
}

TEST_CASE("the ends of a quantile mirror each other") {
  CHECK(samples_for_lower_end({1, 100}, Sides::two) == 368);
  CHECK(samples_for_lower_end(p99, Sides::two) == 1);
  CHECK(quantile_ranks({1, 100}, 368).lower == 1);
}

// statistics.md, section 4, table.
TEST_CASE("Wilson's interval is that of the table") {
  struct Row {
    std::uint64_t events, runs;
    double lower, upper;
    int lower_decimals, upper_decimals;
  };
  const Row table[] = {{0, 100, 0, 0.037, 3, 3},           {0, 1'000, 0, 0.0038, 4, 4},
                       {0, 10'000, 0, 0.00038, 5, 5},      {1, 1'000, 0.00018, 0.0056, 5, 4},
                       {5, 1'000, 0.0021, 0.0117, 4, 4},   {50, 1'000, 0.038, 0.065, 3, 3},
                       {3, 10'000, 0.00010, 0.00088, 5, 5}};
  for (const Row& row : table) {
    INFO(row.events, " of ", row.runs);
    const ShareInterval found = wilson(row.events, row.runs);
    CHECK(shows(found.lower, row.lower, row.lower_decimals));
    CHECK(shows(found.upper, row.upper, row.upper_decimals));
  }
}

TEST_CASE("Wilson's interval mirrors: all events are no events of the opposite") {
  CHECK(wilson(100, 100).upper == 1);
  CHECK(wilson(100, 100).lower == doctest::Approx(1 - wilson(0, 100).upper));
}

// Without events the interval of Clopper and Pearson ends at 1 - 0.025^(1/n).
TEST_CASE("the interval of Clopper and Pearson agrees with its closed forms and a known case") {
  CHECK(clopper_pearson(0, 100).lower == 0);
  CHECK(clopper_pearson(0, 100).upper == doctest::Approx(1 - std::pow(0.025, 0.01)));
  CHECK(clopper_pearson(100, 100).lower == doctest::Approx(std::pow(0.025, 0.01)));
  CHECK(clopper_pearson(100, 100).upper == 1);
  CHECK(clopper_pearson(5, 100).lower == doctest::Approx(0.016432).epsilon(1e-4));
  CHECK(clopper_pearson(5, 100).upper == doctest::Approx(0.112835).epsilon(1e-4));
}

// statistics.md, section 4, has 0.0296 at n = 100, but 1 - 0.05^0.01 is 0.02951; the rule of three
// says 0.0300. Interface, section 9: 0.00150 after 2000 runs.
TEST_CASE("without events the bound is 1 - 0.05^(1/n)") {
  CHECK(shows(upper_without_events(100), 0.02951, 5));
  CHECK(shows(upper_without_events(2'000), 0.00150, 5));
  CHECK(guaranteed_share(0, 100).upper == upper_without_events(100));
  CHECK(guaranteed_share(100, 100).lower == doctest::Approx(1 - upper_without_events(100)));
  CHECK(guaranteed_share(1, 100) == clopper_pearson(1, 100));
}

TEST_CASE("a mean's interval is 1.96 standard errors to either side") {
  Samples samples(Unit::nanosecond);
  for (std::uint64_t run = 0; run < 100; ++run) samples.add({run % 2 == 0 ? 10 : 20, run});
  const auto found = mean_interval(samples);
  REQUIRE(found);
  const double error = std::sqrt(25.0 * 100 / 99) / 10;
  CHECK(found->lower == doctest::Approx(15 - 1.959964 * error));
  CHECK(found->upper == doctest::Approx(15 + 1.959964 * error));
}

TEST_CASE("a mean of one sample, or with a censored one, has no interval") {
  Samples samples(Unit::nanosecond);
  samples.add({10, 0});
  CHECK_FALSE(mean_interval(samples));
  samples.add({10, 1});
  CHECK(mean_interval(samples));
  samples.add({10, 2, 0, true});
  CHECK_FALSE(mean_interval(samples));
}

// The normal quantile of 95 % is the 1.96 of every textbook.
TEST_CASE("intervals widen with the confidence that is asked for") {
  CHECK(normal_quantile(0.05) == doctest::Approx(1.959963984540054).epsilon(1e-14));
  CHECK(normal_quantile(0.01) == doctest::Approx(2.5758293035489).epsilon(1e-12));
  CHECK(quantile_ranks(p99, 1000, 0.05) == quantile_ranks(p99, 1000));
  CHECK(*quantile_ranks(p99, 1000, 0.01).upper > *quantile_ranks(p99, 1000).upper);
  CHECK(*quantile_ranks(p99, 1000, 0.01).lower < *quantile_ranks(p99, 1000).lower);
  CHECK(samples_for_upper_end(p99, Sides::two, 0.025) == 437);  // 0.99^n <= 0.0125
  CHECK(wilson(5, 1000, 0.01).upper > wilson(5, 1000).upper);
  CHECK(clopper_pearson(5, 1000, 0.01).lower < clopper_pearson(5, 1000).lower);
  CHECK(shows(upper_without_events(459, 0.01), 0.01, 4));  // 459 runs for 99 %
  CHECK(level_text(0.05) == "95 %");
  CHECK(level_text(0.05 / 6) == "99.17 %");
}
