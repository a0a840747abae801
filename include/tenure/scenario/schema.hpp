// JSON Schemas (draft 07, which editors know best) made from the pages of `explain`: the fields,
// their types and words and what they mean stand there once. A schema accepts what the loader's
// structural pass accepts (errors E02xx); what JSON Schema cannot say is listed in
// tests/schema/run.py.
#pragma once

#include <span>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include <tenure/scenario/pages.hpp>

namespace tenure::scenario {

nlohmann::ordered_json scenario_schema();
nlohmann::ordered_json sweep_schema();

// ---- its parts, for the schemas of other kinds

// The definition of each type that is not made of other fields: "duration", "distribution", ...
nlohmann::ordered_json type_definitions();

// The map at `path`, which is empty for the document, with the fields of `pages` below it.
nlohmann::ordered_json map_schema(std::span<const FieldPage> pages, std::string_view path);

}  // namespace tenure::scenario
