#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <tenure/base/assert.hpp>
#include <tenure/base/distribution.hpp>
#include <tenure/base/exact_math.hpp>

namespace tenure {
namespace {

using Kind = Distribution::Kind;

Distribution of_kind(Kind kind, Duration low, Duration high = {}) {
  Distribution made;
  made.kind = kind;
  made.low = low;
  made.high = high;
  return made;
}

// A number strictly between 0 and 1: the middle of one of 2^52 equal cells. With 2^53 cells the
// upper half of the middles would not be doubles, and the last one would round to 1.
double unit_draw(Oracle& oracle, Draw draw) {
  constexpr std::uint64_t cells = std::uint64_t{1} << 52;
  return (static_cast<double>(oracle.pick(draw, cells - 1)) + 0.5) / static_cast<double>(cells);
}

// To the nearest whole nanosecond, a half upwards; within [0, longest_duration].
Duration rounded(double nanoseconds) {
  if (!(nanoseconds > 0)) return Duration{0};
  if (nanoseconds >= 0x1p63) return longest_duration;
  const auto whole = static_cast<std::int64_t>(nanoseconds);
  const bool up = nanoseconds - static_cast<double>(whole) >= 0.5;
  return Duration{up ? whole + 1 : whole};
}

double count_of(Duration duration) {
  return static_cast<double>(duration.count());
}

Duration uniform_draw(const Distribution& d, Oracle& oracle, Draw draw) {
  TENURE_ASSERT(d.low <= d.high, "a uniform distribution has its smaller end first");
  const std::uint64_t width =
      static_cast<std::uint64_t>(d.high.count()) - static_cast<std::uint64_t>(d.low.count());
  const auto grain = static_cast<std::uint64_t>(d.grain.count());
  const std::uint64_t at =
      static_cast<std::uint64_t>(d.low.count()) + oracle.pick(draw, width / grain) * grain;
  return std::max(Duration{static_cast<std::int64_t>(at)}, Duration{0});
}

Duration exponential_at(const Distribution& d, double u) {
  return rounded(count_of(d.low) * -exact::log(u));
}

Duration lognormal_at(const Distribution& d, double u) {
  if (d.low <= Duration{0}) return Duration{0};
  static const double z99 = exact::normal_quantile(0.99);
  const double sigma = exact::log(count_of(d.high) / count_of(d.low)) / z99;
  return rounded(count_of(d.low) * exact::exp(sigma * exact::normal_quantile(u)));
}

Duration pareto_at(const Distribution& d, double u) {
  TENURE_ASSERT(d.alpha > 0, "a Pareto distribution has a positive exponent");
  return std::max(d.low, rounded(count_of(d.low) * exact::exp(-exact::log(u) / d.alpha)));
}

Duration empirical_at(const Distribution& d, double u) {
  TENURE_ASSERT(!d.points.empty(), "an empirical distribution has a point");
  const auto reaches = [u](const Distribution::Point& point) { return point.cumulative >= u; };
  const auto upper = std::find_if(d.points.begin(), d.points.end(), reaches);
  if (upper == d.points.begin()) return rounded(count_of(upper->value));
  if (upper == d.points.end()) return rounded(count_of(d.points.back().value));
  const auto& lower = *(upper - 1);
  const double share = (u - lower.cumulative) / (upper->cumulative - lower.cumulative);
  const double value =
      count_of(lower.value) + share * (count_of(upper->value) - count_of(lower.value));
  return std::clamp(rounded(value), lower.value, upper->value);
}

const Distribution& part_at(const Distribution& d, double u) {
  TENURE_ASSERT(!d.parts.empty() && d.parts.size() == d.weights.size(),
                "a mixture has one weight for each part");
  double total = 0;
  for (const double weight : d.weights) total += weight;
  double rest = u * total;
  for (std::size_t i = 0; i + 1 < d.parts.size(); ++i) {
    if (rest < d.weights[i]) return d.parts[i];
    rest -= d.weights[i];
  }
  return d.parts.back();
}

// `step`: how far on the next question of a mixture lies.
Duration sample_stepping(const Distribution& d, Oracle& oracle, Draw draw, std::uint64_t step) {
  switch (d.kind) {
    case Kind::constant:
      return std::max(d.low, Duration{0});
    case Kind::uniform:
      return uniform_draw(d, oracle, draw);
    case Kind::exponential:
      return exponential_at(d, unit_draw(oracle, draw));
    case Kind::lognormal:
      return lognormal_at(d, unit_draw(oracle, draw));
    case Kind::pareto:
      return pareto_at(d, unit_draw(oracle, draw));
    case Kind::empirical:
      return empirical_at(d, unit_draw(oracle, draw));
    case Kind::mixture:
      break;
  }
  const Distribution& part = part_at(d, unit_draw(oracle, draw));
  return sample_stepping(part, oracle, Draw{draw.stream, draw.number + step}, step / 2);
}

}  // namespace

Distribution Distribution::constant(Duration value) {
  return of_kind(Kind::constant, value);
}

Distribution Distribution::uniform(Duration low, Duration high) {
  return of_kind(Kind::uniform, low, high);
}

Distribution Distribution::on_grid(Duration low, Duration high, Duration grain) {
  if (low == high) return constant(low);
  TENURE_ASSERT(grain > Duration{0} && (high - low) % grain == Duration{0},
                "both ends of a range on a grid lie on it");
  Distribution made = of_kind(Kind::uniform, low, high);
  made.grain = grain;
  return made;
}

Distribution Distribution::exponential(Duration mean) {
  return of_kind(Kind::exponential, mean);
}

Distribution Distribution::lognormal(Duration p50, Duration p99) {
  return of_kind(Kind::lognormal, p50, p99);
}

Distribution Distribution::pareto(Duration least, double alpha) {
  Distribution made = of_kind(Kind::pareto, least);
  made.alpha = alpha;
  return made;
}

Distribution Distribution::empirical(std::vector<Point> points) {
  Distribution made = of_kind(Kind::empirical, {});
  made.points = std::move(points);
  return made;
}

Distribution Distribution::mixture(std::vector<Distribution> parts, std::vector<double> weights) {
  Distribution made = of_kind(Kind::mixture, {});
  made.parts = std::move(parts);
  made.weights = std::move(weights);
  return made;
}

Duration Distribution::lower_bound() const {
  switch (kind) {
    case Kind::constant:
    case Kind::uniform:
    case Kind::pareto:
      return std::max(low, Duration{0});
    case Kind::exponential:
      return Duration{0};
    case Kind::lognormal:
      return high == low ? low : Duration{0};
    case Kind::empirical:
      return points.front().value;
    case Kind::mixture:
      break;
  }
  Duration least = longest_duration;
  for (const Distribution& part : parts) least = std::min(least, part.lower_bound());
  return least;
}

Duration Distribution::upper_bound() const {
  switch (kind) {
    case Kind::constant:
      return std::max(low, Duration{0});
    case Kind::uniform:
      return std::max(high, Duration{0});
    case Kind::exponential:
      return low > Duration{0} ? longest_duration : Duration{0};
    case Kind::pareto:
      return low > Duration{0} ? longest_duration : Duration{0};
    case Kind::lognormal:
      return high == low ? low : longest_duration;
    case Kind::empirical:
      return points.back().value;
    case Kind::mixture:
      break;
  }
  Duration most{0};
  for (const Distribution& part : parts) most = std::max(most, part.upper_bound());
  return most;
}

Duration sample(const Distribution& distribution, Oracle& oracle, Draw draw) {
  return sample_stepping(distribution, oracle, draw, std::uint64_t{1} << 63);
}

}  // namespace tenure
