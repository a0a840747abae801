#include <algorithm>

#include <tenure/check/belief_safety.hpp>

namespace tenure::check {

void BeliefSafety::on(TrueTime at, const record::LeadershipBegan& began, Findings& findings) {
  State& state = processes_[began.who.process.value];
  if (anyone_believed_ && began.who != last_believer_) findings.premise(PropertyId::B1);
  anyone_believed_ = true;
  findings.premise(PropertyId::B2);
  findings.premise(PropertyId::V1);
  if (!state.granted && at >= config_.warmup) {
    findings.violated({.id = PropertyId::B2, .at = at, .who = began.who});
  }
  if ((!state.alive || state.incarnation != began.who.number) && at >= config_.warmup) {
    findings.violated({.id = PropertyId::V1, .at = at, .who = began.who});
  }
  state.believes = true;
  if (++believers_ == 2) {
    overlap_since_ = at;
    second_ = began.who;
    for (std::uint32_t i = 0; i < processes_.size(); ++i) {
      if (processes_[i].believes && i != began.who.process.value) {
        first_ = {ProcessId{i}, processes_[i].incarnation};
      }
    }
  }
  last_believer_ = began.who;
}

void BeliefSafety::on(TrueTime at, const record::LeadershipEnded& ended, Findings& findings) {
  State& state = processes_[ended.who.process.value];
  if (!state.believes) return;
  state.believes = false;
  --believers_;
  if (believers_ == 1) overlap_may_end(at, findings);
}

void BeliefSafety::on(const record::LeaseWritten& written) {
  if (written.record.holder.empty() || written.record.holder != written.writer_identity) return;
  State& state = processes_[written.writer.process.value];
  if (state.incarnation == written.writer.number) state.granted = true;
}

void BeliefSafety::on(TrueTime, const record::ProcessStarted& started, Findings&) {
  State& state = processes_[started.who.process.value];
  state.alive = true;
  state.granted = false;
  state.incarnation = started.who.number;
}

void BeliefSafety::on(TrueTime at, const record::ProcessEnded& ended, Findings& findings) {
  State& state = processes_[ended.who.process.value];
  state.alive = false;
  if (state.believes && at >= config_.warmup) {
    findings.violated({.id = PropertyId::V1, .at = at, .who = ended.who});
  }
}

void BeliefSafety::end(TrueTime at, Findings& findings) {
  if (believers_ >= 2) overlap_may_end(at, findings);
}

void BeliefSafety::overlap_may_end(TrueTime at, Findings& findings) {
  const TrueTime from = std::max(overlap_since_, config_.warmup);
  if (at <= from) return;
  findings.violated(
      {.id = PropertyId::B1, .at = from, .who = first_, .other = second_, .length = at - from});
}

}  // namespace tenure::check
