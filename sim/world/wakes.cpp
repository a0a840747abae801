#include <cstdint>
#include <utility>

#include <tenure/world/world.hpp>

#include "turn.hpp"

namespace tenure::world {
namespace {

// When a local delay is over, at the earliest and at the latest.
std::pair<TrueTime, TrueTime> true_range(Turn& turn, ProcessId id, elect::DelayRange delay) {
  const Process& process = turn.process(id);
  if (const auto& drift = turn.setup.candidate_of(id).drift) {
    constexpr std::int64_t second = Duration{std::chrono::seconds{1}}.count();
    delay.min = scaled(delay.min, {second, second + drift->most.count()});
    // Rounded up: scaled rounds down.
    delay.max = longer(scaled(delay.max, {second, second + drift->least.count()}), Duration{1});
  }
  const MonoTime now = turn.local(id).mono;
  return {process.clock.true_of(later(now, delay.min)),
          process.clock.true_of(later(now, delay.max))};
}

// The tick at or after an instant. A clock that is not perfect shows the times of timers to the
// nanosecond only.
TrueTime tick_of(const Turn& turn, TrueTime at) {
  if (!turn.setup.grid || at == never<TrueTime>) return at;
  const Duration tick = turn.setup.grid->tick;
  const Duration into = at.time_since_epoch() % tick;
  return into == Duration{0} ? at : later(at, tick - into);
}

}  // namespace

MonoTime due_after(Turn& turn, ProcessId id, elect::DelayRange delay) {
  Process& process = turn.process(id);
  const MonoTime now = turn.local(id).mono;
  const auto pick = [&](std::uint64_t range) {
    const Draw draw{turn.name(id).streams.jitter, process.draws.jitter.next()};
    return static_cast<std::int64_t>(turn.oracle.pick(draw, range));
  };
  if (!turn.setup.grid) {
    if (delay.max <= delay.min) return later(now, delay.min);
    const auto range = static_cast<std::uint64_t>((delay.max - delay.min).count());
    return later(now, delay.min + Duration{pick(range)});
  }
  const auto [first, last] = true_range(turn, id, delay);
  if (last == never<TrueTime>) return never<MonoTime>;
  const Duration tick = turn.setup.grid->tick;
  const std::int64_t low = (first - turn.world.now) / tick;
  const std::int64_t high = ((last - turn.world.now) + tick - Duration{1}) / tick;
  const std::int64_t ticks = high == low ? low : low + pick(static_cast<std::uint64_t>(high - low));
  return process.clock.local(turn.world.now + tick * ticks).mono;
}

void arm(Turn& turn, ProcessId id) {
  Process& process = turn.process(id);
  const bool may_wake = process.is_alive() && !process.is_frozen();
  const TrueTime at =
      may_wake ? tick_of(turn, process.clock.true_of(process.timers.first_due())) : never<TrueTime>;
  kernel::Agenda<Event>& agenda = turn.world.agenda;
  if (at == never<TrueTime>) {
    if (process.wake.pending()) agenda.cancel(process.wake);
    process.wake = {};
  } else if (!process.wake.pending()) {
    process.wake = agenda.post(at, ProcessWakes{id});
  } else if (process.wake.at != at) {
    process.wake = agenda.reschedule(process.wake, at);
  }
}

}  // namespace tenure::world
