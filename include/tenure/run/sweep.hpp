// A sweep is made of units - a point and a block of its runs - and judged when all of them are
// there. Which machine made a unit, and when, leaves no trace in the result.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <tenure/run/campaign.hpp>
#include <tenure/run/result.hpp>
#include <tenure/scenario/sweep.hpp>

namespace tenure::run {

// The units with a number that is `index` modulo `count`.
struct Shard {
  std::uint64_t index = 0;
  std::uint64_t count = 1;

  bool takes(std::uint64_t unit) const { return unit % count == index; }

  friend bool operator==(const Shard&, const Shard&) = default;
};

struct Unit {
  std::size_t point = 0;  // of SweepPlan::points
  std::uint64_t block = 0;
  CampaignResult result;
};

// What is to be run for the points of a plan.
class Study {
 public:
  explicit Study(const scenario::SweepPlan& plan);

  std::uint64_t units() const { return points_.size() * blocks_; }
  std::uint64_t runs_per_point() const { return runs_; }
  // Units are numbered point by point, block by block; points that are skipped have none.
  std::size_t point_of(std::uint64_t unit) const { return points_[unit / blocks_]; }
  std::uint64_t block_of(std::uint64_t unit) const { return unit % blocks_; }
  const Experiment& experiment_of(std::uint64_t unit) const { return experiments_[unit / blocks_]; }
  // Nothing: the plan has no such unit.
  std::optional<std::uint64_t> number_of(std::size_t point, std::uint64_t block) const;

 private:
  std::vector<std::size_t> points_;
  std::vector<Experiment> experiments_;
  std::uint64_t runs_ = 0;
  std::uint64_t blocks_ = 0;
};

struct StudyOptions {
  unsigned threads = 1;
  const std::atomic<bool>* stop = nullptr;  // set from outside: finish the present units and end
  std::vector<bool> fail_fast;              // by judged set: whether a violation ends it
  // Called after each unit from one thread, with what it brought.
  std::function<void(const Unit&)> progress;
};

struct Made {
  std::vector<Unit> units;  // in order of number
  bool interrupted = false;
  bool failed_fast = false;
};

// Makes these units; the numbers ascend.
Made make_units(const Study& study,
                const std::vector<std::uint64_t>& numbers,
                const StudyOptions& options);

struct PointResult {
  std::optional<RunResult> result;          // nothing: skipped, or none of its runs was made
  std::vector<ThresholdResult> objectives;  // by Sweep::minimized; the estimate is what counts
  std::vector<Finding> needs;               // by Sweep::needed
};

struct SweepResult {
  scenario::SweepPlan plan;
  std::string sha256;  // of what the sweep depends on
  bool interrupted = false;
  bool partial = false;  // not all units are there: a violation ended it, or parts are missing
  Verdict verdict = Verdict::pass;
  std::vector<PointResult> points;  // by SweepPlan::points
  // Points that meet all needs and that no other one of these beats in every objective; ordered by
  // the first objective.
  std::vector<std::size_t> pareto;
  std::size_t meeting_needs = 0;  // points
  Finding needs = Finding::ok;    // fail: no point can meet all conditions
};

// Judges what is there of the units, which are in order of number.
SweepResult judged(scenario::SweepPlan plan, std::vector<Unit> units);

// The result of the one point of a plain scenario.
RunResult judged_run(const scenario::SweepPlan& plan, std::vector<Unit> units);

// SHA-256 of everything that the result depends on but for the version; names of files are left
// out.
std::string sha256_of(const scenario::SweepInput& input);

}  // namespace tenure::run
