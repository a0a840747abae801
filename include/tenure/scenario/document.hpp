// A file as its author wrote it: a tree of maps, lists and texts in which everything knows its
// place. YAML and JSON end in the same tree; what a text means (a number, a duration) is decided by
// whoever reads it, so `yes` and `0123` stay what they are until then.
//
// Invariants:
//  (1) the keys of a map are unique; the first one wins and the others were reported
//  (2) a tree is at most 64 deep and has at most 100 000 nodes, counted after aliases
//  (3) a node never changes: aliases share it, an override copies the way to what it replaces
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenure/base/diagnostics.hpp>

namespace tenure::scenario {

inline constexpr std::size_t most_bytes = std::size_t{4} << 20U;
inline constexpr std::size_t most_nodes = 100'000;
inline constexpr std::size_t deepest = 64;

enum class Format : std::uint8_t { yaml, json, jsonc };

// By the name's ending; YAML when it says nothing.
Format format_of(std::string_view file_name);

// The text of a file, where its lines are, and the diagnostics about it. Code points count from 0.
class SourceText {
 public:
  SourceText(std::string name, std::string text);

  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }

  Position position(std::size_t code_point, std::size_t length = 1) const;
  std::size_t code_point_of_byte(std::size_t byte) const;

  // A diagnostic about a place of this text, with the line for the caret.
  Diagnostic diagnostic(Diagnostic::Level level,
                        std::string code,
                        Position where,
                        std::string text) const;

 private:
  std::size_t byte_of_code_point(std::size_t code_point) const;

  std::string name_;
  std::string text_;
  std::vector<std::size_t> lines_;        // the code point at which each line begins
  std::vector<std::size_t> checkpoints_;  // the byte of every 256th code point
  std::size_t code_points_ = 0;
};

struct Node;
using NodePointer = std::shared_ptr<const Node>;

struct Entry {
  std::string key;
  Position where;
  NodePointer value;
};

struct Node {
  enum class Kind : std::uint8_t { nothing, text, list, map };

  Kind kind = Kind::nothing;
  bool was_quoted = false;  // a text in quotes or in block style
  std::string text;
  std::vector<NodePointer> items;  // of a list
  std::vector<Entry> entries;      // of a map, in the order of the file
  Position where;
  std::size_t size = 1;  // nodes of this tree, aliases counted in full
  std::string set_by;    // the --set argument that put it here; empty: the file

  const Entry* find(std::string_view key) const;
};

struct Document {
  std::shared_ptr<const SourceText> source;
  NodePointer root;
};

// The documents of a text. What is wrong is reported; a document that can still be read is returned
// all the same, so that its other mistakes can be found too: who wants to run it asks for errors().
std::vector<Document> parse_documents(std::string name,
                                      std::string text,
                                      Format format,
                                      Diagnostics& diagnostics);

// The same for a file; "-" is the standard input.
std::vector<Document> load_documents(const std::string& path, Diagnostics& diagnostics);

// Applies `PATH=VALUE`: spec.candidates.0.elector.leaseDuration=30s, candidates[0] or
// candidates[kcm] for list items. Missing map keys are made; a list is never extended. VALUE is
// YAML.
bool apply_override(Document& document, std::string_view argument, Diagnostics& diagnostics);

}  // namespace tenure::scenario
