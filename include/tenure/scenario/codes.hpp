// Every code that tenure prints, and what it means. A code never changes its meaning.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tenure::scenario {

// What a code needs to be given, and so what its examples are.
enum class Given : std::uint8_t {
  text,      // a file that is no tree yet: the text of one
  fields,    // a scenario: fields of the map `in`
  explored,  // likewise, when it is explored
  run,       // a run of a scenario
  sweep,     // a file of kind Sweep
  command,   // a command line
  later,     // something that this version has not
};

struct Code {
  std::string_view code;  // "E0203"; E: error, W: warning
  Given given;
  std::string_view in;       // "spec.candidates.elector"; empty: not about fields
  std::string_view meaning;  // one sentence
  std::string_view bad;      // an input that triggers it
  std::string_view good;     // what would be right
};

// In the order of the codes: E00xx usage, E01xx syntax, E02xx schema, E03xx semantics, E04xx
// alerts, E05xx files, E06xx import and audit, E07xx results; warnings after errors.
std::span<const Code> all_codes();

const Code* find_code(std::string_view code);

}  // namespace tenure::scenario
