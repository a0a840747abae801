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

// ---- the examples of the pages

// A value as YAML in one line, for an override.
std::string flow(const Node& node) {
  if (node.kind == Node::Kind::text) {
    if (!node.was_quoted) return node.text;
    std::string out = "\"";
    for (const char c : node.text)
      out += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
    return out + "\"";
  }
  std::string out;
  for (const NodePointer& item : node.items) out += (out.empty() ? "" : ", ") + flow(*item);
  for (const Entry& entry : node.entries)
    out += (out.empty() ? "" : ", ") + entry.key + ": " + flow(*entry.value);
  return node.kind == Node::Kind::list ? "[" + out + "]" : "{" + out + "}";
}

// Fields of maps in a list are about the first of them.
std::string path_of(std::string_view in) {
  std::string out;
  for (const std::string_view list : {"spec.candidates", "spec.faults"}) {
    if (in.substr(0, list.size()) == list)
      out = std::string{list} + ".0" + std::string{in.substr(list.size())};
  }
  if (in == "scenario") return "";
  return (out.empty() ? std::string{in} : out) + ".";
}

std::string codes_in(const Diagnostics& problems) {
  std::set<std::string> codes;
  for (const Diagnostic& d : problems.all()) codes.insert(d.code);
  std::string out;
  for (const std::string& code : codes) out += (out.empty() ? "" : " ") + code;
  return out;
}

// The codes of an otherwise good scenario with these fields.
std::string codes_of_fields(const Code& code, std::string_view example) {
  Diagnostics problems;
  Document document =
      parse_documents("page",
                      "apiVersion: tenure/v1alpha1\nkind: Scenario\n"
                      "metadata: {name: x}\n"
                      "spec:\n"
                      "  candidates: [{name: web, replicas: 3, elector: {type: client-go}}]\n"
                      "  faults: [{type: pause, target: leader, at: {uniform: [60s, 62.005s]}}]\n",
                      Format::yaml, problems)
          .at(0);
  const auto fields = parse_documents("example", std::string{example}, Format::yaml, problems);
  REQUIRE(fields.size() == 1);
  std::string prefix = path_of(code.in);
  if (!prefix.empty() && prefix.back() == '.' && code.in == "scenario") prefix.clear();
  for (const Entry& entry : fields[0].root->entries)
    CHECK(apply_override(document, prefix + entry.key + "=" + flow(*entry.value), problems));
  const auto scenario = decode(document, problems);
  if (!scenario) return codes_in(problems);
  if (code.given == Given::explored) {
    add_those_of_an_exploration(document, *scenario, problems);
  } else {
    add_those_of_a_run(document, *scenario, problems);
  }
  return codes_in(problems);
}

// The codes of a file with this text, when nobody asks yet whether it is a scenario.
std::string codes_of_text(const Code& code, std::string_view example) {
  Diagnostics problems;
  parse_documents("page", std::string{example}, code.code == "E0102" ? Format::json : Format::yaml,
                  problems);
  return codes_in(problems);
}

TEST_CASE("the bad example of a page is told its code and no other, the good one is told nothing") {
  // Of UTF-16, of megabytes and of a hundred thousand nodes a page can only speak.
  const std::set<std::string_view> spoken{"E0104", "E0108", "E0109", "E0110"};
  std::size_t tried = 0;
  for (const Code& code : all_codes()) {
    CAPTURE(code.code);
    if (spoken.count(code.code) != 0) continue;
    const bool is_text = code.given == Given::text;
    if (!is_text && code.given != Given::fields && code.given != Given::explored) continue;
    const auto codes_of = is_text ? codes_of_text : codes_of_fields;
    CHECK(codes_of(code, code.bad) == code.code);
    CHECK(codes_of(code, code.good) == "");
    ++tried;
  }
  CHECK(tried >= 45);
}

std::string all_sessions() {
  std::string text;
  for (const fs::directory_entry& entry : fs::directory_iterator{"tests/golden/cli"})
    text += content_of(entry.path());
  return text;
}

// What the tests pin, of the diagnostics of files and of the command line.
std::string all_printed() {
  std::string text = all_sessions();
  for (const fs::path& path : cases()) text += content_of(fs::path{path}.replace_extension(".txt"));
  return text;
}

TEST_CASE("every code that this version gives is given in a session or by a file, and no other") {
  const std::string printed = all_printed();
  // Memory is made short in a test of its own: a session has no way that works on every machine.
  const std::string of_memory = content_of("tests/memory/run.py");
  for (const Code& code : all_codes()) {
    const std::string mark = "[" + std::string{code.code} + "]";
    CAPTURE(mark);
    const bool is_there =
        (code.code == "E0503" ? of_memory : printed).find(mark) != std::string::npos;
    CHECK(is_there == (code.given != Given::later));
  }
}

TEST_CASE("every code that is given has a page with both examples") {
  for (const Code& code : all_codes()) {
    CAPTURE(code.code);
    CHECK_FALSE(code.meaning.empty());
    CHECK_FALSE(code.bad.empty());
    CHECK_FALSE(code.good.empty());
    CHECK(code.bad != code.good);
  }
}

TEST_CASE("a file's diagnostic names its line and column") {
  // UTF-16 and a file without a document are wrong as a whole.
  for (const fs::path& path : cases()) {
    const Diagnostics problems = diagnostics_of(path);
    for (const Diagnostic& d : problems.all()) {
      if (path.stem() == "e0104-utf-16" || d.code == "E0112") continue;
      const std::string name = path.filename().string();
      CAPTURE(name);
      CAPTURE(d.code);
      CHECK(d.where.line > 0);
      CHECK(d.where.column > 0);
    }
  }
}
