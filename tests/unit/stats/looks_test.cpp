#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/stats/looks.hpp>

using namespace tenure::stats;

namespace {
using Numbers = std::vector<std::uint64_t>;
}

// statistics 5, rule 2: alpha_k = alpha / (k (k + 1)).
TEST_CASE("however often it is looked, the looks share the five per cent") {
  CHECK(alpha_of_look(1) == doctest::Approx(0.025));
  CHECK(alpha_of_look(2) == doctest::Approx(0.05 / 6));
  double sum = 0;
  for (std::size_t look = 1; look <= 10'000; ++look) sum += alpha_of_look(look);
  CHECK(sum < 0.05);
  CHECK(sum == doctest::Approx(0.05).epsilon(1e-3));
}

TEST_CASE("looks double from a thousand when none are listed, and the cap is the last") {
  CHECK(looks_up_to(10'000, {}) == Numbers{1000, 2000, 4000, 8000, 10'000});
  CHECK(looks_up_to(1000, {}) == Numbers{1000});
  CHECK(looks_up_to(50, {}) == Numbers{50});
}

TEST_CASE("listed looks are kept up to the cap") {
  CHECK(looks_up_to(1000, Numbers{100, 500, 1000, 2000}) == Numbers{100, 500, 1000});
  CHECK(looks_up_to(700, Numbers{100, 500, 1000}) == Numbers{100, 500, 700});
}

TEST_CASE("a campaign that ends between two looks uses up the later one") {
  const Numbers looks{1000, 2000, 4000};
  CHECK(number_of_look(looks, 1) == 1);
  CHECK(number_of_look(looks, 1000) == 1);
  CHECK(number_of_look(looks, 1001) == 2);
  CHECK(number_of_look(looks, 4000) == 3);
}
