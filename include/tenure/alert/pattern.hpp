// Regular expressions of label matchers: anchored at both ends, matched in time linear in the text
// whatever the pattern, as RE2 does. What of RE2's syntax is not known here is refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tenure::alert {

struct PatternProblem {
  bool outside = false;  // RE2 takes it
  std::string text;
  std::size_t at = 0;  // byte of the pattern
};

class Pattern {
 public:
  using CodePoints = std::pair<std::uint32_t, std::uint32_t>;  // the first and the last one

  // One step of the machine that matches. Places are relative to its own.
  struct Instruction {
    enum class Op : std::uint8_t { any, one_of, none_of, split, jump, at_begin, at_end };

    Op op = Op::any;
    std::vector<CodePoints> ranges;
    std::ptrdiff_t first = 1;
    std::ptrdiff_t second = 1;
  };

  static std::variant<Pattern, PatternProblem> compile(std::string_view text);

  // Whether all of the text matches.
  bool matches(std::string_view text) const;

 private:
  std::vector<Instruction> program_;
};

}  // namespace tenure::alert
