// Results as they were written by write_json, read again: for comparing, merging and reporting.
// They may be far larger than a scenario file, and come from anywhere: whatever does not fit is an
// E0701 that names the file, the field and what is wrong with it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <tenure/base/diagnostics.hpp>
#include <tenure/run/result.hpp>
#include <tenure/stats/sample.hpp>

namespace tenure::report {

// Where a value of a result file stands, for messages.
struct ResultPlace {
  std::string file;
  std::string path;  // "items[2].metrics"; empty: the whole file
};

// The JSON of a file, of whatever kind, with its keys in their order; "-" is the standard input.
// Null: it cannot be read (E0501) or is no JSON (E0701), which was reported.
std::shared_ptr<const nlohmann::ordered_json> load_json(const std::string& path,
                                                        Diagnostics& diagnostics);

// "RunResult", "ResultList", ...; empty: the file does not say.
std::string kind_of(const nlohmann::ordered_json& json);

// The samples of one metric, an entry of `metrics`, which are of the runs 0 to runs - 1 and of the
// first `faults` faults. Its unit and its n are compared with what it holds.
std::optional<stats::Samples> read_samples(const nlohmann::ordered_json& json,
                                           check::MetricId id,
                                           std::uint64_t runs,
                                           std::size_t faults,
                                           const ResultPlace& place,
                                           Diagnostics& diagnostics);

// A whole RunResult: writing it again gives the same bytes. Thresholds and summaries are computed
// from the samples, not read. What a result file does not hold stays empty: `replay`,
// `violating_runs`, `difference`, positions, and of a first violation all but its time.
std::optional<run::RunResult> read_run_result(const nlohmann::ordered_json& json,
                                              const ResultPlace& place,
                                              Diagnostics& diagnostics);

// The run results of a file: one, the items of a ResultList, or the points of a SweepResult that
// were run, each under the name of its sweep and its point.
std::optional<std::vector<run::RunResult>> load_run_results(const std::string& path,
                                                            Diagnostics& diagnostics);

}  // namespace tenure::report
