#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/run/shard.hpp>

#include "shard_damage.hpp"

namespace tenure::run {
namespace {

// The first thing in which two inputs differ; empty: they make the same runs.
std::string difference(const scenario::SweepInput& a, const scenario::SweepInput& b) {
  if (a.sweep_text != b.sweep_text) return "the text of the sweep";
  if (a.scenario_text != b.scenario_text) return "the text of the scenario";
  if (a.seed != b.seed) return "the seed";
  if (a.runs != b.runs) return "the number of runs";
  return a.sets != b.sets ? "what --set overrides" : "";
}

// "runs 0 .. 255 of L=6s R=1s"
std::string unit_text(const scenario::SweepPlan& plan, const Study& study, std::uint64_t number) {
  const std::uint64_t block = study.block_of(number);
  const std::uint64_t first = block * block_size;
  const std::uint64_t last = first + runs_in_block(study.experiment_of(number), block) - 1;
  const std::string point = label_of(plan.sweep, plan.points[study.point_of(number)]);
  return fmt::format("runs {} .. {}{}{}", first, last, point.empty() ? "" : " of ", point);
}

// Whether a unit has the shape of its sweep's units.
bool fits(const Unit& unit, const Study& study) {
  const auto number = study.number_of(unit.point, unit.block);
  if (!number) return false;
  const Experiment& experiment = study.experiment_of(*number);
  const std::size_t faults = experiment.setup->faults.size();
  const auto& failovers = unit.result.metrics[static_cast<std::size_t>(check::MetricId::failover)];
  for (std::size_t i = 0; i < failovers.size(); ++i) {
    if (failovers.fault_of(i) >= faults) return false;
  }
  const std::size_t processes = experiment.setup->processes.size();
  for (const PropertyTally& tally : unit.result.properties) {
    if (!tally.violation) continue;
    for (const record::Incarnation& who : {tally.violation->who, tally.violation->other}) {
      if (who.process != nobody<ProcessTag> && who.process.value >= processes) return false;
    }
  }
  const std::uint64_t runs = unit.result.runs;
  const std::uint64_t first = unit.block * block_size;
  for (const PropertyTally& tally : unit.result.properties) {
    if (tally.violated_runs > runs || tally.exercised_runs > runs) return false;
    if (tally.first_violating &&
        (*tally.first_violating < first || *tally.first_violating >= first + runs))
      return false;
  }
  for (const check::MetricId id :
       {check::MetricId::gap, check::MetricId::leaderless, check::MetricId::overlap,
        check::MetricId::overlap_running, check::MetricId::transitions, check::MetricId::restarts,
        check::MetricId::api_conflicts}) {
    if (!unit.result.metrics[static_cast<std::size_t>(id)].one_per_run(first, runs)) return false;
  }
  if (unit.result.overlapping_runs > runs) return false;
  if (!ascends(unit.result.violating_runs, first, first + runs)) return false;
  for (const PropertyTally& tally : unit.result.properties) {
    const auto& all = unit.result.violating_runs;
    if (tally.violated_runs > all.size()) return false;
    if (tally.first_violating &&
        !std::binary_search(all.begin(), all.end(), *tally.first_violating))
      return false;
  }
  return unit.result.runs == runs_in_block(experiment, unit.block) &&
         unit.result.fault_effects.size() == faults &&
         unit.result.properties.size() == experiment.judged.size();
}

}  // namespace

std::optional<Joined> joined(std::vector<ShardFile> shards, Diagnostics& diagnostics) {
  Joined result;
  result.input = shards.front().input;
  for (const ShardFile& shard : shards) {
    const std::string differs = difference(shard.input, result.input);
    if (differs.empty()) continue;
    report_shard(diagnostics, shard.name, "E0702",
                 fmt::format("it belongs to another sweep than {}: {} differs",
                             visible(shards.front().name), differs));
  }
  if (diagnostics.errors() != 0) return std::nullopt;
  for (const ShardFile& shard : shards) {
    if (shard.sha256.empty() || shard.sha256 == sha256_of(shard.input)) continue;
    report_shard(diagnostics, shard.name, "E0701",
                 "it is damaged: its texts are not those that metadata.sha256 is of",
                 {"make this part again"});
  }
  if (diagnostics.errors() != 0) return std::nullopt;
  auto plan = scenario::plan_of(result.input, diagnostics);
  if (!plan) return std::nullopt;
  result.plan = std::move(*plan);
  const Study study{result.plan};
  struct Held {
    Unit unit;
    const ShardFile* from;
  };
  std::map<std::uint64_t, Held> units;
  for (ShardFile& shard : shards) {
    for (Unit& unit : shard.units) {
      if (!fits(unit, study)) {
        report_shard(diagnostics, shard.name, "E0701",
                     fmt::format("it is damaged: point {}, block {} is no unit of its sweep",
                                 unit.point, unit.block),
                     {"make this part again"});
        break;
      }
      const std::uint64_t number = *study.number_of(unit.point, unit.block);
      if (!shard.shard.takes(number)) {
        report_shard(diagnostics, shard.name, "E0701",
                     fmt::format("it is damaged: {} are no part of shard {}/{}",
                                 unit_text(result.plan, study, number), shard.shard.index,
                                 shard.shard.count),
                     {"make this part again"});
        break;
      }
      const auto [known, is_new] = units.try_emplace(number, Held{std::move(unit), &shard});
      if (is_new) continue;
      report_shard(diagnostics, shard.name, "E0703",
                   fmt::format("{} are in {} already", unit_text(result.plan, study, number),
                               visible(known->second.from->name)),
                   {"give each part once"});
      break;
    }
  }
  if (diagnostics.errors() != 0) return std::nullopt;
  for (std::uint64_t number = 0; number < study.units(); ++number) {
    const auto held = units.find(number);
    if (held == units.end()) {
      result.missing.push_back(number);
    } else {
      result.units.push_back(std::move(held->second.unit));
    }
  }
  return result;
}

std::vector<std::string> missing_text(const Joined& joined, std::uint64_t shards) {
  constexpr std::size_t most_named = 5;
  const Study study{joined.plan};
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::min(most_named, joined.missing.size()); ++i) {
    const std::uint64_t number = joined.missing[i];
    lines.push_back(fmt::format("missing: {}, of shard {}/{}",
                                unit_text(joined.plan, study, number), number % shards, shards));
  }
  if (joined.missing.size() > most_named)
    lines.push_back(fmt::format("and {} more", joined.missing.size() - most_named));
  return lines;
}

}  // namespace tenure::run
