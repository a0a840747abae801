// Reads a case from the standard input, does with it what `promtool test rules` does, and prints
// every sample and alert with the digits that promtool prints. run.py compares the two.
//
//   {"version": 2, "evaluationIntervalMs": 60000, "untilMs": 600000,
//    "series": [{"labels": {"__name__": "x"}, "samples": [[0, "1.5"], [15000, "stale"]]}],
//    "rules": [{"alert": "A", "expr": "x > 1", "forMs": 60000, "keepFiringForMs": 0,
//               "labels": {}, "annotations": {}}, {"record": "r:x", "expr": "sum(x)", "labels":
//               {}}],
//    "queries": [{"expr": "x", "atMs": 60000}], "alerts": [{"alertname": "A", "atMs": 60000}]}
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include <tenure/alert/evaluate.hpp>
#include <tenure/alert/promql.hpp>
#include <tenure/alert/rule.hpp>
#include <tenure/alert/series.hpp>

namespace {

using nlohmann::json;
using namespace tenure::alert;

double number(const std::string& text) {
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  return std::strtod(text.c_str(), nullptr);
}

// strconv.FormatFloat(value, 'E', -1, 64)
std::string digits(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  std::array<char, 64> text{};
  char* const end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific)
          .ptr;
  std::string out{text.data(), end};
  std::replace(out.begin(), out.end(), 'e', 'E');
  return out;
}

Labels labels_of(const json& map) {
  Labels out;
  for (const auto& [name, value] : map.items()) out.set(name, value.get<std::string>());
  return out;
}

template <class T>
T required(std::variant<T, Problem> parsed, const std::string& text) {
  if (auto* value = std::get_if<T>(&parsed)) return std::move(*value);
  const Problem& problem = std::get<Problem>(parsed);
  std::cerr << "byte " << problem.begins_at << " of " << text << ": " << problem.text << '\n';
  std::exit(2);
}

std::vector<NamedTemplate> templates_of(const json& map) {
  std::vector<NamedTemplate> out;
  for (const auto& [name, text] : map.items()) {
    out.emplace_back(name, required(Template::parse(text.get<std::string>()), text));
  }
  return out;
}

Rule rule_of(const json& rule) {
  const std::string expr = rule.at("expr");
  ExprPointer parsed = required(parse_rule_expression(expr), expr);
  if (rule.contains("record"))
    return RecordingRule{rule.at("record"), parsed, labels_of(rule.at("labels"))};
  return AlertingRule{rule.at("alert"),
                      parsed,
                      rule.at("forMs"),
                      rule.at("keepFiringForMs"),
                      templates_of(rule.at("labels")),
                      templates_of(rule.at("annotations"))};
}

struct Input {
  Labels labels;
  std::vector<Sample> samples;
  std::size_t next = 0;
};

std::vector<Input> inputs_of(const json& all) {
  std::vector<Input> out;
  for (const json& series : all) {
    Input input{labels_of(series.at("labels")), {}, 0};
    for (const json& sample : series.at("samples")) {
      const std::string value = sample.at(1);
      input.samples.push_back(
          {sample.at(0), value == "stale" ? 0 : number(value), value == "stale"});
    }
    out.push_back(std::move(input));
  }
  return out;
}

void append_until(std::vector<Input>& inputs, Millis at, SeriesStore& store) {
  for (Input& input : inputs) {
    for (; input.next < input.samples.size() && input.samples[input.next].at <= at; ++input.next) {
      store.append(input.labels, input.samples[input.next]);
    }
  }
}

json firing(const GroupState& state, const RuleGroup& group, const std::string& name) {
  json out = json::array();
  for (std::size_t i = 0; i < group.rules.size(); ++i) {
    const auto* rule = std::get_if<AlertingRule>(&group.rules[i]);
    if (rule == nullptr || rule->name != name) continue;
    for (const Alert& alert : state.alerts(i)) {
      if (!alert.is_firing) continue;
      Labels annotations;
      for (const auto& [key, text] : alert.annotations) annotations.set(key, text);
      out.push_back(to_text(alert.labels) + " " + to_text(annotations));
    }
  }
  return out;
}

json answer(const json& query, const SeriesStore& store, PrometheusVersion version) {
  const std::string expr = query.at("expr");
  std::variant<ExprPointer, Problem> tried = parse_promql(expr);
  if (const auto* problem = std::get_if<Problem>(&tried);
      problem != nullptr && problem->kind == Problem::Kind::invalid) {
    return {{"error", problem->text}};
  }
  const ExprPointer parsed = required(std::move(tried), expr);
  const auto result = evaluate(*parsed, store, query.at("atMs"), version);
  if (const auto* failure = std::get_if<EvaluationFailure>(&result))
    return {{"error", failure->text}};
  json out = json::array();
  for (const Element& element : std::get<Vector>(result)) {
    out.push_back(to_text(element.labels) + " " + digits(element.value));
  }
  return {{"samples", out}};
}

}  // namespace

int main() {
  const json given = json::parse(std::cin);
  const auto version = given.at("version") == 2 ? PrometheusVersion::v2 : PrometheusVersion::v3;
  RuleGroup group{"group", {}};
  for (const json& rule : given.at("rules")) group.rules.push_back(rule_of(rule));
  std::vector<Input> inputs = inputs_of(given.at("series"));
  GroupState state{group, version};
  SeriesStore store;
  json out{{"alerts", json::array()}, {"queries", json::array()}, {"failures", json::array()}};
  const Millis interval = given.at("evaluationIntervalMs");
  for (Millis at = 0; at <= given.at("untilMs").get<Millis>(); at += interval) {
    append_until(inputs, at, store);
    state.evaluate(store, at);
    for (std::size_t i = 0; i < group.rules.size(); ++i) {
      if (!state.failure(i).empty()) out["failures"].push_back(state.failure(i));
    }
    for (const json& asked : given.at("alerts")) {
      const Millis asked_at = asked.at("atMs");
      if (asked_at < at || asked_at >= at + interval) continue;
      out["alerts"].push_back({{"alertname", asked.at("alertname")},
                               {"atMs", asked_at},
                               {"firing", firing(state, group, asked.at("alertname"))}});
    }
  }
  for (const json& query : given.at("queries")) {
    out["queries"].push_back(answer(query, store, version));
  }
  std::cout << out.dump() << '\n';
  return 0;
}
