// The samples of one metric over many runs, exact and complete: nothing is binned or estimated, so
// every figure of a report is a value that was observed and can be replayed.
//
// Invariants:
//  (1) samples stand in order of run, then of time within the run
//  (2) one int64 per sample, and nothing else while every run has exactly one sample, of fault 0,
//      uncensored; what deviates is kept beside it (10^6 runs of 9 metrics: about 72 MB)
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tenure::stats {

// What a value of 1 stands for.
enum class Unit : std::uint8_t {
  nanosecond,  // times
  one,         // counts
  billionth,   // shares, and rates per second: 1e-9
};

struct Sample {
  std::int64_t value = 0;   // in the metric's unit; if censored, a lower bound of the true value
  std::uint64_t run = 0;    // number of the run
  std::uint32_t fault = 0;  // which fault of the scenario's list it follows; 0 for metrics of a run
  bool censored = false;    // the run ended first: counted as longer than every bound

  friend bool operator==(const Sample&, const Sample&) = default;
};

class Samples {
 public:
  explicit Samples(Unit unit) : unit_(unit) {}

  // Adds a sample of the last run or of a later one, at most 2^32 - 1 runs after the first.
  void add(const Sample& sample);

  // Adds all samples of a later shard; the order of appending decides, never the order of
  // completion.
  void append(const Samples& later);

  void reserve(std::size_t count) { values_.reserve(count); }

  Unit unit() const { return unit_; }
  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  const std::vector<std::int64_t>& values() const { return values_; }

  // Indices of the censored samples, ascending.
  const std::vector<std::size_t>& censored_at() const { return censored_at_; }
  bool is_censored(std::size_t index) const;

  std::uint64_t run_of(std::size_t index) const;
  std::uint32_t fault_of(std::size_t index) const { return faults_.empty() ? 0 : faults_[index]; }
  Sample operator[](std::size_t index) const;

  // Whether the runs first, first + 1, ..., first + count - 1 have exactly one sample each.
  bool one_per_run(std::uint64_t first, std::uint64_t count) const;

  // Runs from the first to the last one that has a sample, both included.
  std::uint64_t runs_spanned() const;

  // Memory held, in bytes.
  std::size_t memory() const;

  friend bool operator==(const Samples&, const Samples&) = default;

 private:
  bool is_regular() const { return run_offsets_.empty(); }
  void note_run(std::uint64_t run);
  void note_fault(std::uint32_t fault);

  Unit unit_;
  std::vector<std::int64_t> values_;
  std::uint64_t first_run_ = 0;
  std::vector<std::uint32_t> run_offsets_;  // run - first_run_; empty while it is the index
  std::vector<std::uint32_t> faults_;       // empty while all are 0
  std::vector<std::size_t> censored_at_;
};

// The samples that follow one fault: `failover[kill]`.
Samples of_fault(const Samples& samples, std::uint32_t fault);

}  // namespace tenure::stats
