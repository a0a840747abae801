#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tenure/base/assert.hpp>
#include <tenure/run/result.hpp>
#include <tenure/run/shrink.hpp>
#include <tenure/scenario/grid.hpp>

#include "edits.hpp"
#include "shrinker.hpp"

namespace tenure::run {
namespace {

using check::PropertyId;
using scenario::Scenario;

constexpr check::PropertySet everything() {
  check::PropertySet all;
  for (std::size_t i = 0; i < check::property_count; ++i) all.add(static_cast<PropertyId>(i));
  return all;
}

// The violation that is to be kept.
std::optional<check::Violation> violation_of(const Trial& trial, const Scenario& scenario) {
  check::PropertySet listed{PropertyId::S1, PropertyId::S2, PropertyId::S3};
  for (const scenario::Property& property : scenario.properties) {
    // Among others, S7 is a warning.
    for (const PropertyId id : property.ids) {
      if (id != PropertyId::S7 || property.ids.size() == 1) listed.add(id);
    }
  }
  const auto violation = trial.findings.first_of(listed);
  return violation ? violation : trial.findings.first_of(everything());
}

// The property that says it, with its bounds as numbers: they must not move with the candidates.
scenario::Property property_of(const Scenario& scenario, PropertyId id) {
  scenario::Property kept;
  kept.name = std::string{check::to_text(id)};
  kept.ids = {id};
  for (const scenario::Property& property : scenario.properties) {
    const auto& ids = property.ids;
    if (std::find(ids.begin(), ids.end(), id) != ids.end()) kept = property;
  }
  const check::PropertyConfig config = experiment_of(scenario).properties;
  if (id == PropertyId::L1) kept.within = config.failover_within;
  if (id == PropertyId::L4) kept.window = config.stable_window;
  return kept;
}

// "frozen-leader-run-7"; a name is a label of at most 63 characters.
std::string script_name(const Scenario& scenario, std::uint64_t number) {
  if (scenario.choices) return scenario.name;
  const std::string ending = fmt::format("-run-{}", number);
  return scenario.name.substr(0, 63 - ending.size()) + ending;
}

// A scenario of one run and one property: all that the file has to say.
Scenario script_of(const Scenario& scenario, std::uint64_t number, PropertyId id) {
  Scenario script = scenario;
  script.name = script_name(scenario, number);
  if (!scenario.choices) {
    script.description =
        fmt::format("Run {} of seed {} of {}, shrunk.", number, scenario.seed, scenario.name);
  }
  script.runs = 1;
  script.properties = {property_of(scenario, id)};
  script.thresholds.clear();
  script.alerts.reset();
  script.stopping.reset();
  script.record.which = scenario::Record::Which::failures;
  script.explore.reset();
  return script;
}

// A script on a grid stays on it: a time between two ticks would be rounded to both, and the file
// would not say what was run.
bool is_on_its_grid(const Scenario& script) {
  if (!script.choices || !script.choices->tick) return true;
  return scenario::on_grid(script, *script.choices->tick).roundings.empty();
}

}  // namespace

bool Shrinker::over() {
  const std::atomic<bool>* stop = options_->stop;
  interrupted_ = interrupted_ || (stop != nullptr && stop->load(std::memory_order_relaxed));
  return interrupted_ || runs_ >= options_->budget;
}

// Its answers are written down as the run asked for them: none is left over, none is too large.
void Shrinker::accept(Trial trial) {
  scenario::Choices choices;
  if (best_.choices) choices.tick = best_.choices->tick;
  choices.answers = answers_of(trial);
  best_.choices = std::move(choices);
  best_trial_ = std::move(trial);
}

bool Shrinker::attempt(Scenario candidate) {
  return attempt(std::move(candidate), signature_);
}

bool Shrinker::attempt(Scenario candidate, const Signature& expected) {
  // What a run does not ask for is dropped when it is accepted, so it can only get smaller.
  if (over() || size_of(candidate) >= size_of(best_) || !is_on_its_grid(candidate)) return false;
  Trial trial = trial_of(candidate, 0, options_->stop);
  if (over()) return false;
  ++runs_;
  if (options_->progress) options_->progress(runs_);
  if (signature_of(trial, expected.id) != expected) return false;
  best_ = std::move(candidate);
  signature_ = expected;
  accept(std::move(trial));
  return true;
}

// ---- the whole

void Shrinker::log(std::string pass, const Scenario& before, std::uint64_t runs_before) {
  if (size_of(best_) < size_of(before))
    log_.push_back({std::move(pass), difference_text(before, best_), runs_ - runs_before});
}

void Shrinker::one_round(bool is_logged) {
  struct Pass {
    const char* name;
    void (Shrinker::*body)();
  };
  constexpr Pass passes[] = {{"truncate", &Shrinker::truncate},
                             {"faults", &Shrinker::drop_faults},
                             {"repetitions", &Shrinker::drop_repetitions},
                             {"fault times", &Shrinker::settle_faults},
                             {"candidates", &Shrinker::drop_processes},
                             {"distributions", &Shrinker::settle_distributions},
                             {"choices", &Shrinker::drop_answers},
                             {"merging", &Shrinker::merge_answers},
                             {"answers", &Shrinker::lower_answers},
                             {"durations", &Shrinker::shorten_faults},
                             {"alignment", &Shrinker::align_faults},
                             {"rounding", &Shrinker::round_times},
                             {"start", &Shrinker::shift}};
  for (const Pass& pass : passes) {
    const Scenario before = best_;
    const std::uint64_t runs = runs_;
    (this->*pass.body)();
    if (is_logged) log(pass.name, before, runs);
  }
  ++round_;
}

// The first round is told pass by pass, what the others still found in one line.
void Shrinker::run() {
  one_round(true);
  const Scenario after_first = best_;
  const std::uint64_t runs = runs_;
  Size before{};
  do {
    before = size_of(best_);
    one_round(false);
  } while ((size_of(best_) < before || !is_thorough_) && !over());
  log("once more", after_first, runs);
}

Shrunk Shrinker::result() && {
  Shrunk shrunk;
  shrunk.violation = violation();
  shrunk.story = story_of(*best_trial_.setup, shrunk.violation);
  shrunk.scenario = std::move(best_);
  shrunk.signature = std::move(signature_);
  shrunk.log = std::move(log_);
  shrunk.runs = runs_;
  shrunk.out_of_budget = !interrupted_ && runs_ >= options_->budget;
  shrunk.interrupted = interrupted_;
  return shrunk;
}

std::optional<Shrunk> shrink(const Scenario& scenario,
                             std::uint64_t number,
                             const ShrinkOptions& options) {
  Trial trial = trial_of(scenario, number, options.stop);
  const auto violation = violation_of(trial, scenario);
  if (!violation || !trial.complete) return std::nullopt;
  Signature signature = signature_of(trial, *violation);
  std::string story = story_of(*trial.setup, *violation);
  Shrinker shrinker{script_of(scenario, number, violation->id), std::move(trial),
                    std::move(signature), options};
  shrinker.run();
  Shrunk shrunk = std::move(shrinker).result();
  shrunk.story_before = std::move(story);
  return shrunk;
}

}  // namespace tenure::run
