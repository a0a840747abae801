#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tenure/base/text.hpp>
#include <tenure/report/reader.hpp>
#include <tenure/report/sweep.hpp>

#include "app.hpp"
#include "output.hpp"
#include "pages.hpp"
#include "sweeping.hpp"

namespace tenure::cli {
namespace {

using Json = nlohmann::ordered_json;

struct SweepFlags {
  std::string file;
  std::vector<std::string> parameters;  // -P NAME=PATH=VALUE,VALUE
  std::string shard;
  std::string resume;
  std::string verdict;
  std::string inconclusive;
  bool dry_run = false;
  bool fail_fast = false;
};

// ---- -P

// "L=spec.candidates.0.elector.leaseDuration=9s,15s"; null: it is none, which was printed.
Json parameter_json(const std::string& text) {
  const std::size_t name_end = text.find('=');
  const std::size_t path_end =
      name_end == std::string::npos ? name_end : text.find('=', name_end + 1);
  if (path_end == std::string::npos) {
    usage_error("E0004", fmt::format("-P: {} is not NAME=PATH=VALUE,VALUE", tenure::quoted(text)),
                {"for example -P L=spec.candidates.0.elector.leaseDuration=9s,15s,30s"});
    return nullptr;
  }
  Json parameter;
  parameter["name"] = text.substr(0, name_end);
  parameter["path"] = text.substr(name_end + 1, path_end - name_end - 1);
  parameter["values"] = Json::array();
  std::string rest = text.substr(path_end + 1);
  while (true) {
    const std::size_t comma = rest.find(',');
    parameter["values"].push_back(rest.substr(0, comma));
    if (comma == std::string::npos) return parameter;
    rest.erase(0, comma + 1);
  }
}

// The sweep that the flags stand for, as its file would say it.
std::optional<scenario::SweepInput> quick_input(const SweepFlags& flags,
                                                const CommonFlags& common) {
  auto input = run_input(flags.file, common);
  if (!input) return std::nullopt;
  Diagnostics diagnostics;
  const auto documents =
      scenario::parse_documents(input->scenario_name, input->scenario_text,
                                scenario::format_of(input->scenario_name), diagnostics);
  scenario::Document document = documents.front();
  bool applied = true;
  for (const std::string& set : input->sets)
    applied = scenario::apply_override(document, set, diagnostics) && applied;
  const auto scenario = applied ? scenario::decode(document, diagnostics) : std::nullopt;
  // Its warnings are printed with the plan.
  if (!scenario) print(diagnostics, common);
  if (!scenario) return std::nullopt;
  Json sweep{{"apiVersion", "tenure/v1alpha1"}, {"kind", "Sweep"}};
  sweep["metadata"]["name"] = scenario->name;
  sweep["spec"]["scenarioRef"]["path"] = std::filesystem::path{flags.file}.filename().string();
  for (const std::string& text : flags.parameters) {
    Json parameter = parameter_json(text);
    if (parameter.is_null()) return std::nullopt;
    sweep["spec"]["parameters"].push_back(std::move(parameter));
  }
  Json& minimized = sweep["spec"]["objectives"]["minimize"];
  if (!scenario->faults.empty()) minimized.push_back("failover.p(99)");
  minimized.push_back("api.requestsPerSecond");
  input->sweep_name = "<-P>";
  input->sweep_text = sweep.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  return input;
}

std::optional<scenario::SweepInput> input_of(const SweepFlags& flags, const CommonFlags& common) {
  return flags.parameters.empty() ? sweep_input(flags.file, common) : quick_input(flags, common);
}

// ---- what is to be made

// Units that an interrupted run of the same sweep has made already. Nothing: it is of another one,
// which was printed.
std::optional<std::vector<run::Unit>> resumed(const SweepFlags& flags,
                                              const scenario::SweepInput& input,
                                              run::Shard shard,
                                              const CommonFlags& common) {
  if (flags.resume.empty()) return std::vector<run::Unit>{};
  Diagnostics diagnostics;
  const auto json = report::load_json(flags.resume, diagnostics);
  auto before = json ? run::read_shard(flags.resume, *json, diagnostics) : std::nullopt;
  std::optional<run::Joined> joined;
  if (before) {
    if (before->shard != shard) {
      usage_error("E0702",
                  fmt::format("{} holds shard {}/{}, and this is {}/{}", visible(flags.resume),
                              before->shard.index, before->shard.count, shard.index, shard.count));
      return std::nullopt;
    }
    run::ShardFile here;
    here.name = "this sweep";
    here.input = input;
    std::vector<run::ShardFile> both;
    both.push_back(std::move(here));
    both.push_back(std::move(*before));
    joined = run::joined(std::move(both), diagnostics);
  }
  print(diagnostics, common);
  if (!joined) return std::nullopt;
  return std::move(joined->units);
}

// The numbers of a shard's units that are not there.
std::vector<std::uint64_t> numbers_left(const run::Study& study,
                                        run::Shard shard,
                                        const std::vector<run::Unit>& there) {
  std::set<std::uint64_t> made;
  for (const run::Unit& unit : there) made.insert(*study.number_of(unit.point, unit.block));
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t number = 0; number < study.units(); ++number) {
    if (shard.takes(number) && made.count(number) == 0) numbers.push_back(number);
  }
  return numbers;
}

std::vector<run::Unit> in_order(const run::Study& study,
                                std::vector<run::Unit> units,
                                std::vector<run::Unit> more) {
  std::move(more.begin(), more.end(), std::back_inserter(units));
  std::sort(units.begin(), units.end(), [&](const run::Unit& a, const run::Unit& b) {
    return study.number_of(a.point, a.block) < study.number_of(b.point, b.block);
  });
  return units;
}

ExitCode keep_units(const scenario::SweepInput& input,
                    run::Shard shard,
                    std::vector<run::Unit> units,
                    const std::vector<WriteRequest>& writes) {
  run::ShardFile file;
  file.version = run::tenure_version;
  file.input = input;
  file.shard = shard;
  file.units = std::move(units);
  return write_units(file, writes) ? ExitCode::ok : ExitCode::no_output;
}

std::string cost_text(std::chrono::steady_clock::time_point started, double simulated) {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;
  const double rate = simulated / std::max(elapsed.count(), 1e-9);
  return fmt::format("{:.2f} s, {:.1f} million simulated s per s", elapsed.count(), rate / 1e6);
}

void tell_of_failure(const scenario::SweepPlan& plan,
                     const run::Unit& last,
                     const CommonFlags& common) {
  if (common.quiet) return;
  fmt::print(stderr, "{}: --fail-fast ended it: a property is violated at the point {}\n",
             plan.sweep.name, label_of(plan.sweep, plan.points[last.point]));
}

ExitCode make_sweep(const SweepFlags& flags,
                    const scenario::SweepInput& input,
                    scenario::SweepPlan plan,
                    run::Shard shard,
                    const std::vector<WriteRequest>& writes,
                    const CommonFlags& common) {
  const auto started = std::chrono::steady_clock::now();
  auto there = resumed(flags, input, shard, common);
  if (!there) return ExitCode::bad_input;
  const run::Study study{plan};
  ExitCode why = ExitCode::ok;
  auto made = make_or_tell(plan, numbers_left(study, shard, *there), flags.fail_fast, common, why);
  if (!made) return why;
  if (made->failed_fast) tell_of_failure(plan, made->units.back(), common);
  std::vector<run::Unit> units = in_order(study, std::move(*there), std::move(made->units));
  std::uint64_t runs = 0;
  double simulated = 0;  // seconds
  for (const run::Unit& unit : units) {
    runs += unit.result.runs;
    simulated += std::chrono::duration<double>(plan.points[unit.point].scenario.duration).count() *
                 static_cast<double>(unit.result.runs);
  }
  const bool is_whole = shard.count == 1;
  if (!is_whole || made->interrupted) {
    const ExitCode written = keep_units(input, shard, std::move(units), writes);
    if (!common.quiet) {
      fmt::print(stderr, "{}: {} runs {}\n", plan.sweep.name, runs,
                 made->interrupted ? "made before the interruption; --resume goes on with a file "
                                     "that -w json= wrote"
                                   : fmt::format("of shard {}/{}; join them with tenure merge",
                                                 shard.index, shard.count));
    }
    return made->interrupted ? worse(written, interruption()) : written;
  }
  run::SweepResult result = run::judged(std::move(plan), std::move(units));
  add_replays(result, input);
  ExitCode code = deliver_sweep(result, input, writes, common, cost_text(started, simulated));
  if (flags.verdict != "none")
    code = worse(code, exit_code(result.verdict, undecided_of(flags.inconclusive)));
  return code;
}

ExitCode sweep_file(const SweepFlags& flags, const CommonFlags& common) {
  const auto writes = write_requests(common, {"json", "csv", "html", "svg"});
  if (!writes) return ExitCode::bad_input;
  const auto shard = flags.shard.empty() ? run::Shard{} : parse_shard(flags.shard);
  if (!shard) return ExitCode::bad_input;
  if (!flags.shard.empty() && !flags.dry_run && !keeps_units(*writes)) return ExitCode::bad_input;
  const auto input = input_of(flags, common);
  if (!input) return ExitCode::bad_input;
  auto plan = sweep_plan(*input, common);
  if (!plan) return stop_requested ? interruption() : ExitCode::bad_input;
  if (flags.dry_run) {
    std::fputs(report::plan_text(*plan).c_str(), stdout);
    return ExitCode::ok;
  }
  return make_sweep(flags, *input, std::move(*plan), *shard, *writes, common);
}

}  // namespace

void add_sweep(CLI::App& app, Session& session) {
  auto flags = std::make_shared<SweepFlags>();
  CLI::App* verb = app.add_subcommand("sweep", "run a scenario at many settings and compare them");
  add_common_flags(*verb, session);
  verb->add_option("FILE", flags->file, "a sweep, or with -P a scenario; - is the standard input")
      ->type_name("")
      ->required();
  add_chart_flag(*verb, session, {"heatmap", "pareto"});
  verb->add_option("-P", flags->parameters,
                   "vary a field of a scenario: L=spec.candidates.0.elector.leaseDuration=9s,15s; "
                   "repeatable")
      ->type_name("NAME=PATH=VALUES")
      ->allow_extra_args(false);
  verb->add_flag("--dry-run", flags->dry_run, "only say how many points and runs it has");
  verb->add_option("--shard", flags->shard, "make only part I of N, for tenure merge")
      ->type_name("I/N");
  verb->add_option("--resume", flags->resume,
                   "go on with what an interrupted sweep wrote with -w json=")
      ->type_name("FILE");
  verb->add_option("--verdict", flags->verdict, "none: end with 0 whatever was found")
      ->check(one_of({"none"}));
  verb->add_flag("--fail-fast", flags->fail_fast,
                 "stop at the first violation; the figures are then partial");
  verb->add_option("--inconclusive", flags->inconclusive,
                   "pass, fail: what an undecided result counts as")
      ->check(one_of({"pass", "fail"}));
  verb->callback([flags, &session] {
    session.chosen = [flags, &session] { return sweep_file(*flags, session.flags); };
  });
}

}  // namespace tenure::cli
