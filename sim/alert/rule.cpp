// rules/alerting.go, rules/recording.go and rules/manager.go (Group.Eval) of Prometheus v2.42.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <tenure/alert/rule.hpp>
#include <tenure/base/variant.hpp>

namespace tenure::alert {
namespace {

// What one evaluation of a rule yields: series to append, or why there are none.
struct Outcome {
  Vector written;
  std::string failure;
};

std::string failure_of(const std::variant<Vector, EvaluationFailure>& result) {
  const auto* failure = std::get_if<EvaluationFailure>(&result);
  return failure == nullptr ? std::string{} : failure->text;
}

// The alert of an element of the result, as if it had begun now.
Alert alert_of(const AlertingRule& rule, const Element& element, Millis at) {
  Alert out;
  out.labels = element.labels;
  out.labels.erase(metric_name_label);
  for (const auto& [name, text] : rule.labels) {
    out.labels.set(name, text.expanded(element.labels, element.value));
  }
  out.labels.set("alertname", rule.name);
  for (const auto& [name, text] : rule.annotations) {
    out.annotations.emplace_back(name, text.expanded(element.labels, element.value));
  }
  out.value = element.value;
  out.active_since = at;
  return out;
}

// Whether an alert whose condition does not hold now goes on firing.
bool is_kept(Alert& alert, const AlertingRule& rule, Millis at) {
  if (!alert.is_firing || rule.keep_firing_for <= 0) return false;
  if (!alert.kept_firing_since) alert.kept_firing_since = at;
  return at - *alert.kept_firing_since < rule.keep_firing_for;
}

std::vector<Alert> next_alerts(const AlertingRule& rule,
                               std::vector<Alert> before,
                               std::map<Labels, Alert> found,
                               Millis at) {
  for (Alert& alert : before) {
    const auto same = found.find(alert.labels);
    if (same == found.end()) {
      if (is_kept(alert, rule, at)) found.emplace(alert.labels, std::move(alert));
      continue;
    }
    same->second.active_since = alert.active_since;
    same->second.is_firing = alert.is_firing;
  }
  std::vector<Alert> out;
  for (auto& [labels, alert] : found) {
    if (at - alert.active_since >= rule.hold) alert.is_firing = true;
    out.push_back(std::move(alert));
  }
  return out;
}

void write_state(const Alert& alert, Vector& out) {
  Labels state = alert.labels;
  state.set(metric_name_label, "ALERTS");
  state.set("alertstate", alert.is_firing ? "firing" : "pending");
  out.push_back({std::move(state), 1});
  Labels since = alert.labels;
  since.set(metric_name_label, "ALERTS_FOR_STATE");
  // Whole seconds, as time.Time.Unix gives them, which rounds down.
  const Millis whole =
      alert.active_since >= 0 ? alert.active_since / 1000 : -((999 - alert.active_since) / 1000);
  out.push_back({std::move(since), static_cast<double>(whole)});
}

Outcome outcome_of(const AlertingRule& rule,
                   std::vector<Alert>& alerts,
                   const Vector& result,
                   Millis at) {
  std::map<Labels, Alert> found;
  for (const Element& element : result) {
    Alert alert = alert_of(rule, element, at);
    Labels labels = alert.labels;
    if (!found.emplace(std::move(labels), std::move(alert)).second) {
      return {{}, "vector contains metrics with the same labelset after applying alert labels"};
    }
  }
  alerts = next_alerts(rule, std::move(alerts), std::move(found), at);
  Outcome out;
  for (const Alert& alert : alerts) write_state(alert, out.written);
  return out;
}

Outcome outcome_of(const RecordingRule& rule, const Vector& result) {
  Outcome out;
  std::set<Labels> seen;
  for (const Element& element : result) {
    Labels labels = element.labels;
    labels.set(metric_name_label, rule.name);
    for (const Label& label : rule.labels.all()) labels.set(label.name, label.value);
    if (!seen.insert(labels).second) {
      return {{}, "vector contains metrics with the same labelset after applying rule labels"};
    }
    out.written.push_back({std::move(labels), element.value});
  }
  return out;
}

const ExprPointer& expr_of(const Rule& rule) {
  return std::visit([](const auto& r) -> const ExprPointer& { return r.expr; }, rule);
}

}  // namespace

GroupState::GroupState(const RuleGroup& group, PrometheusVersion version)
    : group_(&group), version_(version), states_(group.rules.size()) {}

void GroupState::evaluate(SeriesStore& store, Millis at) {
  for (std::size_t i = 0; i < states_.size(); ++i) {
    evaluate(states_[i], group_->rules[i], store, at);
  }
}

void GroupState::evaluate(RuleState& state, const Rule& rule, SeriesStore& store, Millis at) {
  const auto result = alert::evaluate(*expr_of(rule), store, at, version_);
  state.failure = failure_of(result);
  if (!state.failure.empty()) return;
  const Vector& elements = std::get<Vector>(result);
  const Outcome outcome = std::visit(
      overloaded{
          [&](const AlertingRule& r) { return outcome_of(r, state.alerts, elements, at); },
          [&](const RecordingRule& r) { return outcome_of(r, elements); },
      },
      rule);
  state.failure = outcome.failure;
  if (!state.failure.empty()) return;
  std::vector<Labels> written;
  for (const Element& element : outcome.written) {
    store.append(element.labels, {at, element.value, false});
    written.push_back(element.labels);
  }
  std::sort(written.begin(), written.end());
  for (const Labels& labels : state.written) {
    const bool goes_on = std::binary_search(written.begin(), written.end(), labels);
    if (!goes_on) store.append(labels, {at, 0, true});
  }
  state.written = std::move(written);
}

}  // namespace tenure::alert
