// Two results side by side: which figures differ beyond luck, which verdicts changed, and whether
// the second is worse than the first. A result is one point or, of a sweep, many; points are
// compared pair by pair, and what stands is decided over all of them at once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenure/check/metrics.hpp>
#include <tenure/run/result.hpp>
#include <tenure/stats/difference.hpp>

namespace tenure::run {

enum class Change : std::uint8_t {
  no_evidence,  // the interval has zero in it, or the difference does not stand among so many
  better,
  worse,
  more,  // of metrics of which neither is better: the load on the API
  less,
};
std::string_view to_text(Change change);  // "noEvidence", "better", ...

struct FigureChange {
  check::MetricId metric = check::MetricId::failover;
  stats::Figure figure;
  std::string_view name;  // "p99"
  stats::Difference difference;
  Change change = Change::no_evidence;
};

// Of a property or a threshold; nothing: it was not judged there.
struct VerdictChange {
  std::string name;  // "beliefSafety", "failover p(99) < 20s"
  std::optional<Finding> base;
  std::optional<Finding> other;

  bool is_changed() const { return base != other; }
  // It fails, and did not before.
  bool is_regression() const;
};

struct PropertyChange {
  VerdictChange verdict;
  std::uint64_t base_violated = 0;
  std::uint64_t other_violated = 0;
  std::optional<stats::ShareDifference> share;  // where it was judged in both
};

// A field of the scenarios that is not the same; empty: it is absent.
struct SettingChange {
  std::string path;  // "spec.candidates[0].elector.retryPeriod"
  std::string base;
  std::string other;
};

struct PointComparison {
  std::string name;
  stats::Pairing pairing = stats::Pairing::unpaired;
  std::uint64_t base_runs = 0;
  std::uint64_t other_runs = 0;
  std::vector<SettingChange> settings;
  std::vector<FigureChange> figures;  // of metrics that have samples in one of both
  std::vector<PropertyChange> properties;
  std::vector<VerdictChange> thresholds;

  bool is_regression() const;
};

struct Comparison {
  std::vector<PointComparison> points;
  std::vector<std::string> only_in_base;
  std::vector<std::string> only_in_other;

  bool is_regression() const;
};

// The same point in both results.
struct PointPair {
  std::string name;
  const RunResult* base = nullptr;
  const RunResult* other = nullptr;
};

// Runs are paired where seed and number of runs agree. A figure is better or worse when its whole
// interval says so and it is among those that stand by Benjamini and Hochberg's rule, over all
// figures of all points. Less is better, but for the load on the API, which is chosen.
Comparison compare(std::span<const PointPair> pairs);

// Of two files with one result each, whatever their names, or with several, by their names.
Comparison compare(const std::vector<RunResult>& base, const std::vector<RunResult>& other);

}  // namespace tenure::run
