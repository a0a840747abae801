#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/base/fields.hpp>

using namespace tenure;

namespace {

struct Point {
  int x = 0;
  int y = 0;

  static constexpr auto fields() {
    return std::tuple{Field{"x", &Point::x}, Field{"y", &Point::y}};
  }
};

struct Forgetful {
  int remembered = 0;
  int forgotten = 0;

  static constexpr auto fields() { return std::tuple{Field{"remembered", &Forgetful::remembered}}; }
};

}  // namespace

TEST_CASE("fields are visited in the order of the list, with their names") {
  std::vector<std::string> names;
  int sum = 0;
  for_each_field(Point{3, 4}, [&](std::string_view name, int value) {
    names.emplace_back(name);
    sum = sum * 10 + value;
  });
  CHECK(names == std::vector<std::string>{"x", "y"});
  CHECK(sum == 34);
}

TEST_CASE("a visitor may change the fields of an object that is not const") {
  Point point{1, 2};
  for_each_field(point, [](std::string_view, int& value) { value *= 10; });
  CHECK(point.x == 10);
  CHECK(point.y == 20);
}

TEST_CASE("a member that the list forgets is noticed") {
  CHECK(every_member_is_described<Point>);
  CHECK_FALSE(every_member_is_described<Forgetful>);
}
