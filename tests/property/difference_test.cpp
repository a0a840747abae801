// Differences where there is none: two settings with the same distribution, many times over. An
// interval at 95 % may miss zero in 5 % of them; what is said to stand among several findings, too.
// Seeds are fixed; three standard deviations of the number of repetitions are allowed.
#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/base/oracle.hpp>
#include <tenure/stats/difference.hpp>

namespace tenure::test {
namespace {

using stats::Aggregation;
using stats::Difference;
using stats::Figure;
using stats::Pairing;
using stats::Samples;

constexpr std::uint64_t repetitions = 250;
constexpr std::uint64_t runs = 100;

std::uint64_t most_by_luck(double share = 0.05) {
  const auto n = static_cast<double>(repetitions);
  return static_cast<std::uint64_t>(n * share + 3 * std::sqrt(n * share * (1 - share)));
}

std::int64_t drawn(std::uint64_t repetition, std::uint64_t run, const char* stream) {
  SeededOracle oracle{repetition, run};
  return static_cast<std::int64_t>(oracle.pick({stream_named(stream), 0}, 1'000'000));
}

// Luck that both settings share, and as much that each has to itself.
Samples setting(std::uint64_t repetition, const char* own, std::int64_t shift = 0) {
  Samples samples{stats::Unit::nanosecond};
  for (std::uint64_t run = 0; run < runs; ++run) {
    samples.add({drawn(repetition, run, "shared") + drawn(repetition, run, own) + shift, run});
  }
  return samples;
}

struct Alarms {
  std::uint64_t mean = 0, median = 0, standing = 0;
};

Alarms alarms(Pairing pairing, std::int64_t shift) {
  const std::vector<Figure> figures{{Aggregation::mean, {1, 2}}, {Aggregation::quantile, {1, 2}}};
  Alarms found;
  for (std::uint64_t repetition = 0; repetition < repetitions; ++repetition) {
    const Samples base = setting(repetition, "base");
    // Sets that are not paired share no luck.
    const Samples other =
        setting(repetition + (pairing == Pairing::paired ? 0 : repetitions), "other", shift);
    const stats::ComparedSamples pair{&base, &other};
    const auto all = stats::differences({&pair, 1}, figures, runs, runs, pairing)[0];
    const auto differs = [](const Difference& d) { return d.is_above() || d.is_below(); };
    found.mean += differs(all[0]) ? 1U : 0U;
    found.median += differs(all[1]) ? 1U : 0U;
    const std::vector<bool> stands =
        stats::findings_that_stand(std::vector<double>{all[0].p, all[1].p});
    found.standing += (stands[0] && differs(all[0])) || (stands[1] && differs(all[1])) ? 1U : 0U;
  }
  return found;
}

TEST_CASE("pairs of the same setting differ by luck in 5 % at most") {
  const Alarms found = alarms(Pairing::paired, 0);
  CHECK(found.mean <= most_by_luck());
  CHECK(found.median <= most_by_luck());
  CHECK(found.standing <= most_by_luck());
}

TEST_CASE("two sets of runs of the same setting differ by luck in 5 % at most") {
  const Alarms found = alarms(Pairing::unpaired, 0);
  CHECK(found.mean <= most_by_luck());
  CHECK(found.median <= most_by_luck());
  CHECK(found.standing <= most_by_luck());
}

// A third of the spread of one setting.
TEST_CASE("a true difference is found, and sooner by pairs") {
  const Alarms paired = alarms(Pairing::paired, 150'000);
  const Alarms unpaired = alarms(Pairing::unpaired, 150'000);
  CHECK(paired.mean > repetitions * 9 / 10);
  CHECK(unpaired.mean < paired.mean);
}

}  // namespace
}  // namespace tenure::test
