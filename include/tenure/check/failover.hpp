// boundedFailover (L1) and eventualStability (L4): somebody leads again in time after the leader
// failed, and in the end one and the same.
//
// L1 promises something only while somebody could take over: its premise is a candidate that is up,
// not frozen, connected and answered in the usual time from the failure to the bound. A leader
// fails when its process ends, is frozen, or is cut off.
#pragma once

#include <cstdint>
#include <vector>

#include <tenure/check/property.hpp>
#include <tenure/record/fact.hpp>

namespace tenure::check {

class BoundedFailover {
 public:
  BoundedFailover() = default;
  BoundedFailover(const PropertyConfig& config, std::size_t processes)
      : warmup_(config.warmup), within_(config.failover_within), processes_(processes) {}

  void on(TrueTime at, const record::LeadershipBegan& began, Findings& findings);
  void on(TrueTime at, const record::LeadershipEnded& ended, Findings& findings);
  void on(TrueTime at, const record::ProcessStarted& started, Findings& findings);
  void on(TrueTime at, const record::ProcessEnded& ended, Findings& findings);
  void on(TrueTime at, const record::ProcessPaused& paused, Findings& findings);
  void on(TrueTime at, const record::ProcessResumed& resumed, Findings& findings);
  void on(TrueTime at, const record::ConnectionChanged& changed, Findings& findings);
  void end(TrueTime at, Findings& findings) { look_at_clock(at, findings); }

 private:
  struct State {
    bool alive = false, frozen = false, cut_off = false, disturbed = false, believes = false;
    bool could_take_over = false;  // healthy ever since the failure that is open
    std::uint32_t incarnation = 0;
    bool is_healthy() const { return alive && !frozen && !cut_off && !disturbed; }
  };

  void changed(TrueTime at, Findings& findings, ProcessId id, const State& now);
  void failed(TrueTime at, ProcessId id);
  void look_at_clock(TrueTime at, Findings& findings);

  TrueTime warmup_{};
  Duration within_{};
  std::vector<State> processes_;
  bool open_ = false;  // a leader has failed and nobody has taken over yet
  TrueTime failed_at_{};
  record::Incarnation failed_;
  std::uint32_t able_ = 0;  // processes that could take over
};

class EventualStability {
 public:
  EventualStability() = default;
  EventualStability(const PropertyConfig& config, std::size_t) : window_(config.stable_window) {}

  void on(TrueTime at, const record::LeadershipBegan& began);
  void on(TrueTime at, const record::LeadershipEnded& ended);
  void on(TrueTime at, const record::FaultBegan&);
  void on(TrueTime at, const record::FaultEnded&);
  void end(TrueTime at, Findings& findings) const;

 private:
  Duration window_{};
  std::uint32_t believers_ = 0;
  TrueTime last_change_{};
  std::uint32_t active_faults_ = 0;
  TrueTime last_fault_{};
};

}  // namespace tenure::check
