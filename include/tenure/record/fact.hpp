// What is recorded of a run, in three layers that are never mixed: *lease* (what the API server
// stores), *belief* (what a process thinks) and *action* (what its work does; no work is modelled
// yet). Properties, metrics and reports read facts and nothing else.
#pragma once

#include <cstdint>
#include <variant>

#include <tenure/base/id.hpp>
#include <tenure/base/time.hpp>

namespace tenure::record {

// One process: a name, and how many of that name were started before it.
struct Incarnation {
  ProcessId process;
  std::uint32_t number = 0;

  friend auto operator<=>(const Incarnation&, const Incarnation&) = default;
};

// ---- lease

struct LeaseRecord {
  Identity holder;
  std::int32_t duration_seconds = 0;
  std::int32_t transitions = 0;
  std::int64_t acquire_us = 0;  // wall clocks of the writers, microseconds
  std::int64_t renew_us = 0;
};

// A create or update was applied.
struct LeaseWritten {
  Incarnation writer;
  Identity writer_identity;
  std::uint32_t lease = 0;
  bool created = false;
  std::uint64_t uid = 0;
  Revision base;      // the resourceVersion that the request named; 0 on create
  Revision replaced;  // the one that was stored; 0 when there was none
  Revision revision;  // the new one
  LeaseRecord record;
};
struct LeaseDeleted {
  Incarnation by;
  std::uint32_t lease = 0;
  Revision revision;
};
// Every request that reached an API server, and how it answered (HTTP status).
struct RequestHandled {
  Incarnation from;
  std::uint8_t verb = 0;
  std::uint16_t code = 0;
  bool conflict = false;  // 409 for a stale resourceVersion or uid
  bool stale_applied =
      false;  // a write that was applied although its base was not the stored version
  RequestId request{};
};

// ---- belief

enum class Level : std::uint8_t {
  context,    // what the workload sees: the context of OnStartedLeading is live
  is_leader,  // the elector's IsLeader(): the last record it saw names it
};
enum class EndReason : std::uint8_t { stepped_down, stopped, crashed, killed };

struct LeadershipBegan {
  Incarnation who;
  Level level = Level::context;
};
struct LeadershipEnded {
  Incarnation who;
  Level level = Level::context;
  EndReason reason = EndReason::stepped_down;
};
struct LeaderObserved {
  Incarnation who;
  Identity holder;
};
// The grounds on which a process is about to take the Lease from a holder that did not release it.
struct ExpiryClaimed {
  Incarnation who;
  Revision base;
  Duration age;       // of the record, by the clock and rule of the elector
  Duration lifetime;  // what the elector grants it
};

// ---- world

struct ProcessStarted {
  Incarnation who;
  Identity identity;
};
struct ProcessEnded {
  Incarnation who;
  EndReason reason = EndReason::stopped;
};
struct ProcessPaused {
  Incarnation who;
};
struct ProcessResumed {
  Incarnation who;
};
// Whether requests of a process can reach an API server and be answered in the usual time.
struct ConnectionChanged {
  ProcessId process;
  bool cut_off = false;    // nothing gets through, or nothing comes back, or nobody answers
  bool disturbed = false;  // messages are late or get lost
};
struct FaultBegan {
  FaultId fault;
  std::uint32_t occurrence = 0;
};
struct FaultHit {  // follows FaultBegan, one for each process that is hit
  FaultId fault;
  std::uint32_t occurrence = 0;
  Incarnation who;
};
struct FaultEnded {
  FaultId fault;
  std::uint32_t occurrence = 0;
};

// ---- messages, recorded only for those who ask

struct RequestSent {
  Incarnation from;
  RequestId request;
  std::uint8_t verb = 0;
};
enum class Loss : std::uint8_t { cut, lost, swallowed };
struct MessageLost {
  Incarnation process;
  RequestId request;
  bool was_request = true;
  Loss why = Loss::cut;
};
struct ReplyReceived {
  Incarnation by;
  RequestId request;
  std::uint16_t code = 0;  // 0: the client's own error
  std::uint8_t outcome = 0;
};

using Fact = std::variant<LeaseWritten,
                          LeaseDeleted,
                          RequestHandled,
                          LeadershipBegan,
                          LeadershipEnded,
                          LeaderObserved,
                          ExpiryClaimed,
                          ProcessStarted,
                          ProcessEnded,
                          ProcessPaused,
                          ProcessResumed,
                          ConnectionChanged,
                          FaultBegan,
                          FaultHit,
                          FaultEnded,
                          RequestSent,
                          MessageLost,
                          ReplyReceived>;

struct Record {
  TrueTime at;
  std::uint64_t sequence = 0;  // of the record in its run, from 0
  std::uint64_t cause = 0;     // number of the event that was being handled
  Fact fact;
};

}  // namespace tenure::record
