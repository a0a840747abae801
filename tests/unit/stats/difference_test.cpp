#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/base/oracle.hpp>
#include <tenure/stats/difference.hpp>

using namespace tenure;
using namespace tenure::stats;

namespace {

const std::vector<Figure> figures{{Aggregation::mean, {}},
                                  {Aggregation::quantile, {1, 2}},
                                  {Aggregation::quantile, {95, 100}},
                                  {Aggregation::quantile, {99, 100}}};
constexpr std::size_t mean_at = 0, p50_at = 1, p99_at = 3;

// What run k of every setting draws: the luck that pairs share.
std::int64_t luck(std::uint64_t seed, std::uint64_t run) {
  SeededOracle oracle{seed, run};
  return static_cast<std::int64_t>(oracle.pick({stream_named("luck"), 0}, 1'000'000));
}

Samples drawn(std::uint64_t seed, std::uint64_t runs, std::int64_t shift = 0) {
  Samples samples(Unit::nanosecond);
  for (std::uint64_t run = 0; run < runs; ++run) samples.add({luck(seed, run) + shift, run});
  return samples;
}

std::vector<Difference> between(const Samples& base, const Samples& other, Pairing pairing) {
  const ComparedSamples pair{&base, &other};
  const auto runs = [](const Samples& s) { return s.empty() ? 0 : s.run_of(s.size() - 1) + 1; };
  return differences({&pair, 1}, figures, runs(base), runs(other), pairing)[0];
}

}  // namespace

TEST_CASE("the same samples do not differ") {
  const Samples samples = drawn(1, 500);
  for (const Difference& found : between(samples, samples, Pairing::paired)) {
    REQUIRE(found.interval.has_value());
    CHECK(found.interval->lower == 0);
    CHECK(found.interval->upper == 0);
    CHECK(found.p == 1);
  }
}

// Every pair differs by 1000 exactly, and nothing of the luck, which spreads over a million, is
// left in the difference.
TEST_CASE("a shift of all runs is found exactly by pairs, and not at all without them") {
  const Samples base = drawn(1, 500);
  const Samples other = drawn(1, 500, 1000);
  for (const Difference& found : between(base, other, Pairing::paired)) {
    CHECK(found.interval->lower == doctest::Approx(1000));
    CHECK(found.interval->upper == doctest::Approx(1000));
    CHECK(found.is_above());
    CHECK(found.p < 0.0011);
  }
  for (const Difference& found : between(base, other, Pairing::unpaired)) {
    CHECK_FALSE(found.is_above());
    CHECK_FALSE(found.is_below());
  }
}

TEST_CASE("the interval of a difference of means is that of normal theory") {
  const Samples base = drawn(1, 1000);
  const Samples other = drawn(2, 1000);
  const Difference found = between(base, other, Pairing::unpaired)[mean_at];
  // The standard deviation of a uniform variable is its range / sqrt(12).
  const double half = 1.96 * 1e6 / std::sqrt(12.0) * std::sqrt(2.0 / 1000);
  CHECK((found.interval->upper - found.interval->lower) / 2 == doctest::Approx(half).epsilon(0.08));
}

TEST_CASE("the same samples give the same interval again") {
  const Samples base = drawn(1, 400);
  const Samples other = drawn(2, 400);
  const auto first = between(base, other, Pairing::unpaired);
  const auto second = between(base, other, Pairing::unpaired);
  for (std::size_t k = 0; k < figures.size(); ++k) CHECK(first[k].interval == second[k].interval);
}

TEST_CASE("a figure that too few samples carry has no interval") {
  const auto found = between(drawn(1, 367), drawn(2, 400), Pairing::unpaired);
  CHECK_FALSE(found[p99_at].interval);
  CHECK(found[p50_at].interval);
  CHECK(between(drawn(1, 368), drawn(2, 400), Pairing::unpaired)[p99_at].interval);
  CHECK_FALSE(between(drawn(1, 29), drawn(2, 29), Pairing::unpaired)[mean_at].interval);
  CHECK_FALSE(between(Samples(Unit::one), Samples(Unit::one), Pairing::paired)[p50_at].interval);
}

TEST_CASE("a quantile that never ended is longer by more than every bound") {
  const Samples base = drawn(1, 400);
  Samples other(Unit::nanosecond);
  for (std::uint64_t run = 0; run < 400; ++run) other.add({5, run, 0, run % 4 == 0});
  const auto found = between(base, other, Pairing::paired);
  CHECK(found[p99_at].interval->lower == std::numeric_limits<double>::infinity());
  CHECK(found[p99_at].is_above());
  CHECK_FALSE(found[mean_at].interval);
}

TEST_CASE("two quantiles that never ended are not compared") {
  Samples both(Unit::nanosecond);
  Samples other(Unit::nanosecond);
  for (std::uint64_t run = 0; run < 400; ++run) {
    both.add({5, run, 0, run % 4 == 0});
    other.add({6, run, 0, run % 4 == 1});
  }
  const Difference found = between(both, other, Pairing::paired)[p99_at];
  CHECK_FALSE(found.is_above());
  CHECK_FALSE(found.is_below());
  CHECK(found.p == 1);
}

// All samples of a run go together: a run that is taken twice brings both of its failovers twice.
TEST_CASE("runs are resampled, not samples") {
  Samples base(Unit::nanosecond);
  Samples other(Unit::nanosecond);
  for (std::uint64_t run = 0; run < 400; ++run) {
    for (int twice = 0; twice < 2; ++twice) {
      base.add({luck(1, run), run});
      other.add({luck(2, run), run});
    }
  }
  const auto doubled = between(base, other, Pairing::unpaired);
  const auto single = between(drawn(1, 400), drawn(2, 400), Pairing::unpaired);
  CHECK(doubled[p50_at].interval == single[p50_at].interval);
}

// Newcombe's example: 56 of 70 and 48 of 80 differ by 0.2, from 0.0524 to 0.3339.
TEST_CASE("the difference of two shares is that of Newcombe's paper") {
  const ShareDifference found = share_difference(48, 80, 56, 70);
  CHECK(found.interval.lower == doctest::Approx(0.0524).epsilon(0.001));
  CHECK(found.interval.upper == doctest::Approx(0.3339).epsilon(0.001));
  CHECK(share_difference(0, 100, 0, 100).interval.lower < 0);
  CHECK(share_difference(0, 100, 0, 100).interval.upper > 0);
}

// The example of Benjamini and Hochberg's paper: fifteen p-values, four stand at 5 %.
TEST_CASE("of many findings those stand that the false discovery rate allows") {
  const std::vector<double> p{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                              0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
  const std::vector<bool> stands = findings_that_stand(p);
  for (std::size_t i = 0; i < p.size(); ++i) CHECK(stands[i] == (i < 4));
  CHECK(findings_that_stand({}).empty());
  // The last p below its line carries those before it.
  CHECK(findings_that_stand(std::vector<double>{0.04, 0.045, 0.03}) ==
        std::vector<bool>{true, true, true});
}
