// Many runs of one experiment on several threads. Work is dealt out in blocks of runs and merged in
// the order of the run numbers, so the number of threads cannot change a byte of the result.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <tenure/check/checks.hpp>
#include <tenure/run/alerting.hpp>
#include <tenure/run/run.hpp>
#include <tenure/stats/sample.hpp>

namespace tenure::run {

// What a set of properties found over all runs.
struct PropertyTally {
  std::uint64_t violated_runs = 0;
  std::uint64_t exercised_runs = 0;              // runs in which it could have been violated
  std::optional<std::uint64_t> first_violating;  // the lowest run number
  std::optional<check::Violation> violation;     // of that run
};

// A run in which time stood still: too many events at one instant (world::most_events_at_once).
struct Stalled {
  std::uint64_t run = 0;
  TrueTime at{};
};

struct CampaignResult {
  std::uint64_t runs = 0;                     // made; fewer than asked for when it was interrupted
  std::vector<PropertyTally> properties;      // by Experiment::judged
  std::vector<std::uint64_t> violating_runs;  // of any of these sets, ascending
  std::vector<stats::Samples> metrics;        // by MetricId
  std::vector<std::uint64_t> fault_effects;   // by FaultId: runs in which it had an effect
  std::uint64_t events = 0;
  std::uint64_t run_hash = 0;  // over the hashes of all runs
  std::uint64_t overlapping_runs = 0;
  std::string difference;          // of --twice; empty: none
  std::vector<AlertTally> alerts;  // by AlertPlan::alerts.expect
  std::optional<AlertFailure> alert_failure;
  std::vector<Stalled> stalled;
  std::optional<Misfit> misfit;  // of the script, when the runs have one
  std::vector<Look> looks;       // by Experiment::stopping; after the last one it may have ended
  bool interrupted = false;

  // Whether it ended because enough was known.
  bool is_settled() const {
    return !looks.empty() && looks.back().enough() && looks.back().runs == runs;
  }
};

struct CampaignOptions {
  unsigned threads = 1;
  bool twice = false;           // make each run twice and compare
  std::vector<bool> fail_fast;  // by Experiment::judged: whether a violation ends the campaign
  const std::atomic<bool>* stop = nullptr;  // set from outside: finish the present runs and end
  // Called now and then from one thread, with the runs merged so far.
  std::function<void(const CampaignResult&)> progress;
};

CampaignResult run_campaign(const Experiment& experiment, const CampaignOptions& options);

// ---- blocks: what a campaign is dealt out in, and what shards are made of

inline constexpr std::uint64_t block_size = 256;  // runs; the last block may have fewer

// A result without runs, into which blocks are merged in the order of their numbers.
CampaignResult no_runs(const Experiment& experiment);
CampaignResult make_block(const Experiment& experiment, Runner& runner, std::uint64_t block);
void merge(CampaignResult& all, CampaignResult&& next);
// Runs of a whole block.
std::uint64_t runs_in_block(const Experiment& experiment, std::uint64_t block);

// The unit of a metric's samples.
stats::Unit unit_of(check::MetricId id);

}  // namespace tenure::run
