#include <algorithm>

#include <tenure/net/transport.hpp>

namespace tenure::net {
namespace {

using namespace std::chrono_literals;

// rest.Request.maxRetries.
constexpr int most_retries = 10;
// What a read that broke off waits: an artificial "Retry-After: 1" (with_retry.go,
// retryAfterResponse).
constexpr Duration pause_of_broken_read = 1s;

// time.Duration.Seconds: whole seconds and the rest are converted apart.
double seconds_of(Duration duration) {
  constexpr std::int64_t second = 1'000'000'000;
  const std::int64_t whole = duration.count() / second;
  const std::int64_t rest = duration.count() % second;
  return static_cast<double>(whole) + static_cast<double>(rest) / 1e9;
}

}  // namespace

// ---- TokenBucket (x/time/rate, rate.go)

TokenBucket::TokenBucket(double tokens_per_second, int burst)
    : per_second_{tokens_per_second}, burst_{static_cast<double>(burst)}, tokens_{burst_} {}

void TokenBucket::advance(MonoTime now) {
  const Duration elapsed = now - std::min(last_, now);
  tokens_ = std::min(tokens_ + seconds_of(elapsed) * per_second_, burst_);
  last_ = now;
}

Duration TokenBucket::wait_for(double tokens) const {
  return Duration{static_cast<std::int64_t>(1e9 * (tokens / per_second_))};
}

std::optional<Duration> TokenBucket::reserve(MonoTime now, Duration longest) {
  if (is_unlimited()) return Duration{0};
  const TokenBucket before = *this;
  advance(now);
  tokens_ -= 1;
  const Duration wait = tokens_ < 0 ? wait_for(-tokens_) : Duration{0};
  if (burst_ < 1 || wait > longest) {
    *this = before;
    return std::nullopt;
  }
  last_event_ = now + wait;
  return wait;
}

void TokenBucket::give_back(MonoTime use_at, MonoTime now) {
  if (is_unlimited() || use_at < now) return;
  const double back = 1 - seconds_of(last_event_ - use_at) * per_second_;
  if (back <= 0) return;
  advance(now);
  tokens_ = std::min(tokens_ + back, burst_);
  if (use_at != last_event_) return;
  const MonoTime before = use_at - wait_for(1);
  if (before >= now) last_event_ = before;
}

// ---- Transport

Transport::Transport(const TransportConfig& config)
    : config_{config}, bucket_{config.tokens_per_second, config.burst} {}

Transport::Next Transport::begin(bool is_read,
                                 std::optional<MonoTime> context_deadline,
                                 MonoTime now) {
  is_read_ = is_read;
  tries_ = 0;
  deadline_ = never<MonoTime>;
  context_deadline_ = context_deadline.value_or(never<MonoTime>);
  return take_token(Phase::first_token, now);
}

Transport::Next Transport::take_token(Phase phase, MonoTime now) {
  ++tokens_asked_;
  const MonoTime latest = std::min(deadline_, context_deadline_);
  const Duration longest = latest == never<MonoTime> ? longest_duration : latest - now;
  const auto wait = bucket_.reserve(now, longest);
  if (!wait) return end(Next::throttled);
  phase_ = phase;
  pause_ends_ = now + *wait;
  return *wait == Duration{0} ? have_token(now) : Next::wait;
}

Transport::Next Transport::have_token(MonoTime now) {
  // "Throttle the first try before setting up the timeout" (rest/request.go, request).
  if (phase_ == Phase::first_token && config_.timeout) deadline_ = later(now, *config_.timeout);
  phase_ = Phase::on_wire;
  ++tries_;
  return Next::send;
}

Transport::Next Transport::replied(Reply reply, Duration retry_after, MonoTime now) {
  if (phase_ != Phase::on_wire) return Next::wait;
  const bool again = reply == Reply::retry || (reply == Reply::broken_connection && is_read_);
  if (!again || tries_ > most_retries) return end(Next::answer);
  const Duration pause = reply == Reply::retry ? retry_after : pause_of_broken_read;
  if (pause <= Duration{0}) return take_token(Phase::token, now);
  phase_ = Phase::pause;
  pause_ends_ = now + pause;
  return Next::wait;
}

Transport::Next Transport::woken(MonoTime now) {
  if (now >= deadline_) {
    if (phase_ == Phase::token) bucket_.give_back(pause_ends_, now);
    return end(Next::timed_out);
  }
  switch (phase_) {
    case Phase::pause:
      return take_token(Phase::token, now);
    case Phase::first_token:
    case Phase::token:
      return have_token(now);
    case Phase::idle:
    case Phase::on_wire:
      return Next::wait;
  }
  return Next::wait;
}

void Transport::abort(MonoTime now) {
  if (phase_ == Phase::first_token || phase_ == Phase::token) bucket_.give_back(pause_ends_, now);
  end(Next::answer);
}

Transport::Next Transport::end(Next how) {
  phase_ = Phase::idle;
  return how;
}

MonoTime Transport::wakes_at() const {
  switch (phase_) {
    case Phase::idle:
      return never<MonoTime>;
    case Phase::on_wire:
      return deadline_;
    case Phase::pause:
      return config_.limit_ends_pause ? std::min(deadline_, pause_ends_) : pause_ends_;
    case Phase::first_token:
    case Phase::token:
      return std::min(deadline_, pause_ends_);
  }
  return never<MonoTime>;
}

}  // namespace tenure::net
