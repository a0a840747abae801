// What every peer prints about its simulated days, in the names scripts/bench looks for.
#pragma once

#include <cstdint>
#include <cstdio>
#include <random>

namespace peers {

struct Counts {
  std::uint64_t events = 0;
  std::uint64_t elections = 0;
  std::uint64_t failovers = 0;
  double failover_sum = 0;
};

inline void print_rows(const char* peer, const Counts& counts, double cpu_seconds, double days) {
  const auto events = static_cast<double>(counts.events);
  const auto row = [peer](const char* name, const char* unit, double value) {
    std::printf("{\"name\":\"%s-w2%s\",\"unit\":\"%s\",\"value\":%.6g}\n", peer, name, unit, value);
  };
  row("", "ns", cpu_seconds / events * 1e9);
  row("-events", "1/day", events / days);
  row("-elections", "1/day", static_cast<double>(counts.elections) / days);
  row("-failover", "s", counts.failover_sum / static_cast<double>(counts.failovers));
}

// Uniform in [0, 1).
inline double uniform(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

}  // namespace peers
