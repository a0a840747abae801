#include <algorithm>
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
#include <tenure/report/reader.hpp>
#include <tenure/report/writer.hpp>

#include "app.hpp"
#include "output.hpp"
#include "sweeping.hpp"

namespace tenure::cli {
namespace {

struct MergeFlags {
  std::vector<std::string> files;
  bool allow_partial = false;
  std::string inconclusive;
};

std::optional<std::vector<run::ShardFile>> read_all(const MergeFlags& flags,
                                                    const CommonFlags& common) {
  std::vector<run::ShardFile> shards;
  bool good = true;
  for (const std::string& file : flags.files) {
    Diagnostics diagnostics;
    const auto json = report::load_json(file, diagnostics);
    auto shard = json ? run::read_shard(file, *json, diagnostics) : std::nullopt;
    print(diagnostics, common);
    good = good && shard.has_value();
    if (shard) shards.push_back(std::move(*shard));
  }
  if (!good) return std::nullopt;
  // In whatever order they are named.
  std::stable_sort(shards.begin(), shards.end(),
                   [](const auto& a, const auto& b) { return a.shard.index < b.shard.index; });
  return shards;
}

ExitCode deliver_run(const run::RunResult& result,
                     const std::vector<WriteRequest>& writes,
                     const CommonFlags& common) {
  ExitCode code = ExitCode::ok;
  bool to_stdout = true;
  for (const WriteRequest& write : writes) {
    to_stdout = to_stdout && write.path != "-";
    OutputFile file{write.path};
    report::write_json(result, [&](std::string_view text) { file.write(text); });
    if (!file.commit("the result; the summary stands")) code = ExitCode::no_output;
  }
  if (!to_stdout) return code;
  if (common.output == "json") {
    report::write_json(
        result, [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
    return code;
  }
  const auto colour = colour_on(common, STDOUT_FILENO) ? report::Colour::yes : report::Colour::no;
  std::fputs(report::summary(result, colour, "").c_str(), stdout);
  return code;
}

ExitCode merge_files(const MergeFlags& flags, const CommonFlags& common) {
  const auto writes = write_requests(common, {"json", "csv"});
  if (!writes) return ExitCode::bad_input;
  auto shards = read_all(flags, common);
  if (!shards) return ExitCode::bad_input;
  const std::uint64_t count = shards->front().shard.count;
  Diagnostics diagnostics;
  auto joined = run::joined(std::move(*shards), diagnostics);
  print(diagnostics, common);
  if (!joined) return ExitCode::bad_input;
  if (!joined->missing.empty() && !flags.allow_partial) {
    std::vector<std::string> hints = run::missing_text(*joined, count);
    hints.emplace_back("--allow-partial judges what is there, as inconclusive");
    return usage_error("E0704", fmt::format("{} of the parts are missing", joined->missing.size()),
                       std::move(hints));
  }
  if (joined->input.sweep_text.empty() && !write_requests(common, {"json"}))
    return ExitCode::bad_input;
  const Undecided undecided =
      flags.allow_partial ? Undecided::pass : undecided_of(flags.inconclusive);
  if (joined->input.sweep_text.empty()) {
    run::RunResult result = run::judged_run(joined->plan, std::move(joined->units));
    result.replay = "tenure replay " + shell_word(joined->input.scenario_name);
    for (const std::string& set : joined->input.sets) result.replay += " --set " + shell_word(set);
    const ExitCode code = deliver_run(result, *writes, common);
    return worse(code, exit_code(result.verdict, undecided));
  }
  run::SweepResult result = run::judged(std::move(joined->plan), std::move(joined->units));
  add_replays(result, joined->input);
  const ExitCode code = deliver_sweep(result, joined->input, *writes, common, "");
  return worse(code, exit_code(result.verdict, undecided));
}

}  // namespace

void add_merge(CLI::App& app, Session& session) {
  auto flags = std::make_shared<MergeFlags>();
  CLI::App* verb =
      app.add_subcommand("merge", "join shards of a sweep or of a scenario's runs, and judge them");
  add_common_flags(*verb, session);
  verb->add_option("FILE", flags->files, "what --shard I/N -w json=FILE wrote, in any order")
      ->type_name("")
      ->required();
  verb->add_flag("--allow-partial", flags->allow_partial,
                 "judge what is there although parts are missing; nothing is decided then");
  verb->add_option("--inconclusive", flags->inconclusive,
                   "pass, fail: what an undecided result counts as")
      ->check(one_of({"pass", "fail"}));
  verb->callback([flags, &session] {
    session.chosen = [flags, &session] { return merge_files(*flags, session.flags); };
  });
}

}  // namespace tenure::cli
