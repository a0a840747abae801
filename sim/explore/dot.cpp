#include <algorithm>
#include <locale>
#include <numeric>
#include <ostream>
#include <sstream>
#include <utility>

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/graphviz.hpp>
#include <boost/property_map/function_property_map.hpp>

#include <tenure/explore/dot.hpp>

namespace tenure::explore {
namespace {

using State = std::uint32_t;
using Sink = std::function<void(std::string_view)>;

// What is drawn. Vertices are indices into `states`; each edge knows its step.
struct Drawing {
  using Rows =
      boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, std::uint64_t>;

  std::vector<State> states;  // ascending
  Rows rows;
};

std::vector<State> ascending(std::vector<State> states) {
  std::sort(states.begin(), states.end());
  states.erase(std::unique(states.begin(), states.end()), states.end());
  return states;
}

std::vector<State> all_states(const StateGraph& graph) {
  std::vector<State> states(graph.states());
  std::iota(states.begin(), states.end(), State{0});
  return states;
}

template <class Visit>
void each_step_out_of(const StateGraph& graph, State state, Visit visit) {
  for (std::uint64_t i = graph.first_step[state]; i < graph.first_step[state + 1]; ++i) visit(i);
}

// The states themselves and what their steps lead to.
std::vector<State> with_successors(const StateGraph& graph, const std::vector<State>& states) {
  std::vector<State> all = states;
  for (const State state : states) {
    each_step_out_of(graph, state, [&](std::uint64_t step) { all.push_back(graph.step(step).to); });
  }
  return ascending(std::move(all));
}

std::size_t index_in(const std::vector<State>& ascending_states, State state) {
  const auto place = std::lower_bound(ascending_states.begin(), ascending_states.end(), state);
  return static_cast<std::size_t>(place - ascending_states.begin());
}

// The states whose steps are drawn, and with them what these steps lead to.
Drawing drawing_of(const StateGraph& graph, const std::vector<State>& expanded) {
  Drawing drawing;
  drawing.states = with_successors(graph, expanded);
  std::vector<std::pair<std::size_t, std::size_t>> ends;
  std::vector<std::uint64_t> steps;
  for (const State from : expanded) {
    each_step_out_of(graph, from, [&](std::uint64_t step) {
      ends.emplace_back(index_in(drawing.states, from),
                        index_in(drawing.states, graph.step(step).to));
      steps.push_back(step);
    });
  }
  drawing.rows = Drawing::Rows(boost::edges_are_sorted, ends.begin(), ends.end(), steps.begin(),
                               drawing.states.size(), ends.size());
  return drawing;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

// Colours whose brightness differs as much as their hue, with a text colour that can be read on it.
const char* colours_of(std::uint8_t believers) {
  if (believers == 0) return "fillcolor=\"#ffffff\", fontcolor=\"#000000\"";
  if (believers == 1) return "fillcolor=\"#a6cee3\", fontcolor=\"#000000\"";
  return "fillcolor=\"#b2182b\", fontcolor=\"#ffffff\"";
}

// Hands each line on as soon as it is complete.
class LinesToSink : public std::stringbuf {
 public:
  explicit LinesToSink(const Sink& sink) : sink_(&sink) {}

 protected:
  int sync() override {
    (*sink_)(view());
    str({});
    return 0;
  }

 private:
  const Sink* sink_;
};

}  // namespace

void write_dot(const StateGraph& graph,
               const std::vector<State>& path,
               const DotLabels& labels,
               const Sink& sink) {
  const std::vector<State> on_path = ascending(path);
  const std::vector<State> expanded =
      graph.states() <= most_states_drawn_whole ? all_states(graph) : on_path;
  const Drawing drawing = drawing_of(graph, expanded);
  const auto has = [](const std::vector<State>& states, State state) {
    return std::binary_search(states.begin(), states.end(), state);
  };
  const auto name = boost::make_function_property_map<std::size_t, std::string>(
      [&](std::size_t vertex) { return "s" + std::to_string(drawing.states[vertex]); });
  const auto write_state = [&](std::ostream& out, std::size_t vertex) {
    const State state = drawing.states[vertex];
    out << " [label=" << quoted(labels.state(state)) << ", " << colours_of(graph.believers[state]);
    if (has(on_path, state)) out << ", peripheries=2";
    if (!has(expanded, state)) out << ", style=\"filled,dashed\"";
    out << ']';
  };
  const auto write_step = [&](std::ostream& out, const Drawing::Rows::edge_descriptor& edge) {
    const std::uint64_t step = drawing.rows[edge];
    const State from = drawing.states[source(edge, drawing.rows)];
    out << "[label=" << quoted(labels.step(from, step));
    if (graph.step(step).is_tick) out << ", style=bold";
    out << ']';
  };
  const auto write_defaults = [](std::ostream& out) { out << "node [shape=box, style=filled];\n"; };
  LinesToSink lines(sink);
  std::ostream out(&lines);
  out.imbue(std::locale::classic());
  boost::write_graphviz(out, drawing.rows, write_state, write_step, write_defaults, name);
}

}  // namespace tenure::explore
