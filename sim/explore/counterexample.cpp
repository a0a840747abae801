#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/assert.hpp>
#include <tenure/base/variant.hpp>
#include <tenure/explore/counterexample.hpp>
#include <tenure/scenario/grid.hpp>

namespace tenure::explore {
namespace {

using world::World;

// Whether an action may have taken one state to another; the successor is left in `after`.
class Walker {
 public:
  Walker(std::shared_ptr<const world::Setup> setup, Symmetry symmetry)
      : setup_(std::move(setup)), codec_(setup_, symmetry) {}

  std::optional<Path> walk(const std::vector<std::uint64_t>& fingerprints) {
    Path path;
    if (!begin(fingerprints[1], path)) return std::nullopt;
    for (std::size_t i = 2; i < fingerprints.size(); ++i) {
      if (!step(fingerprints[i], path)) return std::nullopt;
    }
    return path;
  }

 private:
  bool begin(std::uint64_t goal, Path& path) {
    oracle_.begin();
    const World fresh = world::make_world(setup_);
    do {
      state_ = {fresh, 0};
      world::begin_run(state_.world, oracle_);
      if (fingerprint(state_) != goal) continue;
      path.beginning = oracle_.answers();
      return true;
    } while (oracle_.advance());
    return false;
  }

  // All orders are tried: the search may have left out other ones, since it looks at processes in
  // the order of their codes.
  bool step(std::uint64_t goal, Path& path) {
    std::vector<Action> actions;
    actions_of(state_, Orders::all, actions);
    for (const Action& action : actions) {
      oracle_.begin();
      do {
        State after = state_;
        Noticed noticed;
        act(after, action, oracle_, noticed);
        if (std::holds_alternative<Begins>(action) && !noticed.fault_hit) continue;
        if (fingerprint(after) != goal) continue;
        path.steps.push_back(taken(action));
        state_ = std::move(after);
        return true;
      } while (oracle_.advance());
    }
    return false;
  }

  Taken taken(const Action& action) const {
    Taken step;
    step.at = state_.world.now;
    step.answers = oracle_.answers();
    std::visit(overloaded{[&](const Tick& tick) { step.what = tick; },
                          [&](const Happens& happens) {
                            step.what = state_.world.agenda.event(happens.event);
                          },
                          [&](const Begins& begins) {
                            step.what = begins;
                            step.occurrence = state_.world.faults[begins.fault.value].begun;
                          }},
               action);
    return step;
  }

  std::uint64_t fingerprint(const State& state) {
    code_.clear();
    codec_.encode(state, code_);
    return fingerprint_of(code_);
  }

  std::shared_ptr<const world::Setup> setup_;
  StateCodec codec_;
  ExhaustiveOracle oracle_;
  State state_;
  Code code_;
};

}  // namespace

std::optional<Path> walk(const std::shared_ptr<const world::Setup>& setup,
                         Symmetry symmetry,
                         const std::vector<std::uint64_t>& fingerprints) {
  return Walker{setup, symmetry}.walk(fingerprints);
}

}  // namespace tenure::explore
