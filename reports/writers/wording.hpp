#pragma once

// What a check of a run came to, in the words that all reports share.

#include <cstdint>
#include <optional>
#include <string>

#include <tenure/run/result.hpp>

namespace tenure::report {

// A value to compare by: times in seconds with two decimals.
std::string shown(stats::Unit unit, std::int64_t value);

template <class Figure>
std::string shown(stats::Unit unit, const Figure& figure) {
  return figure ? shown(unit, figure->value) : "-";
}

std::string percent(double share);

// What ended the runs early: a threshold with abortOnFail, else --fail-fast.
std::string why_partial(const run::RunResult& result);

// Half the width of the band around the distribution of a metric's samples (stats/ecdf.hpp), at the
// error probability of the other intervals. Nothing: there are no samples.
std::optional<double> band_half_width(const run::RunResult& result, check::MetricId metric);

// "violated in 212 of 500 runs: 42.4 % (38.1 % .. 46.8 %)"
std::string what_was_seen(const run::RunResult& result, const run::PropertyResult& property);

// What a threshold was compared with, "-" when the samples do not carry it.
std::string estimate_text(const run::RunResult& result, const run::ThresholdResult& threshold);

// "19.40s .. 19.76s"; empty for facts, which have no interval.
std::string interval_text(const run::RunResult& result, const run::ThresholdResult& threshold);

}  // namespace tenure::report
