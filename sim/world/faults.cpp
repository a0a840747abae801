#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <tenure/net/topology.hpp>

#include "turn.hpp"

namespace tenure::world {
namespace {

using fault::Fault;
using fault::Type;

const Fault& fault_of(Turn& turn, FaultId id) {
  return turn.setup.faults[id.value];
}

// ---- links

bool is_place(fault::Target::Kind kind) {
  using Kind = fault::Target::Kind;
  return kind == Kind::node || kind == Kind::zone || kind == Kind::api_server;
}

net::Place place_of(const net::Topology& topology, const fault::Target& target) {
  switch (target.kind) {
    case fault::Target::Kind::node:
      return topology.place(NodeId{target.index});
    case fault::Target::Kind::zone:
      return topology.zone_place(target.index);
    default:
      return topology.api_server();
  }
}

// Which ways a partition closes. Directions are seen from the target: what the API server sends are
// the responses.
bool closes_requests(const Fault& fault) {
  const bool at_server = fault.target.kind == fault::Target::Kind::api_server;
  return fault.direction != (at_server ? fault::Direction::to : fault::Direction::from);
}
bool closes_responses(const Fault& fault) {
  const bool at_server = fault.target.kind == fault::Target::Kind::api_server;
  return fault.direction != (at_server ? fault::Direction::from : fault::Direction::to);
}

net::Cut cut_of(Turn& turn, const Fault& fault) {
  return {place_of(turn.setup.topology, fault.target), closes_requests(fault),
          closes_responses(fault)};
}

// Cuts that stand at a place of the topology; those of single processes are applied to their names.
std::vector<net::Cut> standing_cuts(Turn& turn) {
  std::vector<net::Cut> cuts;
  for (const ActiveFault& active : turn.world.active) {
    const Fault& fault = fault_of(turn, active.fault);
    if (fault.type != Type::partition || !fault.cuts_api || !is_place(fault.target.kind)) continue;
    cuts.push_back(cut_of(turn, fault));
  }
  return cuts;
}

void record_connection(Turn& turn, ProcessId id, const LinkState& before) {
  const LinkState& link = turn.world.links[id.value];
  if (link.cut_off == before.cut_off && link.disturbed == before.disturbed) return;
  turn.record(record::ConnectionChanged{id, link.cut_off, link.disturbed});
}

bool is_of_the_network(Type type) {
  return type == Type::partition || type == Type::delay || type == Type::loss ||
         type == Type::api_outage;
}

// ---- what each type does when it begins

// The next node that is not drained itself; the same one where there is no other.
NodeId other_node(const Setup& setup, NodeId from, const std::vector<NodeId>& drained) {
  const auto nodes = static_cast<std::uint32_t>(setup.topology.nodes());
  for (std::uint32_t step = 1; step < nodes; ++step) {
    const NodeId node{(from.value + step) % nodes};
    if (std::find(drained.begin(), drained.end(), node) == drained.end()) return node;
  }
  return from;
}

// A drain empties nodes: whoever else runs on the node of a target goes too.
std::vector<ProcessId> on_the_nodes_of(Turn& turn, const std::vector<ProcessId>& targets) {
  std::vector<ProcessId> all;
  for (std::uint32_t i = 0; i < turn.world.processes.size(); ++i) {
    const NodeId node = turn.world.processes[i].node;
    const bool drained = std::any_of(targets.begin(), targets.end(),
                                     [&](ProcessId id) { return turn.process(id).node == node; });
    if (drained) all.push_back(ProcessId{i});
  }
  return all;
}

void drain(Turn& turn, const Fault& fault, const std::vector<ProcessId>& processes) {
  std::vector<NodeId> drained;
  for (const ProcessId id : processes) drained.push_back(turn.process(id).node);
  for (const ProcessId id : processes) {
    Process& process = turn.process(id);
    process.moves_to = other_node(turn.setup, process.node, drained);
    if (process.state != RunState::running) continue;
    terminate(turn, id, fault.grace_period.value_or(turn.setup.candidate_of(id).grace_period));
  }
}

void strike(Turn& turn, const Fault& fault, ProcessId id) {
  const Candidate& candidate = turn.setup.candidate_of(id);
  switch (fault.type) {
    case Type::crash:
      return end(turn, id, record::EndReason::crashed,
                 fault.restart_delay ? &*fault.restart_delay : nullptr);
    case Type::terminate:
      if (turn.process(id).state != RunState::running) return;
      return terminate(turn, id, fault.grace_period.value_or(candidate.grace_period));
    case Type::pause:
      return pause(turn, id, fault.clocks);
    default:
      return;
  }
}

bool needs_a_process(Type type) {
  return type == Type::crash || type == Type::terminate || type == Type::pause ||
         type == Type::drain;
}

// ---- effects

void had_effect(Turn& turn, FaultId id) {
  turn.world.faults[id.value].had_effect = true;
}

bool hits(Turn& turn, const ActiveFault& active, ProcessId id) {
  return std::any_of(turn.world.hits.begin(), turn.world.hits.end(), [&](const Hit& h) {
    return h.fault == active.fault && h.occurrence == active.occurrence && h.process == id;
  });
}

// Whether a partition of a place lies between a node and the API server.
bool stands_between(Turn& turn, const Fault& fault, NodeId node) {
  const std::vector<net::Cut> alone{cut_of(turn, fault)};
  return turn.setup.topology.reach(alone)[node.value] != net::Reach{};
}

// A pause matters when a timer becomes due in it, or when it stops the clock that timers go by; a
// reply that is held back is noticed on arrival.
bool pause_holds_up(Turn& turn, const Fault& fault, ProcessId id, TrueTime until) {
  const Process& process = turn.process(id);
  const MonoTime due = process.timers.first_due();
  if (due == never<MonoTime> || until <= turn.world.now) return false;
  return fault.clocks == fault::PauseClocks::stop || process.clock.true_of(due) < until;
}

std::optional<TrueTime> end_of(Turn& turn, FaultId id, std::uint32_t occurrence) {
  const Fault& fault = fault_of(turn, id);
  if (!fault.duration) return std::nullopt;
  const Draw draw{turn.setup.fault_streams[id.value].duration, occurrence};
  return later(turn.world.now, sample(*fault.duration, turn.oracle, draw));
}

void schedule_next(Turn& turn, FaultId id, std::uint32_t occurrence) {
  const Fault& fault = fault_of(turn, id);
  if (!fault.every) return;
  if (fault.count && occurrence + 1 >= *fault.count) return;
  const Draw draw{turn.setup.fault_streams[id.value].every, occurrence};
  turn.world.agenda.post(later(turn.world.now, sample(*fault.every, turn.oracle, draw)),
                         FaultBegins{id, occurrence + 1}, kernel::Precedence::fault);
}

void hit(Turn& turn,
         FaultId id,
         std::uint32_t occurrence,
         const std::vector<ProcessId>& targets,
         TrueTime until) {
  const Fault& fault = fault_of(turn, id);
  for (const ProcessId target : targets) {
    Process& process = turn.process(target);
    if (process.is_alive()) turn.record(record::FaultHit{id, occurrence, turn.incarnation(target)});
    if (needs_a_process(fault.type) && !process.is_alive()) continue;
    if (needs_a_process(fault.type) && fault.type != Type::pause) had_effect(turn, id);
    if (fault.type == Type::pause && pause_holds_up(turn, fault, target, until))
      had_effect(turn, id);
    if (!fault::is_instantaneous(fault.type)) {
      turn.world.hits.push_back({id, occurrence, target, process.incarnation()});
    }
    strike(turn, fault, target);
  }
  if (fault.type == Type::drain) drain(turn, fault, targets);
}

}  // namespace

// What the active faults leave of every link. Rare: only when a fault of the network begins or
// ends, or a process moves to another node.
void update_links(Turn& turn) {
  const std::vector<LinkState> before = turn.world.links;
  const std::vector<net::Cut> cuts = standing_cuts(turn);
  const bool out = outage(turn) != nullptr;
  const std::vector<net::Reach> reach = cuts.empty()
                                            ? std::vector<net::Reach>(turn.setup.topology.nodes())
                                            : turn.setup.topology.reach(cuts);
  for (std::size_t i = 0; i < turn.world.links.size(); ++i) {
    const net::Reach& node = reach[turn.world.processes[i].node.value];
    turn.world.links[i] = {node.to_api, node.from_api, false, false};
  }
  for (const Hit& hit : turn.world.hits) {
    const Fault& fault = fault_of(turn, hit.fault);
    LinkState& link = turn.world.links[hit.process.value];
    if (fault.type == Type::delay || fault.type == Type::loss) link.disturbed = true;
    if (fault.type != Type::partition || !fault.cuts_api || is_place(fault.target.kind)) continue;
    if (closes_requests(fault)) link.request_open = false;
    if (closes_responses(fault)) link.response_open = false;
  }
  for (std::uint32_t i = 0; i < turn.world.links.size(); ++i) {
    LinkState& link = turn.world.links[i];
    link.cut_off = out || !link.request_open || !link.response_open;
    record_connection(turn, ProcessId{i}, before[i]);
  }
}

TrueTime first_begin(const Setup& setup, Oracle& oracle, FaultId id) {
  const Fault& fault = setup.faults[id.value];
  return TrueTime{sample(fault.at, oracle, {setup.fault_streams[id.value].at, 0})};
}

void fault_begins(Turn& turn, FaultId id, std::uint32_t occurrence) {
  const Fault& fault = fault_of(turn, id);
  schedule_next(turn, id, occurrence);
  turn.record(record::FaultBegan{id, occurrence});
  std::vector<ProcessId> targets = resolve(turn, id);
  if (fault.type == Type::drain) targets = on_the_nodes_of(turn, targets);
  if (fault::is_instantaneous(fault.type)) {
    hit(turn, id, occurrence, targets, turn.world.now);
    turn.record(record::FaultEnded{id, occurrence});
    return;
  }
  const auto until = end_of(turn, id, occurrence);
  turn.world.active.push_back({id, occurrence});
  hit(turn, id, occurrence, targets, until.value_or(never<TrueTime>));
  if (is_of_the_network(fault.type)) update_links(turn);
  if (until) turn.world.agenda.post(*until, FaultEnds{id, occurrence}, kernel::Precedence::fault);
}

void begin_chosen(Turn& turn, FaultId id) {
  fault_begins(turn, id, turn.world.faults[id.value].begun++);
}

void fault_ends(Turn& turn, FaultId id, std::uint32_t occurrence) {
  const Fault& fault = fault_of(turn, id);
  std::vector<Hit> over;
  std::erase_if(turn.world.hits, [&](const Hit& h) {
    const bool mine = h.fault == id && h.occurrence == occurrence;
    if (mine) over.push_back(h);
    return mine;
  });
  std::erase(turn.world.active, ActiveFault{id, occurrence});
  turn.record(record::FaultEnded{id, occurrence});
  if (is_of_the_network(fault.type)) update_links(turn);
  if (fault.type != Type::pause) return;
  for (const Hit& h : over) {
    // Whoever was frozen may have been killed and replaced meanwhile.
    const Process& process = turn.process(h.process);
    if (process.is_alive() && process.incarnation() == h.incarnation)
      resume(turn, h.process, fault.clocks);
  }
}

void blame(Turn& turn, Type type, ProcessId id) {
  for (const ActiveFault& active : turn.world.active) {
    const Fault& fault = fault_of(turn, active.fault);
    if (fault.type != type) continue;
    // An outage of the API server stands in everybody's way, whomever its mode picked.
    const bool meets_all = fault.target.kind == fault::Target::Kind::api_server;
    if (meets_all || hits(turn, active, id)) had_effect(turn, active.fault);
  }
}

void blame_partitions(Turn& turn, ProcessId id, bool is_request) {
  for (const ActiveFault& active : turn.world.active) {
    const Fault& fault = fault_of(turn, active.fault);
    if (fault.type != Type::partition || !fault.cuts_api) continue;
    if (!(is_request ? closes_requests(fault) : closes_responses(fault))) continue;
    const bool in_the_way = is_place(fault.target.kind)
                                ? stands_between(turn, fault, turn.process(id).node)
                                : hits(turn, active, id);
    if (in_the_way) had_effect(turn, active.fault);
  }
}

namespace {

Duration draw_delay(Turn& turn, FaultId id) {
  const Fault& fault = fault_of(turn, id);
  const fault::Fault::Streams& streams = turn.setup.fault_streams[id.value];
  FaultState& state = turn.world.faults[id.value];
  Duration delay = sample(fault.latency, turn.oracle, {streams.latency, state.latency.next()});
  if (fault.jitter > Duration::zero()) {
    const auto range = static_cast<std::uint64_t>(fault.jitter.count()) * 2;
    const auto pick = turn.oracle.pick({streams.jitter, state.jitter.next()}, range);
    delay = longer(delay, Duration{static_cast<std::int64_t>(pick)} - fault.jitter);
  }
  return std::max(delay, Duration::zero());
}

// Losses draw from the link's own streams: what is lost does not depend on which fault loses it.
bool draw_loss(Turn& turn, FaultId id, ProcessId process, bool is_request) {
  const ProcessSetup::Streams& link = turn.name(process).streams;
  DrawCounts& draws = turn.process(process).draws;
  const Fault& fault = fault_of(turn, id);
  FaultState& state = turn.world.faults[id.value];
  if (fault.most_lost && state.used >= *fault.most_lost) return false;
  const Draw draw = is_request ? Draw{link.request_loss, draws.request_loss.next()}
                               : Draw{link.response_loss, draws.response_loss.next()};
  const bool lost = draw_share(turn.oracle, draw, fault.fraction);
  if (lost) ++state.used;
  return lost;
}

}  // namespace

Disturbance disturb(Turn& turn, ProcessId id, bool is_request) {
  Disturbance disturbance;
  for (const Hit& h : turn.world.hits) {
    if (h.process != id) continue;
    if (fault_of(turn, h.fault).type == Type::delay) {
      const Duration delay = draw_delay(turn, h.fault);
      disturbance.delay = longer(disturbance.delay, delay);
      if (delay > Duration::zero()) had_effect(turn, h.fault);
    }
    if (fault_of(turn, h.fault).type == Type::loss && draw_loss(turn, h.fault, id, is_request)) {
      disturbance.lost = true;
      had_effect(turn, h.fault);
    }
  }
  return disturbance;
}

const Fault* outage(Turn& turn) {
  for (const ActiveFault& active : turn.world.active) {
    const Fault& fault = fault_of(turn, active.fault);
    if (fault.type == Type::api_outage) return &fault;
  }
  return nullptr;
}

}  // namespace tenure::world
