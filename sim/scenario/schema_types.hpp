// What a schema says about single values, apart from their place.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <tenure/scenario/pages.hpp>

namespace tenure::scenario {

using Json = nlohmann::ordered_json;

// A reference to a definition.
Json ref(std::string_view definition);
Json one_of(const std::vector<std::string_view>& words);
Json any_of(std::initializer_list<Json> choices);
Json has(std::initializer_list<std::string_view> fields);
// Fields that have these values, where they are there.
Json where(std::initializer_list<std::pair<std::string_view, Json>> fields);

// The value of a field whose type has no fields of its own.
Json value_schema(const Value& value);

// The definitions that fields of a sweep refer to.
Json sweep_definitions();

// What fields of a sweep have to do with each other, for the map at `path`.
Json rules_of_sweeps(std::string_view path);

}  // namespace tenure::scenario
