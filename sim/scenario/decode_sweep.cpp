// What a file of kind Sweep says.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tenure/base/ascii.hpp>
#include <tenure/base/text.hpp>
#include <tenure/scenario/sweep.hpp>

#include "decode.hpp"

namespace tenure::scenario {
namespace {

constexpr std::size_t most_parameters = 64;

// What stands for a parameter in formulas and on the command line.
bool is_parameter_name(std::string_view name) {
  if (name.empty() || name.size() > 64) return false;
  return is_ascii_letter(name.front()) && std::all_of(name.begin(), name.end(), [](char c) {
           return is_ascii_letter(c) || is_ascii_digit(c) || c == '_';
         });
}

ParameterValue setting_of(std::string_view text) {
  return {std::string{text}, quantity_of(text)};
}

std::optional<Expression> read_formula(const Reader& at, bool comparison) {
  if (!at.expect_text(comparison ? "a comparison like \"D > 1.2 * R\""
                                 : "a formula like \"L * 2 / 3\""))
    return std::nullopt;
  std::string problem;
  auto parsed = Expression::parse(at.text(), problem);
  if (parsed && parsed->is_comparison() != comparison) {
    problem = comparison ? "it compares nothing: < <= > >= == !="
                         : "it compares, and a value is expected";
  }
  if (problem.empty()) return parsed;
  at.error("E0222",
           fmt::format("{} is not a {}: {}", quoted(at.text()),
                       comparison ? "constraint" : "formula", problem),
           {"names of parameters above, numbers, durations, + - * / ( ), min, max, floor"});
  return std::nullopt;
}

std::optional<Quantity> read_quantity(const Reader& map, std::string_view field) {
  const auto at = map.required(field);
  if (!at || !at->expect_text("a number or a duration")) return std::nullopt;
  const auto quantity = quantity_of(at->text());
  if (!quantity) {
    at->error("E0208", fmt::format("{} is neither a number nor a duration", quoted(at->text())),
              {"for example 15s, 250ms, 3"});
  }
  return quantity;
}

void decode_range(const Reader& at, ValueRange& out) {
  if (!at.has_fields({"from", "to", "step", "count", "scale"})) return;
  const auto from = read_quantity(at, "from");
  const auto to = read_quantity(at, "to");
  if (!from || !to) return;
  out.from = *from;
  out.to = *to;
  static constexpr Word<ValueRange::Scale> scales[] = {{"linear", ValueRange::Scale::linear},
                                                       {"log", ValueRange::Scale::log}};
  if (const auto scale = at.field("scale")) read_word(*scale, "a scale", scales, out.scale);
  if (at.field("step")) out.step = read_quantity(at, "step");
  if (const auto count = at.field("count")) {
    std::int64_t number = 0;
    if (read_in_range(*count, 2, 10'000, number)) out.count = static_cast<std::uint64_t>(number);
  }
  const bool same_kind = from->power == to->power && (!out.step || out.step->power == from->power);
  if (!same_kind) {
    return at.error("E0218", "a range goes from one number to another, or from one duration");
  }
  if (out.step && out.count) return at.error("E0218", "a range has a step or a count, not both");
  // 10^9, or that many seconds: 31 years.
  const auto is_too_large = [](const Quantity& q) {
    constexpr std::int64_t billion = 1'000'000'000;
    return q.numerator / q.denominator > (q.power == 1 ? billion * billion : billion);
  };
  if (is_too_large(*from) || is_too_large(*to))
    return at.error("E0209", "a range ends at 1000000000, or 1000000000s, at most");
  const auto is_positive = [](const Quantity& q) {
    return q.power == 1 ? q.numerator >= 1'000 : q.numerator > 0;  // a microsecond
  };
  if (from->numerator < 0 || to->numerator < 0)
    return at.error("E0209", "a range has no negative values");
  if (out.scale == ValueRange::Scale::log && !(is_positive(*from) && is_positive(*to)))
    return at.error("E0209", "a range on a log scale lies above zero");
  if (out.scale == ValueRange::Scale::log && out.step)
    return at.error("E0218", "a range on a log scale has a count, not a step");
  if (out.step && !is_positive(*out.step)) return at.error("E0209", "a step must be above zero");
  // What a point's label and its --set can say without rounding.
  const auto is_exact = [](const Quantity& q) {
    return (q.power == 1 ? 1 : 1'000'000'000) % q.denominator == 0;
  };
  if (out.step && !(is_exact(*from) && is_exact(*out.step))) {
    at.error("E0209",
             "the values of a range with a step have at most 9 digits after the point, or are "
             "whole nanoseconds");
  }
}

void decode_values(const Reader& at, std::vector<ParameterValue>& out) {
  if (!at.expect_list()) return;
  for (const Reader& item : at.items()) {
    if (item.expect_text("a value")) out.push_back(setting_of(item.text()));
  }
  if (at.items().empty()) at.error("E0209", "values must name at least one value");
}

void decode_parameter(const Reader& item, Sweep& out) {
  if (!item.has_fields({"name", "path", "values", "range", "expr"})) return;
  Parameter parameter;
  parameter.where = item.where();
  const auto name = item.required("name");
  if (name && name->expect_text("a name")) {
    parameter.name = name->text();
    if (!is_parameter_name(parameter.name)) {
      name->error("E0210", fmt::format("{} is not the name of a parameter", quoted(name->text())),
                  {"a letter, then letters, digits and _: formulas use it"});
    }
    const bool is_taken = std::any_of(out.parameters.begin(), out.parameters.end(),
                                      [&](const auto& p) { return p.name == parameter.name; });
    if (is_taken) {
      name->error("E0312", fmt::format("two parameters are named {}", quoted(parameter.name)));
    }
  }
  if (const auto path = item.field("path"); path && path->expect_text("the path of a field")) {
    parameter.path = path->text();
    if (parameter.path.empty()) path->error("E0209", "a path names a field; leave it out for none");
  }
  const auto values = item.field("values");
  const auto range = item.field("range");
  const auto formula = item.field("expr");
  if ((values ? 1 : 0) + (range ? 1 : 0) + (formula ? 1 : 0) != 1) {
    return item.error_at_key("E0218", "a parameter has one of values, range and expr");
  }
  if (values) decode_values(*values, parameter.values.emplace<std::vector<ParameterValue>>());
  if (range) decode_range(*range, parameter.values.emplace<ValueRange>());
  if (formula) {
    auto parsed = read_formula(*formula, false);
    if (parsed) parameter.values.emplace<Expression>(std::move(*parsed));
  }
  out.parameters.push_back(std::move(parameter));
}

// A formula of a parameter may use those that stand before it.
void check_names(const Reader& at,
                 const Expression& formula,
                 const Sweep& sweep,
                 std::size_t count) {
  for (const std::string& name : formula.names()) {
    std::vector<std::string_view> before;
    for (std::size_t i = 0; i < count; ++i) before.emplace_back(sweep.parameters[i].name);
    if (std::find(before.begin(), before.end(), name) != before.end()) continue;
    std::vector<std::string> hints;
    if (const auto meant = did_you_mean(name, before))
      hints.push_back(fmt::format("did you mean \"{}\"?", *meant));
    hints.push_back(fmt::format("parameters it can use: {}", fmt::join(before, ", ")));
    at.error("E0317", fmt::format("there is no parameter {} before it", quoted(name)),
             std::move(hints));
  }
}

void decode_parameters(const Reader& spec, Sweep& out) {
  const auto list = spec.required("parameters");
  if (!list || !list->expect_list()) return;
  const std::vector<Reader> items = list->items();
  if (items.empty()) return list->error("E0209", "parameters must name at least one parameter");
  if (items.size() > most_parameters) {
    return list->error(
        "E0315", fmt::format("{} parameters; the limit is {}", items.size(), most_parameters));
  }
  for (const Reader& item : items) {
    const std::size_t before = out.parameters.size();
    decode_parameter(item, out);
    if (out.parameters.size() == before) continue;
    const auto* formula = std::get_if<Expression>(&out.parameters.back().values);
    if (formula != nullptr) check_names(*item.field("expr"), *formula, out, before);
  }
}

void decode_followers(const Reader& spec, Sweep& out) {
  const auto list = spec.field("follow");
  if (!list || !list->expect_list()) return;
  for (const Reader& item : list->items()) {
    if (!item.has_fields({"path", "expr"})) continue;
    const auto path = item.required("path");
    const auto formula = item.required("expr");
    if (!path || !formula || !path->expect_text("the path of a field")) continue;
    auto parsed = read_formula(*formula, false);
    if (!parsed) continue;
    check_names(*formula, *parsed, out, out.parameters.size());
    out.followers.push_back({std::string{path->text()}, std::move(*parsed), item.where()});
  }
}

void decode_constraints(const Reader& spec, Sweep& out) {
  const auto list = spec.field("constraints");
  if (!list || !list->expect_list()) return;
  for (const Reader& item : list->items()) {
    auto parsed = read_formula(item, true);
    if (!parsed) continue;
    check_names(item, *parsed, out, out.parameters.size());
    out.constraints.push_back({std::move(*parsed), item.where()});
  }
}

// {L: 60s, R: 1s}
void decode_assignments(const Reader& spec,
                        std::string_view field,
                        const Sweep& sweep,
                        std::vector<Named>& out) {
  const auto list = spec.field(field);
  if (!list || !list->expect_list()) return;
  for (const Reader& item : list->items()) {
    if (!item.expect_map()) continue;
    Named named;
    named.where = item.where();
    for (const auto& [name, value] : item.entries()) {
      const std::string& wanted = name;
      const bool is_known = std::any_of(sweep.parameters.begin(), sweep.parameters.end(),
                                        [&](const auto& p) { return p.name == wanted; });
      if (!is_known)
        value.error_at_key("E0317", fmt::format("there is no parameter {}", quoted(name)));
      if (value.expect_text("a value")) named.values.emplace_back(name, setting_of(value.text()));
    }
    out.push_back(std::move(named));
  }
}

void decode_design(const Reader& spec, Design& out) {
  const auto design = spec.field("design");
  if (!design || !design->has_fields({"type", "points", "seed"})) return;
  static constexpr Word<Design::Kind> kinds[] = {
      {"grid", Design::Kind::grid},
      {"sobol", Design::Kind::sobol},
      {"latin-hypercube", Design::Kind::latin_hypercube}};
  if (const auto type = design->required("type")) read_word(*type, "a design", kinds, out.kind);
  read_field(*design, "seed", out.seed);
  const auto points = design->field("points");
  if (out.kind == Design::Kind::grid) {
    if (points) points->error("E0218", "a grid has as many points as its values make");
    return;
  }
  std::int64_t number = 0;
  if (!points) return design->error_at_key("E0202", "missing field \"points\" of the design");
  if (!read_in_range(*points, 1, static_cast<std::int64_t>(most_points), number)) return;
  out.points = static_cast<std::uint64_t>(number);
  // The balance of a Sobol sequence is that of its first 2^k points.
  if (out.kind == Design::Kind::sobol && (out.points & (out.points - 1)) != 0) {
    points->error("E0209", fmt::format("{} points; a Sobol design has a power of two", number),
                  {"for example 64, 128, 256"});
  }
}

// Ranges without a step are what a design draws from, and what a grid cannot use.
void check_ranges(const Reader& spec, const Sweep& sweep) {
  const bool draws = sweep.design.kind != Design::Kind::grid;
  bool is_drawn = false;
  for (const Parameter& parameter : sweep.parameters) {
    const auto* range = std::get_if<ValueRange>(&parameter.values);
    if (range == nullptr) continue;
    const bool is_open = !range->step && !range->count;
    is_drawn = is_drawn || is_open;
    if (is_open == draws) continue;
    spec.error_at_key(
        "E0218",
        draws ? fmt::format("the range of {} has a step or a count, and the design "
                            "draws values of its own",
                            parameter.name)
              : fmt::format("the range of {} needs a step or a count for a grid", parameter.name));
  }
  if (draws && !is_drawn)
    spec.error_at_key("E0218", "the design has nothing to draw: no parameter has a range");
}

void decode_head(const Reader& root, Sweep& out) {
  root.has_fields({"apiVersion", "kind", "metadata", "spec"});
  decode_version(root);
  const auto metadata = root.required("metadata");
  if (!metadata || !metadata->has_fields({"name", "description"})) return;
  if (const auto name = metadata->required("name")) read_name(*name, out.name);
  read_field(*metadata, "description", out.description);
}

void decode_spec(const Reader& spec, Sweep& out) {
  if (!spec.has_fields({"scenarioRef", "runsPerPoint", "seeds", "design", "parameters", "follow",
                        "constraints", "exclude", "include", "objectives"}))
    return;
  if (const auto ref = spec.required("scenarioRef"); ref && ref->has_fields({"path"})) {
    if (const auto path = ref->required("path"); path && path->expect_text("the path of a file"))
      out.scenario_path = path->text();
  }
  if (const auto runs = spec.field("runsPerPoint")) {
    std::int64_t number = 0;
    if (read_in_range(*runs, 1, 1'000'000'000, number))
      out.runs_per_point = static_cast<std::uint64_t>(number);
  }
  static constexpr Word<Sweep::Seeds> seeds[] = {{"common", Sweep::Seeds::common},
                                                 {"independent", Sweep::Seeds::independent}};
  if (const auto at = spec.field("seeds")) read_word(*at, "a choice of seeds", seeds, out.seeds);
  decode_design(spec, out.design);
  decode_parameters(spec, out);
  check_ranges(spec, out);
  decode_followers(spec, out);
  decode_constraints(spec, out);
  decode_assignments(spec, "exclude", out, out.excluded);
  decode_assignments(spec, "include", out, out.included);
  decode_objectives(spec, out);
}

}  // namespace

std::optional<std::string> scenario_path_of(const Document& sweep) {
  const Node* node = sweep.root.get();
  for (const std::string_view key : {"spec", "scenarioRef", "path"}) {
    const Entry* entry = node->find(key);
    if (entry == nullptr) return std::nullopt;
    node = entry->value.get();
  }
  if (node->kind != Node::Kind::text) return std::nullopt;
  return node->text;
}

std::optional<Sweep> decode_sweep(const Document& document, Diagnostics& diagnostics) {
  const Reader root{document, diagnostics};
  Sweep out;
  if (root.expect_map()) {
    decode_head(root, out);
    if (const auto spec = root.required("spec")) decode_spec(*spec, out);
  }
  if (diagnostics.errors() > 0) return std::nullopt;
  return out;
}

}  // namespace tenure::scenario
