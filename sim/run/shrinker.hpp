// Shrinking at work. The passes are in shrink_passes.cpp; what they share is here.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tenure/run/shrink.hpp>

#include "edits.hpp"

namespace tenure::run {

// One attempt after the other at a smaller script; `best` is the smallest that failed.
class Shrinker {
 public:
  Shrinker(scenario::Scenario script,
           Trial trial,
           Signature signature,
           const ShrinkOptions& options)
      : options_(&options), runs_(1), best_(std::move(script)), signature_(std::move(signature)) {
    accept(std::move(trial));
  }

  void run();
  Shrunk result() &&;

 private:
  bool over();
  void accept(Trial trial);
  bool attempt(scenario::Scenario candidate);
  bool attempt(scenario::Scenario candidate, const Signature& expected);

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
  void log(std::string pass, const scenario::Scenario& before, std::uint64_t runs_before);

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
  scenario::Scenario shifted(const Stretch& left_out) const;
  scenario::Scenario renumbered(scenario::Scenario candidate, const Stretch& left_out) const;
  std::vector<TrueTime> sends_without(std::size_t fault);

  check::Violation violation() const { return *best_trial_.findings.first(signature_.id); }

  const ShrinkOptions* options_;
  std::uint64_t runs_;
  scenario::Scenario best_;
  Trial best_trial_;
  Signature signature_;
  std::size_t round_ = 0;
  bool is_thorough_ = false;  // the last round left out single answers, not only blocks
  bool interrupted_ = false;
  std::vector<ShrinkStep> log_;
};

template <class Edit>
bool Shrinker::attempt_edit(Edit edit) {
  // A script can be long, so nothing is copied in vain.
  if (over()) return false;
  scenario::Scenario candidate = best_;
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

}  // namespace tenure::run
