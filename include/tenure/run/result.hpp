// The result of a scenario: what its runs showed, judged. Everything that the outputs print is in
// here; nothing of it depends on threads, machines or the time of day.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenure/base/diagnostics.hpp>
#include <tenure/run/campaign.hpp>
#include <tenure/scenario/document.hpp>
#include <tenure/scenario/scenario.hpp>
#include <tenure/stats/interval.hpp>
#include <tenure/stats/sample.hpp>
#include <tenure/stats/summary.hpp>
#include <tenure/stats/threshold.hpp>

namespace tenure::run {

inline constexpr std::string_view tenure_version = "0.1.0";

// The words of interface 4.8: what a property or threshold came to.
enum class Finding : std::uint8_t { ok, fail, xfail, xpass, inconclusive, not_exercised };
std::string_view to_text(Finding finding);

enum class Verdict : std::uint8_t { pass, fail, inconclusive };
std::string_view to_text(Verdict verdict);

struct PropertyResult {
  std::string name;  // as the scenario names it
  std::string ids;   // "B1, B2"
  Finding finding = Finding::ok;
  bool counts = true;  // false: `not exercised` was allowed
  PropertyTally tally;
  stats::ShareInterval share;  // 95 %, of runs that violate it
  std::string story;           // the first violation in one sentence; empty: none
  Position where;              // in the scenario file
};

struct ThresholdResult {
  std::string metric;  // "failover[kill]"
  std::string text;    // "p(99) < 20s"
  check::MetricId id = check::MetricId::failover;
  stats::Threshold threshold;
  stats::Judgement judgement;
  Finding finding = Finding::ok;
  std::optional<std::uint64_t> run;  // that the estimate was observed in
  Position where;
};

// What was expected of an alert, judged.
struct AlertResult {
  std::string name;  // "NoLeaderElected"
  std::string text;  // "fires always within 90s after kill"
  Finding finding = Finding::ok;
  AlertTally tally;
  stats::Summary delay;             // from when it was expected to its firing
  stats::ShareInterval share;       // 95 %, of runs that violate the expectation
  std::string story;                // the first violation in one sentence; empty: none
  double false_alarms_per_day = 0;  // of simulated time
  Position where;
};

struct RunResult {
  scenario::Scenario scenario;
  std::string scenario_sha256;
  std::string version{tenure_version};  // of the tenure that made it
  std::string replay;      // what a shell makes a run again with, up to the seed and the run
  std::uint64_t runs = 0;  // made
  bool interrupted = false;
  bool partial = false;     // --fail-fast ended it early
  std::vector<Look> looks;  // of spec.stopping; at the last one it may have ended early
  Verdict verdict = Verdict::pass;
  std::vector<PropertyResult> properties;
  std::vector<std::uint64_t> violating_runs;  // of any property above
  std::vector<ThresholdResult> thresholds;
  std::vector<AlertResult> alerts;
  std::vector<stats::Samples> metrics;    // by MetricId
  std::vector<stats::Summary> summaries;  // by MetricId
  std::vector<Diagnostic> warnings;
  std::vector<std::string> assumptions;
  std::uint64_t overlapping_runs = 0;
  std::uint64_t events = 0;
  std::uint64_t run_hash = 0;
  std::string difference;  // found by --twice
};

// What is to be run for a scenario.
Experiment experiment_of(const scenario::Scenario& scenario);

// Which of the judged property sets end a campaign under --fail-fast.
std::vector<bool> fail_fast_of(const scenario::Scenario& scenario);

// The share of runs that violate a property, 95 %, as it is shown: Wilson's interval, or without a
// violation the one-sided bound. Everything is possible when no run was made.
stats::ShareInterval share_shown(std::uint64_t violated_runs, std::uint64_t runs);

// The thresholds of a scenario on the metrics of so many runs, by MetricId.
std::vector<ThresholdResult> judge_thresholds(const scenario::Scenario& scenario,
                                              const std::vector<stats::Samples>& metrics,
                                              std::uint64_t runs);

// Judges what a campaign brought. `document` is where the scenario stands, for warnings.
RunResult judged(const scenario::Scenario& scenario,
                 const scenario::Document& document,
                 CampaignResult campaign);

// One threshold, judged on the samples of a scenario's runs (by MetricId).
ThresholdResult judged(const scenario::Scenario& scenario,
                       const scenario::Threshold& threshold,
                       const std::vector<stats::Samples>& metrics,
                       double alpha = stats::usual_alpha);

// One violation in words, with names and times.
std::string story_of(const world::Setup& setup, const check::Violation& violation);

// The text of a value in its unit: "16.53s", "0.25", "2".
std::string value_text(stats::Unit unit, std::int64_t value);

}  // namespace tenure::run
