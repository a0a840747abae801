// The functions of the subset, and the names outside of it that Prometheus knows.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include <tenure/alert/promql.hpp>

namespace tenure::alert {

struct FunctionSignature {
  std::string_view name;
  Function function = Function::time;
  std::vector<ValueType> parameters;
  std::size_t optional = 0;  // so many of the last parameters may be left out
  ValueType result = ValueType::instant_vector;
};

const FunctionSignature* find_function(std::string_view name);
bool is_function_outside(std::string_view name);

std::string_view to_text(ValueType type);

}  // namespace tenure::alert
