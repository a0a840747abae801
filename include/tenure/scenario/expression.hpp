// Formulas over the parameters of a sweep: "L * 2 / 3", "D > 1.2 * R". Computed exactly, with
// durations as whole nanoseconds, so that a point is the same everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenure/base/ratio.hpp>
#include <tenure/base/time.hpp>

namespace tenure::scenario {

// A number, or nanoseconds to a power: of R * R / L the power is 1, of L / D it is 0.
struct Quantity {
  __extension__ using Wide = __int128;

  Wide numerator = 0;
  Wide denominator = 1;  // positive; the two have no common factor
  int power = 0;

  static Quantity of(Duration duration);
  static Quantity of(Ratio ratio);
  static Quantity whole(std::int64_t number);

  friend bool operator==(const Quantity&, const Quantity&) = default;
};

// "15s" is a duration, "2.5" a number; nothing: it is a word.
std::optional<Quantity> quantity_of(std::string_view text);

// The quantity as a scenario writes it: a duration rounded to 1 ms, a number to 1e-9, halves away
// from zero. Nothing: it is neither, or too large.
std::optional<std::string> text_of(const Quantity& quantity);

// Names, numbers, durations, + - * / ( ) and min, max, floor; at most one comparison, at the top.
class Expression {
 public:
  // Nothing: it is none, and `problem` says why.
  static std::optional<Expression> parse(std::string_view text, std::string& problem);

  const std::string& text() const { return text_; }
  bool is_comparison() const;
  // The names in it, in the order of their first use.
  const std::vector<std::string>& names() const { return names_; }

  using Lookup = std::function<std::optional<Quantity>(std::string_view name)>;

  // Its value; of a comparison 1 or 0. Nothing: it has none, and `problem` says why ("5s + 2 adds a
  // duration and a number").
  std::optional<Quantity> value(const Lookup& lookup, std::string& problem) const;

 private:
  friend class ExpressionParser;

  enum class Code : std::uint8_t {
    constant,
    name,
    negate,
    add,
    subtract,
    multiply,
    divide,
    smaller_of,
    larger_of,
    floor,
    less,
    at_most,
    more,
    at_least,
    equal,
    different,
  };
  struct Step {
    Code code = Code::constant;
    std::size_t name = 0;  // of Code::name: an index into names_
    Quantity constant;
  };

  static std::optional<Quantity> applied(Code code, const Quantity& a, const Quantity& b);
  static bool compares(Code code) { return code >= Code::less; }

  std::string text_;
  std::vector<std::string> names_;
  std::vector<Step> steps_;  // operands before their operator
};

}  // namespace tenure::scenario
