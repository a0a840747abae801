// What can happen next in a state, and every way in which it can.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include <tenure/base/oracle.hpp>
#include <tenure/check/property.hpp>
#include <tenure/explore/explorer.hpp>
#include <tenure/explore/state.hpp>
#include <tenure/kernel/agenda.hpp>

namespace tenure::explore {

// One thing that can happen.
struct Tick {};
struct Happens {
  kernel::EventKey event;
};
struct Begins {
  FaultId fault;
};
using Action = std::variant<Happens, Begins>;

// What is noticed on the way from one state to the next.
struct Noticed {
  std::vector<check::PropertyId> violated;
  bool fault_hit = false;
  bool conflict = false;
  bool step_down = false;
  bool takeover = false;
};

// Makes the successors of states, one after the other, each by the simulator's own step.
//
// Of the orders of events inside one instant most make no difference. Where a process goes on by
// itself - a wake-up or a reply, which touch nobody else, and no request of its own about to be
// served - it may as well go first (a persistent set of one process), and the state is not kept:
// only those states are in which all that is due is for the API server, or nothing. Faults can
// begin in the others all the same.
class Successors {
 public:
  Successors(std::shared_ptr<const world::Setup> setup, Orders orders);

  // A successor: the state itself, and whether time passed. It and trace() are valid during the
  // call.
  using Take = std::function<void(const State& after, bool is_tick, const Noticed& noticed)>;

  void begin(const Take& take);  // the first states

  // The state to go on from: to be filled in before, and used up by, one of the next two.
  State& from() { return level(0).state; }
  void make(const Take& take);

  // As `make`, but of the processes that go on by themselves any may go first: those of a state
  // that was read from a code bear each other's names, so that the first is another one.
  void make_all_orders(const Take& take);

  // What led to the successor that is being taken.
  struct Micro {
    TrueTime at{};
    std::variant<Tick, world::Event, Begins> what;
    std::uint32_t occurrence = 0;  // of a fault that begins
    std::vector<Answered> answers;
  };
  std::vector<Micro> trace() const;

 private:
  struct Level {
    State state;
    TrueTime at{};
    std::variant<Tick, world::Event, Begins> what;  // that is done in it
    ExhaustiveOracle oracle;
    std::vector<kernel::EventKey> due;
  };

  void pass_time(const Take& take);
  void act(std::size_t depth, const Action& action, Noticed noticed, const Take& take);
  void go_on(std::size_t depth, const Noticed& noticed, const Take& take);
  bool go_on_alone(std::size_t depth, const Noticed& noticed, const Take& take);
  void begin_faults(std::size_t depth, const Noticed& noticed, const Take& take);
  Level& level(std::size_t depth);

  std::shared_ptr<const world::Setup> setup_;
  Orders orders_;
  world::World fresh_;
  std::deque<Level> levels_;
  std::size_t depth_ = 0;  // of the present successor
  bool takes_any_first_ = false;
};

// How many lead in a state.
std::uint32_t believers_in(const State& state, record::Level level);

}  // namespace tenure::explore
