// What the parameters of a sweep are at one point, and all the combinations that its file asks for.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenure/scenario/sweep.hpp>

namespace tenure::scenario {

// By Sweep::parameters; a text is empty until a formula is computed.
using PointValues = std::vector<ParameterValue>;

bool are_equal(const ParameterValue& a, const ParameterValue& b);

// Of two points the same if and only if all their values are equal.
std::string key_of(const PointValues& values);

// The parameter of that name; the number of parameters when there is none.
std::size_t index_of(const Sweep& sweep, std::string_view name);

// For formulas. Refers to both from then on.
Expression::Lookup lookup_in(const Sweep& sweep, const PointValues& values);

// "L=15s R=2s D=10s"
std::string text_of(const Sweep& sweep, const PointValues& values);

// Why there are no points.
struct NoPoints {
  bool are_too_many = false;
  Position where;
  std::string range;  // the parameter whose range holds no value, when they are not too many
};

// All combinations of what is listed, the first parameter outermost, with the draws of the design
// for each of them; formulas are left open. Nothing: `why` says it.
std::optional<std::vector<PointValues>> combinations_of(const Sweep& sweep,
                                                        std::size_t most,
                                                        NoPoints& why);

}  // namespace tenure::scenario
