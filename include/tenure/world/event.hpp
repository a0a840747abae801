// What can happen in a world: plain data, so that pending events can be copied, compared, hashed,
// printed and replayed.
#pragma once

#include <cstdint>
#include <tuple>
#include <variant>

#include <tenure/api/message.hpp>
#include <tenure/base/fields.hpp>
#include <tenure/base/id.hpp>
#include <tenure/base/time.hpp>

namespace tenure::world {

struct ProcessStarts {
  ProcessId process;

  static constexpr auto fields() { return std::tuple{Field{"process", &ProcessStarts::process}}; }
  friend bool operator==(const ProcessStarts&, const ProcessStarts&) = default;
};

// The earliest timer of a process is due.
struct ProcessWakes {
  ProcessId process;

  static constexpr auto fields() { return std::tuple{Field{"process", &ProcessWakes::process}}; }
  friend bool operator==(const ProcessWakes&, const ProcessWakes&) = default;
};

// The grace period of a process is over.
struct ProcessEnds {
  ProcessId process;
  std::uint32_t incarnation = 0;

  static constexpr auto fields() {
    return std::tuple{Field{"process", &ProcessEnds::process},
                      Field{"incarnation", &ProcessEnds::incarnation}};
  }
  friend bool operator==(const ProcessEnds&, const ProcessEnds&) = default;
};

struct RequestArrives {
  ProcessId process;
  std::uint32_t incarnation = 0;
  RequestId request;
  std::uint32_t draw = 0;  // the number of its draws from the streams of its link
  Duration way_back{};
  api::Request payload{};

  static constexpr auto fields() {
    return std::tuple{Field{"process", &RequestArrives::process},
                      Field{"incarnation", &RequestArrives::incarnation},
                      Field{"request", &RequestArrives::request},
                      Field{"draw", &RequestArrives::draw},
                      Field{"wayBack", &RequestArrives::way_back},
                      Field{"payload", &RequestArrives::payload}};
  }
  friend bool operator==(const RequestArrives&, const RequestArrives&) = default;
};

struct ReplyArrives {
  ProcessId process;
  std::uint32_t incarnation = 0;
  RequestId request;
  api::Response payload{};

  static constexpr auto fields() {
    return std::tuple{
        Field{"process", &ReplyArrives::process}, Field{"incarnation", &ReplyArrives::incarnation},
        Field{"request", &ReplyArrives::request}, Field{"payload", &ReplyArrives::payload}};
  }
  friend bool operator==(const ReplyArrives&, const ReplyArrives&) = default;
};

struct FaultBegins {
  FaultId fault;
  std::uint32_t occurrence = 0;

  static constexpr auto fields() {
    return std::tuple{Field{"fault", &FaultBegins::fault},
                      Field{"occurrence", &FaultBegins::occurrence}};
  }
  friend bool operator==(const FaultBegins&, const FaultBegins&) = default;
};

struct FaultEnds {
  FaultId fault;
  std::uint32_t occurrence = 0;

  static constexpr auto fields() {
    return std::tuple{Field{"fault", &FaultEnds::fault},
                      Field{"occurrence", &FaultEnds::occurrence}};
  }
  friend bool operator==(const FaultEnds&, const FaultEnds&) = default;
};

using Event = std::variant<ProcessWakes,
                           RequestArrives,
                           ReplyArrives,
                           ProcessStarts,
                           ProcessEnds,
                           FaultBegins,
                           FaultEnds>;
static_assert(std::is_trivially_copyable_v<Event>);

}  // namespace tenure::world
