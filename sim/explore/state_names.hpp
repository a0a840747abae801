// What a state mentions, and what that is called in its code.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <tenure/base/assert.hpp>
#include <tenure/explore/state.hpp>

#include "code_bytes.hpp"

namespace tenure::explore {

using world::Process;
using world::World;

inline constexpr Revision stale_revision{1};
inline constexpr Revision newest_revision{2};
inline constexpr std::uint32_t awaited_request = 1;
inline constexpr std::uint32_t other_request = 0;
inline constexpr std::uint32_t next_request = 2;
inline constexpr std::uint32_t gone = 0xffffffffU;  // an incarnation that does not come back

// A decoded state begins here; what a state says of time is all relative.
inline constexpr MonoTime mono_base{std::chrono::hours{1}};

inline std::int64_t floor_seconds(std::int64_t microseconds) {
  const std::int64_t whole = microseconds / 1'000'000;
  return whole * 1'000'000 > microseconds ? whole - 1 : whole;
}

inline std::int64_t seconds_of(WallTime at) {
  return std::chrono::floor<std::chrono::seconds>(at.time_since_epoch()).count();
}

inline WallTime true_wall(TrueTime now) {
  return world::epoch + now.time_since_epoch();
}

inline bool is_awaited(const World& world,
                       ProcessId id,
                       std::uint32_t incarnation,
                       RequestId request) {
  const Process& process = world.processes[id.value];
  return process.is_alive() && process.incarnation() == incarnation && process.call_is_open &&
         process.open_call == request;
}

// What a request that nobody waits for can still do: change the Lease. An old version never becomes
// the newest again, and a Lease that exists is not created.
inline bool can_still_write(const World& world, const api::Request& request) {
  const api::Lease* stored = world.server.find(world.setup->lease);
  switch (request.verb) {
    case api::Verb::get:
      return false;
    case api::Verb::create:
      return stored == nullptr;
    case api::Verb::update:
    case api::Verb::remove:
      return stored == nullptr || request.body.resource_version == stored->resource_version;
  }
  return true;
}

// A message as it is encoded: a request under way, a reply under way or held by a frozen process.
struct Message {
  MessageKind kind = MessageKind::request;
  ProcessId process;
  std::uint32_t incarnation = 0;
  bool awaited = false;
  TrueTime at{};
  const world::RequestArrives* request = nullptr;
  const world::ReplyArrives* reply = nullptr;
};

inline bool matters(const World& world, const world::RequestArrives& request) {
  return is_awaited(world, request.process, request.incarnation, request.request) ||
         can_still_write(world, request.payload);
}

template <class Take>
void for_each_message(const World& world, const Take& take) {
  world.agenda.for_each([&](kernel::EventKey key, const world::Event& event) {
    if (const auto* request = std::get_if<world::RequestArrives>(&event)) {
      if (!matters(world, *request)) return;
      take(Message{MessageKind::request, request->process, request->incarnation,
                   is_awaited(world, request->process, request->incarnation, request->request),
                   key.at, request, nullptr});
    } else if (const auto* reply = std::get_if<world::ReplyArrives>(&event)) {
      if (!is_awaited(world, reply->process, reply->incarnation, reply->request)) return;
      take(Message{MessageKind::reply, reply->process, reply->incarnation, true, key.at, nullptr,
                   reply});
    }
  });
  for (const world::HeldReply& reply : world.held_replies) {
    if (!is_awaited(world, reply.process, reply.incarnation, reply.request)) continue;
    take(Message{MessageKind::held_reply, reply.process, reply.incarnation, true, world.now,
                 nullptr, &reply});
  }
}

// The answer's object, as far as the elector that waits for it looks at it.
inline api::Lease read_object(const Process& process, const api::Response& response) {
  api::Lease lease;
  if (response.outcome != api::Outcome::ok) return lease;
  lease = response.lease;
  if (!elect::reads_object(process.elector)) lease.spec = {};
  return lease;
}

// A whole second that a record mentions, as an age by the clock that it is compared with: true
// time, 0, or that of a process, 1 + its index.
class StateCodec::Second {
 public:
  Second(bool is_renewal, std::uint32_t clock, std::int64_t age)
      : key_((std::uint64_t{clock} * 2 + (is_renewal ? 1U : 0U)) << age_bits |
             static_cast<std::uint64_t>(age + youngest)) {
    TENURE_ASSERT(age >= -youngest && age < youngest, "no record is that old");
  }

  std::int64_t age() const {
    return static_cast<std::int64_t>(key_ & ((std::uint64_t{1} << age_bits) - 1)) - youngest;
  }
  bool is_of_the_clock_of(const Second& other) const {
    return key_ >> age_bits == other.key_ >> age_bits;
  }
  friend bool operator<(const Second& a, const Second& b) { return a.key_ < b.key_; }

  std::int64_t name = 0;

 private:
  static constexpr unsigned age_bits = 48;
  static constexpr std::int64_t youngest = std::int64_t{1} << (age_bits - 1);

  std::uint64_t key_;  // clock, kind of time, age
};

// What the values of one state are called in its code.
struct StateCodec::Names {
  struct Number {
    std::int32_t value = 0;
    std::int32_t name = 0;

    friend bool operator<(const Number& a, const Number& b) { return a.value < b.value; }
  };

  std::vector<Second> seconds;
  std::vector<Number> transitions;
  std::vector<std::vector<std::uint32_t>> older;  // by process: incarnations, youngest first
  std::vector<elect::AnyElector> electors;        // by process, settled
  std::vector<Message> messages;
  Revision newest;
  std::vector<std::int64_t> seconds_now;                       // by clock: see Second
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order;  // looks, process
  std::vector<std::uint32_t> places;                           // by process
  Parts parts;
  Bytes code;
  Bytes candidate;  // the code of a permutation
};

// Into a handful of values in ascending order.
template <class Value>
void add_once(std::vector<Value>& values, const Value& value) {
  const auto place = std::lower_bound(values.begin(), values.end(), value);
  if (place == values.end() || value < *place) values.insert(place, value);
}

inline bool of_the_network(fault::Type type) {
  return type != fault::Type::pause;  // of those that last
}

inline bool is_drift_free(const Process& process) {
  return process.clock.rate.local_per_true_second == kernel::ClockRate::perfect;
}

}  // namespace tenure::explore
