#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <tenure/explore/explorer.hpp>
#include <tenure/explore/search.hpp>
#include <tenure/explore/successors.hpp>

namespace tenure::explore {
namespace {

class SimulatorExpander final : public Expander {
 public:
  SimulatorExpander(std::shared_ptr<const world::Setup> setup, const Options& options)
      : level_(options.level), codec_(setup, options.symmetry), successors_(setup, options.orders) {
    probes_.faults.resize(setup->faults.size());
  }

  void begin(const Take& take) override {
    successors_.begin([&](const State& after, bool is_tick, const Noticed& noticed) {
      give(after, is_tick, noticed, take);
    });
  }

  void expand(std::string_view code, const Take& take) override {
    codec_.decode(code, successors_.from());
    successors_.make([&](const State& after, bool is_tick, const Noticed& noticed) {
      probe(after, noticed);
      give(after, is_tick, noticed, take);
    });
  }

  const Probes& probes() const override { return probes_; }

 private:
  void give(const State& after, bool is_tick, const Noticed& noticed, const Take& take) {
    code_.clear();
    codec_.encode(after, code_);
    const std::uint32_t believers = believers_in(after, level_);
    take({code_, is_tick, static_cast<std::uint8_t>(believers > 2 ? 2 : believers),
          &noticed.violated});
  }

  void probe(const State& after, const Noticed& noticed) {
    if (noticed.takeover) ++probes_.takeovers;
    if (noticed.conflict) ++probes_.conflicts;
    if (noticed.step_down) ++probes_.step_downs;
    for (std::size_t i = 0; i < probes_.faults.size(); ++i) {
      const world::FaultState& before = successors_.from().world.faults[i];
      if (after.world.faults[i].begun > before.begun) ++probes_.faults[i];
      if (after.world.faults[i].used > before.used) ++probes_.faults[i];
    }
  }

  record::Level level_;
  StateCodec codec_;
  Successors successors_;
  Code code_;
  Probes probes_;
};

}  // namespace

Exploration explore(std::shared_ptr<const world::Setup> setup, const Options& options) {
  return search([&] { return std::make_unique<SimulatorExpander>(setup, options); }, options);
}

}  // namespace tenure::explore
