// The metrics of a run, from its facts. All from the warm-up on; belief at level `context`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <tenure/base/id.hpp>
#include <tenure/base/time.hpp>
#include <tenure/record/fact.hpp>

namespace tenure::check {

enum class MetricId : std::uint8_t {
  failover,
  gap,
  leaderless,
  overlap,
  overlap_running,
  transitions,
  restarts,
  api_requests_per_second,
  api_conflicts,
};
inline constexpr std::size_t metric_count = 9;

std::string_view to_text(MetricId id);

// One sentence: what a sample of it is.
std::string_view definition(MetricId id);

struct FailoverSample {
  FaultId fault;
  Duration time{};
  bool censored = false;  // nobody led again before the run ended
};

struct RunMetrics {
  std::vector<FailoverSample> failovers;
  Duration gap{};
  bool gap_is_open = false;  // it lasted until the end
  Duration leaderless{};     // in all
  Duration overlap{};
  Duration overlap_running{};
  std::uint32_t transitions = 0;
  std::uint32_t restarts = 0;
  std::uint64_t requests = 0;
  std::optional<Duration> requests_window;  // in which they were counted; none: it is empty
  std::uint32_t conflicts = 0;
};

class Metrics {
 public:
  Metrics() = default;
  Metrics(TrueTime warmup, std::size_t processes) : warmup_(warmup), processes_(processes) {}

  void on(TrueTime at, const record::LeadershipBegan& began);
  void on(TrueTime at, const record::LeadershipEnded& ended);
  void on(TrueTime at, const record::LeaseWritten& written);
  void on(TrueTime at, const record::ProcessStarted& started);
  void on(TrueTime at, const record::ProcessPaused& paused);
  void on(TrueTime at, const record::ProcessResumed& resumed);
  void on(TrueTime at, const record::ProcessEnded& ended);
  void on(TrueTime at, const record::FaultBegan& began);
  void on(TrueTime at, const record::FaultHit& hit);
  void on(TrueTime at, const record::RequestHandled& handled) {
    if (at < warmup_) return;
    if (!first_fault_) ++metrics_.requests;
    if (handled.conflict) ++metrics_.conflicts;
  }

  // The run is over.
  void end(TrueTime at);
  const RunMetrics& result() const { return metrics_; }

 private:
  struct State {
    bool believes = false;
    bool frozen = false;
  };
  // A fault that hit a believer and has not yet been followed by a new belief.
  struct Pending {
    FaultId fault;
    std::uint32_t occurrence = 0;
    TrueTime at{};
    ProcessId hit;
    bool belief_ended = false;
  };

  void count(TrueTime at, ProcessId id, State now);
  void close_intervals(TrueTime at);
  Duration counted(TrueTime from, TrueTime to) const;

  TrueTime warmup_{};
  std::vector<State> processes_;
  std::vector<Pending> pending_;
  std::uint32_t believers_ = 0;
  std::uint32_t running_believers_ = 0;
  // An interval of the run. Intervals are half-open: one that ends and begins again in the same
  // instant was never interrupted.
  struct Interval {
    TrueTime since{};
    TrueTime ended = never<TrueTime>;

    void begin(TrueTime at) {
      if (ended != at) since = at;
      ended = never<TrueTime>;
    }
    void end(TrueTime at) { ended = at; }
  };

  Interval leaderless_;
  Interval overlap_;
  Interval running_overlap_;
  TrueTime leaderless_added_{};  // up to when metrics_.leaderless has counted
  Identity last_holder_{};
  std::optional<TrueTime> first_fault_;
  RunMetrics metrics_;
};

}  // namespace tenure::check
