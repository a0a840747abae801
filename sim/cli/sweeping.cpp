#include "sweeping.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <new>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include <tenure/base/text.hpp>
#include <tenure/report/sweep.hpp>
#include <tenure/world/world.hpp>

#include "pages.hpp"
#include "progress.hpp"

namespace tenure::cli {
namespace {

constexpr std::int64_t most_shards = 1'000'000;

bool is_kind(const scenario::Document& document,
             std::string_view wanted,
             std::string hint,
             Diagnostics& diagnostics) {
  const std::string kind = scenario::kind_of(document);
  if (kind == wanted) return true;
  const scenario::Entry* entry = document.root->find("kind");
  Diagnostic diagnostic = document.source->diagnostic(
      Diagnostic::Level::error, "E0006", entry == nullptr ? Position{} : entry->value->where,
      kind.empty() ? fmt::format("this is no {}", wanted)
                   : fmt::format("this is a {}, and a {} is needed", visible(kind), wanted));
  diagnostic.hints.push_back(std::move(hint));
  diagnostics.add(std::move(diagnostic));
  return false;
}

// The one document of a file; nothing: it cannot be read or there is another number of them.
std::optional<scenario::Document> load_one(const std::string& file, Diagnostics& diagnostics) {
  auto documents = scenario::load_documents(file, diagnostics);
  if (diagnostics.errors() != 0) return std::nullopt;
  if (documents.size() == 1) return std::move(documents.front());
  Diagnostic diagnostic;
  diagnostic.code = "E0006";
  diagnostic.text = fmt::format("{} holds {} documents; a sweep is one, of one scenario",
                                visible(file), documents.size());
  diagnostics.add(std::move(diagnostic));
  return std::nullopt;
}

bool add_scenario(const std::string& file,
                  scenario::SweepInput& input,
                  const CommonFlags& flags,
                  Diagnostics& diagnostics) {
  const auto document = load_one(file, diagnostics);
  if (!document || !is_kind(*document, "Scenario", "a sweep varies one scenario", diagnostics))
    return false;
  input.scenario_name = document->source->name();
  input.scenario_text = document->source->text();
  input.sets = flags.sets;
  input.seed = flags.seed;
  input.runs = flags.runs;
  return true;
}

}  // namespace

std::optional<scenario::SweepInput> sweep_input(const std::string& file,
                                                const scenario::Document& sweep,
                                                const CommonFlags& flags,
                                                Diagnostics& diagnostics) {
  scenario::SweepInput input;
  input.sweep_name = sweep.source->name();
  input.sweep_text = sweep.source->text();
  const auto path = scenario::scenario_path_of(sweep);
  if (!path) {
    scenario::decode_sweep(sweep, diagnostics);  // says what is missing
    return std::nullopt;
  }
  const auto folder = std::filesystem::path{file}.parent_path();
  // A file may be called "-"; the standard input is nobody's neighbour.
  const std::string beside = *path == "-" ? (folder / "./-").string() : (folder / *path).string();
  if (!add_scenario(beside, input, flags, diagnostics)) return std::nullopt;
  return input;
}

std::optional<scenario::SweepInput> sweep_input(const std::string& file, const CommonFlags& flags) {
  Diagnostics diagnostics;
  const auto sweep = load_one(file, diagnostics);
  std::optional<scenario::SweepInput> input;
  if (sweep && is_kind(*sweep, "Sweep",
                       "a scenario is varied by -P NAME=PATH=VALUE,VALUE and run by tenure run",
                       diagnostics))
    input = sweep_input(file, *sweep, flags, diagnostics);
  print(diagnostics, flags);
  return input;
}

std::optional<scenario::SweepInput> run_input(const std::string& file, const CommonFlags& flags) {
  Diagnostics diagnostics;
  scenario::SweepInput input;
  const bool good = add_scenario(file, input, flags, diagnostics);
  print(diagnostics, flags);
  return good ? std::optional{std::move(input)} : std::nullopt;
}

void add_replays(run::SweepResult& result, const scenario::SweepInput& input) {
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    if (!result.points[i].result) continue;
    std::string& replay = result.points[i].result->replay;
    replay = "tenure replay " + shell_word(input.scenario_name);
    for (const std::string& set : input.sets) replay += " --set " + shell_word(set);
    for (const std::string& set : scenario::overrides_of(result.plan, i))
      replay += " --set " + shell_word(set);
  }
}

std::optional<scenario::SweepPlan> sweep_plan(const scenario::SweepInput& input,
                                              const CommonFlags& flags) {
  Diagnostics diagnostics;
  auto plan = scenario::plan_of(input, diagnostics, scenario::most_points, &stop_requested);
  print(diagnostics, flags);
  if (!plan) return std::nullopt;
  for (const Diagnostic& warning : plan->warnings) {
    if (warning.code == "W0306") print(warning, flags);
  }
  return plan;
}

std::optional<run::Shard> parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  const auto index = parse_whole(std::string_view{text}.substr(0, slash));
  const auto count = slash == std::string::npos
                         ? std::nullopt
                         : parse_whole(std::string_view{text}.substr(slash + 1));
  if (index && count && *count >= 1 && *count <= most_shards && *index < *count)
    return run::Shard{static_cast<std::uint64_t>(*index), static_cast<std::uint64_t>(*count)};
  usage_error("E0004", fmt::format("--shard: {} is not a shard", tenure::quoted(text)),
              {"I/N with I from 0 to N - 1, for example 0/16"});
  return std::nullopt;
}

std::optional<run::Made> make_or_tell(const scenario::SweepPlan& plan,
                                      const std::vector<std::uint64_t>& numbers,
                                      bool fail_fast,
                                      const CommonFlags& flags,
                                      ExitCode& why) {
  why = ExitCode::bad_input;
  try {
    const run::Study study{plan};
    const std::uint64_t runs = numbers.size() * run::block_size;  // about
    Progress progress{flags, plan.sweep.name, runs};
    std::uint64_t made_runs = 0;
    run::StudyOptions options;
    options.threads = threads_of(flags);
    options.stop = &stop_requested;
    if (fail_fast) options.fail_fast = run::fail_fast_of(plan.present);
    options.progress = [&](const run::Unit& unit) {
      made_runs += unit.result.runs;
      progress.on([&] {
        return fmt::format("point {} of {}, {} runs", unit.point + 1, plan.points.size(),
                           made_runs);
      });
    };
    run::Made made = run::make_units(study, numbers, options);
    progress.finish();
    if (made.units.empty()) return made;
    const run::Unit& last = made.units.back();
    if (last.result.misfit) {
      usage_error("E0321", "a sweep cannot vary the script of a run: its choices do not fit",
                  {fmt::format("at the point {}", label_of(plan.sweep, plan.points[last.point]))});
      return std::nullopt;
    }
    if (last.result.stalled.empty()) return made;
    const run::Stalled& stalled = last.result.stalled.front();
    usage_error("E0316",
                fmt::format("time stands still at {} of run {}",
                            seconds_text(stalled.at.time_since_epoch()), stalled.run),
                {fmt::format("at the point {}", label_of(plan.sweep, plan.points[last.point])),
                 "give requests some latency, or the elector a pause"});
    return std::nullopt;
  } catch (const std::bad_alloc&) {
    usage_error("E0503", fmt::format("not enough memory for {}", visible(plan.sweep.name)),
                {"nothing of it was kept; try fewer runs, or shards"});
    why = ExitCode::no_output;
    return std::nullopt;
  }
}

bool keeps_units(const std::vector<WriteRequest>& writes) {
  const bool keeps =
      !writes.empty() &&
      std::all_of(writes.begin(), writes.end(), [](const auto& w) { return w.format == "json"; });
  if (!keeps) {
    usage_error("E0005", "a shard is kept in a file: -w json=PATH",
                {"tenure merge joins these files; other forms are made there"});
  }
  return keeps;
}

bool write_units(const run::ShardFile& shard, const std::vector<WriteRequest>& writes) {
  bool all = true;
  for (const WriteRequest& write : writes) {
    if (write.format != "json") continue;
    OutputFile file{write.path};
    run::write_shard(shard, [&](std::string_view text) { file.write(text); });
    all = file.commit("the runs that were made") && all;
  }
  return all;
}

ExitCode run_shard(const std::string& file, const std::string& shard, const CommonFlags& flags) {
  const auto writes = write_requests(flags, {"json"});
  if (!writes) return ExitCode::bad_input;
  run::ShardFile made;
  const auto wanted = parse_shard(shard);
  if (wanted && !keeps_units(*writes)) return ExitCode::bad_input;
  auto input = wanted ? run_input(file, flags) : std::nullopt;
  const auto plan = input ? sweep_plan(*input, flags) : std::nullopt;
  if (!plan) return stop_requested ? interruption() : ExitCode::bad_input;
  const run::Study study{*plan};
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t number = 0; number < study.units(); ++number) {
    if (wanted->takes(number)) numbers.push_back(number);
  }
  ExitCode why = ExitCode::ok;
  auto units = make_or_tell(*plan, numbers, false, flags, why);
  if (!units) return why;
  made.version = run::tenure_version;
  made.input = std::move(*input);
  made.shard = *wanted;
  made.units = std::move(units->units);
  const ExitCode code = write_units(made, *writes) ? ExitCode::ok : ExitCode::no_output;
  return units->interrupted ? worse(code, interruption()) : code;
}

ExitCode deliver_sweep(const run::SweepResult& result,
                       const scenario::SweepInput& input,
                       const std::vector<WriteRequest>& writes,
                       const CommonFlags& flags,
                       const std::string& cost) {
  ExitCode code = ExitCode::ok;
  bool to_stdout = true;
  for (const WriteRequest& write : writes) {
    to_stdout = to_stdout && write.path != "-";
    OutputFile file{write.path};
    const report::TextSink sink = [&](std::string_view text) { file.write(text); };
    if (write.format == "csv") report::write_sweep_csv(result, sink);
    if (write.format == "json") report::write_sweep_json(result, input, sink);
    if (write.format == "html") write_page(result, sink);
    if (write.format == "svg" && !write_chart(result, flags.chart, sink)) {
      code = worse(code, ExitCode::bad_input);
      continue;
    }
    if (!file.commit("the result; the summary stands")) code = ExitCode::no_output;
  }
  if (!to_stdout) return code;
  const report::TextSink sink = [](std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
  };
  if (flags.output == "json") {
    report::write_sweep_json(result, input, sink);
    return code;
  }
  const auto colour = colour_on(flags, STDOUT_FILENO) ? report::Colour::yes : report::Colour::no;
  sink(report::sweep_summary(result, colour, cost));
  return code;
}

}  // namespace tenure::cli
