// Changes to a script that shrinking tries, and how scripts compare. Each gives a scenario that the
// loader would accept; whether it still fails is for a trial to say.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tenure/base/distribution.hpp>
#include <tenure/run/trial.hpp>
#include <tenure/scenario/scenario.hpp>

namespace tenure::run {

// How large a script is: (faults, processes, draws that are not the simplest, total duration of
// faults, run length, sum of times, sum of answers). A repeating fault counts once for each
// repetition it may have; a distribution that still stands counts as a draw.
using Size = std::array<std::int64_t, 7>;
Size size_of(const scenario::Scenario& scenario);

// Without the faults that stand at [from, to).
scenario::Scenario without_faults(scenario::Scenario scenario, std::size_t from, std::size_t to);

// Without the choices that stand at [from, to).
scenario::Scenario without_answers(scenario::Scenario scenario, std::size_t from, std::size_t to);

// The processes that no fault names.
std::vector<std::string> unnamed_processes(const scenario::Scenario& scenario);

// A script, and what it has to show under its names.
struct Renamed {
  scenario::Scenario scenario;
  Signature signature;
};

// Without some processes. The replicas of a group are numbered from 0, so those behind a gap move
// down; their nodes, their choices, the faults that name them and the signature move with them.
Renamed without_processes(const scenario::Scenario& scenario,
                          const Signature& signature,
                          const std::vector<std::string>& gone);

// Whether it is over as soon as it has begun.
bool is_instantaneous(const scenario::Fault& fault);

// Whether it can give one value only.
bool is_constant(const Distribution& distribution);

// The distributions that are drawn from again and again, or once per process: of the network and of
// the candidates, but for their clocks.
std::vector<Distribution*> distributions_of(scenario::Scenario& scenario);

// Whether the clocks of a group differ from run to run.
bool has_random_clocks(const scenario::Candidates& group);

// The duration of a fault when it is one and the same in all of its occurrences.
std::optional<Duration> fixed_duration(const scenario::Fault& fault);

// What the second script has less of than the first: "3 processes -> 2, freeze 20s -> 13.5s".
std::string difference_text(const scenario::Scenario& before, const scenario::Scenario& after);

}  // namespace tenure::run
