// A state graph as a picture: text in the language of Graphviz.
//
// Ticks are bold arrows and events thin ones; white, light and dark are states in which none, one
// and more believe. The states of the path have a double border.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <tenure/explore/state_graph.hpp>

namespace tenure::explore {

// Larger graphs are drawn in part: nobody reads such a picture, and Graphviz takes minutes for it.
inline constexpr std::uint32_t most_states_drawn_whole = 2000;

// Any text, and as many lines as it has; a step is an index into the graph's steps.
struct DotLabels {
  std::function<std::string(std::uint32_t state)> state;
  std::function<std::string(std::uint32_t from, std::uint64_t step)> step;
};

// All of a graph of up to `most_states_drawn_whole` states; of a larger one the path, all steps
// that leave it, and what they lead to, with a dashed border where steps are left out. The same
// bytes for the same graph, path and labels. The sink takes the next piece; the view ends with the
// call.
void write_dot(const StateGraph& graph,
               const std::vector<std::uint32_t>& path,
               const DotLabels& labels,
               const std::function<void(std::string_view)>& sink);

}  // namespace tenure::explore
