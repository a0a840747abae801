#include "tree_builder.hpp"

#include <utility>

#include <fmt/format.h>

#include <tenure/base/text.hpp>

namespace tenure::scenario {

void TreeBuilder::begin_document() {
  open_.clear();
  anchors_.clear();
  root_ = nullptr;
}

Document TreeBuilder::end_document() {
  return Document{source_, std::exchange(root_, nullptr)};
}

void TreeBuilder::error(std::string code,
                        Position where,
                        std::string text,
                        std::vector<std::string> hints) {
  Diagnostic diagnostic =
      source_->diagnostic(Diagnostic::Level::error, std::move(code), where, std::move(text));
  diagnostic.hints = std::move(hints);
  diagnostics_.add(std::move(diagnostic));
}

bool TreeBuilder::stop(std::string code,
                       Position where,
                       std::string text,
                       std::vector<std::string> hints) {
  error(std::move(code), where, std::move(text), std::move(hints));
  stopped_ = true;
  return false;
}

bool TreeBuilder::count(std::size_t nodes, Position where) {
  nodes_ += nodes;
  if (nodes_ <= most_nodes) return true;
  return stop(
      "E0110", where, fmt::format("more than {} nodes", most_nodes),
      {"maps, lists and values of the whole file count, each alias as all that it stands for"});
}

bool TreeBuilder::expects_key() const {
  return !open_.empty() && open_.back().node->kind == Node::Kind::map && !open_.back().has_key;
}

void TreeBuilder::key(std::string key, Position where) {
  Open& map = open_.back();
  map.has_key = true;
  const auto [known, is_new] = map.keys.try_emplace(key, where);
  map.ignored = !is_new;
  if (!is_new) {
    error("E0103", where,
          fmt::format("duplicate key {}, first at line {}", quoted(key), known->second.line));
  }
  map.entry = Entry{std::move(key), where, nullptr};
}

bool TreeBuilder::begin(Node::Kind kind, Position where, std::string anchor) {
  if (!count(1, where)) return false;
  if (open_.size() >= deepest) {
    return stop("E0109", where, fmt::format("nested deeper than {} levels", deepest));
  }
  Open open;
  open.node = std::make_shared<Node>();
  open.node->kind = kind;
  open.node->where = where;
  open.anchor = std::move(anchor);
  if (expects_key()) {
    error("E0113", where, "a key must be a text, not a list or a map");
    open.is_key = true;
  }
  open_.push_back(std::move(open));
  return true;
}

bool TreeBuilder::end() {
  Open done = std::move(open_.back());
  open_.pop_back();
  if (!done.is_key) return place(std::move(done.node), done.anchor);
  open_.back().has_key = true;
  open_.back().ignored = true;
  return true;
}

bool TreeBuilder::text(std::string text, bool was_quoted, Position where, std::string anchor) {
  if (!count(1, where)) return false;
  auto node = std::make_shared<Node>();
  node->kind = Node::Kind::text;
  node->text = std::move(text);
  node->was_quoted = was_quoted;
  node->where = where;
  return place(std::move(node), anchor);
}

bool TreeBuilder::nothing(Position where, std::string anchor) {
  if (!count(1, where)) return false;
  auto node = std::make_shared<Node>();
  node->where = where;
  if (!open_.empty() && open_.back().node->kind == Node::Kind::map) {
    const Entry& entry = open_.back().entry;
    error("E0111", entry.where, fmt::format("key {} has no value", quoted(entry.key)),
          {"write a value, or remove the key to get the default"});
  } else if (!open_.empty()) {
    error("E0111", where, "a list item has no value");
  }
  return place(std::move(node), anchor);
}

bool TreeBuilder::alias(const std::string& anchor, Position where) {
  if (expects_key()) {
    error("E0113", where, "a key must be a text, not an alias");
    open_.back().has_key = true;
    open_.back().ignored = true;
    return true;
  }
  const auto known = anchors_.find(anchor);
  if (known == anchors_.end()) {
    error("E0107", where,
          fmt::format("no finished anchor {} before this alias", quoted("&" + anchor)),
          {"an alias stands for something that ends before it, in the same document"});
    return count(1, where) && place(std::make_shared<Node>(), {});
  }
  return count(known->second->size, where) && place(known->second, {});
}

bool TreeBuilder::place(NodePointer node, const std::string& anchor) {
  if (!anchor.empty()) anchors_[anchor] = node;
  if (open_.empty()) {
    root_ = std::move(node);
    return true;
  }
  Open& parent = open_.back();
  const std::size_t size = node->size;
  if (parent.node->kind == Node::Kind::list) {
    parent.node->size += size;
    parent.node->items.push_back(std::move(node));
    return true;
  }
  if (!parent.ignored) {
    parent.node->size += size;
    parent.entry.value = std::move(node);
    parent.node->entries.push_back(std::move(parent.entry));
  }
  parent.has_key = false;
  parent.ignored = false;
  return true;
}

}  // namespace tenure::scenario
