#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/stats/ecdf.hpp>

using namespace tenure;
using namespace tenure::stats;

namespace {

Samples samples_of(const std::vector<std::int64_t>& values, std::size_t censored = 0) {
  Samples samples(Unit::nanosecond);
  std::uint64_t run = 0;
  for (const std::int64_t value : values) samples.add({value, run++});
  for (std::size_t i = 0; i < censored; ++i) samples.add({1, run++, 0, true});
  return samples;
}

Samples one_to(std::int64_t n) {
  std::vector<std::int64_t> values;
  for (std::int64_t i = 1; i <= n; ++i) values.push_back(i);
  return samples_of(values);
}

}  // namespace

// statistics 3.
TEST_CASE("the band has the width of the statistics document") {
  CHECK(dkw_half_width(100) == doctest::Approx(0.136).epsilon(0.004));
  CHECK(dkw_half_width(1000) == doctest::Approx(0.043).epsilon(0.004));
  CHECK(dkw_half_width(10'000) == doctest::Approx(0.0136).epsilon(0.004));
  CHECK(samples_for_band(0.05) == 738);
  CHECK(samples_for_band(0.01) == 18'445);
  CHECK(samples_for_band(0.005) == 73'778);
}

TEST_CASE("the staircase climbs by the samples at each value, ties at once") {
  const Samples samples = samples_of({3, 1, 3, 2});
  const Ordered ordered{samples};
  const Ecdf ecdf{ordered};
  CHECK(ecdf.steps() == std::vector<EcdfStep>{{1, 1}, {2, 2}, {3, 4}});
  CHECK(ecdf.share(0) == 0);
  CHECK(ecdf.share(2) == 0.5);
  CHECK(ecdf.share(3) == 1);
  CHECK(ecdf.band(0).lower == 0);
  CHECK(ecdf.band(3).upper == 1);
}

TEST_CASE("censored samples lie above every value, so the staircase ends below 1") {
  const Samples samples = samples_of({1, 2, 3}, 1);
  const Ordered ordered{samples};
  const Ecdf ecdf{ordered};
  CHECK(ecdf.steps().back() == EcdfStep{3, 3});
  CHECK(ecdf.share(1'000'000) == 0.75);
}

TEST_CASE("nothing but censored samples is a staircase without steps") {
  const Samples samples = samples_of({}, 3);
  const Ordered ordered{samples};
  const Ecdf ecdf{ordered};
  CHECK(ecdf.steps().empty());
  CHECK(ecdf.thinned(5).empty());
  CHECK(ecdf.share(5) == 0);
}

TEST_CASE("a thinned staircase keeps its ends, and is nowhere off by more than a storey") {
  const Samples samples = one_to(10'000);
  const Ordered ordered{samples};
  const Ecdf ecdf{ordered};
  for (const std::size_t most : std::vector<std::size_t>{2, 3, 40, 500}) {
    const std::vector<EcdfStep> thinned = ecdf.thinned(most);
    CHECK(thinned.size() <= most);
    CHECK(thinned.front() == EcdfStep{1, 1});
    CHECK(thinned.back() == EcdfStep{10'000, 10'000});
    for (std::size_t i = 1; i < thinned.size(); ++i)
      CHECK(thinned[i].at_most - thinned[i - 1].at_most <= 10'000 / (most - 1) + 1);
  }
  CHECK(ecdf.thinned(10'000) == ecdf.steps());
}

TEST_CASE("two distributions differ when their bands do not meet") {
  const Samples base = one_to(1000);
  std::vector<std::int64_t> later_values;
  for (std::int64_t i = 1; i <= 1000; ++i) later_values.push_back(i + 200);
  const Samples later = samples_of(later_values);
  const auto same = distance_between(Ordered(base), Ordered(base));
  const auto apart = distance_between(Ordered(base), Ordered(later));
  CHECK(same->distance == 0);
  CHECK_FALSE(same->differs);
  CHECK(apart->distance == doctest::Approx(0.2));
  CHECK(apart->differs);
  const Samples none = samples_of({});
  CHECK_FALSE(distance_between(Ordered(base), Ordered(none)));
}
