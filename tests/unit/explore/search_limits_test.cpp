#include <algorithm>
#include <atomic>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/explore/search.hpp>

namespace tenure::explore {
namespace {

// Lamps that are switched on one by one, in any order, and never off; each pass of time is an hour
// up to the last. All lamps burning is a violation.
struct Lamps {
  std::uint8_t lamps = 3;
  std::uint8_t hours = 1;
};

class LampExpander final : public Expander {
 public:
  explicit LampExpander(Lamps lamps) : lamps_(lamps) {}

  void begin(const Take& take) override { give(0, 0, false, take); }
  void expand(std::string_view code, const Take& take) override {
    const auto hour = static_cast<std::uint8_t>(code[0]);
    const auto burning = static_cast<std::uint8_t>(code[1]);
    for (std::uint8_t lamp = 0; lamp < lamps_.lamps; ++lamp) {
      const auto bit = static_cast<std::uint8_t>(1U << lamp);
      if ((burning & bit) == 0) give(hour, burning | bit, false, take);
    }
    give(std::min<int>(hour + 1, lamps_.hours), burning, true, take);
  }
  const Probes& probes() const override { return probes_; }

 private:
  void give(int hour, int burning, bool is_tick, const Take& take) {
    code_ = {static_cast<char>(hour), static_cast<char>(burning)};
    const bool is_full = burning == (1 << lamps_.lamps) - 1 && !is_tick;
    take({code_, is_tick, 0, is_full ? &full_ : nullptr});
  }

  Lamps lamps_;
  Code code_;
  Probes probes_;
  std::vector<check::PropertyId> full_ = {check::PropertyId::S1};
};

// A first state with a thousand successors, which have none; memory may end at one of these.
class FanExpander final : public Expander {
 public:
  explicit FanExpander(bool runs_out) : runs_out_(runs_out) {}

  void begin(const Take& take) override { take({"first", false, 0, nullptr}); }
  void expand(std::string_view code, const Take& take) override {
    if (code != "first") {
      if (runs_out_) throw std::bad_alloc{};
      return;
    }
    for (int i = 0; i < 1000; ++i) take({std::to_string(i), false, 0, nullptr});
  }
  const Probes& probes() const override { return probes_; }

 private:
  bool runs_out_;
  Probes probes_;
};

Exploration search_lamps(Lamps lamps, const Options& options = {}) {
  return search([=] { return std::make_unique<LampExpander>(lamps); }, options);
}

}  // namespace

TEST_CASE("every state is found once, and every step is counted") {
  const Exploration all = search_lamps({3, 2});
  CHECK(all.ended == Ended::complete);
  CHECK(all.progress.states == 3 * 8);
  CHECK(all.progress.transitions == 1 + 3 * (12 + 8));  // the first leads into the run
  CHECK(all.graph.states() == all.progress.states + 1);
  CHECK(all.collision_probability < 1e-16);
}

TEST_CASE("what is found is the earliest, and has the fewest events") {
  const Exploration all = search_lamps({4, 3});
  REQUIRE(all.found.size() == 1);
  const Found& found = all.found.front();
  CHECK(found.tick == 0);
  CHECK(found.events == 1 + 4);  // the first leads into the run
  CHECK(all.path_to(found.state).size() == found.events + 1);
  CHECK(nearest_of(all.graph, {found.state}) == Nearest{found.tick, found.events});
}

TEST_CASE("a search that is told to stops at the violation, and has no graph") {
  Options options;
  options.stops_at_violation = true;
  const Exploration all = search_lamps({3, 2}, options);
  CHECK(all.ended == Ended::at_violation);
  CHECK(all.found.size() == 1);
  CHECK(all.graph.states() == 0);
}

TEST_CASE("a search ends at its limits") {
  Options ticks;
  ticks.limits.ticks = 1;
  const Exploration two_instants = search_lamps({3, 5}, ticks);
  CHECK(two_instants.ended == Ended::at_tick_limit);
  CHECK(two_instants.progress.states == 3 * 8);  // those of hour 2 are known, but not expanded

  Options states;
  states.limits.states = 10;
  CHECK(search_lamps({6, 5}, states).ended == Ended::at_state_limit);

  Options memory;
  memory.limits.memory = 1;
  CHECK(search_lamps({6, 5}, memory).ended == Ended::at_memory_limit);

  const std::atomic<bool> stop = true;
  Options interrupted;
  interrupted.stop = &stop;
  CHECK(search_lamps({6, 5}, interrupted).ended == Ended::interrupted);
}

TEST_CASE("who searches is told when a thread of the search runs out of memory") {
  const auto exploration = [](unsigned threads, unsigned exhausted) {
    Options options;
    options.threads = threads;
    const auto make = [&, made = 0U]() mutable {
      return std::make_unique<FanExpander>(made++ == exhausted);
    };
    return search(make, options).progress.states;
  };
  CHECK(exploration(2, 2) == 1001);  // the third, that is nobody
  CHECK_THROWS_AS(exploration(1, 0), std::bad_alloc);
  CHECK_THROWS_AS(exploration(2, 0), std::bad_alloc);
  CHECK_THROWS_AS(exploration(2, 1), std::bad_alloc);
}

}  // namespace tenure::explore
