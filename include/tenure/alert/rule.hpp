// Alerting and recording rules, and the state that alerts are in between two evaluations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <tenure/alert/evaluate.hpp>
#include <tenure/alert/promql.hpp>
#include <tenure/alert/series.hpp>

namespace tenure::alert {

// A text with parts that are filled in for each alert: "{{ $value | humanize }}".
class Template {
 public:
  enum class Filter : std::uint8_t { none, humanize, humanize_duration };
  struct Value {
    Filter filter = Filter::none;
  };
  struct LabelValue {
    std::string name;
  };
  using Part = std::variant<std::string, Value, LabelValue>;

  static std::variant<Template, Problem> parse(std::string_view text);

  std::string expanded(const Labels& labels, double value) const;

 private:
  std::vector<Part> parts_;
};

using NamedTemplate = std::pair<std::string, Template>;

struct AlertingRule {
  std::string name;
  ExprPointer expr;
  Millis hold = 0;  // `for`
  Millis keep_firing_for = 0;
  std::vector<NamedTemplate> labels;
  std::vector<NamedTemplate> annotations;
};

struct RecordingRule {
  std::string name;
  ExprPointer expr;
  Labels labels;
};

using Rule = std::variant<AlertingRule, RecordingRule>;

struct RuleGroup {
  std::string name;
  std::vector<Rule> rules;
};

struct Alert {
  Labels labels;
  bool is_firing = false;  // else pending
  Millis active_since = 0;
  std::optional<Millis> kept_firing_since;  // the condition has ended
  double value = 0;
  std::vector<std::pair<std::string, std::string>> annotations;
};

// What a Prometheus server knows of one group of rules.
class GroupState {
 public:
  GroupState(const RuleGroup& group, PrometheusVersion version);

  // Evaluates the rules one after the other, and appends what they yield to the series.
  void evaluate(SeriesStore& store, Millis at);

  // Alerts of the rule, by labels; none of a recording rule.
  const std::vector<Alert>& alerts(std::size_t rule) const { return states_[rule].alerts; }

  // Why the last evaluation of the rule failed; its alerts are as they were before. Empty: it did
  // not.
  const std::string& failure(std::size_t rule) const { return states_[rule].failure; }

 private:
  struct RuleState {
    std::vector<Alert> alerts;
    std::vector<Labels> written;  // by the last evaluation
    std::string failure;
  };

  void evaluate(RuleState& state, const Rule& rule, SeriesStore& store, Millis at);

  const RuleGroup* group_;
  PrometheusVersion version_;
  std::vector<RuleState> states_;
};

}  // namespace tenure::alert
