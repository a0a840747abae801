// What CI systems are told: that nothing breaks out of its format, and that the worst comes first.
#include <algorithm>
#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/base/text.hpp>
#include <tenure/report/outcome.hpp>
#include <tenure/run/campaign.hpp>

#include "support/hostile_outcome.hpp"

namespace tenure::report {
namespace {

using run::Finding;
using run::Verdict;

template <class Write>
std::string written(const Write& write) {
  std::string text;
  write([&](std::string_view piece) { text += piece; });
  return text;
}
std::string github_of(const Outcome& outcome) {
  return written([&](const TextSink& sink) { write_github(outcome, sink); });
}
std::string junit_of(const Outcome& outcome) {
  return written([&](const TextSink& sink) { write_junit(outcome, sink); });
}
std::string markdown_of(const Outcome& outcome) {
  return written([&](const TextSink& sink) { write_markdown(outcome, sink); });
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// A scenario with one property, judged so.
Suite suite(const std::string& name, Finding finding, double share = 0) {
  Suite out;
  out.name = name;
  out.file = out.label = name + ".yaml";
  out.work = "100 runs";
  Case one;
  one.kind = "property";
  one.name = "beliefSafety";
  one.finding = finding;
  one.share = share;
  one.brief = one.seen = "seen";
  one.where = {41, 5, 1};
  out.cases.push_back(one);
  out.verdict = verdict_of(one, Verdict::inconclusive);
  return out;
}

TEST_CASE("each workflow command is one line, whatever is in its names") {
  for (const std::string& line : lines_of(github_of(test::hostile_outcome()))) {
    const bool is_command = line.rfind("::error ", 0) == 0 || line.rfind("::warning ", 0) == 0 ||
                            line.rfind("::notice ", 0) == 0;
    CHECK(is_command);
    CHECK(std::all_of(line.begin(), line.end(),
                      [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7F; }));
    CHECK(first_invalid_utf8(line) == std::string_view::npos);
    // The properties end at the first "::" behind the command: none of their values holds one.
    const std::string properties = line.substr(2, line.find("::", 2) - 2);
    CHECK(holds(properties, "title="));
  }
}

TEST_CASE("a workflow command names the place, and escapes what GitHub's toolkit escapes") {
  Outcome outcome;
  outcome.suites = {suite("kcm", Finding::fail)};
  outcome.suites[0].file = "./a,b:c%.yaml";
  outcome.suites[0].cases[0].seen = "50 %, 3 of 6";
  outcome.suites[0].cases[0].details = {"run 3: more"};
  CHECK(github_of(outcome) ==
        "::error file=a%2Cb%3Ac%25.yaml,line=41,col=5,title=beliefSafety violated::"
        "kcm: 50 %25, 3 of 6%0Arun 3: more\n");
}

TEST_CASE("ten errors and ten warnings are shown, the worst first, and the rest is counted") {
  Outcome outcome;
  for (int i = 0; i < 12; ++i) {
    outcome.suites.push_back(suite("open-" + std::to_string(i), Finding::inconclusive));
    outcome.suites.push_back(suite("failed-" + std::to_string(i), Finding::fail, i / 12.0));
  }
  Diagnostic diagnostic;
  diagnostic.code = "E0201";
  diagnostic.text = "unknown field";
  outcome.diagnostics.push_back(diagnostic);
  const std::vector<std::string> lines = lines_of(github_of(outcome));
  REQUIRE(lines.size() == 21);
  CHECK(lines[0] == "::error title=E0201::unknown field");
  CHECK(holds(lines[1], "failed-11"));
  CHECK(holds(lines[9], "failed-3"));
  CHECK(
      holds(lines[10], "::warning file=open-0.yaml,line=41,col=5,title=beliefSafety inconclusive"));
  CHECK(lines[20] == "::notice title=tenure::5 more are in the log and in the summary");
}

TEST_CASE(
    "a JUnit file has the cases of interface 9: failures with a type, undecided ones skipped") {
  Outcome outcome;
  outcome.suites = {suite("a", Finding::fail), suite("b", Finding::inconclusive),
                    suite("c", Finding::xfail), suite("c", Finding::xpass)};
  outcome.suites[0].cases[0].details = {"run 3: both lead", "tenure replay a.yaml --run 3"};
  const std::string text = junit_of(outcome);
  CHECK(holds(text, "<testsuites name=\"tenure\" tests=\"4\" failures=\"2\" errors=\"0\">"));
  CHECK(holds(text,
              "<testcase classname=\"tenure.a\" name=\"property beliefSafety\" file=\"a.yaml\" "
              "line=\"41\">\n      <failure type=\"violated\" message=\"seen\">run 3: both lead\n"
              "tenure replay a.yaml --run 3</failure>"));
  CHECK(holds(text, "<skipped message=\"seen\"></skipped>"));
  CHECK(holds(text, "<system-out>seen</system-out>"));
  CHECK(holds(text, "<failure type=\"expectedViolationMissing\" message=\"seen\">"));
  CHECK(holds(text, "<testsuite name=\"c (2)\""));
  CHECK_FALSE(holds(text, "time"));
}

TEST_CASE("what --inconclusive says is what a JUnit file says") {
  Outcome outcome;
  outcome.suites = {suite("b", Finding::not_exercised)};
  outcome.undecided = Verdict::fail;
  CHECK(holds(junit_of(outcome), "<failure type=\"inconclusive\""));
  outcome.undecided = Verdict::pass;
  CHECK(holds(junit_of(outcome), "tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\""));
  outcome.undecided = Verdict::inconclusive;
  CHECK(holds(junit_of(outcome), "skipped=\"1\""));
  outcome.suites[0].cases[0].counts = false;  // allowVacuous
  CHECK(holds(junit_of(outcome), "skipped=\"0\""));
}

TEST_CASE("a JUnit file stays below 30 MB, however many counterexamples there are") {
  Outcome outcome;
  for (int i = 0; i < 4'000; ++i) {
    outcome.suites.push_back(suite("s" + std::to_string(i), Finding::fail));
    outcome.suites.back().cases[0].details = {std::string(8'000, '<')};
  }
  const std::string text = junit_of(outcome);
  CHECK(text.size() < 30'000'000);
  CHECK(holds(text, "left out: this file would be too large"));
}

TEST_CASE("a table keeps its columns and a page its tags, whatever is in their names") {
  const std::string text = markdown_of(test::hostile_outcome());
  CHECK_FALSE(holds(text, "\x1b"));
  CHECK_FALSE(holds(text, "\xE2\x80\xAE"));
  for (const std::string& line : lines_of(text)) {
    if (line.empty() || line.front() != '|') continue;
    std::size_t bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i)
      bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1U : 0U;
    const bool is_a_row_of_a_table = bars == 4 || bars == 7;
    CHECK(is_a_row_of_a_table);
  }
  // Outside of code there is no bare tag.
  for (const std::string& line : lines_of(text)) {
    if (line.rfind("### ", 0) == 0) CHECK_FALSE(holds(line, "<"));
  }
}

TEST_CASE("a summary of a step stays below the 1 MiB that GitHub takes") {
  Outcome outcome;
  for (int i = 0; i < 5'000; ++i) {
    outcome.suites.push_back(suite(std::string(200, '<'), Finding::fail));
    Diagnostic diagnostic;
    diagnostic.text = diagnostic.file = std::string(300, '<');
    outcome.diagnostics.push_back(diagnostic);
  }
  CHECK(markdown_of(outcome).size() < std::size_t{1} << 20);
}

TEST_CASE("a line of check has what interface 14 shows") {
  Suite one = suite("kcm", Finding::fail);
  one.label = "scenarios/naive-skew.yaml";
  one.work = "500 runs";
  one.cases[0].brief = "212 of 500 runs";
  one.cases.resize(3);
  CHECK(check_line(one, 30, Colour::no) ==
        "FAIL  scenarios/naive-skew.yaml         3 checks    500 runs   "
        "beliefSafety: 212 of 500 runs\n");
  CHECK(check_line(suite("b", Finding::xfail), 6, Colour::no) ==
        "ok    b.yaml    1 check     100 runs   1 expected violation\n");
  CHECK(check_line(suite("b", Finding::not_exercised), 6, Colour::no) ==
        "?     b.yaml    1 check     100 runs   1 not exercised\n");
}

TEST_CASE("the last line of check counts what was checked, and what was not") {
  Outcome outcome;
  outcome.suites = {suite("a", Finding::ok), suite("b", Finding::fail), suite("c", Finding::ok)};
  CHECK(check_total(outcome) == "3 scenarios: 2 ok, 1 failed\n");
  outcome.suites.push_back(suite("d", Finding::inconclusive));
  outcome.not_run = 2;
  outcome.undecided = Verdict::pass;
  CHECK(check_total(outcome) ==
        "6 scenarios: 2 ok, 1 failed, 1 inconclusive (passes), 2 not run\n");
}

// ---- rows of runs

run::RunResult result_of(const std::string& text) {
  Diagnostics diagnostics;
  const auto documents =
      scenario::parse_documents("small.yaml", text, scenario::Format::yaml, diagnostics);
  const auto scenario = scenario::decode(documents.at(0), diagnostics);
  REQUIRE(scenario.has_value());
  return run::judged(*scenario, documents.front(),
                     run::run_campaign(run::experiment_of(*scenario), {}));
}

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream in{row};
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

// Two crashes a run, of which the second can come too late to be over at the end.
const std::string two_crashes = R"(
apiVersion: tenure/v1alpha1
kind: Scenario
metadata: {name: small}
spec:
  duration: 110s
  runs: 30
  candidates: [{name: web, replicas: 3, elector: {type: client-go}}]
  faults:
    - {name: one, type: crash, target: leader, at: {uniform: [40s, 45s]}}
    - {name: two, type: crash, target: leader, at: {uniform: [85s, 100s]}}
)";

TEST_CASE("a row of a run has its longest failover, and says when that is a lower bound") {
  const run::RunResult result = result_of(two_crashes);
  const std::string text = written([&](const TextSink& sink) {
    write_csv_header(sink);
    write_csv(result, sink);
  });
  std::vector<std::string> lines = lines_of(text);
  REQUIRE(lines.size() == 31);
  CHECK(lines[0] ==
        "scenario,seed,run,violated,failovers,failover,gap,leaderless,overlap,overlap.running,"
        "transitions,restarts,api.requestsPerSecond,api.conflicts,lowerBounds\r");
  const stats::Samples& failovers = result.metrics[0];
  std::size_t open_runs = 0;
  for (std::size_t run = 0; run < 30; ++run) {
    std::int64_t longest = 0;
    bool is_open = false;
    std::size_t count = 0;
    for (std::size_t i = 0; i < failovers.size(); ++i) {
      if (failovers.run_of(i) != run) continue;
      longest = std::max(longest, failovers.values()[i]);
      is_open = is_open || failovers.is_censored(i);
      ++count;
    }
    const std::string seconds = std::to_string(longest / 1'000'000'000);
    const std::string digits = std::to_string(longest % 1'000'000'000);
    const std::vector<std::string> cells = cells_of(lines[run + 1]);
    REQUIRE(cells.size() == 15);
    CHECK(cells[2] == std::to_string(run));
    CHECK(cells[4] == std::to_string(count));
    CHECK(cells[5] == seconds + "." + std::string(9 - digits.size(), '0') + digits);
    CHECK(holds(cells[14], "failover") == is_open);
    open_runs += is_open ? 1U : 0U;
  }
  CHECK(open_runs > 0);
  CHECK(open_runs < 30);
}

}  // namespace
}  // namespace tenure::report
