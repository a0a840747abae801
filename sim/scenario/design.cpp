#include "design.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include <boost/random/sobol.hpp>
#include <fmt/format.h>

#include <tenure/base/exact_math.hpp>
#include <tenure/base/oracle.hpp>
#include <tenure/base/text.hpp>

namespace tenure::scenario {
namespace {

using Places = std::vector<std::vector<Place>>;

Place middle_of(std::uint64_t cell, std::uint64_t cells) {
  return static_cast<Place>(((2 * cell + 1) << 31) / cells);
}

// Sobol's sequence with the direction numbers of Joe and Kuo (2008), moved by a digital shift: each
// coordinate XOR one random word, which keeps the balance and takes away the special place of 0.
Places sobol(const Design& design, std::size_t dimensions) {
  SeededOracle oracle{design.seed, 0};
  std::vector<Place> shift;
  for (std::size_t d = 0; d < dimensions; ++d) {
    const Stream stream = stream_named(fmt::format("design/sobol/{}", d));
    shift.push_back(
        static_cast<Place>(oracle.pick({stream, 0}, std::numeric_limits<Place>::max())));
  }
  boost::random::sobol sequence{dimensions};
  Places places(design.points, std::vector<Place>(dimensions));
  // The engine leaves out the first point of the sequence, 0, without which the first 2^k points
  // are not balanced.
  for (std::size_t point = 0; point < places.size(); ++point) {
    for (std::size_t d = 0; d < dimensions; ++d) {
      const auto word = point == 0 ? std::uint64_t{0} : std::uint64_t{sequence()};
      places[point][d] = static_cast<Place>(word >> 32) ^ shift[d];
    }
  }
  return places;
}

// ---- Latin hypercube

constexpr std::size_t hypercubes_tried = 20;
constexpr std::size_t most_compared = 500;  // points; the comparison is of every pair

std::vector<std::uint64_t> permutation(SeededOracle& oracle, Stream stream, std::uint64_t size) {
  std::vector<std::uint64_t> all(size);
  std::iota(all.begin(), all.end(), std::uint64_t{0});
  for (std::uint64_t left = size; left > 1; --left) {
    std::swap(all[left - 1], all[oracle.pick({stream, size - left}, left - 1)]);
  }
  return all;
}

// Columns: for each dimension the cell of each point.
using Cells = std::vector<std::vector<std::uint64_t>>;

std::uint64_t least_distance(const Cells& cells, std::uint64_t points) {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (std::uint64_t a = 0; a < points; ++a) {
    for (std::uint64_t b = a + 1; b < points; ++b) {
      std::uint64_t squares = 0;
      for (const auto& column : cells) {
        const std::uint64_t apart =
            column[a] > column[b] ? column[a] - column[b] : column[b] - column[a];
        squares += apart * apart;
      }
      least = std::min(least, squares);
    }
  }
  return least;
}

// The one of some random hypercubes whose nearest points are farthest apart (maximin).
Places latin_hypercube(const Design& design, std::size_t dimensions) {
  const bool compares = design.points <= most_compared;
  Cells best;
  std::uint64_t best_distance = 0;
  for (std::size_t attempt = 0; attempt < (compares ? hypercubes_tried : 1); ++attempt) {
    SeededOracle oracle{design.seed, attempt};
    Cells cells;
    for (std::size_t d = 0; d < dimensions; ++d) {
      cells.push_back(
          permutation(oracle, stream_named(fmt::format("design/latin/{}", d)), design.points));
    }
    const std::uint64_t distance = compares ? least_distance(cells, design.points) : 1;
    if (!best.empty() && distance <= best_distance) continue;
    best = std::move(cells);
    best_distance = distance;
  }
  Places places(design.points, std::vector<Place>(dimensions));
  for (std::uint64_t point = 0; point < design.points; ++point) {
    for (std::size_t d = 0; d < dimensions; ++d)
      places[point][d] = middle_of(best[d][point], design.points);
  }
  return places;
}

// ---- values: ranges end at 10^9 (decode_sweep.cpp), so that all of this fits

constexpr std::int64_t microsecond = 1'000;
constexpr std::int64_t millisecond = 1'000'000;

// Of an inexact value, as a scenario would write it: a duration to 1 ms, below a second to 1 us; a
// number to 0.001 or, where the range begins near zero, to 1e-9.
ParameterValue rounded(double value, const Quantity& from) {
  if (from.power == 1) {
    const std::int64_t grain = value < 1e9 ? microsecond : millisecond;
    const Duration time{static_cast<std::int64_t>(value / static_cast<double>(grain) + 0.5) *
                        grain};
    return {duration_text(time), Quantity::of(time)};
  }
  const std::int64_t parts = from.numerator * 10 >= from.denominator ? 1'000 : 1'000'000'000;
  const auto count = static_cast<std::int64_t>(value * static_cast<double>(parts) + 0.5);
  const Quantity quantity = Quantity::of(Ratio{count, parts});
  return {text_of(quantity).value_or("0"), quantity};
}

// Of a value in steps: what the file says, to the nanosecond.
std::optional<std::string> exact_text(const Quantity& value) {
  if (value.power != 1) return text_of(value);
  return duration_text(Duration{static_cast<std::int64_t>(value.numerator / value.denominator)});
}

double number(const Quantity& q) {
  return static_cast<double>(q.numerator) / static_cast<double>(q.denominator);
}

// `share` of the way through the range, from 0 to 1.
ParameterValue value_between(const ValueRange& range, double share) {
  const double from = number(range.from);
  const double to = number(range.to);
  if (range.scale == ValueRange::Scale::linear)
    return rounded(from + (to - from) * share, range.from);
  const double low = exact::log(from);
  return rounded(exact::exp(low + (exact::log(to) - low) * share), range.from);
}

}  // namespace

std::vector<std::vector<Place>> places_of(const Design& design, std::size_t dimensions) {
  if (design.kind == Design::Kind::sobol) return sobol(design, dimensions);
  return latin_hypercube(design, dimensions);
}

ParameterValue value_at(const ValueRange& range, Place place) {
  return value_between(range, (static_cast<double>(place) + 0.5) / 0x1p32);
}

std::vector<ParameterValue> grid_values(const ValueRange& range) {
  std::vector<ParameterValue> values;
  if (range.count) {
    for (std::uint64_t i = 0; i < *range.count; ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(*range.count - 1);
      values.push_back(value_between(range, share));
    }
    return values;
  }
  std::string ignored;
  const auto next = Expression::parse("value + step", ignored);
  const auto is_inside = Expression::parse("value <= end", ignored);
  Quantity value = range.from;
  const auto lookup = [&](std::string_view name) -> std::optional<Quantity> {
    return name == "value" ? value : name == "step" ? *range.step : range.to;
  };
  while (values.size() <= most_points) {
    const auto inside = is_inside->value(lookup, ignored);
    const auto text = exact_text(value);
    if (!inside || inside->numerator == 0 || !text) break;
    values.push_back({*text, value});
    const auto following = next->value(lookup, ignored);
    if (!following) break;
    value = *following;
  }
  return values;
}

}  // namespace tenure::scenario
