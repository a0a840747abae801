// CPU time of this process, so that a busy machine does not spoil the figures.
#pragma once

#include <ctime>

namespace yardstick {

inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace yardstick
