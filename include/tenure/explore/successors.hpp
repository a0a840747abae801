// What can happen next in a state, and every way in which it can.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include <tenure/base/oracle.hpp>
#include <tenure/check/property.hpp>
#include <tenure/explore/explorer.hpp>
#include <tenure/explore/state.hpp>
#include <tenure/kernel/agenda.hpp>

namespace tenure::explore {

// Answers every question with each of its answers in turn: the questions of one step are the wheels
// of an odometer (after TigerBeetle's exhaustigen).
class ExhaustiveOracle final : public Oracle {
 public:
  struct Answer {
    Draw draw;
    std::uint64_t bound = 0;
    std::uint64_t answer = 0;
  };

  std::uint64_t pick(Draw draw, std::uint64_t bound) override;

  // Sets the next combination for the same step; false: there is none.
  bool advance();
  void begin() { answers_.clear(), next_ = 0; }

  const std::vector<Answer>& answers() const { return answers_; }

 private:
  std::vector<Answer> answers_;
  std::size_t next_ = 0;
};

// One thing that can happen.
struct Tick {};
struct Happens {
  kernel::EventKey event;
};
struct Begins {
  FaultId fault;
};
using Action = std::variant<Tick, Happens, Begins>;

// What somebody who watches one step notices.
struct Noticed {
  std::vector<check::PropertyId> violated;
  bool fault_hit = false;
  bool conflict = false;
  bool step_down = false;
};

// The actions of a state. Time passes only when nothing is due.
void actions_of(State& state, Orders orders, std::vector<Action>& out);

// Does one of them.
void act(State& state, const Action& action, Oracle& oracle, Noticed& noticed);

// How many lead in a state.
std::uint32_t believers_in(const State& state, record::Level level);

}  // namespace tenure::explore
