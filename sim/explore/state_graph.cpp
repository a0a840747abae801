#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/graph/two_bit_color_map.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <boost/property_map/property_map.hpp>

#include <tenure/base/assert.hpp>
#include <tenure/explore/state_graph.hpp>

namespace tenure::explore {
namespace {

using State = std::uint32_t;

// 32-bit edge numbers halve what the depth-first search keeps for each state it is inside of, and
// it may be inside of all of them.
using Rows = boost::compressed_sparse_row_graph<boost::directedS,
                                                boost::no_property,
                                                boost::no_property,
                                                boost::no_property,
                                                State,
                                                std::uint32_t>;

// A condition on the believers of the state that a tick leaves.
using Condition = bool (*)(std::uint8_t believers);

bool nobody(std::uint8_t believers) {
  return believers == 0;
}

bool somebody(std::uint8_t believers) {
  return believers >= 1;
}

bool several(std::uint8_t believers) {
  return believers >= 2;
}

bool always(std::uint8_t /*believers*/) {
  return true;
}

bool never(std::uint8_t /*believers*/) {
  return false;
}

struct Edge {
  State from = 0;
  State to = 0;
  bool is_tick = false;
};

template <class Visit>
void each_edge_of(const StateGraph& graph, State from, Visit visit) {
  for (std::uint64_t i = graph.first_step[from]; i < graph.first_step[from + 1]; ++i) {
    const StateGraph::Step step = graph.step(i);
    visit(Edge{from, step.to, step.is_tick});
  }
}

template <class Visit>
void each_edge(const StateGraph& graph, Visit visit) {
  for (State from = 0; from < graph.states(); ++from) each_edge_of(graph, from, visit);
}

// The first edge that is wanted, in the order of states.
template <class Wanted>
std::optional<Edge> first_edge(const StateGraph& graph, Wanted is_wanted) {
  std::optional<Edge> found;
  for (State from = 0; from < graph.states() && !found; ++from) {
    each_edge_of(graph, from, [&](const Edge& edge) {
      if (!found && is_wanted(edge)) found = edge;
    });
  }
  return found;
}

// Whether the edge can be taken while time passes under the condition only.
bool is_kept(const StateGraph& graph, Condition counts, const Edge& edge) {
  return !edge.is_tick || counts(graph.believers[edge.from]);
}

// The kept edges as the pairs that Boost.Graph builds its rows from, without a copy of them.
class KeptPairs {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = std::pair<State, State>;
  using difference_type = std::ptrdiff_t;
  using pointer = const value_type*;
  using reference = const value_type&;

  KeptPairs(const StateGraph& graph, Condition counts, std::uint64_t step)
      : graph_(&graph), counts_(counts), step_(step) {
    settle();
  }

  reference operator*() const { return pair_; }
  pointer operator->() const { return &pair_; }
  KeptPairs& operator++() {
    ++step_;
    settle();
    return *this;
  }
  friend bool operator==(const KeptPairs& a, const KeptPairs& b) { return a.step_ == b.step_; }

 private:
  // Moves on to a kept edge, unless it stands on one.
  void settle() {
    for (; step_ < graph_->packed_steps.size(); ++step_) {
      while (graph_->first_step[pair_.first + 1] <= step_) ++pair_.first;
      const StateGraph::Step step = graph_->step(step_);
      pair_.second = step.to;
      if (is_kept(*graph_, counts_, {pair_.first, step.to, step.is_tick})) return;
    }
  }

  const StateGraph* graph_;
  Condition counts_;
  std::uint64_t step_;
  value_type pair_ = {0, 0};
};

Rows rows_of(const StateGraph& graph, Condition counts) {
  const std::uint64_t all = graph.packed_steps.size();
  TENURE_ASSERT(all <= std::numeric_limits<std::uint32_t>::max(), "edges have 32-bit numbers");
  // Counted first: a column that grows step by step would be there twice for a moment.
  const auto kept = static_cast<std::uint32_t>(
      std::distance(KeptPairs{graph, counts, 0}, KeptPairs{graph, counts, all}));
  return Rows(boost::edges_are_sorted, KeptPairs{graph, counts, 0}, KeptPairs{graph, counts, all},
              graph.states(), kept);
}

auto index_of(const Rows& rows) {
  return boost::get(boost::vertex_index, rows);
}

// The strongly connected components of the kept edges. What an edge leads to has the same number or
// a lower one: Tarjan's algorithm finishes a component after all that can be reached from it.
struct Components {
  std::vector<State> of;            // by state
  std::vector<State> members;       // the states by component
  std::vector<State> first_member;  // by component, and one more

  State count() const { return static_cast<State>(first_member.size() - 1); }
};

void group_members(Components& components, State count) {
  components.first_member.assign(count + std::size_t{1}, 0);
  for (const State component : components.of) ++components.first_member[component + 1];
  for (State c = 0; c < count; ++c) components.first_member[c + 1] += components.first_member[c];
  // Each component's begin moves to its end, which is the next one's begin, and then back.
  components.members.resize(components.of.size());
  for (State state = 0; state < components.of.size(); ++state)
    components.members[components.first_member[components.of[state]]++] = state;
  std::copy_backward(components.first_member.begin(), components.first_member.end() - 1,
                     components.first_member.end());
  components.first_member.front() = 0;
}

Components components_of(const Rows& rows) {
  Components components;
  components.of.resize(num_vertices(rows));
  // Boost's depth-first search has its stack on the heap, so that a long chain does no harm.
  const State count = boost::strong_components(
      rows, boost::make_iterator_property_map(components.of.begin(), index_of(rows)),
      boost::color_map(boost::make_two_bit_color_map(num_vertices(rows), index_of(rows))));
  group_members(components, count);
  return components;
}

// What can happen while time passes under one condition only: all events, and the ticks that leave
// a state where it holds.
struct Phase {
  const StateGraph& graph;
  Condition counts;
  Rows rows;
  Components components;

  State component(State state) const { return components.of[state]; }
  bool keeps(const Edge& edge) const { return is_kept(graph, counts, edge); }
  bool is_inner(const Edge& edge) const {
    return keeps(edge) && component(edge.from) == component(edge.to);
  }
};

Phase phase_of(const StateGraph& graph, Condition counts) {
  Rows rows = rows_of(graph, counts);
  Components components = components_of(rows);
  return {graph, counts, std::move(rows), std::move(components)};
}

template <class Visit>
void each_edge_out_of_component(const Phase& phase, State component, Visit visit) {
  const auto& first = phase.components.first_member;
  for (State i = first[component]; i < first[component + 1]; ++i) {
    each_edge_of(phase.graph, phase.components.members[i], [&](const Edge& edge) {
      if (phase.keeps(edge) && phase.component(edge.to) != component) visit(edge);
    });
  }
}

// By component: whether the phase leads to it from one that is marked.
std::vector<bool> reached_from(const Phase& phase, std::vector<bool> marked) {
  for (State c = phase.components.count(); c-- > 0;) {
    if (!marked[c]) continue;
    each_edge_out_of_component(phase, c,
                               [&](const Edge& edge) { marked[phase.component(edge.to)] = true; });
  }
  return marked;
}

// The first tick that can come again and again, in a component that is marked.
std::optional<Edge> first_recurring_tick(const Phase& phase, const std::vector<bool>& marked) {
  return first_edge(phase.graph, [&](const Edge& edge) {
    return edge.is_tick && marked[phase.component(edge.from)] && phase.is_inner(edge);
  });
}

// By component without a tick inside: the most ticks on a path that begins there.
using MostTicks = std::vector<std::uint32_t>;

std::uint32_t ticks_from(const Phase& phase, const MostTicks& most, const Edge& edge) {
  const bool counts = edge.is_tick && phase.counts(phase.graph.believers[edge.from]);
  return most[phase.component(edge.to)] + (counts ? 1 : 0);
}

MostTicks most_ticks(const Phase& phase) {
  MostTicks most(phase.components.count(), 0);
  for (State c = 0; c < phase.components.count(); ++c) {
    each_edge_out_of_component(phase, c, [&](const Edge& edge) {
      most[c] = std::max(most[c], ticks_from(phase, most, edge));
    });
  }
  return most;
}

// Breadth-first searches that remember where they came from. What one search found, a later one
// does not enter again.
class Router {
 public:
  explicit Router(const Phase& phase)
      : phase_(&phase),
        before_(phase.graph.states()),
        colours_(phase.graph.states(), index_of(phase.rows)) {}

  // The states of a shortest path from one of them, both ends included.
  std::vector<State> route(const std::vector<State>& sources, State to) {
    search(phase_->rows, sources);
    return traced(to);
  }

  // The same within one component, which has a path between any two states.
  std::vector<State> route_within(State from, State to) {
    if (from == to) return {to};
    const auto stays = [phase = phase_](const Rows::edge_descriptor& edge) {
      return phase->component(source(edge, phase->rows)) ==
             phase->component(target(edge, phase->rows));
    };
    search(boost::filtered_graph(phase_->rows, std::function<bool(Rows::edge_descriptor)>{stays}),
           {from});
    return traced(to);
  }

 private:
  template <class Graph>
  void search(const Graph& graph, const std::vector<State>& sources) {
    for (const State source : sources) before_[source] = source;
    const auto before = boost::make_iterator_property_map(before_.begin(), index_of(phase_->rows));
    boost::queue<State> waiting;
    boost::breadth_first_visit(
        graph, sources.begin(), sources.end(), waiting,
        boost::make_bfs_visitor(boost::record_predecessors(before, boost::on_tree_edge())),
        colours_);
  }

  std::vector<State> traced(State to) const {
    std::vector<State> path = {to};
    for (; before_[to] != to; to = before_[to]) path.push_back(before_[to]);
    std::reverse(path.begin(), path.end());
    return path;
  }

  using Index = decltype(index_of(std::declval<const Rows&>()));
  const Phase* phase_;
  std::vector<State> before_;
  boost::two_bit_color_map<Index> colours_;
};

bool opens_stretch(const Phase& phase, Condition opens, const Edge& edge) {
  return edge.is_tick && opens(phase.graph.believers[edge.from]);
}

// The states that the opening ticks lead to, ascending.
std::vector<State> opened_states(const Phase& phase, Condition opens) {
  std::vector<bool> is_opened(phase.graph.states(), false);
  each_edge(phase.graph, [&](const Edge& edge) {
    if (opens_stretch(phase, opens, edge)) is_opened[edge.to] = true;
  });
  std::vector<State> opened;
  for (State state = 0; state < phase.graph.states(); ++state) {
    if (is_opened[state]) opened.push_back(state);
  }
  return opened;
}

// A shortest path from an opening tick to `state`, which it does not include.
std::vector<State> path_towards(const Phase& phase, Condition opens, State state) {
  std::vector<State> path = Router{phase}.route(opened_states(phase, opens), state);
  const auto opening = first_edge(phase.graph, [&](const Edge& edge) {
    return opens_stretch(phase, opens, edge) && edge.to == path.front();
  });
  path.insert(path.begin(), opening.value().from);
  path.pop_back();
  return path;
}

bool has_kept_tick(const Phase& phase, State from, State to) {
  bool found = false;
  each_edge_of(phase.graph, from, [&](const Edge& edge) {
    found = found || (edge.is_tick && edge.to == to && phase.keeps(edge));
  });
  return found;
}

// A cycle that begins with this tick, behind a path to it where its own ticks do not open a
// stretch.
Stretch unbounded_stretch(const Phase& phase, Condition opens, const Edge& tick) {
  Stretch stretch;
  stretch.unbounded = true;
  if (!opens_stretch(phase, opens, tick)) stretch.states = path_towards(phase, opens, tick.from);
  stretch.cycle_begin = stretch.states.size();
  stretch.states.push_back(tick.from);
  const std::vector<State> back = Router{phase}.route_within(tick.to, tick.from);
  stretch.states.insert(stretch.states.end(), back.begin(), back.end());
  for (std::size_t i = stretch.cycle_begin; i + 1 < stretch.states.size(); ++i) {
    if (has_kept_tick(phase, stretch.states[i], stretch.states[i + 1])) ++stretch.ticks;
  }
  return stretch;
}

// An edge out of a component from which no more ticks can follow than after this one.
Edge best_way_out(const Phase& phase, const MostTicks& most, State component) {
  std::optional<Edge> best;
  each_edge_out_of_component(phase, component, [&](const Edge& edge) {
    if (!best && ticks_from(phase, most, edge) == most[component]) best = edge;
  });
  return best.value();
}

// The states of a path that begins with this edge and takes the most ticks.
std::vector<State> longest_path(const Phase& phase, const MostTicks& most, const Edge& begin) {
  std::vector<State> path = {begin.from};
  Router router{phase};
  State state = begin.to;
  while (most[phase.component(state)] > 0) {
    const Edge out = best_way_out(phase, most, phase.component(state));
    // More than the one state only on a cycle without a tick.
    const std::vector<State> within = router.route_within(state, out.from);
    path.insert(path.end(), within.begin(), within.end());
    state = out.to;
  }
  path.push_back(state);
  return path;
}

Stretch bounded_stretch(const Phase& phase, Condition opens) {
  const MostTicks most = most_ticks(phase);
  Stretch stretch;
  Edge begin;
  each_edge(phase.graph, [&](const Edge& edge) {
    if (!opens_stretch(phase, opens, edge)) return;
    const std::uint32_t ticks = ticks_from(phase, most, edge);
    if (ticks > stretch.ticks) begin = edge;
    stretch.ticks = std::max<std::uint64_t>(stretch.ticks, ticks);
  });
  if (stretch.ticks > 0) stretch.states = longest_path(phase, most, begin);
  return stretch;
}

// `opens` says which ticks a stretch begins with: for an overlap one that counts, for a gap the
// last one before it, which does not.
Stretch longest_stretch(const Phase& phase, Condition opens) {
  std::vector<bool> opened(phase.components.count(), false);
  each_edge(phase.graph, [&](const Edge& edge) {
    if (opens_stretch(phase, opens, edge)) opened[phase.component(edge.to)] = true;
  });
  const auto tick = first_recurring_tick(phase, reached_from(phase, std::move(opened)));
  return tick ? unbounded_stretch(phase, opens, *tick) : bounded_stretch(phase, opens);
}

std::optional<State> never_led_cycle(const Phase& leaderless) {
  std::vector<bool> start(leaderless.components.count(), false);
  start[leaderless.component(0)] = true;
  const auto tick = first_recurring_tick(leaderless, reached_from(leaderless, std::move(start)));
  return tick ? std::optional{tick->from} : std::nullopt;
}

std::optional<State> timeless_cycle(const StateGraph& graph) {
  const Phase instant = phase_of(graph, never);
  const auto event = first_edge(graph, [&](const Edge& edge) { return instant.is_inner(edge); });
  return event ? std::optional{event->from} : std::nullopt;
}

std::optional<State> dead_end(const StateGraph& graph) {
  for (State state = 0; state < graph.states(); ++state) {
    if (graph.first_step[state] == graph.first_step[state + 1]) return state;
  }
  return std::nullopt;
}

Stretch overlap(const StateGraph& graph) {
  // Most elections are safe, and then there is nothing to look for.
  if (std::none_of(graph.believers.begin(), graph.believers.end(), several)) return {};
  return longest_stretch(phase_of(graph, several), several);
}

// Ticks above, events below: compared and added as one number, and neither of a shortest path's
// counts reaches 2^32.
using Length = std::uint64_t;
constexpr Length one_event = 1;
constexpr Length one_tick = Length{1} << 32;
constexpr Length unreachable = std::numeric_limits<Length>::max();

std::vector<Length> lengths_from_start(const StateGraph& graph) {
  // All edges are there, so that an edge's number is its step's.
  const Rows rows = rows_of(graph, always);
  const auto weight = [&](const Rows::edge_descriptor& edge) {
    return graph.step(boost::get(boost::edge_index, rows, edge)).is_tick ? one_tick : one_event;
  };
  std::vector<Length> lengths(graph.states());
  boost::dijkstra_shortest_paths(
      rows, State{0},
      boost::weight_map(boost::make_function_property_map<Rows::edge_descriptor, Length>(weight))
          .distance_map(boost::make_iterator_property_map(lengths.begin(), index_of(rows)))
          .distance_inf(unreachable));
  return lengths;
}

}  // namespace

GraphAnswers answers_of(const StateGraph& graph) {
  GraphAnswers answers;
  if (graph.states() == 0) return answers;
  answers.dead_end = dead_end(graph);
  answers.timeless_cycle = timeless_cycle(graph);
  answers.overlap = overlap(graph);
  const Phase leaderless = phase_of(graph, nobody);
  answers.gap = longest_stretch(leaderless, somebody);
  answers.never_led_cycle = never_led_cycle(leaderless);
  return answers;
}

std::optional<Nearest> nearest_of(const StateGraph& graph, const std::vector<State>& goals) {
  if (graph.states() == 0) return std::nullopt;
  const std::vector<Length> lengths = lengths_from_start(graph);
  Length nearest = unreachable;
  for (const State goal : goals) nearest = std::min(nearest, lengths[goal]);
  if (nearest == unreachable) return std::nullopt;
  return Nearest{nearest / one_tick, nearest % one_tick};
}

}  // namespace tenure::explore
