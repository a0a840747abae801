#include "wording.hpp"

#include <string>

#include <fmt/format.h>

#include <tenure/stats/ecdf.hpp>

namespace tenure::report {
namespace {

using run::Finding;

// In how many runs it could have been violated at all, where that is not all of them.
std::string exercised(const run::RunResult& result, const run::PropertyResult& property) {
  if (property.tally.exercised_runs == result.runs) return "";
  return fmt::format("  exercised in {}", property.tally.exercised_runs);
}

// What a threshold compares, in words: a count of samples has no unit, a rate is a share.
std::string compared(const run::RunResult& result,
                     const run::ThresholdResult& threshold,
                     std::int64_t value) {
  const stats::Unit unit = result.metrics[static_cast<std::size_t>(threshold.id)].unit();
  switch (threshold.threshold.aggregation) {
    case stats::Aggregation::count:
      return fmt::format("{}", value);
    case stats::Aggregation::rate:
      return percent(static_cast<double>(value) / 1e9);
    case stats::Aggregation::mean:
      return unit == stats::Unit::one ? fmt::format("{:.4g}", static_cast<double>(value) / 1e9)
                                      : shown(unit, value);
    default:
      return shown(unit, value);
  }
}

}  // namespace

std::string shown(stats::Unit unit, std::int64_t value) {
  // Two decimals are what a person compares failover times by.
  return unit == stats::Unit::nanosecond ? fmt::format("{:.2f}s", static_cast<double>(value) / 1e9)
                                         : run::value_text(unit, value);
}

std::string percent(double share) {
  return fmt::format("{:.3g} %", share * 100);
}

std::string what_was_seen(const run::RunResult& result, const run::PropertyResult& property) {
  const std::uint64_t violated = property.tally.violated_runs;
  const std::string share =
      percent(static_cast<double>(violated) / static_cast<double>(result.runs));
  switch (property.finding) {
    case Finding::ok:
      return fmt::format("{}/{} runs      violations per run < {}  (95 %){}", result.runs,
                         result.runs, percent(property.share.upper), exercised(result, property));
    case Finding::fail:
      return fmt::format("violated in {} of {} runs: {} ({} .. {})", violated, result.runs, share,
                         percent(property.share.lower), percent(property.share.upper));
    case Finding::xfail:
      return fmt::format("violated in {} of runs ({} .. {}), as expected", share,
                         percent(property.share.lower), percent(property.share.upper));
    case Finding::xpass:
      return "a violation was expected, and there was none";
    case Finding::not_exercised:
      return property.counts ? "not exercised: what it speaks of happened in no run"
                             : "not exercised, which was allowed";
    case Finding::inconclusive:
      return "inconclusive";
  }
  return "";
}

std::string estimate_text(const run::RunResult& result, const run::ThresholdResult& threshold) {
  const auto& value = threshold.judgement.estimate;
  return value ? compared(result, threshold, *value) : "-";
}

std::string interval_text(const run::RunResult& result, const run::ThresholdResult& threshold) {
  const auto& interval = threshold.judgement.interval;
  if (!interval) return "";
  const auto end = [&](const stats::End& e) {
    switch (e.kind) {
      case stats::End::Kind::value:
        return compared(result, threshold, e.value);
      case stats::End::Kind::open:
        return std::string{"?"};
      case stats::End::Kind::beyond:
        return std::string{"longer than the run"};
    }
    return std::string{};
  };
  return fmt::format("{} .. {}", end(interval->lower), end(interval->upper));
}

std::string why_partial(const run::RunResult& result) {
  for (std::size_t i = 0; i < result.thresholds.size(); ++i) {
    const run::ThresholdResult& threshold = result.thresholds[i];
    if (result.scenario.thresholds[i].abort_on_fail && threshold.finding == Finding::fail)
      return fmt::format("{} {} failed (abortOnFail)", threshold.metric, threshold.text);
  }
  return "--fail-fast";
}

std::optional<double> band_half_width(const run::RunResult& result, check::MetricId metric) {
  const stats::Samples& samples = result.metrics[static_cast<std::size_t>(metric)];
  if (samples.size() == 0) return std::nullopt;
  const double alpha = result.looks.empty() ? stats::usual_alpha : result.looks.back().alpha;
  return stats::dkw_half_width(samples.size(), alpha);
}

}  // namespace tenure::report
