// One run: a world from its beginning to its end, watched by the checks. Everything above - many
// runs, replays, shrinking - is made of this.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tenure/base/oracle.hpp>
#include <tenure/check/checks.hpp>
#include <tenure/record/recorder.hpp>
#include <tenure/scenario/scenario.hpp>
#include <tenure/world/world.hpp>

namespace tenure::run {

// The answers that make one certain run.
struct Script {
  using Otherwise = scenario::Choices::Otherwise;

  std::vector<ChosenOracle::Answer> answers;
  Otherwise otherwise = Otherwise::simplest;  // of draws that are not among them
};

// An answer of a script that its run did not follow: its draw is one of 0 to `bound`, or, without a
// bound, was never asked for.
struct Misfit {
  std::size_t answer = 0;  // its place in the script
  std::optional<std::uint64_t> bound;
};

struct CampaignResult;
struct AlertPlan;

// What was seen of the runs so far, when it was looked at them.
struct Look {
  std::uint64_t runs = 0;
  double alpha = 0;           // the error probability of its intervals
  std::size_t undecided = 0;  // thresholds, or figures whose interval is too wide
  bool aborts = false;        // a threshold with abortOnFail has failed

  bool enough() const { return undecided == 0; }
  friend bool operator==(const Look&, const Look&) = default;
};

// When it is looked, after so many runs each, and by which rule.
struct Stopping {
  std::vector<std::uint64_t> looks;
  std::function<Look(const CampaignResult&)> look;
};

// What is the same for all runs of a scenario.
struct Experiment {
  std::shared_ptr<const world::Setup> setup;
  check::PropertyConfig properties;
  std::vector<check::PropertySet> judged;  // each is counted over the runs
  std::uint64_t runs = 1000;
  std::uint64_t seed = 1;
  std::optional<Script> script;      // none: every run is drawn from the seed
  std::optional<Stopping> stopping;  // none: all runs are made
  // Whether these blocks, the last one apart, have broken a threshold for good; empty: none can.
  std::function<bool(const CampaignResult& before, const CampaignResult& block)> aborts;
  std::shared_ptr<const AlertPlan> alerts;  // none: no rules are evaluated
};

// Who answers the draws of one run: its seed, or the script of the experiment.
class RunOracle {
 public:
  RunOracle(const Experiment& experiment, std::uint64_t number);
  RunOracle(const RunOracle&) = delete;
  RunOracle& operator=(const RunOracle&) = delete;

  Oracle& oracle();
  // Of a run that came to its end.
  std::optional<Misfit> misfit() const;

 private:
  SeededOracle seeded_;
  std::optional<ChosenOracle> chosen_;  // asks seeded_
};

// Makes runs of one experiment, one after the other. A worker thread has its own; the memory of a
// run is used again for the next.
class Runner {
 public:
  // `stop`, when set from outside, ends the present run as well.
  explicit Runner(const Experiment& experiment, const std::atomic<bool>* stop = nullptr);

  // Run `number` with its own seed, or by the script; `also` hears the facts too. The result stands
  // until the next run.
  const check::Checks& run(std::uint64_t number, record::Recorder* also = nullptr);

  // The same with choices from elsewhere.
  const check::Checks& run(Oracle& oracle, record::Recorder* also = nullptr);

  // The last run was ended from outside: nothing of it counts.
  bool was_stopped() const { return was_stopped_; }

  // What the last run did not follow of the script; of a run with choices from elsewhere nothing.
  const std::optional<Misfit>& misfit() const { return misfit_; }

  // What the last run came to.
  const check::Checks& checks() const { return checks_; }

  // The world as the last run left it.
  const world::World& world() const { return world_; }

 private:
  const Experiment* experiment_;
  const std::atomic<bool>* stop_;
  bool was_stopped_ = false;
  std::optional<Misfit> misfit_;
  world::World untouched_;
  world::World world_;
  check::Checks unused_;
  check::Checks checks_;
};

// Memory that a live run takes without history: its world and its checks.
std::size_t bytes_per_run(const Experiment& experiment);

// The first difference between two runs of the same number; empty: they are the same, choice by
// choice and event by event.
std::string difference_when_repeated(const Experiment& experiment,
                                     Runner& runner,
                                     std::uint64_t number);

}  // namespace tenure::run
