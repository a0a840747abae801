// What sweep, merge, check and run --shard share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tenure/run/shard.hpp>
#include <tenure/run/sweep.hpp>
#include <tenure/scenario/sweep.hpp>

#include "app.hpp"
#include "output.hpp"

namespace tenure::cli {

// A sweep file and the scenario that it names, with what the command line overrides; a scenario
// alone is a sweep of one point. Nothing: one cannot be read, or is of another kind, which was
// printed.
std::optional<scenario::SweepInput> sweep_input(const std::string& file, const CommonFlags& flags);
// The same for a document that is loaded already; what is wrong goes to `diagnostics`.
std::optional<scenario::SweepInput> sweep_input(const std::string& file,
                                                const scenario::Document& sweep,
                                                const CommonFlags& flags,
                                                Diagnostics& diagnostics);
std::optional<scenario::SweepInput> run_input(const std::string& file, const CommonFlags& flags);

// The points; nothing: something in it is wrong, and was printed. Warnings are printed too.
std::optional<scenario::SweepPlan> sweep_plan(const scenario::SweepInput& input,
                                              const CommonFlags& flags);

// "0/7"; nothing: it is no shard, which was printed.
std::optional<run::Shard> parse_shard(const std::string& text);

// Makes units, with progress. Nothing: time stood still in one of its runs, or there was no memory,
// which was printed, and `why` is what the command ends with.
std::optional<run::Made> make_or_tell(const scenario::SweepPlan& plan,
                                      const std::vector<std::uint64_t>& numbers,
                                      bool fail_fast,
                                      const CommonFlags& flags,
                                      ExitCode& why);

// The command that makes a run of each point again, but for --seed and --run.
void add_replays(run::SweepResult& result, const scenario::SweepInput& input);

// Whether what a shard makes is kept, and only so that it can be joined; if not, that was printed.
bool keeps_units(const std::vector<WriteRequest>& writes);

// Writes the units of a shard, or of an interrupted sweep, to every `json` of -w. False: one cannot
// be written, which was printed.
bool write_units(const run::ShardFile& shard, const std::vector<WriteRequest>& writes);

// `tenure run FILE --shard I/N -w json=PATH`: part of a scenario's runs, for tenure merge.
ExitCode run_shard(const std::string& file, const std::string& shard, const CommonFlags& flags);

// Writes a sweep's result as -w asks, and its summary to stdout if that is free.
ExitCode deliver_sweep(const run::SweepResult& result,
                       const scenario::SweepInput& input,
                       const std::vector<WriteRequest>& writes,
                       const CommonFlags& flags,
                       const std::string& cost);

}  // namespace tenure::cli
