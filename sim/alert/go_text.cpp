#include "go_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace tenure::alert {
namespace {

std::string of_no_number(double value) {
  if (std::isnan(value)) return "NaN";
  return value > 0 ? "+Inf" : "-Inf";
}

std::string shortest(double value, std::chars_format format) {
  std::array<char, 64> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value, format);
  return error == std::errc{} ? std::string{text.data(), end} : fmt::format("{}", value);
}

}  // namespace

std::string go_number(double value) {
  if (!std::isfinite(value)) return of_no_number(value);
  std::string scientific = shortest(value, std::chars_format::scientific);
  const int exponent = std::atoi(scientific.c_str() + scientific.find('e') + 1);
  // strconv/ftoa.go: the shortest %g writes an exponent below -4 and from 6 on.
  if (exponent < -4 || exponent >= 6) return scientific;
  return shortest(value, std::chars_format::fixed);
}

std::string go_four_digits(double value) {
  if (!std::isfinite(value)) return of_no_number(value);
  return fmt::format("{:.4g}", value);
}

std::string go_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace tenure::alert
