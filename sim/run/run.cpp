#include <cstdint>
#include <string>

#include <fmt/format.h>

#include <tenure/run/run.hpp>

namespace tenure::run {
namespace {

// Hands each fact to two recorders.
class Both final : public record::Recorder {
 public:
  Both(record::Recorder& first, record::Recorder& second) : first_(&first), second_(&second) {}

  void on(const record::Record& record) override {
    first_->on(record);
    second_->on(record);
  }
  bool wants_messages() const override {
    return first_->wants_messages() || second_->wants_messages();
  }

 private:
  record::Recorder* first_;
  record::Recorder* second_;
};

// False: it was stopped. A run of many simulated years takes long, so it looks now and then.
bool play(world::World& world,
          Oracle& oracle,
          record::Recorder& recorder,
          const std::atomic<bool>* stop) {
  constexpr std::uint64_t events_between_looks = 1 << 16;
  world::begin_run(world, oracle);
  while (world::step(world, oracle, recorder)) {
    const bool looks = world.events % events_between_looks == 0;
    if (looks && stop != nullptr && stop->load(std::memory_order_relaxed)) return false;
  }
  return true;
}

}  // namespace

RunOracle::RunOracle(const Experiment& experiment, std::uint64_t number)
    : seeded_(experiment.seed, number) {
  if (!experiment.script) return;
  const bool is_seeded = experiment.script->otherwise == Script::Otherwise::seeded;
  chosen_.emplace(experiment.script->answers, is_seeded ? &seeded_ : nullptr);
}

Oracle& RunOracle::oracle() {
  if (chosen_) return *chosen_;
  return seeded_;
}

std::optional<Misfit> RunOracle::misfit() const {
  const std::optional<std::size_t> answer = chosen_ ? chosen_->misfit() : std::nullopt;
  if (!answer) return std::nullopt;
  return Misfit{*answer, chosen_->bound_of(*answer)};
}

Runner::Runner(const Experiment& experiment, const std::atomic<bool>* stop)
    : experiment_(&experiment),
      stop_(stop),
      untouched_(world::make_world(experiment.setup)),
      world_(untouched_),
      unused_(experiment.properties, experiment.setup->processes.size()),
      checks_(unused_) {}

const check::Checks& Runner::run(std::uint64_t number, record::Recorder* also) {
  RunOracle answers{*experiment_, number};
  run(answers.oracle(), also);
  // What was not asked for by then might have been later.
  if (!was_stopped_ && !world_.stalled) misfit_ = answers.misfit();
  return checks_;
}

const check::Checks& Runner::run(Oracle& oracle, record::Recorder* also) {
  misfit_.reset();
  world_ = untouched_;
  checks_ = unused_;
  if (also == nullptr) {
    was_stopped_ = !play(world_, oracle, checks_, stop_);
  } else {
    Both both{checks_, *also};
    was_stopped_ = !play(world_, oracle, both, stop_);
  }
  checks_.end(TrueTime{experiment_->setup->duration});
  return checks_;
}

std::size_t bytes_per_run(const Experiment& experiment) {
  Runner runner{experiment};
  runner.run(0);
  const world::World& world = runner.world();
  return sizeof(Runner) + world.agenda.memory() +
         world.processes.capacity() * sizeof(world::Process) +
         world.links.capacity() * sizeof(world::LinkState) +
         world.faults.capacity() * sizeof(world::FaultState) +
         world.processes.size() * check::Checks::bytes_per_process;
}

std::string difference_when_repeated(const Experiment& experiment,
                                     Runner& runner,
                                     std::uint64_t number) {
  RunOracle answers{experiment, number};
  RecordingOracle first{answers.oracle()};
  runner.run(first);
  const std::uint64_t hash = runner.world().run_hash;
  RecordingOracle second{answers.oracle()};
  runner.run(second);
  const auto& a = first.choices();
  const auto& b = second.choices();
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i] == b[i]) continue;
    return fmt::format("run {}: choice {} differs: {} of 0..{}, then {} of 0..{}", number, i,
                       a[i].answer, a[i].bound, b[i].answer, b[i].bound);
  }
  if (a.size() != b.size()) {
    return fmt::format("run {}: {} choices the first time, {} the second", number, a.size(),
                       b.size());
  }
  if (hash != runner.world().run_hash) return fmt::format("run {}: the events differ", number);
  return {};
}

}  // namespace tenure::run
