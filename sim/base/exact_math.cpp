#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <tenure/base/assert.hpp>
#include <tenure/base/exact_math.hpp>

namespace tenure::exact {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double smallest_normal = std::numeric_limits<double>::min();
constexpr double root_of_two = 1.4142135623730951;

// ln 2 in two parts: the upper one ends in zeros, so that its product with an exponent is exact.
constexpr double ln2_upper = 0x1.62e42feep-1;
constexpr double ln2_lower = 0x1.a39ef35793c76p-33;

// x = mantissa * 2^exponent with the mantissa in [1, 2); x > 0 and finite.
struct Split {
  double mantissa;
  int exponent;
};

Split split(double x) {
  int exponent = 0;
  if (x < smallest_normal) {  // subnormal: its exponent field says nothing
    x *= 0x1p54;
    exponent = -54;
  }
  const auto bits = std::bit_cast<std::uint64_t>(x);
  exponent += static_cast<int>(bits >> 52) - 1023;
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  return {std::bit_cast<double>(fraction | (std::uint64_t{1023} << 52)), exponent};
}

// 2 to the `exponent`, which lies in the normal range.
double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

// Horner's rule; the constant term comes first.
template <std::size_t N>
double polynomial(const std::array<double, N>& coefficients, double x) {
  double sum = coefficients[N - 1];
  for (std::size_t i = N - 1; i > 0; --i) sum = sum * x + coefficients[i - 1];
  return sum;
}

// Wichura, "The percentage points of the normal distribution", Applied Statistics 37 (1988),
// algorithm AS 241, routine PPND16; about 1 part in 10^16. Three ranges, each a ratio of
// polynomials of degree 7.
struct Approximation {
  std::array<double, 8> numerator;
  std::array<double, 8> denominator;

  double at(double x) const { return polynomial(numerator, x) / polynomial(denominator, x); }
};

constexpr Approximation central{
    {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
     1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
     3.3430575583588128105e4, 2.5090809287301226727e3},
    {1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
     2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
     5.2264952788528545610e3}};

constexpr Approximation tail{
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
     3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
     2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
     1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
     1.05075007164441684324e-9}};

constexpr Approximation far_tail{
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
     2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
     2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
     7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
     2.04426310338993978564e-15}};

}  // namespace

// ln m = 2 atanh((m - 1) / (m + 1)) for m near 1, as its power series: with m in [1/sqrt 2, sqrt 2)
// the square of the argument is below 0.0295, and what follows the eleventh term is below one part
// in 10^18.
double log(double x) {
  TENURE_ASSERT(x > 0 && x < infinity, "a logarithm exists for positive numbers only");
  static constexpr std::array<double, 12> series{2.0,        2.0 / 3.0,  2.0 / 5.0,  2.0 / 7.0,
                                                 2.0 / 9.0,  2.0 / 11.0, 2.0 / 13.0, 2.0 / 15.0,
                                                 2.0 / 17.0, 2.0 / 19.0, 2.0 / 21.0, 2.0 / 23.0};
  Split parts = split(x);
  if (parts.mantissa > root_of_two) {
    parts.mantissa *= 0.5;
    ++parts.exponent;
  }
  const double s = (parts.mantissa - 1.0) / (parts.mantissa + 1.0);
  const double of_mantissa = s * polynomial(series, s * s);
  const double exponent = parts.exponent;
  return exponent * ln2_upper + (of_mantissa + exponent * ln2_lower);
}

// e^x = 2^k e^r with r at most ln 2 / 2 in size, where the Taylor series up to r^14 is exact to the
// last bit.
double exp(double x) {
  static constexpr std::array<double, 15> series{1.0,
                                                 1.0,
                                                 1.0 / 2.0,
                                                 1.0 / 6.0,
                                                 1.0 / 24.0,
                                                 1.0 / 120.0,
                                                 1.0 / 720.0,
                                                 1.0 / 5040.0,
                                                 1.0 / 40320.0,
                                                 1.0 / 362880.0,
                                                 1.0 / 3628800.0,
                                                 1.0 / 39916800.0,
                                                 1.0 / 479001600.0,
                                                 1.0 / 6227020800.0,
                                                 1.0 / 87178291200.0};
  if (x < -745.0) return 0.0;
  if (x > 709.0) return infinity;
  const double turns = x / (ln2_upper + ln2_lower);
  const int k = static_cast<int>(turns < 0 ? turns - 0.5 : turns + 0.5);
  const double r = (x - k * ln2_upper) - k * ln2_lower;
  const double of_rest = polynomial(series, r);
  if (k >= -1021) return of_rest * power_of_two(k);
  return of_rest * power_of_two(k + 600) *
         power_of_two(-600);  // a subnormal result is rounded once
}

// Newton's iteration on [1, 4): the straight line it begins with is off by less than 5 %, and each
// step squares the error, so that four reach the last bit; one more settles it.
double square_root(double x) {
  TENURE_ASSERT(x >= 0 && x < infinity, "a square root exists for non-negative numbers only");
  if (x == 0) return 0;
  Split parts = split(x);
  if (parts.exponent % 2 != 0) {
    parts.mantissa *= 2;
    --parts.exponent;
  }
  double root = 0.69 + 0.33 * parts.mantissa;
  for (int step = 0; step < 5; ++step) root = 0.5 * (root + parts.mantissa / root);
  return root * power_of_two(parts.exponent / 2);
}

double normal_quantile(double p) {
  TENURE_ASSERT(p > 0 && p < 1, "the normal distribution has quantiles for 0 < p < 1");
  const double from_middle = p - 0.5;
  const double distance = from_middle < 0 ? -from_middle : from_middle;
  if (distance <= 0.425) return from_middle * central.at(0.180625 - distance * distance);
  const double beyond = from_middle < 0 ? p : 1.0 - p;
  const double r = square_root(-log(beyond));
  const double size = r <= 5.0 ? tail.at(r - 1.6) : far_tail.at(r - 5.0);
  return from_middle < 0 ? -size : size;
}

}  // namespace tenure::exact
