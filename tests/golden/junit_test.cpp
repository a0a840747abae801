// JUnit files are judged by a validator that is not ours: libxml2, by way of Debian's python3-lxml.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <doctest/doctest.h>
#include <unistd.h>

#include <tenure/report/outcome.hpp>

#include "support/hostile_outcome.hpp"

namespace tenure {
namespace {

// What junit_outline.py says of a file: empty when it is valid.
int exit_of_validation(const report::Outcome& outcome) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("tenure-junit-" + std::to_string(getpid()) + ".xml");
  std::ofstream file{path, std::ios::binary};
  report::write_junit(outcome, [&](std::string_view text) { file << text; });
  file.close();
  const std::string command =
      "/usr/bin/python3 tests/golden/junit_outline.py '" + path.string() + "' > /dev/null";
  const int status = std::system(command.c_str());
  std::filesystem::remove(path);
  return status;
}

TEST_CASE("no name can break a JUnit file, whatever undecided cases count as") {
  report::Outcome outcome = test::hostile_outcome();
  for (const run::Verdict undecided :
       {run::Verdict::pass, run::Verdict::fail, run::Verdict::inconclusive}) {
    outcome.undecided = undecided;
    CHECK(exit_of_validation(outcome) == 0);
  }
}

TEST_CASE("a JUnit file of nothing is a JUnit file") {
  CHECK(exit_of_validation({}) == 0);
}

}  // namespace
}  // namespace tenure
