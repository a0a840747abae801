#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <tenure/base/ascii.hpp>
#include <tenure/base/text.hpp>
#include <tenure/scenario/expression.hpp>

namespace tenure::scenario {
namespace {

using Wide = Quantity::Wide;

constexpr std::size_t deepest_parentheses = 64;
constexpr std::size_t longest_text = 1000;

Wide greatest_common_divisor(Wide a, Wide b) {
  if (a < 0) a = -a;
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

// Numbers whose negative fits too.
constexpr Wide least = static_cast<Wide>(1) << 126;

bool fits(Wide value) {
  return value >= -least && value <= least;
}

bool multiply(Wide a, Wide b, Wide& out) {
  return !__builtin_mul_overflow(a, b, &out) && fits(out);
}

Quantity reduced(Wide numerator, Wide denominator, int power) {
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  const Wide common = greatest_common_divisor(numerator, denominator);
  return Quantity{numerator / common, denominator / common, power};
}

std::optional<Quantity> sum(const Quantity& a, const Quantity& b, int sign) {
  Wide left = 0;
  Wide right = 0;
  Wide both = 0;
  Wide bottom = 0;
  if (!multiply(a.numerator, b.denominator, left) ||
      !multiply(b.numerator * sign, a.denominator, right) ||
      __builtin_add_overflow(left, right, &both) || !fits(both) ||
      !multiply(a.denominator, b.denominator, bottom))
    return std::nullopt;
  return reduced(both, bottom, a.power);
}

std::optional<Quantity> product(const Quantity& a, const Quantity& b) {
  Wide top = 0;
  Wide bottom = 0;
  if (!multiply(a.numerator, b.numerator, top) || !multiply(a.denominator, b.denominator, bottom))
    return std::nullopt;
  return reduced(top, bottom, a.power + b.power);
}

Wide floor_of(const Quantity& q) {
  const Wide quotient = q.numerator / q.denominator;
  return q.numerator % q.denominator < 0 ? quotient - 1 : quotient;
}

// -1, 0, 1; nothing when the numbers are too large to tell.
std::optional<int> order(const Quantity& a, const Quantity& b) {
  const auto difference = sum(a, b, -1);
  if (!difference) return std::nullopt;
  return difference->numerator < 0 ? -1 : difference->numerator > 0 ? 1 : 0;
}

// Rounded to a whole multiple of `grain`, counted in it; halves away from zero.
std::optional<std::int64_t> rounded(const Quantity& q, std::int64_t grain, std::int64_t scale) {
  Wide top = 0;
  Wide bottom = 0;
  if (!multiply(q.numerator, scale, top) || !multiply(q.denominator, grain, bottom))
    return std::nullopt;
  const Wide positive = top < 0 ? -top : top;
  Wide doubled = 0;
  if (!multiply(positive, 2, doubled) || __builtin_add_overflow(doubled, bottom, &doubled))
    return std::nullopt;
  const Wide count = doubled / (bottom * 2);
  if (count > std::numeric_limits<std::int64_t>::max() / grain) return std::nullopt;
  return static_cast<std::int64_t>(top < 0 ? -count : count);
}

std::string_view what(int power) {
  return power == 0 ? "a number" : power == 1 ? "a duration" : "a power of durations";
}

}  // namespace

Quantity Quantity::of(Duration duration) {
  return {duration.count(), 1, 1};
}

Quantity Quantity::of(Ratio ratio) {
  return reduced(ratio.numerator, ratio.denominator, 0);
}

Quantity Quantity::whole(std::int64_t number) {
  return {number, 1, 0};
}

std::optional<Quantity> quantity_of(std::string_view text) {
  if (const auto number = parse_decimal(text)) return Quantity::of(*number);
  const ParsedDuration duration = parse_duration(text);
  if (duration.fault == ParsedDuration::Fault::none) return Quantity::of(duration.value);
  return std::nullopt;
}

std::optional<std::string> text_of(const Quantity& quantity) {
  if (quantity.power == 1) {
    constexpr std::int64_t millisecond = 1'000'000;
    const auto count = rounded(quantity, millisecond, 1);
    if (!count) return std::nullopt;
    return duration_text(Duration{*count * millisecond});
  }
  if (quantity.power != 0) return std::nullopt;
  constexpr std::int64_t billion = 1'000'000'000;
  const auto count = rounded(quantity, 1, billion);
  if (!count) return std::nullopt;
  const std::int64_t positive = *count < 0 ? -*count : *count;
  std::string text = fmt::format("{}{}", *count < 0 ? "-" : "", positive / billion);
  if (positive % billion == 0) return text;
  text += fmt::format(".{:09}", positive % billion);
  return text.substr(0, text.find_last_not_of('0') + 1);
}

// Recursive descent: comparison > sum > product > sign > atom. What is read is appended to the
// steps, operands first.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, std::string& problem)
      : text_(text), rest_(text), problem_(problem) {}

  std::optional<Expression> parse() {
    made_.text_ = text_;
    if (text_.size() > longest_text) {
      fail("it is too long");
      return std::nullopt;
    }
    if (!comparison()) return std::nullopt;
    skip_blanks();
    if (!rest_.empty()) {
      fail(fmt::format("{} is not expected", quoted(rest_)));
      return std::nullopt;
    }
    return std::move(made_);
  }

 private:
  using Code = Expression::Code;

  bool fail(std::string why) {
    if (problem_.empty()) problem_ = std::move(why);
    return false;
  }

  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t'))
      rest_.remove_prefix(1);
  }

  bool took(std::string_view token) {
    skip_blanks();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  void emit(Code code) { made_.steps_.push_back({code, 0, {}}); }

  bool comparison() {
    if (!addition()) return false;
    static constexpr std::pair<std::string_view, Code> signs[] = {
        {"<=", Code::at_most}, {">=", Code::at_least},  {"==", Code::equal},
        {"<", Code::less},     {"!=", Code::different}, {">", Code::more}};
    for (const auto& [sign, code] : signs) {
      if (!took(sign)) continue;
      if (!addition()) return false;
      emit(code);
      return true;
    }
    return true;
  }

  bool addition() {
    if (!multiplication()) return false;
    while (true) {
      const Code code = took("+") ? Code::add : took("-") ? Code::subtract : Code::constant;
      if (code == Code::constant) return true;
      if (!multiplication()) return false;
      emit(code);
    }
  }

  bool multiplication() {
    if (!sign()) return false;
    while (true) {
      const Code code = took("*") ? Code::multiply : took("/") ? Code::divide : Code::constant;
      if (code == Code::constant) return true;
      if (!sign()) return false;
      emit(code);
    }
  }

  bool sign() {
    if (!took("-")) return atom();
    if (++depth_ > deepest_parentheses) return fail("it is nested too deep");
    if (!sign()) return false;
    --depth_;
    emit(Code::negate);
    return true;
  }

  bool atom() {
    if (took("(")) {
      if (++depth_ > deepest_parentheses) return fail("it is nested too deep");
      if (!addition()) return false;
      --depth_;
      return took(")") || fail("a \")\" is missing");
    }
    if (rest_.empty()) return fail("it ends where a value is expected");
    const char c = rest_.front();
    if (is_ascii_digit(c) || c == '.') return literal();
    if (is_ascii_letter(c) || c == '_') return word();
    return fail(fmt::format("{} is not expected", quoted(rest_)));
  }

  static bool is_in_a_name(char c) { return is_ascii_digit(c) || is_ascii_letter(c); }

  std::string_view take_while(bool (*belongs)(char)) {
    std::size_t length = 0;
    while (length < rest_.size() && belongs(rest_[length])) ++length;
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return taken;
  }

  // A byte above 127 belongs to the micro sign of a unit.
  bool literal() {
    const std::string_view text =
        take_while([](char c) { return is_in_a_name(c) || c == '.' || (c & 0x80) != 0; });
    const auto value = quantity_of(text);
    if (!value) {
      return fail(fmt::format("{} is neither a number nor a duration like 15s", quoted(text)));
    }
    made_.steps_.push_back({Code::constant, 0, *value});
    return true;
  }

  bool word() {
    const std::string_view name = take_while([](char c) { return is_in_a_name(c) || c == '_'; });
    if (took("(")) return call(name);
    const auto known = std::find(made_.names_.begin(), made_.names_.end(), name);
    const auto index = static_cast<std::size_t>(known - made_.names_.begin());
    if (known == made_.names_.end()) made_.names_.emplace_back(name);
    made_.steps_.push_back({Code::name, index, {}});
    return true;
  }

  bool call(std::string_view function) {
    if (++depth_ > deepest_parentheses) return fail("it is nested too deep");
    if (function != "min" && function != "max" && function != "floor") {
      return fail(fmt::format("{} is no function; there are min, max, floor", quoted(function)));
    }
    if (!addition()) return false;
    if (function == "floor") {
      emit(Code::floor);
    } else {
      if (!took(",")) return fail(fmt::format("{} takes two values", function));
      if (!addition()) return false;
      emit(function == "min" ? Code::smaller_of : Code::larger_of);
      while (took(",")) {
        if (!addition()) return false;
        emit(function == "min" ? Code::smaller_of : Code::larger_of);
      }
    }
    --depth_;
    return took(")") || fail("a \")\" is missing");
  }

  std::string_view text_;
  std::string_view rest_;
  std::string& problem_;
  std::size_t depth_ = 0;
  Expression made_;
};

std::optional<Expression> Expression::parse(std::string_view text, std::string& problem) {
  problem.clear();
  return ExpressionParser{text, problem}.parse();
}

bool Expression::is_comparison() const {
  return !steps_.empty() && compares(steps_.back().code);
}

namespace {

// What an operator does with its operands' powers when they differ.
bool same_kind(const Quantity& a, const Quantity& b, std::string& problem) {
  if (a.power == b.power) return true;
  problem = fmt::format("it puts {} and {} together", what(a.power), what(b.power));
  return false;
}

}  // namespace

std::optional<Quantity> Expression::applied(Code code, const Quantity& a, const Quantity& b) {
  if (code == Code::add) return sum(a, b, 1);
  if (code == Code::subtract) return sum(a, b, -1);
  if (code == Code::multiply) return product(a, b);
  if (code == Code::divide) {
    return product(a, reduced(b.denominator, b.numerator, -b.power));
  }
  const auto compared = order(a, b);
  if (!compared) return std::nullopt;
  switch (code) {
    case Code::smaller_of:
      return *compared <= 0 ? a : b;
    case Code::larger_of:
      return *compared >= 0 ? a : b;
    case Code::less:
      return Quantity::whole(*compared < 0 ? 1 : 0);
    case Code::at_most:
      return Quantity::whole(*compared <= 0 ? 1 : 0);
    case Code::more:
      return Quantity::whole(*compared > 0 ? 1 : 0);
    case Code::at_least:
      return Quantity::whole(*compared >= 0 ? 1 : 0);
    case Code::equal:
      return Quantity::whole(*compared == 0 ? 1 : 0);
    default:
      return Quantity::whole(*compared != 0 ? 1 : 0);
  }
}

std::optional<Quantity> Expression::value(const Lookup& lookup, std::string& problem) const {
  problem.clear();
  std::vector<Quantity> stack;
  const auto pop = [&] {
    const Quantity top = stack.back();
    stack.pop_back();
    return top;
  };
  for (const Step& step : steps_) {
    std::optional<Quantity> made;
    if (step.code == Code::constant) {
      made = step.constant;
    } else if (step.code == Code::name) {
      made = lookup(names_[step.name]);
      if (!made) {
        problem = fmt::format("{} has no value that can be computed with", names_[step.name]);
        return std::nullopt;
      }
    } else if (step.code == Code::negate) {
      const Quantity of = pop();
      made = Quantity{-of.numerator, of.denominator, of.power};
    } else if (step.code == Code::floor) {
      const Quantity of = pop();
      if (of.power != 0) {
        problem = "floor takes a number, as in floor(L / 1s)";
        return std::nullopt;
      }
      made = Quantity{floor_of(of), 1, 0};
    } else {
      const Quantity b = pop();
      const Quantity a = pop();
      const bool scales = step.code == Code::multiply || step.code == Code::divide;
      if (!scales && !same_kind(a, b, problem)) return std::nullopt;
      if (step.code == Code::divide && b.numerator == 0) {
        problem = "it divides by zero";
        return std::nullopt;
      }
      made = applied(step.code, a, b);
    }
    if (!made) {
      problem = "its numbers grow too large";
      return std::nullopt;
    }
    stack.push_back(*made);
  }
  return stack.back();
}

}  // namespace tenure::scenario
