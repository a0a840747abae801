// An outcome whose every name and text tries to break out of the format that it is written in.
#pragma once

#include <string>

#include <tenure/report/outcome.hpp>

namespace tenure::test {

inline std::string hostile_text() {
  using namespace std::string_literals;
  return "<script>alert('x')</script> \"quoted\" & ]]> --> | `code` ``two`` [a](b) %0A "
         "::error::no, "
         "a:b\r\nsecond line\n::error::third \x1b[31m\x00\x07\x7f \xE2\x80\xAE"s +
         "right to left\xE2\x80\xAC \xEF\xBF\xBE\xEF\xBF\xBF \xff\xfe " + "=1+1\t";
}

inline report::Case hostile_case(run::Finding finding, const std::string& text) {
  report::Case one;
  one.kind = "property";
  one.name = text;
  one.finding = finding;
  one.brief = one.seen = text;
  one.details = {text, std::string(100'000, '<')};
  one.where = {7, 3, 1};
  return one;
}

inline report::Outcome hostile_outcome() {
  using run::Finding;
  report::Outcome outcome;
  for (const std::string& text :
       {hostile_text(), std::string(10'240, 'n') + "\"", hostile_text()}) {
    report::Suite suite;
    suite.name = suite.file = suite.label = suite.title = text;
    suite.work = "5 runs";
    suite.verdict = run::Verdict::fail;
    for (const Finding finding : {Finding::ok, Finding::fail, Finding::xfail, Finding::xpass,
                                  Finding::inconclusive, Finding::not_exercised}) {
      suite.cases.push_back(hostile_case(finding, text));
    }
    outcome.suites.push_back(suite);
    Diagnostic diagnostic;
    diagnostic.code = "E0201";
    diagnostic.file = diagnostic.text = diagnostic.line = text;
    diagnostic.hints = {text};
    diagnostic.where = {1, 2, 3};
    outcome.diagnostics.push_back(diagnostic);
  }
  outcome.suites.back().verdict = run::Verdict::inconclusive;
  outcome.suites.back().problem = hostile_text();
  return outcome;
}

}  // namespace tenure::test
