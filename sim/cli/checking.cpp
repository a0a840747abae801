#include "checking.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/report/explore.hpp>

#include "exploring.hpp"
#include "making.hpp"
#include "sweeping.hpp"

namespace tenure::cli {
namespace {

// A check that came to no result; why was printed.
Checked unchecked(const Loaded& loaded, ExitCode code, std::string why) {
  Checked checked;
  checked.suite.name = loaded.scenario.name;
  checked.suite.file = file_of(loaded);
  checked.suite.work = "0 runs";
  checked.suite.verdict = run::Verdict::inconclusive;
  checked.suite.problem = std::move(why);
  checked.code = code;
  return checked;
}

std::string progress_name(const Loaded& loaded, const Checking& checking) {
  return fmt::format("{} {}", checking.position, loaded.scenario.name);
}

Checked check_runs(const Loaded& loaded, const Checking& checking) {
  const Making making{
      checking.flags.twice, checking.flags.fail_fast, progress_name(loaded, checking), {}};
  const auto done = made_of(loaded, making, checking.common);
  if (const auto* not_made = std::get_if<NotMade>(&done))
    return unchecked(loaded, not_made->code, not_made->why);
  const Made& made = std::get<Made>(done);
  // What is said of a run is said by `run`; here it goes to files and annotations.
  for (const Diagnostic& warning : made.result.warnings) {
    if (warning.code == "W0303" || warning.code == "W0305") print(warning, checking.common);
  }
  checking.files.add(made, checking.common);
  return {report::suite_of(made.result, file_of(loaded)),
          exit_code(made.result.verdict, undecided_of(checking.flags.inconclusive)),
          made.result.interrupted};
}

std::string json_of(const explore::ExploreResult& result) {
  std::string text;
  report::write_explore_json(result, [&](std::string_view piece) { text += piece; });
  return text;
}

// The same exploration again must end in the same bytes.
bool is_repeatable(const Loaded& loaded,
                   const scenario::OnGrid& on_grid,
                   const explore::ExploreResult& first,
                   const Checking& checking) {
  const auto again = explored(loaded, on_grid, checking.flags.fail_fast,
                              progress_name(loaded, checking), checking.common);
  const bool counts = again && first.ended != explore::Ended::interrupted &&
                      again->result.ended != explore::Ended::interrupted;
  return !counts || json_of(again->result) == json_of(first);
}

Checked check_exploration(const Loaded& loaded,
                          const scenario::OnGrid& on_grid,
                          const Checking& checking) {
  const auto made = explored(loaded, on_grid, checking.flags.fail_fast,
                             progress_name(loaded, checking), checking.common);
  if (!made) return unchecked(loaded, ExitCode::no_output, "not enough memory");
  const explore::ExploreResult& result = made->result;
  if (checking.flags.twice && !is_repeatable(loaded, on_grid, result, checking)) {
    fmt::print(stderr,
               "tenure: internal error: exploring {} again came to another result\n  = this is a "
               "bug in tenure; please report it with the scenario\n",
               visible(loaded.scenario.name));
    return unchecked(loaded, ExitCode::bug, "exploring it again came to another result");
  }
  checking.files.add(result);
  std::string replay = "tenure explore " + shell_word(loaded.file);
  for (const std::string& set : checking.common.sets) replay += " --set " + shell_word(set);
  report::Suite suite = report::suite_of(result, file_of(loaded), replay);
  const ExitCode code = exit_code(suite.verdict, undecided_of(checking.flags.inconclusive));
  return {std::move(suite), code, result.ended == explore::Ended::interrupted};
}

bool happens_at_any_instant(const scenario::Scenario& scenario) {
  return std::any_of(scenario.faults.begin(), scenario.faults.end(),
                     [](const scenario::Fault& fault) { return fault.at_any; });
}

// A scenario with bounds to explore within is explored. It is run as well when it has thresholds,
// which only runs can judge.
std::vector<Checkable> scenario_checks(Loaded loaded, Diagnostics& diagnostics) {
  const bool cannot_be_run = happens_at_any_instant(loaded.scenario);
  const bool is_explored = cannot_be_run || loaded.scenario.explore.has_value();
  const bool is_run = !is_explored || (!cannot_be_run && !loaded.scenario.thresholds.empty());
  std::shared_ptr<const scenario::OnGrid> on_grid;
  if (is_explored) {
    auto grid = rounded(loaded, diagnostics);
    if (!grid) return {};
    on_grid = std::make_shared<const scenario::OnGrid>(std::move(*grid));
  }
  const auto shared = std::make_shared<const Loaded>(std::move(loaded));
  std::vector<Checkable> checks;
  const auto add = [&](std::function<Checked(const Checking&)> check) {
    checks.push_back({shared->file, shared->scenario.name, {}, std::move(check)});
  };
  if (is_explored) {
    add([shared, on_grid](const Checking& c) { return check_exploration(*shared, *on_grid, c); });
  }
  if (is_run) add([shared](const Checking& c) { return check_runs(*shared, c); });
  return checks;
}

// ---- sweeps

struct LoadedSweep {
  std::string file;
  scenario::SweepInput input;
  scenario::SweepPlan plan;
};

Checked check_sweep(const LoadedSweep& loaded, const Checking& checking) {
  Checked checked;
  checked.suite.name = loaded.plan.sweep.name;
  checked.suite.file = loaded.file;
  const run::Study study{loaded.plan};
  std::vector<std::uint64_t> numbers(study.units());
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
  ExitCode why = ExitCode::ok;
  auto made = make_or_tell(loaded.plan, numbers, checking.flags.fail_fast, checking.common, why);
  if (!made) {
    checked.suite.work = "0 runs";
    checked.suite.verdict = run::Verdict::inconclusive;
    checked.suite.problem = "its runs could not be made";
    checked.code = why;
    return checked;
  }
  run::SweepResult result = run::judged(loaded.plan, std::move(made->units));
  result.interrupted = made->interrupted;
  add_replays(result, loaded.input);
  checking.files.add(result, loaded.input);
  checked.suite = report::suite_of(result, loaded.file);
  checked.code = exit_code(result.verdict, undecided_of(checking.flags.inconclusive));
  checked.interrupted = made->interrupted;
  return checked;
}

std::vector<Checkable> sweep_checks(const std::string& file,
                                    const scenario::Document& document,
                                    const CommonFlags& flags,
                                    Diagnostics& diagnostics) {
  auto input = sweep_input(file, document, flags, diagnostics);
  auto plan = input ? scenario::plan_of(*input, diagnostics, scenario::most_points, &stop_requested)
                    : std::nullopt;
  if (!plan) return {};
  const auto loaded =
      std::make_shared<const LoadedSweep>(LoadedSweep{file, std::move(*input), std::move(*plan)});
  return {{file, loaded->plan.sweep.name, {}, [loaded](const Checking& checking) {
             return check_sweep(*loaded, checking);
           }}};
}

}  // namespace

std::vector<Checkable> checkables_of(const std::string& file,
                                     scenario::Document document,
                                     const CommonFlags& flags,
                                     Diagnostics& diagnostics) {
  if (scenario::kind_of(document) == "Sweep")
    return sweep_checks(file, document, flags, diagnostics);
  auto loaded = loaded_from(file, std::move(document), "check", flags, diagnostics);
  if (!loaded) return {};
  loaded->warnings = diagnostics.all();
  return scenario_checks(std::move(*loaded), diagnostics);
}

}  // namespace tenure::cli
