#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tenure/base/text.hpp>
#include <tenure/scenario/canonical.hpp>

namespace tenure::scenario {
namespace {

using Json = nlohmann::ordered_json;

// A single value as it was written. A number stays one, when JSON writes it alike: in quotes 0.5
// would be no probability.
Json spelled(const Json& full, const Node& written) {
  if (!full.is_string()) return full;
  if (written.was_quoted) return written.text;
  const Json number = Json::parse(written.text, nullptr, false);
  if (!number.is_number()) return written.text;
  return number.dump() == written.text ? number : full;
}

// A network fault has its two ends in full, and may have been written with one.
Json field_as_written(const std::string& key,
                      const Json& full,
                      const Node& map,
                      std::string& name) {
  name = key;
  if (const Entry* entry = map.find(key)) return as_written(full, *entry->value);
  const Entry* target = key == "between" ? map.find("target") : nullptr;
  if (target == nullptr) return nullptr;
  name = "target";
  return as_written(full.at(0), *target->value);
}

// Rules that stand in files of their own stay there; those of the files come first in `groups`.
void rules_as_written(const Json& groups, const Node& alerts, const Entry& files, Json& out) {
  for (const NodePointer& file : files.value->items) out["ruleFiles"].push_back(file->text);
  const Entry* own = alerts.find("groups");
  if (own == nullptr) return;
  const std::size_t count = std::min(own->value->items.size(), groups.size());
  Json rest = Json::array();
  for (std::size_t i = groups.size() - count; i < groups.size(); ++i) rest.push_back(groups[i]);
  out["groups"] = as_written(rest, *own->value);
}

Json map_as_written(const Json& full, const Node& written) {
  // The short form of a property or a threshold: its first field alone.
  if (written.kind == Node::Kind::text) return written.text;
  Json out = Json::object();
  for (const auto& [key, value] : full.items()) {
    const Entry* files = key == "groups" ? written.find("ruleFiles") : nullptr;
    if (files != nullptr) {
      rules_as_written(value, written, *files, out);
      continue;
    }
    std::string name;
    Json field = field_as_written(key, value, written, name);
    if (!field.is_null()) out[name] = std::move(field);
  }
  return out;
}

Json list_as_written(const Json& full, const Node& written) {
  if (written.kind != Node::Kind::list) return Json::array({as_written(full.at(0), written)});
  Json out = Json::array();
  for (std::size_t i = 0; i < full.size(); ++i)
    out.push_back(as_written(full[i], *written.items.at(i)));
  return out;
}

std::string_view shape_of(const Node& node) {
  if (node.kind == Node::Kind::map) return "a map";
  return node.kind == Node::Kind::list ? "a list" : "a single value";
}

std::string child(const std::string& path, std::string_view key) {
  return path.empty() ? visible(key) : fmt::format("{}.{}", path, visible(key));
}

using Found = std::optional<Difference>;

Found difference(const Node& written, const Node& canonical, const std::string& path);

Found key_difference(const Node& written,
                     const Node& canonical,
                     std::size_t at,
                     const std::string& path) {
  if (at == written.entries.size()) {
    return Difference{written.where,
                      fmt::format("{} is missing", child(path, canonical.entries[at].key))};
  }
  const Entry& entry = written.entries[at];
  const std::string name = child(path, entry.key);
  if (canonical.find(entry.key) == nullptr)
    return Difference{entry.where, fmt::format("{} is left out", name)};
  return Difference{
      entry.where, fmt::format("{} comes before {}", child(path, canonical.entries[at].key), name)};
}

Found map_difference(const Node& written, const Node& canonical, const std::string& path) {
  const std::size_t most = std::max(written.entries.size(), canonical.entries.size());
  for (std::size_t i = 0; i < most; ++i) {
    const bool both = i < written.entries.size() && i < canonical.entries.size();
    if (!both || written.entries[i].key != canonical.entries[i].key) {
      // What is too much is found at its own place.
      if (i >= canonical.entries.size())
        return Difference{written.entries[i].where,
                          fmt::format("{} is left out", child(path, written.entries[i].key))};
      return key_difference(written, canonical, i, path);
    }
    const Entry& entry = written.entries[i];
    if (Found found = difference(*entry.value, *canonical.entries[i].value, child(path, entry.key)))
      return found;
  }
  return std::nullopt;
}

Found difference(const Node& written, const Node& canonical, const std::string& path) {
  if (written.kind != canonical.kind) {
    return Difference{written.where, fmt::format("{} is {}, not {}", path, shape_of(canonical),
                                                 shape_of(written))};
  }
  if (written.text != canonical.text) {
    return Difference{written.where,
                      fmt::format("{} is {}, not {}", path, tenure::quoted(canonical.text),
                                  tenure::quoted(written.text))};
  }
  if (written.kind == Node::Kind::map) return map_difference(written, canonical, path);
  for (std::size_t i = 0; i < written.items.size() && i < canonical.items.size(); ++i) {
    if (Found found =
            difference(*written.items[i], *canonical.items[i], fmt::format("{}[{}]", path, i)))
      return found;
  }
  return std::nullopt;
}

}  // namespace

Json as_written(const Json& full, const Node& written) {
  if (full.is_object()) return map_as_written(full, written);
  if (full.is_array()) return list_as_written(full, written);
  return written.kind == Node::Kind::text ? spelled(full, written) : full;
}

std::optional<Difference> first_difference(const Node& written, const Node& canonical) {
  return difference(written, canonical, "");
}

}  // namespace tenure::scenario
