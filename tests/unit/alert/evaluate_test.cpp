#include <cmath>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/alert/evaluate.hpp>
#include <tenure/alert/promql.hpp>

namespace {

using namespace tenure::alert;
using Version = PrometheusVersion;

// x{pod="a"}: a value every 15 s from 0 on.
SeriesStore scraped(const std::vector<double>& values) {
  SeriesStore store;
  Millis at = 0;
  for (const double value : values) {
    store.append({{"__name__", "x"}, {"pod", "a"}}, {at, value, false});
    at += 15'000;
  }
  return store;
}

Vector vector_of(std::string_view text,
                 const SeriesStore& store,
                 Millis at,
                 Version version = Version::v2) {
  const auto parsed = parse_rule_expression(text);
  REQUIRE_MESSAGE(std::holds_alternative<ExprPointer>(parsed), text);
  const auto result = evaluate(*std::get<ExprPointer>(parsed), store, at, version);
  REQUIRE(std::holds_alternative<Vector>(result));
  return std::get<Vector>(result);
}

std::optional<double> value(std::string_view text,
                            const SeriesStore& store,
                            Millis at,
                            Version version = Version::v2) {
  const Vector elements = vector_of(text, store, at, version);
  if (elements.empty()) return std::nullopt;
  REQUIRE(elements.size() == 1);
  return elements[0].value;
}

}  // namespace

TEST_CASE("increase() is extrapolated to the ends of its range") {
  // Two samples 15 s apart with a slope of 1 per 15 s fill a range of 30 s from its first sample
  // on.
  const SeriesStore store = scraped({10, 11, 12});
  CHECK(value("increase(x[30s])", store, 30'000) == 2.0);
  // 5 s later the range begins 10 s before the first of two samples and ends 5 s after the last.
  CHECK(value("increase(x[30s])", store, 35'000) == 2.0);
}

TEST_CASE("a range of version 2 holds a sample at its beginning, one of version 3 does not") {
  const SeriesStore store = scraped({1, 1, 1});
  CHECK(value("count_over_time(x[30s])", store, 30'000, Version::v2) == 3);
  CHECK(value("count_over_time(x[30s])", store, 30'000, Version::v3) == 2);
}

TEST_CASE("a sample counts for five minutes, to the millisecond") {
  const SeriesStore store = scraped({7});
  CHECK(value("x", store, 300'000, Version::v2) == 7);
  CHECK_FALSE(value("x", store, 300'001, Version::v2));
  CHECK(value("x", store, 299'999, Version::v3) == 7);
  CHECK_FALSE(value("x", store, 300'000, Version::v3));
}

TEST_CASE("a stale series is gone at once, and its markers are no samples") {
  SeriesStore store = scraped({1, 2});
  store.append({{"__name__", "x"}, {"pod", "a"}}, {30'000, 0, true});
  CHECK(value("x", store, 29'999) == 2);
  CHECK_FALSE(value("x", store, 30'000));
  CHECK(value("count_over_time(x[1m])", store, 30'000) == 2);
  CHECK(value("absent(x)", store, 30'000) == 1);
}

TEST_CASE("a counter that falls has begun again at zero") {
  CHECK(value("resets(x[1m])", scraped({5, 6, 1, 2}), 45'000) == 1);
  // 1 up, then 1 from zero, then 1 up: 3 in 45 s.
  CHECK(value("increase(x[45s])", scraped({5, 6, 1, 2}), 45'000) == 3.0);
}

TEST_CASE("sums over time keep what rounding would take") {
  const SeriesStore store = scraped({1e100, 1, -1e100});
  CHECK(value("sum_over_time(x[1m])", store, 30'000) == 1);
}

TEST_CASE("the sum over no series is no value, so that comparing it with 0 finds nothing") {
  CHECK_FALSE(value("sum(x) == 0", SeriesStore{}, 0));
  CHECK(value("sum(x) == 0 or absent(x)", SeriesStore{}, 0) == 1);
}

TEST_CASE("a comparison filters, and with bool it yields 0 or 1 without the metric's name") {
  const SeriesStore store = scraped({3});
  CHECK(value("x > 2", store, 0) == 3);
  CHECK_FALSE(value("x > 3", store, 0));
  CHECK(vector_of("x > bool 3", store, 0)[0].labels == Labels{{"pod", "a"}});
  CHECK(value("2 < x", store, 0) == 3);
}

TEST_CASE("elements that cannot be paired are a failure, as in Prometheus") {
  SeriesStore store = scraped({1});
  store.append({{"__name__", "x"}, {"pod", "b"}}, {0, 1, false});
  const auto parsed = parse_rule_expression("x + on() x");
  const auto result = evaluate(*std::get<ExprPointer>(parsed), store, 0, Version::v2);
  REQUIRE(std::holds_alternative<EvaluationFailure>(result));
  CHECK(std::get<EvaluationFailure>(result).text.find("many-to-many") != std::string::npos);
}

TEST_CASE("the labels of absent() are those asked for by equality") {
  const Vector found = vector_of("absent(y{pod=\"a\", zone=~\"b|c\"})", SeriesStore{}, 0);
  REQUIRE(found.size() == 1);
  CHECK(found[0].labels == Labels{{"pod", "a"}});
}

TEST_CASE("the order of samples that a series is given in is kept: later ones only") {
  SeriesStore store = scraped({1, 2});
  store.append({{"__name__", "x"}, {"pod", "a"}}, {15'000, 9, false});
  CHECK(value("x", store, 15'000) == 2);
}
