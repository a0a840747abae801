// All runs of a small election, breadth first: tick by tick, and inside an instant event by event.
// The first violation that is met is therefore the earliest, and among those one with the fewest
// events. Every successor is made by the simulator's own step, once for each combination of answers
// that the step can get.
//
// What is kept of a state: its fingerprint, where it was reached from, and how many lead in it.
// Whole states exist, as codes, only for the instant at hand and the next.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tenure/check/property.hpp>
#include <tenure/explore/state.hpp>
#include <tenure/explore/state_graph.hpp>
#include <tenure/record/fact.hpp>
#include <tenure/world/setup.hpp>

namespace tenure::explore {

// Of the orders of events inside one instant: all, or those that can matter. A step of one process
// that touches nobody else commutes with everything but what is done to that process.
enum class Orders : std::uint8_t { all, that_matter };

struct Limits {
  std::optional<std::uint64_t> ticks;  // none: until there is no new state
  std::uint64_t states = 20'000'000;
  std::uint64_t memory = std::uint64_t{4} << 30;  // bytes
};

// How far a search has come.
struct Progress {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t frontier = 0;  // states that are to be expanded
  std::uint64_t tick = 0;
  std::uint64_t memory = 0;
};

struct Options {
  Symmetry symmetry = Symmetry::on;
  Orders orders = Orders::that_matter;
  Limits limits;
  record::Level level = record::Level::context;  // of the believers that are counted
  // What counts as a violation: of S1 to S3, B1 and B2.
  check::PropertySet judged{check::PropertyId::S1, check::PropertyId::S2, check::PropertyId::S3,
                            check::PropertyId::B1, check::PropertyId::B2};
  bool stops_at_violation = false;
  unsigned threads = 1;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const Progress&)> progress;
};

// A state in which a property is violated.
struct Found {
  check::PropertyId property = check::PropertyId::B1;
  std::uint32_t state = 0;
  std::uint64_t tick = 0;
  std::uint64_t events = 0;  // on the way there
};

// How often something happened that a verdict needs: one that stayed at zero was not exercised.
struct Probes {
  std::uint64_t takeovers = 0;        // a holder was followed by another
  std::uint64_t conflicts = 0;        // a write met a newer version
  std::uint64_t step_downs = 0;       // a leader gave up by itself
  std::vector<std::uint64_t> faults;  // by FaultId: it hit somebody

  void add(const Probes& other);
};

enum class Ended : std::uint8_t {
  complete,  // every state was expanded
  at_violation,
  at_tick_limit,
  at_state_limit,
  at_memory_limit,
  interrupted
};

struct Exploration {
  Ended ended = Ended::complete;
  Progress progress;
  std::uint64_t visited_memory = 0;  // of it, what the table of visited states takes
  std::vector<Found> found;          // by property, each the first; in the order of finding
  Probes probes;
  StateGraph graph;                         // when `ended` is complete
  std::vector<std::uint64_t> fingerprints;  // by state
  std::vector<std::uint32_t> came_from;     // by state; 0 is before the run and came from itself
  // The chance that two states were taken for one: n^2 / 2^65 for n states.
  double collision_probability = 0;

  // The states on the way to one, from 0.
  std::vector<std::uint32_t> path_to(std::uint32_t state) const;
};

Exploration explore(std::shared_ptr<const world::Setup> setup, const Options& options);

}  // namespace tenure::explore
