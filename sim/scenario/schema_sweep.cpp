// What JSON Schema can say about how the fields of a sweep belong together (E0202, E0209, E0218).
#include <string_view>

#include <tenure/scenario/sweep.hpp>

#include "schema_types.hpp"

namespace tenure::scenario {
namespace {

Json constant(std::string_view word) {
  return {{"const", word}};
}

Json never(const Json& schema) {
  return {{"not", schema}};
}

Json if_then(const Json& condition, const Json& consequence) {
  return {{"if", condition}, {"then", consequence}};
}

Json is(std::string_view field, const Json& value) {
  Json out = where({{field, value}});
  out["required"] = {field};
  return out;
}

Json rules_of_a_parameter() {
  return Json::array({{{"oneOf", Json::array({has({"values"}), has({"range"}), has({"expr"})})}}});
}

// Numbers alone or durations alone; a step or a count; on a log scale above zero and no step.
Json rules_of_a_range() {
  const Json time = ref("timeOfAQuantity");
  const Json is_log = is("scale", constant("log"));
  const Json above_zero = ref("step");
  return Json::array(
      {any_of({where({{"from", time}, {"to", time}, {"step", time}}),
               where({{"from", never(time)}, {"to", never(time)}, {"step", never(time)}})}),
       never(has({"step", "count"})),
       if_then(is_log, where({{"from", above_zero}, {"to", above_zero}, {"step", false}}))});
}

Json rules_of_a_design() {
  Json powers_of_two = Json::array();
  for (std::size_t points = 1; points <= most_points; points *= 2) powers_of_two.push_back(points);
  Json rules = Json::array();
  rules.push_back(if_then(is("type", constant("grid")), never(has({"points"}))));
  rules.push_back(if_then(is("type", one_of({"sobol", "latin-hypercube"})), has({"points"})));
  rules.push_back(
      if_then(is("type", constant("sobol")), where({{"points", {{"enum", powers_of_two}}}})));
  return rules;
}

// Ranges without a step and a count are what a design draws from, and what a grid cannot use.
Json rules_of_a_spec() {
  const Json is_fixed = any_of({has({"step"}), has({"count"})});
  const Json is_open = is("range", never(is_fixed));
  const Json draws = is("design", is("type", one_of({"sobol", "latin-hypercube"})));
  const Json of_a_design =
      where({{"parameters", {{"items", never(is("range", is_fixed))}, {"contains", is_open}}}});
  const Json of_a_grid = where({{"parameters", {{"items", never(is_open)}}}});
  Json rule = if_then(draws, of_a_design);
  rule["else"] = of_a_grid;
  return Json::array({rule});
}

}  // namespace

Json rules_of_sweeps(std::string_view path) {
  if (path == "sweep.spec") return rules_of_a_spec();
  if (path == "sweep.spec.design") return rules_of_a_design();
  if (path == "sweep.spec.parameters") return rules_of_a_parameter();
  if (path == "sweep.spec.parameters.range") return rules_of_a_range();
  return Json::array();
}

}  // namespace tenure::scenario
