#include <tenure/check/failover.hpp>

namespace tenure::check {

void BoundedFailover::on(TrueTime at, const record::LeadershipBegan& began, Findings& findings) {
  State now = processes_[began.who.process.value];
  now.believes = true;
  changed(at, findings, began.who.process, now);
}

void BoundedFailover::on(TrueTime at, const record::LeadershipEnded& ended, Findings& findings) {
  State now = processes_[ended.who.process.value];
  now.believes = false;
  changed(at, findings, ended.who.process, now);
  // A leader that steps down had failed before, when it was cut off; one that ends fails now.
  if (ended.reason != record::EndReason::stepped_down) failed(at, ended.who.process);
}

void BoundedFailover::on(TrueTime at, const record::ProcessStarted& started, Findings& findings) {
  State now = processes_[started.who.process.value];
  now.alive = true;
  now.incarnation = started.who.number;
  changed(at, findings, started.who.process, now);
}

void BoundedFailover::on(TrueTime at, const record::ProcessEnded& ended, Findings& findings) {
  State now = processes_[ended.who.process.value];
  now.alive = now.frozen = false;
  changed(at, findings, ended.who.process, now);
}

void BoundedFailover::on(TrueTime at, const record::ProcessPaused& paused, Findings& findings) {
  State now = processes_[paused.who.process.value];
  now.frozen = true;
  changed(at, findings, paused.who.process, now);
  if (now.believes) failed(at, paused.who.process);
}

void BoundedFailover::on(TrueTime at, const record::ProcessResumed& resumed, Findings& findings) {
  State now = processes_[resumed.who.process.value];
  now.frozen = false;
  changed(at, findings, resumed.who.process, now);
}

void BoundedFailover::on(TrueTime at,
                         const record::ConnectionChanged& connection,
                         Findings& findings) {
  State now = processes_[connection.process.value];
  const bool was_cut_off = now.cut_off;
  now.cut_off = connection.cut_off;
  now.disturbed = connection.disturbed;
  changed(at, findings, connection.process, now);
  if (now.believes && now.cut_off && !was_cut_off) failed(at, connection.process);
}

void BoundedFailover::changed(TrueTime at, Findings& findings, ProcessId id, const State& now) {
  look_at_clock(at, findings);
  State& state = processes_[id.value];
  const bool could = state.could_take_over;
  state = now;
  if (!open_) return;
  if (could && !now.is_healthy()) {
    state.could_take_over = false;
    // With the last of them goes the promise.
    if (--able_ == 0) open_ = false;
  }
  if (open_ && now.believes && now.is_healthy()) {
    open_ = false;
    findings.premise(PropertyId::L1);
  }
}

// A second failure before anybody took over changes nothing: the earlier bound is the stricter one.
void BoundedFailover::failed(TrueTime at, ProcessId id) {
  if (open_ || at < warmup_) return;
  able_ = 0;
  for (State& state : processes_) {
    if (state.believes && state.is_healthy()) return;
    state.could_take_over = state.is_healthy();
    able_ += state.could_take_over ? 1 : 0;
  }
  open_ = able_ != 0;
  failed_at_ = at;
  failed_ = {id, processes_[id.value].incarnation};
}

void BoundedFailover::look_at_clock(TrueTime at, Findings& findings) {
  if (!open_ || at <= later(failed_at_, within_)) return;
  open_ = false;
  findings.premise(PropertyId::L1);
  findings.violated(
      {.id = PropertyId::L1, .at = later(failed_at_, within_), .who = failed_, .length = within_});
}

void EventualStability::on(TrueTime at, const record::LeadershipBegan&) {
  ++believers_;
  last_change_ = at;
}

void EventualStability::on(TrueTime at, const record::LeadershipEnded&) {
  --believers_;
  last_change_ = at;
}

void EventualStability::on(TrueTime at, const record::FaultBegan&) {
  ++active_faults_;
  last_fault_ = at;
}

void EventualStability::on(TrueTime at, const record::FaultEnded&) {
  --active_faults_;
  last_fault_ = at;
}

void EventualStability::end(TrueTime at, Findings& findings) const {
  const TrueTime from =
      TrueTime{} + (window_ < at - TrueTime{} ? at - TrueTime{} - window_ : Duration{0});
  if (active_faults_ != 0 || last_fault_ > from) return;
  findings.premise(PropertyId::L4);
  if (believers_ != 1 || last_change_ > from) {
    findings.violated(
        {.id = PropertyId::L4, .at = from, .length = window_, .found = believers_, .expected = 1});
  }
}

}  // namespace tenure::check
