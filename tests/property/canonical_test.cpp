// What `tenure fmt` prints means the same as what it was given, and is its own canonical form.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <tenure/scenario/canonical.hpp>
#include <tenure/scenario/scenario.hpp>
#include <tenure/scenario/sweep.hpp>

namespace {

namespace fs = std::filesystem;
using namespace tenure;
using namespace tenure::scenario;
using Json = nlohmann::ordered_json;

std::vector<std::string> shipped() {
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator{"scenarios"}) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

struct Read {
  Document document;
  Scenario scenario;
};

// `name`: in the folder of that file lie those that a scenario names.
Read read_again(const std::string& name, const std::string& text, Format format) {
  CAPTURE(text);
  Diagnostics problems;
  auto documents = parse_documents(name, text, format, problems);
  REQUIRE(documents.size() == 1);
  auto scenario = decode(documents.front(), problems);
  CHECK(problems.errors() == 0);
  REQUIRE(scenario);
  return {std::move(documents.front()), std::move(*scenario)};
}

void check_forms(const Document& document, const Scenario& scenario) {
  const Json full = scenario_json(scenario);
  for (const Json& form : {as_written(full, *document.root), full}) {
    const std::string yaml = yaml_text(form);
    const Read from_yaml = read_again(document.source->name(), yaml, Format::yaml);
    CHECK(from_yaml.scenario == scenario);
    const Read from_json = read_again(document.source->name(), form.dump(2), Format::json);
    CHECK(from_json.scenario == scenario);
    for (const Read* again : {&from_yaml, &from_json}) {
      const Json second = as_written(scenario_json(again->scenario), *again->document.root);
      CHECK(second == form);
      CHECK(yaml_text(second) == yaml);
      CHECK_FALSE(first_difference(*again->document.root, *from_yaml.document.root));
    }
  }
}

TEST_CASE("every shipped scenario, in canonical form, is the same scenario") {
  const std::vector<std::string> files = shipped();
  CHECK(files.size() >= 30);
  for (const std::string& file : files) {
    CAPTURE(file);
    Diagnostics problems;
    for (const Document& document : load_documents(file, problems)) {
      if (kind_of(document) != "Scenario") continue;
      const auto scenario = decode(document, problems);
      REQUIRE(scenario);
      check_forms(document, *scenario);
    }
  }
}

TEST_CASE("every shipped scenario is in canonical form") {
  for (const std::string& file : shipped()) {
    CAPTURE(file);
    Diagnostics problems;
    for (const Document& document : load_documents(file, problems)) {
      if (kind_of(document) != "Scenario") continue;
      const std::string canonical =
          yaml_text(as_written(scenario_json(*decode(document, problems)), *document.root));
      const Read again = read_again(document.source->name(), canonical, Format::yaml);
      const auto difference = first_difference(*document.root, *again.document.root);
      CHECK_MESSAGE(!difference, difference->text);
    }
  }
}

// A sweep's canonical form is a sweep that says the same, and its own canonical form.
void check_sweep(const Document& document) {
  for (const Fields fields : {Fields::as_written, Fields::all}) {
    const Json form = sweep_form(*document.root, fields);
    const std::string yaml = yaml_text(form);
    CAPTURE(yaml);
    for (const Format format : {Format::yaml, Format::json}) {
      Diagnostics problems;
      const auto again =
          parse_documents("again", format == Format::json ? form.dump(2) : yaml, format, problems);
      REQUIRE(again.size() == 1);
      CHECK(decode_sweep(again[0], problems));
      CHECK(problems.all().empty());
      CHECK(sweep_form(*again[0].root, fields) == form);
      CHECK(sweep_form(*again[0].root, Fields::all) == sweep_form(*document.root, Fields::all));
    }
  }
}

TEST_CASE("every shipped sweep is in canonical form, and stays the same sweep in it") {
  std::size_t sweeps = 0;
  for (const std::string& file : shipped()) {
    CAPTURE(file);
    Diagnostics problems;
    for (const Document& document : load_documents(file, problems)) {
      if (kind_of(document) != "Sweep") continue;
      ++sweeps;
      check_sweep(document);
      const auto again =
          parse_documents("again", yaml_text(sweep_form(*document.root, Fields::as_written)),
                          Format::yaml, problems);
      const auto difference = first_difference(*document.root, *again.at(0).root);
      CHECK_MESSAGE(!difference, difference->text);
    }
  }
  CHECK(sweeps >= 2);
}

TEST_CASE("the canonical form of a sweep keeps every spelling, and orders the fields") {
  const std::string text =
      "kind: Sweep\napiVersion: tenure/v1alpha1\nspec:\n  parameters:\n"
      "  - {range: {to: 1.50, from: \"0.5\", count: 3}, name: x}\n"
      "  - {values: [true, 1m0s, '7', 7], path: spec.a, name: z}\n"
      "  scenarioRef: {path: a.yaml}\nmetadata: {name: s}\n";
  Diagnostics problems;
  const auto documents = parse_documents("x.yaml", text, Format::yaml, problems);
  REQUIRE(decode_sweep(documents.at(0), problems));
  check_sweep(documents[0]);
  CHECK(yaml_text(sweep_form(*documents[0].root, Fields::as_written)) ==
        "apiVersion: tenure/v1alpha1\nkind: Sweep\nmetadata: {name: s}\nspec:\n"
        "  scenarioRef: {path: a.yaml}\n  parameters:\n"
        "  - name: x\n    range: {from: \"0.5\", to: \"1.50\", count: 3}\n"
        "  - name: z\n    path: spec.a\n    values: [true, 1m0s, \"7\", 7]\n");
}

// A document with these lines in its spec, and its canonical YAML from there on.
std::string canonical_spec(const std::string& lines) {
  const std::string text =
      "apiVersion: tenure/v1alpha1\nkind: Scenario\nmetadata:\n  name: x\nspec:\n" + lines +
      "  candidates:\n  - {name: web, elector: {type: client-go}}\n";
  Diagnostics problems;
  const auto documents = parse_documents("x.yaml", text, Format::yaml, problems);
  const auto scenario = decode(documents.at(0), problems);
  CAPTURE(rendered(problems));
  REQUIRE(scenario);
  check_forms(documents[0], *scenario);
  const std::string yaml = yaml_text(as_written(scenario_json(*scenario), *documents[0].root));
  return yaml.substr(yaml.find("spec:\n") + 6);
}

constexpr const char* group = "  candidates:\n  - name: web\n    elector: {type: client-go}\n";

TEST_CASE("fields keep the spelling of their values, and come in one order") {
  CHECK(canonical_spec("  seed: 7\n  runs: 10\n  warmup: 0\n  duration: 90s\n") ==
        "  duration: 90s\n  warmup: 0\n  runs: 10\n  seed: 7\n" + std::string{group});
}

TEST_CASE("a fault on a link keeps its one end, and a property its short form") {
  CHECK(canonical_spec("  properties: [leaseSafety, {name: beliefSafety}]\n"
                       "  faults: [{target: leader, type: partition, at: 60s, name: cut}]\n") ==
        std::string{group} +
            "  faults:\n  - {name: cut, type: partition, target: leader, at: 60s}\n"
            "  properties:\n  - leaseSafety\n  - {name: beliefSafety}\n");
}

TEST_CASE("thresholds of a metric are a list") {
  CHECK(canonical_spec("  thresholds: {gap: max < 20s}\n") ==
        std::string{group} + "  thresholds:\n    gap: [\"max < 20s\"]\n");
}

TEST_CASE("a number stays a number, and a text that looks like one stays a text") {
  CHECK(
      canonical_spec("  faults:\n  - {type: crash, target: leader, at: 60s, probability: 0.5}\n") ==
      std::string{group} +
          "  faults:\n  - {type: crash, target: leader, at: 60s, probability: 0.5}\n");
  const std::string text =
      "apiVersion: tenure/v1alpha1\nkind: Scenario\nmetadata: {name: '12', description: "
      "'no'}\nspec:\n"
      "  candidates: [{name: web, elector: {type: client-go}, identity: '0x1F'}]\n";
  Diagnostics problems;
  const auto documents = parse_documents("x.yaml", text, Format::yaml, problems);
  const auto scenario = decode(documents.at(0), problems);
  REQUIRE(scenario);
  check_forms(documents[0], *scenario);
  const std::string yaml = yaml_text(as_written(scenario_json(*scenario), *documents[0].root));
  CHECK(yaml.find("name: \"12\"") != std::string::npos);
  CHECK(yaml.find("description: \"no\"") != std::string::npos);
  CHECK(yaml.find("identity: \"0x1F\"") != std::string::npos);
}

TEST_CASE("any text survives: line feeds, blanks, quotes, colons, letters of every script") {
  for (const std::string description :
       {"a\nb\n\nc\n", "  blank", "blank  ", "\ttab", "a: b # c", "'\"\\", "- x",
        "\xF0\x9F\x98\x80 \xC3\xA4", "\x01\x7f", "null", "~", "", "{a}", "*a", "&a", "%x", "@x",
        "long long long long long long long "
        "long long long long long long long long long long long long long long long long long"}) {
    CAPTURE(description);
    Json json{
        {"apiVersion", "tenure/v1alpha1"},
        {"kind", "Scenario"},
        {"metadata", {{"name", "x"}, {"description", description}}},
        {"spec",
         {{"candidates", Json::array({{{"name", "web"}, {"elector", {{"type", "client-go"}}}}})}}}};
    const Read once = read_again("again", json.dump(), Format::json);
    CHECK(once.scenario.description == description);
    check_forms(once.document, once.scenario);
  }
}

TEST_CASE("the first difference names the field and says what it is in canonical form") {
  const auto difference = [](const std::string& text) {
    Diagnostics problems;
    const auto documents = parse_documents("x.yaml", text, Format::yaml, problems);
    const auto scenario = decode(documents.at(0), problems);
    REQUIRE(scenario);
    const std::string yaml = yaml_text(as_written(scenario_json(*scenario), *documents[0].root));
    const auto again = parse_documents("y.yaml", yaml, Format::yaml, problems);
    const auto found = first_difference(*documents[0].root, *again.at(0).root);
    return found ? std::to_string(found->where.line) + ": " + found->text : std::string{};
  };
  const std::string head =
      "kind: Scenario\nmetadata: {name: x}\nspec:\n  candidates: [{name: a, elector: {type: "
      "client-go}}]\n";
  CHECK(difference(head + "apiVersion: tenure/v1alpha1\n") == "1: apiVersion comes before kind");
  const std::string good = "apiVersion: tenure/v1alpha1\n" + head;
  CHECK(difference(good) == "");
  CHECK(difference(good + "  thresholds: {gap: max < 9s}\n") ==
        "6: spec.thresholds.gap is a list, not a single value");
  CHECK(difference(good + "  faults: [{name: a, type: crash, target: {role: leader}, at: 1m}]\n") ==
        "6: spec.faults[0].target is a single value, not a map");
  CHECK(difference(good + "  seed: 1\n") == "5: spec.seed comes before spec.candidates");
  CHECK(difference(
            "apiVersion: tenure/v1alpha1\nkind: Scenario\nmetadata: {name: x, description: ''}\n"
            "spec: {candidates: [{name: a, elector: {type: client-go}}]}\n") ==
        "3: metadata.description is left out");
}

}  // namespace
