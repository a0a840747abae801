// spec.alerts, and the rule files of Prometheus that it names.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tenure/base/text.hpp>
#include <tenure/scenario/alerts.hpp>

#include "alert_lints.hpp"
#include "decode.hpp"

namespace tenure::scenario {
namespace {

using alert::Problem;

void report_problem(const Reader& at, const Problem& problem) {
  std::vector<std::string> hints;
  if (!problem.hint.empty()) hints.push_back(problem.hint);
  const Position where = at.position_within(problem.begins_at, problem.length);
  if (where == at.where() && problem.begins_at > 0) {
    const std::size_t before = code_points(at.text().substr(0, problem.begins_at));
    hints.push_back(fmt::format("at column {} of the text as it is read", before + 1));
  }
  if (problem.kind == Problem::Kind::outside) {
    hints.emplace_back("what is supported: tenure explain spec.alerts");
    at.error_at(where, "E0402",
                fmt::format("{} is not in the part of PromQL that is evaluated here", problem.text),
                std::move(hints));
  } else {
    at.error_at(where, "E0401", problem.text, std::move(hints));
  }
}

bool read_prometheus_duration(const Reader& at, Duration& out) {
  if (!at.expect_text("a duration")) return false;
  alert::Millis millis = 0;
  if (!alert::parse_prometheus_duration(at.text(), millis)) {
    at.error("E0203", fmt::format("{} is not a duration of Prometheus", quoted(at.text())),
             {"write it as \"5m\" or \"1h30m\": whole numbers, units that become smaller"});
    return false;
  }
  out = std::chrono::milliseconds{millis};
  return true;
}

// Prometheus' own rule: letters, digits and _, and in names of metrics the colon.
bool is_name(std::string_view text, std::string_view more) {
  if (text.empty() || (text.front() >= '0' && text.front() <= '9')) return false;
  return std::all_of(text.begin(), text.end(), [more](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           more.find(c) != std::string_view::npos;
  });
}

void read_texts(const Reader& at, bool expands, AlertRule::Texts& out) {
  if (!at.expect_map()) return;
  for (const auto& [name, value] : at.entries()) {
    if (!is_name(name, {}))
      value.error_at_key("E0401", fmt::format("{} is not the name of a label", quoted(name)));
    if (!value.expect_text("a text")) continue;
    const auto parsed = alert::Template::parse(value.text());
    if (const auto* problem = std::get_if<Problem>(&parsed); problem != nullptr && expands) {
      report_problem(value, *problem);
    }
    out.emplace_back(name, std::string{value.text()});
  }
}

void decode_expr(const Reader& at, const Scenario& scenario, AlertRule& out) {
  if (!at.expect_text("an expression")) return;
  out.expr = at.text();
  const auto parsed = alert::parse_rule_expression(at.text());
  if (const auto* problem = std::get_if<Problem>(&parsed)) return report_problem(at, *problem);
  if (!out.alert.empty()) lint(at, out.alert, *std::get<alert::ExprPointer>(parsed), scenario);
}

void decode_rule(const Reader& at, const Scenario& scenario, AlertGroup& group) {
  if (!at.has_fields(
          {"alert", "record", "expr", "for", "keep_firing_for", "labels", "annotations"}))
    return;
  AlertRule rule;
  const std::optional<Reader> alert = at.field("alert");
  const std::optional<Reader> record = at.field("record");
  if (alert.has_value() == record.has_value()) {
    at.error_at_key("E0401", "a rule has either `alert` or `record`");
    return;
  }
  if (alert && alert->expect_text("the name of an alert")) rule.alert = alert->text();
  if (record && record->expect_text("the name of a metric")) rule.record = record->text();
  if (alert && rule.alert.empty()) alert->error("E0401", "an alert needs a name");
  if (record && !is_name(rule.record, ":"))
    record->error("E0401", fmt::format("{} is not the name of a metric", quoted(rule.record)));
  if (const auto expr = at.required("expr")) decode_expr(*expr, scenario, rule);
  for (const std::string_view name : {"for", "keep_firing_for", "annotations"}) {
    if (const auto field = at.field(name); field && record)
      field->error_at_key("E0401", fmt::format("{} goes with `alert`, not with `record`", name));
  }
  if (const auto hold = at.field("for")) read_prometheus_duration(*hold, rule.hold);
  if (const auto keep = at.field("keep_firing_for"))
    read_prometheus_duration(*keep, rule.keep_firing_for);
  if (const auto labels = at.field("labels")) read_texts(*labels, alert.has_value(), rule.labels);
  if (const auto annotations = at.field("annotations"))
    read_texts(*annotations, true, rule.annotations);
  group.rules.push_back(std::move(rule));
}

void decode_group(const Reader& at, const Scenario& scenario, Alerts& out) {
  if (!at.has_fields({"name", "interval", "rules"}, {"limit", "query_offset", "labels"})) return;
  AlertGroup group;
  if (const auto name = at.required("name"); name && name->expect_text("a name"))
    group.name = name->text();
  Duration interval = out.evaluation_interval;
  if (const auto field = at.field("interval");
      field && read_prometheus_duration(*field, interval) && interval != out.evaluation_interval) {
    field->error("E0404",
                 fmt::format("the interval of a group is evaluationInterval, {}, in this version",
                             duration_text(out.evaluation_interval)));
  }
  if (const auto rules = at.field("rules"); rules && rules->expect_list()) {
    for (const Reader& rule : rules->items()) decode_rule(rule, scenario, group);
  }
  const auto same = [&group](const AlertGroup& other) { return other.name == group.name; };
  if (std::any_of(out.groups.begin(), out.groups.end(), same))
    at.error_at_key("E0401", fmt::format("two groups are named {}", quoted(group.name)));
  out.groups.push_back(std::move(group));
}

void decode_groups(const Reader& at, const Scenario& scenario, Alerts& out) {
  if (!at.expect_list()) return;
  for (const Reader& group : at.items()) decode_group(group, scenario, out);
}

// A rule file of Prometheus, or the object of the Prometheus operator around one.
void decode_rule_file(const Document& document,
                      const Scenario& scenario,
                      Diagnostics& diagnostics,
                      Alerts& out) {
  std::optional<Reader> root = Reader{document, diagnostics};
  if (!root->expect_map()) return;
  if (kind_of(document) == "PrometheusRule") root = root->required("spec");
  if (!root || !root->has_fields({"groups"})) return;
  if (const auto groups = root->required("groups")) decode_groups(*groups, scenario, out);
}

std::string beside(const std::string& file, const std::string& name) {
  const std::size_t slash = file.rfind('/');
  const bool is_absolute = !name.empty() && name.front() == '/';
  // "-" names the standard input elsewhere.
  if (is_absolute || slash == std::string::npos) return name == "-" ? "./-" : name;
  return file.substr(0, slash + 1) + name;
}

void decode_rule_files(const Reader& at, const Scenario& scenario, Alerts& out) {
  if (!at.expect_list()) return;
  for (const Reader& item : at.items()) {
    if (!item.expect_text("the name of a rule file")) continue;
    const std::string path = beside(item.file(), std::string{item.text()});
    Diagnostics found;
    const std::vector<Document> documents = load_documents(path, found);
    for (const Document& document : documents) decode_rule_file(document, scenario, found, out);
    for (const Diagnostic& one : found.all()) {
      if (one.code == "E0501") {
        item.error("E0501", one.text);
      } else {
        item.pass_on(one);
      }
    }
  }
}

// ---- what may be looked at

bool is_recorded(const Alerts& alerts, const std::string& metric) {
  for (const AlertGroup& group : alerts.groups) {
    for (const AlertRule& rule : group.rules) {
      if (rule.record == metric) return true;
    }
  }
  return metric == "ALERTS" || metric == "ALERTS_FOR_STATE";
}

bool is_exported(const std::string& metric) {
  const auto all = exported_metrics();
  return std::any_of(all.begin(), all.end(),
                     [&metric](const ExportedMetric& m) { return m.name == metric; });
}

// An expression over a metric that nobody exports would be evaluated as if it were never there.
void refuse_unknown_metrics(const Reader& at, const Alerts& alerts) {
  std::vector<std::string_view> names;
  for (const ExportedMetric& metric : exported_metrics()) names.push_back(metric.name);
  for (const AlertGroup& group : alerts.groups) {
    for (const AlertRule& rule : group.rules) {
      const auto parsed = alert::parse_rule_expression(rule.expr);
      const auto* expr = std::get_if<alert::ExprPointer>(&parsed);
      if (expr == nullptr) continue;
      for (const alert::Selector* selector : alert::selectors_of(**expr)) {
        for (const alert::Matcher& matcher : selector->matchers) {
          const bool names_one =
              matcher.name == alert::metric_name_label && matcher.op == alert::Matcher::Op::equal;
          if (!names_one || is_exported(matcher.value) || is_recorded(alerts, matcher.value))
            continue;
          at.error_at_key(
              "E0403",
              fmt::format("{} looks at {}, which no candidate exports",
                          rule.alert.empty() ? rule.record : rule.alert, quoted(matcher.value)),
              {fmt::format("there are: {}", fmt::join(names, ", "))});
        }
      }
    }
  }
}

// ---- expectations

bool has_alert(const Alerts& alerts, std::string_view name) {
  for (const AlertGroup& group : alerts.groups) {
    for (const AlertRule& rule : group.rules) {
      if (rule.alert == name) return true;
    }
  }
  return false;
}

void decode_expectation(const Reader& at, const Scenario& scenario, Alerts& out) {
  using Fires = AlertExpectation::Fires;
  static constexpr Word<Fires> words[] = {{"always", Fires::always},
                                          {"never", Fires::never},
                                          {"sometimes", Fires::sometimes},
                                          {"any", Fires::any}};
  if (!at.has_fields({"alertname", "fires", "within", "after"})) return;
  AlertExpectation made;
  made.where = at.where();
  const std::optional<Reader> name = at.required("alertname");
  if (!name || !name->expect_text("the name of an alert")) return;
  made.alert = name->text();
  if (!has_alert(out, made.alert)) {
    name->error("E0317", fmt::format("there is no alert {} in the rules", quoted(made.alert)));
  }
  if (const auto fires = at.required("fires"))
    read_word(*fires, "how often it fires", words, made.fires);
  read_field(at, "within", made.within);
  if (const auto after = at.field("after"); after && after->expect_text("the name of a fault")) {
    made.after = after->text();
    const bool is_fault =
        std::any_of(scenario.faults.begin(), scenario.faults.end(),
                    [&made](const Fault& fault) { return fault.name == made.after; });
    if (!is_fault)
      after->error("E0317",
                   fmt::format("there is no fault {} in this scenario", quoted(made.after)));
  }
  out.expect.push_back(std::move(made));
}

void read_interval(const Reader& at, Duration& out) {
  if (!read(at, out)) return;
  if (out == Duration{}) return at.error("E0209", "an interval must be greater than zero");
  const bool is_whole = out % std::chrono::milliseconds{1} == Duration{};
  if (out < std::chrono::seconds{1} || !is_whole)
    at.error("E0404", "an interval is at least 1s, in whole milliseconds");
}

void decode_version_of_prometheus(const Reader& at, Alerts& out) {
  std::int64_t version = 3;
  if (!read_in_range(at, 2, 3, version)) return;
  out.version = version == 2 ? alert::PrometheusVersion::v2 : alert::PrometheusVersion::v3;
}

}  // namespace

void decode_alerts(const Reader& spec, Scenario& out) {
  const std::optional<Reader> at = spec.field("alerts");
  if (!at || !at->has_fields({"ruleFiles", "groups", "scrape", "evaluationInterval",
                              "prometheusVersion", "expect"}))
    return;
  const std::size_t errors_before = at->errors();
  Alerts made;
  if (const auto scrape = at->field("scrape");
      scrape && scrape->has_fields({"interval"}, {"timeout", "metric"})) {
    if (const auto interval = scrape->field("interval"))
      read_interval(*interval, made.scrape_interval);
  }
  if (const auto interval = at->field("evaluationInterval"))
    read_interval(*interval, made.evaluation_interval);
  if (const auto version = at->field("prometheusVersion"))
    decode_version_of_prometheus(*version, made);
  if (const auto files = at->field("ruleFiles")) decode_rule_files(*files, out, made);
  if (const auto groups = at->field("groups")) decode_groups(*groups, out, made);
  if (made.groups.empty() && at->errors() == errors_before)
    at->error_at_key("E0401", "there are no rules",
                     {"ruleFiles: [FILE], or groups: as in such a file"});
  refuse_unknown_metrics(*at, made);
  if (const auto expect = at->field("expect"); expect && expect->expect_list()) {
    for (const Reader& item : expect->items()) decode_expectation(item, out, made);
  }
  out.alerts = std::move(made);
}

}  // namespace tenure::scenario
