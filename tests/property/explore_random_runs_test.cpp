#include <algorithm>
#include <tuple>

#include <doctest/doctest.h>

#include <tenure/explore/successors.hpp>

#include "support/small_elections.hpp"

namespace tenure::test {
namespace {

using namespace std::chrono_literals;
using explore::Noticed;
using explore::Orders;
using explore::State;
using explore::Symmetry;

// What an exploration keeps beside the world: who was granted the Lease since it started.
class Grants final : public record::Recorder {
 public:
  explicit Grants(State& state) : state_(state) {}

  void on(const record::Record& record) override {
    if (const auto* started = std::get_if<record::ProcessStarted>(&record.fact)) {
      state_.granted &= ~(1U << started->who.process.value);
    }
    if (std::holds_alternative<record::FaultHit>(record.fact)) fault_hit = true;
    const auto* written = std::get_if<record::LeaseWritten>(&record.fact);
    if (written == nullptr || written->record.holder != written->writer_identity) return;
    const world::Process& writer = state_.world.processes[written->writer.process.value];
    if (writer.is_alive() && writer.incarnation() == written->writer.number) {
      state_.granted |= 1U << written->writer.process.value;
    }
  }

  bool fault_hit = false;

 private:
  State& state_;
};

// A run of the simulator as any other, on the grid and with faults at random instants.
class RandomRun {
 public:
  RandomRun(std::shared_ptr<const world::Setup> setup, std::uint64_t seed)
      : setup_(std::move(setup)), oracle_(seed, 0), stream_(stream_named("test/faults")) {
    state_.world = world::make_world(setup_);
    world::begin_run(state_.world, oracle_);
  }

  const State& state() const { return state_; }

  // To the next state that an exploration of all orders knows; false: the run is over.
  bool step() {
    world::World& world = state_.world;
    if (world.agenda.next_at() == never<TrueTime> || world.now >= TrueTime{60s}) return false;
    if (begins_a_fault()) return true;
    if (world.agenda.next_at() > world.now) {
      world.now += setup_->grid->tick;
      return true;
    }
    Grants grants{state_};
    return world::step(world, oracle_, grants);
  }

 private:
  bool begins_a_fault() {
    for (std::uint32_t i = 0; i < setup_->faults.size(); ++i) {
      if (!may_begin(i) || oracle_.pick({stream_, draws_++}, 7) != 0) continue;
      const State before = state_;
      Grants grants{state_};
      world::begin_fault(state_.world, FaultId{i}, oracle_, grants);
      if (grants.fault_hit) return true;
      state_ = before;
    }
    return false;
  }

  bool may_begin(std::uint32_t fault) const {
    const fault::Fault& plan = setup_->faults[fault];
    return plan.at_any && state_.world.faults[fault].begun < plan.count.value_or(0);
  }

  std::shared_ptr<const world::Setup> setup_;
  State state_;
  SeededOracle oracle_;
  Stream stream_;
  std::uint64_t draws_ = 0;
};

constexpr std::uint64_t runs = 50;

// The elections that the claims below are made of.
std::vector<SmallElection> elections() {
  using Identity = scenario::Restart::Identity;
  return {
      client_go(3, 2, 1).losing_messages(),
      client_go(4, 3, 1).fast_path().losing_messages(),
      client_go(4, 3, 1).pausing_up_to(5s),
      naive_loop(4, 1, 1).of(1).and_of(1).wall_clock_ahead(2s).delays_up_to(1s),
      client_go(4, 3, 1).crashing().restarting(2s, Identity::fresh),
      client_go(4, 3, 1).of(3).crashing().restarting(1s, Identity::same),
      client_go(5, 4, 2).of(1).and_of(1).clock_gains(250ms).crashing(),
  };
}

// ---- visited

void check_that_all_is_explored(const SmallElection& election) {
  const auto setup = election.model().setup;
  explore::Options options;
  options.orders = Orders::all;
  const explore::Exploration all = explore::explore(setup, options);
  REQUIRE(all.ended == explore::Ended::complete);
  std::vector<std::uint64_t> known = all.fingerprints;
  std::sort(known.begin(), known.end());
  explore::StateCodec codec{setup, options.symmetry};
  std::uint64_t visited = 0;
  std::uint64_t unknown = 0;
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    RandomRun run{setup, seed};
    do {
      explore::Code code;
      codec.encode(run.state(), code);
      ++visited;
      if (!std::binary_search(known.begin(), known.end(), explore::fingerprint_of(code))) ++unknown;
    } while (run.step());
  }
  CHECK(visited > 1000);
  CHECK(unknown == 0);
}

// ---- bisimulation

struct Step {
  std::uint64_t to = 0;
  bool is_tick = false;
  std::size_t violations = 0;

  friend bool operator<(const Step& a, const Step& b) {
    return std::tie(a.to, a.is_tick, a.violations) < std::tie(b.to, b.is_tick, b.violations);
  }
  friend bool operator==(const Step&, const Step&) = default;
};

class StepsOf {
 public:
  explicit StepsOf(const std::shared_ptr<const world::Setup>& setup)
      : codec_(setup, Symmetry::on), successors_(setup, Orders::all) {}

  std::vector<Step> concrete(const State& state) {
    successors_.from() = state;
    return steps();
  }
  std::vector<Step> read_from_its_code(const State& state) {
    codec_.decode(code_of(state), successors_.from());
    return steps();
  }
  std::uint64_t fingerprint(const State& state) { return explore::fingerprint_of(code_of(state)); }

 private:
  std::vector<Step> steps() {
    std::vector<Step> steps;
    successors_.make([&](const State& after, bool is_tick, const Noticed& noticed) {
      steps.push_back({explore::fingerprint_of(code_of(after)), is_tick, noticed.violated.size()});
    });
    std::sort(steps.begin(), steps.end());
    return steps;
  }

  explore::Code code_of(const State& state) {
    explore::Code code;
    codec_.encode(state, code);
    return code;
  }

  explore::StateCodec codec_;
  explore::Successors successors_;
};

// What nobody waits for is left out of a code: a step that handles it leads nowhere, and in the
// world that still has it comes before time passes.
bool goes_on_alike(StepsOf& steps_of, const State& state) {
  std::vector<Step> concrete = steps_of.concrete(state);
  const std::vector<Step> read = steps_of.read_from_its_code(state);
  const std::uint64_t here = steps_of.fingerprint(state);
  const auto unnoticed = std::remove_if(concrete.begin(), concrete.end(), [&](const Step& step) {
    return !step.is_tick && step.to == here;
  });
  if (unnoticed == concrete.end()) return concrete == read;
  concrete.erase(unnoticed, concrete.end());
  return std::includes(read.begin(), read.end(), concrete.begin(), concrete.end());
}

void check_that_codes_have_the_same_futures(const SmallElection& election) {
  const auto setup = election.model().setup;
  StepsOf steps_of{setup};
  std::uint64_t different = 0;
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    RandomRun run{setup, seed};
    do {
      if (!goes_on_alike(steps_of, run.state())) ++different;
    } while (run.step());
  }
  CHECK(different == 0);
}

}  // namespace

TEST_CASE("random runs of the simulator visit explored states only") {
  for (const SmallElection& election : elections()) check_that_all_is_explored(election);
}

TEST_CASE("a state and what is read from its code go on in the same ways") {
  for (const SmallElection& election : elections()) {
    check_that_codes_have_the_same_futures(election);
  }
}

}  // namespace tenure::test
