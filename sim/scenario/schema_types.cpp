#include "schema_types.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tenure/check/metrics.hpp>
#include <tenure/check/property.hpp>
#include <tenure/elect/client_go.hpp>
#include <tenure/scenario/names.hpp>
#include <tenure/scenario/schema.hpp>

namespace tenure::scenario {
namespace {

const std::string number = "(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)";
const std::string zero = "(?:0+(?:\\.0*)?|\\.0+)";
const std::string unit = "(?:ns|us|\xC2\xB5s|\xCE\xBCs|ms|s|m|h)";
const std::string some = "(?:" + number + unit + ")+";
const std::string none = "(?:" + zero + unit + ")+";
const std::string decimal = "[0-9]+(?:\\.[0-9]+)?";

Json text_of_pattern(const std::string& pattern) {
  return {{"type", "string"}, {"pattern", "^" + pattern + "$"}};
}

Json whole(std::int64_t least, std::int64_t most) {
  return {{"type", "integer"}, {"minimum", least}, {"maximum", most}};
}

Json number_between(double least, double most) {
  return {{"type", "number"}, {"minimum", least}, {"maximum", most}};
}

// Whole numbers up to `most`, as a pattern: one alternative for each digit that is smaller, and
// those with fewer digits.
std::string up_to(std::int64_t most) {
  const std::string digits = std::to_string(most);
  std::vector<std::string> choices;
  if (digits.size() > 1) choices.push_back(fmt::format("[0-9]{{1,{}}}", digits.size() - 1));
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const char below = static_cast<char>(digits[i] - 1);
    if (digits[i] == '0') continue;
    choices.push_back(
        fmt::format("{}[0-{}][0-9]{{{}}}", digits.substr(0, i), below, digits.size() - i - 1));
  }
  choices.push_back(digits);
  return "0*(?:" + fmt::format("{}", fmt::join(choices, "|")) + ")";
}

// Whole numbers from `least` on, without leading zeros.
std::string from(std::int64_t least) {
  const std::string digits = std::to_string(least);
  std::vector<std::string> choices{digits, fmt::format("[1-9][0-9]{{{},}}", digits.size())};
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (digits[i] == '9') continue;
    choices.push_back(fmt::format("{}[{}-9][0-9]{{{}}}", digits.substr(0, i), digits[i] + 1 - '0',
                                  digits.size() - i - 1));
  }
  return "(?:" + fmt::format("{}", fmt::join(choices, "|")) + ")";
}

// Decimal numbers up to `most` with at most so many places that count.
std::string decimal_up_to(std::int64_t most, int places) {
  return fmt::format("(?:{}(?:\\.[0-9]{{1,{}}}0*)?|0*{}(?:\\.0+)?)", up_to(most - 1), places, most);
}

// ---- distributions

Json pair_of(const Json& first, const Json& second) {
  return {
      {"type", "array"}, {"items", Json::array({first, second})}, {"minItems", 2}, {"maxItems", 2}};
}

Json map_of(std::initializer_list<std::pair<std::string_view, Json>> fields) {
  Json out{{"type", "object"}, {"properties", Json::object()}, {"required", Json::array()}};
  for (const auto& [name, value] : fields) {
    out["properties"][std::string{name}] = value;
    out["required"].push_back(name);
  }
  out["additionalProperties"] = false;
  return out;
}

Json list_of(const Json& item) {
  return {{"type", "array"}, {"items", item}, {"minItems", 1}};
}

Json share() {
  return {{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", 1}};
}

Json weight() {
  return {{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", 1e9}};
}

// A distribution of `fixed` values, which goes by the name `self` for the parts of a mixture.
Json distribution_of(const Json& fixed, std::string_view self, bool may_be_negative) {
  std::vector<std::pair<std::string_view, Json>> shapes{
      {"uniform", pair_of(fixed, fixed)},
      {"empirical", list_of(pair_of(fixed, share()))},
      {"mixture", list_of(map_of({{"weight", weight()}, {"of", ref(self)}}))}};
  const Json positive = ref("positiveDuration");
  if (!may_be_negative) {
    shapes.insert(shapes.begin() + 1,
                  {{"exponential", map_of({{"mean", positive}})},
                   {"lognormal", map_of({{"p50", positive}, {"p99", positive}})},
                   {"pareto", map_of({{"min", positive}, {"alpha", number_between(0.01, 1000)}})}});
  }
  Json map{{"type", "object"}, {"properties", Json::object()}};
  for (const auto& [name, shape] : shapes) map["properties"][std::string{name}] = shape;
  map["additionalProperties"] = false;
  map["minProperties"] = 1;
  map["maxProperties"] = 1;
  return any_of({fixed, map});
}

// Distributions of durations above zero: what repeats after such a time comes to an end. An
// exponential or lognormal one comes as near to zero as one likes.
Json spaced_distribution() {
  const Json positive = ref("positiveDuration");
  Json map{{"type", "object"},
           {"properties",
            {{"uniform", {{"items", Json::array({positive})}}},
             {"empirical", {{"items", Json::array({{{"items", Json::array({positive})}}})}}},
             {"mixture", {{"items", {{"properties", {{"of", ref("spacedDistribution")}}}}}}},
             {"exponential", false},
             {"lognormal", false}}}};
  return any_of({positive, map});
}

Json signed_durations() {
  return any_of({{{"const", 0}}, text_of_pattern("(?:[+-](?:0|" + some + ")|0|" + none + ")")});
}

Json rates() {
  const std::string factor =
      "[+]?(?:0*0\\.[5-9][0-9]{0,8}0*|0*1(?:\\.[0-9]{1,9}0*)?|0*2(?:\\.0+)?)";
  return any_of({number_between(0.5, 2),
                 text_of_pattern("(?:[+]" + decimal_up_to(1'000'000, 3) + "ppm|-" +
                                 decimal_up_to(500'000, 3) + "ppm|[+]" + decimal_up_to(100, 7) +
                                 "%|-" + decimal_up_to(50, 7) + "%|" + factor + ")")});
}

// ---- targets

const std::string named_target = "(?:candidate|node|zone)/(?:.|\\n)*";
const std::string server_target = "apiserver(?:/(?:.|\\n)*)?";
// An API server that there is: of one that is nowhere, the name is what is wrong.
const std::string the_server = "apiserver(?:/0)?";

// A target in either form, its role being like this.
Json targets(const Json& role) {
  const Json percent = any_of({whole(0, 100), text_of_pattern("(?:0|[1-9][0-9]?|100)%")});
  Json map{{"type", "object"},
           {"properties",
            {{"role", role},
             {"mode", one_of(parts_of("one, all, fixed, fixed-percent, random-max-percent"))},
             {"value", true}}},
           {"required", {"role"}},
           {"additionalProperties", false}};
  const Json counts = where({{"mode", {{"const", "fixed"}}}});
  const Json shares = where({{"mode", one_of(parts_of("fixed-percent, random-max-percent"))}});
  const auto with_value = [](const Json& value) {
    return Json{{"required", {"value"}}, {"properties", {{"value", value}}}};
  };
  Json neither{{"if", shares}, {"then", with_value(percent)}, {"else", {{"not", has({"value"})}}}};
  neither["if"]["required"] = {"mode"};
  Json rule{{"if", counts}, {"then", with_value(whole(1, 10'000))}, {"else", neither}};
  rule["if"]["required"] = {"mode"};
  map["allOf"] = Json::array({rule});
  return any_of({role, map});
}

Json role_pattern(const std::string& servers) {
  const std::string words = "leader|followers|believers|all|" + named_target;
  return text_of_pattern("(?:" + words + (servers.empty() ? "" : "|" + servers) + ")");
}

// ---- thresholds

// A share is written as a part of one or in percent.
constexpr std::string_view share_text = "[+]?[0-9]+(?:\\.[0-9]+)?%?";

std::string statement(std::string_view value_of_time, std::string_view value) {
  const std::string percentile = "p\\( *[+]?(?=[0-9.]*[1-9])" + decimal_up_to(100, 12) + " *\\)";
  const std::string op = " *(?:<=?|>=?|==|!=) *";
  return "(?: *(?:min|max|avg|med|sum|" + percentile + ")" + op + std::string{value_of_time} +
         "| *count" + op + "[+]?" + decimal + "| *rate" + op + std::string{value} + ") *";
}

// A figure that has an interval.
std::string figure() {
  return " *(?:avg|med|rate|p\\( *[+]?(?=[0-9.]*[1-9])" + decimal_up_to(100, 12) + " *\\)) *";
}

std::string statement_of(check::MetricId metric) {
  using Metric = check::MetricId;
  switch (metric) {
    case Metric::failover:
    case Metric::gap:
    case Metric::overlap:
    case Metric::overlap_running:
      return statement("(?:[+-]?0|[+]?" + some + "|-" + none + ")", share_text);
    case Metric::leaderless:
      return statement(share_text, share_text);
    case Metric::api_requests_per_second:
      return statement("[+]?" + decimal + "(?:/s)?", share_text);
    case Metric::transitions:
    case Metric::restarts:
    case Metric::api_conflicts:
      break;
  }
  return statement("[+]?" + decimal, share_text);
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '.' ? std::string{"\\."} : std::string{c};
  return out;
}

Json thresholds() {
  Json patterns = Json::object();
  for (std::size_t i = 0; i < check::metric_count; ++i) {
    const auto metric = static_cast<check::MetricId>(i);
    const Json text = text_of_pattern(statement_of(metric));
    const Json long_form{{"type", "object"},
                         {"properties",
                          {{"threshold", text},
                           {"decision", one_of({"confident", "point"})},
                           {"abortOnFail", {{"type", "boolean"}}}}},
                         {"required", {"threshold"}},
                         {"additionalProperties", false}};
    const Json one = any_of({text, long_form});
    const std::string fault = metric == check::MetricId::failover ? "(?:\\[(?:.|\\n)*\\])?" : "";
    patterns["^" + escaped(check::to_text(metric)) + fault + "$"] =
        any_of({one, {{"type", "array"}, {"items", one}}});
  }
  return {{"type", "object"}, {"patternProperties", patterns}, {"additionalProperties", false}};
}

// ---- sweeps

const std::string amount = "[+]?" + decimal;
const std::string no_amount = "-0+(?:\\.0+)?";

Json quantities() {
  return any_of({{{"type", "number"}, {"minimum", 0}, {"maximum", 1'000'000'000}},
                 text_of_pattern("(?:" + amount + "|" + no_amount + ")"),
                 ref("timeOfAQuantity")});
}

Json steps() {
  return any_of({{{"type", "number"}, {"exclusiveMinimum", 0}},
                 text_of_pattern("(?=.*[1-9])" + amount),
                 ref("positiveDuration")});
}

// A metric at the beginning of a text, narrowed to a fault or not.
std::string metric_pattern(check::MetricId metric) {
  return escaped(check::to_text(metric)) + "(?:\\[[^\\]]*\\])?";
}

Json figures() {
  const std::string percentile = "p\\( *[+]?(?=[0-9.]*[1-9])" + decimal_up_to(100, 12) + " *\\)";
  std::vector<std::string> names;
  for (std::size_t i = 0; i < check::metric_count; ++i)
    names.push_back(metric_pattern(static_cast<check::MetricId>(i)));
  return text_of_pattern(fmt::format("(?:{})(?:\\.(?:min|max|avg|med|count|rate|sum|{}))?",
                                     fmt::join(names, "|"), percentile));
}

Json conditions() {
  const std::string op = " *(?:<=?|>=?|==|!=) *";
  const std::string time = "[+-]?" + some;
  std::vector<std::string> forms{"(?:apiOutageSurvived|safetyMargin|pauseSurvived)" + op + time,
                                 "clockRatio" + op + "[+-]?" + decimal};
  for (std::size_t i = 0; i < check::metric_count; ++i) {
    const auto metric = static_cast<check::MetricId>(i);
    forms.push_back(metric_pattern(metric) + "(?:\\.| |(?=[ ]))" + statement_of(metric));
  }
  return text_of_pattern(fmt::format(" *(?:{}) *", fmt::join(forms, "|")));
}

// ---- words

std::vector<std::string_view> modelled(std::span<const Name> names) {
  std::vector<std::string_view> words;
  for (const Name& name : names) {
    if (name.modelled) words.push_back(name.name);
  }
  return words;
}

Json versions() {
  Json words = Json::array();
  for (int minor = elect::oldest_client_go_minor; minor <= elect::newest_client_go_minor; ++minor)
    words.push_back(fmt::format("v0.{}", minor));
  return {{"enum", words}};
}

Json names_of_properties() {
  Json words = modelled(scenario::properties());
  for (std::size_t i = 0; i < check::property_count; ++i)
    words.push_back(check::to_text(static_cast<check::PropertyId>(i)));
  return {{"enum", words}};
}

}  // namespace

Json ref(std::string_view definition) {
  return {{"$ref", fmt::format("#/definitions/{}", definition)}};
}

Json one_of(const std::vector<std::string_view>& words) {
  if (words.size() == 1) return {{"const", words.front()}};
  return {{"enum", words}};
}

Json any_of(std::initializer_list<Json> choices) {
  Json list = Json::array();
  for (const Json& choice : choices) list.push_back(choice);
  return {{"anyOf", list}};
}

Json has(std::initializer_list<std::string_view> fields) {
  return {{"required", std::vector<std::string_view>{fields}}};
}

Json where(std::initializer_list<std::pair<std::string_view, Json>> fields) {
  Json properties = Json::object();
  for (const auto& [name, value] : fields) properties[std::string{name}] = value;
  return {{"properties", properties}};
}

Json value_schema(const Value& value) {
  switch (value.type) {
    case Type::word:
      return one_of(parts_of(value.words));
    case Type::whole:
      return whole(value.least, value.most);
    case Type::run_numbers:
      return list_of(whole(1, 1'000'000'000));
    case Type::figure:
      return text_of_pattern(figure());
    case Type::width:
      return any_of({ref("widthOfTime"),
                     text_of_pattern("(?=.*[1-9])[+]?" + decimal),
                     {{"type", "number"}, {"exclusiveMinimum", 0}}});
    case Type::flag:
      return {{"type", "boolean"}};
    case Type::text:
      return ref("text");
    case Type::full_text:
      return ref("fullText");
    case Type::name:
      return ref("name");
    case Type::names:
      return {{"type", "array"}, {"items", ref("name")}};
    case Type::duration:
      return ref("duration");
    case Type::positive_duration:
    case Type::tick:
      return ref("positiveDuration");
    case Type::time_limit:
      return any_of({{{"const", "none"}}, ref("positiveDuration")});
    case Type::time_or_bound:
      return any_of({{{"const", "bound"}}, ref("duration")});
    case Type::distribution:
      return ref("distribution");
    case Type::instant:
      return any_of({{{"const", "any"}}, ref("distribution")});
    case Type::offset:
      return ref("offset");
    case Type::rate:
      return ref("rate");
    case Type::probability:
      return ref("probability");
    case Type::memory:
      return ref("memory");
    case Type::elector:
      return one_of(modelled(electors()));
    case Type::version:
      return versions();
    case Type::fault:
      return one_of(modelled(faults()));
    case Type::fault_name:
      return any_of({ref("name"), one_of(modelled(faults()))});
    case Type::target:
      return ref("target");
    case Type::two_targets:
      return pair_of(ref("target"), ref("target"));
    case Type::property:
      return names_of_properties();
    case Type::thresholds:
      return thresholds();
    case Type::parameter:
      return any_of({text_of_pattern("[A-Za-z][A-Za-z0-9_]{0,63}"), {{"type", "boolean"}}});
    case Type::parameters:
      return {{"type", "array"},
              {"items", {{"type", "object"}, {"additionalProperties", ref("text")}}}};
    case Type::settings:
      return list_of(ref("text"));
    case Type::quantity:
      return ref("quantity");
    case Type::step:
      return ref("step");
    case Type::formula:
      // Its grammar has parentheses, which no pattern counts.
      return any_of(
          {{{"type", "string"}, {"pattern", "^[^<>=!]+$"}}, {{"type", {"number", "boolean"}}}});
    case Type::comparisons:
      return {{"type", "array"}, {"items", {{"type", "string"}, {"pattern", "[<>]|==|!="}}}};
    case Type::figures:
      return list_of(ref("figure"));
    case Type::conditions:
      return {{"type", "array"}, {"items", ref("condition")}};
    case Type::files:
      return {{"type", "array"}, {"items", ref("text")}};
    case Type::texts:
      return {{"type", "object"}, {"additionalProperties", ref("text")}};
    case Type::rule_duration:
      return any_of(
          {{{"const", 0}},
           text_of_pattern("(?=.)(?:0|(?:[0-9]+y)?(?:[0-9]+w)?(?:[0-9]+d)?(?:[0-9]+h)?(?:[0-9]+m)"
                           "?(?:[0-9]+s)?(?:[0-9]+ms)?)")});
    default:
      return true;  // made by its map
  }
}

Json type_definitions() {
  const Json plain =
      any_of({{{"const", 0}}, text_of_pattern("(?:[+-]?0|[+]?" + some + "|-" + none + ")")});
  Json out;
  out["text"] = {{"type", {"string", "number", "boolean"}}};
  out["fullText"] = {{"type", {"string", "number", "boolean"}}, {"minLength", 1}};
  out["name"] = any_of({text_of_pattern("[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"),
                        {{"type", "integer"}, {"minimum", 0}},
                        {{"type", "boolean"}}});
  out["duration"] = plain;
  out["positiveDuration"] = text_of_pattern("(?=.*[1-9])[+]?" + some);
  out["widthOfTime"] = text_of_pattern("(?=.*[1-9])(?:[+]?" + some + "|[+]?" + decimal + "%)");
  out["distribution"] = distribution_of(ref("duration"), "distribution", false);
  out["spacedDistribution"] = spaced_distribution();
  out["fixedOffset"] = signed_durations();
  out["offset"] = distribution_of(ref("fixedOffset"), "offset", true);
  out["fixedRate"] = rates();
  out["rate"] = distribution_of(ref("fixedRate"), "rate", true);
  out["probability"] =
      any_of({number_between(0, 1), text_of_pattern("[+]?" + decimal_up_to(100, 12) + "%")});
  out["memory"] = text_of_pattern("(?:" + from(1) + "(?:GiB|GB)|" + from(16) + "MiB|" + from(17) +
                                  "MB|" + from(16'384) + "KiB|" + from(16'778) + "kB)");
  out["target"] = targets(role_pattern(server_target));
  out["victim"] = targets(role_pattern("apiserver/(?!0$)(?:.|\\n)*"));
  out["server"] = targets(text_of_pattern(server_target));
  out["theServer"] = targets(text_of_pattern(the_server));
  return out;
}

Json sweep_definitions() {
  Json out;
  const Json types = type_definitions();
  for (const std::string_view shared : {"text", "fullText", "name", "positiveDuration"})
    out[std::string{shared}] = types.at(std::string{shared});
  out["timeOfAQuantity"] = text_of_pattern("(?:[+]?" + some + "|-" + none + ")");
  out["quantity"] = quantities();
  out["step"] = steps();
  out["figure"] = figures();
  out["condition"] = conditions();
  return out;
}

}  // namespace tenure::scenario
