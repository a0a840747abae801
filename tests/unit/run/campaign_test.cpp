// Many runs: the same result for any number of threads, and an end when one is asked for.
#include <atomic>
#include <string>

#include <doctest/doctest.h>

#include <tenure/run/campaign.hpp>
#include <tenure/run/result.hpp>
#include <tenure/run/run.hpp>

namespace tenure::run {
namespace {

struct Loaded {
  scenario::Document document;
  scenario::Scenario scenario;
};

Loaded loaded(const std::string& more) {
  const std::string text = R"(
apiVersion: tenure/v1alpha1
kind: Scenario
metadata: {name: small}
spec:
  duration: 2m
  candidates: [{name: web, replicas: 3, elector: {type: client-go}}]
)" + more;
  Diagnostics diagnostics;
  auto documents =
      scenario::parse_documents("small.yaml", text, scenario::Format::yaml, diagnostics);
  REQUIRE(documents.size() == 1);
  const auto decoded = scenario::decode(documents.front(), diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) CAPTURE(diagnostic.text);
  REQUIRE(decoded.has_value());
  return {documents.front(), *decoded};
}

const std::string crash = R"(
  runs: 700
  faults: [{type: crash, target: leader, at: {uniform: [40s, 42s]}}]
  properties: [beliefSafety]
)";

CampaignResult campaign_of(const Experiment& experiment, unsigned threads) {
  CampaignOptions options;
  options.threads = threads;
  return run_campaign(experiment, options);
}

TEST_CASE("threads cannot change a sample, a count or a hash") {
  const Experiment experiment = experiment_of(loaded(crash).scenario);
  const CampaignResult one = campaign_of(experiment, 1);
  const CampaignResult three = campaign_of(experiment, 3);
  CHECK(one.runs == 700);
  CHECK(one.metrics == three.metrics);
  CHECK(one.run_hash == three.run_hash);
  CHECK(one.events == three.events);
  CHECK(one.metrics[0].size() == 700);
}

TEST_CASE("a run is the same alone and among others") {
  const Experiment experiment = experiment_of(loaded(crash).scenario);
  const CampaignResult all = campaign_of(experiment, 1);
  Runner runner{experiment};
  const check::RunMetrics& metrics = runner.run(613).metrics();
  REQUIRE(metrics.failovers.size() == 1);
  CHECK(metrics.failovers[0].time.count() == all.metrics[0].values()[613]);
}

TEST_CASE("a run that is repeated is the same run, and another seed another") {
  const Experiment experiment = experiment_of(loaded(crash).scenario);
  Runner runner{experiment};
  CHECK(difference_when_repeated(experiment, runner, 5).empty());
  Experiment other = experiment;
  other.seed = 2;
  CHECK(campaign_of(experiment, 1).run_hash != campaign_of(other, 1).run_hash);
}

TEST_CASE("a campaign that is stopped keeps the runs that were finished") {
  const Experiment experiment = experiment_of(loaded(crash).scenario);
  std::atomic<bool> stop{false};
  CampaignOptions options;
  options.stop = &stop;
  options.progress = [&](const CampaignResult&) { stop = true; };
  const CampaignResult part = run_campaign(experiment, options);
  CHECK(part.interrupted);
  CHECK(part.runs == 256);
  CHECK(part.metrics[0].size() == 256);
}

// A script of this run: every draw that it makes, and its answer.
std::string script_of(Runner& runner, const Experiment& experiment, std::uint64_t number) {
  SeededOracle seeded{experiment.seed, number};
  RecordingOracle recording{seeded};
  runner.run(recording);
  const Stream at = stream_named("fault/crash/at");
  for (const Answered& choice : recording.choices()) {
    if (choice.draw.stream != at) continue;
    return "  choices: {otherwise: seeded, answers: [{of: fault/crash/at, number: " +
           std::to_string(choice.draw.number) + ", answer: " + std::to_string(choice.answer) +
           "}]}\n";
  }
  return {};
}

const std::string one_crash = R"(
  faults: [{type: crash, target: leader, at: {uniform: [40s, 42s]}}]
  properties: [beliefSafety]
)";

TEST_CASE("a script that says what the seed says makes the same run") {
  const Experiment free = experiment_of(loaded(one_crash).scenario);
  Runner runner{free};
  const std::string script = script_of(runner, free, 0);
  runner.run(0);
  const Experiment chosen = experiment_of(loaded(one_crash + script).scenario);
  Runner by_script{chosen};
  by_script.run(0);
  CHECK_FALSE(by_script.misfit());
  CHECK(by_script.world().run_hash == runner.world().run_hash);
  CHECK(difference_when_repeated(chosen, by_script, 0).empty());
  const CampaignResult campaign = campaign_of(chosen, 2);
  CHECK(campaign.runs == 1);
  CHECK_FALSE(campaign.misfit);
}

TEST_CASE("a script decides its draws and leaves the others simplest") {
  const auto failover = [](const std::string& answer) {
    const Experiment experiment = experiment_of(
        loaded(one_crash +
               "  choices: {answers: [{of: fault/crash/at, number: 0, answer: " + answer + "}]}\n")
            .scenario);
    Runner runner{experiment};
    const check::RunMetrics& metrics = runner.run(0).metrics();
    REQUIRE(metrics.failovers.size() == 1);
    CHECK_FALSE(runner.misfit());
    return metrics.failovers[0].time;
  };
  using namespace std::chrono_literals;
  // Until the leader renews again, a crash that is later ends as late.
  CHECK(failover("0") - failover("1000000") == 1ms);
}

TEST_CASE("a script that the run does not follow is told by its first such answer") {
  const auto misfit = [](const std::string& answers) {
    return campaign_of(
               experiment_of(
                   loaded(one_crash + "  choices: {answers: [" + answers + "]}\n").scenario),
               1)
        .misfit;
  };
  const auto unasked = misfit(
      "{of: fault/crash/at, number: 0, answer: 5}, {of: process/nobody-0/jitter, number: 0, "
      "answer: 0}");
  REQUIRE(unasked);
  CHECK(unasked->answer == 1);
  CHECK_FALSE(unasked->bound);
  const auto too_large = misfit("{of: fault/crash/at, number: 0, answer: 2000000001}");
  REQUIRE(too_large);
  CHECK(too_large->answer == 0);
  CHECK(too_large->bound == 2'000'000'000);
}

TEST_CASE("--fail-fast ends at the first violation, by run number") {
  const Loaded unsafe = loaded(R"(
  runs: 2000
  faults: [{type: pause, target: leader, at: {uniform: [40s, 42s]}, duration: 25s}]
  properties: [beliefSafety]
)");
  const Experiment experiment = experiment_of(unsafe.scenario);
  CampaignOptions options;
  options.threads = 2;
  options.fail_fast = fail_fast_of(unsafe.scenario);
  const CampaignResult part = run_campaign(experiment, options);
  CHECK(part.runs < 2000);
  const RunResult result = judged(unsafe.scenario, unsafe.document, part);
  CHECK(result.partial);
  CHECK(result.verdict == Verdict::fail);
}

TEST_CASE("a result in which nothing was tried is inconclusive, not passed") {
  const Loaded quiet = loaded("  runs: 20\n  properties: [beliefSafety]\n");
  const RunResult result =
      judged(quiet.scenario, quiet.document, campaign_of(experiment_of(quiet.scenario), 1));
  REQUIRE(result.properties.size() == 1);
  CHECK(result.properties[0].finding == Finding::not_exercised);
  CHECK(result.verdict == Verdict::inconclusive);
}

TEST_CASE("a violation that was expected and did not come fails the result") {
  const Loaded safe = loaded(R"(
  runs: 300
  faults: [{type: crash, target: leader, at: {uniform: [40s, 42s]}}]
  properties: [{name: beliefSafety, expect: violated}]
)");
  const RunResult result =
      judged(safe.scenario, safe.document, campaign_of(experiment_of(safe.scenario), 1));
  CHECK(result.properties[0].finding == Finding::xpass);
  CHECK(result.verdict == Verdict::fail);
}

TEST_CASE("a fault that hits nobody is reported as one without effect") {
  const Loaded late = loaded(R"(
  runs: 20
  faults: [{type: crash, target: leader, at: {uniform: [3m, 4m]}}]
)");
  const RunResult result =
      judged(late.scenario, late.document, campaign_of(experiment_of(late.scenario), 1));
  REQUIRE(result.warnings.size() == 1);
  CHECK(result.warnings[0].code == "W0303");
}

TEST_CASE("the mean of a count is a fraction, in thresholds too") {
  const Loaded fractional = loaded(R"(
  runs: 400
  faults: [{type: crash, target: leader, at: {uniform: [40s, 42s]}, probability: 0.5}]
  thresholds: {transitions: ["avg < 0.7", "avg > 0.3"]}
)");
  const RunResult result = judged(fractional.scenario, fractional.document,
                                  campaign_of(experiment_of(fractional.scenario), 1));
  CHECK(result.verdict == Verdict::pass);
}

}  // namespace
}  // namespace tenure::run
