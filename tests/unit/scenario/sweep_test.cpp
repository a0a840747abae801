#include <algorithm>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include <tenure/base/text.hpp>
#include <tenure/scenario/sweep.hpp>

using namespace tenure;
using namespace tenure::scenario;
using namespace std::chrono_literals;

namespace {

constexpr const char* base =
    "apiVersion: tenure/v1alpha1\nkind: Scenario\nmetadata: {name: base}\nspec:\n"
    "  runs: 100\n"
    "  candidates:\n"
    "    - {name: web, replicas: 3, elector: {type: client-go, leaseDuration: 15s, "
    "renewDeadline: 10s, retryPeriod: 2s}}\n"
    "  faults: [{name: kill, type: crash, target: leader, at: {uniform: [60s, 70s]}}]\n";

constexpr const char* l = "    - {name: L, path: spec.candidates.0.elector.leaseDuration, ";
constexpr const char* r = "    - {name: R, path: spec.candidates.0.elector.retryPeriod, ";

struct Planned {
  std::optional<SweepPlan> plan;
  Diagnostics problems;

  std::string codes() const {
    std::string out;
    for (const Diagnostic& d : problems.all()) out += (out.empty() ? "" : " ") + d.code;
    return out;
  }
  std::vector<std::string> labels() const {
    std::vector<std::string> out;
    for (const Point& point : plan->points) {
      out.push_back(label_of(plan->sweep, point) + (point.skipped.empty() ? "" : " -"));
    }
    return out;
  }
};

Planned planned(const std::string& spec) {
  SweepInput input;
  input.sweep_name = "sweep.yaml";
  input.sweep_text =
      "apiVersion: tenure/v1alpha1\nkind: Sweep\nmetadata: {name: test}\nspec:\n"
      "  scenarioRef: {path: base.yaml}\n" +
      spec;
  input.scenario_name = "base.yaml";
  input.scenario_text = base;
  Planned out;
  out.plan = plan_of(input, out.problems);
  return out;
}

using Labels = std::vector<std::string>;

}  // namespace

TEST_CASE("the first parameter is the outermost loop") {
  const Planned made = planned("  parameters:\n" + std::string{l} + "values: [15s, 30s]}\n" + r +
                               "values: [1s, 2s]}\n");
  REQUIRE(made.plan);
  CHECK(made.labels() == Labels{"L=15s R=1s", "L=15s R=2s", "L=30s R=1s", "L=30s R=2s"});
  CHECK(made.plan->points[2].scenario.candidates[0].elector.lease_duration == 30s);
  CHECK(made.plan->points[2].scenario.candidates[0].elector.retry_period == 1s);
  // 15/10/2 is how the scenario stands.
  CHECK(made.plan->present_point == 1);
}

TEST_CASE("what client-go refuses is skipped with its reason, and counted") {
  const Planned made = planned("  parameters:\n" + std::string{l} + "values: [10s, 15s]}\n" + r +
                               "values: [2s, 9s]}\n");
  REQUIRE(made.plan);
  CHECK(made.labels() == Labels{"L=10s R=2s -", "L=10s R=9s -", "L=15s R=2s", "L=15s R=9s -"});
  CHECK(made.plan->refused == 3);
  CHECK(made.plan->points[0].skipped.find("leaseDuration (10s) must be greater") !=
        std::string::npos);
}

TEST_CASE("constraints, excludes and includes") {
  const Planned made = planned("  parameters:\n" + std::string{l} + "values: [15s, 30s, 60s]}\n" +
                               r + "values: [1s, 2s]}\n" +
                               "  constraints: [\"L >= 20s\"]\n"
                               "  exclude: [{L: 60000ms, R: 1s}]\n"
                               "  include: [{L: 137s, R: 5s}]\n");
  REQUIRE(made.plan);
  CHECK(made.labels() == Labels{"L=15s R=1s -", "L=15s R=2s -", "L=30s R=1s", "L=30s R=2s",
                                "L=60s R=2s", "L=137s R=5s"});
  CHECK(made.plan->combined == 6);
  CHECK(made.plan->excluded == 1);
  CHECK(made.plan->constrained == 2);
  CHECK(made.plan->points[0].skipped == "constraint L >= 20s");
  CHECK(made.plan->points.back().is_included);
}

TEST_CASE("fields can follow the values of their point") {
  const Planned made = planned("  parameters:\n" + std::string{l} +
                               "values: [15s, 30s]}\n"
                               "  follow:\n"
                               "    - {path: spec.duration, expr: \"60s + 3 * L\"}\n"
                               "    - {path: spec.faults.0.at.uniform.1, expr: \"60s + L\"}\n");
  REQUIRE(made.plan);
  CHECK(made.plan->points[1].scenario.duration == 150s);
  CHECK(made.plan->points[1].scenario.faults[0].at.upper_bound() == 90s);
  // It is the scenario's own setting all the same.
  CHECK(made.plan->present_point == 0);
}

TEST_CASE("common seeds are the scenario's, independent ones differ from point to point") {
  const std::string two = "  parameters:\n" + std::string{l} + "values: [15s, 30s]}\n";
  const Planned common = planned(two);
  CHECK(common.plan->points[0].scenario.seed == 1);
  CHECK(common.plan->points[1].scenario.seed == 1);
  const Planned independent = planned(two + "  seeds: independent\n");
  CHECK(independent.plan->points[0].scenario.seed != independent.plan->points[1].scenario.seed);
}

TEST_CASE("a condition is written as a threshold or with the figure of an objective") {
  const std::string one = "  parameters:\n" + std::string{l} + "values: [15s]}\n";
  for (const std::string written : {"failover p(50) < 30s", "failover.p(50) < 30s",
                                    "  failover   p(50)<30s ", "failover[kill].p(50) <  30s"}) {
    CAPTURE(written);
    const Planned made =
        planned(one + "  objectives: {minimize: [gap.max], subjectTo: [\"" + written + "\"]}\n");
    REQUIRE(made.plan);
    REQUIRE(made.plan->sweep.needed.size() == 1);
    const auto& need = std::get<Threshold>(made.plan->sweep.needed[0]);
    CHECK(need.metric == Metric::failover);
    CHECK(need.percentile == Ratio{50, 1});
    CHECK(need.op == stats::Comparison::less);
  }
  const Planned closed = planned(one +
                                 "  objectives: {minimize: [gap.max], subjectTo: "
                                 "[\" safetyMargin>=1s\", \"clockRatio  >  1.1\"]}\n");
  REQUIRE(closed.plan);
  CHECK(closed.plan->sweep.needed.size() == 2);
}

TEST_CASE("ranges of a grid hold both ends") {
  const Planned steps =
      planned("  parameters:\n" + std::string{l} + "range: {from: 15s, to: 25s, step: 5s}}\n");
  CHECK(steps.labels() == Labels{"L=15s", "L=20s", "L=25s"});
  const Planned counted = planned("  parameters:\n" + std::string{l} +
                                  "range: {from: 15s, to: 60s, count: 3, scale: log}}\n");
  CHECK(counted.labels() == Labels{"L=15s", "L=30s", "L=1m"});
}

namespace {

std::string drawn(const std::string& design) {
  return "  design: " + design + "\n  parameters:\n" + r +
         "range: {from: 1s, to: 5s}}\n"
         "    - {name: d, range: {from: 1.25, to: 9}}\n"
         "    - {name: l, range: {from: 1.1, to: 3}}\n"
         "    - {name: D, path: spec.candidates.0.elector.renewDeadline, expr: \"R * d\"}\n"
         "    - {name: L, path: spec.candidates.0.elector.leaseDuration, expr: \"D * l\"}\n";
}

// How many of `cells` equal parts of the range from 1s to 5s have exactly one of the values of R.
std::size_t cells_with_one(const SweepPlan& plan, std::size_t cells) {
  std::vector<std::size_t> hits(cells);
  for (const Point& point : plan.points) {
    const Duration at = point.scenario.candidates[0].elector.retry_period - 1s;
    ++hits[std::min(cells - 1, static_cast<std::size_t>(at.count()) * cells / 4'000'000'000U)];
  }
  return static_cast<std::size_t>(std::count(hits.begin(), hits.end(), std::size_t{1}));
}

}  // namespace

TEST_CASE("designs draw in a space in which every point is valid, one in each part of a range") {
  for (const std::string type : {"sobol", "latin-hypercube"}) {
    CAPTURE(type);
    const Planned made = planned(drawn("{type: " + type + ", points: 64}"));
    REQUIRE(made.plan);
    CHECK(made.plan->points.size() == 64);
    CHECK(made.plan->refused == 0);
    CHECK(cells_with_one(*made.plan, 64) == 64);
    // A prefix of a Sobol sequence is balanced too.
    const Planned other = planned(drawn("{type: " + type + ", points: 64, seed: 2}"));
    CHECK(other.labels() != made.labels());
    const Planned again = planned(drawn("{type: " + type + ", points: 64}"));
    CHECK(again.labels() == made.labels());
  }
}

TEST_CASE("mistakes in a sweep are told with their codes") {
  const std::string one = "  parameters:\n" + std::string{l} + "values: [15s]}\n";
  CHECK(planned("  parameters: []\n").codes() == "E0209");
  CHECK(planned(one + "  unknown: 5\n").codes() == "E0201");
  CHECK(planned(one + "  include: [{}]\n").codes() == "E0202");
  CHECK(planned(one + "  include: [{L: 15s}]\n").codes() == "E0312");
  CHECK(planned(one + "  exclude: [{M: 15s}]\n").codes() == "E0317");
  CHECK(planned(one + "  exclude: [{L: 15s}]\n").codes() == "E0209");
  CHECK(planned(one + "  runsPerPoint: 0\n").codes() == "E0209");
  CHECK(planned(one + "  design: {type: sobol, points: 100}\n").codes() == "E0209 E0218");
  CHECK(planned("  parameters:\n" + std::string{l} + "values: [15]}\n").codes() == "E0203");
  CHECK(planned("  parameters:\n" + std::string{l} + "values: [15s, 15s]}\n").codes() == "E0312");
  CHECK(planned("  parameters:\n" + std::string{l} + "range: {from: 1, to: 1e18, count: 3}}\n")
            .codes() == "E0209");
  CHECK(planned(one + "  objectives: {minimize: [\"failover[kil].max\"]}\n").codes() == "E0317");
  CHECK(planned(one + "  objectives: {minimize: [\"gap[kill].max\"]}\n").codes() == "E0220");
  CHECK(planned(one + "  objectives: {minimize: [gap.max], subjectTo: [\"safetyMargin >= \"]}\n")
            .codes() == "E0223");
  CHECK(planned("  parameters:\n" + std::string{l} +
                "values: [15s]}\n    - {name: M, path: "
                "spec.candidates.0.elector.leaseDuration, values: [20s]}\n")
            .codes() == "E0312");
  CHECK(planned("  parameters:\n    - {name: N, path: '', values: [1]}\n").codes() == "E0209");
  CHECK(planned("  parameters:\n    - {name: N, path: spec.runs, values: [1, 2]}\n").codes() ==
        "E0218");
  // A fault at any instant can be explored, not run.
  CHECK(planned("  parameters:\n    - {name: T, path: spec.explore.tick, values: [1s]}\n"
                "    - {name: X, path: spec.faults.0.at, values: [any]}\n")
            .codes() == "E0320");
  CHECK(planned("  parameters:\n    - {name: X, path: spec.nothing, values: [1]}\n").codes() ==
        "E0201");
  CHECK(planned("  parameters:\n    - {name: X, path: spec.faults.7.at, values: [1s]}\n").codes() ==
        "E0003");
  CHECK(planned("  parameters:\n" + std::string{l} + "range: {from: 1s, to: 10h, step: 1ms}}\n")
            .codes() == "E0315");
}

TEST_CASE("closed forms are those of bounds") {
  const Planned made = planned("  parameters:\n" + std::string{l} + "values: [15s]}\n");
  const Scenario& scenario = made.plan->points[0].scenario;
  CHECK(closed_form_of(scenario, ClosedForm::api_outage_survived) == Quantity::of(8s));
  CHECK(closed_form_of(scenario, ClosedForm::safety_margin) == Quantity::of(3s));
  CHECK(closed_form_of(scenario, ClosedForm::clock_ratio) == Quantity::of(Ratio{5, 4}));
}

TEST_CASE("a range with a step has exactly the values that the file names") {
  const auto labels = [](const std::string& range) {
    const Planned made = planned("  parameters: [{name: A, range: {" + range + "}}]\n");
    REQUIRE_MESSAGE(made.plan, made.codes());
    return made.labels();
  };
  CHECK(labels("from: 1500us, to: 5500us, step: 1ms") ==
        Labels{"A=1.5ms", "A=2.5ms", "A=3.5ms", "A=4.5ms", "A=5.5ms"});
  const Labels tenths = labels("from: 100us, to: 1ms, step: 100us");
  REQUIRE(tenths.size() == 10);
  CHECK(tenths.front() == "A=" + duration_text(100us));
  CHECK(tenths[6] == "A=" + duration_text(700us));
  CHECK(tenths.back() == "A=1ms");
  CHECK(labels("from: 0.1, to: 0.3, step: 0.1") == Labels{"A=0.1", "A=0.2", "A=0.3"});
  // Beyond what a number is written with.
  for (const char* range :
       {"from: 0, to: 1, step: 0.0000000005", "from: 0.0000000001, to: 1, step: 1"}) {
    CHECK(planned("  parameters: [{name: A, range: {" + std::string{range} + "}}]\n").codes() ==
          "E0209");
  }
}

TEST_CASE("equal values are one point, however they are spelled") {
  const auto codes = [](const std::string& values, const std::string& more = "") {
    return planned("  parameters:\n" + std::string{l} + "values: [" + values + "]}\n" + more)
        .codes();
  };
  CHECK(codes("16s, 16000ms") == "E0312");
  CHECK(codes("16s, 17s, 16.0s") == "E0312");
  CHECK(codes("16s, 17s") == "");
  CHECK(codes("16s, 17s", "  include: [{L: 17000ms}]\n") == "E0312");
  CHECK(codes("16s", "  include: [{L: 17s}, {L: 17.0s}]\n") == "E0312");
}

TEST_CASE("a field is set once, however its path is spelled") {
  const auto codes = [](const std::string& path, const std::string& more = "") {
    return planned("  parameters:\n" + std::string{l} + "values: [20s]}\n    - {name: X, path: \"" +
                   path + "\", values: [20s]}\n" + more)
        .codes();
  };
  for (const char* path :
       {"spec.candidates.0.elector.leaseDuration", "spec.candidates[0].elector.leaseDuration",
        "spec.candidates[web].elector.leaseDuration", "spec.candidates.web.elector[leaseDuration]",
        "[spec].candidates.0.elector", "spec.candidates",
        "spec.candidates.0.elector.leaseDuration.nosuch"}) {
    CAPTURE(path);
    CHECK(codes(path) == "E0312");
  }
  CHECK(codes("spec.candidates[web].elector.retryPeriod",
              "  follow: [{path: \"spec.candidates[0].elector.retryPeriod\", expr: \"2s\"}]\n") ==
        "E0312");
  CHECK(codes("spec.faults[kill].at") == "");
}

TEST_CASE("what is the sweep's own is set neither by a parameter nor by a follower") {
  for (const char* path : {"spec.seed", "spec[seed]", "[spec].runs", "metadata.name", "kind"}) {
    CAPTURE(path);
    const std::string quoted = "\"" + std::string{path} + "\"";
    CHECK(planned("  parameters: [{name: X, path: " + quoted + ", values: [2]}]\n").codes() ==
          "E0218");
    CHECK(planned("  parameters: [{name: X, values: [2]}]\n  follow: [{path: " + quoted +
                  ", expr: \"X\"}]\n")
              .codes() == "E0218");
  }
}
