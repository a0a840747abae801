// beliefSafety (B1, B2) and validLeader (V1): at most one incarnation believes to lead, only after
// a write that names it was applied, and only while it lives. Intervals are half-open: a hand-over
// within one instant is no overlap.
#pragma once

#include <cstdint>
#include <vector>

#include <tenure/check/property.hpp>
#include <tenure/record/fact.hpp>

namespace tenure::check {

class BeliefSafety {
 public:
  BeliefSafety() = default;
  BeliefSafety(const PropertyConfig& config, std::size_t processes)
      : config_(config), processes_(processes) {}

  void on(TrueTime at, const record::LeadershipBegan& began, Findings& findings);
  void on(TrueTime at, const record::LeadershipEnded& ended, Findings& findings);
  void on(const record::LeaseWritten& written);
  void on(TrueTime at, const record::ProcessStarted& started, Findings& findings);
  void on(TrueTime at, const record::ProcessEnded& ended, Findings& findings);
  void end(TrueTime at, Findings& findings);

 private:
  struct State {
    bool alive = false;
    bool believes = false;
    bool granted = false;  // an applied write named this incarnation
    std::uint32_t incarnation = 0;
  };

  void overlap_may_end(TrueTime at, Findings& findings);

  PropertyConfig config_;
  std::vector<State> processes_;
  std::uint32_t believers_ = 0;
  bool anyone_believed_ = false;
  record::Incarnation last_believer_;
  // The overlap that lasts, while believers_ >= 2: its begin and the two that began it.
  TrueTime overlap_since_{};
  record::Incarnation first_, second_;
};

}  // namespace tenure::check
