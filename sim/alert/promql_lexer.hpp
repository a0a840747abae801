// The words of PromQL. Keywords are words too: what a word means is known where it stands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tenure/alert/promql.hpp>

namespace tenure::alert {

struct Token {
  enum class Kind : std::uint8_t { word, number, duration, string, symbol, end };

  Kind kind = Kind::end;
  std::string text;  // of a string what it stands for
  std::size_t begins_at = 0;
  std::size_t ends_at = 0;
};

std::variant<std::vector<Token>, Problem> lex_promql(std::string_view text);

// "7m", "1h30m": how a number with a unit is told from a number.
bool parse_go_number(std::string_view text, double& out);

}  // namespace tenure::alert
