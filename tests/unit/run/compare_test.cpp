// Two results side by side: pairs where there are pairs, verdicts that changed, and what counts as
// a regression.
#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/run/campaign.hpp>
#include <tenure/run/compare.hpp>
#include <tenure/run/result.hpp>

namespace tenure::run {
namespace {

constexpr std::uint64_t runs = 400;

// A result in which every run has one failover, of these times.
RunResult result_with(const std::vector<std::int64_t>& failovers,
                      const std::string& more = "",
                      const std::string& name = "made") {
  const std::string text = "apiVersion: tenure/v1alpha1\nkind: Scenario\nmetadata: {name: " + name +
                           "}\nspec:\n  runs: " + std::to_string(failovers.size()) +
                           "\n  candidates: [{name: web, elector: {type: client-go}}]\n" + more;
  Diagnostics problems;
  const auto documents =
      scenario::parse_documents("made.yaml", text, scenario::Format::yaml, problems);
  REQUIRE_MESSAGE(!documents.empty(), rendered(problems));
  const auto scenario = scenario::decode(documents.front(), problems);
  REQUIRE_MESSAGE(scenario.has_value(), rendered(problems));
  RunResult result;
  result.scenario = *scenario;
  result.runs = failovers.size();
  for (std::size_t id = 0; id < check::metric_count; ++id)
    result.metrics.emplace_back(unit_of(static_cast<check::MetricId>(id)));
  for (std::size_t run = 0; run < failovers.size(); ++run)
    result.metrics[0].add({failovers[run], run});
  result.thresholds = judge_thresholds(result.scenario, result.metrics, result.runs);
  return result;
}

std::vector<std::int64_t> spread(std::int64_t from, std::uint64_t count = runs) {
  std::vector<std::int64_t> times;
  for (std::uint64_t run = 0; run < count; ++run)
    times.push_back(from + static_cast<std::int64_t>(run * 7919 % 1000) * 10'000'000);
  return times;
}

const FigureChange& figure(const Comparison& comparison, std::string_view name) {
  const auto& all = comparison.points.at(0).figures;
  const auto found = std::find_if(all.begin(), all.end(), [&](const FigureChange& change) {
    return change.metric == check::MetricId::failover && change.name == name;
  });
  REQUIRE(found != all.end());
  return *found;
}

PropertyResult property(const std::string& name, Finding finding, std::uint64_t violated) {
  PropertyResult result;
  result.name = name;
  result.finding = finding;
  result.tally.violated_runs = violated;
  return result;
}

TEST_CASE("a result is no regression of itself") {
  const RunResult result = result_with(spread(13'000'000'000));
  const Comparison comparison = compare({result}, {result});
  CHECK_FALSE(comparison.is_regression());
  for (const FigureChange& change : comparison.points[0].figures)
    CHECK(change.change == Change::no_evidence);
  CHECK(comparison.points[0].settings.empty());
}

// 50 ms are nothing beside a spread of ten seconds, and plain to see when runs are paired.
TEST_CASE("runs with the same seed and number are compared as pairs") {
  const RunResult base = result_with(spread(13'000'000'000));
  const RunResult slower = result_with(spread(13'050'000'000));
  const RunResult elsewhere = result_with(spread(13'050'000'000), "  seed: 2\n");
  const Comparison paired = compare({base}, {slower});
  CHECK(paired.points[0].pairing == stats::Pairing::paired);
  CHECK(figure(paired, "p99").change == Change::worse);
  CHECK(figure(paired, "mean").change == Change::worse);
  CHECK(paired.is_regression());
  const Comparison unpaired = compare({base}, {elsewhere});
  CHECK(unpaired.points[0].pairing == stats::Pairing::unpaired);
  CHECK(figure(unpaired, "p99").change == Change::no_evidence);
  CHECK_FALSE(unpaired.is_regression());
}

TEST_CASE("runs of different number are not paired") {
  const Comparison comparison =
      compare({result_with(spread(0, 400))}, {result_with(spread(0, 500))});
  CHECK(comparison.points[0].pairing == stats::Pairing::unpaired);
}

TEST_CASE("what is faster is better, and no regression") {
  const Comparison comparison =
      compare({result_with(spread(13'050'000'000))}, {result_with(spread(13'000'000'000))});
  CHECK(figure(comparison, "p50").change == Change::better);
  CHECK_FALSE(comparison.is_regression());
}

TEST_CASE("more requests are more, and nobody calls it worse") {
  RunResult base = result_with(spread(0));
  RunResult other = base;
  constexpr auto load = static_cast<std::size_t>(check::MetricId::api_requests_per_second);
  for (std::uint64_t run = 0; run < runs; ++run) {
    base.metrics[load].add({1'000'000'000, run});
    other.metrics[load].add({2'000'000'000, run});
  }
  const Comparison comparison = compare({base}, {other});
  CHECK(comparison.points[0].figures.back().change == Change::more);
  CHECK_FALSE(comparison.is_regression());
}

TEST_CASE("a property or threshold that fails and did not before is a regression") {
  RunResult base = result_with(spread(0), "  thresholds: {failover: max < 60s}\n");
  RunResult other = base;
  base.properties = {property("beliefSafety", Finding::ok, 0)};
  other.properties = {property("beliefSafety", Finding::fail, 12)};
  const Comparison comparison = compare({base}, {other});
  CHECK(comparison.is_regression());
  const PropertyChange& change = comparison.points[0].properties.at(0);
  CHECK(change.verdict.is_regression());
  CHECK(change.share->interval.lower > 0);
  CHECK_FALSE(compare({other}, {base}).is_regression());
  CHECK_FALSE(compare({other}, {other}).is_regression());
  other = base;
  other.thresholds[0].finding = Finding::fail;
  CHECK(compare({base}, {other}).is_regression());
  other.thresholds[0].finding = Finding::inconclusive;
  CHECK_FALSE(compare({base}, {other}).is_regression());
}

// leaseSafety is judged always and reported only when it fails.
TEST_CASE("a property that is only in the second, and fails, is a regression") {
  const RunResult base = result_with(spread(0));
  RunResult other = base;
  other.properties = {property("leaseSafety", Finding::fail, 1)};
  const Comparison comparison = compare({base}, {other});
  CHECK(comparison.is_regression());
  CHECK_FALSE(comparison.points[0].properties[0].verdict.base);
}

TEST_CASE("settings that are not the same are listed, each with both values") {
  const Comparison comparison = compare({result_with(spread(0), "  duration: 2m\n")},
                                        {result_with(spread(0), "  duration: 3m\n")});
  REQUIRE(comparison.points[0].settings.size() == 1);
  CHECK(comparison.points[0].settings[0].path == "spec.duration");
  CHECK(comparison.points[0].settings[0].base == "2m");
  CHECK(comparison.points[0].settings[0].other == "3m");
}

TEST_CASE("results of several scenarios are compared by their names") {
  const RunResult a = result_with(spread(0), "", "a");
  const RunResult b = result_with(spread(0), "", "b");
  const RunResult c = result_with(spread(0), "", "c");
  const Comparison comparison = compare({a, b}, {c, b});
  REQUIRE(comparison.points.size() == 1);
  CHECK(comparison.points[0].name == "b");
  CHECK(comparison.only_in_base == std::vector<std::string>{"a"});
  CHECK(comparison.only_in_other == std::vector<std::string>{"c"});
  CHECK(compare({a}, {b}).points.size() == 1);
}

}  // namespace
}  // namespace tenure::run
