// The canonical form of a file: the fields that its author wrote, and no others, in the
// order of scenario_json or of the pages of a sweep, each value as it was spelled. Comments, the
// layout and the choice between equivalent forms (one threshold or a list of one) are not kept, so
// that a file's canonical form is its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include <tenure/base/diagnostics.hpp>
#include <tenure/scenario/document.hpp>

namespace tenure::scenario {

// `full` is what decoding `written` gave, with all defaults: scenario_json. What `written` does not
// say is left out, so that a later version's defaults apply to it as they do to the file.
nlohmann::ordered_json as_written(const nlohmann::ordered_json& full, const Node& written);

// The canonical form of a sweep that decode_sweep took: its fields in the order of their pages, and
// with Fields::all those at their default too.
enum class Fields : std::uint8_t { as_written, all };
nlohmann::ordered_json sweep_form(const Node& written, Fields fields);

// One document as YAML, ending in a newline: maps and lists that fit on a line are in braces.
std::string yaml_text(const nlohmann::ordered_json& document);

struct Difference {
  Position where;    // in the first of the two
  std::string text;  // "spec.runs comes before spec.seed"
};

// The first place at which a document is not its own canonical form. Comments, quotes and layout do
// not count.
std::optional<Difference> first_difference(const Node& written, const Node& canonical);

}  // namespace tenure::scenario
