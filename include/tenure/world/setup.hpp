// What does not change during a run, nor between the runs of a scenario: who takes part, where
// things stand, what will be done to them. Made once, shared by all worlds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tenure/base/distribution.hpp>
#include <tenure/base/id.hpp>
#include <tenure/base/oracle.hpp>
#include <tenure/base/shifted.hpp>
#include <tenure/base/time.hpp>
#include <tenure/elect/any_elector.hpp>
#include <tenure/fault/fault.hpp>
#include <tenure/net/latency.hpp>
#include <tenure/net/topology.hpp>

namespace tenure::world {

enum class RestartPolicy : std::uint8_t { always, on_failure, never };

// What clocks may gain per true second, from instant to instant anew.
struct Drift {
  Duration least{};
  Duration most{};
};

// A group of identical processes.
struct Candidate {
  std::string name;
  elect::AnyElectorConfig elector;
  Distribution start = Distribution::uniform(Duration{0}, std::chrono::seconds{2});
  // Drawn once per process and run; both may be negative.
  Shifted clock_offset;  // what the wall clock is ahead at time 0
  Shifted clock_gain;    // what both clocks gain per true second
  // On a grid: the rate is anything in here at any time. The clocks then count true time, and every
  // local time is an interval of it, rounded outward; that two timers of one process go by the same
  // clock is lost.
  std::optional<Drift> drift;
  RestartPolicy restart_policy = RestartPolicy::always;
  Distribution restart_delay = Distribution::constant(std::chrono::seconds{10});
  bool new_identity = true;  // of a restarted process
  bool exit_on_lost = true;  // losing the lease ends the process
  Duration grace_period = std::chrono::seconds{30};
  Distribution on_stopped_leading;  // how long that callback takes
};

// One process name.
struct ProcessSetup {
  std::string name;
  std::uint32_t candidate = 0;
  NodeId node;
  std::uint32_t identity = 0;  // Identity::name, from 1

  // Its streams, made from its name.
  struct Streams {
    Stream start, jitter, restart, order, tie, callback, clock_offset, clock_rate;
    Stream request_latency, response_latency, request_loss, response_loss;
  };
  Streams streams;
};

// Time in whole ticks, as exploration has it. Delays last whole ticks, and a range of delays
// touches a tick that it rounds to outward; what happens within one instant may happen in any
// order; where an age equals the limit it is compared with, the comparison may come out either way
// (specs: exploration 2). All of these are questions to the oracle.
struct Grid {
  Duration tick{};
  Stream order = stream_named("run/order");
};

struct Setup {
  std::vector<Candidate> candidates;
  std::vector<ProcessSetup> processes;
  std::vector<std::string> identities;  // by Identity::name - 1
  net::Topology topology;
  net::Latency latency;
  fault::Plan faults;
  std::vector<fault::Fault::Streams> fault_streams;
  store::Key lease{};
  Duration duration = std::chrono::minutes{5};
  std::optional<Grid> grid;

  const Candidate& candidate_of(ProcessId process) const {
    return candidates[processes[process.value].candidate];
  }
};

// The streams of a process name, and what they are called, in one order for every name.
ProcessSetup::Streams process_streams(const std::string& process);
std::vector<std::string> process_stream_names(const std::string& process);

// Every stream that a run can draw from, with its name. A stream is a hash of its name, so whoever
// wants to tell people of a draw has to come here.
std::vector<std::pair<std::string, Stream>> named_streams(const Setup& setup);

// The longest time for which some elector takes a Lease to be held.
Duration longest_lease(const Setup& setup);

// On a grid: ages that are nearer to a limit than this cannot be told from it. A perfect clock
// shows whole ticks, and only equality is a tie; any other is off by up to a tick, or by its drift.
Duration tie_width(const Setup& setup, const Candidate& candidate);

// "kcm-0", and "kcm-0.2" for the second process that followed it under that name.
std::string to_text(const Setup& setup, Identity identity);

// Where int64 nanoseconds after the Unix epoch put the start of a run: 2026-01-01T00:00:00Z. Wall
// clocks need some date; no result depends on it.
inline constexpr WallTime epoch{std::chrono::seconds{1'767'225'600}};

// An unanswered request ends at the latest when the dead HTTP/2 connection is noticed: 30 s without
// a frame, 15 s without an answer to the ping (apimachinery pkg/util/net/http.go).
inline constexpr Duration dead_connection_timeout = std::chrono::seconds{45};

}  // namespace tenure::world
