#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/assert.hpp>
#include <tenure/run/campaign.hpp>

#include "in_order.hpp"

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

  void add(std::uint64_t run, const AlertWatch& watch) {
    for (std::size_t i = 0; i < result_->alerts.size(); ++i)
      result_->alerts[i].add(run, watch.observed(i));
    if (!watch.failure().empty() && !result_->alert_failure)
      result_->alert_failure = AlertFailure{run, watch.failure()};
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

// Blocks are aligned to their size, and cut where it is looked.
std::uint64_t end_of_block(const Experiment& experiment, std::uint64_t first) {
  const std::uint64_t end = std::min((first / block_size + 1) * block_size, experiment.runs);
  if (!experiment.stopping) return end;
  const std::vector<std::uint64_t>& looks = experiment.stopping->looks;
  const auto look = std::upper_bound(looks.begin(), looks.end(), first);
  return look == looks.end() ? end : std::min(end, *look);
}

// The first run of each block.
std::vector<std::uint64_t> begins_of_blocks(const Experiment& experiment) {
  std::vector<std::uint64_t> begins;
  begins.reserve(experiment.runs / block_size + 1);
  for (std::uint64_t run = 0; run < experiment.runs; run = end_of_block(experiment, run))
    begins.push_back(run);
  return begins;
}

// Merges blocks in their order, and knows when no more are wanted.
class Merger {
 public:
  Merger(const Experiment& experiment, const CampaignOptions& options)
      : experiment_(&experiment), options_(&options), all_(no_runs(experiment)) {
    // Beyond a million runs the samples grow as they come.
    const std::uint64_t reserved = std::min<std::uint64_t>(experiment.runs, std::uint64_t{1} << 20);
    for (stats::Samples& samples : all_.metrics) samples.reserve(reserved);
  }

  // Whether more are wanted. What follows a block that was broken off is not: runs are counted
  // without gaps.
  bool take(CampaignResult&& block) {
    const std::uint64_t asked = end_of_block(*experiment_, all_.runs) - all_.runs;
    bool is_over = block.runs < asked;
    is_over = is_over || (experiment_->aborts && experiment_->aborts(all_, block));
    merge(all_, std::move(block));
    is_over = has_failed() || has_seen_enough() || is_over;
    if (options_->progress) options_->progress(all_);
    return !is_over && all_.difference.empty() && all_.stalled.empty();
  }

  CampaignResult result() {
    const bool stopped = options_->stop != nullptr && options_->stop->load();
    all_.interrupted = stopped && all_.runs < experiment_->runs && !all_.is_settled();
    return std::move(all_);
  }

 private:
  bool has_failed() const {
    for (std::size_t i = 0; i < options_->fail_fast.size(); ++i) {
      if (options_->fail_fast[i] && all_.properties[i].violated_runs != 0) return true;
    }
    return false;
  }

  // Looks at what is merged, when that is due.
  bool has_seen_enough() {
    if (!experiment_->stopping) return false;
    const std::vector<std::uint64_t>& looks = experiment_->stopping->looks;
    if (!std::binary_search(looks.begin(), looks.end(), all_.runs)) return false;
    if (!all_.looks.empty() && all_.looks.back().runs == all_.runs) return false;
    all_.looks.push_back(experiment_->stopping->look(all_));
    return all_.looks.back().enough() || all_.looks.back().aborts;
  }

  const Experiment* experiment_;
  const CampaignOptions* options_;
  CampaignResult all_;
};

// The phases are drawn apart from the run, so that alerts change nothing of it.
std::optional<AlertWatch> watch_of(const Experiment& experiment, std::uint64_t run) {
  if (experiment.alerts == nullptr) return std::nullopt;
  RunOracle answers{experiment, run};
  return AlertWatch{*experiment.alerts, *experiment.setup, answers.oracle()};
}

// The runs of one block, or the first of them when it is stopped meanwhile.
CampaignResult make(const Experiment& experiment,
                    bool twice,
                    Runner& runner,
                    std::uint64_t first,
                    std::uint64_t end) {
  CampaignResult result = no_runs(experiment);
  Block to{experiment, result};
  for (std::uint64_t run = first; run < end; ++run) {
    set_assertion_context(experiment.seed, run);
    if (twice && result.difference.empty()) {
      result.difference = difference_when_repeated(experiment, runner, run);
    }
    std::optional<AlertWatch> watch = watch_of(experiment, run);
    const check::Checks& checks = runner.run(run, watch ? &*watch : nullptr);
    if (runner.was_stopped()) break;
    if (runner.world().stalled) {
      result.stalled.push_back({run, runner.world().now});
      break;
    }
    if (!result.misfit) result.misfit = runner.misfit();
    to.add(run, checks, runner.world());
    if (!watch) continue;
    watch->end(TrueTime{experiment.setup->duration});
    to.add(run, *watch);
  }
  return result;
}

}  // namespace

CampaignResult no_runs(const Experiment& experiment) {
  CampaignResult result;
  for (std::size_t id = 0; id < check::metric_count; ++id) {
    result.metrics.emplace_back(unit_of(static_cast<MetricId>(id)));
  }
  result.fault_effects.resize(experiment.setup->faults.size());
  result.properties.resize(experiment.judged.size());
  if (experiment.alerts != nullptr) result.alerts.resize(experiment.alerts->alerts.expect.size());
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
  if (!all.alert_failure) all.alert_failure = std::move(next.alert_failure);
  for (std::size_t i = 0; i < all.alerts.size(); ++i) all.alerts[i].append(next.alerts[i]);
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
  const std::uint64_t first = block * block_size;
  return make(experiment, false, runner, first, first + runs_in_block(experiment, block));
}

CampaignResult run_campaign(const Experiment& experiment, const CampaignOptions& options) {
  const std::vector<std::uint64_t> begins = begins_of_blocks(experiment);
  Merger merger{experiment, options};
  InOrder<CampaignResult> work{
      begins.size(), options.stop,
      [&](std::uint64_t, CampaignResult&& block) { return merger.take(std::move(block)); }};
  work.run(options.threads, [&] {
    const auto runner = std::make_shared<Runner>(experiment, options.stop);
    return [&, runner](std::uint64_t piece) {
      return make(experiment, options.twice, *runner, begins[piece],
                  end_of_block(experiment, begins[piece]));
    };
  });
  return merger.result();
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
