// What `tenure bounds` computes and what an exploration finds must be the same. The formulas are
// suprema over real time and the exploration counts whole ticks; they meet as follows.
//
//   guards    compare in ticks both ways at equality, so that a supremum of the formulas is reached
//   2.2 R     is rounded up to a tick, so a gap is longer by twice the rounding; none where R is a
//             multiple of five ticks
//   L         in whole seconds in both, whatever the tick
//   a cut     is a loss of any messages of one candidate: two lead if and only if the margin is
//             negative, and for as long as it says. Equal is a hand-over in one instant
//   a pause   on a healthy network: two lead from `harmless_pause` on, that one included, since at
//             equality the rival may act first; a frozen leader counts as leading
//   latency   of each reply is anything from 0 to a round trip, and a request arrives at once
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/explore/counterexample.hpp>
#include <tenure/explore/explorer.hpp>
#include <tenure/explore/state_graph.hpp>
#include <tenure/scenario/bounds.hpp>
#include <tenure/scenario/grid.hpp>

using namespace tenure;
using namespace std::chrono_literals;

namespace {

enum class FastPath : std::uint8_t { no, yes };

// In ticks.
struct Small {
  int lease = 0, deadline = 0, retry = 0;
  int timeout = 2;
  FastPath fast_path = FastPath::yes;
  int round_trip = 0;  // the longest
  int pause = 0;       // the longest; 0: none
  int rate = 1;        // of the follower's clock, the leader's being 1
  Duration tick = 1s;

  std::string text() const {
    return std::to_string(lease) + "/" + std::to_string(deadline) + "/" + std::to_string(retry) +
           ", T " + std::to_string(timeout) + ", round trip " + std::to_string(round_trip) +
           ", pause " + std::to_string(pause) + ", rate " + std::to_string(rate) +
           (fast_path == FastPath::yes ? ", fast path" : "");
  }
};

scenario::Timing bounds_of(const Small& small) {
  scenario::BoundsInput in;
  in.lease_duration = small.tick * small.lease;
  in.renew_deadline = small.tick * small.deadline;
  in.retry_period = small.tick * small.retry;
  in.candidates = 2;
  in.request_timeout = small.tick * small.timeout;
  in.fast_path = small.fast_path == FastPath::yes;
  in.latency = small.tick * small.round_trip;
  const scenario::Bounds bounds = scenario::bounds_of(in);
  REQUIRE(bounds.timing);
  return *bounds.timing;
}

scenario::Candidates group_of(const Small& small, const std::string& name) {
  scenario::Candidates group;
  group.name = name;
  group.elector.lease_duration = small.tick * small.lease;
  group.elector.renew_deadline = small.tick * small.deadline;
  group.elector.retry_period = small.tick * small.retry;
  group.elector.request_timeout = small.tick * small.timeout;
  group.elector.behaviour.fast_path = small.fast_path == FastPath::yes;
  group.start = Distribution::constant(0s);
  group.restart.policy = scenario::Restart::Policy::never;
  group.restart.exit_on_lost = false;
  return group;
}

scenario::Fault at_any_tick(const std::string& name, const scenario::FaultKind& kind) {
  scenario::Fault fault;
  fault.name = name;
  fault.kind = kind;
  fault.at_any = true;
  fault.target.role = scenario::Target::Role::believers;
  return fault;
}

// Of one candidate, the one that leads too long: a seventh of the states, and the same overlaps.
scenario::Fault any_losses() {
  scenario::Fault fault = at_any_tick("loss", scenario::Loss{});
  fault.target.role = scenario::Target::Role::candidate;
  fault.target.name = "a-0";
  return fault;
}

// Of the holder of the Lease: where two may lead, a crash of both would leave nobody.
scenario::Fault one_crash() {
  scenario::Fault fault = at_any_tick("crash", scenario::Crash{});
  fault.target.role = scenario::Target::Role::leader;
  fault.count = 1;
  return fault;
}

scenario::Scenario scenario_of(const Small& small) {
  scenario::Scenario scenario;
  scenario.name = "small";
  scenario.candidates = {group_of(small, "a")};
  if (small.rate == 1) {
    scenario.candidates.front().replicas = 2;
  } else {
    scenario.candidates.push_back(group_of(small, "b"));
    scenario.candidates.back().clock.gain_per_second.base = 1s * (small.rate - 1);
  }
  const auto reply = small.round_trip == 0
                         ? Distribution::constant(0s)
                         : Distribution::uniform(0s, small.tick * small.round_trip);
  scenario.cluster.latency = scenario::OneWay{Distribution::constant(0s), reply};
  if (small.pause > 0) {
    scenario::Fault pause = at_any_tick("pause", scenario::Pause{});
    pause.count = 1;
    pause.duration = Distribution::uniform(small.tick, small.tick * small.pause);
    scenario.faults.push_back(pause);
  }
  return scenario;
}

explore::GraphAnswers explored(const scenario::Scenario& scenario, Duration tick) {
  const scenario::OnGrid rounded = scenario::on_grid(scenario, tick);
  REQUIRE(rounded.problems.empty());
  const auto built = scenario::build_on_grid(rounded.scenario, tick);
  const auto setup = std::make_shared<world::Setup>(*built.setup);
  setup->duration = longest_duration;
  const explore::Exploration all = explore::explore(setup, {});
  REQUIRE(all.ended == explore::Ended::complete);
  return explore::answers_of(all.graph);
}

// The longest overlap if any message may be lost, in ticks.
std::int64_t overlap_with_losses(const Small& small) {
  scenario::Scenario scenario = scenario_of(small);
  scenario.faults.push_back(any_losses());
  const auto answers = explored(scenario, small.tick);
  REQUIRE_FALSE(answers.overlap.unbounded);
  return static_cast<std::int64_t>(answers.overlap.ticks);
}

std::int64_t overlap_on_a_healthy_network(const Small& small) {
  const auto answers = explored(scenario_of(small), small.tick);
  REQUIRE_FALSE(answers.overlap.unbounded);
  return static_cast<std::int64_t>(answers.overlap.ticks);
}

std::int64_t gap_after_a_crash(const Small& small) {
  scenario::Scenario scenario = scenario_of(small);
  scenario.faults = {one_crash()};
  const auto answers = explored(scenario, small.tick);
  REQUIRE_FALSE(answers.gap.unbounded);
  return static_cast<std::int64_t>(answers.gap.ticks);
}

// By the formulas, in ticks: how long two lead when a cut follows whatever else there is.
std::int64_t overlap_by_bounds(const Small& small) {
  const scenario::Timing timing = bounds_of(small);
  const std::int64_t margin = timing.lossy_margin / small.tick;
  // The rival's clock runs through L sooner, so L counts for less.
  const std::int64_t faster = small.lease - (small.lease + small.rate - 1) / small.rate;
  return std::max<std::int64_t>(0, faster + small.pause - margin);
}

std::int64_t rounded_up_poll(int retry) {
  return (std::int64_t{retry} * 22 + 9) / 10;
}

// By the formulas, with the longest poll rounded up.
std::int64_t gap_by_bounds(const Small& small) {
  const Duration exact = bounds_of(small).crash.most;
  const Duration twice = small.tick * small.retry * 44 / 10;
  return (exact - twice) / small.tick + 2 * rounded_up_poll(small.retry);
}

void check_losses(const Small& small) {
  CAPTURE(small.text());
  CHECK(overlap_with_losses(small) == overlap_by_bounds(small));
}

// Whether the first violation happens in the simulator too.
bool is_walked(const scenario::Scenario& scenario, Duration tick) {
  const auto rounded = scenario::on_grid(scenario, tick);
  const auto setup =
      std::make_shared<world::Setup>(*scenario::build_on_grid(rounded.scenario, tick).setup);
  setup->duration = longest_duration;
  explore::Options options;
  options.stops_at_violation = true;
  const explore::Exploration all = explore::explore(setup, options);
  REQUIRE(all.ended == explore::Ended::at_violation);
  std::vector<std::uint64_t> fingerprints;
  for (const std::uint32_t state : all.path_to(all.found.front().state)) {
    fingerprints.push_back(all.fingerprints[state]);
  }
  return explore::walk(setup, options, fingerprints).has_value();
}

}  // namespace

TEST_CASE("without the fast path two lead after a cut if and only if L - D - R is negative") {
  struct Row {
    int deadline, retry;
  };
  for (const Row& row : {Row{2, 1}, Row{3, 1}, Row{3, 2}, Row{4, 1}}) {
    for (const int slack : {-1, 0, 1}) {
      const int lease = row.deadline + row.retry + slack;
      if (lease <= row.deadline) continue;
      check_losses({.lease = lease,
                    .deadline = row.deadline,
                    .retry = row.retry,
                    .timeout = 1,
                    .fast_path = FastPath::no});
    }
  }
}

TEST_CASE("with the fast path a lost reply costs the time limit of its request as well") {
  struct Row {
    int deadline, timeout, slack;
  };
  for (const Row& row : {Row{2, 1, -1}, Row{2, 1, 0}, Row{2, 1, 1}, Row{3, 1, -1}, Row{3, 1, 0},
                         Row{3, 2, -2}, Row{3, 2, -1}, Row{3, 2, 0}}) {
    check_losses({.lease = row.deadline + 1 + row.timeout + row.slack,
                  .deadline = row.deadline,
                  .retry = 1,
                  .timeout = row.timeout});
  }
}

TEST_CASE("a request that waits as long as a round costs that much where the Lease is acquired") {
  for (const int timeout : {2, 3}) {
    for (const int slack : {-1, 0}) {
      check_losses({.lease = 2 + timeout + slack, .deadline = 2, .retry = 1, .timeout = timeout});
    }
  }
}

TEST_CASE("late replies, which a first renewal may show nobody, come off the margin twice") {
  for (const int lease : {4, 5}) {
    check_losses(
        {.lease = lease, .deadline = 2, .retry = 1, .fast_path = FastPath::no, .round_trip = 1});
  }
}

TEST_CASE("a pause and a cut: the pause comes off the margin, with and without the fast path") {
  for (const int pause : {1, 2}) {
    check_losses({.lease = 4,
                  .deadline = 2,
                  .retry = 1,
                  .timeout = 1,
                  .fast_path = FastPath::no,
                  .pause = pause});
    check_losses({.lease = 5, .deadline = 2, .retry = 1, .timeout = 1, .pause = pause});
  }
}

TEST_CASE("a rival whose clock is twice as fast leaves half of L") {
  for (const int lease : {4, 6}) {
    check_losses({.lease = lease, .deadline = 3, .retry = 2, .fast_path = FastPath::no, .rate = 2});
  }
  for (const int lease : {6, 8}) {
    check_losses({.lease = lease, .deadline = 3, .retry = 2, .rate = 2});
  }
}

TEST_CASE("the longest failover after a crash is L + 2(1+J)R and five round trips") {
  for (const auto fast_path : {FastPath::no, FastPath::yes}) {
    for (const Small& small :
         {Small{.lease = 4, .deadline = 3, .retry = 1},
          Small{.lease = 6, .deadline = 4, .retry = 1},
          Small{.lease = 8, .deadline = 4, .retry = 2},
          Small{.lease = 15, .deadline = 10, .retry = 2, .timeout = 5},
          Small{.lease = 13, .deadline = 10, .retry = 5, .timeout = 5},
          Small{.lease = 30, .deadline = 15, .retry = 10, .timeout = 7},
          Small{.lease = 6, .deadline = 4, .retry = 1, .timeout = 3, .round_trip = 1}}) {
      Small one = small;
      one.fast_path = fast_path;
      CAPTURE(one.text());
      CHECK(gap_after_a_crash(one) == gap_by_bounds(one));
    }
  }
}

TEST_CASE("where R is five ticks nothing is rounded: a failover takes what bounds says exactly") {
  for (const int lease : {10, 15, 20}) {
    const Small small{.lease = lease, .deadline = 7, .retry = 5, .timeout = 5, .tick = 200ms};
    CAPTURE(small.text());
    CHECK(small.tick * gap_after_a_crash(small) == bounds_of(small).crash.most);
  }
}

TEST_CASE("a lease duration of a fraction of a second counts as whole seconds") {
  const Small small{.lease = 8, .deadline = 7, .retry = 5, .timeout = 5, .tick = 200ms};
  CHECK(bounds_of(small).lease == 1s);
  CHECK(small.tick * gap_after_a_crash(small) == bounds_of(small).crash.most);
}

TEST_CASE("on a healthy network a pause makes two leaders from L - R on") {
  for (const auto fast_path : {FastPath::no, FastPath::yes}) {
    for (const Small& small : {Small{.lease = 6, .deadline = 4, .retry = 1},
                               Small{.lease = 6, .deadline = 3, .retry = 2},
                               Small{.lease = 7, .deadline = 6, .retry = 1}}) {
      Small one = small;
      one.fast_path = fast_path;
      const auto harmless = static_cast<int>(bounds_of(one).harmless_pause / one.tick);
      one.pause = harmless - 1;
      CAPTURE(one.text());
      CHECK(overlap_on_a_healthy_network(one) == 0);
      one.pause = harmless;
      CHECK(overlap_on_a_healthy_network(one) == one.deadline);
      // Frozen or not, it believes until the round after it has failed.
      one.pause = harmless + 2;
      CHECK(overlap_on_a_healthy_network(one) == one.deadline + 2);
    }
  }
}

TEST_CASE("late replies shorten the harmless pause, by three round trips without the fast path") {
  for (const auto fast_path : {FastPath::no, FastPath::yes}) {
    for (const Small& small :
         {Small{.lease = 6, .deadline = 4, .retry = 1, .timeout = 3, .round_trip = 1},
          Small{.lease = 8, .deadline = 4, .retry = 1, .timeout = 4, .round_trip = 1}}) {
      Small one = small;
      one.fast_path = fast_path;
      const auto harmless = static_cast<int>(bounds_of(one).harmless_pause / one.tick);
      one.pause = harmless - 1;
      CAPTURE(one.text());
      CHECK(overlap_on_a_healthy_network(one) == 0);
      one.pause = harmless;
      CHECK(overlap_on_a_healthy_network(one) > 0);
    }
  }
}

TEST_CASE("once a pause is as long as L two leaders can both run for D + R") {
  const Small small{.lease = 6, .deadline = 4, .retry = 1, .pause = 6};
  // From the end of the pause, at which the rival already leads, until the round has failed.
  CHECK(overlap_on_a_healthy_network(small) == bounds_of(small).pause_overlap / small.tick);
}

TEST_CASE("a release that begins while a tick of its round is near is found and replayed") {
  scenario::Scenario scenario = scenario_of({.lease = 4, .deadline = 3, .retry = 1, .timeout = 1});
  scenario.candidates.front().elector.release_on_cancel = true;
  scenario.faults.push_back(any_losses());
  CHECK(is_walked(scenario, 1s));
}

TEST_CASE("ticks of more than a second that are no whole seconds keep their place in it") {
  const Small small{
      .lease = 4, .deadline = 2, .retry = 1, .timeout = 1, .pause = 3, .tick = 7500ms};
  CHECK(is_walked(scenario_of(small), small.tick));
}
