// Every code that tenure prints, and what it means. A code never changes its meaning.
#pragma once

#include <span>
#include <string_view>

namespace tenure::scenario {

struct Code {
  std::string_view code;     // "E0203"; E: error, W: warning
  std::string_view meaning;  // one sentence
  std::string_view bad;      // an input that triggers it
  std::string_view good;     // what would be right
};

// In the order of the codes: E00xx usage, E01xx syntax, E02xx schema, E03xx semantics, E04xx
// alerts, E05xx files, E06xx import and audit, E07xx results; warnings after errors.
std::span<const Code> all_codes();

const Code* find_code(std::string_view code);

}  // namespace tenure::scenario
