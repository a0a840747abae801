#include <algorithm>

#include <doctest/doctest.h>

#include "support/small_elections.hpp"

namespace tenure::test {
namespace {

using namespace std::chrono_literals;
using explore::Exploration;
using explore::Options;
using explore::Orders;
using explore::Symmetry;

// What may not depend on how the states were gone through.
struct Outcome {
  bool is_safe = true;
  std::uint64_t first_tick = 0;
  std::uint64_t gap = 0;
  bool gap_is_unbounded = false;
  std::uint64_t overlap = 0;
  bool overlap_is_unbounded = false;
  bool may_never_be_led = false;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome outcome_of(const Exploration& all) {
  REQUIRE(all.ended == explore::Ended::complete);
  const explore::GraphAnswers answers = explore::answers_of(all.graph);
  CHECK_FALSE(answers.dead_end.has_value());
  CHECK_FALSE(answers.timeless_cycle.has_value());
  Outcome outcome;
  outcome.is_safe = all.found.empty();
  outcome.first_tick = all.found.empty() ? 0 : all.found.front().tick;
  outcome.gap_is_unbounded = answers.gap.unbounded;
  outcome.gap = outcome.gap_is_unbounded ? 0 : answers.gap.ticks;
  outcome.overlap_is_unbounded = answers.overlap.unbounded;
  outcome.overlap = outcome.overlap_is_unbounded ? 0 : answers.overlap.ticks;
  outcome.may_never_be_led = answers.never_led_cycle.has_value();
  return outcome;
}

// The states to which time brings an election: within an instant orders differ, but not in where
// they lead.
std::vector<std::uint64_t> states_after_a_tick(const Exploration& all) {
  std::vector<std::uint64_t> states;
  for (std::uint64_t i = 0; i < all.graph.packed_steps.size(); ++i) {
    const explore::StateGraph::Step step = all.graph.step(i);
    if (step.is_tick) states.push_back(all.fingerprints[step.to]);
  }
  std::sort(states.begin(), states.end());
  states.erase(std::unique(states.begin(), states.end()), states.end());
  return states;
}

Exploration explored_with(const SmallElection& election, Symmetry symmetry, Orders orders) {
  Options options;
  options.symmetry = symmetry;
  options.orders = orders;
  return explored(election, options);
}

void check_reductions(const SmallElection& election) {
  const Exploration plain = explored_with(election, Symmetry::off, Orders::all);
  const Exploration ordered = explored_with(election, Symmetry::off, Orders::that_matter);
  const Exploration symmetric = explored_with(election, Symmetry::on, Orders::all);
  const Exploration both = explored_with(election, Symmetry::on, Orders::that_matter);
  const Outcome outcome = outcome_of(plain);
  for (const Exploration* reduced : {&ordered, &symmetric, &both}) {
    CHECK(outcome_of(*reduced) == outcome);
    CHECK((reduced->probes.conflicts > 0) == (plain.probes.conflicts > 0));
    CHECK((reduced->probes.takeovers > 0) == (plain.probes.takeovers > 0));
    CHECK((reduced->probes.step_downs > 0) == (plain.probes.step_downs > 0));
  }
  CHECK(states_after_a_tick(ordered) == states_after_a_tick(plain));
  CHECK(states_after_a_tick(both) == states_after_a_tick(symmetric));
  CHECK(both.progress.states < symmetric.progress.states);
  CHECK(ordered.progress.states < plain.progress.states);
}

}  // namespace

TEST_CASE("reductions change neither verdicts nor longest gaps and overlaps: losses") {
  check_reductions(client_go(4, 3, 2).losing_at_most(3));
  check_reductions(client_go(4, 3, 1).fast_path().losing_at_most(2));
  check_reductions(naive_loop(4, 2, 1).losing_messages());
}

TEST_CASE("reductions change neither verdicts nor longest gaps and overlaps: processes") {
  using Identity = scenario::Restart::Identity;
  check_reductions(client_go(6, 4, 1).pausing_up_to(6s));
  check_reductions(client_go(6, 4, 1).of(3).crashing());
  check_reductions(client_go(3, 2, 1).crashing().restarting(1s, Identity::fresh));
  check_reductions(client_go(3, 2, 1).crashing().restarting(0s, Identity::same));
}

TEST_CASE("reductions change neither verdicts nor longest gaps and overlaps: delays") {
  check_reductions(client_go(4, 3, 1).waiting_for_replies(2s).replies_late_by(0s, 1s).crashing());
  check_reductions(naive_loop(4, 2, 1).delays_up_to(1s));
}

}  // namespace tenure::test
