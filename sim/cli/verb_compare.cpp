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
#include <tenure/report/compare.hpp>
#include <tenure/report/page.hpp>
#include <tenure/report/reader.hpp>
#include <tenure/run/compare.hpp>

#include "app.hpp"
#include "output.hpp"

namespace tenure::cli {
namespace {

struct CompareFlags {
  std::string base;
  std::string other;
};

std::optional<std::vector<run::RunResult>> load(const std::string& path,
                                                const CommonFlags& common) {
  Diagnostics diagnostics;
  auto results = report::load_run_results(path, diagnostics);
  print(diagnostics, common);
  return results;
}

// Between versions of the simulator, a difference may be of neither setting.
void warn_of_versions(const std::vector<run::RunResult>& base,
                      const std::vector<run::RunResult>& other,
                      const CommonFlags& common) {
  if (base.empty() || other.empty() || common.quiet) return;
  if (base.front().version == other.front().version) return;
  fmt::print(stderr,
             "tenure: made by two versions of tenure, {} and {}: what differs may come from that\n",
             visible(base.front().version), visible(other.front().version));
}

std::string written(const run::Comparison& comparison,
                    const report::ComparedFiles& files,
                    const std::string& format,
                    report::Colour colour) {
  if (format == "md") return report::comparison_markdown(comparison, files);
  if (format == "json") return report::comparison_json(comparison).dump(2) + "\n";
  return report::comparison_text(comparison, files, colour);
}

// Both results, and what came of comparing them.
struct Compared {
  std::vector<run::RunResult> base, other;
  run::Comparison comparison;
};

ExitCode write_all(const Compared& compared,
                   const report::ComparedFiles& files,
                   const std::vector<WriteRequest>& writes,
                   const CommonFlags& common) {
  bool to_stdout = true;
  ExitCode code = ExitCode::ok;
  for (const WriteRequest& request : writes) {
    to_stdout = to_stdout && request.path != "-";
    OutputFile file{request.path};
    if (request.format == "html") {
      report::write_html(report::page_of(compared.comparison, files, compared.base, compared.other),
                         [&](std::string_view text) { file.write(text); });
    } else {
      file.write(written(compared.comparison, files, request.format, report::Colour::no));
    }
    if (!file.commit("the comparison")) code = ExitCode::no_output;
  }
  if (!to_stdout) return code;
  const auto colour = colour_on(common, STDOUT_FILENO) ? report::Colour::yes : report::Colour::no;
  std::fputs(written(compared.comparison, files, common.output, colour).c_str(), stdout);
  return code;
}

ExitCode compare_files(const CompareFlags& flags, const CommonFlags& common) {
  const auto writes = write_requests(common, {"json", "md", "html"});
  if (!writes) return ExitCode::bad_input;
  if (flags.base == "-" && flags.other == "-")
    return usage_error("E0004", "only one of the two results can be the standard input");
  auto base = load(flags.base, common);
  auto other = load(flags.other, common);
  if (!base || !other) return ExitCode::bad_input;
  warn_of_versions(*base, *other, common);
  Compared compared{std::move(*base), std::move(*other), {}};
  compared.comparison = run::compare(compared.base, compared.other);
  if (compared.comparison.points.empty()) {
    return usage_error("E0702",
                       fmt::format("{} and {} have no scenario in common", visible(flags.base),
                                   visible(flags.other)),
                       {"results of several scenarios are compared by their names"});
  }
  const ExitCode code =
      write_all(compared, {visible(flags.base), visible(flags.other)}, *writes, common);
  return worse(code, compared.comparison.is_regression() ? ExitCode::failed : ExitCode::ok);
}

}  // namespace

void add_compare(CLI::App& app, Session& session) {
  auto flags = std::make_shared<CompareFlags>();
  CLI::App* verb = app.add_subcommand(
      "compare", "two results: what differs beyond luck, and whether the second is worse");
  add_common_flags(*verb, session);
  verb->add_option("BASE", flags->base,
                   "a result, of tenure run or sweep -w json=PATH; - is the standard input")
      ->required()
      ->type_name("");
  verb->add_option("OTHER", flags->other, "the result that is compared with it")
      ->required()
      ->type_name("");
  verb->callback([flags, &session] {
    session.chosen = [flags, &session] { return compare_files(*flags, session.flags); };
  });
}

}  // namespace tenure::cli
