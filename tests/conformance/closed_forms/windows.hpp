// When the faults of these tests begin: at an instant of the leader's cycle that is uniformly
// random, after the followers' processes have become stationary.
#pragma once

#include <string>

#include <support/experiments.hpp>

namespace tenure::test {

// Uniform over one renewal period (at zero latency), 20 of them after the start.
inline std::string in_the_cycle(const Timing& t) {
  return "at: {uniform: [" + seconds(20.0 * t.retry) + ", " + seconds(21.0 * t.retry) + "]}";
}

// A run that is long enough for what began there to end, and for any failover after it.
inline double length_with(const Timing& t, double duration = 0) {
  return 21.0 * t.retry + duration + t.lease + 4.5 * t.retry;
}

}  // namespace tenure::test
