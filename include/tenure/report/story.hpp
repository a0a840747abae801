// A counterexample, told: what went wrong in one sentence, the inequality that did not hold with
// the numbers of this run in it, the events that led there and no others, and lanes of the two that
// were at odds.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <tenure/check/property.hpp>
#include <tenure/kernel/node_clock.hpp>
#include <tenure/record/fact.hpp>
#include <tenure/report/timeline.hpp>
#include <tenure/world/setup.hpp>
#include <tenure/world/world.hpp>

namespace tenure::report {

struct Counterexample {
  const world::Setup& setup;
  const std::vector<record::Record>& history;  // of the run, with messages
  check::Violation violation;
  record::Level level = record::Level::context;  // of belief, in beliefSafety
  std::vector<kernel::NodeClock> clocks;         // by ProcessId; empty: all are perfect
  std::string nearest;                           // the nearest run that passes; empty: not known
  std::string replay;                            // the command that shows it again; empty: left out
};

// The clocks of a world, for a counterexample from its run.
std::vector<kernel::NodeClock> clocks_of(const world::World& world);

// Some 25 lines of at most `columns` columns where names allow it; lanes are left out when
// `columns` is 0.
std::string story(const Counterexample& told, std::size_t columns, Characters characters);

}  // namespace tenure::report
