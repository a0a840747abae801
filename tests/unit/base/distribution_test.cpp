#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/base/distribution.hpp>

using namespace tenure;
using namespace std::chrono_literals;

namespace {

// `count` draws with seed 1, run 0, in ascending order.
std::vector<Duration> sorted_draws(const Distribution& distribution, std::uint64_t count) {
  SeededOracle oracle(1, 0);
  const Stream stream = stream_named("link/a>b/latency");
  std::vector<Duration> drawn;
  for (std::uint64_t n = 0; n < count; ++n)
    drawn.push_back(sample(distribution, oracle, {stream, n}));
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

double mean_of(const std::vector<Duration>& values) {
  double sum = 0;
  for (const Duration value : values) sum += static_cast<double>(value.count());
  return sum / static_cast<double>(values.size());
}

double at_share(const std::vector<Duration>& sorted, double share) {
  const auto index = static_cast<std::size_t>(share * static_cast<double>(sorted.size()));
  return static_cast<double>(sorted[index].count());
}

Duration drawn_with(const Distribution& distribution, std::vector<std::uint64_t> answers) {
  ScriptedOracle oracle(std::move(answers));
  const Duration value = sample(distribution, oracle, {});
  CHECK(oracle.exhausted());
  return value;
}

constexpr std::uint64_t last_cell = (std::uint64_t{1} << 52) - 1;
constexpr std::uint64_t middle_cell = std::uint64_t{1} << 51;

const Distribution two_speeds =
    Distribution::mixture({Distribution::constant(5ms), Distribution::exponential(2s)},
                          {0.99, 0.01});
const Distribution three_points = Distribution::empirical({{4ms, 0.5}, {9ms, 0.9}, {80ms, 1}});

}  // namespace

TEST_CASE("a constant asks the oracle nothing") {
  CHECK(drawn_with(Distribution::constant(5ms), {}) == 5ms);
}

TEST_CASE("a uniform distribution includes both ends") {
  const auto d = Distribution::uniform(1ms, 9ms);
  CHECK(drawn_with(d, {0}) == 1ms);
  CHECK(drawn_with(d, {8'000'000}) == 9ms);
  CHECK(d.lower_bound() == 1ms);
  CHECK(d.upper_bound() == 9ms);
}

TEST_CASE("a uniform distribution may span every duration there is") {
  const auto d = Distribution::uniform(0ns, longest_duration);
  CHECK(drawn_with(d, {static_cast<std::uint64_t>(longest_duration.count())}) == longest_duration);
}

TEST_CASE("a uniform distribution has its theoretical mean and quantiles") {
  const auto drawn = sorted_draws(Distribution::uniform(1ms, 9ms), 100'000);
  CHECK(mean_of(drawn) == doctest::Approx(5e6).epsilon(0.01));
  CHECK(at_share(drawn, 0.25) == doctest::Approx(3e6).epsilon(0.01));
}

TEST_CASE("an exponential distribution has its theoretical mean and quantiles") {
  const auto drawn = sorted_draws(Distribution::exponential(5ms), 100'000);
  CHECK(mean_of(drawn) == doctest::Approx(5e6).epsilon(0.01));
  CHECK(at_share(drawn, 0.5) == doctest::Approx(5e6 * std::log(2)).epsilon(0.02));
  CHECK(at_share(drawn, 0.99) == doctest::Approx(5e6 * std::log(100)).epsilon(0.03));
}

TEST_CASE("a lognormal distribution has the two quantiles that it is written with") {
  const auto drawn = sorted_draws(Distribution::lognormal(4ms, 40ms), 100'000);
  CHECK(at_share(drawn, 0.5) == doctest::Approx(4e6).epsilon(0.02));
  CHECK(at_share(drawn, 0.99) == doctest::Approx(40e6).epsilon(0.05));
  const double sigma = std::log(10) / 2.3263478740408408;
  CHECK(mean_of(drawn) == doctest::Approx(4e6 * std::exp(sigma * sigma / 2)).epsilon(0.02));
}

TEST_CASE("a lognormal distribution with equal quantiles is a constant") {
  const auto d = Distribution::lognormal(4ms, 4ms);
  CHECK(drawn_with(d, {last_cell}) == 4ms);
  CHECK(d.lower_bound() == 4ms);
  CHECK(d.upper_bound() == 4ms);
}

TEST_CASE("a Pareto distribution has its theoretical mean and quantiles") {
  const auto drawn = sorted_draws(Distribution::pareto(2ms, 3.0), 100'000);
  CHECK(drawn.front() >= 2ms);
  CHECK(mean_of(drawn) == doctest::Approx(3e6).epsilon(0.02));
  CHECK(at_share(drawn, 0.99) == doctest::Approx(2e6 * std::pow(100, 1 / 3.0)).epsilon(0.03));
}

TEST_CASE("an empirical distribution has an atom at its first point") {
  CHECK(drawn_with(three_points, {0}) == 4ms);
  CHECK(drawn_with(three_points, {middle_cell - 1}) == 4ms);
  CHECK(drawn_with(three_points, {middle_cell + middle_cell / 4}) > 4ms);
}

TEST_CASE("an empirical distribution interpolates between its points") {
  const auto drawn = sorted_draws(three_points, 100'000);
  CHECK(at_share(drawn, 0.7) == doctest::Approx(6.5e6).epsilon(0.02));
  CHECK(at_share(drawn, 0.95) == doctest::Approx(44.5e6).epsilon(0.02));
  CHECK(mean_of(drawn) == doctest::Approx(0.5 * 4e6 + 0.4 * 6.5e6 + 0.1 * 44.5e6).epsilon(0.02));
  CHECK(drawn.back() <= 80ms);
}

TEST_CASE("an empirical distribution may jump where two points share a value or a share") {
  const auto d = Distribution::empirical({{4ms, 0.5}, {9ms, 0.5}, {9ms, 1}});
  CHECK(drawn_with(d, {middle_cell - 1}) == 4ms);
  CHECK(drawn_with(d, {middle_cell}) == 9ms);
}

TEST_CASE("a mixture takes its parts in proportion to their weights") {
  const auto drawn = sorted_draws(two_speeds, 100'000);
  CHECK(mean_of(drawn) == doctest::Approx(0.99 * 5e6 + 0.01 * 2e9).epsilon(0.1));
  const auto fast = std::count(drawn.begin(), drawn.end(), Duration{5ms});
  CHECK(fast > 98'850);
  CHECK(fast < 99'150);
}

TEST_CASE("weights may have any sum") {
  const auto d =
      Distribution::mixture({Distribution::constant(1ms), Distribution::constant(2ms)}, {30, 10});
  CHECK(drawn_with(d, {middle_cell + middle_cell / 2 - 1}) == 1ms);
  CHECK(drawn_with(d, {middle_cell + middle_cell / 2}) == 2ms);
}

TEST_CASE("the questions of nested mixtures have different numbers") {
  const auto inner = Distribution::mixture({Distribution::uniform(1ms, 2ms)}, {1});
  const auto outer = Distribution::mixture({inner}, {1});
  SeededOracle seeded(1, 0);
  RecordingOracle recording(seeded);
  sample(outer, recording, {Stream{1}, 5});
  REQUIRE(recording.choices().size() == 3);
  CHECK(recording.choices()[0].draw.number == 5);
  CHECK(recording.choices()[1].draw.number == 5 + (std::uint64_t{1} << 63));
  CHECK(recording.choices()[2].draw.number == 5 + (std::uint64_t{3} << 62));
}

TEST_CASE("no draw is negative or beyond int64") {
  CHECK(drawn_with(Distribution::exponential(longest_duration), {0}) == longest_duration);
  CHECK(drawn_with(Distribution::lognormal(1s, longest_duration), {last_cell}) == longest_duration);
  CHECK(drawn_with(Distribution::pareto(1s, 1e-3), {0}) == longest_duration);
  CHECK(drawn_with(Distribution::exponential(1ns), {last_cell}) == 0ns);
  CHECK(drawn_with(Distribution::constant(-1s), {}) == 0ns);
}

TEST_CASE("every draw lies within the bounds that the distribution names") {
  const Distribution all[] = {Distribution::constant(5ms),
                              Distribution::uniform(1ms, 9ms),
                              Distribution::exponential(5ms),
                              Distribution::lognormal(4ms, 40ms),
                              Distribution::pareto(2ms, 2.1),
                              three_points,
                              two_speeds};
  for (const Distribution& d : all) {
    const auto drawn = sorted_draws(d, 20'000);
    CHECK(drawn.front() >= d.lower_bound());
    CHECK(drawn.back() <= d.upper_bound());
  }
}

TEST_CASE("the bounds of a distribution are those of its definition") {
  CHECK(Distribution::exponential(5ms).lower_bound() == 0ns);
  CHECK(Distribution::exponential(5ms).upper_bound() == longest_duration);
  CHECK(Distribution::pareto(2ms, 2.1).lower_bound() == 2ms);
  CHECK(three_points.lower_bound() == 4ms);
  CHECK(three_points.upper_bound() == 80ms);
  CHECK(two_speeds.lower_bound() == 0ns);
  CHECK(two_speeds.upper_bound() == longest_duration);
}

// Both compilers must give these; a change of a single one changes every simulated run.
TEST_CASE("draws are pinned") {
  struct Row {
    const char* name;
    Distribution distribution;
    std::vector<Duration> expected;
  };
  const Row table[] = {
      {"uniform",
       Distribution::uniform(1ms, 9ms),
       {6712126ns, 6282737ns, 8470659ns, 3265628ns, 3943307ns, 2331997ns}},
      {"exponential",
       Distribution::exponential(5ms),
       {1684251ns, 2074987ns, 342292ns, 6307947ns, 4999539ns, 8963810ns}},
      {"lognormal",
       Distribution::lognormal(4ms, 40ms),
       {6998363ns, 6022296ns, 17740984ns, 2267777ns, 2864391ns, 1534329ns}},
      {"pareto",
       Distribution::pareto(2ms, 2.1),
       {2347972ns, 2436993ns, 2066273ns, 3646997ns, 3219718ns, 4696621ns}},
      {"empirical",
       three_points,
       {6675197ns, 6004276ns, 33020906ns, 4000000ns, 4000000ns, 4000000ns}},
      {"mixture", two_speeds, {5000000ns, 5000000ns, 5000000ns, 5000000ns, 5000000ns, 5000000ns}},
      {"even mixture",
       Distribution::mixture({Distribution::uniform(1ms, 2ms), Distribution::pareto(1s, 1.5)},
                             {1, 1}),
       {1035715341ns, 4837645419ns, 2552747889ns, 1652758ns, 1083505ns, 1586598ns}},
  };
  for (const Row& row : table) {
    INFO(row.name);
    SeededOracle oracle(42, 7);
    std::vector<Duration> drawn;
    for (std::uint64_t n = 0; n < row.expected.size(); ++n) {
      drawn.push_back(sample(row.distribution, oracle, {stream_named("link/a>b/latency"), n}));
    }
    CHECK(drawn == row.expected);
  }
}
