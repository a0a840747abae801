#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <tenure/run/result.hpp>
#include <tenure/run/run.hpp>
#include <tenure/run/trial.hpp>

namespace tenure::run {
namespace {

using check::PropertyId;

class Observer final : public record::Recorder {
 public:
  Observer(Trial& trial, record::Recorder* also) : trial_(&trial), also_(also) {}

  bool wants_messages() const override { return true; }
  void on(const record::Record& record) override {
    if (also_ != nullptr) also_->on(record);
    std::visit([&](const auto& fact) { note(record.at, fact); }, record.fact);
  }

 private:
  template <class Other>
  void note(TrueTime, const Other&) {}

  void note(TrueTime at, const record::ProcessPaused& paused) {
    trial_->frozen.push_back({paused.who.process, {at, {}}});
  }
  void note(TrueTime at, const record::ProcessResumed& resumed) { thaws(at, resumed.who.process); }
  void note(TrueTime at, const record::ProcessEnded& ended) { thaws(at, ended.who.process); }
  void note(TrueTime at, const record::FaultBegan& began) {
    trial_->occurrences.push_back({began.fault, began.occurrence, {at, {}}, {}});
  }
  void note(TrueTime, const record::FaultHit& hit) {
    occurrence(hit.fault, hit.occurrence).hit.push_back(hit.who.process);
  }
  void note(TrueTime at, const record::FaultEnded& ended) {
    occurrence(ended.fault, ended.occurrence).when.to = at;
  }
  void note(TrueTime at, const record::RequestSent& sent) {
    trial_->sends.push_back({sent.from.process, at});
  }
  void note(TrueTime at, const record::LeaseWritten& written) {
    trial_->writes.push_back({written.writer.process, at});
  }

  void thaws(TrueTime at, ProcessId id) {
    for (FrozenProcess& frozen : trial_->frozen) {
      if (frozen.process == id && !frozen.when.to) frozen.when.to = at;
    }
  }

  // The latest ones are asked for.
  FaultOccurrence& occurrence(FaultId fault, std::uint32_t number) {
    return *std::find_if(
        trial_->occurrences.rbegin(), trial_->occurrences.rend(),
        [&](const FaultOccurrence& o) { return o.fault == fault && o.occurrence == number; });
  }

  Trial* trial_;
  record::Recorder* also_;
};

std::string process_name(const world::Setup& setup, record::Incarnation who) {
  return who.process == nobody<ProcessTag> ? std::string{}
                                           : setup.processes[who.process.value].name;
}

// Whether one of the two is frozen from `from` to `to`, which may take several pauses.
bool is_frozen_throughout(const Trial& trial, ProcessId id, TrueTime from, TrueTime to) {
  TrueTime covered = from;
  for (const FrozenProcess& frozen : trial.frozen) {
    if (frozen.process != id || frozen.when.from > covered) continue;
    covered = std::max(covered, frozen.when.to.value_or(never<TrueTime>));
  }
  return covered >= to;
}

Signature::Overlap overlap_of(const Trial& trial, const check::Violation& violation) {
  if (violation.id != PropertyId::B1) return Signature::Overlap::none;
  const TrueTime to = later(violation.at, violation.length);
  const bool one_is_frozen = is_frozen_throughout(trial, violation.who.process, violation.at, to) ||
                             is_frozen_throughout(trial, violation.other.process, violation.at, to);
  return one_is_frozen ? Signature::Overlap::frozen : Signature::Overlap::running;
}

}  // namespace

Trial trial_of(const scenario::Scenario& scenario,
               std::uint64_t number,
               const std::atomic<bool>* stop,
               record::Recorder* also) {
  const Experiment experiment = experiment_of(scenario);
  RunOracle answers{experiment, number};
  RecordingOracle oracle{answers.oracle()};
  Trial trial;
  Observer observer{trial, also};
  Runner runner{experiment, stop};
  trial.setup = experiment.setup;
  trial.findings = runner.run(oracle, &observer).findings();
  trial.complete = !runner.was_stopped() && !runner.world().stalled;
  trial.choices = oracle.choices();
  return trial;
}

Signature signature_of(const Trial& trial, const check::Violation& violation) {
  Signature signature;
  signature.id = violation.id;
  signature.overlap = overlap_of(trial, violation);
  signature.who = process_name(*trial.setup, violation.who);
  signature.other = process_name(*trial.setup, violation.other);
  if (!signature.other.empty() && signature.other < signature.who)
    std::swap(signature.who, signature.other);
  return signature;
}

std::optional<Signature> signature_of(const Trial& trial, PropertyId id) {
  const std::optional<check::Violation>& violation = trial.findings.first(id);
  if (!violation || !trial.complete) return std::nullopt;
  return signature_of(trial, *violation);
}

std::vector<scenario::Choice> answers_of(const Trial& trial) {
  std::map<Stream, std::string> names;
  for (auto& [name, stream] : world::named_streams(*trial.setup)) names.emplace(stream, name);
  std::vector<scenario::Choice> answers;
  for (const Answered& choice : trial.choices) {
    if (choice.answer == 0) continue;
    answers.push_back({names.at(choice.draw.stream), choice.draw.number, choice.answer});
  }
  return answers;
}

Duration resolution_of(const scenario::Scenario& scenario) {
  const bool on_grid = scenario.choices && scenario.choices->tick;
  return on_grid ? *scenario.choices->tick : Duration{std::chrono::milliseconds{1}};
}

}  // namespace tenure::run
