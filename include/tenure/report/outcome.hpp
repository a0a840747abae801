// What one command came to, in the shape that CI systems understand: suites of cases. Runs and
// explorations are brought into it, and every writer for CI starts from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenure/base/diagnostics.hpp>
#include <tenure/explore/verdict.hpp>
#include <tenure/report/writer.hpp>
#include <tenure/run/result.hpp>
#include <tenure/run/sweep.hpp>

namespace tenure::report {

// A property or threshold, judged.
struct Case {
  std::string kind;  // "property", "threshold"
  std::string name;  // "beliefSafety", "failover p(99) < 20s"
  run::Finding finding = run::Finding::ok;
  bool counts = true;                // false: `not exercised` was allowed
  double share = 0;                  // of runs that violate it
  std::string brief;                 // "212 of 500 runs"
  std::string seen;                  // the same with its interval, one line
  std::vector<std::string> details;  // further lines: the first violation, how to replay it
  Position where;                    // in the file of the suite
};

// The figures of one metric, as a table shows them.
struct MetricRow {
  std::string name;
  std::vector<std::string> figures;  // by metric_columns
};
inline constexpr std::string_view metric_columns[] = {"n",   "min", "mean", "p50",
                                                      "p90", "p95", "p99",  "max"};

// One scenario.
struct Suite {
  std::string name;
  std::string file;   // as the user named it; empty: in no file
  std::string label;  // the file, and the name where the file has several scenarios
  std::string title;  // "2000 runs x 3m, seed 1, 3 x client-go (15s/10s/2s)"
  std::string work;   // "2000 runs"
  run::Verdict verdict = run::Verdict::pass;
  std::vector<Case> cases;
  std::vector<MetricRow> metrics;
  std::string problem;  // why it was not judged, or not completely; empty: it was
};

// Which suites have tables in Markdown; a list of all of them is on top.
enum class Detail : std::uint8_t { all, what_failed };

struct Outcome {
  std::vector<Suite> suites;
  std::vector<Diagnostic> diagnostics;                  // about the input
  run::Verdict undecided = run::Verdict::inconclusive;  // what an undecided case counts as
  std::uint64_t not_run = 0;                            // scenarios; what ended it came before them
  std::optional<Detail> detail;                         // none: nothing is to be summed up
};

// What a case counts as in the end.
run::Verdict verdict_of(const Case& one, run::Verdict undecided);

Suite suite_of(const run::RunResult& result, std::string file);

// `replay`: the command that explores again.
Suite suite_of(const explore::ExploreResult& result, std::string file, const std::string& replay);

// Of a sweep, with the cases of each point that is run.
Suite suite_of(const run::SweepResult& result, std::string file);

// JUnit XML, in the form that CI dashboards share: testsuites, testsuite, testcase with failure,
// error or skipped. Without times, so that the same input gives the same bytes.
void write_junit(const Outcome& outcome, const TextSink& sink);

// Workflow commands of GitHub Actions: at most ten errors and ten warnings, the worst first.
void write_github(const Outcome& outcome, const TextSink& sink);

// Tables: a list of all suites, then each of those that `detail` asks for.
void write_markdown(const Outcome& outcome, const TextSink& sink);

// One row a run, of one scenario after the other. Lines end in CR LF, as RFC 4180 has them.
void write_csv_header(const TextSink& sink);
void write_csv(const run::RunResult& result, const TextSink& sink);

// What `tenure check` prints: a line for a scenario, the details of one that is not ok, and the
// last line.
std::string check_line(const Suite& suite, std::size_t label_columns, Colour colour);
std::string check_details(const Suite& suite);
std::string check_total(const Outcome& outcome);

}  // namespace tenure::report
