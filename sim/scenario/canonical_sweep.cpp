#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tenure/base/text.hpp>
#include <tenure/scenario/canonical.hpp>
#include <tenure/scenario/pages.hpp>

namespace tenure::scenario {
namespace {

using Json = nlohmann::ordered_json;

// A single value as it was written; a number or a flag stays one when JSON writes it alike.
Json single(const Node& written) {
  if (written.was_quoted) return written.text;
  const Json value = Json::parse(written.text, nullptr, false);
  const bool is_alike = (value.is_number() || value.is_boolean()) && value.dump() == written.text;
  return is_alike ? value : Json(written.text);
}

Json as_it_is(const Node& written) {
  if (written.kind == Node::Kind::text) return single(written);
  Json out = written.kind == Node::Kind::map ? Json::object() : Json::array();
  for (const NodePointer& item : written.items) out.push_back(as_it_is(*item));
  for (const Entry& entry : written.entries) out[entry.key] = as_it_is(*entry.value);
  return out;
}

// The default of a field that has one value as such; null: it has none, or it depends.
Json default_of(const FieldPage& page) {
  if (page.standard.starts_with('[') || page.standard.starts_with('{')) {
    Diagnostics none;
    return as_it_is(
        *parse_documents("", std::string{page.standard}, Format::yaml, none).at(0).root);
  }
  if (page.value.type == Type::whole && parse_whole(page.standard))
    return *parse_whole(page.standard);
  const auto words = parts_of(page.value.words);
  const bool is_word = std::find(words.begin(), words.end(), page.standard) != words.end();
  return is_word ? Json(page.standard) : Json();
}

Json map_form(const Node& written, std::string_view path, Fields fields);

Json field_form(const Node& written, const FieldPage& page, Fields fields) {
  if (page.value.type == Type::map) return map_form(written, page.path, fields);
  if (page.value.type != Type::list) return as_it_is(written);
  Json list = Json::array();
  for (const NodePointer& item : written.items) list.push_back(map_form(*item, page.path, fields));
  return list;
}

Json map_form(const Node& written, std::string_view path, Fields fields) {
  Json out = Json::object();
  for (const FieldPage& page : sweep_field_pages()) {
    if (!is_child(page.path, path)) continue;
    const std::string name{page.path.substr(path.size() + 1)};
    if (const Entry* entry = written.find(name)) {
      out[name] = field_form(*entry->value, page, fields);
      continue;
    }
    if (fields == Fields::as_written) continue;
    Json standard = default_of(page);
    if (!standard.is_null()) out[name] = std::move(standard);
  }
  return out;
}

}  // namespace

Json sweep_form(const Node& written, Fields fields) {
  return map_form(written, "sweep", fields);
}

}  // namespace tenure::scenario
