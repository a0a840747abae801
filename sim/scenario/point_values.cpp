#include "point_values.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include <tenure/base/text.hpp>

#include "design.hpp"

namespace tenure::scenario {
namespace {

bool is_drawn(const Parameter& parameter) {
  const auto* range = std::get_if<ValueRange>(&parameter.values);
  return range != nullptr && !range->step && !range->count;
}

// The values that a parameter has in a grid.
std::vector<ParameterValue> listed(const Parameter& parameter) {
  if (const auto* values = std::get_if<std::vector<ParameterValue>>(&parameter.values))
    return *values;
  return grid_values(std::get<ValueRange>(parameter.values));
}

std::vector<PointValues> multiplied(const std::vector<PointValues>& points,
                                    std::size_t parameter,
                                    const std::vector<ParameterValue>& values) {
  std::vector<PointValues> all;
  all.reserve(points.size() * values.size());
  for (const PointValues& point : points) {
    for (const ParameterValue& value : values) {
      all.push_back(point);
      all.back()[parameter] = value;
    }
  }
  return all;
}

std::vector<PointValues> with_draws(const std::vector<PointValues>& points,
                                    const std::vector<Parameter>& parameters,
                                    const std::vector<std::vector<Place>>& places) {
  std::vector<PointValues> all;
  all.reserve(points.size() * places.size());
  for (const PointValues& point : points) {
    for (const std::vector<Place>& place : places) {
      all.push_back(point);
      std::size_t dimension = 0;
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (!is_drawn(parameters[i])) continue;
        all.back()[i] = value_at(std::get<ValueRange>(parameters[i].values), place[dimension++]);
      }
    }
  }
  return all;
}

}  // namespace

bool are_equal(const ParameterValue& a, const ParameterValue& b) {
  return a.quantity && b.quantity ? *a.quantity == *b.quantity : a.text == b.text;
}

std::string key_of(const PointValues& values) {
  std::string key;
  for (const ParameterValue& value : values) {
    // A length before each, so that no text can look like two.
    std::string one = value.text;
    if (const auto& q = value.quantity) {
      const auto low = [](Quantity::Wide wide) { return static_cast<std::uint64_t>(wide); };
      const auto high = [](Quantity::Wide wide) { return static_cast<std::int64_t>(wide >> 64); };
      one = fmt::format("={}:{}/{}:{}^{}", high(q->numerator), low(q->numerator),
                        high(q->denominator), low(q->denominator), q->power);
    }
    key += fmt::format("{} {}", one.size(), one);
  }
  return key;
}

std::size_t index_of(const Sweep& sweep, std::string_view name) {
  const auto found = std::find_if(sweep.parameters.begin(), sweep.parameters.end(),
                                  [&](const Parameter& p) { return p.name == name; });
  return static_cast<std::size_t>(found - sweep.parameters.begin());
}

Expression::Lookup lookup_in(const Sweep& sweep, const PointValues& values) {
  return [&](std::string_view name) -> std::optional<Quantity> {
    const std::size_t index = index_of(sweep, name);
    return index < values.size() ? values[index].quantity : std::nullopt;
  };
}

std::string text_of(const Sweep& sweep, const PointValues& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].text.empty()) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", sweep.parameters[i].name,
                        visible(values[i].text));
  }
  return text;
}

std::optional<std::vector<PointValues>> combinations_of(const Sweep& sweep,
                                                        std::size_t most,
                                                        NoPoints& why) {
  std::vector<PointValues> points{PointValues(sweep.parameters.size())};
  std::size_t drawn = 0;
  for (std::size_t i = 0; i < sweep.parameters.size(); ++i) {
    const Parameter& parameter = sweep.parameters[i];
    if (is_drawn(parameter)) ++drawn;
    if (is_drawn(parameter) || std::holds_alternative<Expression>(parameter.values)) continue;
    const std::vector<ParameterValue> values = listed(parameter);
    if (values.empty() || points.size() * values.size() > most) {
      why = {!values.empty(), parameter.where, parameter.name};
      return std::nullopt;
    }
    points = multiplied(points, i, values);
  }
  if (drawn == 0) return points;
  if (points.size() * sweep.design.points > most) {
    why = {true, {}, {}};
    return std::nullopt;
  }
  return with_draws(points, sweep.parameters, places_of(sweep.design, drawn));
}

}  // namespace tenure::scenario
