#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/alert/rule.hpp>

namespace {

using namespace tenure::alert;

ExprPointer parsed(std::string_view text) {
  auto out = parse_rule_expression(text);
  REQUIRE(std::holds_alternative<ExprPointer>(out));
  return std::get<ExprPointer>(out);
}

Template text_template(std::string_view text) {
  auto out = Template::parse(text);
  REQUIRE_MESSAGE(std::holds_alternative<Template>(out), text);
  return std::get<Template>(out);
}

RuleGroup one_rule(std::string_view expr, Millis hold, Millis keep = 0) {
  return {"group", {AlertingRule{"A", parsed(expr), hold, keep, {}, {}}}};
}

// Evaluates every 15 s while x has these values, and writes for each time what A is in:
// '.' nothing, 'p' pending, 'F' firing.
std::string states(const RuleGroup& group, const std::vector<double>& values) {
  SeriesStore store;
  GroupState state{group, PrometheusVersion::v3};
  std::string out;
  Millis at = 0;
  for (const double value : values) {
    store.append({{"__name__", "x"}}, {at, value, false});
    state.evaluate(store, at);
    const auto& alerts = state.alerts(0);
    out += alerts.empty() ? '.' : alerts[0].is_firing ? 'F' : 'p';
    at += 15'000;
  }
  return out;
}

std::string expanded(std::string_view text, double value) {
  return text_template(text).expanded({{"pod", "a"}}, value);
}

}  // namespace

TEST_CASE("an alert is pending until its condition has held for its `for`") {
  CHECK(states(one_rule("x == 1", 30'000), {0, 1, 1, 1, 1, 0, 1}) == ".ppFF.p");
  CHECK(states(one_rule("x == 1", 0), {0, 1, 0}) == ".F.");
  CHECK(states(one_rule("x == 1", 31'000), {1, 1, 1, 1}) == "pppF");
}

TEST_CASE("keep_firing_for keeps an alert that fires, never one that is pending") {
  CHECK(states(one_rule("x == 1", 15'000, 30'000), {1, 1, 0, 0, 0, 1, 0}) == "pFFF.p.");
  CHECK(states(one_rule("x == 1", 0, 30'000), {1, 0, 1, 0, 0, 0}) == "FFFFF.");
}

TEST_CASE("a rule sees the alerts and records of the rules before it") {
  RuleGroup group = one_rule("x == 1", 0);
  group.rules.emplace_back(RecordingRule{"r:x", parsed("x * 2"), {{"by", "rule"}}});
  group.rules.emplace_back(
      AlertingRule{"B",
                   parsed("ALERTS{alertname=\"A\", alertstate=\"firing\"} and on() r:x == 2"),
                   0,
                   0,
                   {},
                   {}});
  SeriesStore store;
  store.append({{"__name__", "x"}}, {0, 1, false});
  GroupState state{group, PrometheusVersion::v3};
  state.evaluate(store, 0);
  REQUIRE(state.alerts(2).size() == 1);
  CHECK(state.alerts(2)[0].labels == Labels{{"alertname", "B"}, {"alertstate", "firing"}});
  CHECK(store.all().count({{"__name__", "r:x"}, {"by", "rule"}}) == 1);
}

TEST_CASE("when an evaluation fails, the alerts stay as they were") {
  const RuleGroup group = one_rule("x == 1 or on(pod) (y + ignoring(pod) y)", 0);
  SeriesStore store;
  store.append({{"__name__", "x"}}, {0, 1, false});
  GroupState state{group, PrometheusVersion::v3};
  state.evaluate(store, 0);
  CHECK(state.alerts(0).size() == 1);
  store.append({{"__name__", "y"}, {"pod", "a"}}, {15'000, 1, false});
  store.append({{"__name__", "y"}, {"pod", "b"}}, {15'000, 1, false});
  state.evaluate(store, 15'000);
  CHECK_FALSE(state.failure(0).empty());
  CHECK(state.alerts(0).size() == 1);
}

TEST_CASE("templates print as Go does") {
  CHECK(expanded("{{ $value }} of {{ $labels.pod }}{{$labels.none}}", 5.5) == "5.5 of a");
  CHECK(expanded("{{ $value }}", 1e6) == "1e+06");
  CHECK(expanded("{{ $value }}", 100'000) == "100000");
  CHECK(expanded("{{ $value | humanize }}", 1234567) == "1.235M");
  CHECK(expanded("{{ humanize $value }}", 0.0012) == "1.2m");
  CHECK(expanded("{{ $value | humanizeDuration }}", 3725) == "1h 2m 5s");
  CHECK(expanded("{{ $value | humanizeDuration }}", 0.25) == "250ms");
  // promtool 2.42, seed 11: what is beyond int64.
  CHECK(expanded("{{ $value | humanizeDuration }}", 9.3e24) == "-106751991167300d -15h -30m -8s");
}

TEST_CASE("other templates are refused at their place") {
  const std::string text = "now: {{ if $value }}x{{ end }}";
  const auto refused = Template::parse(text);
  REQUIRE(std::holds_alternative<Problem>(refused));
  const Problem& problem = std::get<Problem>(refused);
  CHECK(problem.kind == Problem::Kind::outside);
  CHECK(text.substr(problem.begins_at, problem.length) == "{{ if $value }}");
}
