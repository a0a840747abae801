#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <tuple>

#include <doctest/doctest.h>

#include <tenure/base/oracle.hpp>
#include <tenure/explore/state_graph.hpp>

#include "graphs.hpp"

namespace tenure::explore {
namespace {

using States = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("a graph without states has no answers") {
  const GraphAnswers answers = answers_of({});
  CHECK(answers.gap.states.empty());
  CHECK(answers.overlap.states.empty());
  CHECK(answers.dead_end == std::nullopt);
  CHECK(nearest_of({}, {}) == std::nullopt);
}

TEST_CASE("a gap counts the ticks between the last belief and the next") {
  const StateGraph graph =
      graph_of({0, 1, 0, 0, 1}, {event(0, 1), tick(1, 2), tick(2, 3), tick(3, 4), tick(4, 4)});
  const Stretch gap = answers_of(graph).gap;
  CHECK(gap.ticks == 2);
  CHECK_FALSE(gap.unbounded);
  CHECK(gap.states == States{1, 2, 3, 4});
}

TEST_CASE("the time before the first leader is no gap") {
  const StateGraph graph =
      graph_of({0, 0, 0, 1}, {tick(0, 1), tick(1, 2), event(2, 3), tick(3, 3)});
  CHECK(answers_of(graph).gap.ticks == 0);
  CHECK(answers_of(graph).gap.states.empty());
}

TEST_CASE("a belief that no time passes under begins no gap and ends none") {
  // 1 believes for an instant only; then 2 leads, and 4 is such an instant inside of a gap.
  const StateGraph graph =
      graph_of({0, 1, 0, 1, 0, 1, 0, 1}, {event(0, 1), event(1, 2), tick(2, 3), tick(3, 4),
                                          tick(4, 5), event(5, 6), tick(6, 7), tick(7, 7)});
  const Stretch gap = answers_of(graph).gap;
  CHECK(gap.ticks == 2);
  CHECK(gap.states == States{3, 4, 5, 6, 7});
}

TEST_CASE("an overlap counts the ticks under which two believe, from the start of the run on") {
  const StateGraph graph = graph_of(
      {2, 1, 2, 2, 1}, {tick(0, 2), tick(1, 1), event(2, 1), event(2, 3), tick(3, 4), tick(4, 4)});
  const Stretch overlap = answers_of(graph).overlap;
  CHECK(overlap.ticks == 2);
  CHECK_FALSE(overlap.unbounded);
  CHECK(overlap.states == States{0, 2, 3, 4});
}

TEST_CASE("an overlap that no time passes under is none") {
  const StateGraph graph = graph_of({0, 2, 1}, {event(0, 1), event(1, 2), tick(2, 2)});
  CHECK(answers_of(graph).overlap.ticks == 0);
  CHECK(answers_of(graph).overlap.states.empty());
}

TEST_CASE("a cycle without a leader after somebody led makes the gap unbounded") {
  const StateGraph graph = graph_of(
      {0, 1, 0, 0, 0}, {event(0, 1), tick(1, 2), tick(2, 3), event(3, 4), tick(4, 3), event(4, 1)});
  const GraphAnswers answers = answers_of(graph);
  CHECK(answers.gap.unbounded);
  CHECK(answers.gap.ticks == 1);
  CHECK(answers.gap.states == States{1, 2, 3, 4, 3, 4});
  CHECK(answers.gap.cycle_begin == 3);
  CHECK(answers.never_led_cycle == std::nullopt);
}

TEST_CASE("a state that waits for ever is the shortest cycle") {
  const StateGraph graph = graph_of({1, 0}, {tick(0, 1), tick(1, 1)});
  CHECK(answers_of(graph).gap.unbounded);
  CHECK(answers_of(graph).gap.states == States{0, 1, 1});
  CHECK(answers_of(graph).gap.cycle_begin == 1);
}

TEST_CASE("a cycle on which somebody leads for a tick bounds the gap") {
  const StateGraph graph = graph_of({0, 1}, {tick(0, 1), tick(1, 0)});
  CHECK_FALSE(answers_of(graph).gap.unbounded);
  CHECK(answers_of(graph).gap.ticks == 1);
  CHECK(answers_of(graph).gap.states == States{1, 0, 1});
}

TEST_CASE("a cycle before the first leader is not a gap, and is told as what it is") {
  const StateGraph graph = graph_of({0, 0, 1}, {tick(0, 1), tick(1, 0), event(1, 2), tick(2, 2)});
  CHECK_FALSE(answers_of(graph).gap.unbounded);
  CHECK(answers_of(graph).gap.ticks == 0);
  CHECK(answers_of(graph).never_led_cycle == 0u);
}

TEST_CASE("a cycle under which two believe makes the overlap unbounded") {
  const StateGraph graph =
      graph_of({0, 2, 2, 1}, {event(0, 1), tick(1, 2), tick(2, 1), event(2, 3), tick(3, 3)});
  const Stretch overlap = answers_of(graph).overlap;
  CHECK(overlap.unbounded);
  CHECK(overlap.ticks == 2);
  CHECK(overlap.states == States{1, 2, 1});
  CHECK(overlap.cycle_begin == 0);
}

TEST_CASE("a state without steps is a dead end") {
  CHECK(answers_of(graph_of({0, 0}, {tick(0, 1)})).dead_end == 1u);
  CHECK(answers_of(graph_of({0, 0}, {tick(0, 1), tick(1, 0)})).dead_end == std::nullopt);
}

TEST_CASE("a cycle of events alone takes no time") {
  CHECK(answers_of(graph_of({0, 0, 0}, {tick(0, 1), event(1, 2), event(2, 1)})).timeless_cycle ==
        1u);
  CHECK(answers_of(graph_of({0, 0, 0}, {tick(0, 1), event(1, 2), tick(2, 1)})).timeless_cycle ==
        std::nullopt);
  CHECK(answers_of(graph_of({0}, {event(0, 0)})).timeless_cycle == 0u);
}

TEST_CASE("a timeless cycle inside a gap leaves its length bounded") {
  const StateGraph graph = graph_of(
      {1, 0, 0, 0, 0, 1},
      {tick(0, 1), event(1, 2), event(2, 3), event(3, 1), tick(3, 4), tick(4, 5), tick(5, 5)});
  const Stretch gap = answers_of(graph).gap;
  CHECK_FALSE(gap.unbounded);
  CHECK(gap.ticks == 2);
  CHECK(gap.states == States{0, 1, 2, 3, 4, 5});
}

TEST_CASE("the nearest goal has the fewest ticks, and among those the fewest events") {
  const StateGraph graph = graph_of({0, 0, 0, 0, 0}, {tick(0, 4), event(0, 1), event(1, 2),
                                                      event(2, 3), event(1, 3), tick(3, 3)});
  CHECK(nearest_of(graph, {0}) == Nearest{0, 0});
  CHECK(nearest_of(graph, {4}) == Nearest{1, 0});
  CHECK(nearest_of(graph, {3, 4}) == Nearest{0, 2});
  CHECK(nearest_of(graph, {}) == std::nullopt);
}

TEST_CASE("a state that nothing leads to is no goal that can be reached") {
  CHECK(nearest_of(graph_of({0, 0}, {tick(0, 0), tick(1, 0)}), {1}) == std::nullopt);
}

namespace {

// The same questions, asked a second way: a monitor walks along with the run and counts. Its
// counter stops at a number that only a cycle can reach.
struct Monitor {
  std::uint32_t state = 0;
  bool led = false;
  std::uint64_t gap = 0;
  std::uint64_t overlap = 0;

  friend auto operator<=>(const Monitor&, const Monitor&) = default;
};

std::uint64_t only_with_a_cycle(const StateGraph& graph) {
  return graph.states() + std::uint64_t{1};
}

Monitor after(const StateGraph& graph, Monitor monitor, StateGraph::Step step) {
  const std::uint8_t believers = graph.believers[monitor.state];
  monitor.state = step.to;
  if (!step.is_tick) return monitor;
  const std::uint64_t most = only_with_a_cycle(graph);
  monitor.gap = believers == 0 && monitor.led ? std::min(monitor.gap + 1, most) : 0;
  monitor.overlap = believers >= 2 ? std::min(monitor.overlap + 1, most) : 0;
  monitor.led = monitor.led || believers > 0;
  return monitor;
}

template <class Node, class Follow>
std::set<Node> all_reached(Node start, Follow follow) {
  std::set<Node> seen = {start};
  std::vector<Node> waiting = {start};
  while (!waiting.empty()) {
    const Node node = waiting.back();
    waiting.pop_back();
    follow(node, [&](const Node& next) {
      if (seen.insert(next).second) waiting.push_back(next);
    });
  }
  return seen;
}

template <class Visit>
void each_step(const StateGraph& graph, std::uint32_t state, Visit visit) {
  for (auto i = graph.first_step[state]; i < graph.first_step[state + 1]; ++i) visit(graph.step(i));
}

std::set<Monitor> all_monitored(const StateGraph& graph) {
  return all_reached(Monitor{}, [&](const Monitor& monitor, auto reach) {
    each_step(graph, monitor.state, [&](auto step) { reach(after(graph, monitor, step)); });
  });
}

// What can be reached from `state` by steps that are allowed, at least one of them.
template <class Allowed>
std::set<std::uint32_t> reached_by_steps(const StateGraph& graph,
                                         std::uint32_t state,
                                         Allowed is_allowed) {
  std::set<std::uint32_t> found;
  const auto follow = [&](std::uint32_t from, auto reach) {
    each_step(graph, from, [&](auto step) {
      if (!is_allowed(from, step)) return;
      found.insert(step.to);
      reach(step.to);
    });
  };
  all_reached(state, follow);
  return found;
}

bool is_leaderless(const StateGraph& graph, std::uint32_t from, StateGraph::Step step) {
  return !step.is_tick || graph.believers[from] == 0;
}

// Whether a tick of `state` can come round without anybody believing while time passes.
bool can_wait_for_ever(const StateGraph& graph, std::uint32_t state) {
  bool found = false;
  const auto allowed = [&](auto from, auto step) { return is_leaderless(graph, from, step); };
  each_step(graph, state, [&](auto step) {
    if (!step.is_tick || graph.believers[state] > 0) return;
    found = found || step.to == state || reached_by_steps(graph, step.to, allowed).count(state) > 0;
  });
  return found;
}

std::optional<std::uint32_t> first_never_led(const StateGraph& graph) {
  const auto allowed = [&](auto from, auto step) { return is_leaderless(graph, from, step); };
  std::set<std::uint32_t> reached = reached_by_steps(graph, 0, allowed);
  reached.insert(0);
  for (const std::uint32_t state : reached) {
    if (can_wait_for_ever(graph, state)) return state;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> first_timeless(const StateGraph& graph) {
  const auto allowed = [](auto, auto step) { return !step.is_tick; };
  for (std::uint32_t state = 0; state < graph.states(); ++state) {
    if (reached_by_steps(graph, state, allowed).count(state) > 0) return state;
  }
  return std::nullopt;
}

// Rounds over all steps until nothing gets nearer.
std::optional<Nearest> nearest_by_rounds(const StateGraph& graph, std::uint32_t goal) {
  std::vector<std::optional<Nearest>> nearest(graph.states());
  nearest[0] = Nearest{};
  for (std::uint32_t round = 0; round < graph.states(); ++round) {
    for (std::uint32_t from = 0; from < graph.states(); ++from) {
      each_step(graph, from, [&](auto step) {
        if (!nearest[from]) return;
        const Nearest next = {nearest[from]->ticks + (step.is_tick ? 1 : 0),
                              nearest[from]->events + (step.is_tick ? 0 : 1)};
        if (!nearest[step.to] || next < *nearest[step.to]) nearest[step.to] = next;
      });
    }
  }
  return nearest[goal];
}

// A small graph in which every state can be reached, chosen by the oracle.
class RandomGraphs {
 public:
  StateGraph next() {
    const std::uint32_t states = 1 + pick(7);
    std::vector<std::uint8_t> believers(states);
    for (std::uint8_t& b : believers) b = std::array<std::uint8_t, 5>{0, 0, 1, 2, 2}[pick(4)];
    std::vector<Arrow> arrows;
    for (std::uint32_t to = 1; to < states; ++to) arrows.push_back({pick(to - 1), kind(), to});
    for (std::uint32_t more = pick(states + 2); more > 0; --more)
      arrows.push_back({pick(states - 1), kind(), pick(states - 1)});
    return graph_of(believers, arrows);
  }

 private:
  std::uint32_t pick(std::uint32_t most) {
    return static_cast<std::uint32_t>(oracle_.pick({stream_, number_++}, most));
  }
  Kind kind() { return pick(2) == 0 ? Kind::event : Kind::tick; }

  SeededOracle oracle_{7, 0};
  Stream stream_ = stream_named("graphs");
  std::uint64_t number_ = 0;
};

// The count of one condition along a path; nothing where it is not a path of the graph, or where
// the count is broken off after it had begun. Of an event and a tick between the same two states
// the path means the tick.
std::optional<std::uint64_t> count_along(const StateGraph& graph,
                                         const States& path,
                                         bool (*counts)(std::uint8_t)) {
  std::uint64_t ticks = 0;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    bool has_event = false;
    bool has_tick = false;
    each_step(graph, path[i], [&](auto step) {
      if (step.to == path[i + 1]) (step.is_tick ? has_tick : has_event) = true;
    });
    const bool is_counted = counts(graph.believers[path[i]]);
    if (!has_event && (!has_tick || !is_counted)) return std::nullopt;
    if (has_tick && is_counted) ++ticks;
  }
  return ticks;
}

bool nobody(std::uint8_t believers) {
  return believers == 0;
}

bool several(std::uint8_t believers) {
  return believers >= 2;
}

bool has_tick_between(const StateGraph& graph, std::uint32_t from, std::uint32_t to) {
  bool found = false;
  each_step(graph, from, [&](auto step) { found = found || (step.is_tick && step.to == to); });
  return found;
}

void check_cycle(const StateGraph& graph, const Stretch& stretch, bool (*counts)(std::uint8_t)) {
  const auto begin = stretch.states.begin() + static_cast<std::ptrdiff_t>(stretch.cycle_begin);
  REQUIRE(stretch.states.end() - begin >= 2);
  CHECK(*begin == stretch.states.back());
  CHECK(count_along(graph, States(begin, stretch.states.end()), counts) == stretch.ticks);
  CHECK(stretch.ticks > 0);
}

// The last belief before the gap, and then the gap.
void check_gap_path(const StateGraph& graph, const Stretch& gap) {
  REQUIRE(gap.states.size() >= 2);
  CHECK(graph.believers[gap.states[0]] > 0);
  CHECK(has_tick_between(graph, gap.states[0], gap.states[1]));
  const auto ticks = count_along(graph, States(gap.states.begin() + 1, gap.states.end()), nobody);
  REQUIRE(ticks.has_value());
  if (!gap.unbounded) CHECK(*ticks == gap.ticks);
}

void check_overlap_path(const StateGraph& graph, const Stretch& overlap) {
  REQUIRE(overlap.states.size() >= 2);
  CHECK(graph.believers[overlap.states[0]] == 2);
  CHECK(has_tick_between(graph, overlap.states[0], overlap.states[1]));
  CHECK(count_along(graph, overlap.states, several) == overlap.ticks);
}

}  // namespace

TEST_CASE("on small graphs the longest stretches are what a monitor of every run counts") {
  RandomGraphs graphs;
  int unbounded = 0;
  int bounded = 0;
  for (int i = 0; i < 8000; ++i) {
    CAPTURE(i);
    const StateGraph graph = graphs.next();
    std::uint64_t gap = 0;
    std::uint64_t overlap = 0;
    for (const Monitor& monitor : all_monitored(graph)) {
      gap = std::max(gap, monitor.gap);
      overlap = std::max(overlap, monitor.overlap);
    }
    const GraphAnswers answers = answers_of(graph);
    REQUIRE(answers.gap.unbounded == (gap == only_with_a_cycle(graph)));
    REQUIRE(answers.overlap.unbounded == (overlap == only_with_a_cycle(graph)));
    if (!answers.gap.unbounded) REQUIRE(answers.gap.ticks == gap);
    if (!answers.overlap.unbounded) REQUIRE(answers.overlap.ticks == overlap);
    if (answers.gap.unbounded) check_cycle(graph, answers.gap, nobody);
    if (answers.overlap.unbounded) check_cycle(graph, answers.overlap, several);
    if (answers.gap.ticks > 0) check_gap_path(graph, answers.gap);
    if (answers.overlap.ticks > 0) check_overlap_path(graph, answers.overlap);
    unbounded += answers.gap.unbounded ? 1 : 0;
    bounded += answers.gap.ticks > 1 && !answers.gap.unbounded ? 1 : 0;
  }
  // Both kinds were among them.
  CHECK(unbounded > 200);
  CHECK(bounded > 200);
}

TEST_CASE("on small graphs cycles are found where following every step finds them") {
  RandomGraphs graphs;
  for (int i = 0; i < 8000; ++i) {
    CAPTURE(i);
    const StateGraph graph = graphs.next();
    const GraphAnswers answers = answers_of(graph);
    REQUIRE(answers.never_led_cycle == first_never_led(graph));
    REQUIRE(answers.timeless_cycle == first_timeless(graph));
  }
}

TEST_CASE("on small graphs the nearest goal is as near as rounds over all steps find it") {
  RandomGraphs graphs;
  for (int i = 0; i < 4000; ++i) {
    CAPTURE(i);
    const StateGraph graph = graphs.next();
    for (std::uint32_t goal = 0; goal < graph.states(); ++goal)
      REQUIRE(nearest_of(graph, {goal}) == nearest_by_rounds(graph, goal));
  }
}

TEST_CASE("a chain of two million states is no deeper than a short one") {
  const std::uint32_t states = 2'000'000;
  StateGraph graph;
  graph.believers.assign(states, 0);
  graph.believers.front() = 1;
  for (std::uint32_t state = 0; state < states; ++state) {
    graph.first_step.push_back(state);
    graph.packed_steps.push_back(2 * (state + 1) + 1);
  }
  graph.first_step.push_back(states);
  graph.packed_steps.back() = 2 * 0 + 1;
  const Stretch gap = answers_of(graph).gap;
  CHECK(gap.ticks == states - 1);
  CHECK(gap.states.size() == states + std::size_t{1});
  CHECK(nearest_of(graph, {states - 1}) == Nearest{states - 1, 0});
}

}  // namespace tenure::explore
