#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <variant>

#include <tenure/run/shrink.hpp>

#include "edits.hpp"
#include "shrinker.hpp"

namespace tenure::run {

using namespace std::chrono_literals;
using check::PropertyId;
using scenario::Fault;
using scenario::Scenario;

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

}  // namespace tenure::run
