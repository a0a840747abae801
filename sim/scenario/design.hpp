// Where in its ranges a design puts its points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tenure/scenario/sweep.hpp>

namespace tenure::scenario {

// A place in a range: 0 is its begin, 2^32 would be its end.
using Place = std::uint32_t;

// points x dimensions. Of a Sobol design any first 2^k points have exactly one in each of 2^k equal
// parts of every range; of a Latin hypercube all points together have.
std::vector<std::vector<Place>> places_of(const Design& design, std::size_t dimensions);

// The value at a place of a range, or the `index`-th of `count` values of a grid, both ends
// included. Durations are rounded to 1 ms, other numbers to 0.001.
ParameterValue value_at(const ValueRange& range, Place place);
std::vector<ParameterValue> grid_values(const ValueRange& range);

}  // namespace tenure::scenario
