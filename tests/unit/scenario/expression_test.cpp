#include <string>

#include <doctest/doctest.h>

#include <tenure/scenario/expression.hpp>

using namespace tenure;
using namespace tenure::scenario;
using namespace std::chrono_literals;

namespace {

std::optional<Quantity> lookup(std::string_view name) {
  if (name == "L") return Quantity::of(15s);
  if (name == "R") return Quantity::of(2s);
  if (name == "n") return Quantity::whole(3);
  return std::nullopt;
}

// The value as a scenario would write it, or what is wrong.
std::string value(std::string_view text) {
  std::string problem;
  const auto parsed = Expression::parse(text, problem);
  if (!parsed) return "! " + problem;
  const auto computed = parsed->value(lookup, problem);
  if (!computed) return "? " + problem;
  return text_of(*computed).value_or("neither");
}

}  // namespace

TEST_CASE("formulas are computed exactly and rounded once, to a millisecond") {
  CHECK(value("L * 2 / 3") == "10s");
  CHECK(value("(L + R) / 3") == "5.667s");  // 5.6666... s
  CHECK(value("L / 3 * 3") == "15s");
  CHECK(value("R * 1.2") == "2.4s");
  CHECK(value("1m30s - L") == "1m15s");
  CHECK(value("-R + L") == "13s");
  CHECK(value("L / R") == "7.5");
  CHECK(value("1 / n") == "0.333333333");
  CHECK(value("L * R / L") == "2s");
  CHECK(value("0.0005s * 1") == "1ms");  // half away from zero
  CHECK(value("0.0004s * 1") == "0s");
  CHECK(value("2 - 3") == "-1");
}

TEST_CASE("multiplication binds tighter than addition, and both from the left") {
  CHECK(value("1 + 2 * 3") == "7");
  CHECK(value("(1 + 2) * 3") == "9");
  CHECK(value("8 - 3 - 2") == "3");
  CHECK(value("8 / 4 / 2") == "1");
  CHECK(value("--2") == "2");
}

TEST_CASE("min, max and floor") {
  CHECK(value("min(L, R)") == "2s");
  CHECK(value("max(L, R, 1m)") == "1m");
  CHECK(value("floor(L / R)") == "7");
  CHECK(value("floor(-0.5)") == "-1");
  CHECK(value("floor(L / 10s) * 10s") == "10s");
  CHECK(value("floor(L)") == "? floor takes a number, as in floor(L / 1s)");
}

TEST_CASE("comparisons are exact and stand at the top") {
  CHECK(value("10s > 1.2 * 2s") == "1");
  CHECK(value("6s > 1.2 * 5s") == "0");
  CHECK(value("6s >= 1.2 * 5s") == "1");
  CHECK(value("L == 15000ms") == "1");
  CHECK(value("L != R") == "1");
  CHECK(value("1 < 2 < 3").starts_with("! "));
  CHECK(value("(1 < 2) + 1").starts_with("! "));
}

TEST_CASE("durations and numbers are not mixed") {
  CHECK(value("L + 2") == "? it puts a duration and a number together");
  CHECK(value("L > 2") == "? it puts a duration and a number together");
  CHECK(value("L * R") == "neither");
  CHECK(value("L / 0") == "? it divides by zero");
  CHECK(value("K + L") == "? K has no value that can be computed with");
}

TEST_CASE("what is no formula says why") {
  CHECK(value("") == "! it ends where a value is expected");
  CHECK(value("L *") == "! it ends where a value is expected");
  CHECK(value("(L") == "! a \")\" is missing");
  CHECK(value("L R") == "! \"R\" is not expected");
  CHECK(value("12parsecs") == "! \"12parsecs\" is neither a number nor a duration like 15s");
  CHECK(value("sqrt(2)") == "! \"sqrt\" is no function; there are min, max, floor");
  CHECK(value("min(2)") == "! min takes two values");
  CHECK(value("L ^ 2") == "! \"^ 2\" is not expected");
  CHECK(value(std::string(2000, '(')).starts_with("! it is too long"));
  CHECK(value(std::string(900, '(')) == "! it is nested too deep");
  CHECK(value(std::string(900, '-')) == "! it is nested too deep");
}

TEST_CASE("numbers that no longer fit are told, not wrapped around") {
  std::string power = "999999999999999999";
  for (int i = 0; i < 5; ++i) power += " * 999999999999999999";
  CHECK(value(power) == "? its numbers grow too large");
  CHECK(value("100000000000 * 1m") == "neither");  // more than 292 years
}
