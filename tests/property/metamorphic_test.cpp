// Two scenarios that must come to related results. Nothing here knows a figure; the relation is the
// test. The seeds are common, so the relations hold run by run and not only on average.
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <support/experiments.hpp>

using namespace tenure;
using namespace tenure::test;

namespace {

constexpr int runs = 300;

// A crash at a random instant in [60 s, 70 s); the killed process is not replaced.
Trial one_crash(const Group& group) {
  Trial trial;
  trial.groups = {group};
  trial.faults = {"name: kill, type: crash, target: leader, at: {uniform: [60s, 70s]}"};
  trial.length = 120;
  trial.runs = runs;
  return trial;
}

Group web(int replicas = 3) {
  Group group;
  group.replicas = replicas;
  group.fields = "restart: {policy: Never}";
  return group;
}

// The first failover of each run, in nanoseconds.
std::vector<std::int64_t> first_failovers(const Trial& trial) {
  const run::Experiment experiment = run::experiment_of(scenario_of(trial));
  run::Runner runner{experiment};
  std::vector<std::int64_t> all;
  for (std::uint64_t number = 0; number < experiment.runs; ++number) {
    const check::RunMetrics& metrics = runner.run(number).metrics();
    REQUIRE(!metrics.failovers.empty());
    REQUIRE(!metrics.failovers.front().censored);
    all.push_back(metrics.failovers.front().time.count());
  }
  return all;
}

// The fingerprint over all events of each run.
std::vector<std::uint64_t> run_hashes(const Trial& trial) {
  const run::Experiment experiment = run::experiment_of(scenario_of(trial));
  run::Runner runner{experiment};
  std::vector<std::uint64_t> all;
  for (std::uint64_t number = 0; number < experiment.runs; ++number) {
    runner.run(number);
    all.push_back(runner.world().run_hash);
  }
  return all;
}

// What a run asked and was answered, by the question.
std::map<std::pair<std::uint64_t, std::uint64_t>, Answered> choices_of(const Trial& trial,
                                                                       std::uint64_t number) {
  const run::Experiment experiment = run::experiment_of(scenario_of(trial));
  run::Runner runner{experiment};
  SeededOracle seeded{experiment.seed, number};
  RecordingOracle recording{seeded};
  runner.run(recording);
  std::map<std::pair<std::uint64_t, std::uint64_t>, Answered> all;
  for (const Answered& choice : recording.choices()) {
    all.emplace(std::pair{choice.draw.stream.key, choice.draw.number}, choice);
  }
  return all;
}

class Listener final : public record::Recorder {
 public:
  void on(const record::Record&) override { ++facts; }
  bool wants_messages() const override { return true; }
  std::uint64_t facts = 0;
};

}  // namespace

// Each draw is cut to whole nanoseconds, so the long run may be off by the factor in each of some
// fifty waits.
TEST_CASE("all durations times k make all failovers times k (zero latency)") {
  const Trial trial = one_crash(web());
  const auto original = first_failovers(trial);
  for (const int k : {2, 3, 7}) {
    CAPTURE(k);
    Trial scaled = trial;
    scaled.groups[0].timing = {15 * k, 10 * k, 2 * k};
    scaled.groups[0].fields += ", start: {uniform: [0s, " + seconds(2.0 * k) + "]}";
    scaled.faults = {"name: kill, type: crash, target: leader, at: {uniform: [" +
                     seconds(60.0 * k) + ", " + seconds(70.0 * k) + "]}"};
    scaled.length = trial.length * k;
    const auto found = first_failovers(scaled);
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(std::abs(found[i] - original[i] * k) <= 200 * k);
    }
  }
}

// With waits that are not drawn, nothing is cut: one follower of the naive loop polls every
// retryPeriod.
TEST_CASE("where no draw is involved the failovers scale exactly") {
  const auto failover = [](int k) {
    const auto s = [&](double value) { return seconds(value * k); };
    Diagnostics problems;
    const std::string text =
        "apiVersion: tenure/v1alpha1\nkind: Scenario\nmetadata: {name: trial}\nspec:\n  "
        "duration: " +
        s(120) + "\n  warmup: 0s\n  runs: 1\n  cluster: {latency: {read: " + s(0.002) +
        ", write: " + s(0.004) + "}}\n  candidates:\n" +
        "    - {name: first, elector: {type: naive-loop, leaseDuration: " + s(15) +
        ", retryPeriod: " + s(2) + ", leaderSleep: " + s(2) +
        "}, start: 0s, restart: {policy: Never}}\n" +
        "    - {name: second, elector: {type: naive-loop, leaseDuration: " + s(15) +
        ", retryPeriod: " + s(2) + ", leaderSleep: " + s(2) + "}, start: " + s(1) + "}\n" +
        "  faults:\n    - {type: crash, target: candidate/first-0, at: " + s(61.3) + "}\n";
    const auto documents =
        scenario::parse_documents("trial.yaml", text, scenario::Format::yaml, problems);
    const auto scenario = scenario::decode(documents.at(0), problems);
    REQUIRE_MESSAGE(scenario.has_value(), rendered(problems));
    const run::Experiment experiment = run::experiment_of(*scenario);
    run::Runner runner{experiment};
    return runner.run(0).metrics().failovers.at(0).time.count();
  };
  for (const int k : {2, 3, 10}) CHECK(failover(k) == failover(1) * k);
}

TEST_CASE("a further group of candidates leaves the draws of the others as they were") {
  Group late = web(2);
  late.name = "another";
  late.fields = "start: 200s";
  const Trial alone = one_crash(web());
  Trial together = alone;
  together.groups = {late, web()};  // in front, so that every index moves
  together.length = 230;
  CHECK(first_failovers(together) == first_failovers(alone));

  // Also when the new ones take part from the start: whatever both runs ask, they are answered
  // alike.
  together.groups[0].fields = "start: {uniform: [0s, 2s]}";
  std::size_t common = 0;
  for (std::uint64_t number = 0; number < 20; ++number) {
    const auto before = choices_of(alone, number);
    for (const auto& [question, choice] : choices_of(together, number)) {
      const auto found = before.find(question);
      if (found == before.end() || found->second.bound != choice.bound) continue;
      ++common;
      CHECK(found->second.answer == choice.answer);
    }
  }
  CHECK(common > 1000);
}

TEST_CASE("a further fault leaves what came before it, and all draws, as they were") {
  const Trial one = one_crash(web());
  Trial two = one;
  two.faults.insert(
      two.faults.begin(),
      "name: later, type: pause, target: leader, at: {uniform: [100s, 110s]}, duration: 5s");
  CHECK(first_failovers(two) == first_failovers(one));
}

TEST_CASE("whoever listens changes nothing") {
  const run::Experiment experiment = run::experiment_of(scenario_of(one_crash(web())));
  run::Runner runner{experiment};
  for (std::uint64_t number = 0; number < 50; ++number) {
    runner.run(number);
    const std::uint64_t alone = runner.world().run_hash;
    SeededOracle oracle{experiment.seed, number};
    Listener listener;
    runner.run(oracle, &listener);
    CHECK(runner.world().run_hash == alone);
    CHECK(listener.facts > 100);
  }
}

TEST_CASE("wall clocks that are off by whole seconds change nothing for client-go") {
  const Trial trial = one_crash(web());
  for (const char* offset : {"+1s", "-3600s", "+86400s"}) {
    CAPTURE(std::string{offset});
    Trial shifted = trial;
    shifted.groups[0].fields += ", clock: {offset: " + std::string{offset} + "}";
    CHECK(run_hashes(shifted) == run_hashes(trial));
  }
}

TEST_CASE("a fault after the end of the run changes nothing") {
  const Trial trial = one_crash(web());
  for (const char* type : {"type: crash, target: all", "type: apiOutage, duration: 10s",
                           "type: partition, target: leader, duration: 10s"}) {
    CAPTURE(std::string{type});
    Trial more = trial;
    more.faults.push_back("name: never, " + std::string{type} + ", at: {uniform: [120s, 130s]}");
    CHECK(run_hashes(more) == run_hashes(trial));
  }
}

TEST_CASE("a longer run goes on where the shorter one ended") {
  Trial longer = one_crash(web());
  longer.length = 200;
  CHECK(first_failovers(longer) == first_failovers(one_crash(web())));
}

// At zero latency nobody's polls depend on anybody else before the take-over.
TEST_CASE("a longer lease never gives a shorter failover (zero latency)") {
  std::vector<std::int64_t> shorter(runs, 0);
  for (const int lease : {13, 15, 16, 20, 30}) {
    CAPTURE(lease);
    Group group = web();
    group.timing.lease = lease;
    const auto found = first_failovers(one_crash(group));
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] >= shorter[i]);
    shorter = found;
  }
}

TEST_CASE("renewDeadline plays no part in the failover after a crash") {
  Group group = web();
  const auto found = first_failovers(one_crash(group));
  group.timing.deadline = 6;
  CHECK(first_failovers(one_crash(group)) == found);
}

TEST_CASE("another follower never gives a longer failover (zero latency)") {
  Group more = web(1);
  more.name = "another";
  more.fields = "start: {uniform: [3s, 6s]}";  // so it is never the first leader
  Trial with_more = one_crash(web());
  with_more.groups.push_back(more);
  const auto many = first_failovers(with_more);
  const auto few = first_failovers(one_crash(web()));
  for (std::size_t i = 0; i < many.size(); ++i) CHECK(many[i] <= few[i]);
}
