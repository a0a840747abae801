// Runs of a scenario that is written in the test, and what came of each. The whole path is used:
// text, loader, build, run. Latency is zero unless a test says otherwise; nothing is warmed up.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/run/result.hpp>
#include <tenure/run/run.hpp>

namespace tenure::test {

// The durations of a client-go elector, in whole seconds.
struct Timing {
  int lease, deadline, retry;

  std::string text() const {
    return "leaseDuration: " + std::to_string(lease) +
           "s, renewDeadline: " + std::to_string(deadline) +
           "s, retryPeriod: " + std::to_string(retry) + "s";
  }
};

inline std::string seconds(double value) {
  return std::to_string(value) + "s";
}

// A group of candidates; `fields` of the group, `elector` fields beside the durations.
struct Group {
  std::string name = "web";
  int replicas = 3;
  Timing timing{15, 10, 2};
  std::string elector{};
  std::string fields{};

  std::string text() const {
    return "    - {name: " + name + ", replicas: " + std::to_string(replicas) +
           ", elector: {type: client-go, " + timing.text() + (elector.empty() ? "" : ", ") +
           elector + "}" + (fields.empty() ? "" : ", ") + fields + "}\n";
  }
};

// So many that a debug build is quick, and shares are known to some per cent.
inline constexpr int usual_runs = 400;

struct Trial {
  std::vector<Group> groups;
  std::vector<std::string> faults{};  // fields of each
  double length = 300;                // of a run, in seconds
  int runs = usual_runs;
  std::string latency = "0s";  // round trip of every request
  int seed = 1;

  std::string text() const {
    std::string out =
        "apiVersion: tenure/v1alpha1\nkind: Scenario\nmetadata: {name: trial}\nspec:\n";
    out += "  duration: " + seconds(length) + "\n  warmup: 0s\n  runs: " + std::to_string(runs) +
           "\n  seed: " + std::to_string(seed) + "\n";
    out += "  cluster: {latency: {read: " + latency + ", write: " + latency + "}}\n";
    out += "  candidates:\n";
    for (const Group& group : groups) out += group.text();
    if (!faults.empty()) out += "  faults:\n";
    for (const std::string& fault : faults) out += "    - {" + fault + "}\n";
    return out;
  }
};

inline scenario::Scenario scenario_of(const Trial& trial) {
  Diagnostics problems;
  const auto documents =
      scenario::parse_documents("trial.yaml", trial.text(), scenario::Format::yaml, problems);
  REQUIRE_MESSAGE(!documents.empty(), rendered(problems));
  const auto scenario = scenario::decode(documents.front(), problems);
  REQUIRE_MESSAGE(scenario.has_value(), rendered(problems));
  return *scenario;
}

// What came of one run; times in seconds.
struct Outcome {
  std::optional<double> failover;       // from the first fault that cost a leader
  std::optional<double> stopped_after;  // from the first fault to the first end of a belief
  double overlap = 0, overlap_running = 0, gap = 0;
  std::uint32_t transitions = 0;

  bool lost() const { return stopped_after.has_value(); }
};

inline double in_seconds(Duration d) {
  return static_cast<double>(d.count()) / 1e9;
}

class StopWatch final : public record::Recorder {
 public:
  void on(const record::Record& record) override {
    if (std::holds_alternative<record::FaultBegan>(record.fact) && !fault_) fault_ = record.at;
    const auto* ended = std::get_if<record::LeadershipEnded>(&record.fact);
    if (ended == nullptr || ended->level != record::Level::context || !fault_ || stopped_) return;
    stopped_ = record.at;
  }
  std::optional<double> stopped_after() const {
    if (!stopped_) return std::nullopt;
    return in_seconds(*stopped_ - *fault_);
  }

 private:
  std::optional<TrueTime> fault_, stopped_;
};

inline std::vector<Outcome> outcomes(const Trial& trial) {
  const run::Experiment experiment = run::experiment_of(scenario_of(trial));
  run::Runner runner{experiment};
  std::vector<Outcome> all;
  for (std::uint64_t number = 0; number < experiment.runs; ++number) {
    SeededOracle oracle{experiment.seed, number};
    StopWatch watch;
    const check::RunMetrics& metrics = runner.run(oracle, &watch).metrics();
    Outcome outcome;
    outcome.stopped_after = watch.stopped_after();
    outcome.overlap = in_seconds(metrics.overlap);
    outcome.overlap_running = in_seconds(metrics.overlap_running);
    outcome.gap = in_seconds(metrics.gap);
    outcome.transitions = metrics.transitions;
    if (!metrics.failovers.empty() && !metrics.failovers.front().censored) {
      outcome.failover = in_seconds(metrics.failovers.front().time);
    }
    all.push_back(outcome);
  }
  return all;
}

}  // namespace tenure::test
