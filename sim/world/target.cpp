#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "turn.hpp"

namespace tenure::world {
namespace {

using fault::Target;

bool is_lease_holder(Turn& turn, ProcessId id) {
  const api::Lease* lease = turn.world.server.find(turn.setup.lease);
  return lease != nullptr && !lease->spec.holder.empty() && turn.identity(id) == lease->spec.holder;
}

bool is_meant(Turn& turn, const Target& target, ProcessId id) {
  const Process& process = turn.process(id);
  switch (target.kind) {
    case Target::Kind::leader:
      return process.is_alive() && is_lease_holder(turn, id);
    case Target::Kind::followers:
      return process.is_alive() && !is_lease_holder(turn, id);
    case Target::Kind::believers:
      return process.is_alive() && process.believes;
    case Target::Kind::process:
      return id.value == target.index;
    case Target::Kind::node:
      return process.node.value == target.index;
    case Target::Kind::zone:
      return turn.setup.topology.is_in_zone(process.node, target.index);
    case Target::Kind::all:
    case Target::Kind::api_server:
      return true;
  }
  return false;
}

// How many of `found` a mode picks; percentages are rounded down, as in Chaos Mesh.
std::size_t how_many(Turn& turn, const Target& target, Draw draw, std::size_t found) {
  const auto percent = [&](std::uint64_t p) { return static_cast<std::size_t>(found * p / 100); };
  switch (target.mode) {
    case Target::Mode::all:
      return found;
    case Target::Mode::one:
      return std::min<std::size_t>(1, found);
    case Target::Mode::fixed:
      return std::min<std::size_t>(target.value, found);
    case Target::Mode::fixed_percent:
      return percent(target.value);
    case Target::Mode::random_max_percent:
      return percent(turn.oracle.pick(draw, target.value));
  }
  return found;
}

}  // namespace

std::vector<ProcessId> resolve(Turn& turn, FaultId id) {
  const fault::Fault& fault = turn.setup.faults[id.value];
  std::vector<ProcessId> found;
  for (std::uint32_t i = 0; i < turn.world.processes.size(); ++i) {
    if (is_meant(turn, fault.target, ProcessId{i})) found.push_back(ProcessId{i});
  }
  const Stream stream = turn.setup.fault_streams[id.value].target;
  Counter& draws = turn.world.faults[id.value].target;
  const auto next = [&] { return Draw{stream, draws.next()}; };
  const bool draws_number = fault.target.mode == Target::Mode::random_max_percent;
  const std::size_t wanted =
      how_many(turn, fault.target, draws_number ? next() : Draw{}, found.size());
  if (wanted == found.size()) return found;
  // The first `wanted` of a shuffle, then in order again.
  for (std::size_t i = 0; i < wanted; ++i) {
    std::swap(found[i], found[i + turn.oracle.pick(next(), found.size() - 1 - i)]);
  }
  found.resize(wanted);
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace tenure::world
