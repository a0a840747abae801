// Durations drawn per event. Sampling gives the same bits with every compiler: the inverse of the
// distribution function, computed with the functions of exact_math.hpp and rounded to whole
// nanoseconds.
#pragma once

#include <cstdint>
#include <vector>

#include <tenure/base/oracle.hpp>
#include <tenure/base/time.hpp>

namespace tenure {

struct Distribution {
  enum class Kind : std::uint8_t {
    constant,
    uniform,
    exponential,
    lognormal,
    pareto,
    empirical,
    mixture
  };

  // A point of an empirical distribution: the share of draws that are at most `value`.
  struct Point {
    Duration value{};
    double cumulative = 0;  // in (0, 1], not decreasing; the last is 1

    friend bool operator==(const Point&, const Point&) = default;
  };

  Kind kind = Kind::constant;
  Duration low{};     // constant: the value; uniform: smallest; exponential: mean; lognormal: p50;
                      // pareto: min
  Duration high{};    // uniform: largest, included; lognormal: p99
  Duration grain{1};  // uniform: between two neighbouring values; divides high - low
  double alpha = 0;   // pareto
  std::vector<Point> points;        // empirical
  std::vector<Distribution> parts;  // mixture
  std::vector<double> weights;      // mixture; positive, any sum

  static Distribution constant(Duration value);
  static Distribution uniform(Duration low, Duration high);
  static Distribution on_grid(Duration low, Duration high, Duration grain);
  static Distribution exponential(Duration mean);
  static Distribution lognormal(Duration p50, Duration p99);
  static Distribution pareto(Duration least, double alpha);
  static Distribution empirical(std::vector<Point> points);
  static Distribution mixture(std::vector<Distribution> parts, std::vector<double> weights);

  // The smallest and the largest value that can be drawn; `longest_duration` where there is no
  // bound.
  Duration lower_bound() const;
  Duration upper_bound() const;

  friend bool operator==(const Distribution&, const Distribution&) = default;
};

// One draw; never negative. A constant asks the oracle nothing; a mixture asks under `draw` for the
// part, and the part under the same stream, 2^63 draws further on, for the value. A mixture inside
// a mixture goes another 2^62 draws on, and so forth, so that no two questions share a number.
//
// An empirical distribution interpolates between its points; the share of the first one is an atom
// at its value, since nothing is known of what lies below.
Duration sample(const Distribution& distribution, Oracle& oracle, Draw draw);

}  // namespace tenure
