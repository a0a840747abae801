#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tenure/base/text.hpp>
#include <tenure/report/outcome.hpp>

#include "findings.hpp"

namespace tenure::report {
namespace {

using run::Finding;
using run::Verdict;

std::size_t count_of(const Suite& suite, Finding finding) {
  return static_cast<std::size_t>(
      std::count_if(suite.cases.begin(), suite.cases.end(),
                    [&](const Case& one) { return one.finding == finding && one.counts; }));
}

std::string counted(std::size_t count, std::string_view what) {
  return count == 0 ? std::string{} : fmt::format("{} {}", count, what);
}

std::string joined(const std::vector<std::string>& parts) {
  std::vector<std::string> present;
  std::copy_if(parts.begin(), parts.end(), std::back_inserter(present),
               [](const std::string& part) { return !part.empty(); });
  return fmt::format("{}", fmt::join(present, ", "));
}

// What a reader has to know: the first thing that failed, what is open, what was expected.
std::string remark(const Suite& suite) {
  const auto failed = std::find_if(suite.cases.begin(), suite.cases.end(), [](const Case& one) {
    return verdict_of(one, Verdict::inconclusive) == Verdict::fail;
  });
  if (failed != suite.cases.end()) return fmt::format("{}: {}", failed->name, failed->brief);
  if (!suite.problem.empty()) return suite.problem;
  const std::size_t expected = count_of(suite, Finding::xfail);
  if (suite.verdict == Verdict::pass)
    return counted(expected, expected == 1 ? "expected violation" : "expected violations");
  return joined({counted(count_of(suite, Finding::inconclusive), "inconclusive"),
                 counted(count_of(suite, Finding::not_exercised), "not exercised")});
}

Finding shade_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return Finding::ok;
    case Verdict::fail:
      return Finding::fail;
    case Verdict::inconclusive:
      return Finding::inconclusive;
  }
  return Finding::inconclusive;
}

}  // namespace

std::string check_line(const Suite& suite, std::size_t label_columns, Colour colour) {
  const std::string label = visible(suite.label);
  const std::size_t columns = code_points(label);
  const std::string gap(label_columns > columns ? label_columns - columns : 0, ' ');
  const std::string work_number = suite.work.substr(0, suite.work.find(' '));
  const std::string work_unit = suite.work.substr(std::min(suite.work.size(), work_number.size()));
  std::string line = fmt::format(
      "{} {}{}  {:>3} {} {:>6}{}", mark(shade_of(suite.verdict), colour), label, gap,
      suite.cases.size(), suite.cases.size() == 1 ? "check " : "checks", work_number, work_unit);
  const std::string said = remark(suite);
  if (!said.empty()) line += fmt::format("   {}", visible(said));
  return line + "\n";
}

std::string check_details(const Suite& suite) {
  std::string out = fmt::format("\n{}: {}\n", visible(suite.label),
                                suite.cases.empty() ? visible(suite.problem) : suite.title);
  for (const Case& one : suite.cases) {
    if (verdict_of(one, Verdict::inconclusive) == Verdict::pass) continue;
    out += fmt::format("  {:5} {}: {}\n", word(one.finding), one.name, one.seen);
    for (const std::string& line : one.details) out += fmt::format("        {}\n", line);
  }
  return out;
}

std::string check_total(const Outcome& outcome) {
  std::size_t counts[3] = {};
  std::size_t not_judged = 0;
  for (const Suite& suite : outcome.suites) {
    const bool has_no_result = !suite.problem.empty() && suite.cases.empty();
    ++(has_no_result ? not_judged : counts[static_cast<std::size_t>(suite.verdict)]);
  }
  const std::size_t all = outcome.suites.size() + outcome.not_run;
  const std::string open = outcome.undecided == Verdict::pass   ? "inconclusive (passes)"
                           : outcome.undecided == Verdict::fail ? "inconclusive (fails)"
                                                                : "inconclusive";
  return fmt::format(
      "{} {}: {}\n", all, all == 1 ? "scenario" : "scenarios",
      joined({counted(counts[static_cast<std::size_t>(Verdict::pass)], "ok"),
              counted(counts[static_cast<std::size_t>(Verdict::fail)], "failed"),
              counted(counts[static_cast<std::size_t>(Verdict::inconclusive)], open),
              counted(not_judged, "not judged"), counted(outcome.not_run, "not run")}));
}

}  // namespace tenure::report
