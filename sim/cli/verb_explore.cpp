#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <tenure/base/text.hpp>
#include <tenure/explore/dot.hpp>
#include <tenure/explore/verdict.hpp>
#include <tenure/report/explore.hpp>
#include <tenure/report/page.hpp>
#include <tenure/run/neighbour.hpp>
#include <tenure/run/trial.hpp>

#include "app.hpp"
#include "exploring.hpp"
#include "output.hpp"
#include "telling.hpp"

namespace tenure::cli {
namespace {

struct ExploreFlags {
  std::string file;
  bool fail_fast = false;
  bool ascii = false;
  std::string inconclusive;
};

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
  if (request.format == "html") report::write_html(report::page_of(result), sink);
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

ExitCode explore_one(const Loaded& loaded,
                     const std::vector<WriteRequest>& writes,
                     const ExploreFlags& flags,
                     const CommonFlags& common) {
  Diagnostics diagnostics;
  const auto on_grid = rounded(loaded, diagnostics);
  print(diagnostics, common);
  if (!on_grid) return ExitCode::bad_input;
  const auto made = explored(loaded, *on_grid, flags.fail_fast, loaded.scenario.name, common);
  if (!made) return ExitCode::no_output;
  const explore::ExploreResult& result = made->result;
  bool to_stdout = true;
  for (const WriteRequest& request : writes) to_stdout = to_stdout && request.path != "-";
  const auto colour = colour_on(common, STDOUT_FILENO) ? report::Colour::yes : report::Colour::no;
  if (to_stdout && common.output == "json") {
    report::write_explore_json(result, [](std::string_view text) { fmt::print("{}", text); });
  } else if (to_stdout) {
    fmt::print("{}", report::explore_summary(result, colour));
    if (result.counterexample) tell(*result.counterexample, writes, flags.ascii);
    fmt::print("{}", report::explore_verdict(result, colour, common.verbose > 0 ? made->cost : ""));
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

ExitCode explore_file(const ExploreFlags& flags, const CommonFlags& common) {
  const auto writes = write_requests(common, {"json", "scenario", "dot", "html"});
  if (!writes) return ExitCode::bad_input;
  const auto loaded = load_scenarios(flags.file, "explore", common);
  if (!loaded) return ExitCode::bad_input;
  if (loaded->size() != 1) {
    return usage_error("E0006", fmt::format("{} holds {} scenarios; explore takes one",
                                            visible(flags.file), loaded->size()));
  }
  return explore_one(loaded->front(), *writes, flags, common);
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
