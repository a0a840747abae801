// From a run that fails to the smallest script that fails in the same way.
//
// All random answers of the run are written down first; shrinking then edits the scenario and this
// list, never the seed, so that every step is a run by construction. What counts as smaller is
//
//   (faults, candidates, draws that are not the simplest, total duration of the faults,
//    run length, sum of times, sum of answers), compared in this order,
//
// and only what is strictly smaller is accepted, so that it ends. The electors are part of the
// question and are never changed. The replicas of a group are numbered from 0, so when one in
// between goes, those behind it move down and take their choices along: what web-0 and web-2 did,
// web-0 and web-1 do in the result.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <tenure/check/property.hpp>
#include <tenure/run/trial.hpp>
#include <tenure/scenario/scenario.hpp>

namespace tenure::run {

struct ShrinkOptions {
  std::uint64_t budget = 2000;  // runs, not seconds: the result is the same on every machine
  const std::atomic<bool>* stop = nullptr;  // set from outside: end with the smallest so far
  std::function<void(std::uint64_t runs)> progress;  // called after every run
};

// What one pass came to.
struct ShrinkStep {
  std::string pass;    // "faults"
  std::string change;  // "2 faults -> 1"
  std::uint64_t runs = 0;
};

struct Shrunk {
  scenario::Scenario scenario;  // the script of the smallest failing run
  Signature signature;          // under the names of that script
  check::Violation violation;
  std::string story;         // it in one sentence
  std::string story_before;  // as it was before shrinking
  std::vector<ShrinkStep> log;
  std::uint64_t runs = 0;
  bool out_of_budget = false;
  bool interrupted = false;
};

// Shrinks run `number` of a scenario; one with `choices` has only that one. Of several properties
// that the run violates it keeps the one that the scenario lists and that is violated first, or
// the first of all where it lists none of them. Nothing: the run violates nothing.
std::optional<Shrunk> shrink(const scenario::Scenario& scenario,
                             std::uint64_t number,
                             const ShrinkOptions& options = {});

}  // namespace tenure::run
