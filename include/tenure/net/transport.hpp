// What the client below an elector does with one call: it waits for a token of its rate limiter,
// sends the request, and sends it again when the server asks for that or a read broke off. Pure, as
// the electors are: the host says what came and when, and gets told what to do next.
//
// After client-go rest/request.go and rest/with_retry.go (v0.26 to v0.37) and
// golang.org/x/time/rate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <tenure/base/time.hpp>

namespace tenure::net {

// A token bucket, as x/time/rate counts: in floating point, operation by operation the same.
class TokenBucket {
 public:
  // Full at first. Not positive: no limit.
  TokenBucket(double tokens_per_second, int burst);

  bool is_unlimited() const { return per_second_ <= 0; }

  // Takes a token that may be used after the wait it returns; nothing, and nothing taken, when the
  // wait would be longer than `longest`.
  std::optional<Duration> reserve(MonoTime now, Duration longest);
  // Gives the last token back, which was to be used at `use_at`.
  void give_back(MonoTime use_at, MonoTime now);

 private:
  void advance(MonoTime now);
  Duration wait_for(double tokens) const;

  double per_second_;
  double burst_;
  double tokens_;
  MonoTime last_{};        // when the tokens were counted
  MonoTime last_event_{};  // the latest instant for which a token was reserved
};

struct TransportConfig {
  // The client's Timeout. It spans all tries of a call, but not the wait for its first token.
  std::optional<Duration> timeout;
  double tokens_per_second = 5;  // rest.Config.QPS left at 0
  int burst = 10;
  // Before a second try: whether the client's limit ends the pause. In v0.29 it does not
  // (with_retry.go sleeps with backoff.Sleep, in v0.33 with SleepWithContext).
  bool limit_ends_pause = true;
};

class Transport {
 public:
  enum class Next : std::uint8_t {
    wait,       // until `wakes_at()`, a reply or the end of the context
    send,       // put the request on the wire
    answer,     // the call ends with the reply that came
    timed_out,  // the call ends with the client's own limit
    throttled   // the call ends because a token would come after its deadline
  };
  enum class Reply : std::uint8_t { final, retry, broken_connection };

  explicit Transport(const TransportConfig& config);

  // A call begins. Its context ends at `context_deadline`, which the host sees to, with `abort`.
  Next begin(bool is_read, std::optional<MonoTime> context_deadline, MonoTime now);
  // Something came from the wire; `retry` when it is 429 or 5xx with a Retry-After.
  Next replied(Reply reply, Duration retry_after, MonoTime now);
  Next woken(MonoTime now);
  void abort(MonoTime now);

  bool is_pausing() const { return phase_ == Phase::pause; }
  // How often the rate limiter was asked, in all calls so far.
  std::size_t tokens_asked() const { return tokens_asked_; }

  // When `woken` is due; `never` while there is nothing to wait for but a reply.
  MonoTime wakes_at() const;

 private:
  enum class Phase : std::uint8_t { idle, first_token, on_wire, pause, token };

  Next take_token(Phase phase, MonoTime now);
  Next have_token(MonoTime now);
  Next end(Next how);

  TransportConfig config_;
  TokenBucket bucket_;
  Phase phase_ = Phase::idle;
  bool is_read_ = false;
  int tries_ = 0;
  std::size_t tokens_asked_ = 0;
  MonoTime deadline_ = never<MonoTime>;          // of the client
  MonoTime context_deadline_ = never<MonoTime>;  // of the elector
  MonoTime pause_ends_ = never<MonoTime>;        // pause: the next try; tokens: the token
};

}  // namespace tenure::net
