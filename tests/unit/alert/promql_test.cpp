#include <cmath>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/alert/evaluate.hpp>
#include <tenure/alert/promql.hpp>

namespace {

using namespace tenure::alert;

Problem problem_of(std::string_view text) {
  const auto parsed = parse_rule_expression(text);
  const auto* problem = std::get_if<Problem>(&parsed);
  REQUIRE_MESSAGE(problem != nullptr, text);
  return *problem;
}

// The bytes that a refusal points at.
std::string blamed(std::string_view text) {
  const Problem problem = problem_of(text);
  return std::string{text.substr(problem.begins_at, problem.length)};
}

bool is_outside(std::string_view text) {
  return problem_of(text).kind == Problem::Kind::outside;
}

double number(std::string_view text) {
  const auto parsed = parse_rule_expression(text);
  REQUIRE_MESSAGE(std::holds_alternative<ExprPointer>(parsed), text);
  const auto result =
      evaluate(*std::get<ExprPointer>(parsed), SeriesStore{}, 90'000, PrometheusVersion::v3);
  const Vector& elements = std::get<Vector>(result);
  REQUIRE(elements.size() == 1);
  return elements[0].value;
}

}  // namespace

TEST_CASE("operators bind as in Prometheus: ^ to the right, signs less than ^, comparisons least") {
  CHECK(number("2 ^ 3 * 2") == 16);
  CHECK(number("-2 ^ 2") == -4);
  CHECK(number("2 ^ -1") == 0.5);
  CHECK(number("1 + 2 * 3 - 4 / 2") == 5);
  CHECK(number("7 % 4 % 2") == 1);
  CHECK(number("2 - 1 - 1") == 0);
  CHECK(number("1 < bool 2 + 3") == 1);
  CHECK(number("time() # of the evaluation") == 90);
}

TEST_CASE("numbers are decimal, hexadecimal, octal, infinite or none") {
  CHECK(number("0x1F") == 31);
  CHECK(number("010") == 8);
  CHECK(number("1.5e-1") == 0.15);
  CHECK(number("-inf") == -INFINITY);
  CHECK(std::isnan(number("NaN")));
}

TEST_CASE("what Prometheus knows and the subset does not is refused by name, at its place") {
  CHECK(is_outside("x[5m:1m] > 0"));
  CHECK(blamed("max_over_time(rate(x[5m])[10m:1m])") == "[");
  CHECK(problem_of("sum(x) + max_over_time(rate(x[5m])[10m:1m])").text == "a subquery");
  CHECK(problem_of("x @ 5").text == "the @ modifier");
  CHECK(problem_of("topk(3, x)").text == "topk");
  CHECK(blamed("1 + histogram_quantile(0.9, x)") == "histogram_quantile");
  CHECK(blamed("a * on(pod) group_left b") == "group_left");
  CHECK(problem_of("label_replace(x, \"a\", \"b\", \"c\", \"d\")").text == "label_replace()");
  CHECK(problem_of("x ^ y").text == "^ with an exponent that is not a whole number or 0.5");
  CHECK(blamed("x{pod=~\"a(?i)b\"}") == "(");
  CHECK(is_outside("increase(x[300])"));
  CHECK(is_outside("\"text\""));
}

TEST_CASE("what Prometheus refuses is refused too") {
  for (const std::string_view text : {"",
                                      "sum(",
                                      "x +",
                                      "1 == 1",
                                      "x and 1",
                                      "rate(x)",
                                      "rate(x[0s])",
                                      "x[5m]",
                                      "abs(1)",
                                      "{pod=\"\"}",
                                      "x{__name__=\"y\"}",
                                      "x{pod=~\"*\"}",
                                      "sum(x, y)",
                                      "clamp_min(x)",
                                      "nosuch(x)",
                                      "x + bool y",
                                      "1 + on(pod) x",
                                      "x offset 5m offset 5m",
                                      "(x)[5m]",
                                      "5mm",
                                      "sum by (a:b) (x)",
                                      "x{a=1}",
                                      "\"open",
                                      "x ! y",
                                      "unexpected)"}) {
    CAPTURE(text);
    CHECK(problem_of(text).kind == Problem::Kind::invalid);
  }
}

TEST_CASE("neither depth nor length of an expression ends the program") {
  for (const std::size_t length : {1000U, 5000U}) {
    CHECK(is_outside(std::string(length, '(') + "1"));
    CHECK(is_outside(std::string(length, '-') + "1"));
  }
  std::string sum = "1";
  for (int i = 0; i < 5000; ++i) sum += "+1";
  CHECK(problem_of(sum).kind == Problem::Kind::outside);
}

TEST_CASE("durations descend through their units, each once") {
  Millis out = 0;
  CHECK(parse_prometheus_duration("1h30m", out));
  CHECK(out == 5'400'000);
  CHECK(parse_prometheus_duration("1d500ms", out));
  CHECK(out == 86'400'500);
  for (const std::string_view text : {"", "5", "30m1h", "1.5h", "5M", "999999999999y"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_prometheus_duration(text, out));
  }
}

TEST_CASE("a regular expression matches all of a text, whatever it costs a backtracking matcher") {
  const auto matches = [](std::string_view pattern, std::string_view text) {
    const auto compiled = Pattern::compile(pattern);
    REQUIRE_MESSAGE(std::holds_alternative<Pattern>(compiled), pattern);
    return std::get<Pattern>(compiled).matches(text);
  };
  CHECK(matches("kcm-[0-2]", "kcm-1"));
  CHECK_FALSE(matches("kcm", "kcm-1"));
  CHECK(matches("a|b*", ""));
  CHECK(matches("^a.c$", "aéc"));
  CHECK(matches("x{2,3}", "xxx"));
  CHECK_FALSE(matches("x{2,3}", "xxxx"));
  CHECK(matches("a{b", "a{b"));
  CHECK(matches("[]^-]+", "]-^"));
  CHECK(matches("(?:\\d+\\.)*\\w", "1.22.x"));
  CHECK_FALSE(matches("(a*)*b", std::string(2000, 'a')));
  CHECK(std::holds_alternative<PatternProblem>(
      Pattern::compile("((((a{1000}){1000}){1000}){1000})")));
}
