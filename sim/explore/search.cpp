#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <tenure/explore/search.hpp>
#include <tenure/run/threads.hpp>

#include "visited.hpp"

namespace tenure::explore {
namespace {

constexpr std::uint32_t root = 0;

// Steps are counted in 32 bits, with room for what one slab adds.
constexpr std::uint64_t most_steps = std::uint64_t{4'000'000'000};

// States that wait for their expansion, with their codes.
struct Waiting {
  struct Item {
    std::uint32_t state = 0;
    std::uint32_t events = 0;  // on the way there
    std::size_t begin = 0;
    std::size_t size = 0;
  };

  std::vector<Item> items;
  std::string codes;

  void push(std::uint32_t state, std::uint32_t events, std::string_view code) {
    items.push_back({state, events, codes.size(), code.size()});
    codes += code;
  }
  std::string_view code(const Item& item) const {
    return std::string_view{codes}.substr(item.begin, item.size);
  }
  bool empty() const { return items.empty(); }
  void clear() { items.clear(), codes.clear(); }
  std::size_t memory() const { return items.capacity() * sizeof(Item) + codes.capacity(); }
};

// What a thread brings home from a row of states, in order; merged by one thread, so that the
// number of threads changes nothing.
struct Harvest {
  struct Step {
    std::uint64_t fingerprint = 0;
    std::uint32_t known = 0;  // the state, when it was known already
    std::uint32_t code_size = 0;
    std::uint8_t believers = 0;
    bool is_known = false;
    bool is_tick = false;
  };
  struct Violation {
    std::size_t step = 0;
    check::PropertyId property = check::PropertyId::B1;
  };

  std::vector<Step> steps;
  std::vector<std::uint32_t> ends;    // by state of the row: the end of its steps
  std::vector<Violation> violations;  // in the order of their steps
  std::string codes;                  // of those that were not known
  std::size_t looked_up = 0;          // so many of the steps
  std::string waiting;                // codes of the steps after those

  std::uint64_t size() const { return steps.size() * sizeof(Step) + codes.size(); }
  void clear() {
    steps.clear(), ends.clear(), violations.clear(), codes.clear();
    looked_up = 0;
  }
};

class Search {
 public:
  Search(const MakeExpander& make, const Options& options) : options_(options) {
    for (unsigned i = 0; i < std::max(1U, options.threads); ++i) expanders_.push_back(make());
    harvests_.resize(expanders_.size());
  }

  Exploration run() {
    begin();
    while (result_.ended == Ended::complete && !next_.empty()) {
      std::swap(present_, next_);
      next_.clear();
      if (options_.limits.ticks && tick_ > *options_.limits.ticks) {
        result_.ended = Ended::at_tick_limit;
        break;
      }
      instant();
      if (result_.ended == Ended::complete) ++tick_;
    }
    finish();
    return std::move(result_);
  }

 private:
  // ---- one instant

  void begin() {
    visited_.add(0, root, 0);
    Harvest& harvest = harvests_.front();
    harvest.clear();
    expanders_.front()->begin(taker(harvest));
    look_up(harvest, harvest.steps.size());
    harvest.ends.push_back(static_cast<std::uint32_t>(harvest.steps.size()));
    Waiting before;
    before.push(root, 0, "");
    merge(before, 0, harvest, next_);
  }

  // All states of an instant, those with fewer events before them first: the ones that time brought
  // here and the ones that events of this instant make of them, merged by that number.
  void instant() {
    std::size_t arrived = 0;
    Waiting now;
    Waiting after;
    while (result_.ended == Ended::complete && (arrived < present_.items.size() || !now.empty())) {
      const std::uint32_t events = fewest(arrived, now);
      while (arrived < present_.items.size() && present_.items[arrived].events == events) {
        const Waiting::Item& item = present_.items[arrived++];
        now.push(item.state, item.events, present_.code(item));
      }
      after.clear();
      expand(now, after);
      std::swap(now, after);
    }
  }

  std::uint32_t fewest(std::size_t arrived, const Waiting& now) const {
    if (arrived == present_.items.size()) return now.items.front().events;
    if (now.empty()) return present_.items[arrived].events;
    return std::min(present_.items[arrived].events, now.items.front().events);
  }

  // Slabs bound what is brought home at once; rows share a slab among the threads.
  void expand(const Waiting& states, Waiting& after) {
    constexpr std::size_t slab = 1 << 12;
    for (std::size_t begin = 0; begin < states.items.size(); begin += slab) {
      const std::size_t end = std::min(states.items.size(), begin + slab);
      make_steps(states, begin, end);
      if (is_stopped()) {
        // The rows may be incomplete.
        result_.ended = Ended::interrupted;
        return;
      }
      std::size_t row = begin;
      for (Harvest& harvest : harvests_) {
        merge(states, row, harvest, after);
        row += harvest.ends.size();
        if (result_.ended != Ended::complete) return;
      }
      report(after);
      look_at_limits(after);
      if (result_.ended != Ended::complete) return;
    }
  }

  void make_steps(const Waiting& states, std::size_t begin, std::size_t end) {
    constexpr std::size_t worth_a_thread = 256;
    const std::size_t most = std::max<std::size_t>(1, (end - begin) / worth_a_thread);
    const std::size_t threads = std::min(expanders_.size(), most);
    const std::size_t share = (end - begin + threads - 1) / threads;
    for (Harvest& harvest : harvests_) harvest.clear();
    std::vector<std::exception_ptr> failures(threads);
    const auto make = [&](std::size_t from, std::size_t to, std::size_t thread) {
      try {
        make_row(states, from, to, thread);
      } catch (...) {
        failures[thread] = std::current_exception();  // no memory
      }
    };
    {
      run::Helpers helpers;
      for (std::size_t t = 1; t < threads; ++t) {
        const auto row = [&make, t, from = begin + t * share,
                          to = std::min(end, begin + (t + 1) * share)] { make(from, to, t); };
        if (!helpers.start(row)) row();
      }
      make(begin, std::min(end, begin + share), 0);
    }
    for (const std::exception_ptr& failure : failures) {
      if (failure) std::rethrow_exception(failure);
    }
    std::uint64_t brought_home = 0;
    for (const Harvest& harvest : harvests_) brought_home += harvest.size();
    brought_home_ = std::max(brought_home_, brought_home);
  }

  void make_row(const Waiting& states, std::size_t from, std::size_t to, std::size_t thread) {
    Harvest& harvest = harvests_[thread];
    const Expander::Take take = taker(harvest);
    for (std::size_t i = from; i < to && !is_stopped(); ++i) {
      const std::size_t before = harvest.steps.size();
      expanders_[thread]->expand(states.code(states.items[i]), take);
      harvest.ends.push_back(static_cast<std::uint32_t>(harvest.steps.size()));
      look_up(harvest, before);
    }
    look_up(harvest, harvest.steps.size());
  }

  // Nobody adds states while rows are made, so they may be looked up; those of one state while the
  // next is expanded, because the table is large and its memory far away.
  Expander::Take taker(Harvest& harvest) {
    return [this, &harvest](const Successor& successor) {
      Harvest::Step& step = harvest.steps.emplace_back();
      step.fingerprint = fingerprint_of(successor.code);
      step.is_tick = successor.is_tick;
      step.believers = successor.believers;
      if (successor.violated != nullptr) {
        for (const check::PropertyId property : *successor.violated) {
          harvest.violations.push_back({harvest.steps.size() - 1, property});
        }
      }
      step.code_size = static_cast<std::uint32_t>(successor.code.size());
      harvest.waiting += successor.code;
      visited_.prefetch(step.fingerprint);
    };
  }

  // The steps before `end`.
  void look_up(Harvest& harvest, std::size_t end) const {
    std::size_t code = 0;
    for (; harvest.looked_up < end; ++harvest.looked_up) {
      Harvest::Step& step = harvest.steps[harvest.looked_up];
      if (const auto known = visited_.find(step.fingerprint)) {
        step.known = *known;
        step.is_known = true;
      } else {
        harvest.codes.append(harvest.waiting, code, step.code_size);
      }
      code += step.code_size;
    }
    harvest.waiting.erase(0, code);
  }

  // ---- merging

  void merge(const Waiting& states, std::size_t row, const Harvest& harvest, Waiting& after) {
    std::size_t step = 0;
    std::size_t code = 0;
    auto violation = harvest.violations.begin();
    for (const std::uint32_t end : harvest.ends) {
      const Waiting::Item& from = states.items[row++];
      row_states_.push_back(from.state);
      row_begins_.push_back(static_cast<std::uint32_t>(steps_.size()));
      bool passes_time = false;
      for (; step < end; ++step) {
        const Harvest::Step& taken = harvest.steps[step];
        const std::string_view own =
            taken.is_known ? std::string_view{}
                           : std::string_view{harvest.codes}.substr(code, taken.code_size);
        code += own.size();
        passes_time = passes_time || taken.is_tick;
        const std::uint32_t to = merge(from, taken, own, after);
        for (; violation != harvest.violations.end() && violation->step == step; ++violation) {
          found(violation->property, to, events_after(from, taken));
        }
      }
      if (passes_time && visited_.believers(from.state) >= 2) {
        found(check::PropertyId::B1, from.state, from.events);
      }
      // Rows behind it belong to one thread or another.
      if (result_.ended != Ended::complete) return;
    }
  }

  static std::uint32_t events_after(const Waiting::Item& from, const Harvest::Step& step) {
    return from.events + (step.is_tick ? 0 : 1);
  }

  // The state that the step leads to.
  std::uint32_t merge(const Waiting::Item& from,
                      const Harvest::Step& step,
                      std::string_view code,
                      Waiting& after) {
    std::uint32_t to = step.known;
    if (!step.is_known) {
      const auto added = visited_.add(step.fingerprint, from.state, step.believers);
      to = added.state;
      if (added.is_new) (step.is_tick ? next_ : after).push(to, events_after(from, step), code);
    }
    steps_.push_back(to << 1 | (step.is_tick ? 1U : 0U));
    return to;
  }

  void found(check::PropertyId property, std::uint32_t state, std::uint64_t events) {
    if (!options_.judged.contains(property)) return;
    const auto known = std::find_if(result_.found.begin(), result_.found.end(),
                                    [&](const Found& f) { return f.property == property; });
    if (known == result_.found.end()) result_.found.push_back({property, state, tick_, events});
    if (options_.stops_at_violation) result_.ended = Ended::at_violation;
  }

  // ---- limits

  // What was brought home at most is counted by its size, with as much again to spare: the
  // capacities depend on how many threads shared it, and where a search ends must not.
  std::uint64_t memory(const Waiting& after) const {
    const std::uint64_t all = visited_.memory() + steps_.memory() + row_states_.memory() +
                              row_begins_.memory() + present_.memory() + next_.memory() +
                              after.memory();
    return all + brought_home_ * 2;
  }

  // Fingerprints and ways back; the graph in rows.
  std::uint64_t memory_of_result() const {
    constexpr std::uint64_t bytes_per_state = 8 + 4 + 1 + 8;
    return visited_.size() * bytes_per_state + steps_.size() * sizeof(std::uint32_t);
  }

  bool is_stopped() const {
    return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
  }

  void look_at_limits(const Waiting& after) {
    if (result_.ended != Ended::complete) return;
    // The table of visited states doubles before it is full; at the end there is the result too.
    const std::uint64_t needed =
        memory(after) + std::max<std::uint64_t>(visited_.memory() / 2, memory_of_result());
    if (visited_.size() > options_.limits.states || steps_.size() > most_steps) {
      result_.ended = Ended::at_state_limit;
    } else if (needed > options_.limits.memory) {
      result_.ended = Ended::at_memory_limit;
    }
  }

  void report(const Waiting& after) {
    Progress& progress = result_.progress;
    progress.states = visited_.size() - 1;
    progress.transitions = steps_.size();
    progress.frontier = next_.items.size() + after.items.size();
    progress.tick = tick_;
    progress.memory = std::max<std::uint64_t>(progress.memory, memory(after));
    if (options_.progress) options_.progress(progress);
  }

  // ---- the end

  void finish() {
    report({});
    for (const auto& expander : expanders_) result_.probes.add(expander->probes());
    result_.visited_memory = visited_.memory();
    const auto states = static_cast<double>(visited_.size());
    result_.collision_probability = states * states / 0x1p65;
    result_.progress.memory =
        std::max<std::uint64_t>(result_.progress.memory, memory({}) + memory_of_result());
    result_.fingerprints.reserve(visited_.size());
    result_.came_from.reserve(visited_.size());
    for (std::uint32_t state = 0; state < visited_.size(); ++state) {
      result_.fingerprints.push_back(visited_.fingerprint(state));
      result_.came_from.push_back(visited_.came_from(state));
    }
    if (result_.ended == Ended::complete) put_in_rows();
  }

  // States are expanded in another order than they are met.
  void put_in_rows() {
    StateGraph& graph = result_.graph;
    const std::uint32_t states = visited_.size();
    graph.believers.resize(states);
    for (std::uint32_t state = 0; state < states; ++state) {
      graph.believers[state] = visited_.believers(state);
    }
    graph.first_step.assign(states + 1, 0);
    for (std::size_t row = 0; row < row_states_.size(); ++row) {
      graph.first_step[row_states_[row] + 1] = row_end(row) - row_begins_[row];
    }
    for (std::uint32_t state = 0; state < states; ++state) {
      graph.first_step[state + 1] += graph.first_step[state];
    }
    graph.packed_steps.resize(steps_.size());
    for (std::size_t row = 0; row < row_states_.size(); ++row) {
      std::uint64_t to = graph.first_step[row_states_[row]];
      for (std::size_t from = row_begins_[row]; from < row_end(row); ++from) {
        graph.packed_steps[to++] = steps_[from];
      }
    }
  }

  std::size_t row_end(std::size_t row) const {
    return row + 1 == row_begins_.size() ? steps_.size() : row_begins_[row + 1];
  }

  Options options_;
  std::vector<std::unique_ptr<Expander>> expanders_;
  std::vector<Harvest> harvests_;
  Visited visited_;
  Waiting present_;                   // states that the passing of time brings to this instant
  Waiting next_;                      // and to the next
  std::uint64_t tick_ = 0;            // the instants before it are searched to their ends
  std::uint64_t brought_home_ = 0;    // bytes, by all threads for one slab, at most
  Column<std::uint32_t> steps_;       // packed, row after row
  Column<std::uint32_t> row_states_;  // in the order of expansion
  Column<std::uint32_t> row_begins_;
  Exploration result_;
};

}  // namespace

Exploration search(const MakeExpander& make, const Options& options) {
  return Search{make, options}.run();
}

std::vector<std::uint32_t> Exploration::path_to(std::uint32_t state) const {
  std::vector<std::uint32_t> path;
  for (; state != root; state = came_from[state]) path.push_back(state);
  path.push_back(root);
  std::reverse(path.begin(), path.end());
  return path;
}

void Probes::add(const Probes& other) {
  takeovers += other.takeovers;
  conflicts += other.conflicts;
  step_downs += other.step_downs;
  faults.resize(std::max(faults.size(), other.faults.size()));
  for (std::size_t i = 0; i < other.faults.size(); ++i) faults[i] += other.faults[i];
}

}  // namespace tenure::explore
