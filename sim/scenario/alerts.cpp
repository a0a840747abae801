#include <array>

#include <fmt/format.h>

#include <tenure/base/assert.hpp>
#include <tenure/base/text.hpp>
#include <tenure/scenario/alerts.hpp>

namespace tenure::scenario {
namespace {

// What the decoder has parsed before.
template <class Value>
Value parsed(std::variant<Value, alert::Problem> from) {
  TENURE_ASSERT(std::holds_alternative<Value>(from), "the decoder lets only good rules through");
  return std::move(std::get<Value>(from));
}

alert::Millis millis(Duration duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

std::vector<alert::NamedTemplate> templates_of(const AlertRule::Texts& texts) {
  std::vector<alert::NamedTemplate> out;
  for (const auto& [name, text] : texts)
    out.emplace_back(name, parsed(alert::Template::parse(text)));
  return out;
}

alert::Rule rule_of(const AlertRule& rule) {
  alert::ExprPointer expr = parsed(alert::parse_rule_expression(rule.expr));
  if (rule.alert.empty()) {
    alert::RecordingRule out{rule.record, std::move(expr), {}};
    for (const auto& [name, value] : rule.labels) out.labels.set(name, value);
    return out;
  }
  return alert::AlertingRule{rule.alert,
                             std::move(expr),
                             millis(rule.hold),
                             millis(rule.keep_firing_for),
                             templates_of(rule.labels),
                             templates_of(rule.annotations)};
}

}  // namespace

std::string_view to_text(AlertExpectation::Fires fires) {
  constexpr std::array<std::string_view, 4> words = {"always", "never", "sometimes", "any"};
  return words[static_cast<std::size_t>(fires)];
}

std::string text_of(const AlertExpectation& expectation) {
  std::string text = fmt::format("fires {}", to_text(expectation.fires));
  if (expectation.within) text += fmt::format(" within {}", duration_text(*expectation.within));
  if (!expectation.after.empty()) text += fmt::format(" after {}", expectation.after);
  return text;
}

std::vector<alert::RuleGroup> rule_groups(const Alerts& alerts) {
  std::vector<alert::RuleGroup> out;
  for (const AlertGroup& group : alerts.groups) {
    alert::RuleGroup made{group.name, {}};
    for (const AlertRule& rule : group.rules) made.rules.push_back(rule_of(rule));
    out.push_back(std::move(made));
  }
  return out;
}

std::span<const ExportedMetric> exported_metrics() {
  static constexpr std::array<ExportedMetric, 4> all{{
      {up_metric, "gauge", "1 when the last scrape succeeded, 0 when it failed"},
      {is_leader_metric, "gauge", "1 while the process believes to lead, else 0"},
      {transitions_metric, "counter", "how often this process became leader; begins at 0 with it"},
      {master_status_metric, "gauge",
       "client-go's own: 1 while it leads the Lease called `name`, else 0"},
  }};
  return all;
}

}  // namespace tenure::scenario
