#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tenure/report/outcome.hpp>

#include "findings.hpp"
#include "foreign.hpp"

namespace tenure::report {
namespace {

using run::Verdict;

constexpr std::size_t longest_cell = 200;  // code points
// GitHub takes a step summary of up to 1 MiB, and nothing of a larger one.
constexpr std::size_t most_bytes_of_tables = 400'000;
constexpr std::size_t most_rows = 200;

std::string cell(std::string_view raw) {
  return markdown(printable(raw, longest_cell));
}

std::string code_cell(std::string_view raw) {
  return markdown_code(printable(raw, longest_cell));
}

std::string_view word_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "ok";
    case Verdict::fail:
      return "FAIL";
    case Verdict::inconclusive:
      return "?";
  }
  return "";
}

// What a reader wants to see first.
int rank(const Suite& suite) {
  return suite.verdict == Verdict::fail ? 0 : suite.verdict == Verdict::inconclusive ? 1 : 2;
}

std::string first_open(const Suite& suite) {
  for (const Verdict wanted : {Verdict::fail, Verdict::inconclusive}) {
    for (const Case& one : suite.cases) {
      if (verdict_of(one, Verdict::inconclusive) == wanted)
        return fmt::format("{}: {}", one.name, one.brief);
    }
  }
  return suite.problem;
}

std::string overview_row(const Suite& suite) {
  return fmt::format("| {} | {} | {} | {} | {} | {} |\n", word_of(suite.verdict), cell(suite.name),
                     code_cell(suite.label), suite.cases.size(), cell(suite.work),
                     cell(first_open(suite)));
}

std::string cases_table(const Suite& suite) {
  if (suite.cases.empty()) return "No property and no threshold.\n";
  std::string out = "| | check | seen |\n|---|---|---|\n";
  for (const Case& one : suite.cases) {
    out += fmt::format("| {} | {} | {} |\n", word(one.finding), cell(one.name), cell(one.seen));
  }
  return out;
}

std::string metrics_table(const Suite& suite) {
  if (suite.metrics.empty()) return {};
  std::string out = fmt::format("\n| metric | {} |\n|---", fmt::join(metric_columns, " | "));
  for (std::size_t i = 0; i < std::size(metric_columns); ++i) out += "|---:";
  out += "|\n";
  for (const MetricRow& row : suite.metrics) {
    out += fmt::format("| {} |", cell(row.name));
    for (const std::string& figure : row.figures) out += fmt::format(" {} |", cell(figure));
    out += "\n";
  }
  return out;
}

std::string details_of(const Suite& suite) {
  std::string out;
  for (const Case& one : suite.cases) {
    for (const std::string& line : one.details)
      out += fmt::format("- {}: {}\n", cell(one.name), markdown_code(printable(line, 1'000)));
  }
  return out.empty() ? out : "\n" + out;
}

std::string section(const Suite& suite) {
  std::string out = fmt::format("\n### {} {}\n\n{}\n\n", word_of(suite.verdict), cell(suite.name),
                                cell(suite.title));
  if (!suite.problem.empty()) out += cell(suite.problem) + "\n\n";
  return out + cases_table(suite) + details_of(suite) + metrics_table(suite);
}

std::string diagnostics_list(const Outcome& outcome) {
  std::string out;
  std::size_t rows = 0;
  for (const Diagnostic::Level level : {Diagnostic::Level::error, Diagnostic::Level::warning}) {
    for (const Diagnostic& diagnostic : outcome.diagnostics) {
      if (diagnostic.level != level || ++rows > most_rows) continue;
      const std::string place =
          diagnostic.file.empty() ? ""
          : diagnostic.where.line == 0
              ? code_cell(diagnostic.file) + " "
              : fmt::format("{}, line {}, column {} ", code_cell(diagnostic.file),
                            diagnostic.where.line, diagnostic.where.column);
      out += fmt::format("- {}**{}** {}\n", place, diagnostic.code, cell(diagnostic.text));
    }
  }
  return out.empty() ? out : "\n" + out;
}

}  // namespace

void write_markdown(const Outcome& outcome, const TextSink& sink) {
  std::vector<const Suite*> suites;
  for (const Suite& suite : outcome.suites) suites.push_back(&suite);
  std::stable_sort(suites.begin(), suites.end(),
                   [](const Suite* a, const Suite* b) { return rank(*a) < rank(*b); });
  sink("## tenure\n\n");
  sink(suites.empty() ? "nothing was run\n" : markdown(check_total(outcome)));
  if (!suites.empty()) {
    sink("\n| | scenario | file | checks | | |\n|---|---|---|---:|---:|---|\n");
    for (std::size_t i = 0; i < std::min(suites.size(), most_rows); ++i)
      sink(overview_row(*suites[i]));
    if (suites.size() > most_rows)
      sink(fmt::format("\n{} more are not in this list.\n", suites.size() - most_rows));
  }
  sink(diagnostics_list(outcome));
  std::size_t bytes = 0;
  for (const Suite* suite : suites) {
    if (outcome.detail == Detail::what_failed && suite->verdict == Verdict::pass) continue;
    const std::string text = section(*suite);
    bytes += text.size();
    if (bytes > most_bytes_of_tables)
      return sink("\nThe tables of more scenarios were left out.\n");
    sink(text);
  }
}

}  // namespace tenure::report
