#include <string>

#include <doctest/doctest.h>

#include <tenure/base/diagnostics.hpp>

using namespace tenure;

namespace {

Diagnostic unknown_field() {
  Diagnostic d;
  d.code = "E0201";
  d.file = "bad.yaml";
  d.where = {19, 9, 13};
  d.text = "unknown field \"renewDeadLine\" in spec.candidates[0].elector";
  d.line = "        renewDeadLine: 10s";
  d.hints = {"did you mean \"renewDeadline\"?"};
  return d;
}

}  // namespace

TEST_CASE("a diagnostic shows the place, the line, a caret and hints") {
  CHECK(
      rendered(unknown_field()) ==
      "bad.yaml:19:9: error[E0201]: unknown field \"renewDeadLine\" in spec.candidates[0].elector\n"
      "   |\n"
      "19 |         renewDeadLine: 10s\n"
      "   |         ^^^^^^^^^^^^^\n"
      "   = did you mean \"renewDeadline\"?\n");
}

TEST_CASE("the margin is as wide as the line number") {
  Diagnostic d = unknown_field();
  d.where.line = 1234;
  d.hints = {"first\nsecond"};
  CHECK(rendered(d) ==
        "bad.yaml:1234:9: error[E0201]: unknown field \"renewDeadLine\" in "
        "spec.candidates[0].elector\n"
        "     |\n"
        "1234 |         renewDeadLine: 10s\n"
        "     |         ^^^^^^^^^^^^^\n"
        "     = first\n"
        "     second\n");
}

TEST_CASE("the command line has no file and no line") {
  Diagnostic d;
  d.code = "E0001";
  d.text = "unknown command \"sweeep\"; did you mean \"sweep\"?";
  CHECK(rendered(d) ==
        "tenure: error[E0001]: unknown command \"sweeep\"; did you mean \"sweep\"?\n");
}

TEST_CASE("a warning says so, and a file as a whole has no line") {
  Diagnostic d;
  d.level = Diagnostic::Level::warning;
  d.code = "W0303";
  d.file = "a.yaml";
  d.text = "fault \"kill\" had no effect";
  CHECK(rendered(d) == "a.yaml: warning[W0303]: fault \"kill\" had no effect\n");
}

TEST_CASE("a long line is cut around the caret") {
  Diagnostic d = unknown_field();
  d.line = std::string(200, 'a') + "BAD" + std::string(200, 'b');
  d.where = {1, 201, 3};
  d.hints.clear();
  const std::string text = rendered(d);
  CHECK(text.find("..." + std::string(50, 'a') + "BAD" + std::string(37, 'b') + "...") !=
        std::string::npos);
  CHECK(text.find("   | " + std::string(53, ' ') + "^^^\n") != std::string::npos);
}

TEST_CASE("a caret behind the end of the line stays at its end") {
  Diagnostic d = unknown_field();
  d.line = "ab";
  d.where = {1, 99, 50};
  CHECK(rendered(d).find("   |   ^\n") != std::string::npos);
}

TEST_CASE("what the user wrote cannot move the cursor") {
  Diagnostic d = unknown_field();
  d.file = "a\x1b[2J.yaml";
  d.text = "\x1b[31mred";
  d.line = "x\x1b[31m";
  d.where = {1, 1, 1};
  const std::string text = rendered(d);
  CHECK(text.find('\x1b') == std::string::npos);
}

TEST_CASE("diagnostics come in the order of the lines, with a count at the end") {
  Diagnostics all;
  Diagnostic later = unknown_field();
  later.where.line = 30;
  later.code = "E0203";
  all.add(later);
  all.add(unknown_field());
  const std::string text = rendered(all);
  CHECK(text.find("bad.yaml:19") < text.find("bad.yaml:30"));
  CHECK(text.find("\n2 errors in bad.yaml; nothing was run. More: tenure explain E0201\n") !=
        std::string::npos);
  CHECK(all.errors() == 2);
  CHECK(all.warnings() == 0);
}

TEST_CASE("after twenty errors of a file the rest is only counted") {
  Diagnostics all;
  for (std::size_t line = 1; line <= 25; ++line) {
    Diagnostic d = unknown_field();
    d.where.line = line;
    all.add(d);
  }
  const std::string text = rendered(all);
  CHECK(text.find("bad.yaml:20:") != std::string::npos);
  CHECK(text.find("bad.yaml:21:") == std::string::npos);
  CHECK(text.find("25 errors in bad.yaml, the first 20 are shown; nothing was run.") !=
        std::string::npos);
}

TEST_CASE("warnings alone are not counted, and nothing is nothing") {
  Diagnostics all;
  CHECK(rendered(all).empty());
  Diagnostic warning = unknown_field();
  warning.level = Diagnostic::Level::warning;
  all.add(warning);
  CHECK(rendered(all).find("nothing was run") == std::string::npos);
  CHECK(all.warnings() == 1);
}
