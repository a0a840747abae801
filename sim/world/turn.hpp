// One event at work on one world: what the functions of this layer have in common.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tenure/elect/elector.hpp>
#include <tenure/record/fact.hpp>
#include <tenure/world/world.hpp>

namespace tenure::world {

struct Turn {
  World& world;
  const Setup& setup;
  Oracle& oracle;
  record::Recorder& recorder;
  bool wants_messages = false;

  Process& process(ProcessId id) { return world.processes[id.value]; }
  const ProcessSetup& name(ProcessId id) const { return setup.processes[id.value]; }
  record::Incarnation incarnation(ProcessId id) { return {id, process(id).incarnation()}; }
  LocalTime local(ProcessId id) { return process(id).clock.local(world.now); }
  // What the n-th process of a name calls itself; requests outlive the process that sent them.
  Identity identity(ProcessId id, std::uint32_t number) const {
    return {name(id).identity, setup.candidate_of(id).new_identity ? number : 0};
  }
  Identity identity(ProcessId id) { return identity(id, process(id).incarnation()); }

  void record(const record::Fact& fact) {
    recorder.on({world.now, world.records++, world.events, fact});
  }
};

// ---- step.cpp: how events reach a process

// Gives an elector an input and does what it asks for in return. `arm` must follow.
void feed(Turn& turn, ProcessId id, const elect::Input& input);

// What happens when an event is due.
void happen_any(Turn& turn, const Event& event);

// Goes on to the instant of an event. False: time stands still, and the run is given up.
bool begins_event(World& world, TrueTime at);

// Takes an event into the run's own hash.
void hash_event(World& world, const Event& event);

// Hands over what became due while a process was frozen, in an order that is drawn.
void catch_up(Turn& turn, ProcessId id);

// ---- chosen_step.cpp: steps of which somebody chooses the event

bool step_on_grid(World& world, Oracle& oracle, record::Recorder& recorder);

// ---- wakes.cpp: when a process goes on by itself

// When a timer is due that is set now: after a delay inside the range, which is drawn. On a grid
// that is a tick, and the range is the one of true time, rounded outward.
MonoTime due_after(Turn& turn, ProcessId id, elect::DelayRange delay);

// Moves the wake-up of a process to its earliest timer.
void arm(Turn& turn, ProcessId id);

// ---- verbs.cpp: what can be done to a process

void start(Turn& turn, ProcessId id);
void terminate(Turn& turn, ProcessId id, Duration grace_period);
void end(Turn& turn,
         ProcessId id,
         record::EndReason reason,
         const Distribution* restart_delay = nullptr);
void exit_requested(Turn& turn, ProcessId id);
void run_returns(Turn& turn, ProcessId id);
void pause(Turn& turn, ProcessId id, fault::PauseClocks clocks);
void resume(Turn& turn, ProcessId id, fault::PauseClocks clocks);

// ---- faults.cpp: the plan

void fault_begins(Turn& turn, FaultId id, std::uint32_t occurrence);
void fault_ends(Turn& turn, FaultId id, std::uint32_t occurrence);
void update_links(Turn& turn);
void begin_chosen(Turn& turn, FaultId id);
TrueTime first_begin(const Setup& setup, Oracle& oracle, FaultId id);

// The faults of type `type` that hit a process, told that they had an effect; of the partitions,
// those that close the way of one of its messages.
void blame(Turn& turn, fault::Type type, ProcessId id);
void blame_partitions(Turn& turn, ProcessId id, bool is_request);

// What delays and losses do to one message.
struct Disturbance {
  Duration delay{};
  bool lost = false;
};
Disturbance disturb(Turn& turn, ProcessId id, bool is_request);

// The outage of the API server that is in force; nullptr: none.
const fault::Fault* outage(Turn& turn);

// ---- target.cpp

std::vector<ProcessId> resolve(Turn& turn, FaultId id);

}  // namespace tenure::world
