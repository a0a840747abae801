#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include <tenure/report/outcome.hpp>

#include "foreign.hpp"

namespace tenure::report {
namespace {

using run::Finding;
using run::Verdict;

// GitHub shows ten annotations of each level and step; more would push the worst ones out.
constexpr std::size_t most_shown = 10;
constexpr std::size_t longest_title = 200;   // code points
constexpr std::size_t longest_line = 1'000;  // code points

struct Annotation {
  bool is_error = true;
  int rank = 0;      // the lower, the worse
  double share = 0;  // of runs that violate it
  std::string file;
  Position where;
  std::string title;
  std::vector<std::string> lines;
};

std::string title_of(const Case& one) {
  switch (one.finding) {
    case Finding::xpass:
      return fmt::format("{}: expected violation missing", one.name);
    case Finding::inconclusive:
      return fmt::format("{} inconclusive", one.name);
    case Finding::not_exercised:
      return fmt::format("{} not exercised", one.name);
    default:
      return fmt::format("{} {}", one.name, one.kind == "property" ? "violated" : "failed");
  }
}

int rank_of(const Case& one) {
  if (one.finding == Finding::fail) return one.kind == "property" ? 1 : 2;
  return one.finding == Finding::xpass ? 3 : 4;
}

Annotation annotation_of(const Suite& suite, const Case& one, Verdict verdict) {
  Annotation out;
  out.is_error = verdict == Verdict::fail;
  out.rank = rank_of(one);
  out.share = one.share;
  out.file = suite.file;
  out.where = one.where;
  out.title = title_of(one);
  out.lines = {fmt::format("{}: {}", suite.name, one.seen)};
  out.lines.insert(out.lines.end(), one.details.begin(), one.details.end());
  return out;
}

Annotation annotation_of(const Diagnostic& diagnostic) {
  Annotation out;
  out.is_error = diagnostic.level == Diagnostic::Level::error;
  out.rank = out.is_error ? 0 : 5;
  out.file = diagnostic.file;
  out.where = diagnostic.where;
  out.title = diagnostic.code;
  out.lines = {diagnostic.text};
  out.lines.insert(out.lines.end(), diagnostic.hints.begin(), diagnostic.hints.end());
  return out;
}

std::vector<Annotation> annotations_of(const Outcome& outcome) {
  std::vector<Annotation> all;
  for (const Diagnostic& diagnostic : outcome.diagnostics) all.push_back(annotation_of(diagnostic));
  for (const Suite& suite : outcome.suites) {
    for (const Case& one : suite.cases) {
      const Verdict verdict = verdict_of(one, outcome.undecided);
      if (verdict != Verdict::pass) all.push_back(annotation_of(suite, one, verdict));
    }
    // What --fail-fast left out is told by the failure that ended it.
    if (!suite.problem.empty() && suite.verdict != Verdict::fail)
      all.push_back({true, 0, 0, suite.file, {}, suite.name, {suite.problem}});
  }
  std::stable_sort(all.begin(), all.end(), [](const Annotation& a, const Annotation& b) {
    return std::tuple{a.rank, -a.share} < std::tuple{b.rank, -b.share};
  });
  return all;
}

std::string properties_of(const Annotation& annotation) {
  std::string out;
  const auto add = [&](std::string_view name, const std::string& value) {
    out += fmt::format("{}{}={}", out.empty() ? "" : ",", name, command_property(value));
  };
  if (!annotation.file.empty()) {
    add("file", printable(repository_path(annotation.file), 4096));
    if (annotation.where.line != 0) {
      add("line", fmt::format("{}", annotation.where.line));
      add("col", fmt::format("{}", annotation.where.column));
    }
  }
  add("title", printable(annotation.title, longest_title));
  return out;
}

std::string command_of(const Annotation& annotation) {
  std::string text;
  for (const std::string& line : annotation.lines) {
    if (!text.empty()) text += '\n';
    text += printable(line, longest_line);
  }
  return fmt::format("::{} {}::{}\n", annotation.is_error ? "error" : "warning",
                     properties_of(annotation), command_text(text));
}

}  // namespace

void write_github(const Outcome& outcome, const TextSink& sink) {
  const std::vector<Annotation> all = annotations_of(outcome);
  std::size_t left_out = 0;
  for (const bool is_error : {true, false}) {
    std::size_t shown = 0;
    for (const Annotation& annotation : all) {
      if (annotation.is_error != is_error) continue;
      if (++shown > most_shown) {
        ++left_out;
      } else {
        sink(command_of(annotation));
      }
    }
  }
  if (left_out != 0)
    sink(fmt::format("::notice title=tenure::{} more are in the log and in the summary\n",
                     left_out));
}

}  // namespace tenure::report
