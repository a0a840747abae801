#include <cstring>
#include <memory>

#include <doctest/doctest.h>

#include <tenure/explore/search.hpp>

#include "support/small_lease.hpp"

namespace tenure::explore {
namespace {

class SmallLease final : public Expander {
 public:
  explicit SmallLease(small_lease::Constants constants) : constants_(constants) {}

  void begin(const Take& take) override { give(small_lease::first_state(constants_), false, take); }

  void expand(std::string_view code, const Take& take) override {
    small_lease::State from;
    std::memcpy(&from, code.data(), sizeof from);
    const auto each = [&](const small_lease::State& to, bool is_tick) { give(to, is_tick, take); };
    small_lease::Steps{from, constants_, each}.all();
  }

  const Probes& probes() const override { return probes_; }

 private:
  static void give(const small_lease::State& state, bool is_tick, const Take& take) {
    const int leaders = small_lease::leaders_in(state);
    take({state.bytes(), is_tick, static_cast<std::uint8_t>(leaders > 2 ? 2 : leaders), nullptr});
  }

  small_lease::Constants constants_;
  Probes probes_;
};

Exploration search_of(small_lease::Constants constants, unsigned threads) {
  Options options;
  options.threads = threads;
  return search([&] { return std::make_unique<SmallLease>(constants); }, options);
}

bool is_same(const StateGraph& a, const StateGraph& b) {
  return a.believers == b.believers && a.first_step == b.first_step &&
         a.packed_steps == b.packed_steps;
}

}  // namespace

TEST_CASE("the search finds as many states of a small lease as Spin, and no two leaders") {
  const Exploration all = search_of(small_lease::quick, 1);
  CHECK(all.ended == Ended::complete);
  CHECK(all.progress.states == small_lease::quick_states);
  CHECK(all.found.empty());
}

TEST_CASE("a larger small lease has the states that Spin finds in it") {
  const Exploration all = search_of(small_lease::slow, 1);
  CHECK(all.ended == Ended::complete);
  CHECK(all.progress.states == small_lease::slow_states);
  CHECK(all.found.empty());
}

TEST_CASE("a second thread changes neither the states nor their order nor the graph") {
  const Exploration alone = search_of(small_lease::quick, 1);
  const Exploration together = search_of(small_lease::quick, 2);
  CHECK(together.fingerprints == alone.fingerprints);
  CHECK(together.came_from == alone.came_from);
  CHECK(is_same(together.graph, alone.graph));
}

TEST_CASE("a search that may not go on says how far it came") {
  Options options;
  options.limits.ticks = 5;
  const auto make = [] { return std::make_unique<SmallLease>(small_lease::quick); };
  const Exploration some = search(make, options);
  CHECK(some.ended == Ended::at_tick_limit);
  CHECK(some.progress.states > 0);
  CHECK(some.progress.states < small_lease::quick_states);
}

}  // namespace tenure::explore
