// The agenda through its public interface, on the HOLD model the yardstick runs: 64 events pending,
// one step takes the earliest and posts it again. Prints the row `agenda-64`.
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include <tenure/base/time.hpp>
#include <tenure/kernel/agenda.hpp>

#include "yardstick/cpu_clock.hpp"
#include "yardstick/hold.hpp"

namespace {

// As wide as a small message that travels in an event.
struct Happening {
  std::uint32_t who = 0;
  std::uint32_t what = 0;
  std::uint64_t payload[4] = {};
};

void print_row(const char* name, const char* unit, double value) {
  std::printf("{\"name\":\"%s\",\"unit\":\"%s\",\"value\":%.6g}\n", name, unit, value);
}

}  // namespace

int main() {
  constexpr std::uint32_t pending = 64;
  constexpr int steps = 4'000'000;
  const auto table = yardstick::exponential_increments();
  std::size_t next = 0;
  const auto increment = [&] { return tenure::Duration{table[next++ % yardstick::increments]}; };

  tenure::kernel::Agenda<Happening> agenda;
  for (std::uint32_t who = 0; who < pending; ++who) {
    agenda.post(tenure::TrueTime{increment()}, Happening{.who = who});
  }
  std::uint64_t order = 0;
  const auto run = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const auto [key, event] = agenda.take();
      order = order * 31 + event.who;
      agenda.post(key.at + increment(), event);
    }
  };
  run(steps / 4);
  const double begin = yardstick::cpu_seconds();
  run(steps);
  print_row("agenda-64", "ns", (yardstick::cpu_seconds() - begin) / steps * 1e9);
  // Equal to the yardstick's: the same events were taken in the same order.
  print_row("agenda-64-order", "hash mod 1e6", static_cast<double>(order % 1'000'000));
}
