#include <variant>

#include <tenure/alert/promql.hpp>

namespace tenure::alert {
namespace {

void collect(const Expr& expr, std::vector<const Selector*>& out);

void collect_of(const Number&, std::vector<const Selector*>&) {}
void collect_of(const Selector& form, std::vector<const Selector*>& out) {
  out.push_back(&form);
}
void collect_of(const Unary& form, std::vector<const Selector*>& out) {
  collect(*form.operand, out);
}
void collect_of(const Binary& form, std::vector<const Selector*>& out) {
  collect(*form.left, out);
  collect(*form.right, out);
}
void collect_of(const Aggregation& form, std::vector<const Selector*>& out) {
  collect(*form.operand, out);
}
void collect_of(const Call& form, std::vector<const Selector*>& out) {
  for (const ExprPointer& argument : form.arguments) collect(*argument, out);
}

void collect(const Expr& expr, std::vector<const Selector*>& out) {
  std::visit([&out](const auto& form) { collect_of(form, out); }, expr.form);
}

}  // namespace

std::vector<const Selector*> selectors_of(const Expr& expr) {
  std::vector<const Selector*> out;
  collect(expr, out);
  return out;
}

}  // namespace tenure::alert
