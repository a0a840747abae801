// One run of a script - a scenario whose draws are written down in `choices` - looked at closely
// enough to say what a violation was about and what could be changed. Shrinking and the search for
// neighbours are made of trials.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tenure/base/oracle.hpp>
#include <tenure/base/time.hpp>
#include <tenure/check/property.hpp>
#include <tenure/record/recorder.hpp>
#include <tenure/scenario/scenario.hpp>
#include <tenure/world/setup.hpp>

namespace tenure::run {

// What a violation is about. Two runs with equal signatures show the same problem; with the
// property alone, a search would wander from one problem to another.
struct Signature {
  // Of two believers: whether they ever run at the same time, or one of them is frozen throughout.
  enum class Overlap : std::uint8_t { none, frozen, running };

  check::PropertyId id = check::PropertyId::B1;
  std::string who;    // process names; empty: nobody in particular
  std::string other;  // in alphabetical order, because it does not matter who was first
  Overlap overlap = Overlap::none;

  friend bool operator==(const Signature&, const Signature&) = default;
};

// A part of a run, from a time on and until a later one; none: until its end.
struct Stretch {
  TrueTime from{};
  std::optional<TrueTime> to;
};

struct FrozenProcess {
  ProcessId process;
  Stretch when;
};

struct FaultOccurrence {
  FaultId fault;
  std::uint32_t occurrence = 0;
  Stretch when;
  std::vector<ProcessId> hit;
};

// A request that was sent, or a write to the Lease that was applied.
struct ProcessActs {
  ProcessId process;
  TrueTime at{};
};

struct Trial {
  std::shared_ptr<const world::Setup> setup;
  bool complete = false;  // neither stopped from outside nor standing still
  check::Findings findings;
  std::vector<Answered> choices;  // in the order of the questions
  std::vector<FrozenProcess> frozen;
  std::vector<FaultOccurrence> occurrences;
  std::vector<ProcessActs> sends;
  std::vector<ProcessActs> writes;
};

// Makes the run that the choices of a scenario describe; without choices, run `number` of its seed.
// `also` hears its facts too.
Trial trial_of(const scenario::Scenario& scenario,
               std::uint64_t number = 0,
               const std::atomic<bool>* stop = nullptr,
               record::Recorder* also = nullptr);

// Of the first violation of a property in a trial; nothing: there is none.
std::optional<Signature> signature_of(const Trial& trial, check::PropertyId id);

// The same of one violation.
Signature signature_of(const Trial& trial, const check::Violation& violation);

// The answers of a trial that are not the simplest, as what a script lists.
std::vector<scenario::Choice> answers_of(const Trial& trial);

// How fine times are searched: a millisecond, or the tick of a script that is on a grid.
Duration resolution_of(const scenario::Scenario& scenario);

}  // namespace tenure::run
