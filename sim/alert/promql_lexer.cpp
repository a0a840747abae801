#include "promql_lexer.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include <tenure/base/text.hpp>

namespace tenure::alert {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// A tree of as many is walked by recursion.
constexpr std::size_t most_tokens = 2000;

constexpr std::array<std::string_view, 6> long_symbols{"==", "!=", ">=", "<=", "=~", "!~"};
constexpr std::string_view short_symbols = "+-*/%^(){}[],=<>:@";

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::variant<std::vector<Token>, Problem> lex() {
    while (!problem_) {
      skip_blanks();
      if (at_ >= text_.size()) break;
      next();
      if (tokens_.size() > most_tokens) {
        problem_ = Problem{Problem::Kind::outside,
                           fmt::format("an expression of more than {} words", most_tokens),
                           at_,
                           1,
                           {}};
      }
    }
    if (problem_) return *problem_;
    add(Token::Kind::end, at_, {});
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void add(Token::Kind kind, std::size_t begin, std::string text) {
    tokens_.push_back({kind, std::move(text), begin, at_});
  }
  void add(Token::Kind kind, std::size_t begin) {
    add(kind, begin, std::string{text_.substr(begin, at_ - begin)});
  }
  void refuse(std::string text, std::size_t at, std::size_t length = 1) {
    problem_ = Problem{Problem::Kind::invalid, std::move(text), at, length, {}};
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (is_space(text_[at_])) {
        ++at_;
      } else if (text_[at_] == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else {
        return;
      }
    }
  }

  void next() {
    const char c = peek();
    if (is_letter(c)) return word();
    if (c == ':' && !tokens_.empty() && tokens_.back().text == "[") return symbol();
    if (c == ':' && is_letter(peek(1))) return word();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (c == '"' || c == '\'') return quoted_string(c);
    if (c == '`') return raw_string();
    symbol();
  }

  void word() {
    const std::size_t begin = at_;
    while (is_letter(peek()) || is_digit(peek()) || peek() == ':') ++at_;
    add(Token::Kind::word, begin);
  }

  // A number, or a duration: "5", "5m", "1.5e3", "0x1f".
  void number() {
    const std::size_t begin = at_;
    if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
      at_ += 2;
      while (hex_digit(peek()) >= 0) ++at_;
      return end_number(begin, Token::Kind::number);
    }
    while (is_digit(peek())) ++at_;
    const std::size_t digits = at_;
    const bool has_unit = is_letter(peek()) && !(peek() == 'e' || peek() == 'E');
    if (has_unit) {
      while (is_letter(peek()) || is_digit(peek())) ++at_;
      return end_number(begin, Token::Kind::duration);
    }
    at_ = digits;
    if (peek() == '.') ++at_;
    while (is_digit(peek())) ++at_;
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      while (is_digit(peek())) ++at_;
    }
    end_number(begin, Token::Kind::number);
  }

  void end_number(std::size_t begin, Token::Kind kind) {
    const std::string_view written = text_.substr(begin, at_ - begin);
    double value = 0;
    Millis duration = 0;
    const bool is_right = kind == Token::Kind::number
                              ? parse_go_number(written, value)
                              : parse_prometheus_duration(written, duration);
    if (!is_right || is_letter(peek()) || peek() == '.') {
      while (is_letter(peek()) || is_digit(peek()) || peek() == '.') ++at_;
      const std::string_view all = text_.substr(begin, at_ - begin);
      return refuse(fmt::format("{} is neither a number nor a duration", quoted(all)), begin,
                    all.size());
    }
    add(kind, begin);
  }

  void raw_string() {
    const std::size_t begin = at_;
    const std::size_t close = text_.find('`', at_ + 1);
    if (close == std::string_view::npos) return refuse("a string without its end", begin);
    at_ = close + 1;
    add(Token::Kind::string, begin, std::string{text_.substr(begin + 1, close - begin - 1)});
  }

  void quoted_string(char quote) {
    const std::size_t begin = at_++;
    std::string out;
    while (!problem_ && peek() != quote) {
      if (at_ >= text_.size() || peek() == '\n') return refuse("a string without its end", begin);
      if (peek() == '\\') {
        escape(quote, out);
      } else {
        out += text_[at_++];
      }
    }
    ++at_;
    add(Token::Kind::string, begin, std::move(out));
  }

  // Go's escapes (strconv.UnquoteChar) but for octal and hexadecimal bytes.
  void escape(char quote, std::string& out) {
    const std::size_t begin = at_++;
    const char c = peek();
    constexpr std::string_view letters = "abfnrtv\\";
    constexpr std::string_view meant = "\a\b\f\n\r\t\v\\";
    const std::size_t found = letters.find(c);
    ++at_;
    if (c == quote) {
      out += c;
    } else if (at_ <= text_.size() && found != std::string_view::npos) {
      out += meant[found];
    } else {
      problem_ = Problem{Problem::Kind::invalid, "an escape sequence that is not known", begin, 2,
                         "use backquotes: `\\d` stands for itself"};
    }
  }

  void symbol() {
    const std::size_t begin = at_;
    for (const std::string_view symbol : long_symbols) {
      if (text_.substr(at_, symbol.size()) != symbol) continue;
      at_ += symbol.size();
      return add(Token::Kind::symbol, begin);
    }
    if (short_symbols.find(peek()) != std::string_view::npos) {
      ++at_;
      return add(Token::Kind::symbol, begin);
    }
    const std::size_t end = next_code_point(text_, at_);
    refuse(fmt::format("unexpected {}", quoted(text_.substr(at_, end - at_))), begin);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
  std::optional<Problem> problem_;
};

struct DurationUnit {
  std::string_view name;
  Millis length;
};
// model.ParseDuration of prometheus/common: years have 365 days; units descend, each at most once.
constexpr std::array<DurationUnit, 7> units{{{"y", 365LL * 24 * 3600 * 1000},
                                             {"w", 7LL * 24 * 3600 * 1000},
                                             {"d", 24LL * 3600 * 1000},
                                             {"h", 3600LL * 1000},
                                             {"m", 60LL * 1000},
                                             {"s", 1000},
                                             {"ms", 1}}};

}  // namespace

std::variant<std::vector<Token>, Problem> lex_promql(std::string_view text) {
  return Lexer{text}.lex();
}

bool parse_prometheus_duration(std::string_view text, Millis& out) {
  if (text == "0") {
    out = 0;
    return true;
  }
  Millis sum = 0;
  std::size_t next_unit = 0;
  if (text.empty()) return false;
  while (!text.empty()) {
    std::size_t digits = 0;
    while (digits < text.size() && is_digit(text[digits])) ++digits;
    const std::optional<std::int64_t> count = parse_whole(text.substr(0, digits));
    text.remove_prefix(digits);
    std::size_t letters = 0;
    while (letters < text.size() && is_letter(text[letters])) ++letters;
    const std::string_view name = text.substr(0, letters);
    text.remove_prefix(letters);
    while (next_unit < units.size() && units[next_unit].name != name) ++next_unit;
    if (!count || next_unit == units.size()) return false;
    // Go's time.Duration ends after 292 years.
    constexpr Millis longest = std::numeric_limits<std::int64_t>::max() / 1'000'000;
    const Millis unit = units[next_unit].length;
    if (*count > (longest - sum) / unit) return false;
    sum += *count * unit;
    ++next_unit;
  }
  out = sum;
  return true;
}

bool parse_go_number(std::string_view text, double& out) {
  if (text.size() > 2 && (text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X")) {
    std::uint64_t whole = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + 2, end, whole, 16);
    out = static_cast<double>(whole);
    return error == std::errc{} && stop == end && whole <= std::uint64_t{1} << 63U;
  }
  const bool is_octal = text.size() > 1 && text[0] == '0' &&
                        text.find_first_not_of("0123456789") == std::string_view::npos;
  // strconv.ParseInt with base 0 comes first in Prometheus' parser and reads 010 as 8.
  if (is_octal) {
    std::uint64_t whole = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, whole, 8);
    if (error == std::errc{} && stop == end) {
      out = static_cast<double>(whole);
      return true;
    }
  }
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && stop == text.data() + text.size();
}

}  // namespace tenure::alert
