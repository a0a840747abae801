// Where a parser is in its tokens, and what it refused first. Once something is refused nothing
// more is taken, so that a grammar may go on and give up where it suits it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tenure/alert/promql.hpp>
#include <tenure/base/text.hpp>

#include "promql_lexer.hpp"

namespace tenure::alert {

inline std::string lower_case(std::string_view word) {
  std::string out{word};
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

class TokenCursor {
 protected:
  // `tokens` end with one of kind `end`.
  explicit TokenCursor(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  const Token& now(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  bool is_symbol(std::string_view symbol, std::size_t ahead = 0) const {
    return now(ahead).kind == Token::Kind::symbol && now(ahead).text == symbol;
  }
  bool is_word(std::string_view word, std::size_t ahead = 0) const {
    return now(ahead).kind == Token::Kind::word && lower_case(now(ahead).text) == word;
  }
  bool take_symbol(std::string_view symbol) {
    if (problem_ || !is_symbol(symbol)) return false;
    ++at_;
    return true;
  }
  std::size_t last_end() const { return at_ == 0 ? 0 : tokens_[at_ - 1].ends_at; }

  std::nullptr_t refuse(Problem::Kind kind,
                        std::string text,
                        std::size_t begin,
                        std::size_t end,
                        std::string hint = {}) {
    if (!problem_) {
      problem_ = Problem{kind, std::move(text), begin, std::max<std::size_t>(end - begin, 1),
                         std::move(hint)};
    }
    return nullptr;
  }
  std::nullptr_t invalid(std::string text, const Token& at, std::string hint = {}) {
    return refuse(Problem::Kind::invalid, std::move(text), at.begins_at, at.ends_at,
                  std::move(hint));
  }
  std::nullptr_t outside(std::string text, const Token& at) {
    return refuse(Problem::Kind::outside, std::move(text), at.begins_at, at.ends_at);
  }
  std::nullptr_t unexpected(std::string_view where) {
    const Token& token = now();
    if (token.kind == Token::Kind::end) {
      return refuse(Problem::Kind::invalid, fmt::format("the expression ends {}", where),
                    last_end() == 0 ? 0 : last_end() - 1, last_end());
    }
    return invalid(fmt::format("unexpected {} {}", quoted(token.text), where), token);
  }
  bool expect_symbol(std::string_view symbol, std::string_view where) {
    if (take_symbol(symbol)) return true;
    unexpected(fmt::format("{}; {} is missing", where, quoted(symbol)));
    return false;
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::optional<Problem> problem_;
};

}  // namespace tenure::alert
