// What plain C++ can do on this machine, as JSON rows: the HOLD model on a winner tree and the
// lease election W2. The gates of the engine are ratios to these figures from the same run, because
// machines differ. Both models were first measured in the project's design study, beside other
// queues; the winner tree was the fastest of them at the few pending events an election has.
#include <cstdint>
#include <cstdio>

#include "cpu_clock.hpp"
#include "hold.hpp"
#include "plain_election.hpp"

namespace {

using namespace yardstick;

void print_row(const char* name, const char* unit, double value) {
  std::printf("{\"name\":\"%s\",\"unit\":\"%s\",\"value\":%.6g}\n", name, unit, value);
}

double failover_seconds(const Counts& counts) {
  return static_cast<double>(counts.failover_sum) / static_cast<double>(counts.failovers) * 1e-9;
}

void measure_hold() {
  constexpr Slot pending = 64;
  constexpr int steps = 4'000'000;
  const auto table = exponential_increments();
  WinnerTree<pending> queue;
  std::size_t next = 0;
  for (Slot slot = 0; slot < pending; ++slot) queue.set(slot, table[next++ % increments]);

  WinnerTree<pending>::Taken taken{};
  std::uint64_t order = 0;
  auto run = [&](int count) {
    for (int i = 0; i < count; ++i) {
      queue.take(taken);
      order = order * 31 + taken.slot;
      queue.set(taken.slot, taken.at + table[next++ % increments]);
    }
  };
  run(steps / 4);
  const double begin = cpu_seconds();
  run(steps);
  print_row("plain-hold-64", "ns", (cpu_seconds() - begin) / steps * 1e9);
  // The same on every machine; it also keeps the loop from being optimised away.
  print_row("plain-hold-64-order", "hash mod 1e6", static_cast<double>(order % 1'000'000));
}

void measure_days() {
  constexpr int days = 20;
  Counts counts;
  const double begin = cpu_seconds();
  for (std::uint64_t seed = 1; seed <= days; ++seed) {
    counts += PlainElection(seed, 300 * second, 300 * second).run_until(day);
  }
  const double seconds = cpu_seconds() - begin;
  print_row("plain-w2", "ns", seconds / static_cast<double>(counts.events) * 1e9);
  print_row("plain-w2-events", "1/day", static_cast<double>(counts.events) / days);
  print_row("plain-w2-elections", "1/day", static_cast<double>(counts.elections) / days);
  print_row("plain-w2-failover", "s", failover_seconds(counts));
}

void measure_five_minute_runs() {
  constexpr std::uint64_t runs = 200'000;
  Counts counts;
  const double begin = cpu_seconds();
  for (std::uint64_t run = 0; run < runs; ++run) {
    const Nanoseconds kill = 60 * second + Random(run ^ 0xabcdef).below(60 * second);
    counts += PlainElection(run + 1, kill, 0).run_until(300 * second);
  }
  const double seconds = cpu_seconds() - begin;
  print_row("plain-five-minute-runs", "1/cpu-s", static_cast<double>(runs) / seconds);
  print_row("plain-five-minute-events", "1/run", static_cast<double>(counts.events) / runs);
  print_row("plain-five-minute-failover", "s", failover_seconds(counts));
}

}  // namespace

int main() {
  measure_hold();
  measure_days();
  measure_five_minute_runs();
}
