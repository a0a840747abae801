#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <tenure/base/assert.hpp>
#include <tenure/base/variant.hpp>
#include <tenure/explore/state.hpp>

#include "state_reader.hpp"

namespace tenure::explore {

void StateCodec::decode(std::string_view code, State& out) const {
  out.world = fresh_;
  out.granted = 0;
  World& world = out.world;
  Reader reader{*this, code, world};
  if (has_phase()) {
    world.now = TrueTime{setup_->grid->tick * static_cast<std::int64_t>(reader.number())};
  }
  read_roll(world, reader);
  bool is_stored = false;
  reader(is_stored);
  if (is_stored) {
    api::Lease lease;
    reader(lease);
    world.server = api::Server::holding(setup_->lease, lease);
  }
  for (std::uint32_t i = 0; i < world.processes.size(); ++i) read_process(out, i, reader);
  read_pending(world, reader);
  read_faults(world, reader);
  TENURE_ASSERT(reader.at_end(), "a code ends where its state does");
  world::arm_all(world);
}

void StateCodec::read_roll(World& world, Reader& reader) const {
  for (std::uint32_t i = 0; i < world.processes.size(); ++i) {
    Process& process = world.processes[i];
    process.starts = reader.small();
    process.clock.since = world.now;
    process.clock.mono = mono_base;
    process.clock.wall = true_wall(world.now);
    process.clock.rate = rates_[i];
    if (reads_renew_times_) {
      process.clock.wall += std::chrono::microseconds{reader.signed_number()};
    } else if (!is_drift_free(process)) {
      process.clock.wall = WallTime{std::chrono::floor<std::chrono::seconds>(
                               process.clock.wall.time_since_epoch())} +
                           std::chrono::microseconds{reader.number()};
    }
  }
}

void StateCodec::read_process(State& out, std::uint32_t index, Reader& reader) const {
  Process& process = out.world.processes[index];
  world::LinkState& link = out.world.links[index];
  const std::uint32_t open = reader.small();
  process.state = static_cast<world::RunState>(open >> 4);
  link = {(open & 1U) != 0, (open & 2U) != 0, (open & 4U) != 0, (open & 8U) != 0};
  if (nodes_matter_) {
    reader(process.node.value);
    reader(process.moves_to.value);
  }
  if (!process.is_alive()) return;
  reader.of(process);
  std::visit([&](auto& elector) { reader(elector); }, process.elector);
  reader(process.timers);
  const std::uint32_t flags = reader.small();
  process.call_is_open = (flags & 1U) != 0;
  process.open_call = process.call_is_open ? RequestId{awaited_request} : RequestId{};
  process.believes = (flags & 2U) != 0;
  process.stop_is_held = (flags & 4U) != 0;
  if ((flags & 8U) != 0) out.granted |= 1U << index;
  process.sees_itself_leading = elect::is_leader(process.elector);
  if ((flags & 16U) == 0) return;
  process.pauses = static_cast<std::uint16_t>(reader.number());
  process.stopped_clocks = static_cast<std::uint16_t>(reader.number());
  process.clock.mono_stopped = process.stopped_clocks != 0;
}

void StateCodec::read_pending(World& world, Reader& reader) const {
  const std::uint64_t count = reader.number();
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t kind = reader.number();
    TrueTime at;
    reader(at);
    if (kind == 5 || kind == 6) {
      const FaultId fault{reader.small()};
      const std::uint32_t occurrence = reader.small();
      if (kind == 5) {
        world.agenda.post(at, world::FaultBegins{fault, occurrence}, kernel::Precedence::fault);
      } else {
        world.agenda.post(at, world::FaultEnds{fault, occurrence}, kernel::Precedence::fault);
      }
      continue;
    }
    const ProcessId id = reader.process();
    const Process& process = world.processes[id.value];
    if (kind == 3) {
      world.agenda.post(at, world::ProcessStarts{id});
    } else if (kind == 4) {
      world.agenda.post(at, world::ProcessEnds{id, process.incarnation()});
    } else {
      read_message(world, static_cast<MessageKind>(kind), at, id, reader);
    }
  }
}

void StateCodec::read_message(World& world,
                              MessageKind kind,
                              TrueTime at,
                              ProcessId id,
                              Reader& reader) const {
  const std::uint32_t incarnation = reader.incarnation(id);
  bool awaited = false;
  reader(awaited);
  const RequestId request{awaited ? awaited_request : other_request};
  if (kind == MessageKind::request) {
    world::RequestArrives arrives{id, incarnation, request, 0, {}, {}};
    arrives.payload.key = setup_->lease;
    reader(arrives.payload.verb);
    if (arrives.payload.verb != api::Verb::get) reader(arrives.payload.body);
    world.agenda.post(at, arrives);
    return;
  }
  world::ReplyArrives arrives{id, incarnation, request, {}};
  reader(arrives.payload.outcome);
  reader(arrives.payload.lease);
  if (kind == MessageKind::reply) {
    world.agenda.post(at, arrives);
  } else {
    world.held_replies.push_back(arrives);
  }
}

void StateCodec::read_faults(World& world, Reader& reader) const {
  if (setup_->faults.empty()) return;
  for (std::uint32_t i = 0; i < world.faults.size(); ++i) {
    const fault::Fault& fault = setup_->faults[i];
    if (fault.at_any && fault.count) world.faults[i].begun = reader.small();
    if (fault.most_lost) world.faults[i].used = reader.small();
    if (fault.probability != Ratio{1, 1}) reader(world.faults[i].happens);
  }
  const std::uint64_t active = reader.number();
  for (std::uint64_t i = 0; i < active; ++i) {
    const FaultId fault{reader.small()};
    const std::uint32_t occurrence = reader.small();
    world.active.push_back({fault, occurrence});
    const fault::Fault& plan = setup_->faults[fault.value];
    if (plan.at_any && !plan.count) ++world.faults[fault.value].begun;
  }
  const std::uint64_t hits = reader.number();
  for (std::uint64_t i = 0; i < hits; ++i) {
    world::Hit hit;
    hit.fault = FaultId{reader.small()};
    hit.occurrence = reader.small();
    hit.process = reader.process();
    bool is_present = false;
    reader(is_present);
    hit.incarnation = is_present ? world.processes[hit.process.value].incarnation() : gone;
    world.hits.push_back(hit);
  }
}

}  // namespace tenure::explore
