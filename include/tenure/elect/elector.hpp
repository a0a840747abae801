// What every elector is: a pure state machine. It takes an input and its node's local time, and
// puts what it wants done into an outbox. No I/O, no clock, no random numbers, no callbacks; a
// delay with jitter leaves as a range, inside which somebody else chooses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include <tenure/api/message.hpp>
#include <tenure/base/assert.hpp>
#include <tenure/base/id.hpp>
#include <tenure/base/time.hpp>

namespace tenure::elect {

// Timers of an elector, in the order in which they are handled when several are due at one instant.
enum class TimerId : std::uint8_t { deadline, wait, tick };
inline constexpr std::size_t timer_count = 3;

// ---- inputs

struct Started {};
struct TimerFired {
  TimerId timer;
};
struct Replied {
  RequestId request;
  const api::Response& response;
};
struct StopRequested {};  // the parent context is cancelled (SIGTERM handled by the program)

using Input = std::variant<Started, TimerFired, Replied, StopRequested>;

// ---- outputs

// At most one call of an elector is open; it ends with its reply, with an Abort or with the
// process.
struct Call {
  RequestId request;
  std::optional<Duration> timeout;  // the client's own limit, none: wait for ever
  api::Request payload;
};
struct Abort {  // the call's context ended: its reply will not be looked at
  RequestId request;
};
struct DelayRange {  // the host chooses inside, both ends included
  Duration min{};
  Duration max{};
};
struct SetTimer {
  TimerId timer;
  DelayRange delay;
};
struct CancelTimer {
  TimerId timer;
};
struct StartLeading {};  // belief begins: the context given to OnStartedLeading is live
struct StopLeading {};   // belief ends: that context is cancelled
struct Observe {         // OnNewLeader; the empty identity when a released Lease was seen
  Identity holder;
};
// "I may take the Lease from a holder that did not release it": what the elector itself bases that
// on, so that it can be checked. `age` is how long, by the clock it uses, the record has stood.
struct ClaimExpired {
  Revision base;
  Duration age;
  Duration lifetime;
};
enum class ExitReason : std::uint8_t { lost, stopped };
struct Exit {  // Run returns (after OnStoppedLeading)
  ExitReason reason;
};

using Output = std::variant<Call,
                            Abort,
                            SetTimer,
                            CancelTimer,
                            StartLeading,
                            StopLeading,
                            Observe,
                            ClaimExpired,
                            Exit>;
static_assert(std::is_trivially_copyable_v<Output>);

// How comparisons of times come out that are equal, or nearer to each other than `width`. The
// electors compare strictly, one way or the other, and a simulation leaves it at that. On a grid
// equality also stands for what lies just beside it: an exploration looks whether a step met a tie,
// and takes the step again with the ties turned.
struct Ties {
  Duration width{};
  bool turned = false;
  bool met = false;

  template <class Time>
  bool is_later(Time left, Time right) {
    const bool shipped = left > right;
    const bool is_tie = left == right || (width != Duration{0} && is_near(left, right));
    if (!is_tie) return shipped;
    met = true;
    return shipped != turned;
  }

 private:
  template <class Time>
  bool is_near(Time left, Time right) const {
    return later(left, width) > right && later(right, width) > left;
  }
};

// The outputs of one step, in order. Flat, because it is made and emptied at every event.
class Outbox {
 public:
  static constexpr std::size_t capacity = 12;

  template <class T>
  void push(const T& output) {
    TENURE_ASSERT(size_ < capacity, "a step wants only a handful of things");
    new (slot(size_++)) Output{output};
  }

  // A new output to be filled in where it stands: calls are large, and made at most events.
  template <class T>
  T& emplace() {
    TENURE_ASSERT(size_ < capacity, "a step wants only a handful of things");
    auto* output = new (slot(size_++)) Output{std::in_place_type<T>};
    return *std::get_if<T>(output);
  }

  const Output* begin() const {
    return std::launder(reinterpret_cast<const Output*>(storage_.data()));
  }
  const Output* end() const { return begin() + size_; }
  std::size_t size() const { return size_; }
  void clear() { size_ = 0; }

  Ties ties;

 private:
  void* slot(std::size_t i) { return storage_.data() + i * sizeof(Output); }

  alignas(
      Output) std::array<std::byte, capacity * sizeof(Output)> storage_;  // first size_ are alive
  std::size_t size_ = 0;
};

}  // namespace tenure::elect
