// How far a failing script is from one that passes: everything else as it is, one value is lowered
// to where the violation disappears. That distance is the margin which the script is about.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include <tenure/base/time.hpp>
#include <tenure/run/trial.hpp>
#include <tenure/scenario/scenario.hpp>

namespace tenure::run {

struct Neighbour {
  enum class Changed : std::uint8_t { fault_duration, clock_offset, clock_rate, choice };

  Changed changed = Changed::fault_duration;
  std::string what;  // name of the fault or the group of candidates; stream and number of the draw
  Duration failing{};  // of a rate: what the clock gains in a second
  Duration passing{};  // the nearest one that was found, a step below
};

// Of each fault that has a duration, the longest one that passes. When no fault does, the same of
// the clocks that are wrong, and then of the listed delays of messages. What fails even at zero
// has no neighbour and is left out. `signature` is what the script shows; a neighbour does not
// violate that property at all. Takes some 15 runs for each value, and fewer at a threshold.
std::vector<Neighbour> nearest_passing(const scenario::Scenario& scenario,
                                       const Signature& signature,
                                       const std::atomic<bool>* stop = nullptr);

// "pause freeze 13.001s violates, 13s passes", the values in their unit.
std::string to_text(const Neighbour& neighbour);

}  // namespace tenure::run
