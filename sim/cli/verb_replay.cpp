#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <tenure/base/text.hpp>
#include <tenure/report/story.hpp>
#include <tenure/report/timeline.hpp>
#include <tenure/report/writer.hpp>
#include <tenure/run/result.hpp>
#include <tenure/run/run.hpp>

#include "app.hpp"
#include "output.hpp"

namespace tenure::cli {
namespace {

struct ReplayFlags {
  std::string file;
  std::uint64_t run = 0;
  bool timeline = false;
  bool ascii = false;
  std::string from, to;
};

std::size_t terminal_columns() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) return size.ws_col;
  return 110;
}

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

bool speaks_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string locale = value;
    return locale.find("UTF-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

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
    return {from, std::min(end, from + std::chrono::seconds{90})};
  }
  return {TrueTime{}, end};
}

void print_findings(const run::Experiment& experiment,
                    const scenario::Scenario& scenario,
                    std::uint64_t number,
                    const check::Checks& checks) {
  fmt::print("{}: run {} of seed {}\n", scenario.name, number, experiment.seed);
  const check::RunMetrics& metrics = checks.metrics();
  for (const check::FailoverSample& failover : metrics.failovers) {
    fmt::print("  failover[{}] {}{}\n", experiment.setup->faults[failover.fault.value].name,
               seconds_text(failover.time), failover.censored ? ", not over at the end" : "");
  }
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

// The violation that is told: two leaders if there were, else the first of all.
std::optional<check::Violation> worst(const check::Findings& findings) {
  if (const auto& overlap = findings.first(check::PropertyId::B1)) return overlap;
  check::PropertySet all;
  for (std::size_t i = 0; i < check::property_count; ++i)
    all.add(static_cast<check::PropertyId>(i));
  return findings.first_of(all);
}

void print_story(const run::Experiment& experiment,
                 const run::Runner& runner,
                 const std::vector<record::Record>& history,
                 const check::Checks& checks,
                 report::Characters characters) {
  const auto violation = worst(checks.findings());
  if (!violation) return;
  const report::Counterexample told{.setup = *experiment.setup,
                                    .history = history,
                                    .violation = *violation,
                                    .level = experiment.properties.belief_level,
                                    .clocks = report::clocks_of(runner.world()),
                                    .nearest = {},
                                    .replay = {}};
  fmt::print("\n{}", report::story(told, terminal_columns(), characters));
}

ExitCode replay(const ReplayFlags& flags, const CommonFlags& common) {
  const auto writes = write_requests(common, {"jsonl"});
  std::optional<TrueTime> from;
  std::optional<TrueTime> to;
  if (!writes || !read_time("--from", flags.from, from) || !read_time("--to", flags.to, to)) {
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
  const run::Experiment experiment = run::experiment_of(scenario);
  run::Runner runner{experiment};
  record::KeepHistory history;
  const check::Checks& checks = runner.run(flags.run, &history);
  if (runner.misfit()) return report_misfit(loaded->front(), *runner.misfit(), common);
  const bool taken =
      std::any_of(writes->begin(), writes->end(), [](const auto& w) { return w.path == "-"; });
  if (!taken) {
    const auto characters =
        flags.ascii || !speaks_utf8() ? report::Characters::ascii : report::Characters::unicode;
    print_findings(experiment, scenario, flags.run, checks);
    print_story(experiment, runner, history.history(), checks, characters);
    if (flags.timeline) {
      const auto [first, last] = window_of(experiment, history.history());
      // A run has nothing to show behind its end.
      const TrueTime end{experiment.setup->duration};
      const report::Timeline timeline = report::timeline_of(*experiment.setup, history.history(),
                                                            std::min(end, from.value_or(first)),
                                                            std::min(end, to.value_or(last)));
      if (timeline.to <= timeline.from) {
        return usage_error("E0004", "--to must be later than --from, and --from within the run");
      }
      fmt::print("\n  {} .. {} of {}; another part: --from, --to\n\n{}",
                 seconds_text(timeline.from.time_since_epoch()),
                 seconds_text(timeline.to.time_since_epoch()),
                 seconds_text(experiment.setup->duration),
                 report::rendered(timeline, terminal_columns(), characters));
    }
  }
  ExitCode code = ExitCode::ok;
  for (const WriteRequest& write : *writes) {
    OutputFile file{write.path};
    report::write_jsonl(*experiment.setup, flags.run, history.history(),
                        [&](std::string_view text) { file.write(text); });
    if (!file.commit("the history")) code = ExitCode::no_output;
  }
  return code;
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
  verb->callback([flags, &session] {
    session.chosen = [flags, &session] { return replay(*flags, session.flags); };
  });
}

}  // namespace tenure::cli
