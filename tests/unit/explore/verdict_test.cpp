#include <string>

#include <doctest/doctest.h>

#include <tenure/explore/verdict.hpp>

namespace tenure::explore {
namespace {

using check::PropertyId;
using run::Finding;

// Candidates of 6/4/1 at one tick per second, unless a test says otherwise; all start at once and
// messages take no time.
struct Election {
  std::string properties = "[beliefSafety]";
  std::string faults = "[]";
  int replicas = 2;
  std::string tick = "1s";
  std::string identity{};  // shared by all

  std::string text() const {
    return "apiVersion: tenure/v1alpha1\nkind: Scenario\nmetadata: {name: small}\nspec:\n"
           "  cluster: {latency: {request: 0s, response: 0s}}\n"
           "  candidates:\n"
           "    - name: c\n"
           "      replicas: " +
           std::to_string(replicas) +
           "\n      start: 0s\n"
           "      elector: {type: client-go, leaseDuration: 6s, renewDeadline: 4s, retryPeriod: "
           "1s}\n"
           "      restart: {policy: Never, exitOnLost: false}\n" +
           (identity.empty() ? "" : "      identity: " + identity + "\n") + "  faults: " + faults +
           "\n  properties: " + properties + "\n  explore: {tick: " + tick + "}\n";
  }

  scenario::Scenario scenario() const {
    Diagnostics problems;
    const auto documents =
        scenario::parse_documents("small.yaml", text(), scenario::Format::yaml, problems);
    REQUIRE_MESSAGE(!documents.empty(), rendered(problems));
    const auto read = scenario::decode(documents.front(), problems);
    REQUIRE_MESSAGE(read.has_value(), rendered(problems));
    return *read;
  }
};

ExploreResult explored_with(const Election& election,
                            void (*limit)(Limits&, std::uint64_t),
                            std::uint64_t to) {
  const scenario::Scenario scenario = election.scenario();
  const scenario::OnGrid rounded = scenario::on_grid(scenario, scenario.explore->tick);
  REQUIRE(rounded.problems.empty());
  Options options = options_of(scenario);
  limit(options.limits, to);
  return explore_scenario(scenario, rounded, options);
}

void memory(Limits& limits, std::uint64_t bytes) {
  limits.memory = bytes;
}
void states(Limits& limits, std::uint64_t count) {
  limits.states = count;
}
void ticks(Limits& limits, std::uint64_t count) {
  limits.ticks = count;
}

ExploreResult explored(const Election& election) {
  return explored_with(election, memory, std::uint64_t{1} << 30);
}

Election two_with_one_identity() {
  Election election;
  election.identity = "web";
  return election;
}

const std::string crash_of_leader = "{name: crash, type: crash, target: leader, at: any, count: 1}";

PropertyVerdict failover_with(const std::string& faults, int replicas = 2) {
  Election election;
  election.properties = "[{name: boundedFailover, within: bound}]";
  election.faults = "[" + faults + "]";
  election.replicas = replicas;
  return explored(election).properties.at(0);
}

}  // namespace

TEST_CASE("two believers violate nothing in a scenario that does not list beliefSafety") {
  Election election = two_with_one_identity();
  election.properties = "[leaseSafety]";
  const ExploreResult result = explored(election);
  CHECK(result.graph->overlap.unbounded);
  CHECK(result.verdict == Verdict::holds);
  CHECK(result.properties.size() == 1);
  CHECK_FALSE(result.counterexample.has_value());
}

TEST_CASE("they do where it is listed, and where nothing is") {
  for (const std::string properties : {"[beliefSafety]", "[]"}) {
    CAPTURE(properties);
    Election election = two_with_one_identity();
    election.properties = properties;
    const ExploreResult result = explored(election);
    CHECK(result.verdict == Verdict::violated);
    CHECK(result.properties.at(0).name == "beliefSafety");
    CHECK(result.counterexample.has_value());
  }
}

// The API server is right, so that no scenario violates it: a search that found it is made up.
TEST_CASE("leaseSafety is told when it fails, though nobody listed it") {
  ExploreResult result;
  result.scenario = Election{}.scenario();
  result.tick = result.scenario.explore->tick;
  result.probes.takeovers = 1;
  Exploration all;
  judge(result, all, Duration{});
  REQUIRE(result.properties.size() == 1);
  CHECK(result.passes == run::Verdict::pass);

  result.properties.clear();
  all.found.push_back({PropertyId::S2, 7, 3, 12});
  judge(result, all, Duration{});
  REQUIRE(result.properties.size() == 2);
  CHECK(result.properties[0].finding == Finding::ok);
  CHECK(result.properties[1].name == "leaseSafety");
  CHECK(result.properties[1].finding == Finding::fail);
  CHECK(result.properties[1].text == "S2 violated at 3s, after 12 steps");
  CHECK(result.passes == run::Verdict::fail);
}

TEST_CASE("options ask for what is listed, and for leaseSafety") {
  const auto judged = [](const std::string& properties) {
    Election election;
    election.properties = properties;
    return options_of(election.scenario()).judged;
  };
  CHECK(judged("[leaseRecord]").contains(PropertyId::S1));
  CHECK_FALSE(judged("[leaseRecord]").contains(PropertyId::B1));
  CHECK(judged("[beliefSafety]").contains(PropertyId::B1));
  CHECK(judged("[]").contains(PropertyId::B1));
}

TEST_CASE("a bound of the failover is judged while crashes leave somebody over") {
  CHECK(failover_with(crash_of_leader).verdict == Verdict::holds);
  CHECK(failover_with("{name: crash, type: crash, target: leader, at: 3s}").verdict ==
        Verdict::holds);
}

TEST_CASE("it is not judged where nobody may be left, or somebody may be cut off") {
  for (const std::string faults :
       {"{name: crash, type: crash, target: leader, at: any}",            // any number of times
        "{name: crash, type: crash, target: leader, at: any, count: 2}",  // both
        "{name: crash, type: crash, target: all, at: any, count: 1}",     // all at once
        "{name: loss, type: loss, target: all, at: any, count: 1}"}) {    // no crash
    CAPTURE(faults);
    const PropertyVerdict failover = failover_with(faults);
    CHECK(failover.verdict == Verdict::not_exercised);
    CHECK(failover.text == "judged where nothing but crashes happens, fewer than processes");
  }
  const std::string both =
      crash_of_leader + ", {name: loss, type: loss, target: all, at: any, count: 1}";
  CHECK(failover_with(both).verdict == Verdict::not_exercised);
}

// Who takes over and crashes in the same instant has ended one failover and begun the next.
TEST_CASE(
    "a gap over two crashes shows no late failover, but a short one shows that none is late") {
  const std::string two = "{name: crash, type: crash, target: leader, at: any, count: 2}";
  const PropertyVerdict usual = failover_with(two, 3);
  CHECK(usual.verdict == Verdict::inconclusive);
  CHECK(usual.text == "within 12s: at worst 24s, which can be several failovers in a row");
  Election election;
  election.properties = "[{name: boundedFailover, within: 24s}]";
  election.faults = "[" + two + "]";
  election.replicas = 3;
  CHECK(explored(election).properties.at(0).verdict == Verdict::holds);
}

TEST_CASE("without a fault nobody has to take over") {
  CHECK(failover_with("").verdict == Verdict::not_exercised);
}

// L + 2 (1 + J) R = 6 + 4.4 s; a wait of up to 2.2 s has 3 ticks of a second, and there are two.
TEST_CASE(
    "the usual bound allows for waits that are rounded up to the tick; a given one does not") {
  const PropertyVerdict usual = failover_with(crash_of_leader);
  CHECK(usual.verdict == Verdict::holds);
  CHECK(usual.text == "within 12s: at worst 12s");
  Election election;
  election.properties = "[{name: boundedFailover, within: 11s}]";
  election.faults = "[" + crash_of_leader + "]";
  CHECK(explored(election).properties.at(0).text == "within 11s: at worst 12s");
  CHECK(explored(election).verdict == Verdict::violated);
}

TEST_CASE("a tick that divides the longest wait needs no allowance") {
  Election election;
  election.properties = "[{name: boundedFailover, within: bound}]";
  election.faults = "[" + crash_of_leader + "]";
  election.tick = "200ms";
  CHECK(explored(election).properties.at(0).text == "within 10.4s: at worst 10.4s");
}

TEST_CASE("what ends for want of memory is undecided") {
  const ExploreResult result = explored_with(Election{}, memory, 1);
  CHECK(result.ended == Ended::at_memory_limit);
  CHECK(result.verdict == Verdict::inconclusive);
  CHECK(result.passes == run::Verdict::inconclusive);
  CHECK(result.properties.at(0).text == "not even the first instant was searched to its end");
  CHECK_FALSE(result.graph.has_value());
}

// The whole search finds two leaders at 6 s, from 5 s of a pause on.
TEST_CASE("what a limit leaves unsearched is not claimed") {
  Election election;
  election.faults = "[{name: pause, type: pause, target: leader, at: any, duration: 5s, count: 1}]";
  const ExploreResult whole = explored(election);
  REQUIRE(whole.counterexample.has_value());
  REQUIRE(whole.counterexample->tick == 6);
  for (std::uint64_t most = 1; most < whole.progress.states; most += 7) {
    CAPTURE(most);
    const ExploreResult part = explored_with(election, states, most);
    if (part.counterexample) {
      CHECK(part.counterexample->tick == 6);
      CHECK(part.properties.at(0).text == whole.properties.at(0).text);
    } else {
      CHECK(part.progress.tick <= 6);
    }
  }
  CHECK(explored_with(election, ticks, 5).properties.at(0).text == "no violation before 6s");
  CHECK(explored_with(election, ticks, 6).verdict == Verdict::violated);
}

TEST_CASE("of several violated parts of a property, the earliest with the fewest steps is named") {
  const ExploreResult result = explored(two_with_one_identity());
  REQUIRE(result.counterexample.has_value());
  CHECK(result.counterexample->violation.id == PropertyId::B2);
  CHECK(result.properties.at(0).text ==
        "B2 violated at 0s, after " + std::to_string(result.counterexample->events) + " steps");
}

}  // namespace tenure::explore
