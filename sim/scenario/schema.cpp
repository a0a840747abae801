#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tenure/check/property.hpp>
#include <tenure/scenario/schema.hpp>

#include "schema_types.hpp"

namespace tenure::scenario {
namespace {

// "Whether ... Default: 5m."
std::string description_of(const FieldPage& page) {
  std::string text = fmt::format("{}\n{}", page.meaning, text_of(page.value));
  if (page.standard != "required") text += fmt::format("\nDefault: {}", page.standard);
  return text;
}

bool is_in(std::string_view field, const std::vector<std::string_view>& fields) {
  return std::find(fields.begin(), fields.end(), field) != fields.end();
}

Json if_then(const Json& condition, const Json& consequence) {
  return {{"if", condition}, {"then", consequence}};
}

Json only(const std::vector<std::string_view>& fields) {
  return {{"propertyNames", {{"enum", fields}}}};
}

Json is(std::string_view field, const Json& value) {
  Json out = where({{field, value}});
  out["required"] = {field};
  return out;
}

Json constant(std::string_view word) {
  return {{"const", word}};
}

Json never(const Json& schema) {
  return {{"not", schema}};
}

// ---- what fields have to do with each other (E0202, E0218)

// Of the elector that `type` names, its own fields.
Json rules_of_electors() {
  Json rules = Json::array();
  for (const ElectorPage& elector : elector_pages()) {
    std::vector<std::string_view> fields = parts_of(elector.fields);
    fields.insert(fields.begin(), "type");
    rules.push_back(if_then(is("type", constant(elector.name)), only(fields)));
  }
  return rules;
}

constexpr std::string_view fields_of_every_fault = "name, type, at, every, count, probability";

Json rule_of_hits(Hits hits) {
  if (hits == Hits::api_servers) return where({{"target", ref("server")}});
  if (hits == Hits::processes) {
    Json rule = where({{"target", ref("victim")}});
    rule["required"] = {"target"};
    return rule;
  }
  Json rule = where({{"between", never({{"type", "array"}, {"items", ref("theServer")}})}});
  rule["oneOf"] = Json::array({has({"target"}), has({"between"})});
  return rule;
}

Json rule_of(const FaultPage& fault) {
  std::vector<std::string_view> fields = parts_of(fields_of_every_fault);
  for (const std::string_view own : parts_of(fault.fields)) fields.push_back(own);
  fields.push_back("target");
  if (fault.hits == Hits::links) fields.push_back("between");
  Json rule = rule_of_hits(fault.hits);
  rule["propertyNames"] = {{"enum", fields}};
  rule["properties"]["name"] = any_of({ref("name"), constant(fault.name)});
  if (fault.name == "delay") rule["required"] = {"latency"};
  return rule;
}

Json rules_of_faults() {
  Json rules = Json::array();
  for (const FaultPage& fault : fault_pages())
    rules.push_back(if_then(is("type", constant(fault.name)), rule_of(fault)));
  const Json at_any = is("at", constant("any"));
  rules.push_back(if_then(has({"count"}), any_of({has({"every"}), at_any})));
  rules.push_back(if_then(at_any, never(has({"every"}))));
  rules.push_back(if_then({{"required", {"every"}}, {"not", has({"count"})}},
                          where({{"every", ref("spacedDistribution")}})));
  rules.push_back(if_then(has({"code"}), is("mode", constant("error"))));
  return rules;
}

Json rules_of_latency() {
  Json one_way = has({"request", "response"});
  one_way["not"] = any_of({has({"read"}), has({"write"})});
  return Json::array({any_of({one_way, never(any_of({has({"request"}), has({"response"})}))})});
}

Json rules_of_spec() {
  const Json an_instant = where({{"at", never(constant("any"))}});
  const Json some_threshold = is("thresholds", {{"minProperties", 1}});
  return Json::array(
      {if_then(never(has({"explore"})), where({{"faults", {{"items", an_instant}}}})),
       if_then(has({"choices"}), where({{"runs", {{"const", 1}}}})),
       if_then(is("stopping", never(is("rule", constant("precision")))), some_threshold)});
}

// What says which figure is to be narrow goes with rule: precision.
Json rules_of_stopping() {
  const Json precision = is("rule", constant("precision"));
  const Json of_a_figure = any_of({has({"metric"}), has({"of"}), has({"width"})});
  const Json of_a_time = where({{"width", ref("widthOfTime")}});
  return Json::array(
      {if_then(never(precision), never(of_a_figure)), if_then(never(has({"metric"})), of_a_time)});
}

Json rules_at(std::string_view path) {
  if (path == "spec") return rules_of_spec();
  if (path == "spec.cluster.latency") return rules_of_latency();
  if (path == "spec.stopping") return rules_of_stopping();
  if (path == "spec.candidates.elector") return rules_of_electors();
  if (path == "spec.faults") return rules_of_faults();
  return rules_of_sweeps(path);
}

// ---- properties

// Its name and the ids that it stands for.
std::vector<std::string_view> names_of(const PropertyPage& page) {
  std::vector<std::string_view> names = parts_of(page.ids);
  names.insert(names.begin(), page.name);
  return names;
}

bool is_about_belief(const PropertyPage& page) {
  return page.name == "beliefSafety" || page.name == "validLeader";
}

Json rule_of(const PropertyPage& page) {
  std::vector<std::string_view> fields = parts_of(page.options);
  const bool has_level = is_in("level", fields);
  fields.insert(fields.begin(), "name");
  Json rule = only(fields);
  if (is_in("within", fields)) rule["required"] = {"within"};
  // The other level is modelled where a monitor of beliefs judges.
  if (has_level && !is_about_belief(page)) rule["properties"]["level"] = constant("context");
  return rule;
}

// Beliefs are watched at one level in a scenario.
Json one_level() {
  std::vector<std::string_view> names;
  for (const PropertyPage& page : property_pages()) {
    if (!is_about_belief(page)) continue;
    for (const std::string_view name : names_of(page)) names.push_back(name);
  }
  Json other = is("level", constant("isLeader"));
  other["properties"]["name"] = one_of(names);
  other["type"] = "object";
  Json usual{{"type", "object"}};
  usual["properties"]["name"] = one_of(names);
  usual["required"] = {"name"};
  usual["not"] = is("level", constant("isLeader"));
  const Json both{{"allOf", Json::array({Json{{"contains", other}},
                                         Json{{"contains", any_of({usual, one_of(names)})}}})}};
  return never(both);
}

Json properties_schema(std::span<const FieldPage> pages, std::string_view path) {
  Json long_form = map_schema(pages, path);
  Json short_names = Json::array();
  long_form["required"] = {"name"};
  for (const PropertyPage& page : property_pages()) {
    const std::vector<std::string_view> names = names_of(page);
    long_form["allOf"].push_back(if_then(is("name", one_of(names)), rule_of(page)));
    if (is_in("within", parts_of(page.options))) continue;
    for (const std::string_view name : names) short_names.push_back(name);
  }
  Json list{{"type", "array"}, {"items", any_of({{{"enum", short_names}}, long_form})}};
  list["allOf"] = Json::array({one_level()});
  return list;
}

// ---- maps

bool has_fields_of_its_own(Type type) {
  return type == Type::map || type == Type::list || type == Type::word_or_map ||
         type == Type::properties;
}

Json field_schema(std::span<const FieldPage> pages, const FieldPage& page) {
  if (!has_fields_of_its_own(page.value.type)) return value_schema(page.value);
  if (page.value.type == Type::properties) return properties_schema(pages, page.path);
  Json map = map_schema(pages, page.path);
  if (page.value.type == Type::list) {
    Json list{{"type", "array"}, {"items", map}};
    if (page.value.least > 0) list["minItems"] = page.value.least;
    return list;
  }
  if (page.value.type == Type::map) return map;
  return any_of({one_of(parts_of(page.value.words)), map});
}

// Whether it is there whatever else is: what only some variants have is in their rules.
bool is_always_required(const FieldPage& page) {
  return page.standard == "required" && page.path != "spec.faults.latency" &&
         page.path != "spec.properties.within";
}

}  // namespace

Json map_schema(std::span<const FieldPage> pages, std::string_view path) {
  Json out{{"type", "object"}, {"properties", Json::object()}};
  std::vector<std::string_view> required;
  for (const FieldPage& page : pages) {
    if (!is_child(page.path, path)) continue;
    const std::string name{page.path.substr(path.empty() ? 0 : path.size() + 1)};
    Json field = field_schema(pages, page);
    // Beside a reference, draft 07 sees nothing.
    if (field.contains("$ref")) field = {{"allOf", Json::array({field})}};
    if (field.is_object()) field["description"] = description_of(page);
    out["properties"][name] = field;
    if (is_always_required(page))
      required.push_back(page.path.substr(path.empty() ? 0 : path.size() + 1));
  }
  if (!required.empty()) out["required"] = required;
  out["additionalProperties"] = false;
  if (Json rules = rules_at(path); !rules.empty()) out["allOf"] = std::move(rules);
  return out;
}

Json sweep_schema() {
  Json out{{"$schema", "http://json-schema.org/draft-07/schema#"},
           {"title", "Sweep of tenure, tenure/v1alpha1"}};
  out.update(map_schema(sweep_field_pages(), "sweep"));
  out["definitions"] = sweep_definitions();
  return out;
}

Json scenario_schema() {
  Json out{{"$schema", "http://json-schema.org/draft-07/schema#"},
           {"title", "Scenario of tenure, tenure/v1alpha1"}};
  out.update(map_schema(field_pages(), ""));
  out["definitions"] = type_definitions();
  return out;
}

}  // namespace tenure::scenario
