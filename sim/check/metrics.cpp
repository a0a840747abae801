#include <algorithm>
#include <array>
#include <string_view>

#include <tenure/check/metrics.hpp>

namespace tenure::check {

std::string_view to_text(MetricId id) {
  constexpr std::array<std::string_view, metric_count> names = {
      "failover",        "gap",         "leaderless", "overlap",
      "overlap.running", "transitions", "restarts",   "api.requestsPerSecond",
      "api.conflicts"};
  return names[static_cast<std::size_t>(id)];
}

std::string_view definition(MetricId id) {
  switch (id) {
    case MetricId::failover:
      return "true time from the begin of a fault that hits a believer to the next begin of a "
             "belief, one "
             "sample per such fault; none when the leader was kept; censored when nobody led again";
    case MetricId::gap:
      return "longest interval without a believer, one sample per run; censored when it is open at "
             "the end";
    case MetricId::leaderless:
      return "share of the time in which nobody believes to lead, one sample per run";
    case MetricId::overlap:
      return "longest interval with two or more believers, one sample per run";
    case MetricId::overlap_running:
      return "longest interval with two or more believers that are not frozen, one sample per run";
    case MetricId::transitions:
      return "writes that name a holder other than the last one named, one sample per run; the "
             "first holder "
             "of a run is not counted";
    case MetricId::restarts:
      return "process starts after the first of each name, one sample per run";
    case MetricId::api_requests_per_second:
      return "requests received by API servers per second until the first fault begins, one sample "
             "per run";
    case MetricId::api_conflicts:
      return "answers 409 Conflict, one sample per run; AlreadyExists is not counted";
  }
  return "";
}

void Metrics::on(TrueTime at, const record::LeadershipBegan& began) {
  const ProcessId id = began.who.process;
  State now = processes_[id.value];
  now.believes = true;
  count(at, id, now);
  for (const Pending& pending : pending_) {
    metrics_.failovers.push_back({pending.fault, at - pending.at, false});
  }
  pending_.clear();
}

void Metrics::on(TrueTime at, const record::LeadershipEnded& ended) {
  const ProcessId id = ended.who.process;
  State now = processes_[id.value];
  now.believes = false;
  count(at, id, now);
  for (Pending& pending : pending_) {
    if (pending.hit == id) pending.belief_ended = true;
  }
}

void Metrics::on(TrueTime at, const record::LeaseWritten& written) {
  const Identity holder = written.record.holder;
  if (holder.empty() || holder == last_holder_) return;
  if (!last_holder_.empty() && at >= warmup_) ++metrics_.transitions;
  last_holder_ = holder;
}

void Metrics::on(TrueTime at, const record::ProcessStarted& started) {
  if (started.who.number != 0 && at >= warmup_) ++metrics_.restarts;
}

void Metrics::on(TrueTime at, const record::ProcessPaused& paused) {
  State now = processes_[paused.who.process.value];
  now.frozen = true;
  count(at, paused.who.process, now);
}

void Metrics::on(TrueTime at, const record::ProcessResumed& resumed) {
  State now = processes_[resumed.who.process.value];
  now.frozen = false;
  count(at, resumed.who.process, now);
}

void Metrics::on(TrueTime at, const record::ProcessEnded& ended) {
  count(at, ended.who.process, State{});
}

void Metrics::on(TrueTime at, const record::FaultBegan&) {
  if (!first_fault_) first_fault_ = at;
}

void Metrics::on(TrueTime at, const record::FaultHit& hit) {
  if (!processes_[hit.who.process.value].believes) return;
  const bool same_fault = std::any_of(pending_.begin(), pending_.end(), [&](const Pending& p) {
    return p.fault == hit.fault && p.occurrence == hit.occurrence;
  });
  if (same_fault) return;
  // Until this fault the earlier one had cost nobody the leadership.
  std::erase_if(pending_, [](const Pending& p) { return !p.belief_ended; });
  if (at >= warmup_) pending_.push_back({hit.fault, hit.occurrence, at, hit.who.process, false});
}

void Metrics::end(TrueTime at) {
  close_intervals(at);
  if (believers_ == 0) {
    const Duration last = counted(leaderless_.since, at);
    metrics_.leaderless += counted(leaderless_added_, at);
    metrics_.gap_is_open = last == metrics_.gap && last > Duration::zero();
  }
  for (const Pending& pending : pending_) {
    if (pending.belief_ended) metrics_.failovers.push_back({pending.fault, at - pending.at, true});
  }
  const TrueTime until = std::min(first_fault_.value_or(at), at);
  if (until > warmup_) metrics_.requests_window = until - warmup_;
}

// The part of [from, to) that lies behind the warm-up.
Duration Metrics::counted(TrueTime from, TrueTime to) const {
  return std::max(to - std::max(from, warmup_), Duration::zero());
}

void Metrics::count(TrueTime at, ProcessId id, State now) {
  State& state = processes_[id.value];
  const auto runs = [](const State& s) { return s.believes && !s.frozen; };
  const std::uint32_t believers = believers_ - (state.believes ? 1 : 0) + (now.believes ? 1 : 0);
  const std::uint32_t running = running_believers_ - (runs(state) ? 1 : 0) + (runs(now) ? 1 : 0);
  state = now;
  if (believers == believers_ && running == running_believers_) return;
  close_intervals(at);
  const auto change = [at](Interval& interval, bool was, bool is) {
    if (!was && is) interval.begin(at);
    if (was && !is) interval.end(at);
  };
  // What goes on is counted when it ends; only the share without a leader adds up.
  if (believers_ == 0 && believers != 0) metrics_.leaderless += counted(leaderless_added_, at);
  if (believers_ != 0 && believers == 0) leaderless_added_ = at;
  change(leaderless_, believers_ == 0, believers == 0);
  change(overlap_, believers_ >= 2, believers >= 2);
  change(running_overlap_, running_believers_ >= 2, running >= 2);
  believers_ = believers;
  running_believers_ = running;
}

// The longest so far, the intervals that last included.
void Metrics::close_intervals(TrueTime at) {
  if (believers_ == 0) metrics_.gap = std::max(metrics_.gap, counted(leaderless_.since, at));
  if (believers_ >= 2) metrics_.overlap = std::max(metrics_.overlap, counted(overlap_.since, at));
  if (running_believers_ >= 2) {
    metrics_.overlap_running =
        std::max(metrics_.overlap_running, counted(running_overlap_.since, at));
  }
}

}  // namespace tenure::check
