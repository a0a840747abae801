#include <cstddef>
#include <cstdint>
#include <vector>

#include <tenure/base/assert.hpp>
#include <tenure/record/recorder.hpp>
#include <tenure/world/world.hpp>

#include "turn.hpp"

namespace tenure::world {
namespace {

class UnaskedOracle final : public Oracle {
 public:
  std::uint64_t pick(Draw, std::uint64_t) override {
    TENURE_ASSERT(false, "setting a wake-up decides nothing");
    return 0;
  }
};

}  // namespace

std::vector<kernel::EventKey> next_events(World& world) {
  std::vector<kernel::EventKey> keys;
  world.agenda.next_ones(keys);
  return keys;
}

void handle(World& world, kernel::EventKey key, Oracle& oracle, record::Recorder& recorder) {
  const bool goes_on = begins_event(world, key.at);
  TENURE_ASSERT(goes_on, "somebody else looks for a standstill");
  const Event event = world.agenda.take(key);
  hash_event(world, event);
  Turn turn{world, *world.setup, oracle, recorder, recorder.wants_messages()};
  happen_any(turn, event);
}

void arm_all(World& world) {
  UnaskedOracle oracle;
  record::NobodyListens nobody;
  Turn turn{world, *world.setup, oracle, nobody, false};
  for (std::uint32_t i = 0; i < world.processes.size(); ++i) arm(turn, ProcessId{i});
}

void begin_fault(World& world, FaultId fault, Oracle& oracle, record::Recorder& recorder) {
  ++world.events;
  hash_event(world, FaultBegins{fault, world.faults[fault.value].begun});
  Turn turn{world, *world.setup, oracle, recorder, recorder.wants_messages()};
  begin_chosen(turn, fault);
}

bool step_on_grid(World& world, Oracle& oracle, record::Recorder& recorder) {
  const std::vector<kernel::EventKey> due = next_events(world);
  const std::uint64_t chosen =
      due.size() == 1 ? 0
                      : oracle.pick({world.setup->grid->order, world.order.next()}, due.size() - 1);
  if (world.events_at_once >= most_events_at_once && due[chosen].at == world.now) {
    world.stalled = true;
    return false;
  }
  handle(world, due[chosen], oracle, recorder);
  return true;
}

}  // namespace tenure::world
