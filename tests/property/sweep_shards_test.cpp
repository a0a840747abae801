// A sweep's result does not depend on how it was divided (interface 13).
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <tenure/report/sweep.hpp>
#include <tenure/run/shard.hpp>
#include <tenure/run/sweep.hpp>

namespace {

using namespace tenure;

scenario::SweepInput small_sweep(std::uint64_t seed = 1) {
  scenario::SweepInput input;
  input.scenario_name = "base.yaml";
  // 600 runs are three blocks, the last one not full. A pause gives overlaps, a late crash censored
  // failovers, and two faults samples of both.
  input.scenario_text = R"(apiVersion: tenure/v1alpha1
kind: Scenario
metadata: {name: base}
spec:
  duration: 75s
  runs: 600
  candidates:
    - {name: web, replicas: 2, elector: {type: client-go, leaseDuration: 6s, renewDeadline: 4s, retryPeriod: 1s}}
  faults:
    - {name: freeze, type: pause, target: leader, at: {uniform: [40s, 41s]}, duration: 8s}
    - {name: kill, type: crash, target: leader, at: {uniform: [62s, 72s]}}
  properties: [{name: beliefSafety, expect: any}]
)";
  input.sweep_name = "sweep.yaml";
  input.sweep_text = R"(apiVersion: tenure/v1alpha1
kind: Sweep
metadata: {name: small}
spec:
  scenarioRef: {path: base.yaml}
  parameters:
    - {name: L, path: spec.candidates.0.elector.leaseDuration, values: [4s, 6s, 9s]}
    - {name: R, path: spec.candidates.0.elector.retryPeriod, values: [1s, 2s]}
  objectives: {minimize: ["gap.avg", "transitions.avg"]}
)";
  input.seed = seed;
  return input;
}

std::vector<std::uint64_t> numbers_of(const run::Study& study, run::Shard shard) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t number = 0; number < study.units(); ++number) {
    if (shard.takes(number)) numbers.push_back(number);
  }
  return numbers;
}

std::string written(const scenario::SweepInput& input, std::vector<run::Unit> units) {
  Diagnostics none;
  std::string text;
  report::write_sweep_json(run::judged(*scenario::plan_of(input, none), std::move(units)), input,
                           [&](std::string_view piece) { text += piece; });
  return text;
}

// A shard as its file.
std::string shard_text(const scenario::SweepInput& input, run::Shard shard, unsigned threads) {
  Diagnostics none;
  const auto plan = scenario::plan_of(input, none);
  const run::Study study{*plan};
  run::StudyOptions options;
  options.threads = threads;
  run::ShardFile file;
  file.version = run::tenure_version;
  file.input = input;
  file.shard = shard;
  file.units = run::make_units(study, numbers_of(study, shard), options).units;
  std::string text;
  run::write_shard(file, [&](std::string_view piece) { text += piece; });
  return text;
}

std::optional<run::ShardFile> read(const std::string& name,
                                   const std::string& text,
                                   Diagnostics& diagnostics) {
  return run::read_shard(name, nlohmann::ordered_json::parse(text), diagnostics);
}

std::string whole(const scenario::SweepInput& input) {
  Diagnostics none;
  const auto plan = scenario::plan_of(input, none);
  REQUIRE(plan);
  const run::Study study{*plan};
  return written(input, run::make_units(study, numbers_of(study, {}), {}).units);
}

std::string codes(const Diagnostics& diagnostics) {
  std::string all;
  for (const Diagnostic& each : diagnostics.all()) all += each.file + ":" + each.code + " ";
  return all;
}

}  // namespace

TEST_CASE("1, 2 and 7 shards, on one thread or two, in any order, give the bytes of the whole") {
  const std::string expected = whole(small_sweep());
  CHECK(expected.find("\"censoredAt\"") != std::string::npos);
  for (const std::uint64_t count : {1U, 2U, 7U}) {
    CAPTURE(count);
    std::vector<run::ShardFile> shards;
    Diagnostics problems;
    for (std::uint64_t i = count; i-- > 0;) {
      const std::string text = shard_text(small_sweep(), {i, count}, 1 + i % 2);
      shards.push_back(*read("shard", text, problems));
    }
    const auto joined = run::joined(std::move(shards), problems);
    REQUIRE(joined);
    CHECK(joined->missing.empty());
    CHECK(written(joined->input, joined->units) == expected);
  }
}

TEST_CASE("what a user writes cannot be taken for samples") {
  scenario::SweepInput hostile = small_sweep();
  const std::size_t at = hostile.sweep_text.find("metadata: {name: small}");
  hostile.sweep_text.replace(at, 23,
                             "metadata: {name: small, description: \"\\x7fsamples:0\\x7f\"}");
  hostile.runs = 5;
  const auto json = nlohmann::json::parse(whole(hostile));
  CHECK(json["input"]["sweep"]["text"] == hostile.sweep_text);
  CHECK(json["points"].size() == 6);
}

TEST_CASE("a sweep in which nothing was run, or that cannot be judged yet, does not pass") {
  Diagnostics none;
  scenario::SweepInput input = small_sweep();
  input.runs = 10;
  const auto with = [&](const std::string& more) {
    scenario::SweepInput changed = input;
    changed.sweep_text += more;
    auto plan = scenario::plan_of(changed, none);
    REQUIRE(plan);
    const run::Study study{*plan};
    auto units = run::make_units(study, numbers_of(study, {}), {}).units;
    return run::judged(std::move(*plan), std::move(units)).verdict;
  };
  CHECK(with("") == run::Verdict::pass);
  CHECK(with("  constraints: [\"L > 1h\"]\n") == run::Verdict::inconclusive);
  const std::string base = input.sweep_text;
  const std::size_t end = base.rfind("  objectives:");
  const auto asking = [&](const std::string& needs) {
    input.sweep_text = base.substr(0, end);
    return with("  objectives: {minimize: [gap.avg], subjectTo: [\"" + needs + "\"]}\n");
  };
  CHECK(asking("safetyMargin >= 3s") == run::Verdict::pass);  // 9 - 4 - 1 = 4
  CHECK(asking("safetyMargin >= 5s") == run::Verdict::fail);
  CHECK(asking("overlap p(99) < 60s") == run::Verdict::inconclusive);  // of ten runs
}

TEST_CASE("a shard that is there twice, is missing or is of another sweep is refused by name") {
  const std::string first = shard_text(small_sweep(), {0, 2}, 1);
  const std::string second = shard_text(small_sweep(), {1, 2}, 1);
  const std::string other = shard_text(small_sweep(2), {1, 2}, 1);
  const auto join = [](std::vector<std::pair<std::string, std::string>> files,
                       Diagnostics& problems) {
    std::vector<run::ShardFile> shards;
    for (const auto& [name, text] : files) shards.push_back(*read(name, text, problems));
    return run::joined(std::move(shards), problems);
  };
  Diagnostics doubled;
  CHECK(!join({{"a", first}, {"b", second}, {"c", first}}, doubled));
  CHECK(codes(doubled) == "c:E0703 ");
  Diagnostics foreign;
  CHECK(!join({{"a", first}, {"b", other}}, foreign));
  CHECK(codes(foreign) == "b:E0702 ");
  CHECK(foreign.all().front().text.find("the seed differs") != std::string::npos);
  Diagnostics missing;
  const auto half = join({{"a", first}}, missing);
  REQUIRE(half);
  CHECK(half->missing.size() == 6);  // of 4 points that are run, with 3 blocks each
}

TEST_CASE("damage in a shard is found, whatever it is") {
  const std::string good = shard_text(small_sweep(), {0, 7}, 1);
  const auto original = nlohmann::ordered_json::parse(good);
  const auto is_refused = [&](auto change) {
    nlohmann::ordered_json json = original;
    change(json);
    Diagnostics problems;
    auto shard = run::read_shard("s", json, problems);
    if (!shard) return codes(problems);
    std::vector<run::ShardFile> shards;
    shards.push_back(std::move(*shard));
    run::joined(std::move(shards), problems);
    return codes(problems);
  };
  CHECK(is_refused([](auto&) {}).empty());
  CHECK(is_refused([](auto& j) { j["kind"] = "RunResult"; }) == "s:E0701 ");
  CHECK(is_refused([](auto& j) { j.erase("units"); }) == "s:E0701 ");
  CHECK(is_refused([](auto& j) { j["metadata"]["tenureVersion"] = "0.0.9"; }) == "s:E0702 ");
  CHECK(is_refused([](auto& j) { j["units"][0]["point"] = 99; }) == "s:E0701 ");
  CHECK(is_refused([](auto& j) { j["units"][0]["runs"] = 255; }) == "s:E0701 ");
  CHECK(is_refused([](auto& j) { j["units"][0]["runs"] = "many"; }) == "s:E0701 ");
  CHECK(is_refused([](auto& j) { j["units"][0]["runHash"] = "x"; }) == "s:E0701 ");
  // Counts that the library would take for others, or that cannot be.
  CHECK(is_refused([](auto& j) { j["units"][0]["point"] = 1e300; }) == "s:E0701 ");
  CHECK(is_refused([](auto& j) { j["units"][0]["block"] = -1; }) == "s:E0701 ");
  CHECK(is_refused([](auto& j) { j["units"][0]["overlappingRuns"] = 257; }) == "s:E0701 ");
  CHECK(is_refused([](auto& j) { j["units"][0]["properties"][0]["exercisedRuns"] = 257; }) ==
        "s:E0701 ");
  CHECK(is_refused([](auto& j) { j["shard"] = {{"index", 0}, {"count", 0}}; }) == "s:E0701 ");
  CHECK(is_refused([](auto& j) { j["shard"] = {{"index", 7}, {"count", 7}}; }) == "s:E0701 ");
  CHECK(is_refused([](auto& j) { j["input"]["runs"] = 0; }) == "s:E0701 ");
  CHECK(is_refused([](auto& j) { j["units"][0]["faultEffects"] = {1}; }) == "s:E0701 ");
  for (const nlohmann::ordered_json& no_count :
       {nlohmann::ordered_json(-1), nlohmann::ordered_json(1e300), nlohmann::ordered_json(257.5),
        nlohmann::ordered_json(~std::uint64_t{0})}) {
    CAPTURE(no_count.dump());
    CHECK(is_refused([&](auto& j) { j["shard"]["index"] = no_count; }) == "s:E0701 ");
    CHECK(is_refused([&](auto& j) { j["shard"]["count"] = no_count; }) == "s:E0701 ");
    CHECK(is_refused([&](auto& j) { j["input"]["runs"] = no_count; }) == "s:E0701 ");
    CHECK(is_refused([&](auto& j) { j["input"]["seed"] = no_count; }) == "s:E0701 ");
    CHECK(is_refused([&](auto& j) { j["units"][0]["faultEffects"][0] = no_count; }) == "s:E0701 ");
    CHECK(is_refused([&](auto& j) { j["units"][0]["violatingRuns"] = {no_count}; }) == "s:E0701 ");
    CHECK(is_refused([&](auto& j) { j["units"][0]["metrics"][0]["censoredAt"] = {no_count}; }) ==
          "s:E0701 ");
  }
  CHECK(is_refused([](auto& j) { j["units"][0]["faultEffects"][0] = 257; }) == "s:E0701 ");
  CHECK(is_refused([](auto& j) { j["units"][0]["violatingRuns"] = {5, 5}; }) == "s:E0701 ");
  CHECK(is_refused([](auto& j) { j["units"][0]["violatingRuns"] = {100'000}; }) == "s:E0701 ");
  // A violation has a property that there is, and figures that are numbers.
  const auto with_violation = [&](const std::string& field, const nlohmann::ordered_json& value) {
    return is_refused([&](auto& j) {
      for (auto& unit : j["units"]) {
        for (auto& tally : unit["properties"]) {
          if (tally.contains("violation")) tally["violation"][field] = value;
        }
      }
    });
  };
  REQUIRE(good.find("\"violation\"") != std::string::npos);
  CHECK(with_violation("lengthNs", 5) == "");
  CHECK(with_violation("id", "B99") == "s:E0701 ");
  CHECK(with_violation("atNs", 1e300) == "s:E0701 ");
  CHECK(with_violation("found", ~std::uint64_t{0}) == "s:E0701 ");
  CHECK(with_violation("who", {-1, 0}) == "s:E0701 ");
  CHECK(is_refused([](auto& j) { j["units"][0]["metrics"].erase(0); }) == "s:E0701 ");
  for (const std::size_t metric : {1U, 2U, 3U, 4U, 5U, 6U, 8U}) {  // one a run
    CAPTURE(metric);
    CHECK(is_refused([&](auto& j) {
            auto& samples = j["units"][0]["metrics"][metric];
            samples["values"] = samples["runs"] = "base64-delta-varint:";
            samples.erase("censoredAt");
          }) == "s:E0701 ");
  }
  CHECK(is_refused([](auto& j) {
          j["units"][0]["metrics"][1]["values"] = "base64-delta-varint:!!";
        }) == "s:E0701 ");
  CHECK(is_refused([](auto& j) {
          j["units"][0]["metrics"][1]["runs"] = j["units"][0]["metrics"][1]["values"];
        }) == "s:E0701 ");
}
