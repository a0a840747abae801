#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/assert.hpp>
#include <tenure/base/variant.hpp>
#include <tenure/explore/counterexample.hpp>
#include <tenure/record/recorder.hpp>
#include <tenure/run/result.hpp>
#include <tenure/run/run.hpp>
#include <tenure/scenario/grid.hpp>

namespace tenure::explore {
namespace {

using world::World;
using Micro = Successors::Micro;

// Finds the steps between states of which only the fingerprints are known.
class Walker {
 public:
  Walker(const std::shared_ptr<const world::Setup>& setup, const Options& options)
      : codec_(setup, options.symmetry), successors_(setup, options.orders) {}

  std::optional<Path> walk(const std::vector<std::uint64_t>& fingerprints) {
    Path path;
    State state;
    bool is_found = false;
    successors_.begin([&](const State& after, bool, const Noticed&) {
      if (is_found || fingerprint(after) != fingerprints[1]) return;
      is_found = true;
      state = after;
      path.beginning = successors_.trace().front().answers;
    });
    for (std::size_t i = 2; is_found && i < fingerprints.size(); ++i) {
      is_found = step(state, fingerprints[i], path);
    }
    if (!is_found) return std::nullopt;
    return path;
  }

 private:
  // A reply to a process that is gone is not in the code of a state, and in the simulator it
  // arrives all the same: such events, which change nothing, come before the step that is looked
  // for.
  bool step(State& state, std::uint64_t goal, Path& path) {
    const std::uint64_t here = fingerprint(state);
    while (!take(state, goal, path)) {
      if (!take_event(state, here, path)) return false;
    }
    return true;
  }

  bool take(State& state, std::uint64_t goal, Path& path) {
    return take_if(state, path,
                   [&](const State& after, bool) { return fingerprint(after) == goal; });
  }
  bool take_event(State& state, std::uint64_t goal, Path& path) {
    return take_if(state, path, [&](const State& after, bool is_tick) {
      return !is_tick && std::holds_alternative<world::Event>(successors_.trace().front().what) &&
             fingerprint(after) == goal;
    });
  }

  // Goes on by the first step that is wanted; false: there is none, and the state is as it was.
  template <class Wanted>
  bool take_if(State& state, Path& path, const Wanted& wanted) {
    bool is_found = false;
    successors_.from() = state;
    successors_.make_all_orders([&](const State& after, bool is_tick, const Noticed&) {
      if (is_found || !wanted(after, is_tick)) return;
      is_found = true;
      state = after;
      for (Micro& micro : successors_.trace()) path.steps.push_back(std::move(micro));
    });
    return is_found;
  }

  std::uint64_t fingerprint(const State& state) {
    code_.clear();
    codec_.encode(state, code_);
    return fingerprint_of(code_);
  }

  StateCodec codec_;
  Successors successors_;
  Code code_;
};

// The faults of a path: those at any instant become faults at the instants at which they began.
class Scripted {
 public:
  Scripted(const scenario::Scenario& explored, const world::Setup& setup, const Path& path)
      : explored_(explored), setup_(setup), path_(path) {}

  std::vector<scenario::Fault> faults() {
    std::vector<scenario::Fault> made;
    for (std::uint32_t i = 0; i < explored_.faults.size(); ++i) {
      const scenario::Fault& fault = explored_.faults[i];
      if (!fault.at_any) {
        places_.push_back({FaultId{i}, std::nullopt, id_of(made)});
        made.push_back(fault);
      } else if (!setup_.faults[i].at_any) {
        places_.push_back({FaultId{i}, std::nullopt, id_of(made)});
        made.push_back(of_each_message(fault));
      } else {
        add_occurrences(FaultId{i}, made);
      }
    }
    return made;
  }

  // The fault of the script that an occurrence of an explored one became.
  FaultId id_of(FaultId explored, std::uint32_t occurrence) const {
    for (const Place& place : places_) {
      if (place.explored == explored && place.occurrence.value_or(occurrence) == occurrence) {
        return place.scripted;
      }
    }
    return nobody<FaultTag>;
  }
  bool is_single(FaultId explored) const { return setup_.faults[explored.value].at_any; }

 private:
  struct Place {
    FaultId explored;
    std::optional<std::uint32_t> occurrence;  // none: all
    FaultId scripted;
  };

  static FaultId id_of(const std::vector<scenario::Fault>& made) {
    return FaultId{static_cast<std::uint32_t>(made.size())};
  }

  static scenario::Fault of_each_message(scenario::Fault fault) {
    fault.at_any = false;
    fault.at = Distribution::constant(Duration{0});
    fault.count = std::nullopt;
    std::get<scenario::Loss>(fault.kind).fraction = {1, 2};
    return fault;
  }

  void add_occurrences(FaultId id, std::vector<scenario::Fault>& made) {
    std::uint32_t number = 0;
    for (const Micro& step : path_.steps) {
      const auto* begins = std::get_if<Begins>(&step.what);
      if (begins == nullptr || begins->fault != id) continue;
      scenario::Fault fault = explored_.faults[id.value];
      if (++number > 1) fault.name = fmt::format("{}-{}", fault.name, number);
      fault.at_any = false;
      fault.at = Distribution::constant(step.at.time_since_epoch());
      fault.count = std::nullopt;
      fault.probability = {1, 1};
      if (fault.duration) fault.duration = Distribution::constant(drawn(*fault.duration, id, step));
      places_.push_back({id, step.occurrence, id_of(made)});
      made.push_back(std::move(fault));
    }
  }

  Duration drawn(const Distribution& from, FaultId id, const Micro& step) const {
    for (const Answered& answer : step.answers) {
      if (answer.draw.stream != setup_.fault_streams[id.value].duration) continue;
      return from.low + from.grain * static_cast<std::int64_t>(answer.answer);
    }
    return from.low;
  }

  const scenario::Scenario& explored_;
  const world::Setup& setup_;
  const Path& path_;
  std::vector<Place> places_;
};

// Answers the questions of a run as a path did.
class Guide final : public Oracle {
 public:
  Guide(World& world, const world::Setup& explored, const Scripted& script)
      : world_(world), explored_(explored), script_(script) {}

  void follow(const std::vector<Answered>& answers, const Micro* step) {
    answers_ = &answers;
    next_ = 0;
    step_ = step;
  }
  bool is_lost() const { return is_lost_; }

  std::uint64_t pick(Draw draw, std::uint64_t bound) override {
    const std::uint64_t answer =
        draw.stream == world_.setup->grid->order ? order() : next_answer(draw.stream);
    if (answer > bound) is_lost_ = true;
    return std::min(answer, bound);
  }

 private:
  std::uint64_t order() {
    const std::vector<kernel::EventKey> due = world::next_events(world_);
    for (std::size_t i = 0; i < due.size(); ++i) {
      if (is_the_step(world_.agenda.event(due[i]))) return i;
    }
    is_lost_ = true;
    return 0;
  }

  bool is_the_step(const world::Event& event) const {
    if (const auto* begins = std::get_if<Begins>(&step_->what)) {
      const auto* fault = std::get_if<world::FaultBegins>(&event);
      return fault != nullptr && fault->fault == script_.id_of(begins->fault, step_->occurrence);
    }
    const auto* meant = std::get_if<world::Event>(&step_->what);
    if (meant == nullptr || meant->index() != event.index()) return false;
    if (const auto* ends = std::get_if<world::FaultEnds>(meant)) {
      return std::get<world::FaultEnds>(event).fault ==
             script_.id_of(ends->fault, ends->occurrence);
    }
    if (const auto* begins = std::get_if<world::FaultBegins>(meant)) {
      const auto& fault = std::get<world::FaultBegins>(event);
      return fault.fault == script_.id_of(begins->fault, begins->occurrence) &&
             fault.occurrence == begins->occurrence;
    }
    return *meant == event;
  }

  // What an exploration asks about a fault at any instant is no question any more; and whether a
  // message is lost is asked of all messages, while a budget for losses ends the questions.
  std::uint64_t next_answer(Stream stream) {
    while (next_ < answers_->size() && is_settled((*answers_)[next_].draw.stream)) ++next_;
    const bool is_asked = next_ < answers_->size() && (*answers_)[next_].draw.stream == stream;
    if (is_asked) return (*answers_)[next_++].answer;
    if (!is_about_losses(stream)) is_lost_ = true;
    return 0;
  }

  bool is_about_losses(Stream stream) const {
    return std::any_of(explored_.processes.begin(), explored_.processes.end(), [&](const auto& p) {
      return p.streams.request_loss == stream || p.streams.response_loss == stream;
    });
  }

  bool is_settled(Stream stream) const {
    for (std::uint32_t i = 0; i < explored_.faults.size(); ++i) {
      if (!script_.is_single(FaultId{i})) continue;
      const fault::Fault::Streams& streams = explored_.fault_streams[i];
      if (stream == streams.duration || stream == streams.probability) return true;
    }
    return false;
  }

  World& world_;
  const world::Setup& explored_;
  const Scripted& script_;
  const std::vector<Answered>* answers_ = nullptr;
  std::size_t next_ = 0;
  const Micro* step_ = nullptr;
  bool is_lost_ = false;
};

std::vector<scenario::Choice> named(const std::vector<Answered>& choices,
                                    const world::Setup& setup) {
  const auto names = world::named_streams(setup);
  std::vector<scenario::Choice> named;
  for (const Answered& choice : choices) {
    if (choice.answer == 0) continue;
    const auto name = std::find_if(names.begin(), names.end(),
                                   [&](const auto& n) { return n.second == choice.draw.stream; });
    TENURE_ASSERT(name != names.end(), "every stream of a run has a name");
    named.push_back({name->first, choice.draw.number, choice.answer});
  }
  return named;
}

}  // namespace

std::optional<Path> walk(const std::shared_ptr<const world::Setup>& setup,
                         const Options& options,
                         const std::vector<std::uint64_t>& fingerprints) {
  return Walker{setup, options}.walk(fingerprints);
}

std::optional<scenario::Scenario> scripted(const scenario::Scenario& explored,
                                           const world::Setup& setup,
                                           const Path& path,
                                           Duration after) {
  Scripted script{explored, setup, path};
  scenario::Scenario made = explored;
  made.faults = script.faults();
  made.explore = std::nullopt;
  made.choices = scenario::Choices{setup.grid->tick, scenario::Choices::Otherwise::simplest, {}};
  made.runs = 1;
  made.warmup = Duration{0};
  made.thresholds.clear();
  made.alerts.reset();
  made.stopping.reset();
  const TrueTime last = path.steps.empty() ? TrueTime{} : path.steps.back().at;
  made.duration = longer(last.time_since_epoch(), after);
  const scenario::Built built = scenario::build(made);
  World world = world::make_world(built.setup);
  Guide guide{world, setup, script};
  RecordingOracle recording{guide};
  record::NobodyListens nobody;
  guide.follow(path.beginning, nullptr);
  world::begin_run(world, recording);
  for (const Micro& step : path.steps) {
    if (std::holds_alternative<Tick>(step.what)) continue;
    guide.follow(step.answers, &step);
    if (!world::step(world, recording, nobody) || world.now != step.at) return std::nullopt;
  }
  if (guide.is_lost()) return std::nullopt;
  made.choices->answers = named(recording.choices(), *built.setup);
  return made;
}

}  // namespace tenure::explore
