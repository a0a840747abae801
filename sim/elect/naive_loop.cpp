#include <utility>

#include <tenure/base/variant.hpp>
#include <tenure/elect/lease_record.hpp>
#include <tenure/elect/naive_loop.hpp>

namespace tenure::elect {
namespace {

using Step = NaiveLoop::Step;

struct Turn {
  NaiveLoop& self;
  const NaiveLoopConfig& config;
  LocalTime now;
  Outbox& out;

  void top() { call(Step::get, {.verb = api::Verb::get, .key = config.lease}); }

  void got(const api::Response& response) {
    if (response.outcome == api::Outcome::not_found) return create();
    if (response.outcome != api::Outcome::ok) return top();
    const LeaseRecord record = record_of(response.lease.spec);
    if (is_expired(record)) {
      if (!record.holder.empty() && record.holder != self.me) claim_expired(response.lease, record);
      return write(response.lease);
    }
    if (record.holder == self.me) return write(response.lease);
    follow(record.holder);
  }

  void follow(Identity holder) {
    if (holder != self.reported) {
      self.reported = holder;
      out.push(Observe{holder});
    }
    stop_leading();
    sleep(config.retry_period);
  }

  // renewTime + duration < now, by the own wall clock; a record without a renewTime counts as
  // expired.
  bool is_expired(const LeaseRecord& record) {
    if (!record.renew_time.present()) return true;
    const WallTime expires = later(api::wall_time(record.renew_time), lifetime_of(record));
    return out.ties.is_later(now.wall, expires);
  }

  static Duration lifetime_of(const LeaseRecord& record) {
    return std::chrono::seconds{record.lease_duration_seconds};
  }

  void claim_expired(const api::Lease& lease, const LeaseRecord& record) {
    const Duration age = record.renew_time.present() ? now.wall - api::wall_time(record.renew_time)
                                                     : longest_duration;
    out.push(ClaimExpired{lease.resource_version, age, lifetime_of(record)});
  }

  // Holder and renewTime only; every other field stays as it was read, transitions included.
  void write(api::Lease lease) {
    lease.spec.holder = self.me;
    lease.spec.renew_time = api::micro_time(now.wall);
    call(Step::update, {.verb = api::Verb::update, .key = config.lease, .body = lease});
  }

  void create() {
    api::Lease lease;
    lease.spec.holder = self.me;
    lease.spec.lease_duration_seconds = whole_seconds(config.lease_duration);
    lease.spec.renew_time = api::micro_time(now.wall);
    call(Step::create, {.verb = api::Verb::create, .key = config.lease, .body = lease});
  }

  void wrote(const api::Response& response) {
    if (response.outcome != api::Outcome::ok) return top();
    if (self.reported != self.me) {
      self.reported = self.me;
      out.push(Observe{self.me});
    }
    if (!self.leading) {
      self.leading = true;
      out.push(StartLeading{});
    }
    sleep(config.leader_sleep);
  }

  void stop_leading() {
    if (!self.leading) return;
    self.leading = false;
    out.push(StopLeading{});
  }

  void sleep(Duration time) {
    if (time == Duration::zero()) return top();
    out.push(SetTimer{TimerId::wait, {time, time}});
  }

  void call(Step step, const api::Request& request) {
    self.step_open = step;
    self.open_call = RequestId{self.calls.next()};
    out.push(Call{self.open_call, config.request_timeout, request});
  }

  void replied(const Replied& reply) {
    if (self.step_open == Step::none || reply.request != self.open_call) return;
    switch (std::exchange(self.step_open, Step::none)) {
      case Step::none:
        return;
      case Step::get:
        return got(reply.response);
      case Step::create:
      case Step::update:
        return wrote(reply.response);
    }
  }

  // SIGTERM ends the program; nothing is released.
  void stop_requested() {
    if (self.stopped) return;
    self.stopped = true;
    if (self.step_open != Step::none) out.push(Abort{self.open_call});
    self.step_open = Step::none;
    out.push(CancelTimer{TimerId::wait});
    stop_leading();
    out.push(Exit{ExitReason::stopped});
  }
};

}  // namespace

void NaiveLoop::settle(const NaiveLoopConfig&, LocalTime, Duration) {
  if (step_open == Step::none) open_call = {};
  reported = {};
}

void NaiveLoop::step(const NaiveLoopConfig& config,
                     const Input& input,
                     LocalTime now,
                     Outbox& out) {
  Turn turn{*this, config, now, out};
  std::visit(overloaded{[&](const Started&) { turn.top(); }, [&](const TimerFired&) { turn.top(); },
                        [&](const Replied& reply) { turn.replied(reply); },
                        [&](const StopRequested&) { turn.stop_requested(); }},
             input);
}

}  // namespace tenure::elect
