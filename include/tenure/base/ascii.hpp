// Letters and digits as every file has them: those of <cctype> depend on the locale.
#pragma once

namespace tenure {

constexpr bool is_ascii_digit(char c) {
  return c >= '0' && c <= '9';
}

constexpr bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace tenure
