#include "alert_lints.hpp"

#include <string>
#include <variant>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/base/variant.hpp>

namespace tenure::scenario {
namespace {

using alert::Aggregation;
using alert::Binary;
using alert::BinaryOp;
using alert::Call;
using alert::Expr;
using alert::Function;
using alert::Number;
using alert::Selector;

bool is_comparison(BinaryOp op) {
  return op >= BinaryOp::equal && op <= BinaryOp::at_least;
}

// increase(x[10m]) and its relatives count what one process did.
const Call* counting_call(const Expr& expr) {
  const auto* call = std::get_if<Call>(&expr.form);
  if (call == nullptr) return nullptr;
  switch (call->function) {
    case Function::increase:
    case Function::rate:
    case Function::delta:
    case Function::changes:
      return call;
    default:
      return nullptr;
  }
}

bool is_above(BinaryOp op) {
  return op == BinaryOp::more || op == BinaryOp::at_least;
}

std::uint64_t processes(const Scenario& scenario) {
  std::uint64_t count = 0;
  for (const Candidates& group : scenario.candidates) count += group.replicas;
  return count;
}

// Whether a sum that is 0 would make the comparison true.
bool holds_for_zero(BinaryOp op, double other) {
  switch (op) {
    case BinaryOp::equal:
      return other == 0;
    case BinaryOp::less:
      return 0 < other;
    case BinaryOp::at_most:
      return 0 <= other;
    default:
      return false;
  }
}

class Linter {
 public:
  Linter(const Reader& at, const std::string& name, const Scenario& scenario)
      : at_(at), name_(name), scenario_(scenario) {}

  void visit(const Expr& expr) {
    std::visit(overloaded{
                   [](const auto&) {},
                   [this](const alert::Unary& unary) { visit(*unary.operand); },
                   [this, &expr](const Binary& binary) { visit_binary(expr, binary); },
               },
               expr.form);
  }

 private:
  void visit_binary(const Expr& expr, const Binary& binary) {
    if (is_comparison(binary.op)) {
      const auto* number = std::get_if<Number>(&binary.right->form);
      if (number != nullptr) compares(expr, binary, number->value);
      return;
    }
    // `or` with something that is there when the left side is not answers for it.
    if (binary.op == BinaryOp::logical_or && answers_for_nothing(*binary.right)) {
      is_covered_ = true;
    }
    visit(*binary.left);
    visit(*binary.right);
  }

  static bool answers_for_nothing(const Expr& expr) {
    const auto* call = std::get_if<Call>(&expr.form);
    return call != nullptr &&
           (call->function == Function::absent || call->function == Function::absent_over_time ||
            call->function == Function::vector);
  }

  std::string_view written(const Expr& expr) const {
    return at_.text().substr(expr.begins_at, expr.ends_at - expr.begins_at);
  }

  void compares(const Expr& expr, const Binary& binary, double number) {
    const Expr& left = *binary.left;
    const std::size_t length = expr.ends_at - expr.begins_at;
    const Position where = at_.position_within(expr.begins_at, length);
    if (counting_call(left) != nullptr && is_above(binary.op) && processes(scenario_) > 1) {
      const std::string_view rest = written(expr).substr(left.ends_at - left.begins_at);
      at_.warning_at(where, "W0401", fmt::format("alert {} looks at each pod alone", quoted(name_)),
                     {fmt::format("{} is per series: what {} pods do together is not added up",
                                  visible(written(left)), processes(scenario_)),
                      fmt::format("for the whole election use: sum({}){}", visible(written(left)),
                                  visible(rest))});
    }
    const auto* aggregation = std::get_if<Aggregation>(&left.form);
    if (aggregation == nullptr || is_covered_ || !holds_for_zero(binary.op, number)) return;
    const auto* selector = std::get_if<Selector>(&aggregation->operand->form);
    if (selector == nullptr) return;
    at_.warning_at(where, "W0402",
                   fmt::format("{} cannot fire when every target is gone", visible(written(expr))),
                   {fmt::format("{} over no series is empty, not 0; add: or absent({})",
                                visible(written(left)), visible(written(*aggregation->operand)))});
  }

  const Reader& at_;
  const std::string& name_;
  const Scenario& scenario_;
  bool is_covered_ = false;
};

}  // namespace

void lint(const Reader& at,
          const std::string& alert,
          const alert::Expr& expr,
          const Scenario& scenario) {
  Linter{at, alert, scenario}.visit(expr);
}

}  // namespace tenure::scenario
