// The hand-written election loop of many articles: GET; take the Lease when renewTime + duration
// lies in the past by the own wall clock; renew it when it is one's own; else sleep. No deadline of
// its own: an error leaves the leader flag as it is.
//
// Where the pseudo-code (seed 000, section 2) is silent, tenure reads it so: `duration` is the
// record's; 409 goes back to the top without setting the flag; an absent Lease is created; any
// other error goes to the top with the flag unchanged; only reading another live holder clears the
// flag.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

#include <tenure/base/fields.hpp>
#include <tenure/base/id.hpp>
#include <tenure/base/time.hpp>
#include <tenure/elect/elector.hpp>

namespace tenure::elect {

struct NaiveLoopConfig {
  Duration lease_duration = std::chrono::seconds{15};
  Duration retry_period = std::chrono::seconds{2};  // a follower's sleep
  // The pause after a successful write. The code to the letter has none, but its author's own table
  // says that renewals are periodic.
  Duration leader_sleep = std::chrono::seconds{2};
  std::optional<Duration> request_timeout;
  store::Key lease{};
};

struct NaiveLoop {
  enum class Step : std::uint8_t { none, get, create, update };

  Identity me;
  Step step_open = Step::none;
  bool leading = false;
  bool stopped = false;
  RequestId open_call;
  Counter calls;
  Identity reported;

  static constexpr auto fields() {
    return std::tuple{Field{"me", &NaiveLoop::me},
                      Field{"step", &NaiveLoop::step_open},
                      Field{"leading", &NaiveLoop::leading},
                      Field{"stopped", &NaiveLoop::stopped},
                      Field{"openCall", &NaiveLoop::open_call},
                      Field{"calls", &NaiveLoop::calls},
                      Field{"reported", &NaiveLoop::reported}};
  }

  void step(const NaiveLoopConfig& config, const Input& input, LocalTime now, Outbox& out);

  // As ClientGo::settle and ClientGo::reads_object.
  void settle(const NaiveLoopConfig& config, LocalTime now, Duration grain);
  bool reads_object() const { return step_open == Step::get; }

  bool believes_it_leads() const { return leading; }
  bool is_leader() const { return leading; }  // it has no other idea of leading

  friend bool operator==(const NaiveLoop&, const NaiveLoop&) = default;
};
static_assert(every_member_is_described<NaiveLoop>);

}  // namespace tenure::elect
