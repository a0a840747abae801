#include <algorithm>
#include <cstdio>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include <tenure/base/assert.hpp>
#include <tenure/base/text.hpp>
#include <tenure/report/writer.hpp>
#include <tenure/run/campaign.hpp>
#include <tenure/run/result.hpp>
#include <tenure/run/run.hpp>

#include "app.hpp"
#include "first_failure.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "sweeping.hpp"

namespace tenure::cli {
namespace {

struct RunFlags {
  std::vector<std::string> files;
  std::string preset;  // instead of files
  std::string fault;   // goes with a preset
  bool twice = false;
  bool fail_fast = false;
  std::string inconclusive;
  std::string shard;
};

// The command that makes a run again, but for --seed and --run: with all that was set here.
std::string replay_of(const Loaded& loaded, const RunFlags& flags, const CommonFlags& common) {
  std::string command = "tenure replay " + shell_word(loaded.file);
  if (!flags.preset.empty()) {
    command = "tenure init --preset " + flags.preset;
    if (!flags.fault.empty()) command += " --fault " + flags.fault;
    command += " | tenure replay -";
  }
  for (const std::string& set : common.sets) command += " --set " + shell_word(set);
  return command;
}

struct Made {
  run::Experiment experiment;
  run::RunResult result;
  std::string cost;
  std::vector<run::Stalled> stalled;
  std::optional<run::Misfit> misfit;
};

Made make(const Loaded& loaded, const RunFlags& flags, const CommonFlags& common) {
  Made made{run::experiment_of(loaded.scenario), {}, {}, {}, {}};
  Progress progress{common, loaded.scenario.name, made.experiment.runs};
  run::CampaignOptions options;
  options.threads = threads_of(common);
  options.twice = flags.twice;
  if (flags.fail_fast) options.fail_fast = run::fail_fast_of(loaded.scenario);
  options.stop = &stop_requested;
  options.progress = [&](const run::CampaignResult& so_far) { progress.on(so_far); };
  run::CampaignResult campaign = run::run_campaign(made.experiment, options);
  progress.finish();
  const double elapsed = progress.seconds();
  const double simulated = static_cast<double>(campaign.runs) *
                           std::chrono::duration<double>(loaded.scenario.duration).count();
  made.cost = fmt::format("{:.2f} s, {:.1f} million simulated s per s{}", elapsed,
                          simulated / std::max(elapsed, 1e-9) / 1e6,
                          flags.twice ? "; every run made twice, no difference" : "");
  made.stalled = campaign.stalled;
  made.misfit = campaign.misfit;
  made.result = run::judged(loaded.scenario, loaded.document, std::move(campaign));
  made.result.replay = replay_of(loaded, flags, common);
  made.result.warnings.insert(made.result.warnings.begin(), loaded.warnings.begin(),
                              loaded.warnings.end());
  return made;
}

// The same; nothing when it cannot be made, which is told.
std::optional<Made> make_or_tell(const Loaded& loaded,
                                 const RunFlags& flags,
                                 const CommonFlags& common) {
  try {
    return make(loaded, flags, common);
  } catch (const std::bad_alloc&) {
    usage_error("E0503", fmt::format("not enough memory for {}", visible(loaded.scenario.name)),
                {"nothing of it was kept; try fewer or shorter runs"});
    return std::nullopt;
  }
}

ExitCode report_stall(const run::Stalled& stalled) {
  return usage_error(
      "E0316",
      fmt::format("time stands still at {} of run {}", seconds_text(stalled.at.time_since_epoch()),
                  stalled.run),
      {fmt::format("more than {} events happen in that instant: somebody never waits",
                   world::most_events_at_once),
       "give requests some latency, or the elector a pause"});
}

void write_result(const run::RunResult& result, OutputFile& file) {
  report::write_json(result, [&](std::string_view text) { file.write(text); });
}

// The runs whose history `spec.record` asks for.
std::vector<std::uint64_t> recorded_runs(const run::RunResult& result) {
  using Which = scenario::Record::Which;
  const scenario::Record& record = result.scenario.record;
  std::vector<std::uint64_t> runs;
  switch (record.which) {
    case Which::none:
      break;
    case Which::failures:
      return result.violating_runs;
    case Which::first:
    case Which::all: {
      const std::uint64_t count =
          record.which == Which::all ? result.runs : std::min(record.first, result.runs);
      for (std::uint64_t run = 0; run < count; ++run) runs.push_back(run);
    }
  }
  return runs;
}

// Failing runs are never stored during a campaign but made again with the recorder on.
void write_histories(const Made& made, OutputFile& file, const CommonFlags& common) {
  const std::vector<std::uint64_t> runs = recorded_runs(made.result);
  if (runs.empty() && !common.quiet) {
    fmt::print(stderr,
               "{}: no history for -w jsonl: spec.record is {}\n"
               "   = every run's: --set spec.record=all; one run's: tenure replay FILE --run N "
               "-w jsonl=PATH\n",
               made.result.scenario.name,
               made.result.scenario.record.which == scenario::Record::Which::none
                   ? "none"
                   : "failures, and no run violated a property");
  }
  run::Runner runner{made.experiment};
  for (const std::uint64_t number : runs) {
    record::KeepHistory history;
    runner.run(number, &history);
    report::write_jsonl(*made.experiment.setup, number, history.history(),
                        [&](std::string_view text) { file.write(text); });
  }
}

// The text summary leaves stdout to a file that was asked for there.
bool stdout_is_taken(const std::vector<WriteRequest>& writes) {
  return std::any_of(writes.begin(), writes.end(),
                     [](const WriteRequest& w) { return w.path == "-"; });
}

class Output {
 public:
  Output(const std::vector<WriteRequest>& writes) {
    for (const WriteRequest& write : writes) {
      files_.push_back({write, std::make_unique<OutputFile>(write.path)});
    }
  }

  // `item`: of several scenarios this is the n-th; they go into one list.
  void add(const Made& made, std::size_t item, std::size_t items, const CommonFlags& common) {
    for (auto& [request, file] : files_) {
      if (request.format == "jsonl") {
        write_histories(made, *file, common);
        continue;
      }
      if (items > 1) {
        file->write(
            item == 0
                ? "{\"apiVersion\": \"tenure/v1alpha1\", \"kind\": \"ResultList\", \"items\": [\n"
                : ",\n");
      }
      write_result(made.result, *file);
      if (items > 1 && item + 1 == items) file->write("]}\n");
    }
  }

  // Before hours are spent on what cannot be kept.
  bool can_write() {
    bool all = true;
    for (auto& [request, file] : files_) all = file->is_open("nothing was run") && all;
    return all;
  }

  bool commit() {
    bool all = true;
    for (auto& [request, file] : files_) {
      const std::string what =
          request.format == "json" ? "the result; the summary above stands" : "the histories";
      all = file->commit(what) && all;
    }
    return all;
  }

 private:
  struct Target {
    WriteRequest request;
    std::unique_ptr<OutputFile> file;
  };
  std::vector<Target> files_;
};

ExitCode report_difference(const run::RunResult& result) {
  fmt::print(stderr,
             "tenure: internal error: a run differs from its repetition: {}\n  = this is a bug in "
             "tenure; please report it with the scenario\n",
             result.difference);
  return ExitCode::bug;
}

void tell(const Made& made, const CommonFlags& common, bool to_stdout) {
  for (const Diagnostic& warning : made.result.warnings) {
    if (warning.code == "W0303" || warning.code == "W0305") print(warning, common);
  }
  if (common.verbose > 0) {
    fmt::print(stderr, "events: {}\nrun hash: {:016x}\nbytes per run: {}\n", made.result.events,
               made.result.run_hash, run::bytes_per_run(made.experiment));
    const auto& failover =
        made.result.summaries[static_cast<std::size_t>(check::MetricId::failover)];
    if (failover.mean)
      fmt::print(stderr, "mean failover: {:.6f}\n", static_cast<double>(*failover.mean) / 1e9);
  }
  if (!to_stdout) return;
  if (common.output == "json") {
    report::write_json(made.result, [](std::string_view text) {
      std::fwrite(text.data(), 1, text.size(), stdout);
    });
    return;
  }
  const auto colour = colour_on(common, STDOUT_FILENO) ? report::Colour::yes : report::Colour::no;
  std::fputs(report::summary(made.result, colour, made.cost, first_failure(made.result)).c_str(),
             stdout);
}

// What `init` would print for the same flags.
std::optional<std::vector<Loaded>> load_starter(const RunFlags& flags, const CommonFlags& common) {
  if (!flags.files.empty()) {
    usage_error("E0004", "scenario files and --preset are given; run takes one or the other");
    return std::nullopt;
  }
  auto text = starter_text(flags.preset, flags.fault);
  if (!text) return std::nullopt;
  return load_text("<preset>", std::move(*text), "run", common);
}

std::optional<std::vector<Loaded>> load_files(const RunFlags& flags, const CommonFlags& common) {
  std::vector<Loaded> all;
  bool good = true;
  for (const std::string& file : flags.files) {
    auto loaded = load_scenarios(file, "run", common);
    good = good && loaded.has_value();
    if (!loaded) continue;
    for (Loaded& one : *loaded) {
      good = can_be_run(one, common) && good;
      all.push_back(std::move(one));
    }
  }
  if (!good) return std::nullopt;
  return all;
}

std::optional<std::vector<Loaded>> load(const RunFlags& flags, const CommonFlags& common) {
  if (!flags.preset.empty()) return load_starter(flags, common);
  if (!flags.fault.empty()) {
    usage_error("E0005", "--preset is missing: --fault goes with it",
                {"a file says itself what fails: spec.faults"});
    return std::nullopt;
  }
  if (flags.files.empty()) {
    usage_error("E0005", "FILE is missing",
                {"tenure run crash.yaml, or tenure run --preset NAME --fault TYPE"});
    return std::nullopt;
  }
  return load_files(flags, common);
}

ExitCode run_files(const RunFlags& flags, const CommonFlags& common) {
  if (!flags.shard.empty()) {
    if (flags.files.size() == 1) return run_shard(flags.files.front(), flags.shard, common);
    return usage_error("E0005", "--shard is of one scenario file");
  }
  const auto writes = write_requests(common, {"json", "jsonl"});
  if (!writes) return ExitCode::bad_input;
  const auto loaded = load(flags, common);
  if (!loaded) return ExitCode::bad_input;
  const std::vector<Loaded>& all = *loaded;
  Output output{*writes};
  if (!output.can_write()) return ExitCode::no_output;
  ExitCode code = ExitCode::ok;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i != 0 && !stdout_is_taken(*writes)) std::fputs("\n", stdout);
    const std::optional<Made> done = make_or_tell(all[i], flags, common);
    if (!done) return ExitCode::no_output;
    const Made& made = *done;
    if (!made.stalled.empty()) return report_stall(made.stalled.front());
    if (made.misfit) return report_misfit(all[i], *made.misfit, common);
    if (!made.result.difference.empty()) return report_difference(made.result);
    tell(made, common, !stdout_is_taken(*writes));
    code = worse(code, exit_code(made.result.verdict, undecided_of(flags.inconclusive)));
    const bool last = made.result.interrupted || i + 1 == all.size();
    output.add(made, i, last ? i + 1 : all.size(), common);
    if (made.result.interrupted) {
      code = interruption();
      break;
    }
  }
  if (!output.commit()) code = worse(code, ExitCode::no_output);
  return code;
}

}  // namespace

void add_run(CLI::App& app, Session& session) {
  auto flags = std::make_shared<RunFlags>();
  CLI::App* verb =
      app.add_subcommand("run", "run scenarios, print a summary, judge properties and thresholds");
  add_common_flags(*verb, session);
  verb->add_option("FILE", flags->files, "scenario files; - is the standard input")->type_name("");
  verb->add_option("--preset", flags->preset,
                   "run what tenure init prints for this component: tenure list presets")
      ->type_name("NAME");
  verb->add_option("--fault", flags->fault, "with --preset: what happens to the leader")
      ->type_name("TYPE");
  verb->add_flag("--twice", flags->twice, "make every run twice and compare choice by choice");
  verb->add_flag("--fail-fast", flags->fail_fast,
                 "stop at the first violation; the statistics are then partial");
  verb->add_option("--inconclusive", flags->inconclusive,
                   "pass, fail: what an undecided result counts as")
      ->check(one_of({"pass", "fail"}));
  verb->add_option("--shard", flags->shard, "make only part I of N of the runs, for tenure merge")
      ->type_name("I/N");
  verb->callback([flags, &session] {
    session.chosen = [flags, &session] { return run_files(*flags, session.flags); };
  });
}

}  // namespace tenure::cli
