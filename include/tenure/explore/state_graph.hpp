// The finished graph of an exploration, and what only the whole of it can tell: whether an election
// can stay without a leader for ever, and how long a gap or an overlap can last at most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tenure::explore {

// States and the steps between them, in compressed rows. A step is an event, which takes no time,
// or the passing of one tick, during which the believers of the state that it leaves stay what they
// are.
//
// Invariants:
//  (1) every state can be reached from state 0, where a run begins
//  (2) there are fewer than 2^31 states and fewer than 2^32 steps
struct StateGraph {
  struct Step {
    std::uint32_t to = 0;
    bool is_tick = false;
  };

  std::vector<std::uint8_t> believers;      // by state; 2 stands for two and more
  std::vector<std::uint64_t> first_step;    // by state, and one more: where its steps begin
  std::vector<std::uint32_t> packed_steps;  // twice the target, plus one for a tick

  std::uint32_t states() const { return static_cast<std::uint32_t>(believers.size()); }
  Step step(std::uint64_t index) const {
    return {packed_steps[index] >> 1, (packed_steps[index] & 1) != 0};
  }
};

// A longest stretch of time. A stretch is counted in ticks that pass one after the other under the
// same condition; what changes and changes back within one instant does not interrupt it.
struct Stretch {
  // Where it is unbounded, those of one turn of the cycle.
  std::uint64_t ticks = 0;
  bool unbounded = false;  // a cycle with a tick: it can last for ever
  // A path that proves it, behind whatever path leads to its first state; empty without a tick. It
  // ends where the last tick does. A gap's first state is the last that had a believer while time
  // passed, an overlap's the one that the first tick of the overlap leaves.
  std::vector<std::uint32_t> states;
  // Where it is unbounded, the index in `states` of the cycle's first state, which comes once more
  // as the last.
  std::size_t cycle_begin = 0;
};

// What names one state names the first there is.
struct GraphAnswers {
  // Nobody believes, after somebody has; the time before the first leader does not count.
  Stretch gap;
  // Two or more believe.
  Stretch overlap;
  // A state on a cycle with a tick that can be entered and gone round for ever without anybody
  // having ever believed while time passed.
  std::optional<std::uint32_t> never_led_cycle;
  // A state without steps, which can never be left and never lets time pass: an error of the model.
  std::optional<std::uint32_t> dead_end;
  // A state on a cycle without a tick (a Zeno run): an error of the model too.
  std::optional<std::uint32_t> timeless_cycle;
};

// In time proportional to the states and steps.
GraphAnswers answers_of(const StateGraph& graph);

// The least number of ticks, and among those of events, on a path from state 0 to one of `goals`:
// the search's own answer, found once more with Boost.Graph.
struct Nearest {
  std::uint64_t ticks = 0;
  std::uint64_t events = 0;

  friend auto operator<=>(const Nearest&, const Nearest&) = default;
};
std::optional<Nearest> nearest_of(const StateGraph& graph, const std::vector<std::uint32_t>& goals);

}  // namespace tenure::explore
