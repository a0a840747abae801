#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tenure/base/text.hpp>
#include <tenure/scenario/names.hpp>
#include <tenure/scenario/reader.hpp>

namespace tenure::scenario {

namespace {

// After so many errors a file is beyond repair by hand; the rest is counted, not explained.
constexpr std::size_t explained_errors = 200;

// Where a map or list "is" when one of its fields is missing: at its key; an item of a list, or the
// document itself, at its first key.
Position place_of_item(const Node& node) {
  return node.kind == Node::Kind::map && !node.entries.empty() ? node.entries.front().where
                                                               : node.where;
}

std::string_view name_of(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::list:
      return "a list";
    case Node::Kind::map:
      return "a map";
    case Node::Kind::text:
      return "a single value";
    case Node::Kind::nothing:
      break;
  }
  return "nothing";
}

std::string child_path(const std::string& path, std::string_view key) {
  return path.empty() ? std::string{key} : fmt::format("{}.{}", path, visible(key.substr(0, 64)));
}

// "= set by --set ..." when an override put the node there.
void add_origin(std::vector<std::string>& hints, const Node& node) {
  if (node.set_by.empty()) return;
  std::string hint = fmt::format("set by --set {}", visible(node.set_by));
  if (std::find(hints.begin(), hints.end(), hint) == hints.end()) hints.push_back(std::move(hint));
}

std::string or_document(const std::string& path) {
  return path.empty() ? "the document" : path;
}

}  // namespace

Reader::Reader(const Document& document, Diagnostics& diagnostics)
    : source_(document.source.get()),
      diagnostics_(&diagnostics),
      node_(document.root.get()),
      key_where_(place_of_item(*document.root)) {}

Reader::Reader(const Reader& parent, const Node& node, std::string path, Position key_where)
    : source_(parent.source_),
      diagnostics_(parent.diagnostics_),
      node_(&node),
      path_(std::move(path)),
      key_where_(key_where) {}

std::optional<Reader> Reader::field(std::string_view name) const {
  const Entry* entry = node_->find(name);
  if (entry == nullptr || entry->value->kind == Node::Kind::nothing) return std::nullopt;
  return Reader{*this, *entry->value, child_path(path_, name), entry->where};
}

std::optional<Reader> Reader::required(std::string_view name) const {
  if (is_map() && node_->find(name) == nullptr) {
    error_at_key("E0202",
                 fmt::format("field {} is missing in {}", quoted(name), or_document(path_)));
  }
  return field(name);
}

std::vector<Reader> Reader::items() const {
  std::vector<Reader> out;
  for (std::size_t i = 0; i < node_->items.size(); ++i) {
    const Node& item = *node_->items[i];
    if (item.kind == Node::Kind::nothing) continue;
    out.push_back(Reader{*this, item, fmt::format("{}[{}]", path_, i), place_of_item(item)});
  }
  return out;
}

std::vector<std::pair<std::string, Reader>> Reader::entries() const {
  std::vector<std::pair<std::string, Reader>> out;
  for (const Entry& entry : node_->entries) {
    if (entry.value->kind == Node::Kind::nothing) continue;
    out.emplace_back(entry.key,
                     Reader{*this, *entry.value, child_path(path_, entry.key), entry.where});
  }
  return out;
}

bool Reader::has_fields(std::initializer_list<std::string_view> known,
                        std::initializer_list<std::string_view> unmodelled) const {
  if (!expect_map()) return false;
  std::vector<std::string_view> names{known};
  std::sort(names.begin(), names.end());
  for (const Entry& entry : node_->entries) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    const Reader value{*this, *entry.value, child_path(path_, entry.key), entry.where};
    if (std::find(unmodelled.begin(), unmodelled.end(), entry.key) != unmodelled.end()) {
      value.error_at_key("E0220", fmt::format("{} is not modelled in this version", value.path_));
      continue;
    }
    std::vector<std::string> hints;
    if (diagnostics_->errors() < explained_errors) {
      if (const auto meant = did_you_mean(entry.key, names, field_aliases())) {
        hints.push_back(fmt::format("did you mean \"{}\"?", *meant));
      }
      hints.push_back(fmt::format("fields here: {}", fmt::join(names, ", ")));
    }
    value.error_at_key("E0201",
                       fmt::format("unknown field {} in {}", quoted(entry.key), or_document(path_)),
                       std::move(hints));
  }
  return true;
}

bool Reader::expect_list() const {
  if (is_list()) return true;
  error("E0205",
        fmt::format("{} must be a list, not {}", or_document(path_), name_of(node_->kind)));
  return false;
}

bool Reader::expect_map() const {
  if (is_map()) return true;
  error("E0205", fmt::format("{} must be a map of fields, not {}", or_document(path_),
                             name_of(node_->kind)));
  return false;
}

bool Reader::expect_text(std::string_view what) const {
  if (is_text()) return true;
  error("E0205",
        fmt::format("{} must be {}, not {}", or_document(path_), what, name_of(node_->kind)));
  return false;
}

void Reader::error(std::string code, std::string text, std::vector<std::string> hints) const {
  report(Diagnostic::Level::error, std::move(code), node_->where, std::move(text),
         std::move(hints));
}

void Reader::error_at_key(std::string code,
                          std::string text,
                          std::vector<std::string> hints) const {
  report(Diagnostic::Level::error, std::move(code), key_where_, std::move(text), std::move(hints));
}

void Reader::warning(std::string code, std::string text, std::vector<std::string> hints) const {
  report(Diagnostic::Level::warning, std::move(code), node_->where, std::move(text),
         std::move(hints));
}

void Reader::error_at(Position where,
                      std::string code,
                      std::string text,
                      std::vector<std::string> hints) const {
  report(Diagnostic::Level::error, std::move(code), where, std::move(text), std::move(hints));
}

void Reader::warning_at(Position where,
                        std::string code,
                        std::string text,
                        std::vector<std::string> hints) const {
  report(Diagnostic::Level::warning, std::move(code), where, std::move(text), std::move(hints));
}

namespace {

// A line of a text, from 1, without its end; empty: there is none.
std::string_view line_of(std::string_view text, std::size_t number) {
  for (; number > 1; --number) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

// Where a line of a value stands on a line of its file: behind `from`, in quotes or behind its
// indentation.
std::optional<std::size_t> byte_of(std::string_view line, std::string_view part, std::size_t from) {
  if (part.empty() || from > line.size()) return std::nullopt;
  const std::size_t at = line.find(part, from);
  if (at == std::string_view::npos) return std::nullopt;
  constexpr std::string_view blanks = " \t\"'";
  const bool is_first = line.substr(from, at - from).find_first_not_of(blanks) == std::string::npos;
  return is_first ? std::optional{at} : std::nullopt;
}

}  // namespace

Position Reader::position_within(std::size_t byte, std::size_t length) const {
  const std::string_view value = node_->text;
  byte = std::min(byte, value.size());
  const std::size_t begin = value.substr(0, byte).rfind('\n') + 1;  // npos + 1 is 0
  const std::string_view part = value.substr(begin, value.find('\n', begin) - begin);
  const auto lines_before = static_cast<std::size_t>(
      std::count(value.begin(), value.begin() + static_cast<std::ptrdiff_t>(byte), '\n'));
  // A block begins on the line behind its | or >.
  for (const std::size_t below : {lines_before, lines_before + 1}) {
    const std::size_t number = where().line + below;
    const std::string_view line = line_of(source_->text(), number);
    std::size_t from = 0;
    if (below == 0) {
      for (std::size_t i = 1; i < where().column && from < line.size(); ++i)
        from = next_code_point(line, from);
    }
    const std::optional<std::size_t> found = byte_of(line, part, from);
    if (!found) continue;
    const std::size_t before = code_points(line.substr(0, *found));
    return {number, before + code_points(value.substr(begin, byte - begin)) + 1,
            std::max<std::size_t>(code_points(value.substr(byte, length)), 1)};
  }
  return where();
}

void Reader::not_modelled(std::string_view what) const {
  error("E0220", fmt::format("{} is not modelled in this version", what));
}

void Reader::report_field(Diagnostic::Level level,
                          std::string_view name,
                          std::string code,
                          std::string text,
                          std::vector<std::string> hints) const {
  const std::optional<Reader> wrong = field(name);
  const Reader& at = wrong ? *wrong : *this;
  at.report(level, std::move(code), wrong ? at.where() : key_where_, std::move(text),
            std::move(hints));
}

std::vector<std::string> Reader::origins_of(std::initializer_list<std::string_view> names) const {
  std::vector<std::string> hints;
  for (const std::string_view name : names) {
    if (const std::optional<Reader> found = field(name)) add_origin(hints, found->node());
  }
  return hints;
}

void Reader::report(Diagnostic::Level level,
                    std::string code,
                    Position where,
                    std::string text,
                    std::vector<std::string> hints) const {
  Diagnostic diagnostic = source_->diagnostic(level, std::move(code), where, std::move(text));
  add_origin(hints, *node_);
  diagnostic.hints = std::move(hints);
  diagnostics_->add(std::move(diagnostic));
}

void report_unknown_word(const Reader& at,
                         std::string_view what,
                         std::span<const std::string_view> words) {
  std::vector<std::string> hints;
  if (const auto meant = did_you_mean(at.text(), words))
    hints.push_back(fmt::format("did you mean \"{}\"?", *meant));
  hints.push_back(fmt::format("one of: {}", fmt::join(words, ", ")));
  at.error("E0204", fmt::format("{} is not {}", quoted(at.text()), what), std::move(hints));
}

}  // namespace tenure::scenario
