// One run: a world from its beginning to its end, watched by the checks. Everything above - many
// runs, replays, shrinking - is made of this.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tenure/base/oracle.hpp>
#include <tenure/check/checks.hpp>
#include <tenure/record/recorder.hpp>
#include <tenure/world/world.hpp>

namespace tenure::run {

// What is the same for all runs of a scenario.
struct Experiment {
  std::shared_ptr<const world::Setup> setup;
  check::PropertyConfig properties;
  std::vector<check::PropertySet> judged;  // each is counted over the runs
  std::uint64_t runs = 1000;
  std::uint64_t seed = 1;
};

// Makes runs of one experiment, one after the other. A worker thread has its own; the memory of a
// run is used again for the next.
class Runner {
 public:
  // `stop`, when set from outside, ends the present run as well.
  explicit Runner(const Experiment& experiment, const std::atomic<bool>* stop = nullptr);

  // Run `number` with its own seed. The result stands until the next run.
  const check::Checks& run(std::uint64_t number);

  // The same with choices from elsewhere, and with somebody else hearing the facts too.
  const check::Checks& run(Oracle& oracle, record::Recorder* also = nullptr);

  // The last run was ended from outside: nothing of it counts.
  bool was_stopped() const { return was_stopped_; }

  // The world as the last run left it.
  const world::World& world() const { return world_; }

 private:
  const Experiment* experiment_;
  const std::atomic<bool>* stop_;
  bool was_stopped_ = false;
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
