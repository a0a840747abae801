#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tenure/report/outcome.hpp>

#include "findings.hpp"
#include "foreign.hpp"

namespace tenure::report {
namespace {

using run::Finding;
using run::Verdict;

constexpr std::size_t longest_name = 200;     // code points
constexpr std::size_t longest_message = 500;  // code points
constexpr std::size_t longest_body = 8'000;   // code points
// GitLab takes reports of up to 30 MB; what comes after this many bytes of texts goes without one.
constexpr std::size_t most_bytes_of_bodies = 20'000'000;

// Dashboards keep only the first of equal names.
class Names {
 public:
  std::string unique(const std::string& name) {
    if (taken_.insert(name).second) return name;
    for (std::size_t number = 2;; ++number) {
      std::string other = fmt::format("{} ({})", name, number);
      if (taken_.insert(other).second) return other;
    }
  }

 private:
  std::set<std::string> taken_;
};

std::string attribute(std::string_view name, std::string_view raw, std::size_t most) {
  return fmt::format(" {}=\"{}\"", name, xml(printable(raw, most)));
}

std::string lines_of(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) {
    if (!out.empty()) out += '\n';
    out += printable(line, longest_body);
  }
  return out;
}

// What is within a testcase: at most one element that says why it did not pass.
struct Mark {
  enum class Kind { none, failure, error, skipped };

  Kind kind = Kind::none;
  std::string type;
  std::string message;
  std::string body;
  std::string note;  // of a case that passed
};

Mark mark_of(const Case& one, Verdict undecided) {
  const std::string body = lines_of(one.details);
  switch (verdict_of(one, undecided)) {
    case Verdict::pass:
      if (one.finding == Finding::ok) return {};
      return {Mark::Kind::none,
              {},
              {},
              {},
              printable(one.seen, longest_message) + (body.empty() ? "" : "\n" + body)};
    case Verdict::inconclusive:
      return {Mark::Kind::skipped, {}, one.seen, body, {}};
    case Verdict::fail:
      break;
  }
  const std::string_view type = one.finding == Finding::xpass  ? "expectedViolationMissing"
                                : one.finding != Finding::fail ? "inconclusive"
                                : one.kind == "threshold"      ? "threshold"
                                                               : "violated";
  return {Mark::Kind::failure, std::string{type}, one.seen, body, {}};
}

struct TestCase {
  std::string name;
  Position where;
  Mark mark;
};

struct TestSuite {
  std::string name;
  std::string file;
  std::string title;
  std::vector<TestCase> cases;

  std::size_t count(Mark::Kind kind) const {
    std::size_t found = 0;
    for (const TestCase& one : cases) found += one.mark.kind == kind ? 1U : 0U;
    return found;
  }
};

TestSuite suite_for(const Suite& suite, Verdict undecided) {
  TestSuite out{suite.name, suite.file, suite.title, {}};
  for (const Case& one : suite.cases) {
    out.cases.push_back(
        {fmt::format("{} {}", one.kind, one.name), one.where, mark_of(one, undecided)});
  }
  // Runs that --fail-fast left out are told by the failure that ended them.
  if (!suite.problem.empty() && suite.verdict != Verdict::fail) {
    out.cases.push_back({"complete", {}, {Mark::Kind::error, "incomplete", suite.problem, {}, {}}});
  }
  return out;
}

// What is wrong with the input; the place is in the message, too, because few show the line.
TestCase case_for(const Diagnostic& diagnostic) {
  std::vector<std::string> lines = diagnostic.hints;
  if (!diagnostic.line.empty()) lines.insert(lines.begin(), diagnostic.line);
  const std::string place =
      diagnostic.where.line == 0
          ? std::string{}
          : fmt::format("line {}, column {}: ", diagnostic.where.line, diagnostic.where.column);
  return {fmt::format("{}: {}", diagnostic.code, diagnostic.text),
          diagnostic.where,
          {Mark::Kind::error, diagnostic.code, place + diagnostic.text, lines_of(lines), {}}};
}

std::vector<TestSuite> suites_of(const Outcome& outcome) {
  std::vector<TestSuite> suites;
  std::map<std::string, std::size_t> suite_of_file;
  for (const Diagnostic& diagnostic : outcome.diagnostics) {
    if (diagnostic.level != Diagnostic::Level::error) continue;
    const std::string file = diagnostic.file.empty() ? "input" : diagnostic.file;
    const auto [found, is_new] = suite_of_file.emplace(file, suites.size());
    if (is_new) suites.push_back({file, diagnostic.file, "cannot be used", {}});
    suites[found->second].cases.push_back(case_for(diagnostic));
  }
  for (const Suite& suite : outcome.suites) suites.push_back(suite_for(suite, outcome.undecided));
  return suites;
}

class Xml {
 public:
  explicit Xml(const TextSink& sink) : sink_(sink) {}

  void document(const std::vector<TestSuite>& suites) {
    std::size_t tests = 0;
    std::size_t failures = 0;
    std::size_t errors = 0;
    for (const TestSuite& suite : suites) {
      tests += suite.cases.size();
      failures += suite.count(Mark::Kind::failure);
      errors += suite.count(Mark::Kind::error);
    }
    sink_("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    sink_(fmt::format("<testsuites name=\"tenure\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n",
                      tests, failures, errors));
    for (const TestSuite& suite : suites) this->suite(suite);
    sink_("</testsuites>\n");
  }

 private:
  void suite(const TestSuite& suite) {
    const std::string name = suite_names_.unique(printable(suite.name, longest_name));
    sink_(fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"{}>\n",
        xml(name), suite.cases.size(), suite.count(Mark::Kind::failure),
        suite.count(Mark::Kind::error), suite.count(Mark::Kind::skipped), file_of(suite)));
    sink_(
        fmt::format("    <properties>\n      <property name=\"scenario\"{}/>\n    </properties>\n",
                    attribute("value", suite.title, longest_message)));
    Names names;
    for (const TestCase& one : suite.cases) {
      const std::string unique = names.unique(printable(one.name, longest_name));
      const std::string line =
          one.where.line == 0 ? "" : fmt::format(" line=\"{}\"", one.where.line);
      sink_(fmt::format("    <testcase classname=\"tenure.{}\" name=\"{}\"{}{}", xml(name),
                        xml(unique), file_of(suite), line));
      inside(one.mark);
    }
    sink_("  </testsuite>\n");
  }

  static std::string file_of(const TestSuite& suite) {
    return suite.file.empty() ? "" : attribute("file", repository_path(suite.file), 4096);
  }

  void inside(const Mark& mark) {
    if (mark.kind == Mark::Kind::none && mark.note.empty()) return sink_("/>\n");
    sink_(">\n");
    if (mark.kind == Mark::Kind::none) {
      sink_(fmt::format("      <system-out>{}</system-out>\n", body(mark.note)));
    } else {
      const std::string_view element = mark.kind == Mark::Kind::failure ? "failure"
                                       : mark.kind == Mark::Kind::error ? "error"
                                                                        : "skipped";
      const std::string type =
          mark.type.empty() ? "" : attribute("type", mark.type, longest_message);
      sink_(fmt::format("      <{}{}{}>{}</{}>\n", element, type,
                        attribute("message", mark.message, longest_message), body(mark.body),
                        element));
    }
    sink_("    </testcase>\n");
  }

  std::string body(const std::string& text) {
    if (bytes_ > most_bytes_of_bodies) return "left out: this file would be too large";
    const std::string written = xml(text);
    bytes_ += written.size();
    return written;
  }

  const TextSink& sink_;
  Names suite_names_;
  std::size_t bytes_ = 0;
};

}  // namespace

void write_junit(const Outcome& outcome, const TextSink& sink) {
  Xml{sink}.document(suites_of(outcome));
}

}  // namespace tenure::report
