// How far a clock may be from true time.
#pragma once

#include <cstdint>

namespace tenure::scenario {

// Local seconds per true second, of a scenario and of what a setting is asked to withstand. Clocks
// of a factor two apart are far beyond any that a lease could survive.
inline constexpr std::int64_t fastest_clock = 2;

}  // namespace tenure::scenario
