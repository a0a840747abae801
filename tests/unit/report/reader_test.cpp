// Results that are read again: the same bytes when written once more, and an E0701 for whatever is
// not as it was written.
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <tenure/report/reader.hpp>
#include <tenure/report/writer.hpp>
#include <tenure/run/campaign.hpp>
#include <tenure/stats/codec.hpp>

namespace tenure::report {
namespace {

run::RunResult result_of(const std::string& text) {
  Diagnostics diagnostics;
  const auto documents =
      scenario::parse_documents("small.yaml", text, scenario::Format::yaml, diagnostics);
  REQUIRE(documents.size() == 1);
  const auto scenario = scenario::decode(documents.front(), diagnostics);
  REQUIRE_MESSAGE(scenario.has_value(), rendered(diagnostics));
  return run::judged(*scenario, documents.front(),
                     run::run_campaign(run::experiment_of(*scenario), {}));
}

std::string json_of(const run::RunResult& result) {
  std::string text;
  write_json(result, [&](std::string_view piece) { text += piece; });
  return text;
}

std::optional<run::RunResult> read_again(const std::string& text, Diagnostics& diagnostics) {
  return read_run_result(nlohmann::ordered_json::parse(text), {"a.json", {}}, diagnostics);
}

// Two faults, censored failovers, a violated property, one that is allowed to be vacuous, a warning
// and thresholds of each kind.
const std::string varied = R"(
apiVersion: tenure/v1alpha1
kind: Scenario
metadata: {name: varied, description: two faults}
spec:
  duration: 90s
  runs: 40
  candidates: [{name: web, replicas: 2, elector: {type: client-go}}]
  faults:
    - {name: kill, type: crash, target: leader, at: {uniform: [40s, 50s]}, probability: 0.5}
    - {name: late, type: crash, target: leader, at: {uniform: [65s, 88s]}}
    - {name: never, type: crash, target: leader, at: 95s}
  properties:
    - beliefSafety
    - {name: boundedFailover, within: 1s, expect: violated}
    - {name: leaseRecord, allowVacuous: true}
  thresholds:
    failover: ["p(50) < 20s", "avg < 20s", "max < 30s", "count > 3"]
    failover[kill]: p(50) < 20s
    overlap: rate < 1%
    gap: {threshold: med < 16s, decision: point}
)";

const std::string& written() {
  static const std::string text = json_of(result_of(varied));
  return text;
}

// What is said of the result after a change to it.
std::string problem_of(const std::function<void(nlohmann::ordered_json&)>& change) {
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(written());
  change(json);
  Diagnostics diagnostics;
  const auto result = read_run_result(json, {"a.json", {}}, diagnostics);
  CHECK(result.has_value() == diagnostics.all().empty());
  return diagnostics.all().empty() ? "" : diagnostics.all().front().text;
}

TEST_CASE("a result that is read and written again has the same bytes") {
  Diagnostics diagnostics;
  const auto result = read_again(written(), diagnostics);
  REQUIRE_MESSAGE(result.has_value(), rendered(diagnostics));
  const bool same = json_of(*result) == written();
  CHECK(same);
}

TEST_CASE("looks and where a campaign stopped are read as well") {
  const std::string text = json_of(result_of(varied + "  stopping: {looks: [10, 25]}\n"));
  Diagnostics diagnostics;
  const auto result = read_again(text, diagnostics);
  REQUIRE_MESSAGE(result.has_value(), rendered(diagnostics));
  CHECK_FALSE(result->looks.empty());
  const bool same = json_of(*result) == text;
  CHECK(same);
}

TEST_CASE("samples are read with their runs, their faults and their censoring") {
  const run::RunResult made = result_of(varied);
  Diagnostics diagnostics;
  const auto read = read_again(json_of(made), diagnostics);
  REQUIRE(read.has_value());
  CHECK(read->metrics == made.metrics);
  CHECK(read->summaries == made.summaries);
  CHECK(read->overlapping_runs == made.overlapping_runs);
  CHECK_FALSE(made.metrics[0].censored_at().empty());
}

TEST_CASE("what is no result says so") {
  CHECK(problem_of([](auto& json) { json = 5; }) == "apiVersion is missing");
  CHECK(problem_of([](auto& json) { json["kind"] = "Scenario"; }) ==
        "kind is \"Scenario\", and a RunResult is needed");
  CHECK(problem_of([](auto& json) { json["apiVersion"] = "tenure/v9"; }) ==
        "apiVersion is \"tenure/v9\"; this version of tenure reads tenure/v1alpha1");
  CHECK(problem_of([](auto& json) { json.erase("scenario"); }) == "scenario is missing");
  CHECK(problem_of([](auto& json) { json["scenario"]["spec"]["rums"] = 1; }) ==
        "scenario cannot be understood: unknown field \"rums\" in spec");
}

TEST_CASE("a file that is nested without end is refused") {
  const auto folder = std::filesystem::temp_directory_path() / "tenure-reader-test";
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "deep.json").string();
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  std::ofstream{path} << R"({"kind": "RunResult", "scenario": )" << deep << "}";
  Diagnostics problems;
  CHECK(load_json(path, problems) == nullptr);
  CHECK(problems.errors() == 1);
  std::filesystem::remove_all(folder);
}

TEST_CASE("damaged samples are refused, whichever part it is") {
  const auto failover = [](nlohmann::ordered_json& json) -> nlohmann::ordered_json& {
    return json["metrics"]["failover"];
  };
  CHECK(problem_of([&](auto& json) { failover(json)["samplesNs"] = "AAAA"; }) ==
        "metrics.failover.samplesNs does not begin with \"base64-delta-varint:\"");
  CHECK(problem_of([&](auto& json) {
          std::string text = failover(json)["samplesNs"];
          failover(json)["samplesNs"] = text.substr(0, text.size() - 5);
        }).find("metrics.failover.samplesNs is damaged: it does not hold ") == 0);
  CHECK(problem_of([&](auto& json) { failover(json)["unit"] = "s"; }) ==
        "metrics.failover.unit is \"s\", and samples of failover are in ns");
  CHECK(problem_of([&](auto& json) { failover(json).erase("runOf"); }).find("and no runOf") !=
        std::string::npos);
  CHECK(problem_of([&](auto& json) {
          failover(json)["runOf"] = json["metrics"]["gap"]["samplesNs"];
        }).find("metrics.failover.runOf is damaged") == 0);
  CHECK(problem_of([&](auto& json) { failover(json)["faultOf"] = failover(json)["runOf"]; }) ==
        "metrics.failover.faultOf is damaged: the scenario has 3 faults");
  CHECK(problem_of([&](auto& json) {
          failover(json)["censoredAt"] = {5, 4};
        }).find("metrics.failover.censoredAt[1] must lie between 6 and") == 0);
  CHECK(problem_of([&](auto& json) { failover(json)["n"] = -1; }) ==
        "metrics.failover.n is not a whole number");
  CHECK(problem_of([&](auto& json) { json["metrics"].erase("gap"); }) == "metrics.gap is missing");
}

TEST_CASE("samples that can be decoded and are others than those that were written are refused") {
  CHECK(problem_of([](auto& json) {
          stats::Samples ones{stats::Unit::nanosecond};
          for (std::uint64_t run = 0; run < 40; ++run) ones.add({1, run});
          std::string text = "base64-delta-varint:";
          stats::encode_values(ones, [&](std::string_view piece) { text += piece; });
          json["metrics"]["gap"]["samplesNs"] = text;
        }) == "metrics.gap.minNs is not that of the samples, which are damaged");
}

TEST_CASE("counts that cannot be are refused") {
  CHECK(problem_of([](auto& json) { json["properties"][0]["exercisedRuns"] = 41; }) ==
        "properties[0] counts more runs than the 40 that were made");
  CHECK(problem_of([](auto& json) { json["status"]["runHash"] = "12"; }) ==
        "status.runHash is not 16 hexadecimal digits");
  CHECK(problem_of([](auto& json) { json["properties"][0]["verdict"] = "fine"; }) ==
        "properties[0].verdict is no verdict: \"fine\"");
  CHECK(problem_of([](auto& json) { json["status"]["runs"] = ~std::uint64_t{0}; }) ==
        "status.runs is more than the 1000000000 that can be made");
}

}  // namespace
}  // namespace tenure::report
