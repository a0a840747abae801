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

// The value at a place of a range, or all values of a grid. A range with a step has exactly the
// values that it names. Others are rounded: durations to 1 ms and below a second to 1 us, numbers
// to 0.001 and those of a range that begins below 0.1 to 1e-9.
ParameterValue value_at(const ValueRange& range, Place place);
std::vector<ParameterValue> grid_values(const ValueRange& range);

}  // namespace tenure::scenario
