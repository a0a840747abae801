// What the pages of results have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <tenure/report/page.hpp>

namespace tenure::report {

// A timeline in a sentence, for who cannot see it.
std::string description_of(const Timeline& timeline);

// The command that shows a run again.
std::string replay_command(const run::RunResult& result, std::uint64_t number);

// A line without its end.
inline std::string one_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

// The verdict as a headline has it.
inline std::string verdict_word(run::Verdict verdict) {
  if (verdict == run::Verdict::pass) return "PASS";
  return verdict == run::Verdict::fail ? "FAIL" : "INCONCLUSIVE";
}

}  // namespace tenure::report
