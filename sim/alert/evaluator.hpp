// How a tree is evaluated at one instant. The first failure ends it: what is returned afterwards is
// empty.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tenure/alert/evaluate.hpp>

namespace tenure::alert {

// A scalar, or the elements of an instant vector.
struct Value {
  bool is_scalar = false;
  double scalar = 0;
  Vector vector;
};

class Evaluator {
 public:
  Evaluator(const SeriesStore& store, Millis at, PrometheusVersion version)
      : store_(&store), at_(at), version_(version) {}

  Value value(const Expr& expr);
  const std::optional<EvaluationFailure>& failure() const { return failure_; }

 private:
  Value value_of_form(const Number& number);
  Value value_of_form(const Selector& selector);
  Value value_of_form(const Unary& unary);
  Value value_of_form(const Binary& binary);
  Value value_of_form(const Aggregation& aggregation);
  Value value_of_form(const Call& call);

  Value over_range(Function function, const Selector& selector);
  Value vector_of(Vector elements);
  void fail(std::string text);

  const SeriesStore* store_;
  Millis at_;
  PrometheusVersion version_;
  std::optional<EvaluationFailure> failure_;
};

// One step of arithmetic or comparison, as Go computes it; of a comparison the left value, and
// whether it holds.
struct Computed {
  double value = 0;
  bool keep = true;
};
Computed computed(BinaryOp op, double left, double right);

bool drops_metric_name(BinaryOp op);

// Two vectors; nothing but a failure in `failure` when their elements cannot be paired.
Vector combined(const Binary& binary,
                const Vector& left,
                const Vector& right,
                std::optional<EvaluationFailure>& failure);

Vector aggregated(const Aggregation& aggregation,
                  const Vector& elements,
                  PrometheusVersion version);

}  // namespace tenure::alert
