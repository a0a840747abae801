#include <cstdint>

#include <doctest/doctest.h>

#include <tenure/stats/sample.hpp>

using namespace tenure::stats;

namespace {

Samples one_in_each_of(std::uint64_t first, std::uint64_t count) {
  Samples samples(Unit::nanosecond);
  for (std::uint64_t run = first; run < first + count; ++run) {
    samples.add({static_cast<std::int64_t>(run * 1000), run});
  }
  return samples;
}

}  // namespace

TEST_CASE("a sample comes back as it was added") {
  const Sample added[] = {{17, 3, 0, false}, {18, 3, 1, false}, {5, 4, 0, true}, {9, 9, 1, false}};
  Samples samples(Unit::nanosecond);
  for (const Sample& sample : added) samples.add(sample);
  REQUIRE(samples.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(samples[i] == added[i]);
  CHECK(samples.censored_at() == std::vector<std::size_t>{2});
}

TEST_CASE("a metric with one sample a run costs eight bytes a sample") {
  Samples samples(Unit::nanosecond);
  constexpr std::uint64_t runs = 1'000'000;
  samples.reserve(runs);
  for (std::uint64_t run = 0; run < runs; ++run) samples.add({1, run});
  CHECK(samples.memory() == 8 * runs);
}

TEST_CASE("nine metrics of a million runs, grown sample by sample, stay below 150 MB") {
  const Samples regular = one_in_each_of(0, 1'000'000);
  CHECK(9 * regular.memory() < 80'000'000);
  Samples irregular(Unit::nanosecond);
  for (std::uint64_t run = 1; run < 1'000'000; ++run) irregular.add({1, run + run % 2, 0, false});
  CHECK(9 * irregular.memory() < 150'000'000);
}

TEST_CASE("one sample in each of the runs is told from runs without one") {
  CHECK(one_in_each_of(10, 5).one_per_run(10, 5));
  CHECK_FALSE(one_in_each_of(10, 5).one_per_run(10, 6));
  CHECK_FALSE(one_in_each_of(10, 5).one_per_run(9, 5));
  Samples twice = one_in_each_of(0, 3);
  twice.add({1, 2});
  CHECK_FALSE(twice.one_per_run(0, 4));
  CHECK_FALSE(twice.one_per_run(0, 3));
}

TEST_CASE("shards appended in order are the samples of the whole") {
  Samples joined = one_in_each_of(0, 100);
  joined.append(one_in_each_of(100, 50));
  CHECK(joined == one_in_each_of(0, 150));
  CHECK(joined.one_per_run(0, 150));
}

TEST_CASE("appending keeps runs, faults and censoring") {
  Samples first(Unit::nanosecond);
  first.add({1, 0, 0, false});
  Samples second(Unit::nanosecond);
  second.add({2, 5, 1, true});
  second.add({3, 5, 2, false});
  first.append(second);
  CHECK(first[0] == Sample{1, 0, 0, false});
  CHECK(first[1] == Sample{2, 5, 1, true});
  CHECK(first[2] == Sample{3, 5, 2, false});
  CHECK(first.runs_spanned() == 6);
}

TEST_CASE("appending to nothing, and appending nothing, change nothing") {
  Samples none(Unit::nanosecond);
  none.append(one_in_each_of(7, 3));
  CHECK(none == one_in_each_of(7, 3));
  none.append(Samples(Unit::nanosecond));
  CHECK(none == one_in_each_of(7, 3));
}

TEST_CASE("a metric can be narrowed to one fault") {
  Samples samples(Unit::nanosecond);
  for (std::uint64_t run = 0; run < 4; ++run) {
    samples.add({10, run, 0, false});
    samples.add({20, run, 1, run == 2});
  }
  const Samples narrowed = of_fault(samples, 1);
  REQUIRE(narrowed.size() == 4);
  CHECK(narrowed[2] == Sample{20, 2, 1, true});
}
