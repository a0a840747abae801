// Every diagnostic byte for byte: tests/golden/diagnostics/NAME.yaml (.json, .jsonc) is loaded, and
// what is printed must be NAME.txt. Lines "# --set ..." of a file are applied as overrides. With
// TENURE_REWRITE=1 in the environment the texts are written anew, to be reviewed as a diff.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/run/result.hpp>
#include <tenure/scenario/codes.hpp>
#include <tenure/scenario/grid.hpp>
#include <tenure/scenario/scenario.hpp>
#include <tenure/scenario/sweep.hpp>

namespace {

namespace fs = std::filesystem;
using namespace tenure;
using namespace tenure::scenario;

const fs::path folder = "tests/golden/diagnostics";

std::string content_of(const fs::path& path) {
  std::ifstream file{path, std::ios::binary};
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

std::vector<std::string> overrides_in(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream lines{text};
  const std::string mark = "# --set ";
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, mark.size(), mark) == 0) out.push_back(line.substr(mark.size()));
  }
  return out;
}

// What a scenario that can be read is told when it is explored.
void add_those_of_an_exploration(const Document& document,
                                 const Scenario& scenario,
                                 Diagnostics& problems) {
  const Duration tick = scenario.explore->tick;
  for (const OffGrid& problem : on_grid(scenario, tick).problems)
    problems.add(off_grid(document, problem));
}

// What a scenario that can be read is told when it is run.
void add_those_of_a_run(const Document& document, const Scenario& scenario, Diagnostics& problems) {
  refuse_any_instant(document, scenario, problems);
  if (problems.errors() != 0 || !scenario.choices) return;
  const run::Experiment experiment = run::experiment_of(scenario);
  run::Runner runner{experiment};
  runner.run(0);
  if (const auto& misfit = runner.misfit())
    report_misfit(document, scenario, misfit->answer, misfit->bound, problems);
}

// What a sweep is told, whose scenario stands beside it.
void add_those_of_a_sweep(const Document& document, Diagnostics& problems) {
  SweepInput input;
  input.sweep_name = document.source->name();
  input.sweep_text = document.source->text();
  input.scenario_name = scenario_path_of(document).value_or("");
  input.scenario_text = content_of(folder / input.scenario_name);
  const auto plan = plan_of(input, problems);
  if (!plan) return;
  for (const Diagnostic& warning : plan->warnings) problems.add(warning);
}

Diagnostics diagnostics_of(const fs::path& path) {
  Diagnostics problems;
  const std::string text = content_of(path);
  const std::string name = path.filename().string();
  for (Document& document : parse_documents(name, text, format_of(name), problems)) {
    for (const std::string& argument : overrides_in(text))
      apply_override(document, argument, problems);
    if (kind_of(document) == "Sweep") {
      add_those_of_a_sweep(document, problems);
      continue;
    }
    const auto scenario = decode(document, problems);
    if (!scenario) continue;
    if (scenario->explore && name.starts_with("e0330"))
      add_those_of_an_exploration(document, *scenario, problems);
    else
      add_those_of_a_run(document, *scenario, problems);
  }
  return problems;
}

std::vector<fs::path> cases() {
  std::vector<fs::path> out;
  for (const fs::directory_entry& entry : fs::directory_iterator{folder}) {
    if (entry.path().extension() != ".txt") out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

TEST_CASE("every diagnostic reads as it was reviewed") {
  const bool rewrite = std::getenv("TENURE_REWRITE") != nullptr;
  for (const fs::path& path : cases()) {
    const std::string name = path.filename().string();
    CAPTURE(name);
    const std::string printed = rendered(diagnostics_of(path));
    const fs::path expected = fs::path{path}.replace_extension(".txt");
    if (rewrite) std::ofstream{expected, std::ios::binary} << printed;
    CHECK(printed == content_of(expected));
  }
}

TEST_CASE("every code of a file's content has a case") {
  // Too large to commit, or about the command line; the unit tests of the document have them.
  std::set<std::string> seen{"E0108", "E0110"};
  for (const fs::path& path : cases()) {
    const Diagnostics problems = diagnostics_of(path);
    for (const Diagnostic& d : problems.all()) seen.insert(d.code);
  }
  for (const Code& code : all_codes()) {
    const bool is_about_content =
        code.code[0] == 'E' ? code.code >= "E0101" && code.code < "E0400"
                            : code.code < "W0400" && code.code != "W0303" && code.code != "W0305";
    if (!is_about_content) continue;
    const std::string wanted{code.code};
    CAPTURE(wanted);
    CHECK(seen.count(wanted) == 1);
  }
}
