#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include <tenure/base/text.hpp>
#include <tenure/report/outcome.hpp>

#include "app.hpp"
#include "checking.hpp"
#include "gathering.hpp"
#include "output.hpp"
#include "results.hpp"

namespace tenure::cli {
namespace {

// ---- loading

// Documents that lie beside scenarios: objects of Kubernetes, and what tenure itself wrote there.
bool is_of_another_kind(const scenario::Document& document) {
  if (document.root->kind != scenario::Node::Kind::map) return false;
  const scenario::Entry* version = document.root->find("apiVersion");
  const std::string kind = scenario::kind_of(document);
  // A rule file of Prometheus says neither.
  if (version == nullptr && kind.empty() && document.root->find("groups") != nullptr) return true;
  if (version == nullptr || kind.empty()) return false;
  constexpr std::string_view ours = "tenure/";
  if (version->value->text.substr(0, ours.size()) != ours) return true;
  constexpr std::string_view results[] = {"RunResult", "ResultList",    "SweepResult",
                                          "Shard",     "ExploreResult", "AuditResult"};
  return std::find(std::begin(results), std::end(results), kind) != std::end(results);
}

// Whether the documents that were read are all that the file holds.
bool was_read_to_its_end(const Diagnostics& diagnostics) {
  return std::none_of(diagnostics.all().begin(), diagnostics.all().end(), [](const Diagnostic& d) {
    return d.code == "E0101" || d.code == "E0102";  // no YAML, no JSON
  });
}

// What there is to check in a file; what is wrong with it is printed, and nothing is returned.
std::optional<std::vector<Checkable>> load_file(const Gathered& source, const CommonFlags& common) {
  Diagnostics diagnostics;
  auto documents = scenario::load_documents(source.path, diagnostics);
  std::vector<Checkable> checks;
  // Others write their documents by rules of their own, and nobody asked for them to be checked.
  const bool is_other = source.in_folder && !documents.empty() &&
                        was_read_to_its_end(diagnostics) &&
                        std::all_of(documents.begin(), documents.end(), is_of_another_kind);
  if (is_other) return checks;
  for (scenario::Document& document : documents) {
    auto more = checkables_of(source.path, std::move(document), common, diagnostics);
    std::move(more.begin(), more.end(), std::back_inserter(checks));
  }
  print(diagnostics, common);
  if (diagnostics.errors() != 0) return std::nullopt;
  return checks;
}

// A line is known by its file, and by more where a file has several.
void label(std::vector<Checkable>& checks) {
  std::map<std::string, int> of_file;
  for (const Checkable& check : checks) ++of_file[check.file];
  for (Checkable& check : checks) {
    check.label =
        of_file[check.file] == 1 ? check.file : fmt::format("{} ({})", check.file, check.name);
  }
}

std::optional<std::vector<Checkable>> load_all(const CheckFlags& flags, const CommonFlags& common) {
  Diagnostics diagnostics;
  const std::vector<Gathered> sources = gathered(flags.arguments, diagnostics);
  print(diagnostics, common);
  bool good = diagnostics.errors() == 0;
  std::vector<Checkable> all;
  for (const Gathered& source : sources) {
    auto checks = load_file(source, common);
    good = good && checks.has_value();
    if (checks) std::move(checks->begin(), checks->end(), std::back_inserter(all));
  }
  if (!good) return std::nullopt;
  if (all.empty()) {
    Diagnostic nothing;
    nothing.code = "E0504";
    nothing.text = "no file here holds a scenario";
    nothing.hints = {"expected: documents of apiVersion tenure/v1alpha1 and kind Scenario"};
    print(nothing, common);
    return std::nullopt;
  }
  label(all);
  return all;
}

// ---- checking

// Where the second column begins: behind the longest label, but for very long ones.
std::size_t label_columns(const std::vector<Checkable>& checks) {
  constexpr std::size_t most = 60;
  std::size_t columns = 0;
  for (const Checkable& check : checks) {
    const std::size_t own = code_points(visible(check.label));
    if (own <= most) columns = std::max(columns, own);
  }
  return columns;
}

void print_now(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

// The figures of what is not as it should be, behind the lines of all, and the last line.
void print_end(const report::Outcome& outcome) {
  bool any = false;
  for (const report::Suite& suite : outcome.suites) {
    if (suite.verdict == run::Verdict::pass) continue;
    print_now(report::check_details(suite));
    any = true;
  }
  print_now((any ? "\n" : "") + report::check_total(outcome));
}

ExitCode check_all(std::vector<Checkable>& all,
                   const CheckFlags& flags,
                   const CommonFlags& common,
                   ResultFiles& files,
                   bool to_stdout) {
  report::Outcome& outcome = *common.outcome;
  const auto colour = colour_on(common, STDOUT_FILENO) ? report::Colour::yes : report::Colour::no;
  const std::size_t columns = label_columns(all);
  ExitCode code = ExitCode::ok;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Checking checking{flags, common, files, fmt::format("{}/{}", i + 1, all.size())};
    Checked checked = all[i].check(checking);
    all[i].check = nullptr;  // and with it the document
    checked.suite.label = all[i].label;
    if (to_stdout) print_now(report::check_line(checked.suite, columns, colour));
    code = worse(code, checked.code);
    const bool ends = checked.interrupted || stop_requested.load() ||
                      (flags.fail_fast && checked.suite.verdict == run::Verdict::fail);
    if (checked.interrupted) code = worse(code, interruption());
    outcome.suites.push_back(std::move(checked.suite));
    if (!ends) continue;
    outcome.not_run = all.size() - i - 1;
    break;
  }
  if (to_stdout) print_end(outcome);
  return code;
}

ExitCode check(const CheckFlags& flags, const CommonFlags& common) {
  common.outcome->detail = report::Detail::what_failed;
  common.outcome->undecided = verdict_of_undecided(flags.inconclusive);
  std::vector<std::string> formats = result_formats();
  std::erase(formats, "svg");  // a chart is of one result
  auto writes = write_requests(common, formats);
  if (!writes) return ExitCode::bad_input;
  const bool as_json = common.output == "json" && !stdout_is_taken(*writes);
  auto all = load_all(flags, common);
  if (!all) return write_bad_input(*writes, *common.outcome);
  if (as_json) writes->push_back({"json", "-"});
  ResultFiles files{*writes, all->size()};
  if (!files.can_write()) return ExitCode::no_output;
  ExitCode code = check_all(*all, flags, common, files, !stdout_is_taken(*writes));
  if (!files.commit(*common.outcome)) code = worse(code, ExitCode::no_output);
  return code;
}

}  // namespace

void add_check(CLI::App& app, Session& session) {
  auto flags = std::make_shared<CheckFlags>();
  CLI::App* verb = app.add_subcommand(
      "check",
      "for CI: many scenarios and folders of them, a line for each, figures for what fails");
  add_common_flags(*verb, session);
  verb->add_option("FILE", flags->arguments,
                   "scenario files, and folders with .yaml, .yml, .json and .jsonc files in them")
      ->type_name("")
      ->required();
  verb->add_flag("--twice", flags->twice, "make everything twice and compare");
  verb->add_flag("--fail-fast", flags->fail_fast,
                 "stop at the first violation; the statistics are then partial");
  verb->add_option("--inconclusive", flags->inconclusive,
                   "pass, fail: what an undecided result counts as")
      ->check(one_of({"pass", "fail"}));
  verb->callback([flags, &session] {
    session.chosen = [flags, &session] { return check(*flags, session.flags); };
  });
}

}  // namespace tenure::cli
