#include <cmath>
#include <cstdint>
#include <limits>

#include <boost/math/special_functions/erf.hpp>
#include <doctest/doctest.h>

#include <tenure/base/exact_math.hpp>

namespace {

namespace exact = tenure::exact;

// The relative difference, or the absolute one where the reference is 0.
double error(double value, double reference) {
  return reference == 0 ? std::abs(value) : std::abs((value - reference) / reference);
}

}  // namespace

TEST_CASE("the logarithm agrees with libm to 13 digits over the whole range of doubles") {
  for (double x = 1e-310; x < 1e300; x *= 1.7310019)
    CHECK(error(exact::log(x), std::log(x)) < 1e-13);
  for (double x = 0.5; x < 2; x += 1.0 / 1024) CHECK(error(exact::log(x), std::log(x)) < 1e-13);
  CHECK(exact::log(1) == 0);
  CHECK(exact::log(std::numeric_limits<double>::denorm_min()) ==
        doctest::Approx(-744.4400719213812));
}

TEST_CASE("the logarithm keeps its digits next to 1, where it is nearly 0") {
  for (int k = 10; k <= 52; ++k) {
    const double step = std::ldexp(1.0, -k);
    CHECK(error(exact::log(1 + step), std::log1p(step)) < 1e-13);
    CHECK(error(exact::log(1 - step), std::log1p(-step)) < 1e-13);
  }
}

TEST_CASE("the exponential agrees with libm to 13 digits") {
  for (double x = -708; x < 709; x += 0.3710017) CHECK(error(exact::exp(x), std::exp(x)) < 1e-13);
  CHECK(exact::exp(0) == 1);
  CHECK(exact::exp(1) == doctest::Approx(2.718281828459045).epsilon(1e-15));
}

TEST_CASE("the exponential is 0 and infinite beyond the range of doubles") {
  CHECK(exact::exp(-745.5) == 0);
  CHECK(exact::exp(-740) > 0);
  CHECK(exact::exp(709.5) == std::numeric_limits<double>::infinity());
}

TEST_CASE("exponential and logarithm are inverse to each other") {
  for (double x = -700; x < 700; x += 1.37) CHECK(std::abs(exact::log(exact::exp(x)) - x) < 1e-12);
}

TEST_CASE("the square root agrees with the machine's to one unit in the last place") {
  for (double x = 1e-310; x < 1e300; x *= 1.9310019) {
    CHECK(error(exact::square_root(x), std::sqrt(x)) < 3e-16);
  }
  CHECK(exact::square_root(0) == 0);
  CHECK(exact::square_root(144) == 12);
}

// Wichura's paper prints these as checks of AS 241.
TEST_CASE("the normal quantile gives the check values of algorithm AS 241") {
  CHECK(error(exact::normal_quantile(0.25), -0.6744897501960817) < 1e-15);
  CHECK(error(exact::normal_quantile(0.001), -3.090232306167814) < 1e-15);
  CHECK(error(exact::normal_quantile(1e-20), -9.262340089798408) < 1e-15);
}

TEST_CASE("the normal quantile agrees with the inverse of the error function to 13 digits") {
  const double root_of_two = std::sqrt(2.0);
  const auto reference = [root_of_two](double p) {
    return -root_of_two * boost::math::erfc_inv(2 * p);
  };
  for (double p = 1e-15; p < 0.5; p *= 1.0731) {
    CHECK(error(exact::normal_quantile(p), reference(p)) < 1e-13);
  }
  for (double p = 0.5; p < 1; p += 1.0 / 512) {
    CHECK(std::abs(exact::normal_quantile(p) - reference(p)) < 1e-13);
  }
}

TEST_CASE("the normal quantile is symmetric") {
  CHECK(exact::normal_quantile(0.5) == 0);
  for (double p = 1.0 / 1024; p < 0.5; p += 1.0 / 1024) {
    CHECK(exact::normal_quantile(p) == -exact::normal_quantile(1 - p));
  }
}

// Both compilers must give these bits; the figures come from the first run and only ever change
// with a reason.
TEST_CASE("the functions give the same bits everywhere") {
  CHECK(exact::log(0.3) == -0x1.34378fcbda721p+0);
  CHECK(exact::log(12345.678) == 0x1.2d79559791e31p+3);
  CHECK(exact::exp(-3.7) == 0x1.9511fc6871044p-6);
  CHECK(exact::exp(5.1) == 0x1.480b376f013e2p+7);
  CHECK(exact::square_root(2) == 0x1.6a09e667f3bccp+0);
  CHECK(exact::normal_quantile(0.99) == 0x1.29c5c4630ff0ep+1);
  CHECK(exact::normal_quantile(0.9999) == 0x1.dc08bb712897ap+1);
}
