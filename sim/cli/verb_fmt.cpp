#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tenure/base/assert.hpp>
#include <tenure/base/text.hpp>
#include <tenure/scenario/canonical.hpp>
#include <tenure/scenario/sweep.hpp>

#include "app.hpp"
#include "output.hpp"

namespace tenure::cli {
namespace {

using Json = nlohmann::ordered_json;

struct FmtFlags {
  std::string file;
  bool check = false;
  bool full = false;
};

// A document with its canonical form.
struct Formed {
  scenario::Document document;
  Json form;
};

// `--set` and the like are about scenarios.
bool overrides_nothing(const scenario::Document& sweep, const CommonFlags& flags) {
  if (flags.sets.empty() && !flags.seed && !flags.runs) return true;
  usage_error("E0004",
              fmt::format("--set, --seed and --runs override a scenario, and {} is a Sweep",
                          visible(sweep.source->name())));
  return false;
}

std::optional<Formed> formed(scenario::Document document,
                             const FmtFlags& flags,
                             const CommonFlags& common,
                             Diagnostics& diagnostics) {
  if (scenario::kind_of(document) == "Sweep") {
    if (!scenario::decode_sweep(document, diagnostics)) return std::nullopt;
    Json form = scenario::sweep_form(
        *document.root, flags.full ? scenario::Fields::all : scenario::Fields::as_written);
    return Formed{std::move(document), std::move(form)};
  }
  auto loaded =
      loaded_from(flags.file, std::move(document), "fmt", common, diagnostics, Results::unpacked);
  if (!loaded) return std::nullopt;
  Json json = scenario::scenario_json(loaded->scenario);
  if (!flags.full) json = scenario::as_written(json, *loaded->document.root);
  return Formed{std::move(loaded->document), std::move(json)};
}

// All documents of the file; nothing: something in it is wrong, and was printed.
std::optional<std::vector<Formed>> all_formed(const FmtFlags& flags, const CommonFlags& common) {
  Diagnostics diagnostics;
  std::vector<Formed> all;
  for (scenario::Document& document : scenario::load_documents(flags.file, diagnostics)) {
    if (scenario::kind_of(document) == "Sweep" && !overrides_nothing(document, common))
      return std::nullopt;
    if (auto each = formed(std::move(document), flags, common, diagnostics))
      all.push_back(std::move(*each));
  }
  print(diagnostics, common);
  if (diagnostics.errors() != 0) return std::nullopt;
  return all;
}

std::string text_in(std::string_view form, const std::vector<Formed>& documents) {
  if (form == "json") return documents.front().form.dump(2) + "\n";
  std::string text;
  for (const Formed& each : documents)
    text += (text.empty() ? "" : "---\n") + scenario::yaml_text(each.form);
  return text;
}

// JSON has no way to write two documents in one file.
bool can_be_written(std::string_view form, const FmtFlags& flags, std::size_t documents) {
  if (form != "json" || documents == 1) return true;
  usage_error(
      "E0004",
      fmt::format("{} holds {} documents; a JSON file holds one", visible(flags.file), documents),
      {"YAML holds all of them: tenure fmt -o yaml"});
  return false;
}

// Whether the document is its own canonical form; where not, the first difference is printed.
bool is_canonical(const Formed& each) {
  Diagnostics none;
  const auto again = scenario::parse_documents("canonical", scenario::yaml_text(each.form),
                                               scenario::Format::yaml, none);
  TENURE_ASSERT(again.size() == 1 && none.errors() == 0, "what was written as YAML can be read");
  const auto difference = scenario::first_difference(*each.document.root, *again.front().root);
  if (!difference) return true;
  fmt::print("{}:{}:{}: not canonical: {}\n", visible(each.document.source->name()),
             difference->where.line, difference->where.column, difference->text);
  return false;
}

ExitCode check(const std::vector<Formed>& documents) {
  ExitCode code = ExitCode::ok;
  for (const Formed& each : documents) {
    if (!is_canonical(each)) code = ExitCode::failed;
  }
  return code;
}

ExitCode print_canonical(const std::vector<Formed>& documents,
                         const FmtFlags& flags,
                         const std::string& form,
                         const std::vector<WriteRequest>& writes) {
  for (const WriteRequest& request : writes) {
    if (!can_be_written(request.format, flags, documents.size())) return ExitCode::bad_input;
  }
  if (!can_be_written(form, flags, documents.size())) return ExitCode::bad_input;
  bool to_stdout = true;
  ExitCode code = ExitCode::ok;
  for (const WriteRequest& request : writes) {
    to_stdout = to_stdout && request.path != "-";
    OutputFile file{request.path};
    file.write(text_in(request.format, documents));
    if (!file.commit("the canonical form")) code = ExitCode::no_output;
  }
  if (to_stdout) std::fputs(text_in(form, documents).c_str(), stdout);
  return code;
}

// What -o says; else the file's own form.
std::string form_of(const FmtFlags& flags, const CommonFlags& common) {
  if (common.output != "text") return common.output;
  return scenario::format_of(flags.file) == scenario::Format::yaml ? "yaml" : "json";
}

ExitCode format_file(const FmtFlags& flags, const CommonFlags& common) {
  const auto writes = write_requests(common, {"yaml", "json"});
  if (!writes) return ExitCode::bad_input;
  if (flags.check && !writes->empty()) {
    return usage_error("E0004", "--check writes nothing", {"leave out -w, or --check"});
  }
  // What a run would be warned of is not a matter of form.
  CommonFlags quietly = common;
  quietly.quiet = true;
  const auto documents = all_formed(flags, quietly);
  if (!documents) return ExitCode::bad_input;
  if (flags.check) return check(*documents);
  return print_canonical(*documents, flags, form_of(flags, common), *writes);
}

}  // namespace

void add_fmt(CLI::App& app, Session& session) {
  auto flags = std::make_shared<FmtFlags>();
  CLI::App* verb =
      app.add_subcommand("fmt", "a scenario or sweep in canonical form, as YAML or JSON");
  add_common_flags(*verb, session, {"text", "yaml", "json"});
  verb->add_option(
          "FILE", flags->file,
          "a scenario or sweep, or a result that embeds a scenario; - is the standard input. It is "
          "printed, without its comments, and never rewritten")
      ->type_name("")
      ->required();
  verb->add_flag("--check", flags->check,
                 "print nothing but the first difference in structure, with exit code 1");
  verb->add_flag("--full", flags->full, "every field, those at their default too");
  verb->callback([flags, &session] {
    session.chosen = [flags, &session] { return format_file(*flags, session.flags); };
  });
}

}  // namespace tenure::cli
