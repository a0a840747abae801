#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <tenure/explore/explorer.hpp>
#include <tenure/explore/search.hpp>
#include <tenure/explore/successors.hpp>

namespace tenure::explore {
namespace {

Identity holder_of(const world::World& world) {
  const api::Lease* lease = world.server.find(world.setup->lease);
  return lease == nullptr ? Identity{} : lease->spec.holder;
}

class SimulatorExpander final : public Expander {
 public:
  SimulatorExpander(std::shared_ptr<const world::Setup> setup, const Options& options)
      : options_(options), codec_(setup, options.symmetry), fresh_(world::make_world(setup)) {
    probes_.faults.resize(setup->faults.size());
  }

  void begin(const Take& take) override {
    oracle_.begin();
    do {
      after_.world = fresh_;
      after_.granted = 0;
      world::begin_run(after_.world, oracle_);
      give(take, false, {});
    } while (oracle_.advance());
  }

  void expand(std::string_view code, const Take& take) override {
    codec_.decode(code, before_);
    actions_of(before_, options_.orders, actions_);
    for (const Action& action : actions_) {
      oracle_.begin();
      do {
        after_ = before_;
        noticed_ = {};
        act(after_, action, oracle_, noticed_);
        const auto* begins = std::get_if<Begins>(&action);
        // A fault that finds nobody to hit would only use up its budget.
        if (begins != nullptr && !noticed_.fault_hit) continue;
        if (begins != nullptr) ++probes_.faults[begins->fault.value];
        probe();
        give(take, std::holds_alternative<Tick>(action), noticed_.violated);
      } while (oracle_.advance());
    }
  }

  const Probes& probes() const override { return probes_; }

 private:
  void give(const Take& take, bool is_tick, const std::vector<check::PropertyId>& violated) {
    code_.clear();
    codec_.encode(after_, code_);
    const std::uint32_t believers = believers_in(after_, options_.level);
    take({code_, is_tick, static_cast<std::uint8_t>(believers > 2 ? 2 : believers), &violated});
  }

  void probe() {
    const Identity was = holder_of(before_.world);
    const Identity is = holder_of(after_.world);
    // A released Lease names nobody: its next holder takes over too.
    const bool existed = before_.world.server.find(before_.world.setup->lease) != nullptr;
    if (existed && !is.empty() && is != was) ++probes_.takeovers;
    if (noticed_.conflict) ++probes_.conflicts;
    if (noticed_.step_down) ++probes_.step_downs;
  }

  Options options_;
  StateCodec codec_;
  world::World fresh_;
  ExhaustiveOracle oracle_;
  State before_;
  State after_;
  std::vector<Action> actions_;
  Noticed noticed_;
  Code code_;
  Probes probes_;
};

}  // namespace

Exploration explore(std::shared_ptr<const world::Setup> setup, const Options& options) {
  return search([&] { return std::make_unique<SimulatorExpander>(setup, options); }, options);
}

}  // namespace tenure::explore
