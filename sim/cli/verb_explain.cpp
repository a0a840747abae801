#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <tenure/base/text.hpp>
#include <tenure/scenario/names.hpp>
#include <tenure/scenario/pages.hpp>

#include "app.hpp"

namespace tenure::cli {
namespace {

// The words that fields and faults are called elsewhere.
std::vector<Alias> all_aliases() {
  const auto fields = scenario::field_aliases();
  const auto faults = scenario::fault_aliases();
  std::vector<Alias> out{faults.begin(), faults.end()};
  out.insert(out.end(), fields.begin(), fields.end());
  return out;
}

// Sweep.parameters, in short, is sweep.spec.parameters.
std::string in_full(const std::string& name) {
  constexpr std::string_view shorts[] = {"Sweep.", "sweep."};
  for (const std::string_view begin : shorts) {
    if (!name.starts_with(begin)) continue;
    const std::string rest = name.substr(begin.size());
    const bool is_full = rest.starts_with("spec") || rest.starts_with("metadata");
    return (is_full ? "sweep." : "sweep.spec.") + rest;
  }
  return name;
}

// What was probably meant: of a path the field beside it, else any name.
std::string meant_by(const std::string& written) {
  const std::string name = in_full(written);
  const std::size_t last = name.rfind('.') == std::string::npos ? 0 : name.rfind('.') + 1;
  const std::string before = name.substr(0, last);
  std::vector<std::string_view> words;
  for (const std::string_view known : scenario::explained_names()) {
    const bool is_beside = known.substr(0, last) == before;
    if (is_beside && known.find('.', last) == std::string_view::npos)
      words.push_back(known.substr(last));
    if (last == 0 && known.find('.') != std::string_view::npos)
      words.push_back(known.substr(known.rfind('.') + 1));
  }
  const auto meant = did_you_mean(name.substr(last), words, all_aliases());
  return meant ? fmt::format("; did you mean \"{}{}\"?", before, *meant) : std::string{};
}

ExitCode explain(const std::vector<std::string>& words, const CommonFlags& common) {
  const std::string name = fmt::format("{}", fmt::join(words, " "));
  const std::string text = scenario::explained(name);
  if (text.empty()) {
    return usage_error("E0004",
                       fmt::format("nothing is called {}{}", tenure::quoted(name), meant_by(name)),
                       {"names: tenure list fields, types, electors, faults, properties, metrics, "
                        "formulas, presets, "
                        "errors"});
  }
  return deliver(
      common, text,
      {{"apiVersion", "tenure/v1alpha1"}, {"kind", "Explanation"}, {"name", name}, {"text", text}});
}

}  // namespace

void add_explain(CLI::App& app, Session& session) {
  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* verb = app.add_subcommand(
      "explain", "what a field, fault, property, metric, elector, formula or error code means");
  add_common_flags(*verb, session);
  verb->add_option(
          "NAME", *words,
          "scenario.spec.faults.at, crash, beliefSafety, failover, E0203, summary, exit codes, ...")
      ->type_name("")
      ->required();
  verb->callback([words, &session] {
    session.chosen = [words, &session] { return explain(*words, session.flags); };
  });
}

}  // namespace tenure::cli
