#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <limits>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/assert.hpp>
#include <tenure/run/campaign.hpp>
#include <tenure/run/threads.hpp>

namespace tenure::run {
namespace {

using check::MetricId;

std::int64_t billionths(std::uint64_t amount, Duration of) {
  __extension__ using Wide = unsigned __int128;
  const Wide quotient = static_cast<Wide>(amount) * 1'000'000'000U / static_cast<Wide>(of.count());
  const auto most = static_cast<Wide>(std::numeric_limits<std::int64_t>::max());
  return static_cast<std::int64_t>(std::min(quotient, most));
}

class Block {
 public:
  Block(const Experiment& experiment, CampaignResult& result)
      : experiment_(&experiment), result_(&result) {}

  void add(std::uint64_t run, const check::Checks& checks, const world::World& world) {
    ++result_->runs;
    result_->events += world.events;
    result_->run_hash = result_->run_hash * 0x9e3779b97f4a7c15U + world.run_hash;
    for (std::size_t fault = 0; fault < world.faults.size(); ++fault) {
      result_->fault_effects[fault] += world.faults[fault].had_effect ? 1U : 0U;
    }
    add_findings(run, checks.findings());
    add_metrics(run, checks.metrics());
  }

 private:
  void add_findings(std::uint64_t run, const check::Findings& findings) {
    bool violates = false;
    for (std::size_t i = 0; i < experiment_->judged.size(); ++i) {
      PropertyTally& tally = result_->properties[i];
      if (findings.exercised(experiment_->judged[i])) ++tally.exercised_runs;
      const auto violation = findings.first_of(experiment_->judged[i]);
      if (!violation) continue;
      violates = true;
      ++tally.violated_runs;
      if (tally.first_violating) continue;
      tally.first_violating = run;
      tally.violation = violation;
    }
    if (violates) result_->violating_runs.push_back(run);
  }

  void add_metrics(std::uint64_t run, const check::RunMetrics& metrics) {
    for (const check::FailoverSample& failover : metrics.failovers) {
      samples(MetricId::failover)
          .add({failover.time.count(), run, failover.fault.value, failover.censored});
    }
    const Duration counted =
        experiment_->setup->duration - experiment_->properties.warmup.time_since_epoch();
    put(MetricId::gap, run, metrics.gap.count(), metrics.gap_is_open);
    put(MetricId::leaderless, run,
        billionths(static_cast<std::uint64_t>(metrics.leaderless.count()), counted));
    put(MetricId::overlap, run, metrics.overlap.count());
    put(MetricId::overlap_running, run, metrics.overlap_running.count());
    put(MetricId::transitions, run, metrics.transitions);
    put(MetricId::restarts, run, metrics.restarts);
    if (metrics.requests_window) {
      put(MetricId::api_requests_per_second, run,
          billionths(metrics.requests * 1'000'000'000U, *metrics.requests_window));
    }
    put(MetricId::api_conflicts, run, metrics.conflicts);
    if (metrics.overlap > Duration::zero()) ++result_->overlapping_runs;
  }

  stats::Samples& samples(MetricId id) { return result_->metrics[static_cast<std::size_t>(id)]; }
  void put(MetricId id, std::uint64_t run, std::int64_t value, bool censored = false) {
    samples(id).add({value, run, 0, censored});
  }

  const Experiment* experiment_;
  CampaignResult* result_;
};

// Deals out blocks, takes them back in any order and merges them in theirs.
class Desk {
 public:
  Desk(const Experiment& experiment, const CampaignOptions& options)
      : experiment_(&experiment), options_(&options), all_(no_runs(experiment)) {
    // Beyond a million runs the samples grow as they come.
    const std::uint64_t reserved = std::min<std::uint64_t>(experiment.runs, std::uint64_t{1} << 20);
    for (stats::Samples& samples : all_.metrics) samples.reserve(reserved);
  }

  // The first run of the next block; nothing when all are dealt out or no more are wanted.
  std::optional<std::uint64_t> next_block() {
    // A thread far ahead waits, so that finished blocks never pile up.
    std::unique_lock lock{mutex_};
    room_.wait(lock, [&] { return over_ || dealt_ - merged_ < 64; });
    const bool stopped =
        options_->stop != nullptr && options_->stop->load(std::memory_order_relaxed);
    if (stopped) over_ = all_.interrupted = true;
    if (over_ || dealt_ * block_size >= experiment_->runs) return std::nullopt;
    return dealt_++ * block_size;
  }

  void hand_in(std::uint64_t first_run, CampaignResult&& block) {
    const std::lock_guard lock{mutex_};
    finished_.emplace(first_run / block_size, std::move(block));
    for (auto next = finished_.begin(); next != finished_.end() && next->first == merged_;
         next = finished_.erase(next)) {
      const std::uint64_t asked =
          std::min(block_size, experiment_->runs - next->first * block_size);
      // What follows a block that was broken off is not merged: runs are counted without gaps.
      if (next->second.runs < asked) over_ = true;
      merge(all_, std::move(next->second));
      ++merged_;
      if (has_failed()) over_ = true;
      if (!all_.difference.empty() || !all_.stalled.empty()) over_ = true;
      if (options_->progress) options_->progress(all_);
      if (over_) break;
    }
    room_.notify_all();
  }

  // A worker cannot go on.
  void give_up(std::exception_ptr why) {
    const std::lock_guard lock{mutex_};
    if (!why_) why_ = why;
    over_ = true;
    room_.notify_all();
  }

  CampaignResult take() {
    if (why_) std::rethrow_exception(why_);
    if (options_->stop != nullptr && options_->stop->load() && all_.runs < experiment_->runs) {
      all_.interrupted = true;
    }
    return std::move(all_);
  }

 private:
  bool has_failed() const {
    for (std::size_t i = 0; i < options_->fail_fast.size(); ++i) {
      if (options_->fail_fast[i] && all_.properties[i].violated_runs != 0) return true;
    }
    return false;
  }

  const Experiment* experiment_;
  const CampaignOptions* options_;
  std::mutex mutex_;
  std::condition_variable room_;
  CampaignResult all_;
  std::map<std::uint64_t, CampaignResult> finished_;
  std::uint64_t dealt_ = 0;
  std::uint64_t merged_ = 0;
  bool over_ = false;
  std::exception_ptr why_;
};

// One block, or its first runs when it is stopped meanwhile.
CampaignResult make(const Experiment& experiment, bool twice, Runner& runner, std::uint64_t block) {
  CampaignResult result = no_runs(experiment);
  Block to{experiment, result};
  const std::uint64_t first = block * block_size;
  const std::uint64_t end = first + runs_in_block(experiment, block);
  for (std::uint64_t run = first; run < end; ++run) {
    set_assertion_context(experiment.seed, run);
    if (twice && result.difference.empty()) {
      result.difference = difference_when_repeated(experiment, runner, run);
    }
    const check::Checks& checks = runner.run(run);
    if (runner.was_stopped()) break;
    if (runner.world().stalled) {
      result.stalled.push_back({run, runner.world().now});
      break;
    }
    if (!result.misfit) result.misfit = runner.misfit();
    to.add(run, checks, runner.world());
  }
  return result;
}

void work(const Experiment& experiment, const CampaignOptions& options, Desk& desk) {
  try {
    Runner runner{experiment, options.stop};
    while (const auto first = desk.next_block()) {
      desk.hand_in(*first, make(experiment, options.twice, runner, *first / block_size));
    }
  } catch (...) {  // memory; it ends the campaign, and is told where there is a caller
    desk.give_up(std::current_exception());
  }
}

}  // namespace

CampaignResult no_runs(const Experiment& experiment) {
  CampaignResult result;
  for (std::size_t id = 0; id < check::metric_count; ++id) {
    result.metrics.emplace_back(unit_of(static_cast<MetricId>(id)));
  }
  result.fault_effects.resize(experiment.setup->faults.size());
  result.properties.resize(experiment.judged.size());
  return result;
}

void merge(CampaignResult& all, CampaignResult&& next) {
  all.runs += next.runs;
  all.events += next.events;
  all.run_hash = all.run_hash * 0x9e3779b97f4a7c15U + next.run_hash;
  all.overlapping_runs += next.overlapping_runs;
  all.stalled.insert(all.stalled.end(), next.stalled.begin(), next.stalled.end());
  if (all.difference.empty()) all.difference = std::move(next.difference);
  if (!all.misfit) all.misfit = next.misfit;
  for (std::size_t fault = 0; fault < all.fault_effects.size(); ++fault) {
    all.fault_effects[fault] += next.fault_effects[fault];
  }
  all.violating_runs.insert(all.violating_runs.end(), next.violating_runs.begin(),
                            next.violating_runs.end());
  for (std::size_t i = 0; i < all.metrics.size(); ++i) all.metrics[i].append(next.metrics[i]);
  for (std::size_t i = 0; i < all.properties.size(); ++i) {
    PropertyTally& tally = all.properties[i];
    const PropertyTally& later = next.properties[i];
    tally.violated_runs += later.violated_runs;
    tally.exercised_runs += later.exercised_runs;
    if (!tally.first_violating) {
      tally.first_violating = later.first_violating;
      tally.violation = later.violation;
    }
  }
}

std::uint64_t runs_in_block(const Experiment& experiment, std::uint64_t block) {
  return std::min(block_size, experiment.runs - block * block_size);
}

CampaignResult make_block(const Experiment& experiment, Runner& runner, std::uint64_t block) {
  return make(experiment, false, runner, block);
}

CampaignResult run_campaign(const Experiment& experiment, const CampaignOptions& options) {
  Desk desk{experiment, options};
  {
    Helpers helpers;
    for (unsigned i = 1; i < options.threads; ++i) {
      if (!helpers.start([&] { work(experiment, options, desk); })) break;
    }
    work(experiment, options, desk);
  }
  return desk.take();
}

stats::Unit unit_of(MetricId id) {
  switch (id) {
    case MetricId::failover:
    case MetricId::gap:
    case MetricId::overlap:
    case MetricId::overlap_running:
      return stats::Unit::nanosecond;
    case MetricId::leaderless:
    case MetricId::api_requests_per_second:
      return stats::Unit::billionth;
    case MetricId::transitions:
    case MetricId::restarts:
    case MetricId::api_conflicts:
      return stats::Unit::one;
  }
  return stats::Unit::one;
}

}  // namespace tenure::run
