// Thresholds as a gate, at the edge: a sampler whose figures are known exactly, and a threshold
// that lies on the truth. Whatever the gate says then is luck, so it must not say much: "ok" in at
// most 2.5 % of the repetitions, and "FAIL" as well. Seeds are fixed; three standard deviations of
// the number of repetitions are allowed.
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/base/oracle.hpp>
#include <tenure/run/campaign.hpp>
#include <tenure/run/result.hpp>
#include <tenure/run/stopping.hpp>
#include <tenure/stats/threshold.hpp>

namespace tenure::test {
namespace {

using stats::Aggregation;
using stats::Comparison;
using stats::Verdict;

constexpr std::uint64_t repetitions = 1000;

// 2.5 % and three standard deviations of a count among the repetitions, or another share.
std::uint64_t most_by_luck(double share = 0.025) {
  const auto n = static_cast<double>(repetitions);
  return static_cast<std::uint64_t>(n * share + 3 * std::sqrt(n * share * (1 - share)));
}

// The sample of a run, from a uniform whole number in [0, last].
struct Sampler {
  std::uint64_t last = 0;
  std::function<stats::Sample(std::uint64_t drawn, std::uint64_t run)> sample =
      [](std::uint64_t drawn, std::uint64_t run) {
        return stats::Sample{static_cast<std::int64_t>(drawn), run};
      };

  stats::Sample of(std::uint64_t repetition, std::uint64_t run) const {
    SeededOracle oracle{repetition, run};
    return sample(oracle.pick({stream_named("gate"), 0}, last), run);
  }
};

struct Said {
  std::uint64_t ok = 0;
  std::uint64_t fail = 0;

  void count(Verdict verdict) {
    ok += verdict == Verdict::ok ? 1U : 0U;
    fail += verdict == Verdict::fail ? 1U : 0U;
  }
};

Said said_of(const Sampler& sampler, const stats::Threshold& threshold, std::uint64_t runs) {
  Said said;
  for (std::uint64_t repetition = 0; repetition < repetitions; ++repetition) {
    stats::Samples samples{stats::Unit::nanosecond};
    for (std::uint64_t run = 0; run < runs; ++run) samples.add(sampler.of(repetition, run));
    said.count(stats::judge(stats::Ordered{samples}, threshold).verdict);
  }
  return said;
}

stats::Threshold quantile_at(Ratio q, Comparison comparison, std::int64_t value) {
  return {Aggregation::quantile, q, comparison, value};
}

void check_that_luck_decides_little(const Said& said) {
  CHECK(said.ok <= most_by_luck());
  CHECK(said.fail <= most_by_luck());
}

// Uniform on 0 .. 10^9 - 1, where 99 % are at most 989 999 999.
const Sampler uniform{999'999'999};
constexpr std::int64_t true_p99 = 989'999'999;

TEST_CASE("a p99 on its threshold passes by luck in 2.5 % at most, and fails in 2.5 %") {
  check_that_luck_decides_little(
      said_of(uniform, quantile_at({99, 100}, Comparison::at_most, true_p99), 1000));
}

TEST_CASE("away from its threshold a p99 is decided, and rightly") {
  const auto statement = [](std::int64_t value) {
    return quantile_at({99, 100}, Comparison::less, value);
  };
  CHECK(said_of(uniform, statement(999'000'000), 1000).ok > 950);    // in truth the p99.9
  CHECK(said_of(uniform, statement(970'000'000), 1000).fail > 950);  // the p97
}

TEST_CASE("a median on its threshold is decided by luck in 2.5 % each at most") {
  check_that_luck_decides_little(
      said_of(uniform, quantile_at({1, 2}, Comparison::at_most, 499'999'999), 1000));
}

// Values 0 .. 99: the p99 is 98, with as many samples on it as on any other.
TEST_CASE("ties make the gate no more talkative") {
  check_that_luck_decides_little(
      said_of({99}, quantile_at({99, 100}, Comparison::at_most, 98), 1000));
}

// Everything above the p99.5 never ended: its lower bound lies far below the threshold.
TEST_CASE("censored samples count as longer than the threshold, at the edge as well") {
  Sampler censoring{999'999'999};
  censoring.sample = [](std::uint64_t drawn, std::uint64_t run) {
    const bool ended = drawn < 995'000'000;
    return stats::Sample{ended ? static_cast<std::int64_t>(drawn) : 5, run, 0, !ended};
  };
  check_that_luck_decides_little(
      said_of(censoring, quantile_at({99, 100}, Comparison::at_most, true_p99), 1000));
}

TEST_CASE("a mean on its threshold is decided by luck in 2.5 % each at most") {
  check_that_luck_decides_little(
      said_of({1'000'000'000}, {Aggregation::mean, {1, 2}, Comparison::less, 500'000'000}, 1000));
}

// Of drawn numbers 0 .. 999 those below `events` are events.
Sampler events_per_mille(std::uint64_t events) {
  Sampler sampler{999};
  sampler.sample = [events](std::uint64_t drawn, std::uint64_t run) {
    return stats::Sample{drawn < events ? 1 : 0, run};
  };
  return sampler;
}

TEST_CASE("a rate on its threshold is decided by luck in 2.5 % each at most") {
  check_that_luck_decides_little(said_of(
      events_per_mille(50), {Aggregation::rate, {1, 2}, Comparison::less, 50'000'000}, 1000));
}

// statistics 4: without an event the bound is one-sided, 1 - 0.05^(1/n), so all 5 % are on its
// side. 300 runs without an event say "below 1 %", and come about in 0.99^300 = 4.9 %.
TEST_CASE("a rate without a single event may pass by luck in 5 %") {
  const Said said =
      said_of(events_per_mille(10), {Aggregation::rate, {1, 2}, Comparison::less, 10'000'000}, 300);
  CHECK(said.ok <= most_by_luck(0.05));
  CHECK(said.fail <= most_by_luck());
}

// ---- with sequential stopping: the rule that campaigns use, on the samples of the sampler

scenario::Scenario sequential(const std::string& threshold) {
  const std::string text =
      "apiVersion: tenure/v1alpha1\nkind: Scenario\nmetadata: {name: gate}\nspec:\n"
      "  runs: 4000\n  candidates: [{name: web, elector: {type: client-go}}]\n"
      "  stopping: {looks: [500, 1000, 2000]}\n  thresholds: {failover: \"" +
      threshold + "\"}\n";
  Diagnostics problems;
  const auto documents =
      scenario::parse_documents("gate.yaml", text, scenario::Format::yaml, problems);
  REQUIRE_MESSAGE(!documents.empty(), rendered(problems));
  const auto scenario = scenario::decode(documents.front(), problems);
  REQUIRE_MESSAGE(scenario.has_value(), rendered(problems));
  return *scenario;
}

// What a campaign has before its first run.
run::CampaignResult nothing_yet() {
  run::CampaignResult result;
  for (std::size_t id = 0; id < check::metric_count; ++id)
    result.metrics.emplace_back(run::unit_of(static_cast<check::MetricId>(id)));
  return result;
}

Said said_in_sequence(const Sampler& sampler, const std::string& threshold) {
  const scenario::Scenario scenario = sequential(threshold);
  const std::optional<run::Stopping> stopping = run::stopping_of(scenario);
  Said said;
  for (std::uint64_t repetition = 0; repetition < repetitions; ++repetition) {
    run::CampaignResult so_far = nothing_yet();
    for (const std::uint64_t look : stopping->looks) {
      for (; so_far.runs < look; ++so_far.runs)
        so_far.metrics[0].add(sampler.of(repetition, so_far.runs));
      if (stopping->look(so_far).enough()) break;
    }
    said.count(run::judge_thresholds(scenario, so_far.metrics, so_far.runs)[0].judgement.verdict);
  }
  return said;
}

TEST_CASE("looking four times does not make a p99 on its threshold pass more often") {
  check_that_luck_decides_little(said_in_sequence(uniform, "p(99) <= 989999999ns"));
}

TEST_CASE("looking four times does not make a median or a mean on its threshold pass more often") {
  check_that_luck_decides_little(said_in_sequence(uniform, "p(50) <= 499999999ns"));
  check_that_luck_decides_little(said_in_sequence({1'000'000'000}, "avg < 500ms"));
}

TEST_CASE("looking four times does not make a rate on its threshold pass more often") {
  check_that_luck_decides_little(said_in_sequence(events_per_mille(50), "rate < 5%"));
}

TEST_CASE("looking early decides what is far from its threshold with a part of the runs") {
  const scenario::Scenario scenario = sequential("p(99) < 999ms");
  const std::optional<run::Stopping> stopping = run::stopping_of(scenario);
  run::CampaignResult so_far = nothing_yet();
  for (; so_far.runs < 1000; ++so_far.runs) so_far.metrics[0].add(uniform.of(1, so_far.runs));
  CHECK(stopping->look(so_far).enough());
}

}  // namespace
}  // namespace tenure::test
