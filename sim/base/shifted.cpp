#include <algorithm>
#include <utility>

#include <tenure/base/shifted.hpp>

namespace tenure {

namespace {

Duration smallest_of(const Distribution& d) {
  if (d.kind == Distribution::Kind::empirical) return d.points.front().value;
  if (d.kind != Distribution::Kind::mixture) return d.low;
  Duration smallest = longest_duration;
  for (const Distribution& part : d.parts) smallest = std::min(smallest, smallest_of(part));
  return smallest;
}

void shift(Distribution& d, Duration by) {
  const bool has_low =
      d.kind == Distribution::Kind::constant || d.kind == Distribution::Kind::uniform;
  if (has_low) d.low += by;
  if (d.kind == Distribution::Kind::uniform) d.high += by;
  for (Distribution::Point& point : d.points) point.value += by;
  for (Distribution& part : d.parts) shift(part, by);
}

}  // namespace

Shifted shifted(Distribution with_signs) {
  Shifted out{smallest_of(with_signs), std::move(with_signs)};
  shift(out.over, -out.base);
  return out;
}

Distribution with_signs(const Shifted& shifted) {
  Distribution out = shifted.over;
  shift(out, shifted.base);
  return out;
}

}  // namespace tenure
