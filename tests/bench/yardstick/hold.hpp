// HOLD, the classic model of an event queue (Vaucher and Duval 1975): a fixed number of events is
// always pending; one step takes the earliest and posts it again after an exponential increment.
// The increments come from a table, so that no random-number cost is in the figure.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace yardstick {

constexpr std::size_t increments = 1 << 16;

// Exponential with mean 1 ms, cut at 20 means, in nanoseconds.
inline std::vector<std::uint32_t> exponential_increments() {
  std::vector<std::uint32_t> table(increments);
  std::uint64_t state = 88172645463325252;
  for (auto& increment : table) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    const double uniform = (static_cast<double>(state >> 11) + 0.5) * 0x1p-53;
    increment = static_cast<std::uint32_t>(std::min(-std::log(uniform), 20.0) * 1e6);
  }
  return table;
}

}  // namespace yardstick
