#include "telling.hpp"

#include <cstdlib>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <tenure/report/story.hpp>

namespace tenure::cli {
namespace {

bool speaks_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string locale = value;
    return locale.find("UTF-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

// The violation that is told: two leaders if there were, else the first of all.
std::optional<check::Violation> worst(const check::Findings& findings) {
  if (const auto& overlap = findings.first(check::PropertyId::B1)) return overlap;
  check::PropertySet all;
  for (std::size_t i = 0; i < check::property_count; ++i)
    all.add(static_cast<check::PropertyId>(i));
  return findings.first_of(all);
}

}  // namespace

std::size_t terminal_columns() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) return size.ws_col;
  return 110;
}

report::Characters characters_of(bool ascii) {
  return ascii || !speaks_utf8() ? report::Characters::ascii : report::Characters::unicode;
}

void print_story(const run::Experiment& experiment,
                 const run::Runner& runner,
                 const std::vector<record::Record>& history,
                 const StoryEnd& end,
                 report::Characters characters) {
  const auto violation = worst(runner.checks().findings());
  if (!violation) return;
  const report::Counterexample told{.setup = *experiment.setup,
                                    .history = history,
                                    .violation = *violation,
                                    .level = experiment.properties.belief_level,
                                    .clocks = report::clocks_of(runner.world()),
                                    .nearest = end.nearest,
                                    .replay = end.replay};
  fmt::print("\n{}", report::story(told, terminal_columns(), characters));
}

}  // namespace tenure::cli
