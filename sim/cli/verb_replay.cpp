#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tenure/base/text.hpp>
#include <tenure/report/openmetrics.hpp>
#include <tenure/report/page.hpp>
#include <tenure/report/story.hpp>
#include <tenure/report/time_budget.hpp>
#include <tenure/report/timeline.hpp>
#include <tenure/report/trace.hpp>
#include <tenure/report/writer.hpp>
#include <tenure/run/neighbour.hpp>
#include <tenure/run/result.hpp>
#include <tenure/run/run.hpp>
#include <tenure/run/shrink.hpp>

#include "app.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "scraping.hpp"
#include "telling.hpp"

namespace tenure::cli {
namespace {

struct ReplayFlags {
  std::string file;
  std::uint64_t run = 0;
  bool timeline = false;
  bool ascii = false;
  std::string from, to;
  std::string scrape_interval, epoch;  // of -w openmetrics
  bool shrink = false;
  std::optional<std::uint64_t> budget;
};

// A time of the run; nothing when the flag was not given.
bool read_time(std::string_view flag, const std::string& text, std::optional<TrueTime>& out) {
  if (text.empty()) return true;
  const ParsedDuration parsed = parse_duration(text);
  if (parsed.fault != ParsedDuration::Fault::none || parsed.value < Duration::zero()) {
    usage_error("E0004", fmt::format("{} {} is not a time of the run", flag, tenure::quoted(text)),
                {"write a duration from the start of the run: 56s, 1m30s"});
    return false;
  }
  out = TrueTime{parsed.value};
  return true;
}

constexpr Duration usual_window = std::chrono::seconds{90};

// What to look at when nothing was said: all of it, or the while around the first violation or
// fault.
std::pair<TrueTime, TrueTime> window_of(const run::Experiment& experiment,
                                        const std::vector<record::Record>& history) {
  const TrueTime end{experiment.setup->duration};
  for (const record::Record& record : history) {
    if (!std::holds_alternative<record::FaultBegan>(record.fact)) continue;
    const Duration before =
        std::max(Duration{}, record.at.time_since_epoch() - std::chrono::seconds{10});
    const TrueTime from{std::chrono::floor<std::chrono::seconds>(before)};
    return {from, std::min(end, from + usual_window)};
  }
  return {TrueTime{}, end};
}

void print_failovers(const run::Experiment& experiment,
                     const run::Runner& runner,
                     const record::KeepHistory& history) {
  const std::vector<check::FailoverSample>& failovers = runner.checks().metrics().failovers;
  const std::vector<kernel::NodeClock> clocks = report::clocks_of(runner.world());
  const auto budgets =
      report::time_budgets({*experiment.setup, history.history(), failovers, clocks});
  auto budget = budgets.begin();
  for (const check::FailoverSample& failover : failovers) {
    fmt::print("  failover[{}] {}{}\n", experiment.setup->faults[failover.fault.value].name,
               seconds_text(failover.time), failover.censored ? ", not over at the end" : "");
    if (!failover.censored)
      fmt::print("    {}\n", report::budget_text(*budget++, terminal_columns(), 4));
  }
}

void print_findings(const run::Experiment& experiment,
                    const scenario::Scenario& scenario,
                    std::uint64_t number,
                    const run::Runner& runner,
                    const record::KeepHistory& history) {
  const check::Checks& checks = runner.checks();
  fmt::print("{}: run {} of seed {}\n", scenario.name, number, experiment.seed);
  print_failovers(experiment, runner, history);
  const check::RunMetrics& metrics = checks.metrics();
  if (metrics.overlap > Duration::zero()) {
    fmt::print("  overlap {}; both running {}\n", seconds_text(metrics.overlap),
               seconds_text(metrics.overlap_running));
  }
  for (std::size_t i = 0; i < check::property_count; ++i) {
    const auto& violation = checks.findings().first(static_cast<check::PropertyId>(i));
    if (!violation) continue;
    fmt::print("  {} violated at {}\n", check::to_text(violation->id),
               run::story_of(*experiment.setup, *violation));
  }
}

// What is to be seen of a run, whichever way it was chosen.
struct Shown {
  run::Experiment experiment;
  std::uint64_t number = 0;
  record::KeepHistory history;
  std::vector<kernel::NodeClock> clocks;
};

struct Window {
  std::optional<TrueTime> from, to;
};

report::Timeline timeline_within(const Shown& shown, const Window& window) {
  const std::vector<record::Record>& history = shown.history.history();
  const auto [first, last] = window_of(shown.experiment, history);
  // A run has nothing to show behind its end.
  const TrueTime end{shown.experiment.setup->duration};
  const TrueTime from = std::min(end, window.from.value_or(first));
  const TrueTime to = window.from ? later(from, usual_window) : last;
  return report::timeline_of(*shown.experiment.setup, history, from,
                             std::min(end, window.to.value_or(to)));
}

// False: the window is empty, which was printed.
bool print_timeline(const Shown& shown, const Window& window, const ReplayFlags& flags) {
  const report::Timeline timeline = timeline_within(shown, window);
  if (timeline.to <= timeline.from) {
    usage_error("E0004", "--to must be later than --from, and --from within the run");
    return false;
  }
  fmt::print("\n  {} .. {} of {}; another part: --from, --to\n\n{}",
             seconds_text(timeline.from.time_since_epoch()),
             seconds_text(timeline.to.time_since_epoch()),
             seconds_text(shown.experiment.setup->duration),
             report::rendered(timeline, terminal_columns(), characters_of(flags.ascii)));
  return true;
}

ExitCode write_history(const Shown& shown,
                       const report::Scrapes& scrapes,
                       const WriteRequest& write) {
  OutputFile file{write.path};
  const auto sink = [&](std::string_view text) { file.write(text); };
  const world::Setup& setup = *shown.experiment.setup;
  const std::vector<record::Record>& history = shown.history.history();
  if (write.format == "jsonl") report::write_jsonl(setup, shown.number, history, sink);
  if (write.format == "trace") report::write_trace_json(setup, history, sink);
  if (write.format == "pftrace") report::write_trace_protobuf(setup, history, sink);
  if (write.format == "openmetrics")
    report::write_openmetrics(setup, history, shown.clocks, scrapes, sink);
  return file.commit("the history") ? ExitCode::ok : ExitCode::no_output;
}

ExitCode write_drawing(const Shown& shown, const Window& window, const WriteRequest& write) {
  const report::Timeline timeline = timeline_within(shown, window);
  if (timeline.to <= timeline.from)
    return usage_error("E0004", "--to must be later than --from, and --from within the run");
  OutputFile file{write.path};
  report::write_svg(report::timeline_chart({shown.number, "who leads", timeline, {}}),
                    [&](std::string_view text) { file.write(text); });
  return file.commit("the timeline") ? ExitCode::ok : ExitCode::no_output;
}

ExitCode write_script(const scenario::Scenario& script, const WriteRequest& write) {
  OutputFile file{write.path};
  file.write(scenario::scenario_json(script).dump(2) + "\n");
  return file.commit("the reduced scenario") ? ExitCode::ok : ExitCode::no_output;
}

bool stdout_is_taken(const std::vector<WriteRequest>& writes) {
  return std::any_of(writes.begin(), writes.end(),
                     [](const WriteRequest& write) { return write.path == "-"; });
}

// ---- shrinking

std::optional<run::Shrunk> shrunk_run(const scenario::Scenario& scenario,
                                      const ReplayFlags& flags,
                                      const CommonFlags& common) {
  run::ShrinkOptions options;
  if (flags.budget) options.budget = *flags.budget;
  options.stop = &stop_requested;
  Progress progress{common, fmt::format("shrinking {}", scenario.name), options.budget};
  run::CampaignResult so_far;
  options.progress = [&](std::uint64_t runs) {
    so_far.runs = runs;
    progress.on(so_far);
  };
  auto shrunk = run::shrink(scenario, flags.run, options);
  progress.finish();
  return shrunk;
}

std::string ending_of(const run::Shrunk& shrunk) {
  if (shrunk.interrupted) return ", then interrupted: the smallest so far";
  return shrunk.out_of_budget ? ", which is the budget: the smallest so far (more: --budget)" : "";
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// A time that a script cut short may still draw.
std::string time_text(const Distribution& time) {
  return time.lower_bound() == time.upper_bound() ? seconds_text(time.upper_bound())
                                                  : "a drawn time";
}

void print_shrunk(const run::Shrunk& shrunk,
                  const scenario::Scenario& scenario,
                  std::uint64_t number,
                  const Shown& shown) {
  const std::string_view id = check::to_text(shrunk.signature.id);
  fmt::print("{}: run {} of seed {}\n  {} violated at {}\n\n  shrunk in {} runs{}\n", scenario.name,
             number, scenario.seed, id, shrunk.story_before, shrunk.runs, ending_of(shrunk));
  for (const run::ShrinkStep& step : shrunk.log)
    fmt::print("    {:<14}{}  ({})\n", step.pass, step.change, counted(step.runs, "run"));
  fmt::print("  left: {}, {}, {}, {}\n", counted(shrunk.scenario.faults.size(), "fault"),
             counted(shown.experiment.setup->processes.size(), "candidate"),
             counted(shrunk.scenario.choices->answers.size(), "choice"),
             seconds_text(shrunk.scenario.duration));
  for (const fault::Fault& fault : shown.experiment.setup->faults) {
    fmt::print(
        "    {} at {}{}\n", fault.name, time_text(fault.at),
        fault.duration ? fmt::format(", for {}", time_text(*fault.duration)) : std::string{});
  }
  fmt::print("  {} violated at {}\n", id, shrunk.story);
}

void print_margin(const run::Shrunk& shrunk) {
  if (shrunk.interrupted) return;
  for (const run::Neighbour& neighbour :
       run::nearest_passing(shrunk.scenario, shrunk.signature, &stop_requested)) {
    fmt::print("  margin: {}\n", run::to_text(neighbour));
  }
}

ExitCode nothing_to_shrink(const ReplayFlags& flags) {
  if (stop_requested.load()) return interruption();
  return usage_error(
      "E0004",
      fmt::format("--shrink: run {} violates nothing; there is nothing to shrink", flags.run),
      {"runs that do: violatingRuns in what tenure run FILE -w json=PATH writes"});
}

ExitCode replay_shrunk(const scenario::Scenario& scenario,
                       const std::vector<WriteRequest>& writes,
                       const Window& window,
                       const report::Scrapes& scrapes,
                       const ReplayFlags& flags,
                       const CommonFlags& common) {
  const auto shrunk = shrunk_run(scenario, flags, common);
  if (!shrunk) return nothing_to_shrink(flags);
  Shown shown{run::experiment_of(shrunk->scenario), 0, {}, {}};
  run::Runner runner{shown.experiment};
  runner.run(0, &shown.history);
  shown.clocks = report::clocks_of(runner.world());
  if (!stdout_is_taken(writes)) {
    print_shrunk(*shrunk, scenario, flags.run, shown);
    print_margin(*shrunk);
    if (writes.empty()) fmt::print("  to keep it: -w scenario=PATH\n");
    if (flags.timeline && !print_timeline(shown, window, flags)) return ExitCode::bad_input;
  }
  ExitCode code = shrunk->interrupted ? interruption() : ExitCode::ok;
  for (const WriteRequest& write : writes) {
    code = worse(code, write.format == "scenario" ? write_script(shrunk->scenario, write)
                       : write.format == "svg"    ? write_drawing(shown, window, write)
                                                  : write_history(shown, scrapes, write));
  }
  return code;
}

// ---- the run as it is

ExitCode replay_whole(const scenario::Scenario& scenario,
                      const Shown& shown,
                      const run::Runner& runner,
                      const std::vector<WriteRequest>& writes,
                      const Window& window,
                      const report::Scrapes& scrapes,
                      const ReplayFlags& flags) {
  if (!stdout_is_taken(writes)) {
    print_findings(shown.experiment, scenario, flags.run, runner, shown.history);
    print_story(shown.experiment, runner, shown.history.history(), {}, characters_of(flags.ascii));
    if (flags.timeline && !print_timeline(shown, window, flags)) return ExitCode::bad_input;
  }
  ExitCode code = ExitCode::ok;
  for (const WriteRequest& write : writes) {
    code = worse(code, write.format == "svg" ? write_drawing(shown, window, write)
                                             : write_history(shown, scrapes, write));
  }
  return code;
}

ExitCode replay(const ReplayFlags& flags, const CommonFlags& common) {
  if (flags.budget && !flags.shrink)
    return usage_error("E0004", "--budget is the number of runs that --shrink may make");
  std::vector<std::string> formats{"jsonl", "trace", "pftrace", "openmetrics", "svg"};
  if (flags.shrink) formats.emplace_back("scenario");
  const auto writes = write_requests(common, formats);
  Window window;
  if (!writes || !read_time("--from", flags.from, window.from) ||
      !read_time("--to", flags.to, window.to)) {
    return ExitCode::bad_input;
  }
  auto loaded = load_scenarios(flags.file, "replay", common, Results::unpacked);
  if (!loaded) return ExitCode::bad_input;
  if (loaded->size() != 1) {
    return usage_error("E0006", fmt::format("{} holds {} scenarios; replay takes one",
                                            visible(flags.file), loaded->size()));
  }
  if (!can_be_run(loaded->front(), common)) return ExitCode::bad_input;
  const scenario::Scenario& scenario = loaded->front().scenario;
  const bool is_scraped = std::any_of(writes->begin(), writes->end(), [](const auto& write) {
    return write.format == "openmetrics";
  });
  const auto scrapes =
      scrapes_of({flags.scrape_interval, flags.epoch}, is_scraped ? scenario.duration : Duration{});
  if (!scrapes) return ExitCode::bad_input;
  // Only the answers of a script can fail to fit.
  if (flags.shrink && !scenario.choices)
    return replay_shrunk(scenario, *writes, window, *scrapes, flags, common);
  Shown whole{run::experiment_of(scenario), flags.run, {}, {}};
  run::Runner runner{whole.experiment};
  runner.run(flags.run, &whole.history);
  whole.clocks = report::clocks_of(runner.world());
  if (runner.misfit()) return report_misfit(loaded->front(), *runner.misfit(), common);
  return flags.shrink ? replay_shrunk(scenario, *writes, window, *scrapes, flags, common)
                      : replay_whole(scenario, whole, runner, *writes, window, *scrapes, flags);
}

}  // namespace

void add_replay(CLI::App& app, Session& session) {
  auto flags = std::make_shared<ReplayFlags>();
  CLI::App* verb = app.add_subcommand("replay", "one run again, with its full history");
  add_common_flags(*verb, session);
  verb->add_option("FILE", flags->file,
                   "a scenario, or a result that embeds one; - is the standard input")
      ->type_name("")
      ->required();
  verb->add_option("--run", flags->run, "number of the run, from 0 (0)")
      ->transform(whole_number(0, 999'999'999))
      ->type_name("N");
  verb->add_flag("--timeline", flags->timeline, "draw who leads, as text lanes");
  verb->add_option("--from", flags->from, "begin of the timeline (10s before the first fault)")
      ->type_name("DURATION");
  verb->add_option("--to", flags->to, "end of the timeline (90s after its begin)")
      ->type_name("DURATION");
  verb->add_flag("--ascii", flags->ascii, "the timeline in plain ASCII");
  verb->add_option("--scrape-interval", flags->scrape_interval,
                   "of -w openmetrics: every process is scraped so often (15s)")
      ->check(duration_value())
      ->type_name("DURATION");
  verb->add_option("--epoch", flags->epoch,
                   "of -w openmetrics: where time 0 of the run is put (2026-01-01T00:00:00Z)")
      ->type_name("TIME");
  verb->add_flag(
      "--shrink", flags->shrink,
      "reduce a run that violates something: fewer faults, candidates and draws, shorter "
      "faults; -w scenario=PATH keeps the result");
  verb->add_option("--budget", flags->budget, "with --shrink: runs to spend at most (2000)")
      ->transform(whole_number(1, 100'000'000))
      ->type_name("N");
  verb->callback([flags, &session] {
    session.chosen = [flags, &session] { return replay(*flags, session.flags); };
  });
}

}  // namespace tenure::cli
