#include <doctest/doctest.h>

#include <tenure/explore/search.hpp>
#include <tenure/explore/successors.hpp>

#include "support/small_elections.hpp"

namespace tenure::explore {
namespace {

using namespace std::chrono_literals;
using test::client_go;
using test::naive_loop;
using test::SmallElection;

// Goes through all states of a model, and counts those that come out of their code as others.
class EveryState final : public Expander {
 public:
  EveryState(std::shared_ptr<const world::Setup> setup, Symmetry symmetry, std::uint64_t& changed)
      : codec_(setup, symmetry), successors_(setup, Orders::all), changed_(changed) {}

  void begin(const Take& take) override { successors_.begin(taker(take)); }
  void expand(std::string_view code, const Take& take) override {
    codec_.decode(code, successors_.from());
    successors_.make(taker(take));
  }
  const Probes& probes() const override { return probes_; }

 private:
  Successors::Take taker(const Take& take) {
    return [this, &take](const State& after, bool is_tick, const Noticed&) {
      const Code code = code_of(after);
      State read;
      codec_.decode(code, read);
      if (code_of(read) != code) ++changed_;
      take({code, is_tick, 0, nullptr});
    };
  }

  Code code_of(const State& state) {
    Code code;
    codec_.encode(state, code);
    return code;
  }

  StateCodec codec_;
  Successors successors_;
  std::uint64_t& changed_;
  Probes probes_;
};

struct Checked {
  std::uint64_t states = 0;
  std::uint64_t changed = 0;
};

Checked decode_every_state(const SmallElection& election, Symmetry symmetry) {
  const auto setup = election.model().setup;
  Checked checked;
  const Exploration all = search(
      [&] { return std::make_unique<EveryState>(setup, symmetry, checked.changed); }, Options{});
  REQUIRE(all.ended == Ended::complete);
  checked.states = all.progress.states;
  return checked;
}

void check_every_state(const SmallElection& election) {
  for (const Symmetry symmetry : {Symmetry::off, Symmetry::on}) {
    const Checked checked = decode_every_state(election, symmetry);
    CHECK(checked.states > 80);
    CHECK(checked.changed == 0);
  }
}

}  // namespace

TEST_CASE("a state that is read from its code has that code: client-go") {
  check_every_state(client_go(3, 2, 1));
  check_every_state(client_go(3, 2, 1).losing_at_most(1));
  check_every_state(client_go(3, 2, 1).fast_path().losing_at_most(1));
  check_every_state(
      client_go(3, 2, 1).latency(Distribution::constant(0s), Distribution::constant(1s)));
}

TEST_CASE("a state that is read from its code has that code: faults of processes") {
  using Identity = scenario::Restart::Identity;
  check_every_state(client_go(3, 2, 1).pausing_up_to(3s));
  check_every_state(client_go(3, 2, 1).crashing().restarting(1s, Identity::same));
  check_every_state(client_go(3, 2, 1).crashing().restarting(1s, Identity::fresh));
}

TEST_CASE("a state that is read from its code has that code: clocks") {
  check_every_state(client_go(5, 4, 2).of(1).and_of(1).clock_gains(250ms));
  check_every_state(naive_loop(3, 1, 1).of(1).and_of(1).wall_clock_ahead(1s));
}

TEST_CASE("a state that is read from its code has that code: parts of seconds") {
  check_every_state(client_go(3, 2, 1).in_ticks_of(500ms));
}

}  // namespace tenure::explore
