// Exact ratios: whatever decides in the simulation is computed without floating point.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>

#include <tenure/base/time.hpp>

namespace tenure {

// A non-negative fraction; the denominator is positive. Probabilities, factors.
struct Ratio {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;

  friend bool operator==(const Ratio&, const Ratio&) = default;
};

// floor(duration x ratio), clamped to int64.
constexpr Duration scaled(Duration duration, Ratio ratio) {
  __extension__ using Wide = __int128;
  Wide product = static_cast<Wide>(duration.count()) * ratio.numerator;
  Wide quotient = product / ratio.denominator;
  if (product % ratio.denominator < 0) --quotient;
  constexpr Wide least = std::numeric_limits<std::int64_t>::min();
  constexpr Wide most = std::numeric_limits<std::int64_t>::max();
  return Duration{static_cast<std::int64_t>(std::clamp(quotient, least, most))};
}

}  // namespace tenure
