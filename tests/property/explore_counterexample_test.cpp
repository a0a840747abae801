#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <tenure/explore/counterexample.hpp>
#include <tenure/run/result.hpp>
#include <tenure/run/run.hpp>

#include "support/small_elections.hpp"

namespace tenure::test {
namespace {

using namespace std::chrono_literals;
using explore::Exploration;
using explore::Options;

// As somebody else gets it: from the text of the script.
scenario::Scenario from_text(const scenario::Scenario& script) {
  Diagnostics problems;
  const auto documents = scenario::parse_documents(
      "script.json", scenario::scenario_json(script).dump(), scenario::Format::json, problems);
  REQUIRE_MESSAGE(!documents.empty(), rendered(problems));
  const auto read = scenario::decode(documents.front(), problems);
  REQUIRE_MESSAGE(read.has_value(), rendered(problems));
  return *read;
}

std::vector<std::uint64_t> fingerprints_to(const Exploration& all, std::uint32_t state) {
  std::vector<std::uint64_t> prints;
  for (const std::uint32_t on_the_way : all.path_to(state)) {
    prints.push_back(all.fingerprints[on_the_way]);
  }
  return prints;
}

// The first violation, once more in the simulator.
void check_that_it_replays(const SmallElection& election, const Options& options) {
  const SmallModel model = election.model();
  const Exploration all = explore::explore(model.setup, options);
  REQUIRE(!all.found.empty());
  const explore::Found& found = all.found.front();
  const auto path = explore::walk(model.setup, options, fingerprints_to(all, found.state));
  REQUIRE(path.has_value());
  const auto script = explore::scripted(model.scenario, *model.setup, *path, 60s);
  REQUIRE(script.has_value());
  const run::Experiment experiment = run::experiment_of(from_text(*script));
  run::Runner runner{experiment};
  const auto violation = runner.run(0).findings().first(found.property);
  CHECK_FALSE(runner.misfit().has_value());
  REQUIRE(violation.has_value());
  const Duration tick = model.setup->grid->tick;
  CHECK(violation->at.time_since_epoch() == tick * static_cast<std::int64_t>(found.tick));
}

void check_that_it_replays(const SmallElection& election) {
  Options options;
  options.stops_at_violation = true;
  check_that_it_replays(election, options);
  options.symmetry = explore::Symmetry::off;
  options.orders = explore::Orders::all;
  check_that_it_replays(election, options);
}

// There is a way to every state that was explored, and the simulator takes it.
void check_that_all_can_be_reached(const SmallElection& election) {
  const SmallModel model = election.model();
  Options options;
  for (const auto symmetry : {explore::Symmetry::on, explore::Symmetry::off}) {
    options.symmetry = symmetry;
    for (const auto orders : {explore::Orders::that_matter, explore::Orders::all}) {
      options.orders = orders;
      const Exploration all = explore::explore(model.setup, options);
      REQUIRE(all.ended == explore::Ended::complete);
      // State 0 stands before the beginning.
      for (std::uint32_t state = 1; state < all.fingerprints.size(); state += 31) {
        CAPTURE(state);
        CHECK(explore::walk(model.setup, options, fingerprints_to(all, state)));
      }
    }
  }
}

// The search's first violation is the nearest one of the whole graph.
void check_that_it_is_the_nearest(const SmallElection& election) {
  const Exploration all = explored(election);
  REQUIRE(all.ended == explore::Ended::complete);
  REQUIRE(all.found.size() == 1);
  REQUIRE(all.found.front().property == check::PropertyId::B1);
  std::vector<std::uint32_t> overlaps;
  for (std::uint32_t state = 0; state < all.graph.states(); ++state) {
    bool passes_time = false;
    for (auto i = all.graph.first_step[state]; i < all.graph.first_step[state + 1]; ++i) {
      passes_time = passes_time || all.graph.step(i).is_tick;
    }
    if (passes_time && all.graph.believers[state] >= 2) overlaps.push_back(state);
  }
  const auto nearest = explore::nearest_of(all.graph, overlaps);
  REQUIRE(nearest.has_value());
  CHECK(nearest->ticks == all.found.front().tick);
  // The step into the run is one of the graph.
  CHECK(nearest->events == all.found.front().events);
}

}  // namespace

// A reply on its way to a process that crashed is in no code, and comes all the same.
TEST_CASE("every state that was explored is reached in the simulator") {
  using Identity = scenario::Restart::Identity;
  check_that_all_can_be_reached(client_go(4, 3, 1).crashing());
  check_that_all_can_be_reached(client_go(4, 3, 1).crashing().restarting(1s, Identity::same));
  check_that_all_can_be_reached(client_go(4, 3, 1).crashing().restarting(1s, Identity::fresh));
  check_that_all_can_be_reached(client_go(4, 3, 1).pausing_up_to(2s));
  check_that_all_can_be_reached(client_go(3, 2, 1).losing_at_most(1));
}

TEST_CASE("two leaders that were found happen in the simulator: losses") {
  check_that_it_replays(client_go(4, 3, 2).losing_messages());
  check_that_it_replays(client_go(4, 3, 1).fast_path().losing_messages());
  check_that_it_replays(client_go(4, 3, 2).losing_at_most(4));
}

TEST_CASE("two leaders that were found happen in the simulator: pauses") {
  check_that_it_replays(client_go(15, 10, 2).pausing_up_to(13s));
  check_that_it_replays(client_go(4, 2, 1).one_losing_messages().pausing_up_to(2s));
}

TEST_CASE("two leaders that were found happen in the simulator: clocks and delays") {
  check_that_it_replays(
      client_go(9, 6, 2).of(1).and_of(1).clock_gains(250ms).losing_messages_of("a-0"));
  check_that_it_replays(client_go(4, 3, 1).replies_late_by(0s, 1s).one_losing_messages());
  const Distribution second = Distribution::constant(1s);
  check_that_it_replays(naive_loop(6, 2, 1).latency(second, second).losing_messages());
  check_that_it_replays(
      naive_loop(8, 3, 1).latency(second, second).of(1).and_of(1).wall_clock_ahead(3s));
}

TEST_CASE("the violation that a search meets first is the nearest in the finished graph") {
  check_that_it_is_the_nearest(client_go(3, 3, 1).losing_messages());
  check_that_it_is_the_nearest(client_go(15, 10, 2).pausing_up_to(13s));
  check_that_it_is_the_nearest(naive_loop(6, 2, 1).of(1).and_of(1).wall_clock_ahead(6s));
}

}  // namespace tenure::test
