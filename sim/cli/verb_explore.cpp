#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <tenure/base/assert.hpp>
#include <tenure/base/text.hpp>
#include <tenure/explore/dot.hpp>
#include <tenure/explore/verdict.hpp>
#include <tenure/report/explore.hpp>
#include <tenure/run/neighbour.hpp>
#include <tenure/run/trial.hpp>

#include "app.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "telling.hpp"

namespace tenure::cli {
namespace {

struct ExploreFlags {
  std::string file;
  bool fail_fast = false;
  bool ascii = false;
  std::string inconclusive;
};

// The scenario in ticks; nothing: it cannot be put on a grid, which was printed.
std::optional<scenario::OnGrid> rounded(const Loaded& loaded, const CommonFlags& common) {
  Diagnostics diagnostics;
  scenario::OnGrid made;
  if (loaded.scenario.explore) {
    made = scenario::on_grid(loaded.scenario, loaded.scenario.explore->tick);
  } else {
    made.problems.push_back({"spec", "has no explore", "give a tick: spec: {explore: {tick: 1s}}"});
  }
  scenario::report_off_grid(loaded.document, made.problems, diagnostics);
  print(diagnostics, common);
  if (!made.problems.empty()) return std::nullopt;
  return made;
}

// ---- the counterexample

std::string script_path(const std::vector<WriteRequest>& writes) {
  for (const WriteRequest& write : writes) {
    if (write.format == "scenario" && write.path != "-") return write.path;
  }
  return {};
}

// The margin: how far the script is from one that passes, everything else as it is.
std::string nearest(const scenario::Scenario& script, check::PropertyId id) {
  const run::Trial trial = run::trial_of(script, 0);
  const auto signature = run::signature_of(trial, id);
  if (!signature) return {};
  std::string text;
  for (const run::Neighbour& neighbour :
       run::nearest_passing(script, *signature, &stop_requested)) {
    text += (text.empty() ? "" : "; ") + run::to_text(neighbour);
  }
  return text;
}

void tell(const explore::Counterexample& example,
          const std::vector<WriteRequest>& writes,
          bool ascii) {
  const run::Experiment experiment = run::experiment_of(example.script);
  run::Runner runner{experiment};
  record::KeepHistory history;
  runner.run(0, &history);
  const std::string path = script_path(writes);
  StoryEnd end;
  end.nearest = nearest(example.script, example.violation.id);
  end.replay = path.empty() ? "kept with -w scenario=PATH, for tenure replay PATH"
                            : "tenure replay " + shell_word(path);
  fmt::print("\n  COUNTEREXAMPLE  the earliest, and of those one with the fewest steps\n");
  print_story(experiment, runner, history.history(), end, characters_of(ascii));
}

// ---- files

std::string state_label(const explore::StateGraph& graph, std::uint32_t state) {
  return state == 0 ? std::string{"start"} : fmt::format("{}: {}", state, graph.believers[state]);
}

ExitCode write(const explore::ExploreResult& result, const WriteRequest& request) {
  if (request.format == "scenario" && !result.counterexample) {
    fmt::print(stderr, "no run that shows a violation: {} is not written\n", visible(request.path));
    return ExitCode::ok;
  }
  OutputFile file{request.path};
  const auto sink = [&](std::string_view text) { file.write(text); };
  if (request.format == "json") report::write_explore_json(result, sink);
  if (request.format == "scenario") {
    file.write(scenario::scenario_json(result.counterexample->script).dump(2) + "\n");
  }
  if (request.format == "dot") {
    const explore::DotLabels labels{
        [&](std::uint32_t state) { return state_label(result.states, state); },
        [](std::uint32_t, std::uint64_t) { return std::string{}; }};
    explore::write_dot(result.states, result.path, labels, sink);
  }
  return file.commit("the exploration") ? ExitCode::ok : ExitCode::no_output;
}

ExitCode refuse_dot(const explore::ExploreResult& result) {
  if (result.ended == explore::Ended::complete) return ExitCode::ok;
  return usage_error("E0004", "-w dot: the graph of an exploration that did not end is not drawn",
                     {"raise maxStates or maxMemory, or leave out --fail-fast"});
}

// ---- the verb

// What there is to use of this machine's memory, leaving room for others: who is killed for memory
// has no verdict.
std::uint64_t memory_to_use() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return std::numeric_limits<std::uint64_t>::max();
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page) / 4 * 3;
}

ExitCode explore_one(const Loaded& loaded,
                     const std::vector<WriteRequest>& writes,
                     const ExploreFlags& flags,
                     const CommonFlags& common) {
  const auto on_grid = rounded(loaded, common);
  if (!on_grid) return ExitCode::bad_input;
  explore::Options options = explore::options_of(loaded.scenario);
  options.stops_at_violation = flags.fail_fast;
  options.limits.memory = std::min(options.limits.memory, memory_to_use());
  options.threads = threads_of(common);
  options.stop = &stop_requested;
  Progress progress{common, loaded.scenario.name, 1};
  options.progress = [&](const explore::Progress& so_far) {
    progress.on([&] { return report::progress_text(so_far, progress.seconds()); });
  };
  const explore::ExploreResult result =
      explore::explore_scenario(loaded.scenario, *on_grid, options);
  progress.finish();
  const std::string cost = report::progress_text(result.progress, progress.seconds());
  TENURE_ASSERT(!result.does_not_replay, "what an exploration finds happens in the simulator");
  bool to_stdout = true;
  for (const WriteRequest& request : writes) to_stdout = to_stdout && request.path != "-";
  const auto colour = colour_on(common, STDOUT_FILENO) ? report::Colour::yes : report::Colour::no;
  if (to_stdout && common.output == "json") {
    report::write_explore_json(result, [](std::string_view text) { fmt::print("{}", text); });
  } else if (to_stdout) {
    fmt::print("{}", report::explore_summary(result, colour));
    if (result.counterexample) tell(*result.counterexample, writes, flags.ascii);
    fmt::print("{}", report::explore_verdict(result, colour, common.verbose > 0 ? cost : ""));
  }
  ExitCode code = exit_code(result.passes, undecided_of(flags.inconclusive));
  if (result.ended == explore::Ended::interrupted) code = worse(code, interruption());
  for (const WriteRequest& request : writes) {
    if (request.format == "dot") code = worse(code, refuse_dot(result));
    if (request.format == "dot" && result.ended != explore::Ended::complete) continue;
    code = worse(code, write(result, request));
  }
  return code;
}

// The same; where the memory ends before its limit does, as under ulimit -v, that is told.
ExitCode explore_or_tell(const Loaded& loaded,
                         const std::vector<WriteRequest>& writes,
                         const ExploreFlags& flags,
                         const CommonFlags& common) {
  try {
    return explore_one(loaded, writes, flags, common);
  } catch (const std::bad_alloc&) {
    usage_error(
        "E0503", fmt::format("not enough memory to explore {}", visible(loaded.scenario.name)),
        {"nothing of it was kept; set spec.explore.maxMemory to what there is"});
    return ExitCode::no_output;
  }
}

ExitCode explore_file(const ExploreFlags& flags, const CommonFlags& common) {
  const auto writes = write_requests(common, {"json", "scenario", "dot"});
  if (!writes) return ExitCode::bad_input;
  const auto loaded = load_scenarios(flags.file, "explore", common);
  if (!loaded) return ExitCode::bad_input;
  if (loaded->size() != 1) {
    return usage_error("E0006", fmt::format("{} holds {} scenarios; explore takes one",
                                            visible(flags.file), loaded->size()));
  }
  return explore_or_tell(loaded->front(), *writes, flags, common);
}

}  // namespace

void add_explore(CLI::App& app, Session& session) {
  auto flags = std::make_shared<ExploreFlags>();
  CLI::App* verb = app.add_subcommand(
      "explore",
      "every run of a small election: a proof within bounds, or the shortest run that fails");
  add_common_flags(*verb, session);
  verb->add_option("FILE", flags->file, "a scenario with spec.explore; - is the standard input")
      ->type_name("")
      ->required();
  verb->add_flag("--fail-fast", flags->fail_fast, "end at the first violation");
  verb->add_option("--inconclusive", flags->inconclusive,
                   "what an undecided exploration counts as: pass, fail (exit code 3)")
      ->check(one_of({"pass", "fail"}));
  verb->add_flag("--ascii", flags->ascii, "the counterexample in plain ASCII");
  verb->callback([flags, &session] {
    session.chosen = [flags, &session] { return explore_file(*flags, session.flags); };
  });
}

}  // namespace tenure::cli
