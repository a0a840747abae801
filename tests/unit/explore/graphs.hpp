// State graphs for tests, written down step by step.
#pragma once

#include <cstdint>
#include <vector>

#include <tenure/explore/state_graph.hpp>

namespace tenure::explore {

enum class Kind : std::uint8_t { event, tick };

struct Arrow {
  std::uint32_t from = 0;
  Kind kind = Kind::event;
  std::uint32_t to = 0;
};

constexpr Arrow event(std::uint32_t from, std::uint32_t to) {
  return {from, Kind::event, to};
}

constexpr Arrow tick(std::uint32_t from, std::uint32_t to) {
  return {from, Kind::tick, to};
}

// Each state's arrows keep their order.
inline StateGraph graph_of(const std::vector<std::uint8_t>& believers,
                           const std::vector<Arrow>& arrows) {
  StateGraph graph;
  graph.believers = believers;
  graph.first_step.assign(believers.size() + 1, 0);
  for (const Arrow& arrow : arrows) ++graph.first_step[arrow.from + 1];
  for (std::size_t state = 0; state < believers.size(); ++state)
    graph.first_step[state + 1] += graph.first_step[state];
  graph.packed_steps.resize(arrows.size());
  std::vector<std::uint64_t> next = graph.first_step;
  for (const Arrow& arrow : arrows)
    graph.packed_steps[next[arrow.from]++] = 2 * arrow.to + (arrow.kind == Kind::tick ? 1 : 0);
  return graph;
}

}  // namespace tenure::explore
