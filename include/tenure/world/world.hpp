// Everything that changes during a run, as one value: a copy of a world is a snapshot of it. The
// only place where everything meets.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include <tenure/api/server.hpp>
#include <tenure/base/fields.hpp>
#include <tenure/base/id.hpp>
#include <tenure/base/oracle.hpp>
#include <tenure/base/time.hpp>
#include <tenure/elect/any_elector.hpp>
#include <tenure/kernel/agenda.hpp>
#include <tenure/kernel/node_clock.hpp>
#include <tenure/kernel/timers.hpp>
#include <tenure/net/topology.hpp>
#include <tenure/record/recorder.hpp>
#include <tenure/world/event.hpp>
#include <tenure/world/setup.hpp>

namespace tenure::world {

enum class RunState : std::uint8_t { absent, running, terminating };

// The host's own timers beside those of the elector: the time limit of the open call, and the
// return of OnStoppedLeading.
inline constexpr std::size_t call_timer = elect::timer_count;
inline constexpr std::size_t exit_timer = elect::timer_count + 1;
inline constexpr std::size_t process_timers = elect::timer_count + 2;

// Draws made so far from the streams of a process name.
struct DrawCounts {
  Counter jitter, restart, order, tie, callback, request, request_loss, response_loss;

  static constexpr auto fields() {
    return std::tuple{Field{"jitter", &DrawCounts::jitter},
                      Field{"restart", &DrawCounts::restart},
                      Field{"order", &DrawCounts::order},
                      Field{"tie", &DrawCounts::tie},
                      Field{"callback", &DrawCounts::callback},
                      Field{"request", &DrawCounts::request},
                      Field{"requestLoss", &DrawCounts::request_loss},
                      Field{"responseLoss", &DrawCounts::response_loss}};
  }
  friend bool operator==(const DrawCounts&, const DrawCounts&) = default;
};

// The process that bears a name now, or none.
struct Process {
  elect::AnyElector elector;
  kernel::Timers<process_timers> timers;
  kernel::NodeClock clock;
  kernel::EventKey wake;  // its ProcessWakes in the agenda, if any
  NodeId node;
  NodeId moves_to;           // where the next of this name starts, once drained; else nobody
  std::uint32_t starts = 0;  // of processes of this name
  RequestId open_call;       // meaningful while call_is_open
  RunState state = RunState::absent;
  bool call_is_open = false;
  bool believes = false;             // context level
  bool sees_itself_leading = false;  // isLeader level
  bool stop_is_held = false;         // SIGTERM came while it was frozen
  std::uint16_t pauses = 0;          // faults that hold it frozen
  std::uint16_t stopped_clocks = 0;  // of those, the ones that stop its monotonic clock
  DrawCounts draws;

  bool is_frozen() const { return pauses != 0; }
  bool is_alive() const { return state != RunState::absent; }
  std::uint32_t incarnation() const { return starts - 1; }  // once it has started
  friend bool operator==(const Process&, const Process&) = default;
};

// What a fault does to a process, while it lasts.
struct Hit {
  FaultId fault;
  std::uint32_t occurrence = 0;
  ProcessId process;
  std::uint32_t incarnation = 0;

  static constexpr auto fields() {
    return std::tuple{Field{"fault", &Hit::fault}, Field{"occurrence", &Hit::occurrence},
                      Field{"process", &Hit::process}, Field{"incarnation", &Hit::incarnation}};
  }
  friend bool operator==(const Hit&, const Hit&) = default;
};

// An occurrence of a fault that lasts.
struct ActiveFault {
  FaultId fault;
  std::uint32_t occurrence = 0;

  static constexpr auto fields() {
    return std::tuple{Field{"fault", &ActiveFault::fault},
                      Field{"occurrence", &ActiveFault::occurrence}};
  }
  friend bool operator==(const ActiveFault&, const ActiveFault&) = default;
};

// What faults do to the messages of a process name at present.
struct LinkState {
  bool request_open = true;
  bool response_open = true;
  bool disturbed = false;  // some hit of a delay or loss
  bool cut_off = false;    // one way is closed, or the API server is out

  static constexpr auto fields() {
    return std::tuple{Field{"requestOpen", &LinkState::request_open},
                      Field{"responseOpen", &LinkState::response_open},
                      Field{"disturbed", &LinkState::disturbed},
                      Field{"cutOff", &LinkState::cut_off}};
  }
  friend bool operator==(const LinkState&, const LinkState&) = default;
};

// A reply that reached a frozen process.
using HeldReply = ReplyArrives;

// Per fault of the plan: what its streams have been asked, and whether it ever had an effect.
struct FaultState {
  Counter target, latency, jitter;
  std::uint32_t begun = 0;  // of a fault at any instant: occurrences so far
  std::uint32_t used = 0;   // of a budget of lost messages
  bool happens = true;
  bool had_effect = false;

  static constexpr auto fields() {
    return std::tuple{
        Field{"target", &FaultState::target},       Field{"latency", &FaultState::latency},
        Field{"jitter", &FaultState::jitter},       Field{"begun", &FaultState::begun},
        Field{"used", &FaultState::used},           Field{"happens", &FaultState::happens},
        Field{"hadEffect", &FaultState::had_effect}};
  }
  friend bool operator==(const FaultState&, const FaultState&) = default;
};

struct World {
  std::shared_ptr<const Setup> setup;
  TrueTime now{};
  kernel::Agenda<Event> agenda;
  api::Server server;
  std::vector<Process> processes;  // by ProcessId
  std::vector<LinkState> links;    // by ProcessId
  std::vector<HeldReply> held_replies;
  std::vector<ActiveFault> active;  // in the order of their beginning
  std::vector<Hit> hits;
  std::vector<FaultState> faults;    // by FaultId
  Counter order;                     // draws of which event comes first, on a grid
  std::uint32_t events_at_once = 0;  // at `now`
  bool stalled = false;              // time stands still: the run was given up
  std::uint64_t events = 0;          // handled so far
  std::uint64_t records = 0;         // facts made so far
  std::uint64_t run_hash = 0;        // over (time, kind, process) of every event

  friend bool operator==(const World&, const World&) = default;
};

// A world at time 0 in which nothing has been drawn yet. Copy it for each run.
World make_world(std::shared_ptr<const Setup> setup);

// Draws what is drawn once per run - clocks, starts, which faults happen and when - and posts the
// first events.
void begin_run(World& world, Oracle& oracle);

// More events at one instant than any election has: somebody never waits (an elector without a
// pause on a network without latency), and the run would not end.
inline constexpr std::uint32_t most_events_at_once = 1'000'000;

// Handles the next event. False: the run is over, and nothing was done.
bool step(World& world, Oracle& oracle, record::Recorder& recorder);

// ---- what `step` is made of, for those who choose the next event themselves

// The events of the next instant at which anything happens, in the order of their keys.
std::vector<kernel::EventKey> next_events(World& world);

// Handles one of them.
void handle(World& world, kernel::EventKey key, Oracle& oracle, record::Recorder& recorder);

// Posts the wake-ups that the timers of the processes ask for: whoever puts a world together from
// its parts has none.
void arm_all(World& world);

// Begins a fault of the kind "at any instant", now.
void begin_fault(World& world, FaultId fault, Oracle& oracle, record::Recorder& recorder);

}  // namespace tenure::world
