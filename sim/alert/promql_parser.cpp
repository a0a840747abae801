// A parser by recursive descent. Precedence and what may stand where are those of
// promql/parser/generated_parser.y of Prometheus v2.42.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <tenure/alert/promql.hpp>
#include <tenure/base/text.hpp>

#include "promql_functions.hpp"
#include "promql_lexer.hpp"
#include "token_cursor.hpp"

namespace tenure::alert {
namespace {

constexpr int deepest = 100;

struct Operator {
  std::string_view word;
  BinaryOp op = BinaryOp::add;
  int precedence = 0;
};
constexpr int power_precedence = 6;
constexpr std::array<Operator, 15> operators{{{"or", BinaryOp::logical_or, 1},
                                              {"and", BinaryOp::logical_and, 2},
                                              {"unless", BinaryOp::unless, 2},
                                              {"==", BinaryOp::equal, 3},
                                              {"!=", BinaryOp::different, 3},
                                              {"<", BinaryOp::less, 3},
                                              {"<=", BinaryOp::at_most, 3},
                                              {">", BinaryOp::more, 3},
                                              {">=", BinaryOp::at_least, 3},
                                              {"+", BinaryOp::add, 4},
                                              {"-", BinaryOp::subtract, 4},
                                              {"*", BinaryOp::multiply, 5},
                                              {"/", BinaryOp::divide, 5},
                                              {"%", BinaryOp::modulo, 5},
                                              {"^", BinaryOp::power, power_precedence}}};

bool is_comparison(BinaryOp op) {
  return op >= BinaryOp::equal && op <= BinaryOp::at_least;
}
bool is_set_operator(BinaryOp op) {
  return op >= BinaryOp::logical_and;
}

std::optional<Aggregation::Op> aggregation_named(const std::string& word) {
  if (word == "sum") return Aggregation::Op::sum;
  if (word == "min") return Aggregation::Op::min;
  if (word == "max") return Aggregation::Op::max;
  if (word == "avg") return Aggregation::Op::avg;
  if (word == "count") return Aggregation::Op::count;
  return std::nullopt;
}

constexpr std::array<std::string_view, 9> other_aggregations{
    "group",  "topk",   "bottomk", "count_values", "quantile",
    "stddev", "stdvar", "limitk",  "limit_ratio"};

bool is_label_name(std::string_view word) {
  return word.find(':') == std::string_view::npos;
}

// Whether Go's math.Pow can be repeated here to the last bit: powers by multiplication, and roots.
bool is_exact_exponent(const Expr& exponent) {
  const auto* number = std::get_if<Number>(&exponent.form);
  if (number == nullptr) return false;
  const double magnitude = std::fabs(number->value);
  return magnitude == 0.5 || (magnitude <= 1e6 && std::trunc(magnitude) == magnitude);
}

class Parser : TokenCursor {
 public:
  explicit Parser(std::vector<Token> tokens) : TokenCursor(std::move(tokens)) {}

  std::variant<ExprPointer, Problem> parse() {
    if (now().kind == Token::Kind::end)
      return Problem{Problem::Kind::invalid, "no expression", 0, 1, {}};
    ExprPointer all = binary(1);
    if (!problem_ && now().kind != Token::Kind::end) unexpected("after the expression");
    if (problem_) return *problem_;
    return all;
  }

 private:
  template <class Form>
  ExprPointer made(Form form, ValueType type, std::size_t begin) {
    return std::make_shared<const Expr>(Expr{std::move(form), type, begin, last_end()});
  }

  // ---- operators

  const Operator* operator_here() const {
    if (now().kind != Token::Kind::symbol && now().kind != Token::Kind::word) return nullptr;
    const std::string word = lower_case(now().text);
    const auto* const found = std::find_if(operators.begin(), operators.end(),
                                           [&](const Operator& o) { return o.word == word; });
    return found == operators.end() ? nullptr : found;
  }

  ExprPointer binary(int lowest) {
    ExprPointer left = unary();
    while (!problem_) {
      if (is_word("atan2")) return outside("atan2", now());
      const Operator* op = operator_here();
      if (op == nullptr || op->precedence < lowest) break;
      const std::size_t token = at_++;
      Binary form{op->op, false, {}, left, nullptr};
      modifiers(form);
      const bool is_right_associative = op->precedence == power_precedence;
      form.right = problem_ ? nullptr : binary(op->precedence + (is_right_associative ? 0 : 1));
      if (problem_) return nullptr;
      left = checked(std::move(form), tokens_[token]);
    }
    return problem_ ? nullptr : left;
  }

  void modifiers(Binary& form) {
    if (is_word("bool")) {
      if (!is_comparison(form.op)) {
        invalid("bool stands only behind a comparison", now());
        return;
      }
      form.returns_bool = true;
      ++at_;
    }
    if (is_word("on") || is_word("ignoring")) {
      form.matching.on = is_word("on");
      ++at_;
      form.matching.labels = label_list();
    }
    if (!problem_ && (is_word("group_left") || is_word("group_right"))) {
      outside(lower_case(now().text), now());
    }
  }

  ExprPointer checked(Binary form, const Token& op) {
    const ValueType left = form.left->type;
    const ValueType right = form.right->type;
    const bool of_scalars = left == ValueType::scalar && right == ValueType::scalar;
    const bool of_vectors = left == ValueType::instant_vector && right == ValueType::instant_vector;
    if (left == ValueType::range_vector || right == ValueType::range_vector) {
      return invalid(
          fmt::format("{} takes scalars and instant vectors, not a range vector", op.text), op);
    }
    if (of_scalars && is_comparison(form.op) && !form.returns_bool) {
      return invalid("a comparison of two scalars needs bool", op, fmt::format("{} bool", op.text));
    }
    if (!of_vectors && is_set_operator(form.op)) {
      return invalid(fmt::format("{} takes two instant vectors", op.text), op);
    }
    if (!of_vectors && !form.matching.labels.empty()) {
      return invalid("on and ignoring stand only between two instant vectors", op);
    }
    if (form.op == BinaryOp::power && !is_exact_exponent(*form.right)) {
      return outside("^ with an exponent that is not a whole number or 0.5", op);
    }
    const std::size_t begin = form.left->begins_at;
    return made(std::move(form), of_scalars ? ValueType::scalar : ValueType::instant_vector, begin);
  }

  ExprPointer unary() {
    if (++depth_ > deepest) {
      return outside(fmt::format("an expression nested more than {} deep", deepest), now());
    }
    ExprPointer out = unary_unguarded();
    --depth_;
    return out;
  }

  ExprPointer unary_unguarded() {
    if (!is_symbol("-") && !is_symbol("+")) return postfix();
    const Token& sign = now();
    const bool negates = sign.text == "-";
    ++at_;
    // A sign binds less than ^ and as much as *: -2^2 is -(2^2).
    ExprPointer operand = binary(power_precedence);
    if (problem_) return nullptr;
    if (operand->type == ValueType::range_vector) {
      return invalid("a sign stands before scalars and instant vectors", sign);
    }
    if (const auto* number = std::get_if<Number>(&operand->form)) {
      return made(Number{negates ? -number->value : number->value}, ValueType::scalar,
                  sign.begins_at);
    }
    const ValueType type = operand->type;
    return made(Unary{negates, std::move(operand)}, type, sign.begins_at);
  }

  // ---- selectors with what stands behind them

  ExprPointer postfix() {
    const bool is_parenthesis = is_symbol("(");
    ExprPointer out = primary();
    if (problem_) return nullptr;
    const auto* found = std::get_if<Selector>(&out->form);
    if (found == nullptr || is_parenthesis) {
      refuse_postfix();
      return problem_ ? nullptr : out;
    }
    Selector selector = *found;
    const std::size_t begin = out->begins_at;
    if (is_symbol("[")) range(selector);
    bool has_offset = false;
    while (!problem_ && is_word("offset")) {
      if (std::exchange(has_offset, true)) return invalid("offset stands twice", now());
      offset(selector);
    }
    if (is_symbol("@")) return outside("the @ modifier", now());
    if (is_symbol("[")) return invalid("a range stands before offset", now());
    if (problem_) return nullptr;
    const ValueType type =
        selector.range == 0 ? ValueType::instant_vector : ValueType::range_vector;
    return made(std::move(selector), type, begin);
  }

  void refuse_postfix() {
    if (is_symbol("[")) {
      for (std::size_t ahead = 1; now(ahead).kind != Token::Kind::end; ++ahead) {
        if (is_symbol("]", ahead)) break;
        if (is_symbol(":", ahead)) {
          outside("a subquery", now());
          return;
        }
      }
      invalid("a range stands only behind a selector", now());
    } else if (is_word("offset")) {
      invalid("offset stands only behind a selector", now());
    } else if (is_symbol("@")) {
      outside("the @ modifier", now());
    }
  }

  void range(Selector& selector) {
    const Token& open = now();
    ++at_;
    if (!duration(selector.range, "a range")) return;
    if (is_symbol(":")) {
      outside("a subquery", open);
      return;
    }
    if (selector.range == 0) {
      invalid("a range is longer than 0", tokens_[at_ - 1]);
      return;
    }
    expect_symbol("]", "in a range");
  }

  void offset(Selector& selector) {
    ++at_;
    const bool is_negative = take_symbol("-");
    if (!is_negative) take_symbol("+");
    if (!duration(selector.offset, "an offset")) return;
    if (is_negative) selector.offset = -selector.offset;
  }

  bool duration(Millis& out, std::string_view what) {
    const Token& token = now();
    if (token.kind == Token::Kind::number) {
      outside(fmt::format("{} without a unit", what), token);
      return false;
    }
    if (token.kind != Token::Kind::duration) {
      unexpected(fmt::format("where the duration of {} is expected", what));
      return false;
    }
    ++at_;
    return parse_prometheus_duration(token.text, out);
  }

  // ---- what everything is made of

  ExprPointer primary() {
    const Token& token = now();
    switch (token.kind) {
      case Token::Kind::number: {
        ++at_;
        double value = 0;
        parse_go_number(token.text, value);
        return made(Number{value}, ValueType::scalar, token.begins_at);
      }
      case Token::Kind::duration:
        return outside("a duration as a number", token);
      case Token::Kind::string:
        return outside("a text as a value", token);
      case Token::Kind::word:
        return word();
      case Token::Kind::symbol:
        if (token.text == "(") return parenthesis();
        if (token.text == "{") return selector({}, token.begins_at);
        break;
      case Token::Kind::end:
        break;
    }
    return unexpected("where a value is expected");
  }

  ExprPointer parenthesis() {
    ++at_;
    ExprPointer inside = binary(1);
    expect_symbol(")", "in parentheses");
    return problem_ ? nullptr : inside;
  }

  ExprPointer word() {
    const Token& token = now();
    const std::string lower = lower_case(token.text);
    const bool is_aggregation = is_symbol("(", 1) || is_word("by", 1) || is_word("without", 1);
    if (is_aggregation) {
      if (const auto op = aggregation_named(lower)) return aggregation(*op);
      if (std::find(other_aggregations.begin(), other_aggregations.end(), lower) !=
          other_aggregations.end()) {
        return outside(lower, token);
      }
    }
    if (is_symbol("(", 1)) return call();
    for (const std::string_view keyword : {"bool", "on", "ignoring", "group_left", "group_right"}) {
      if (lower == keyword) return unexpected("where a value is expected");
    }
    ++at_;
    constexpr double infinite = std::numeric_limits<double>::infinity();
    if (lower == "inf") return made(Number{infinite}, ValueType::scalar, token.begins_at);
    if (lower == "nan") {
      return made(Number{std::numeric_limits<double>::quiet_NaN()}, ValueType::scalar,
                  token.begins_at);
    }
    return selector(token.text, token.begins_at);
  }

  ExprPointer call() {
    const Token name = now();
    const FunctionSignature* function = find_function(name.text);
    if (function == nullptr) {
      if (is_function_outside(name.text)) return outside(fmt::format("{}()", name.text), name);
      return invalid(fmt::format("unknown function {}", quoted(name.text)), name);
    }
    ++at_;
    Call form{function->function, arguments()};
    if (problem_) return nullptr;
    const std::size_t most = function->parameters.size();
    if (form.arguments.size() > most || form.arguments.size() + function->optional < most) {
      return invalid(fmt::format("{}() takes {}{} argument{}, not {}", name.text,
                                 function->optional > 0 ? "at most " : "", most,
                                 most == 1 ? "" : "s", form.arguments.size()),
                     name);
    }
    for (std::size_t i = 0; i < form.arguments.size(); ++i) {
      const Expr& given = *form.arguments[i];
      if (given.type == function->parameters[i]) continue;
      return refuse(Problem::Kind::invalid,
                    fmt::format("{}() takes {}, not {}", name.text,
                                to_text(function->parameters[i]), to_text(given.type)),
                    given.begins_at, given.ends_at);
    }
    return made(std::move(form), function->result, name.begins_at);
  }

  std::vector<ExprPointer> arguments() {
    std::vector<ExprPointer> out;
    if (!expect_symbol("(", "before arguments")) return out;
    if (take_symbol(")")) return out;
    do {
      out.push_back(binary(1));
    } while (take_symbol(","));
    expect_symbol(")", "behind arguments");
    return out;
  }

  ExprPointer aggregation(Aggregation::Op op) {
    const Token name = now();
    ++at_;
    Aggregation form{op, false, {}, nullptr};
    const bool is_grouped = grouping(form);
    std::vector<ExprPointer> given;
    if (!problem_) given = arguments();
    if (!problem_ && !is_grouped) grouping(form);
    if (problem_) return nullptr;
    if (given.size() != 1) {
      return invalid(fmt::format("{} takes one argument, not {}", name.text, given.size()), name);
    }
    if (given[0]->type != ValueType::instant_vector) {
      return refuse(
          Problem::Kind::invalid,
          fmt::format("{} takes an instant vector, not {}", name.text, to_text(given[0]->type)),
          given[0]->begins_at, given[0]->ends_at);
    }
    form.operand = std::move(given[0]);
    return made(std::move(form), ValueType::instant_vector, name.begins_at);
  }

  bool grouping(Aggregation& form) {
    if (!is_word("by") && !is_word("without")) return false;
    form.without = is_word("without");
    ++at_;
    form.labels = label_list();
    return true;
  }

  std::vector<std::string> label_list() {
    std::vector<std::string> out;
    if (!expect_symbol("(", "where labels are listed")) return out;
    while (!problem_ && !is_symbol(")")) {
      if (now().kind != Token::Kind::word || !is_label_name(now().text)) {
        unexpected("where the name of a label is expected");
        return out;
      }
      out.push_back(now().text);
      ++at_;
      if (!take_symbol(",")) break;
    }
    expect_symbol(")", "in a list of labels");
    return out;
  }

  ExprPointer selector(const std::string& name, std::size_t begin) {
    Selector form;
    if (take_symbol("{")) matchers(form, name);
    if (problem_) return nullptr;
    if (!name.empty()) {
      form.matchers.push_back({std::string{metric_name_label}, Matcher::Op::equal, name, {}});
    }
    const bool selects = std::any_of(form.matchers.begin(), form.matchers.end(), is_not_empty);
    if (!selects) {
      return refuse(Problem::Kind::invalid,
                    "a selector needs a matcher that does not match the empty text", begin,
                    last_end());
    }
    return made(std::move(form), ValueType::instant_vector, begin);
  }

  static bool is_not_empty(const Matcher& matcher) {
    switch (matcher.op) {
      case Matcher::Op::equal:
        return !matcher.value.empty();
      case Matcher::Op::different:
        return matcher.value.empty();
      case Matcher::Op::matches:
        return !matcher.pattern.matches({});
      case Matcher::Op::matches_not:
        return matcher.pattern.matches({});
    }
    return true;
  }

  void matchers(Selector& form, const std::string& metric) {
    while (!problem_ && !is_symbol("}")) {
      matcher(form, metric);
      if (!take_symbol(",")) break;
    }
    expect_symbol("}", "in a selector");
  }

  void matcher(Selector& form, const std::string& metric) {
    const Token& name = now();
    if (name.kind == Token::Kind::string) {
      outside("a quoted name in a selector", name);
      return;
    }
    if (name.kind != Token::Kind::word || !is_label_name(name.text)) {
      unexpected("where the name of a label is expected");
      return;
    }
    if (name.text == metric_name_label && !metric.empty()) {
      invalid(fmt::format("the metric is named twice, as {} too", quoted(metric)), name);
      return;
    }
    ++at_;
    Matcher out{name.text, Matcher::Op::equal, {}, {}};
    if (take_symbol("!=")) {
      out.op = Matcher::Op::different;
    } else if (take_symbol("=~")) {
      out.op = Matcher::Op::matches;
    } else if (take_symbol("!~")) {
      out.op = Matcher::Op::matches_not;
    } else if (!expect_symbol("=", "behind the name of a label")) {
      return;
    }
    if (now().kind != Token::Kind::string) {
      unexpected("where the quoted value of a label is expected");
      return;
    }
    out.value = now().text;
    if (out.op == Matcher::Op::matches || out.op == Matcher::Op::matches_not) compile(out);
    ++at_;
    form.matchers.push_back(std::move(out));
  }

  void compile(Matcher& matcher) {
    std::variant<Pattern, PatternProblem> compiled = Pattern::compile(matcher.value);
    if (auto* pattern = std::get_if<Pattern>(&compiled)) {
      matcher.pattern = std::move(*pattern);
      return;
    }
    const PatternProblem& problem = std::get<PatternProblem>(compiled);
    const Token& token = now();
    // Escapes make the text shorter than what was written; then the whole of it is pointed at.
    const bool as_written = token.ends_at - token.begins_at == matcher.value.size() + 2;
    const std::size_t begin = token.begins_at + (as_written ? problem.at + 1 : 0);
    refuse(problem.outside ? Problem::Kind::outside : Problem::Kind::invalid,
           problem.outside ? problem.text : fmt::format("the regular expression: {}", problem.text),
           begin, as_written ? begin + 1 : token.ends_at);
  }

  int depth_ = 0;
};

}  // namespace

std::variant<ExprPointer, Problem> parse_promql(std::string_view text) {
  std::variant<std::vector<Token>, Problem> tokens = lex_promql(text);
  if (auto* problem = std::get_if<Problem>(&tokens)) return std::move(*problem);
  return Parser{std::move(std::get<std::vector<Token>>(tokens))}.parse();
}

std::variant<ExprPointer, Problem> parse_rule_expression(std::string_view text) {
  std::variant<ExprPointer, Problem> parsed = parse_promql(text);
  const auto* expr = std::get_if<ExprPointer>(&parsed);
  if (expr != nullptr && (*expr)->type == ValueType::range_vector) {
    return Problem{Problem::Kind::invalid,
                   "a rule takes a scalar or an instant vector, not a range vector",
                   (*expr)->begins_at,
                   (*expr)->ends_at - (*expr)->begins_at,
                   {}};
  }
  return parsed;
}

}  // namespace tenure::alert
