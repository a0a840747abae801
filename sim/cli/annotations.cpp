#include "annotations.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/report/outcome.hpp>

namespace tenure::cli {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string{} : std::string{value};
}

bool wants_annotations(const CommonFlags& flags) {
  if (flags.annotations != "auto") return flags.annotations == "github";
  return variable("GITHUB_ACTIONS") == "true";
}

// A result on the standard output must stay one that can be read; GitHub looks at both.
std::FILE* commands_go_to(const CommonFlags& flags) {
  const bool is_taken =
      flags.output != "text" ||
      std::any_of(flags.writes.begin(), flags.writes.end(), [](const std::string& write) {
        return write.size() > 2 && write.substr(write.size() - 2) == "=-";
      });
  return is_taken ? stderr : stdout;
}

// The file of a step is the work of several commands, so it is added to.
ExitCode add_to_step_summary(const report::Outcome& outcome) {
  const std::string path = variable("GITHUB_STEP_SUMMARY");
  if (path.empty()) return ExitCode::ok;
  errno = 0;
  std::FILE* file = std::fopen(path.c_str(), "ab");
  bool is_good = file != nullptr;
  if (is_good) {
    report::write_markdown(outcome, [&](std::string_view text) {
      is_good = std::fwrite(text.data(), 1, text.size(), file) == text.size() && is_good;
    });
    is_good = std::fputs("\n", file) >= 0 && is_good;
    is_good = std::fclose(file) == 0 && is_good;
  }
  if (is_good) return ExitCode::ok;
  usage_error("E0502", fmt::format("cannot write {}: {}", visible(path), std::strerror(errno)),
              {"lost: the summary of the step; $GITHUB_STEP_SUMMARY names the file"});
  return ExitCode::no_output;
}

}  // namespace

ExitCode annotate(const CommonFlags& flags) {
  if (!wants_annotations(flags)) return ExitCode::ok;
  std::FILE* out = commands_go_to(flags);
  report::write_github(*flags.outcome, [out](std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), out);
  });
  return flags.outcome->detail ? add_to_step_summary(*flags.outcome) : ExitCode::ok;
}

}  // namespace tenure::cli
