#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <tenure/base/assert.hpp>
#include <tenure/run/result.hpp>
#include <tenure/run/shrink.hpp>
#include <tenure/scenario/grid.hpp>

#include "edits.hpp"

namespace tenure::run {
namespace {

using namespace std::chrono_literals;
using check::PropertyId;
using scenario::Fault;
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
  script.stopping.reset();
  script.record.which = scenario::Record::Which::failures;
  script.explore.reset();
  return script;
}

// One attempt after the other at a smaller script; `best` is the smallest that failed.
class Shrinker {
 public:
  Shrinker(Scenario script, Trial trial, Signature signature, const ShrinkOptions& options)
      : options_(&options), runs_(1), best_(std::move(script)), signature_(std::move(signature)) {
    accept(std::move(trial));
  }

  void run();
  Shrunk result() &&;

 private:
  bool over();
  void accept(Trial trial);
  bool attempt(Scenario candidate);
  bool attempt(Scenario candidate, const Signature& expected);

  template <class Edit>
  bool attempt_edit(Edit edit);

  // Blocks of a list, halves first and ever smaller ones down to `least`.
  template <class Count, class Without>
  void leave_out_blocks(Count count, Without without, std::size_t least);

  // The least value, in units, that still fails. `current` fails.
  template <class With>
  void lower(std::int64_t current, With with);
  template <class With>
  void lower_duration(Duration current, With with);

  void one_round(bool is_logged);
  void log(std::string pass, const Scenario& before, std::uint64_t runs_before);

  void truncate();
  void drop_faults();
  void drop_repetitions();
  void settle_faults();
  void drop_processes();
  void settle_distributions();
  void drop_answers();
  void merge_answers();
  bool merge_into_later(std::size_t answer);
  void lower_answers();
  void shorten_faults();
  void align_faults();
  void round_times();
  void shift();

  bool attempt_answer(const scenario::Choice& choice, std::uint64_t answer);
  void keep_one_occurrence(std::size_t fault);
  void lower_count(std::size_t fault);
  void settle_times(std::size_t fault);
  void settle_kind(std::size_t fault);
  void give_duration(std::size_t fault);
  void shorten_delay(std::size_t fault);
  void align(std::size_t fault);
  void measure_at_once();
  Scenario shifted(const Stretch& left_out) const;
  Scenario renumbered(Scenario candidate, const Stretch& left_out) const;
  std::vector<TrueTime> sends_without(std::size_t fault);

  check::Violation violation() const { return *best_trial_.findings.first(signature_.id); }

  const ShrinkOptions* options_;
  std::uint64_t runs_;
  Scenario best_;
  Trial best_trial_;
  Signature signature_;
  std::size_t round_ = 0;
  bool is_thorough_ = false;  // the last round left out single answers, not only blocks
  bool interrupted_ = false;
  std::vector<ShrinkStep> log_;
};

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

// A script on a grid stays on it: a time between two ticks would be rounded to both, and the file
// would not say what was run.
bool is_on_its_grid(const Scenario& script) {
  if (!script.choices || !script.choices->tick) return true;
  return scenario::on_grid(script, *script.choices->tick).roundings.empty();
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

template <class Edit>
bool Shrinker::attempt_edit(Edit edit) {
  // A script can be long, so nothing is copied in vain.
  if (over()) return false;
  Scenario candidate = best_;
  edit(candidate);
  return attempt(std::move(candidate));
}

template <class Count, class Without>
void Shrinker::leave_out_blocks(Count count, Without without, std::size_t least) {
  for (std::size_t block = count(); block >= std::max<std::size_t>(least, 1); block /= 2) {
    for (std::size_t from = 0; from < count() && !over();) {
      const std::size_t to = std::min(from + block, count());
      if (!without(from, to)) from = to;
    }
    block = std::min(block, count());
  }
}

template <class With>
void Shrinker::lower(std::int64_t current, With with) {
  if (current <= 0 || !with(current - 1)) return;
  if (current > 1 && with(std::int64_t{0})) return;
  std::int64_t fails = current - 1;
  std::int64_t passes = 0;
  while (fails - passes > 1 && !over()) {
    const std::int64_t middle = passes + (fails - passes) / 2;
    (with(middle) ? fails : passes) = middle;
  }
}

// Values that are no whole number of steps are first cut down to one.
template <class With>
void Shrinker::lower_duration(Duration current, With with) {
  const Duration step = resolution_of(best_);
  const std::int64_t steps = current / step;
  if (current != steps * step && !with(steps * step)) return;
  lower(steps, [&](std::int64_t n) { return with(n * step); });
}

// ---- passes

// A while behind the violation, for whoever looks at it; behind its end when the run sees one.
void Shrinker::truncate() {
  constexpr Duration margin = 5s;
  const check::Violation found = violation();
  const bool ends =
      found.id == PropertyId::B1 && later(found.at, found.length) < TrueTime{best_.duration};
  const Duration lasts = ends ? found.length : Duration{};
  const TrueTime seen = later(later(found.at, lasts), margin);
  const Duration whole = std::chrono::ceil<std::chrono::seconds>(seen.time_since_epoch());
  for (const Duration length : {whole, whole + 10s, whole + 60s}) {
    if (length >= best_.duration || length <= best_.warmup) continue;
    if (attempt_edit([&](Scenario& s) { s.duration = length; })) return;
  }
}

void Shrinker::drop_faults() {
  leave_out_blocks(
      [&] { return best_.faults.size(); },
      [&](std::size_t from, std::size_t to) { return attempt(without_faults(best_, from, to)); },
      1);
}

void Shrinker::drop_repetitions() {
  for (std::size_t i = 0; i < best_.faults.size(); ++i) {
    if (best_.faults[i].every) keep_one_occurrence(i);
    if (best_.faults[i].every) lower_count(i);
  }
}

// Of a fault that repeats, the one occurrence that matters; the last ones first.
void Shrinker::keep_one_occurrence(std::size_t fault) {
  constexpr std::size_t most = 20;
  std::vector<FaultOccurrence> occurrences = best_trial_.occurrences;
  std::erase_if(occurrences, [&](const FaultOccurrence& o) {
    return o.fault.value != fault || o.when.from > violation().at;
  });
  std::reverse(occurrences.begin(), occurrences.end());
  if (occurrences.size() > most) occurrences.resize(most);
  for (const FaultOccurrence& occurrence : occurrences) {
    const bool kept = attempt_edit([&](Scenario& s) {
      Fault& only = s.faults[fault];
      only.every.reset();
      only.count.reset();
      only.at = Distribution::constant(occurrence.when.from.time_since_epoch());
      if (only.duration && occurrence.when.to)
        only.duration = Distribution::constant(*occurrence.when.to - occurrence.when.from);
    });
    if (kept) return;
  }
}

void Shrinker::lower_count(std::size_t fault) {
  std::uint64_t seen = 0;
  for (const FaultOccurrence& o : best_trial_.occurrences) seen += o.fault.value == fault ? 1 : 0;
  const auto with = [&](std::int64_t count) {
    return count != 0 && attempt_edit([&](Scenario& s) {
             s.faults[fault].count = static_cast<std::uint64_t>(count);
           });
  };
  if (best_.faults[fault].count.value_or(seen + 1) > seen) with(static_cast<std::int64_t>(seen));
  if (best_.faults[fault].count) lower(static_cast<std::int64_t>(*best_.faults[fault].count), with);
}

// What was drawn for the faults is written into them.
void Shrinker::settle_faults() {
  for (std::size_t i = 0; i < best_.faults.size(); ++i) {
    settle_times(i);
    settle_kind(i);
  }
}

void Shrinker::settle_times(std::size_t fault) {
  attempt_edit([&](Scenario& s) { s.faults[fault].probability = Ratio{1, 1}; });
  const auto drawn = std::find_if(
      best_trial_.occurrences.begin(), best_trial_.occurrences.end(),
      [&](const FaultOccurrence& o) { return o.fault.value == fault && o.occurrence == 0; });
  if (drawn == best_trial_.occurrences.end()) return;
  const Stretch when = drawn->when;
  attempt_edit([&](Scenario& s) {
    s.faults[fault].at = Distribution::constant(when.from.time_since_epoch());
  });
  if (!best_.faults[fault].duration) return;
  // One that is not over at the end of the run may as well end behind it.
  const TrueTime to = when.to.value_or(TrueTime{best_.duration});
  attempt_edit(
      [&](Scenario& s) { s.faults[fault].duration = Distribution::constant(to - when.from); });
}

void Shrinker::settle_kind(std::size_t fault) {
  attempt_edit([&](Scenario& s) {
    if (auto* loss = std::get_if<scenario::Loss>(&s.faults[fault].kind)) loss->fraction = {1, 1};
    if (auto* delay = std::get_if<scenario::Delay>(&s.faults[fault].kind)) delay->jitter = {};
  });
  attempt_edit([&](Scenario& s) {
    if (auto* delay = std::get_if<scenario::Delay>(&s.faults[fault].kind))
      delay->latency = Distribution::constant(delay->latency.lower_bound());
    if (auto* crash = std::get_if<scenario::Crash>(&s.faults[fault].kind);
        crash != nullptr && crash->restart_delay)
      crash->restart_delay = Distribution::constant(crash->restart_delay->lower_bound());
  });
}

void Shrinker::drop_processes() {
  const auto removable = [&] {
    std::vector<std::string> processes = unnamed_processes(best_);
    std::erase_if(processes, [&](const std::string& name) {
      return name == signature_.who || name == signature_.other;
    });
    return processes;
  };
  leave_out_blocks([&] { return removable().size(); },
                   [&](std::size_t from, std::size_t to) {
                     const std::vector<std::string> all = removable();
                     const std::vector<std::string> gone{
                         all.begin() + static_cast<std::ptrdiff_t>(from),
                         all.begin() + static_cast<std::ptrdiff_t>(to)};
                     Renamed renamed = without_processes(best_, signature_, gone);
                     if (renamed.scenario.candidates.empty()) return false;
                     return attempt(std::move(renamed.scenario), renamed.signature);
                   },
                   1);
}

// Every draw at once: the least that a distribution can give, and clocks that are right.
void Shrinker::settle_distributions() {
  for (std::size_t i = 0; i < distributions_of(best_).size(); ++i) {
    attempt_edit([&](Scenario& s) {
      Distribution& d = *distributions_of(s)[i];
      d = Distribution::constant(d.lower_bound());
    });
  }
  for (std::size_t i = 0; i < best_.candidates.size(); ++i) {
    if (!has_random_clocks(best_.candidates[i])) continue;
    attempt_edit([&](Scenario& s) { s.candidates[i].clock = scenario::Clock{}; });
  }
}

// The first rounds leave the single ones alone: blocks are cheap, and what follows may leave fewer.
void Shrinker::drop_answers() {
  const auto count = [&] { return best_.choices->answers.size(); };
  const std::size_t least =
      std::max<std::size_t>(1, count() >> std::min<std::size_t>(4 + 2 * round_, 63));
  is_thorough_ = least == 1;
  leave_out_blocks(
      count,
      [&](std::size_t from, std::size_t to) { return attempt(without_answers(best_, from, to)); },
      least);
}

// Two delays of one stream as one: what is later than both stays where it was, so the phase between
// two processes needs no more draws than it takes to reach it.
void Shrinker::merge_answers() {
  for (std::size_t i = 0; i < best_.choices->answers.size() && !over();) {
    if (!merge_into_later(i)) ++i;
  }
}

bool Shrinker::merge_into_later(std::size_t i) {
  constexpr std::size_t most_tries = 4;
  const std::vector<scenario::Choice>& answers = best_.choices->answers;
  std::size_t tries = 0;
  for (std::size_t j = i + 1; j < answers.size() && tries < most_tries; ++j) {
    if (answers[j].stream != answers[i].stream) continue;
    ++tries;
    Scenario candidate = without_answers(best_, i, i + 1);
    candidate.choices->answers[j - 1].answer += answers[i].answer;
    if (attempt(std::move(candidate))) return true;
  }
  return false;
}

// An answer is searched in steps of the two thousandth part of its value, at least of one.
void Shrinker::lower_answers() {
  const std::vector<scenario::Choice> answers = best_.choices->answers;
  for (const scenario::Choice& choice : answers) {
    if (over()) return;
    const auto step = std::max<std::uint64_t>(1, choice.answer / 2048);
    lower(static_cast<std::int64_t>(choice.answer / step), [&](std::int64_t n) {
      return attempt_answer(choice, static_cast<std::uint64_t>(n) * step);
    });
  }
}

bool Shrinker::attempt_answer(const scenario::Choice& choice, std::uint64_t answer) {
  return attempt_edit([&](Scenario& s) {
    for (scenario::Choice& other : s.choices->answers) {
      if (other.stream == choice.stream && other.number == choice.number) other.answer = answer;
    }
  });
}

void Shrinker::shorten_faults() {
  for (std::size_t i = 0; i < best_.faults.size(); ++i) {
    if (is_instantaneous(best_.faults[i])) continue;
    if (!best_.faults[i].duration) give_duration(i);
    if (const auto duration = fixed_duration(best_.faults[i])) {
      lower_duration(*duration, [&](Duration shorter) {
        return attempt_edit(
            [&](Scenario& s) { s.faults[i].duration = Distribution::constant(shorter); });
      });
    }
    shorten_delay(i);
  }
}

// A fault that lasts until the end of the run may end with the violation.
void Shrinker::give_duration(std::size_t fault) {
  const auto begun = std::find_if(best_trial_.occurrences.begin(), best_trial_.occurrences.end(),
                                  [&](const FaultOccurrence& o) { return o.fault.value == fault; });
  if (begun == best_trial_.occurrences.end()) return;
  const TrueTime from = begun->when.from;
  const TrueTime first = violation().at;
  for (const TrueTime to : {first, later(first, violation().length)}) {
    if (to <= from) continue;
    const Duration whole = std::chrono::ceil<std::chrono::milliseconds>(to - from);
    if (attempt_edit(
            [&](Scenario& s) { s.faults[fault].duration = Distribution::constant(whole); }))
      return;
  }
}

void Shrinker::shorten_delay(std::size_t fault) {
  const auto* delay = std::get_if<scenario::Delay>(&best_.faults[fault].kind);
  if (delay == nullptr || !is_constant(delay->latency)) return;
  lower_duration(delay->latency.upper_bound(), [&](Duration shorter) {
    return attempt_edit([&](Scenario& s) {
      std::get<scenario::Delay>(s.faults[fault].kind).latency = Distribution::constant(shorter);
    });
  });
}

void Shrinker::align_faults() {
  for (std::size_t i = 0; i < best_.faults.size(); ++i) {
    if (!best_.faults[i].every && is_constant(best_.faults[i].at) &&
        fixed_duration(best_.faults[i]))
      align(i);
  }
}

// A fault that begins just before the next request of the process it hits can be shorter than one
// that begins earlier.
void Shrinker::align(std::size_t fault) {
  const Duration step = resolution_of(best_);
  const Duration at = best_.faults[fault].at.upper_bound();
  const std::vector<TrueTime> sends = sends_without(fault);
  const auto next = std::find_if(sends.begin(), sends.end(),
                                 [&](TrueTime send) { return send.time_since_epoch() > at; });
  if (next == sends.end()) return;
  const Duration due = next->time_since_epoch();
  for (const Duration begin : {due / step * step, due - Duration{1}, due}) {
    const Duration duration = *fixed_duration(best_.faults[fault]);
    if (duration <= step || begin <= best_.faults[fault].at.upper_bound()) continue;
    const bool aligned = attempt_edit([&](Scenario& s) {
      s.faults[fault].at = Distribution::constant(begin);
      s.faults[fault].duration = Distribution::constant(duration - step);
    });
    if (aligned) return;
  }
}

// When the processes that a fault hits would send their requests if it did not.
std::vector<TrueTime> Shrinker::sends_without(std::size_t fault) {
  std::vector<ProcessId> hit;
  for (const FaultOccurrence& o : best_trial_.occurrences) {
    if (o.fault.value == fault) hit.insert(hit.end(), o.hit.begin(), o.hit.end());
  }
  if (over()) return {};
  ++runs_;
  const Trial undisturbed = trial_of(without_faults(best_, fault, fault + 1), 0, options_->stop);
  std::vector<TrueTime> sends;
  for (const ProcessActs& sent : undisturbed.sends) {
    if (std::find(hit.begin(), hit.end(), sent.process) != hit.end()) sends.push_back(sent.at);
  }
  return sends;
}

void Shrinker::round_times() {
  for (std::size_t i = 0; i < best_.faults.size(); ++i) {
    for (const Duration grain : {Duration{1s}, Duration{500ms}, Duration{100ms}, Duration{1ms}}) {
      if (!is_constant(best_.faults[i].at) || grain < resolution_of(best_)) break;
      const Duration at = best_.faults[i].at.upper_bound();
      const Duration rounded = at / grain * grain;
      if (attempt_edit([&](Scenario& s) { s.faults[i].at = Distribution::constant(rounded); }))
        break;
    }
  }
}

// Whole renewals of the leader fewer before the first fault: the phase stays as it was.
void Shrinker::shift() {
  if (best_.faults.empty()) return measure_at_once();
  Duration first = longest_duration;
  for (const Fault& fault : best_.faults) {
    if (!is_constant(fault.at)) return;
    first = std::min(first, fault.at.upper_bound());
  }
  std::vector<TrueTime> writes;
  for (const ProcessActs& write : best_trial_.writes) {
    if (write.at.time_since_epoch() < first) writes.push_back(write.at);
  }
  for (std::size_t kept = 1; kept < writes.size(); kept *= 2) {
    const Stretch left_out{writes[kept - 1], writes.back()};
    if (attempt(shifted(left_out)) || attempt(renumbered(shifted(left_out), left_out))) return;
  }
}

// Without faults there is nothing to warm up for.
void Shrinker::measure_at_once() {
  attempt_edit([](Scenario& s) {
    s.duration -= s.warmup;
    s.warmup = {};
  });
}

// All faults earlier, by the length of a stretch.
Scenario Shrinker::shifted(const Stretch& left_out) const {
  Scenario candidate = best_;
  for (Fault& fault : candidate.faults) {
    const Duration at = fault.at.upper_bound() - (*left_out.to - left_out.from);
    fault.at = Distribution::constant(at);
    candidate.warmup =
        std::min(candidate.warmup, Duration{std::chrono::floor<std::chrono::seconds>(at)});
  }
  return candidate;
}

// The choices that belong to later requests move with them: whoever asks again and again draws once
// for each request that is left out.
Scenario Shrinker::renumbered(Scenario candidate, const Stretch& left_out) const {
  std::map<std::string, std::uint64_t> fewer;
  for (const ProcessActs& sent : best_trial_.sends) {
    if (sent.at <= left_out.from || sent.at > *left_out.to) continue;
    const std::string& name = best_trial_.setup->processes[sent.process.value].name;
    for (const std::string& stream : world::process_stream_names(name)) ++fewer[stream];
  }
  std::vector<scenario::Choice>& answers = candidate.choices->answers;
  std::erase_if(answers, [&](const scenario::Choice& choice) {
    return choice.number != 0 && choice.number < fewer[choice.stream];
  });
  for (scenario::Choice& choice : answers) {
    if (choice.number != 0) choice.number -= fewer[choice.stream];
  }
  return candidate;
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

}  // namespace

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
