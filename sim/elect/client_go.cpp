#include <algorithm>
#include <cstdint>
#include <variant>

#include <tenure/base/variant.hpp>
#include <tenure/elect/client_go.hpp>

namespace tenure::elect {
namespace {

using namespace std::chrono_literals;
using Phase = ClientGo::Phase;
using Step = ClientGo::Step;

constexpr DelayRange exactly(Duration delay) {
  return {delay, delay};
}

// wait.Jitter: R + u R 1.2 with u in [0, 1), cut to whole nanoseconds (apimachinery, wait.go).
constexpr DelayRange jittered(Duration retry_period) {
  // The largest whole number below 1.2 R, which is 1.2 R cut off unless it is whole itself.
  const bool is_whole = retry_period.count() % jitter_factor.denominator == 0;
  const Duration most = scaled(retry_period, jitter_factor) - (is_whole ? 1ns : 0ns);
  return {retry_period, longer(retry_period, std::max(most, Duration{0}))};
}

// One input at work on one elector. The functions bear upstream's names.
struct Turn {
  ClientGo& self;
  const ClientGoConfig& config;
  LocalTime now;
  Outbox& out;

  // ---- LeaderElector.Run

  void run() {
    // On a second Run of the same object `observed` is kept.
    self.phase = Phase::acquiring;
    self.stopping = false;
    begin_attempt();
  }

  void finish_run() {
    self.phase = Phase::stopped;
    stop_leading();
    out.push(Exit{self.stopping ? ExitReason::stopped : ExitReason::lost});
  }

  void stop_leading() {
    if (!self.leading) return;
    self.leading = false;
    out.push(StopLeading{});
  }

  // ---- acquire: attempts without a deadline, R to 2.2 R apart, end to start

  void acquire_attempt_ended(bool succeeded) {
    maybe_report_transition();
    if (succeeded) return became_leader();
    out.push(SetTimer{TimerId::wait, jittered(config.retry_period)});
  }

  void became_leader() {
    self.phase = Phase::renewing;
    self.leading = true;
    note_success();
    out.push(StartLeading{});
    begin_round();
  }

  void note_success() {
    if (!counts_from_round()) self.last_success = now.mono;
  }

  bool counts_from_round() const {
    return config.profile.deadline_from == ClientGoProfile::DeadlineFrom::round_start;
  }

  // ---- renew: a round of attempts R apart, all under one deadline; R after its success the next

  void begin_round() {
    self.round_deadline =
        later(counts_from_round() ? now.mono : self.last_success, config.renew_deadline);
    self.next_tick = ticks_from_start() ? later(now.mono, config.retry_period) : never<MonoTime>;
    if (self.round_deadline <= now.mono) return round_failed();
    out.push(SetTimer{TimerId::deadline, exactly(self.round_deadline - now.mono)});
    begin_attempt();
  }

  void renew_attempt_ended(bool succeeded) {
    if (succeeded) {
      maybe_report_transition();
      note_success();
      self.round_deadline = never<MonoTime>;
      self.next_tick = never<MonoTime>;
      out.push(CancelTimer{TimerId::deadline});
      out.push(CancelTimer{TimerId::tick});
      out.push(SetTimer{TimerId::wait, exactly(config.retry_period)});
      return;
    }
    if (context_is_over()) return round_failed();
    if (!ticks_from_start()) return begin_ticking();
    // A ticker with a buffer of one: a tick that passed during the attempt fires at once. The loop
    // looks at the context after every wake-up (apimachinery, loop.go), but a client's time limit
    // that ends together with it may come first, and then one more request is sent.
    if (self.next_tick <= now.mono) return tick();
    out.push(SetTimer{TimerId::tick, exactly(self.next_tick - now.mono)});
  }

  bool ticks_from_start() const {
    return config.profile.ticks == ClientGoProfile::Ticks::round_start;
  }

  // wait.PollImmediateUntil: the ticker is made after the first attempt, and what it sends while
  // nobody listens is dropped (apimachinery v0.29, poll.go, poller).
  void begin_ticking() {
    if (self.next_tick != never<MonoTime>) return;
    self.next_tick = later(now.mono, config.retry_period);
    out.push(SetTimer{TimerId::tick, exactly(config.retry_period)});
  }

  void unbuffered_tick() {
    skip_missed_ticks();
    out.push(SetTimer{TimerId::tick, exactly(self.next_tick - now.mono)});
    if (self.step_open == Step::none) begin_attempt();
  }

  void tick() {
    if (context_is_over()) return round_failed();
    if (!ticks_from_start()) return unbuffered_tick();
    skip_missed_ticks();
    begin_attempt();
  }

  void skip_missed_ticks() {
    const Duration late = now.mono - self.next_tick;
    const auto missed = config.retry_period > 0ns ? late / config.retry_period : 0;
    self.next_tick = later(self.next_tick, config.retry_period * (missed + 1));
  }

  // Whether the deadline of the round or of the release has passed. A request under such a context
  // fails at once, without being sent: after a pause replies and ticks may be handled before the
  // deadline's own timer. At the very instant of the deadline it is that timer that decides.
  bool context_is_over() const {
    return self.phase != Phase::acquiring && now.mono > self.round_deadline;
  }

  void round_failed() {
    maybe_report_transition();
    leave_renew();
  }

  void leave_renew() {
    out.push(CancelTimer{TimerId::deadline});
    out.push(CancelTimer{TimerId::wait});
    out.push(CancelTimer{TimerId::tick});
    if (!config.release_on_cancel) return finish_run();
    release();
  }

  // ---- release: after every renew phase, under a context of its own

  void release() {
    self.phase = Phase::releasing;
    self.round_deadline = never<MonoTime>;
    if (config.profile.release_is_bounded) {
      self.round_deadline = later(now.mono, config.renew_deadline);
      out.push(SetTimer{TimerId::deadline, exactly(config.renew_deadline)});
    }
    switch (config.profile.release) {
      case ClientGoProfile::Release::none:
        return release_ended();
      case ClientGoProfile::Release::update:
        return release_update(self.observed.leader_transitions);
      case ClientGoProfile::Release::get_update:
      case ClientGoProfile::Release::get_update_retry:
        return call_get(Step::release_get);
    }
  }

  void release_ended() {
    out.push(CancelTimer{TimerId::deadline});
    finish_run();
  }

  // The holder that is tested is the remembered one, not the one just read: a stale leader clears
  // the Lease of its successor (since v0.34).
  void release_update(std::int32_t transitions) {
    if (!self.is_leader() || !self.has_cache || context_is_over()) return release_ended();
    self.desired = {.holder = {},
                    .lease_duration_seconds = 1,
                    .leader_transitions = transitions,
                    .acquire_time = api::micro_time(now.wall),
                    .renew_time = api::micro_time(now.wall)};
    call_update(Step::release_update);
  }

  void release_got(const api::Response& response) {
    if (response.outcome != api::Outcome::ok) return release_ended();
    keep(response.lease);
    release_update(record_of(response.lease.spec).leader_transitions);
  }

  void release_updated(const api::Response& response) {
    const bool retries = config.profile.release == ClientGoProfile::Release::get_update_retry;
    if (response.outcome == api::Outcome::conflict && retries && !context_is_over()) {
      return call_get(Step::release_get);
    }
    if (response.outcome == api::Outcome::ok) {
      keep(response.lease);
      observe(self.desired);
    }
    release_ended();
  }

  // ---- tryAcquireOrRenew and tryCoordinatedRenew: one attempt

  // One record serves the whole attempt (leaderelection.go, tryAcquireOrRenew, v0.30 to v0.37):
  // what the fast path writes into it stays for the slow path. A leader whose Lease is gone
  // therefore creates it with its old acquire time and transitions.
  void begin_attempt() {
    self.attempt_at = now;
    self.desired = my_record();
    if (!config.coordinated && config.profile.fast_path && self.is_leader() && is_lease_valid()) {
      self.desired.acquire_time = self.observed.acquire_time;
      self.desired.leader_transitions = self.observed.leader_transitions;
      if (self.has_cache) return call_update(Step::fast_update);
    }
    call_get(Step::get);
  }

  void attempt_ended(bool succeeded) {
    if (self.phase == Phase::acquiring) return acquire_attempt_ended(succeeded);
    renew_attempt_ended(succeeded);
  }

  void fast_updated(const api::Response& response) {
    if (response.outcome == api::Outcome::ok) return written(response);
    if (context_is_over()) return attempt_ended(false);
    call_get(Step::get);  // whatever the error: the slow path, in the same attempt
  }

  void got(const api::Response& response) {
    if (response.outcome == api::Outcome::not_found && !config.coordinated) {
      return context_is_over() ? attempt_ended(false) : call_create();
    }
    if (response.outcome != api::Outcome::ok) return attempt_ended(false);
    keep(response.lease);
    const LeaseRecord record = record_of(response.lease.spec);
    look_at(record);
    if (config.coordinated) return coordinated_got(record);
    // Upstream asks for the validity first; asked last, it is no tie where nothing hangs on it.
    if (!record.holder.empty() && !self.is_leader() && is_lease_valid())
      return attempt_ended(false);
    if (context_is_over()) return attempt_ended(false);
    if (self.is_leader()) {
      self.desired.acquire_time = record.acquire_time;
      self.desired.leader_transitions = record.leader_transitions;
    } else {
      if (!record.holder.empty()) claim_expired(response.lease.resource_version);
      self.desired.leader_transitions = record.leader_transitions + 1;
    }
    call_update(Step::update);
  }

  // The API server's controller picks the holder; the elector only renews what names it.
  void coordinated_got(const LeaseRecord& record) {
    const bool expired = later(self.observed_at, lifetime_of(record)) < self.attempt_at.mono;
    if (expired || !self.is_leader() || !record.preferred_holder.empty() || context_is_over())
      return attempt_ended(false);
    self.desired.acquire_time = record.acquire_time;
    self.desired.leader_transitions = record.leader_transitions;
    self.desired.strategy = record.strategy;
    call_update(Step::update);
  }

  // A CREATE or UPDATE of an attempt went through. The raw record is not touched, so the next GET
  // will look like a change.
  void written(const api::Response& response) {
    keep(response.lease);
    observe(self.desired);
    attempt_ended(true);
  }

  void created(const api::Response& response) {
    if (response.outcome != api::Outcome::ok) forget();
    updated(response);
  }

  void updated(const api::Response& response) {
    if (response.outcome == api::Outcome::ok) return written(response);
    attempt_ended(false);
  }

  LeaseRecord my_record() const {
    const api::MicroTime started = api::micro_time(self.attempt_at.wall);
    return {.holder = self.me,
            .lease_duration_seconds = whole_seconds(config.lease_duration),
            .leader_transitions = 0,
            .acquire_time = started,
            .renew_time = started};
  }

  Duration lifetime_of(const LeaseRecord& record) const {
    return config.profile.expiry_by == ClientGoProfile::ExpiryBy::own
               ? config.lease_duration
               : Duration{std::chrono::seconds{record.lease_duration_seconds}};
  }

  bool is_lease_valid() {
    return is_valid_by_observation(self.observed_at, lifetime_of(self.observed),
                                   self.attempt_at.mono, out.ties);
  }

  void claim_expired(Revision base) {
    out.push(
        ClaimExpired{base, self.attempt_at.mono - self.observed_at, lifetime_of(self.observed)});
  }

  void look_at(const LeaseRecord& record) {
    const LeaseRecord raw = raw_of(record);
    if (self.has_raw && raw == self.observed_raw) return;
    observe(record);
    self.observed_raw = raw;
    self.has_raw = true;
  }

  void observe(const LeaseRecord& record) {
    self.observed = record;
    self.observed_at = now.mono;
  }

  void maybe_report_transition() {
    if (self.observed.holder == self.reported) return;
    self.reported = self.observed.holder;
    out.push(Observe{self.reported});
  }

  // ---- LeaseLock: the object that came back last is what an UPDATE sends, resourceVersion
  // included

  void keep(const api::Lease& lease) {
    self.cache = lease;
    self.has_cache = true;
  }

  // A CREATE that fails leaves an object without a name (leaselock.go, Create): until the next GET
  // an UPDATE fails in the client, and nothing is sent.
  void forget() { self.has_cache = false; }

  void call_get(Step step) { open_call(step, api::Verb::get); }

  void call_create() { open_call(Step::create, api::Verb::create).spec = spec_of(self.desired); }

  void call_update(Step step) {
    api::Lease& body = open_call(step, api::Verb::update);
    body.uid = self.cache.uid;
    body.resource_version = self.cache.resource_version;
    body.spec = spec_of(self.desired);
  }

  // The body of the new request.
  api::Lease& open_call(Step step, api::Verb verb) {
    self.step_open = step;
    self.open_call = RequestId{self.calls.next()};
    Call& call = out.emplace<Call>();
    call.request = self.open_call;
    call.timeout = config.request_timeout;
    call.payload.verb = verb;
    call.payload.key = config.lease;
    return call.payload.body;
  }

  // ---- inputs

  void replied(const Replied& reply) {
    if (self.step_open == Step::none || reply.request != self.open_call) return;
    switch (std::exchange(self.step_open, Step::none)) {
      case Step::none:
        return;
      case Step::fast_update:
        return fast_updated(reply.response);
      case Step::get:
        return got(reply.response);
      case Step::create:
        return created(reply.response);
      case Step::update:
        return updated(reply.response);
      case Step::release_get:
        return release_got(reply.response);
      case Step::release_update:
        return release_updated(reply.response);
    }
  }

  void timer_fired(TimerId timer) {
    switch (timer) {
      case TimerId::wait:
        return self.phase == Phase::acquiring ? begin_attempt() : begin_round();
      case TimerId::tick:
        return tick();
      case TimerId::deadline:
        return deadline_passed();
    }
  }

  // The context of the round, or of the release, has ended, and with it the open request.
  void deadline_passed() {
    abort_call();
    if (self.phase == Phase::releasing) return release_ended();
    round_failed();
  }

  void abort_call() {
    const Step aborted = std::exchange(self.step_open, Step::none);
    if (aborted == Step::none) return;
    if (aborted == Step::create) forget();
    out.push(Abort{self.open_call});
  }

  // The parent context is cancelled: the leader's context with it, the release's not.
  void stop_requested() {
    if (self.stopping || self.phase == Phase::stopped || self.phase == Phase::idle) return;
    self.stopping = true;
    stop_leading();
    if (self.phase == Phase::releasing) return;
    abort_call();
    // Between the attempts of a round, too: the round ends with a report.
    maybe_report_transition();
    if (self.phase == Phase::renewing) return leave_renew();
    out.push(CancelTimer{TimerId::wait});
    finish_run();
  }
};

}  // namespace

void ClientGo::step(const ClientGoConfig& config, const Input& input, LocalTime now, Outbox& out) {
  Turn turn{*this, config, now, out};
  std::visit(overloaded{[&](const Started&) { turn.run(); },
                        [&](const TimerFired& fired) { turn.timer_fired(fired.timer); },
                        [&](const Replied& reply) { turn.replied(reply); },
                        [&](const StopRequested&) { turn.stop_requested(); }},
             input);
}

bool ClientGo::is_healthy(const ClientGoConfig& config, MonoTime now, Duration timeout) const {
  if (!is_leader()) return true;
  return now <= later(later(observed_at, config.lease_duration), timeout);
}

}  // namespace tenure::elect
