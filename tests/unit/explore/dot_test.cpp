#include <string>

#include <doctest/doctest.h>

#include <tenure/explore/dot.hpp>

#include "graphs.hpp"

namespace tenure::explore {
namespace {

const DotLabels numbers = {[](std::uint32_t state) { return std::to_string(state); },
                           [](std::uint32_t, std::uint64_t step) { return std::to_string(step); }};

std::string dot_of(const StateGraph& graph,
                   const std::vector<std::uint32_t>& path,
                   const DotLabels& labels = numbers) {
  std::string text;
  write_dot(graph, path, labels, [&](std::string_view piece) { text += piece; });
  return text;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Every state leads to the next by a tick, and to the one after it by an event.
StateGraph large_graph(std::uint32_t states) {
  std::vector<Arrow> arrows;
  for (std::uint32_t state = 0; state < states; ++state) {
    arrows.push_back(tick(state, (state + 1) % states));
    arrows.push_back(event(state, (state + 2) % states));
  }
  return graph_of(std::vector<std::uint8_t>(states, 0), arrows);
}

}  // namespace

TEST_CASE("a small graph is drawn whole, with its path marked") {
  const StateGraph graph = graph_of({0, 1, 2}, {event(0, 1), tick(1, 1), event(1, 2), tick(2, 0)});
  CHECK(dot_of(graph, {1, 2}) ==
        "digraph G {\n"
        "node [shape=box, style=filled];\n"
        "s0 [label=\"0\", fillcolor=\"#ffffff\", fontcolor=\"#000000\"];\n"
        "s1 [label=\"1\", fillcolor=\"#a6cee3\", fontcolor=\"#000000\", peripheries=2];\n"
        "s2 [label=\"2\", fillcolor=\"#b2182b\", fontcolor=\"#ffffff\", peripheries=2];\n"
        "s0->s1 [label=\"0\"];\n"
        "s1->s1 [label=\"1\", style=bold];\n"
        "s1->s2 [label=\"2\"];\n"
        "s2->s0 [label=\"3\", style=bold];\n"
        "}\n");
}

TEST_CASE("of a large graph the path and what its states lead to are drawn") {
  const std::string text = dot_of(large_graph(most_states_drawn_whole + 1), {8, 7, 8});
  CHECK(text ==
        "digraph G {\n"
        "node [shape=box, style=filled];\n"
        "s7 [label=\"7\", fillcolor=\"#ffffff\", fontcolor=\"#000000\", peripheries=2];\n"
        "s8 [label=\"8\", fillcolor=\"#ffffff\", fontcolor=\"#000000\", peripheries=2];\n"
        "s9 [label=\"9\", fillcolor=\"#ffffff\", fontcolor=\"#000000\", style=\"filled,dashed\"];\n"
        "s10 [label=\"10\", fillcolor=\"#ffffff\", fontcolor=\"#000000\", "
        "style=\"filled,dashed\"];\n"
        "s7->s8 [label=\"14\", style=bold];\n"
        "s7->s9 [label=\"15\"];\n"
        "s8->s9 [label=\"16\", style=bold];\n"
        "s8->s10 [label=\"17\"];\n"
        "}\n");
}

TEST_CASE("the largest graph that is drawn whole has every state and step") {
  const std::string text = dot_of(large_graph(most_states_drawn_whole), {});
  CHECK(contains(text, "\ns1999 ["));
  CHECK(contains(text, "\ns1999->s0 ["));
  CHECK_FALSE(contains(text, "dashed"));
}

TEST_CASE("a label may have quotes, backslashes and lines") {
  const StateGraph graph = graph_of({0}, {tick(0, 0)});
  const DotLabels labels = {[](std::uint32_t) { return "a \"b\"\nc\\"; },
                            [](std::uint32_t, std::uint64_t) { return std::string{}; }};
  const std::string text = dot_of(graph, {}, labels);
  CHECK(contains(text, R"(s0 [label="a \"b\"\nc\\", )"));
  CHECK(contains(text, R"(s0->s0 [label="", style=bold])"));
}

TEST_CASE("a graph without states is an empty picture") {
  CHECK(dot_of({}, {}) == "digraph G {\nnode [shape=box, style=filled];\n}\n");
}

TEST_CASE("the text comes in pieces of a line each") {
  std::size_t longest = 0;
  write_dot(large_graph(100), {}, numbers,
            [&](std::string_view piece) { longest = std::max(longest, piece.size()); });
  CHECK(longest < 200);
}

}  // namespace tenure::explore
