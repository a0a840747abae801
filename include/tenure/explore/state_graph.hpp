// The finished graph of an exploration, and what only the whole of it can tell: whether an election
// can stay without a leader for ever, and how long a gap or an overlap can last at most.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace tenure::explore {

// States and the steps between them, in compressed rows. A step is an event, which takes no time,
// or the passing of one tick, during which the believers of the state that it leaves stay what they
// are.
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
  std::uint64_t ticks = 0;
  bool unbounded = false;             // a cycle with a tick: it can last for ever
  std::vector<std::uint32_t> states;  // that such a stretch passes, its first and last included
};

struct GraphAnswers {
  // Nobody believes, after somebody has; the time before the first leader does not count.
  Stretch gap;
  // Two or more believe.
  Stretch overlap;
  // States that can never be left and never let time pass: an error of the model.
  std::optional<std::uint32_t> dead_end;
  // A cycle without a tick (a Zeno run): an error of the model too.
  std::optional<std::uint32_t> timeless_cycle;
};

GraphAnswers answers_of(const StateGraph& graph);

// The least number of ticks, and among those of events, on a path from state 0 to one of `goals`
// (ascending): the search's own answer, found once more with Boost.Graph.
struct Nearest {
  std::uint64_t ticks = 0;
  std::uint64_t events = 0;
};
std::optional<Nearest> nearest_of(const StateGraph& graph, const std::vector<std::uint32_t>& goals);

}  // namespace tenure::explore
