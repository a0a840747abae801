// Faults as data: what is done to whom, when, for how long. What each type means in the model is in
// world/verbs; a plan knows nothing of a world.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tenure/base/distribution.hpp>
#include <tenure/base/id.hpp>
#include <tenure/base/oracle.hpp>
#include <tenure/base/ratio.hpp>
#include <tenure/base/time.hpp>

namespace tenure::fault {

enum class Type : std::uint8_t {
  crash,
  terminate,
  drain,
  pause,
  partition,
  delay,
  loss,
  api_outage
};

// Whether a fault is over as soon as it has begun.
constexpr bool is_instantaneous(Type type) {
  return type == Type::crash || type == Type::terminate || type == Type::drain;
}

// Who is meant. Resolved once, when the fault begins, and then stays.
struct Target {
  enum class Kind : std::uint8_t {
    leader,  // the processes whose identity holderIdentity names at the API server, expired or not
    followers,   // the running candidates that are not `leader`
    believers,   // the processes that believe to lead
    all,         // every process
    process,     // one process name: `index`
    node,        // the processes on a node: `index`
    zone,        // the processes on the nodes of a zone: `index`
    api_server,  // the API server itself
  };
  enum class Mode : std::uint8_t { all, one, fixed, fixed_percent, random_max_percent };

  Kind kind = Kind::leader;
  std::uint32_t index = 0;
  Mode mode = Mode::all;
  std::uint32_t value = 0;  // of the mode: a number, a percentage

  friend bool operator==(const Target&, const Target&) = default;
};

// Seen from the target: `to` cuts what it sends, `from` what is sent to it.
enum class Direction : std::uint8_t { both, to, from };
enum class PauseClocks : std::uint8_t { run, stop };
enum class OutageMode : std::uint8_t { refuse, hang, error };

struct Fault {
  std::string name;
  Type type = Type::crash;
  Target target;
  Distribution at;                            // of the first occurrence, from the start of the run
  bool at_any = false;                        // whenever an exploration chooses, `count` times
  std::optional<Distribution> duration;       // none: until the end of the run
  std::optional<Distribution> every;          // between the begins of two occurrences
  std::optional<std::uint32_t> count;         // occurrences; none with `every`: until the end
  Ratio probability{1, 1};                    // that it happens in a run at all
  std::optional<Distribution> restart_delay;  // crash
  std::optional<Duration> grace_period;       // terminate, drain
  PauseClocks clocks = PauseClocks::run;      // pause
  Direction direction = Direction::both;      // partition
  bool cuts_api = true;                       // partition: the other side is the API server
  Distribution latency;                       // delay: added to each message
  Duration jitter{};                          // delay: uniform in [-jitter, +jitter] on top
  Ratio fraction{1, 1};                       // loss
  OutageMode mode = OutageMode::refuse;       // api_outage
  std::uint16_t code = 503;                   // api_outage, mode error

  // The fault's own streams, made from its name, and what they are called.
  struct Streams {
    Stream at, duration, every, probability, target, latency, jitter;
  };
  Streams streams() const;
  std::vector<std::string> stream_names() const;
};

using Plan = std::vector<Fault>;

}  // namespace tenure::fault
