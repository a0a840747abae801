#include "override.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <tenure/base/text.hpp>

namespace tenure::scenario {

namespace {

using Step = std::string;

// "spec.candidates.0.elector" and "candidates[kcm]" as steps; empty when it is no path. A key that
// holds dots stands in brackets: thresholds[api.conflicts].
std::vector<Step> steps_of(std::string_view path) {
  std::vector<Step> steps;
  std::size_t at = 0;
  while (at < path.size()) {
    if (path[at] == '[') {
      std::size_t depth = 1;
      std::size_t end = at + 1;
      for (; end < path.size() && depth > 0; ++end)
        depth += path[end] == '[' ? 1U : path[end] == ']' ? ~std::size_t{0} : 0U;
      if (depth > 0 || end == at + 2) return {};
      steps.emplace_back(path.substr(at + 1, end - at - 2));
      at = end;
      if (at < path.size() && path[at] == '.') ++at;
      continue;
    }
    const std::size_t end = std::min(path.find_first_of(".[", at), path.size());
    if (end == at) return {};
    steps.emplace_back(path.substr(at, end - at));
    at = end;
    if (at < path.size() && path[at] == '.' && ++at == path.size()) return {};
  }
  return steps;
}

bool is_named(const Node& item, std::string_view name) {
  const Entry* entry = item.find("name");
  return entry != nullptr && entry->value->kind == Node::Kind::text && entry->value->text == name;
}

// The item that a step means; the number of items or more when there is none.
std::size_t index_in(const Node& list, const Step& wanted) {
  if (const std::optional<std::int64_t> number = parse_whole(wanted))
    return static_cast<std::size_t>(*number);
  const auto found = std::find_if(list.items.begin(), list.items.end(),
                                  [&](const NodePointer& item) { return is_named(*item, wanted); });
  return static_cast<std::size_t>(found - list.items.begin());
}

// The whole of `argument` marked as where a tree comes from, its places those of what it replaces.
NodePointer marked(const Node& node, Position where, const std::string& argument) {
  auto copy = std::make_shared<Node>(node);
  copy->where = where;
  copy->set_by = argument;
  for (NodePointer& item : copy->items) item = marked(*item, where, argument);
  for (Entry& entry : copy->entries) {
    entry.where = where;
    entry.value = marked(*entry.value, where, argument);
  }
  return copy;
}

class Override {
 public:
  Override(const std::string& argument,
           std::vector<Step> steps,
           NodePointer value,
           Diagnostics& diagnostics)
      : argument_(argument),
        steps_(std::move(steps)),
        value_(std::move(value)),
        diagnostics_(diagnostics) {}

  // A copy of `node` with the value in place; nothing when the path leads nowhere.
  NodePointer applied(const Node& node, std::size_t step, Position where) {
    if (step == steps_.size()) return marked(*value_, where, argument_);
    if (node.kind == Node::Kind::list) return in_list(node, step);
    if (node.kind == Node::Kind::map) return in_map(node, step, where);
    refuse(fmt::format("{} is a value, it has no field {}", path_to(step), quoted(steps_[step])));
    return nullptr;
  }

  // The part of the path before `step`, for messages.
  std::string path_to(std::size_t step) const {
    std::string path;
    for (std::size_t i = 0; i < step; ++i) path += (i > 0 ? "." : "") + steps_[i];
    return path.empty() ? "the document" : quoted(path);
  }

  void refuse(const std::string& problem) {
    Diagnostic d;
    d.code = "E0003";
    d.text = fmt::format("--set {}: {}", argument_, problem);
    diagnostics_.add(std::move(d));
  }

 private:
  NodePointer in_list(const Node& list, std::size_t step) {
    const Step& wanted = steps_[step];
    const std::size_t index = index_in(list, wanted);
    if (index >= list.items.size()) {
      refuse(fmt::format("{} has no item {}; it has {}", path_to(step), quoted(wanted),
                         list.items.size()));
      return nullptr;
    }
    NodePointer item = applied(*list.items[index], step + 1, list.items[index]->where);
    if (!item) return nullptr;
    auto copy = std::make_shared<Node>(list);
    copy->items[index] = std::move(item);
    return recounted(std::move(copy));
  }

  NodePointer in_map(const Node& map, std::size_t step, Position where) {
    auto copy = std::make_shared<Node>(map);
    const auto entry = std::find_if(copy->entries.begin(), copy->entries.end(),
                                    [&](const Entry& e) { return e.key == steps_[step]; });
    if (entry == copy->entries.end()) {
      NodePointer made = applied(empty_map(where), step + 1, where);
      if (!made) return nullptr;
      copy->entries.push_back(Entry{steps_[step], where, std::move(made)});
      return recounted(std::move(copy));
    }
    // A key without a value takes one, and whatever lies below it.
    const bool is_nothing = entry->value->kind == Node::Kind::nothing;
    const Node value = is_nothing ? empty_map(entry->where) : *entry->value;
    NodePointer changed = applied(value, step + 1, is_nothing ? entry->where : value.where);
    if (!changed) return nullptr;
    entry->value = std::move(changed);
    return recounted(std::move(copy));
  }

  Node empty_map(Position where) const {
    Node map;
    map.kind = Node::Kind::map;
    map.where = where;
    map.set_by = argument_;
    return map;
  }

  static NodePointer recounted(std::shared_ptr<Node> node) {
    node->size = 1;
    for (const NodePointer& item : node->items) node->size += item->size;
    for (const Entry& entry : node->entries) node->size += entry.value->size;
    return node;
  }

  const std::string& argument_;
  std::vector<Step> steps_;
  NodePointer value_;
  Diagnostics& diagnostics_;
};

bool refuse_argument(std::string_view argument,
                     std::string_view problem,
                     Diagnostics& diagnostics) {
  Diagnostic d;
  d.code = "E0003";
  d.text = fmt::format("--set {}: {}", argument, problem);
  d.hints = {"--set PATH=VALUE, for example --set spec.candidates.0.elector.leaseDuration=30s"};
  diagnostics.add(std::move(d));
  return false;
}

// "spec.candidates" for "candidates", which is a field of the spec and not of the document.
std::string path_in_spec(const Node& document, const std::string& step) {
  const Entry* spec = document.find("spec");
  if (document.find(step) != nullptr || spec == nullptr) return {};
  return spec->value->find(step) == nullptr ? std::string{} : "spec." + step;
}

// VALUE is YAML, so that maps and lists can be given: start={uniform: [0s, 2s]}.
NodePointer parsed_value(std::string_view text) {
  Diagnostics problems;
  const std::vector<Document> documents =
      parse_documents("--set", std::string{text}, Format::yaml, problems);
  return documents.size() == 1 && problems.errors() == 0 ? documents.front().root : nullptr;
}

}  // namespace

std::vector<std::string> resolved_path(const Document& document, std::string_view path) {
  std::vector<Step> steps = steps_of(path);
  const Node* node = document.root.get();
  for (Step& step : steps) {
    if (node == nullptr) break;
    if (node->kind == Node::Kind::list) {
      const std::size_t index = index_in(*node, step);
      const bool is_known = index < node->items.size();
      if (is_known) step = fmt::format("{}", index);
      node = is_known ? node->items[index].get() : nullptr;
    } else {
      const Entry* entry = node->find(step);
      node = entry == nullptr ? nullptr : entry->value.get();
    }
  }
  return steps;
}

bool overlap(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const std::size_t common = std::min(a.size(), b.size());
  return common > 0 &&
         std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(common), b.begin());
}

bool apply_override(Document& document, std::string_view argument, Diagnostics& diagnostics) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string_view::npos)
    return refuse_argument(argument, "a value is missing", diagnostics);
  std::vector<Step> steps = steps_of(argument.substr(0, equals));
  if (steps.empty()) return refuse_argument(argument, "this is not a path", diagnostics);
  if (steps.size() > deepest) return refuse_argument(argument, "the path is too long", diagnostics);
  if (const std::string meant = path_in_spec(*document.root, steps.front()); !meant.empty()) {
    return refuse_argument(argument, fmt::format("paths begin with spec: {}...", meant),
                           diagnostics);
  }
  NodePointer value = parsed_value(argument.substr(equals + 1));
  if (!value) return refuse_argument(argument, "the value cannot be read", diagnostics);
  const std::string whole{argument};
  Override change{whole, std::move(steps), std::move(value), diagnostics};
  NodePointer root = change.applied(*document.root, 0, document.root->where);
  if (!root) return false;
  if (root->size > most_nodes) return refuse_argument(argument, "too many nodes", diagnostics);
  document.root = std::move(root);
  return true;
}

}  // namespace tenure::scenario
