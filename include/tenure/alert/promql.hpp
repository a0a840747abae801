// The part of PromQL that alert rules on elections need (interface section 8), as a tree. What is
// outside of it is refused by name: a rule that is evaluated is evaluated as Prometheus does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tenure/alert/pattern.hpp>
#include <tenure/alert/series.hpp>

namespace tenure::alert {

struct Expr;
using ExprPointer = std::shared_ptr<const Expr>;

struct Matcher {
  enum class Op : std::uint8_t { equal, different, matches, matches_not };

  std::string name;
  Op op = Op::equal;
  std::string value;
  Pattern pattern;  // of the last two
};

struct Number {
  double value = 0;
};

struct Selector {
  std::vector<Matcher> matchers;
  Millis offset = 0;
  Millis range = 0;  // 0: an instant vector
};

struct Unary {
  bool negates = false;
  ExprPointer operand;
};

enum class BinaryOp : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  modulo,
  power,
  equal,
  different,
  less,
  at_most,
  more,
  at_least,
  logical_and,
  logical_or,
  unless,
};

struct Matching {
  bool on = false;                  // only these labels; else all but these
  std::vector<std::string> labels;  // with `on` false and none: all labels
};

struct Binary {
  BinaryOp op = BinaryOp::add;
  bool returns_bool = false;
  Matching matching;
  ExprPointer left;
  ExprPointer right;
};

struct Aggregation {
  enum class Op : std::uint8_t { sum, min, max, avg, count };

  Op op = Op::sum;
  bool without = false;  // these labels; else by them
  std::vector<std::string> labels;
  ExprPointer operand;
};

enum class Function : std::uint8_t {
  increase,
  rate,
  irate,
  delta,
  changes,
  resets,
  min_over_time,
  max_over_time,
  avg_over_time,
  sum_over_time,
  count_over_time,
  last_over_time,
  absent_over_time,
  absent,
  vector,
  scalar,
  time,
  abs,
  ceil,
  floor,
  round,
  clamp_min,
  clamp_max,
};

struct Call {
  Function function = Function::time;
  std::vector<ExprPointer> arguments;
};

enum class ValueType : std::uint8_t { scalar, instant_vector, range_vector };

struct Expr {
  std::variant<Number, Selector, Unary, Binary, Aggregation, Call> form;
  ValueType type = ValueType::scalar;
  std::size_t begins_at = 0;  // bytes of the text
  std::size_t ends_at = 0;
};

// Why a text is not evaluated, and which bytes of it are to blame.
struct Problem {
  enum class Kind : std::uint8_t {
    invalid,  // Prometheus refuses it too
    outside,  // Prometheus takes it; it is not in the subset
  };

  Kind kind = Kind::invalid;
  std::string text;
  std::size_t begins_at = 0;
  std::size_t length = 1;
  std::string hint;  // may be empty
};

std::variant<ExprPointer, Problem> parse_promql(std::string_view text);

// What a rule may be: a scalar or an instant vector.
std::variant<ExprPointer, Problem> parse_rule_expression(std::string_view text);

// "5m", "1h30m", "250ms", in units that descend, as Prometheus writes durations; nothing: it is
// none.
bool parse_prometheus_duration(std::string_view text, Millis& out);

// Every selector in the tree, from left to right.
std::vector<const Selector*> selectors_of(const Expr& expr);

}  // namespace tenure::alert
