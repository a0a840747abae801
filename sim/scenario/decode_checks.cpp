// What must hold: properties and thresholds.
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tenure/base/text.hpp>
#include <tenure/base/variant.hpp>
#include <tenure/scenario/names.hpp>

#include "decode.hpp"

namespace tenure::scenario {

namespace {

using Id = PropertyId;

constexpr std::string_view other_ids[] = {"B3", "A1", "A2", "V2", "L2", "L3", "L5",
                                          "H1", "H2", "W1", "W2", "W3", "W4", "W5",
                                          "W6", "W7", "R1", "M1", "M2", "M3", "M4"};

// The ids that a name stands for; empty when it is none of this version.
std::vector<Id> ids_of(std::string_view name) {
  if (name == "leaseSafety") return {Id::S1, Id::S2, Id::S3};
  if (name == "leaseRecord") return {Id::S4, Id::S5, Id::S6, Id::S7, Id::S8};
  if (name == "beliefSafety") return {Id::B1, Id::B2};
  if (name == "validLeader") return {Id::V1};
  if (name == "boundedFailover") return {Id::L1};
  if (name == "eventualStability") return {Id::L4};
  for (std::size_t i = 0; i < check::property_count; ++i) {
    if (const Id id{static_cast<std::uint8_t>(i)}; check::to_text(id) == name) return {id};
  }
  return {};
}

bool report_property(const Reader& at) {
  const bool other_id =
      std::find(std::begin(other_ids), std::end(other_ids), at.text()) != std::end(other_ids);
  if (other_id || find_name(properties(), at.text()) != nullptr) {
    at.not_modelled(fmt::format("property {}", at.text()));
    return false;
  }
  std::vector<std::string> hints;
  if (const auto meant = did_you_mean(at.text(), words_of(properties()))) {
    hints.push_back(fmt::format("did you mean \"{}\"?", *meant));
  }
  hints.emplace_back("tenure list properties");
  at.error("E0204", fmt::format("{} is not a property", quoted(at.text())), std::move(hints));
  return false;
}

bool read_property_name(const Reader& at, Property& out) {
  if (!at.expect_text("the name of a property")) return false;
  out.name = at.text();
  out.ids = ids_of(at.text());
  return !out.ids.empty() || report_property(at);
}

bool is_about(const Property& property, std::initializer_list<Id> wanted) {
  return std::any_of(wanted.begin(), wanted.end(), [&](Id id) {
    return std::find(property.ids.begin(), property.ids.end(), id) != property.ids.end();
  });
}

// Properties that one monitor judges, at one level of belief for all of them.
bool is_about_belief(const Property& property) {
  return is_about(property, {Id::B1, Id::B2, Id::V1});
}

bool has_property_fields(const Reader& at, const Property& property) {
  if (is_about(property, {Id::L1}))
    return at.has_fields({"name", "expect", "allowVacuous", "level", "within"});
  if (is_about(property, {Id::L4}))
    return at.has_fields({"name", "expect", "allowVacuous", "level", "window"});
  if (is_about_belief(property)) return at.has_fields({"name", "expect", "allowVacuous", "level"});
  return at.has_fields({"name", "expect", "allowVacuous"});
}

void decode_level(const Reader& at, Property& out) {
  static constexpr Word<Property::Level> levels[] = {{"context", Property::Level::context},
                                                     {"isLeader", Property::Level::is_leader}};
  const std::optional<Reader> level = at.field("level");
  if (!level || !level->expect_text("a level of belief")) return;
  if (level->text() == "application") return level->not_modelled("level: application");
  if (!read_word(*level, "a level of belief", levels, out.level)) return;
  if (out.level != Property::Level::context && !is_about_belief(out))
    level->not_modelled(fmt::format("level: isLeader of {}", out.name));
}

bool is_bounded(const Distribution& d) {
  return d.upper_bound() < longest_duration;
}

// The closed form is known for client-go with bounded latency only.
bool has_closed_form(const Scenario& scenario) {
  const bool all_client_go =
      std::all_of(scenario.candidates.begin(), scenario.candidates.end(),
                  [](const Candidates& c) { return c.elector.type == Elector::Type::client_go; });
  return all_client_go &&
         std::visit(
             overloaded{
                 [](const RoundTrip& l) { return is_bounded(l.read) && is_bounded(l.write); },
                 [](const OneWay& l) { return is_bounded(l.request) && is_bounded(l.response); }},
             scenario.cluster.latency);
}

void decode_within(const Reader& at, const Scenario& scenario, Property& out) {
  const std::optional<Reader> within = at.required("within");
  if (!within) return;
  if (!within->is_text() || within->text() != "bound") {
    read(*within, out.within);
  } else if (!has_closed_form(scenario)) {
    within->error("E0319", "within: bound is known for client-go with bounded latency only",
                  {"write a duration: within: 30s"});
  }
}

void decode_long_form(const Reader& at, const Scenario& scenario, Property& out) {
  static constexpr Word<Property::Expect> expectations[] = {
      {"holds", Property::Expect::holds},
      {"violated", Property::Expect::violated},
      {"any", Property::Expect::any}};
  has_property_fields(at, out);
  if (const auto expect = at.field("expect"))
    read_word(*expect, "an expectation", expectations, out.expect);
  read_field(at, "allowVacuous", out.allow_vacuous);
  if (is_about(out, {Id::B1, Id::B2, Id::V1, Id::L1, Id::L4})) decode_level(at, out);
  if (is_about(out, {Id::L1})) decode_within(at, scenario, out);
  if (is_about(out, {Id::L4})) read_field(at, "window", out.window);
}

void decode_property(const Reader& at, Scenario& scenario) {
  Property out;
  out.origin.where = at.key_where();
  if (at.is_map()) {
    const std::optional<Reader> name = at.required("name");
    if (!name || !read_property_name(*name, out)) return;
    decode_long_form(at, scenario, out);
  } else {
    if (!read_property_name(at, out)) return;
    if (is_about(out, {Id::L1})) {
      at.error("E0202", fmt::format("field \"within\" is missing for {}", out.name),
               {fmt::format("write {{name: {}, within: 30s}}", out.name)});
    }
  }
  const auto same = [&](const Property& other) {
    return other.name == out.name && other.level == out.level;
  };
  if (std::any_of(scenario.properties.begin(), scenario.properties.end(), same)) {
    at.error("E0318", fmt::format("property {} is listed twice", out.name));
  }
  const auto other_level = [&](const Property& other) {
    return is_about_belief(other) && other.level != out.level;
  };
  if (is_about_belief(out) &&
      std::any_of(scenario.properties.begin(), scenario.properties.end(), other_level)) {
    at.not_modelled("belief at two levels in one scenario");
  }
  scenario.properties.push_back(std::move(out));
}

}  // namespace

void decode_properties(const Reader& spec, Scenario& out) {
  const std::optional<Reader> properties = spec.field("properties");
  if (!properties) {
    Property lease_safety;
    lease_safety.name = "leaseSafety";
    lease_safety.ids = ids_of(lease_safety.name);
    lease_safety.origin.where = spec.key_where();
    out.properties.push_back(std::move(lease_safety));
    return;
  }
  if (!properties->expect_list()) return;
  for (const Reader& property : properties->items()) decode_property(property, out);
}

namespace {

// What the samples of a metric are measured in.
enum class Unit : std::uint8_t { time, share, number };

Unit unit_of(Metric metric) {
  switch (metric) {
    case Metric::failover:
    case Metric::gap:
    case Metric::overlap:
    case Metric::overlap_running:
      return Unit::time;
    case Metric::leaderless:
      return Unit::share;
    case Metric::transitions:
    case Metric::restarts:
    case Metric::api_requests_per_second:
    case Metric::api_conflicts:
      return Unit::number;
  }
  return Unit::number;
}

std::optional<Metric> metric_named(std::string_view name) {
  for (std::size_t i = 0; i < check::metric_count; ++i) {
    if (const Metric metric{static_cast<std::uint8_t>(i)}; check::to_text(metric) == name)
      return metric;
  }
  return std::nullopt;
}

// "failover[kill]" as its two parts.
struct Narrowed {
  std::string_view metric;
  std::string_view fault;
};

Narrowed narrowed(std::string_view written) {
  const std::size_t bracket = written.find('[');
  if (bracket == std::string_view::npos || written.back() != ']') return {written, {}};
  return {written.substr(0, bracket), written.substr(bracket + 1, written.size() - bracket - 2)};
}

std::optional<Ratio> parse_share(std::string_view text) {
  const bool percent = !text.empty() && text.back() == '%';
  if (percent) text.remove_suffix(1);
  std::optional<Ratio> value = parse_decimal(text);
  if (value && percent) {
    if (value->denominator > 1'000'000'000'000'000) return std::nullopt;
    value->denominator *= 100;
  }
  return value && value->numerator >= 0 ? value : std::nullopt;
}

bool parse_time(std::string_view text, Threshold& out, std::string& problem) {
  const ParsedDuration parsed = parse_duration(text);
  if (parsed.fault == ParsedDuration::Fault::none && parsed.value >= Duration{}) {
    out.value = parsed.value;
    return true;
  }
  problem = fmt::format("{} is not a duration; this compares a time: write a unit, \"20s\"",
                        quoted(text));
  return false;
}

// Whether the value has the unit of what it is compared with.
bool parse_value(std::string_view text, Unit unit, Threshold& out, std::string& problem) {
  using Aggregation = Threshold::Aggregation;
  const bool is_share = out.aggregation == Aggregation::rate ||
                        (unit == Unit::share && out.aggregation != Aggregation::count);
  if (out.aggregation != Aggregation::count && out.aggregation != Aggregation::rate &&
      unit == Unit::time) {
    return parse_time(text, out, problem);
  }
  const bool per_second = out.metric == Metric::api_requests_per_second && text.size() > 2 &&
                          text.substr(text.size() - 2) == "/s" && !is_share &&
                          out.aggregation != Aggregation::count;
  if (per_second) text.remove_suffix(2);
  const std::optional<Ratio> value = is_share ? parse_share(text) : parse_decimal(text);
  if (!value || value->numerator < 0) {
    problem =
        fmt::format("{} is not {}", quoted(text), is_share ? "a share: 0.01 or 1%" : "a number");
    return false;
  }
  out.value = *value;
  return true;
}

void report_metric(const Reader& at, std::string_view name) {
  if (find_name(metrics(), name) != nullptr && !metric_named(name)) {
    return at.error_at_key("E0220", fmt::format("metric {} is not modelled in this version", name));
  }
  std::vector<std::string> hints;
  if (const auto meant = did_you_mean(name, words_of(metrics()))) {
    hints.push_back(fmt::format("did you mean \"{}\"?", *meant));
  }
  hints.emplace_back("tenure list metrics");
  at.error_at_key("E0204", fmt::format("{} is not a metric", quoted(name)), std::move(hints));
}

void decode_decision(const Reader& at, Threshold& out) {
  static constexpr Word<Threshold::Decision> decisions[] = {
      {"confident", Threshold::Decision::confident}, {"point", Threshold::Decision::point}};
  if (const auto decision = at.field("decision"))
    read_word(*decision, "a way to decide", decisions, out.decision);
}

// An estimate can recover until it is looked at; what a run has made of a fact stays.
void check_abort(const Reader& at, const Threshold& threshold, bool has_looks) {
  using Aggregation = Threshold::Aggregation;
  const bool is_fact =
      threshold.aggregation == Aggregation::min || threshold.aggregation == Aggregation::max ||
      threshold.aggregation == Aggregation::count || threshold.aggregation == Aggregation::sum;
  if (!threshold.abort_on_fail || is_fact || has_looks) return;
  at.error("E0218",
           fmt::format("abortOnFail: {} has failed for good only at a look, and spec.stopping has "
                       "none",
                       quoted(threshold.text)),
           {"spec.stopping: {looks: [1000, 2000, 4000]}", "min, max, count and sum need no looks"});
}

void decode_threshold(const Reader& at,
                      const std::string& metric,
                      bool has_looks,
                      Scenario& scenario) {
  std::optional<Reader> text = at;
  if (at.is_map()) {
    if (!at.has_fields({"threshold", "decision", "abortOnFail"})) return;
    text = at.required("threshold");
  }
  if (!text || !text->expect_text("a threshold like \"p(99) < 20s\"")) return;
  std::string problem;
  std::optional<Threshold> threshold = parse_threshold(metric, text->text(), problem);
  if (!threshold) {
    text->error(
        "E0212",
        fmt::format("{} is not a threshold of {}: {}", quoted(text->text()), visible(metric),
                    problem),
        {"form: AGGREGATION OP VALUE, for example \"p(99) < 20s\", \"max <= 2\", \"rate == 0\""});
    return;
  }
  threshold->origin.where = text->where();
  if (at.is_map()) {
    decode_decision(at, *threshold);
    read_field(at, "abortOnFail", threshold->abort_on_fail);
    check_abort(*text, *threshold, has_looks);
  }
  scenario.thresholds.push_back(std::move(*threshold));
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool is_known_metric(const Reader& at, std::string_view written, const Scenario& scenario) {
  const auto [metric, fault_name] = narrowed(written);
  const std::optional<Metric> named = metric_named(metric);
  if (!named) {
    report_metric(at, metric);
    return false;
  }
  if (metric.size() == written.size()) return true;
  // The others are one figure for the whole run, of which no part belongs to a fault.
  if (*named != Metric::failover) {
    at.error_at_key("E0220",
                    fmt::format("{} of a single fault is not modelled in this version", metric),
                    {"failover is: failover[NAME]"});
    return false;
  }
  const std::string_view wanted = fault_name;
  const bool is_fault = std::any_of(scenario.faults.begin(), scenario.faults.end(),
                                    [wanted](const Fault& f) { return f.name == wanted; });
  if (is_fault) return true;
  at.error_at_key("E0317",
                  fmt::format("there is no fault {} in this scenario", quoted(fault_name)));
  return false;
}

bool parse_aggregation(std::string_view text, Threshold& out, std::string& problem) {
  using Aggregation = Threshold::Aggregation;
  constexpr Word<Aggregation> words[] = {{"min", Aggregation::min},   {"max", Aggregation::max},
                                         {"avg", Aggregation::mean},  {"count", Aggregation::count},
                                         {"rate", Aggregation::rate}, {"sum", Aggregation::sum}};
  for (const Word<Aggregation>& word : words) {
    if (word.word != text) continue;
    out.aggregation = word.value;
    return true;
  }
  out.aggregation = Aggregation::quantile;
  out.percentile = Ratio{50, 1};
  if (text == "med") return true;
  const bool is_call = text.size() > 3 && text.substr(0, 2) == "p(" && text.back() == ')';
  const std::optional<Ratio> percentile =
      is_call ? parse_decimal(trimmed(text.substr(2, text.size() - 3))) : std::nullopt;
  if (!percentile) {
    const bool is_percentile = text.size() > 1 && text[0] == 'p' && parse_decimal(text.substr(1));
    problem = is_percentile ? fmt::format("a percentile is written p({})", text.substr(1))
                            : fmt::format(
                                  "{} is not an aggregation: min max avg med p(N) count "
                                  "rate sum",
                                  quoted(text));
    return false;
  }
  if (percentile->numerator <= 0 || percentile->numerator > 100 * percentile->denominator) {
    problem = fmt::format("the N of {} must be above 0 and at most 100", quoted(text));
    return false;
  }
  out.percentile = *percentile;
  return true;
}

bool parse_op(std::string_view text, Threshold& out) {
  using Op = Threshold::Op;
  constexpr Word<Op> words[] = {{"<", Op::less},      {"<=", Op::at_most}, {">", Op::more},
                                {">=", Op::at_least}, {"==", Op::equal},   {"!=", Op::different}};
  for (const Word<Op>& word : words) {
    if (word.word != text) continue;
    out.op = word.value;
    return true;
  }
  return false;
}

std::optional<Threshold> parse_threshold(std::string_view metric,
                                         std::string_view text,
                                         std::string& problem) {
  Threshold out;
  out.text = text;
  const Narrowed parts = narrowed(metric);
  const std::optional<Metric> named = metric_named(parts.metric);
  if (!named) {
    problem = fmt::format("{} is not a metric", quoted(parts.metric));
    return std::nullopt;
  }
  out.metric = *named;
  out.fault = parts.fault;
  const std::size_t op = text.find_first_of("<>=!");
  if (op == std::string_view::npos) {
    problem = "a comparison is missing: < <= > >= == !=";
    return std::nullopt;
  }
  const std::size_t behind = std::min(text.find_first_not_of("<>=!", op), text.size());
  if (!parse_aggregation(trimmed(text.substr(0, op)), out, problem)) return std::nullopt;
  if (!parse_op(text.substr(op, behind - op), out)) {
    problem = fmt::format("{} is not a comparison: < <= > >= == !=",
                          quoted(text.substr(op, behind - op)));
    return std::nullopt;
  }
  if (!parse_value(trimmed(text.substr(behind)), unit_of(out.metric), out, problem))
    return std::nullopt;
  return out;
}

void decode_thresholds(const Reader& spec, Scenario& out) {
  const std::optional<Reader> thresholds = spec.field("thresholds");
  if (!thresholds || !thresholds->expect_map()) return;
  const bool has_looks = spec.field("stopping").has_value();
  for (const auto& [metric, value] : thresholds->entries()) {
    if (!is_known_metric(value, metric, out)) continue;
    if (!value.is_list()) {
      decode_threshold(value, metric, has_looks, out);
      continue;
    }
    for (const Reader& item : value.items()) decode_threshold(item, metric, has_looks, out);
  }
}

}  // namespace tenure::scenario
