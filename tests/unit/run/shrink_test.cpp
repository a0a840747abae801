// From a run that fails to the smallest one that fails in the same way.
#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <tenure/run/neighbour.hpp>
#include <tenure/run/shrink.hpp>
#include <tenure/run/trial.hpp>

namespace tenure::run {
namespace {

using namespace std::chrono_literals;
using check::PropertyId;
using scenario::Scenario;

Scenario decoded(std::vector<scenario::Document> documents, Diagnostics& diagnostics) {
  REQUIRE(documents.size() == 1);
  const auto scenario = scenario::decode(documents.front(), diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) CAPTURE(diagnostic.text);
  REQUIRE(scenario.has_value());
  return *scenario;
}

Scenario shipped(const std::string& name) {
  Diagnostics diagnostics;
  return decoded(scenario::load_documents("scenarios/hazards/" + name + ".yaml", diagnostics),
                 diagnostics);
}

Scenario written(const std::string& spec) {
  Diagnostics diagnostics;
  const std::string head = "apiVersion: tenure/v1alpha1\nkind: Scenario\nmetadata: {name: small}\n";
  return decoded(
      scenario::parse_documents("small.yaml", head + spec, scenario::Format::yaml, diagnostics),
      diagnostics);
}

Shrunk shrunk(const Scenario& scenario, std::uint64_t number = 0, std::uint64_t budget = 2000) {
  ShrinkOptions options;
  options.budget = budget;
  auto result = shrink(scenario, number, options);
  REQUIRE(result.has_value());
  return *result;
}

// Two faults that matter for different violations, among others that matter for none.
const std::string busy = R"(
spec:
  duration: 5m
  candidates: [{name: web, replicas: 5, elector: {type: client-go}}]
  cluster: {latency: {read: {uniform: [2ms, 8ms]}, write: 5ms}}
  faults:
    - {name: slow, type: delay, target: followers, latency: {uniform: [1ms, 90ms]}, at: 40s, duration: 20s}
    - {name: freeze, type: pause, target: leader, at: {uniform: [60s, 70s]}, duration: 25s}
    - {name: lossy, type: loss, target: followers, fraction: 10%, at: 100s, duration: 30s}
    - {name: again, type: pause, target: leader, at: {uniform: [180s, 190s]}, duration: 25s}
  properties: [beliefSafety]
)";

TEST_CASE("a frozen leader needs one fault, two candidates, and a pause as long as its threshold") {
  const Shrunk small = shrunk(shipped("frozen-leader"));
  CHECK(small.signature.id == PropertyId::B1);
  CHECK(small.scenario.faults.size() == 1);
  REQUIRE(small.scenario.candidates.size() == 1);
  CHECK(small.scenario.candidates.front().replicas == 2);
  CHECK_FALSE(small.out_of_budget);

  const auto neighbours = nearest_passing(small.scenario, small.signature);
  REQUIRE(neighbours.size() == 1);
  CHECK(neighbours.front().what == "pause freeze");
  CHECK(neighbours.front().failing - neighbours.front().passing == 1ms);
  CHECK(neighbours.front().failing == small.scenario.faults.front().duration->upper_bound());
  // A follower needs L - R at least; how much more, depends on when this one polls.
  CHECK(neighbours.front().failing > 13s);
  CHECK(neighbours.front().failing < 17s);
}

TEST_CASE("every draw of a run has a name, and no two streams share one") {
  const Trial trial = trial_of(written(busy), 3);
  std::map<Stream, std::string> names;
  for (const auto& [name, stream] : world::named_streams(*trial.setup)) {
    CHECK(stream == stream_named(name));
    CHECK(names.emplace(stream, name).second);
  }
  for (const Answered& choice : trial.choices) CHECK(names.contains(choice.draw.stream));
}

TEST_CASE("the electors are part of the question") {
  const Scenario before = shipped("frozen-leader");
  CHECK(shrunk(before).scenario.candidates.front().elector == before.candidates.front().elector);
}

TEST_CASE("a shrunk scenario fails again, in the same way and at the same instant") {
  const Shrunk small = shrunk(written(busy));
  const Trial again = trial_of(small.scenario);
  CHECK(signature_of(again, small.signature.id) == small.signature);
  const auto violation = again.findings.first(small.signature.id);
  REQUIRE(violation.has_value());
  CHECK(violation->at == small.violation.at);
  CHECK(violation->length == small.violation.length);
}

TEST_CASE("what a script lists is what its run asks for") {
  const Shrunk small = shrunk(shipped("stale-release"), 2);
  REQUIRE(small.scenario.choices.has_value());
  CHECK(answers_of(trial_of(small.scenario)) == small.scenario.choices->answers);
}

TEST_CASE("shrinking twice gives the same bytes") {
  const Shrunk one = shrunk(written(busy), 1);
  const Shrunk two = shrunk(written(busy), 1);
  CHECK(one.scenario == two.scenario);
  CHECK(one.runs == two.runs);
  CHECK(scenario::scenario_json(one.scenario).dump() ==
        scenario::scenario_json(two.scenario).dump());
}

TEST_CASE("shrinking what is shrunk changes nothing") {
  const Shrunk small = shrunk(shipped("frozen-leader"));
  const Shrunk again = shrunk(small.scenario);
  CHECK(again.log.empty());
  CHECK(again.scenario == small.scenario);
}

TEST_CASE("the budget ends it, with the smallest script so far") {
  const Shrunk cut_short = shrunk(written(busy), 0, 12);
  CHECK(cut_short.runs <= 12);
  CHECK(cut_short.out_of_budget);
  CHECK(signature_of(trial_of(cut_short.scenario), cut_short.signature.id) == cut_short.signature);
}

TEST_CASE("a wish to stop ends it in the same manner") {
  std::atomic<bool> stop{false};
  ShrinkOptions options;
  options.stop = &stop;
  options.progress = [&](std::uint64_t runs) { stop = runs >= 8; };
  const auto cut_short = shrink(written(busy), 0, options);
  REQUIRE(cut_short.has_value());
  CHECK(cut_short->interrupted);
  CHECK_FALSE(cut_short->out_of_budget);
  CHECK(signature_of(trial_of(cut_short->scenario), cut_short->signature.id) ==
        cut_short->signature);
}

TEST_CASE("of two violations the first is kept, and the search does not wander to the other") {
  const Scenario both = written(busy);
  const Trial before = trial_of(both, 0);
  REQUIRE(before.findings.tally(PropertyId::B1).violations >= 2);
  const Shrunk small = shrunk(both);
  REQUIRE(small.scenario.faults.size() == 1);
  CHECK(small.scenario.faults.front().name == "freeze");
  CHECK(small.signature.overlap == signature_of(before, PropertyId::B1)->overlap);
}

TEST_CASE("a frozen believer and two that both run are different overlaps") {
  const Trial frozen = trial_of(written(R"(
spec:
  duration: 2m
  candidates: [{name: web, replicas: 2, elector: {type: client-go}, start: 0s}]
  faults: [{type: pause, target: leader, at: 60s}]
  properties: [beliefSafety]
)"));
  REQUIRE(signature_of(frozen, PropertyId::B1).has_value());
  CHECK(signature_of(frozen, PropertyId::B1)->overlap == Signature::Overlap::frozen);
  const Trial running = trial_of(shipped("frozen-leader"), 0);
  CHECK(signature_of(running, PropertyId::B1)->overlap == Signature::Overlap::running);
}

TEST_CASE("who moves down in a group keeps its own draws, its node and its faults") {
  const Scenario named = written(R"(
spec:
  duration: 3m
  cluster: {nodes: [{name: a}, {name: b}, {name: c}], latency: {read: 5ms, write: 5ms}}
  candidates: [{name: web, replicas: 3, elector: {type: client-go}}]
  faults: [{type: pause, target: leader, at: {uniform: [60s, 62s]}, duration: 20s}]
  properties: [beliefSafety]
)");
  const Shrunk small = shrunk(named, 1);
  const scenario::Candidates& group = small.scenario.candidates.front();
  CHECK(group.replicas == 2);
  CHECK(small.signature.who == "web-0");
  CHECK(small.signature.other == "web-1");
  CHECK((group.nodes.empty() || group.nodes.size() == 2));
}

TEST_CASE("a run that violates nothing cannot be shrunk") {
  Scenario quiet = written(busy);
  quiet.faults.clear();
  CHECK_FALSE(shrink(quiet, 0).has_value());
}

TEST_CASE("every hazard that is shipped shrinks to a script that the loader takes") {
  for (const char* name : {"frozen-leader", "gc-pause-between-rounds", "naive-loop-cut-off",
                           "fast-follower", "slow-reply-then-cut"}) {
    CAPTURE(name);
    const Scenario scenario = shipped(name);
    std::optional<Shrunk> small;
    for (std::uint64_t number = 0; number < 40 && !small; ++number)
      small = shrink(scenario, number);
    REQUIRE(small.has_value());
    Diagnostics diagnostics;
    const std::string file = scenario::scenario_json(small->scenario).dump(2);
    CHECK(
        decoded(scenario::parse_documents("small.json", file, scenario::Format::json, diagnostics),
                diagnostics) == small->scenario);
    CHECK(signature_of(trial_of(small->scenario), small->signature.id) == small->signature);
  }
}

}  // namespace
}  // namespace tenure::run
