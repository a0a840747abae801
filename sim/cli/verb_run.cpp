#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include <tenure/report/outcome.hpp>
#include <tenure/report/time_budget.hpp>
#include <tenure/report/writer.hpp>
#include <tenure/run/result.hpp>
#include <tenure/run/run.hpp>

#include "app.hpp"
#include "first_failure.hpp"
#include "making.hpp"
#include "output.hpp"
#include "pages.hpp"
#include "results.hpp"
#include "sweeping.hpp"
#include "telling.hpp"

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

void tell(const Made& made, const CommonFlags& common, bool to_stdout) {
  for (const Diagnostic& warning : made.result.warnings) {
    if (warning.code == "W0303" || warning.code == "W0305" || warning.code == "W0403")
      print(warning, common);
  }
  if (common.verbose > 0) {
    fmt::print(stderr, "events: {}\nrun hash: {:016x}\nbytes per run: {}\n", made.result.events,
               made.result.run_hash, run::bytes_per_run(made.experiment));
    const auto& failover =
        made.result.summaries[static_cast<std::size_t>(check::MetricId::failover)];
    if (failover.mean)
      fmt::print(stderr, "mean failover: {:.6f}\n", static_cast<double>(*failover.mean) / 1e9);
    const auto means = report::mean_time_budget(made.experiment, made.result.runs, &stop_requested);
    for (const std::string& line : report::budget_text(means, terminal_columns(), 0))
      fmt::print(stderr, "{}\n", line);
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

// What makes a run of a preset again, up to its flags.
std::string replay_of_preset(const RunFlags& flags) {
  if (flags.preset.empty()) return {};
  std::string command = "tenure init --preset " + flags.preset;
  if (!flags.fault.empty()) command += " --fault " + flags.fault;
  return command + " | tenure replay -";
}

ExitCode run_all(const std::vector<Loaded>& all,
                 const std::vector<WriteRequest>& writes,
                 const RunFlags& flags,
                 const CommonFlags& common) {
  ResultFiles files{writes, all.size()};
  if (!files.can_write()) return ExitCode::no_output;
  const bool to_stdout = !stdout_is_taken(writes);
  const Making making{flags.twice, flags.fail_fast, {}, replay_of_preset(flags)};
  ExitCode code = ExitCode::ok;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i != 0 && to_stdout) std::fputs("\n", stdout);
    const auto done = made_of(all[i], making, common);
    if (const auto* why = std::get_if<NotMade>(&done)) return why->code;
    const Made& made = std::get<Made>(done);
    tell(made, common, to_stdout);
    code = worse(code, exit_code(made.result.verdict, undecided_of(flags.inconclusive)));
    files.add(made, common);
    common.outcome->suites.push_back(report::suite_of(made.result, file_of(all[i])));
    if (!made.result.interrupted) continue;
    code = interruption();
    common.outcome->not_run = all.size() - i - 1;
    break;
  }
  if (!files.commit(*common.outcome)) code = worse(code, ExitCode::no_output);
  return code;
}

ExitCode run_files(const RunFlags& flags, const CommonFlags& common) {
  if (!flags.shard.empty()) {
    if (flags.files.size() == 1) return run_shard(flags.files.front(), flags.shard, common);
    return usage_error("E0005", "--shard is of one scenario file");
  }
  common.outcome->detail = report::Detail::all;
  common.outcome->undecided = verdict_of_undecided(flags.inconclusive);
  const auto writes = write_requests(common, result_formats());
  if (!writes) return ExitCode::bad_input;
  const auto loaded = load(flags, common);
  if (!loaded) return write_bad_input(*writes, *common.outcome);
  if (!charts_are_of_one(*writes, loaded->size())) return ExitCode::bad_input;
  return run_all(*loaded, *writes, flags, common);
}

}  // namespace

void add_run(CLI::App& app, Session& session) {
  auto flags = std::make_shared<RunFlags>();
  CLI::App* verb =
      app.add_subcommand("run", "run scenarios, print a summary, judge properties and thresholds");
  add_common_flags(*verb, session);
  verb->add_option("FILE", flags->files, "scenario files; - is the standard input")->type_name("");
  add_chart_flag(*verb, session, {"ecdf", "timeline"});
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
