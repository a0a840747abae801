// Reads typed values out of a document. A Reader is one value of it: the node, its path
// ("spec.candidates[0].elector") and where to complain. Nothing stops at the first mistake: every
// read reports what it cannot use, leaves its target as it was, and the caller goes on.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenure/base/diagnostics.hpp>
#include <tenure/base/distribution.hpp>
#include <tenure/base/ratio.hpp>
#include <tenure/base/shifted.hpp>
#include <tenure/base/text.hpp>
#include <tenure/base/time.hpp>
#include <tenure/scenario/document.hpp>

namespace tenure::scenario {

class Reader {
 public:
  Reader(const Document& document, Diagnostics& diagnostics);

  const Node& node() const { return *node_; }
  const std::string& path() const { return path_; }
  Position where() const { return node_->where; }
  Position key_where() const { return key_where_; }
  bool is_text() const { return node_->kind == Node::Kind::text; }
  bool is_list() const { return node_->kind == Node::Kind::list; }
  bool is_map() const { return node_->kind == Node::Kind::map; }
  bool is_plain() const { return is_text() && !node_->was_quoted; }
  std::string_view text() const { return node_->text; }

  // The value of a field; nothing when it is absent, or has no value, which was reported before.
  std::optional<Reader> field(std::string_view name) const;
  // The same; an absent one is reported (E0202) at the key of this map.
  std::optional<Reader> required(std::string_view name) const;

  std::vector<Reader> items() const;
  std::vector<std::pair<std::string, Reader>> entries() const;

  // Whether this is a map. Reports fields that are neither `known` nor `unmodelled` (E0201), with a
  // suggestion, and those that are known to tenure but not modelled in this version (E0220).
  bool has_fields(std::initializer_list<std::string_view> known,
                  std::initializer_list<std::string_view> unmodelled = {}) const;
  bool expect_list() const;
  bool expect_map() const;
  // A single value, not a list or a map; `what` names what was expected ("a duration").
  bool expect_text(std::string_view what) const;

  void error(std::string code, std::string text, std::vector<std::string> hints = {}) const;
  void error_at_key(std::string code, std::string text, std::vector<std::string> hints = {}) const;
  // About the field of this map that is wrong although it may be a default: at its value, or else
  // at the key of this map.
  void report_field(Diagnostic::Level level,
                    std::string_view name,
                    std::string code,
                    std::string text,
                    std::vector<std::string> hints) const;
  // "set by --set ..." for each of these fields of this map that an override put there.
  std::vector<std::string> origins_of(std::initializer_list<std::string_view> names) const;
  void warning(std::string code, std::string text, std::vector<std::string> hints = {}) const;
  void not_modelled(std::string_view what) const;
  // About a part of the file, for texts that have parts.
  void error_at(Position where,
                std::string code,
                std::string text,
                std::vector<std::string> hints = {}) const;
  void warning_at(Position where,
                  std::string code,
                  std::string text,
                  std::vector<std::string> hints = {}) const;
  // The place of so many bytes of this text. Where the file has the text in another form, folded or
  // with escapes, the place of all of it.
  Position position_within(std::size_t byte, std::size_t length) const;
  // What was found in another file that this one names.
  void pass_on(const Diagnostic& diagnostic) const { diagnostics_->add(diagnostic); }
  const std::string& file() const { return source_->name(); }

  std::size_t errors() const { return diagnostics_->errors(); }

 private:
  Reader(const Reader& parent, const Node& node, std::string path, Position key_where);

  void report(Diagnostic::Level level,
              std::string code,
              Position where,
              std::string text,
              std::vector<std::string> hints) const;

  const SourceText* source_;
  Diagnostics* diagnostics_;
  const Node* node_;
  std::string path_;
  Position key_where_;
};

// One of the words a field takes.
template <class Value>
struct Word {
  std::string_view word;
  Value value;
};

// Reports a word that is none of `words` (E0204); `what` completes "is not ...": "a restart
// policy".
void report_unknown_word(const Reader& at,
                         std::string_view what,
                         std::span<const std::string_view> words);

// The text forms of interface section "value types". Each reads into `out` and says whether it
// could.
bool read(const Reader& at, std::string& out);
bool read(const Reader& at, bool& out);
bool read(const Reader& at, std::int64_t& out);  // a whole number >= 0
bool read(const Reader& at, std::uint64_t& out);
bool read(const Reader& at, Duration& out);      // not negative
bool read(const Reader& at, Distribution& out);  // of durations that are not negative
bool read(const Reader& at, std::optional<Duration>& out);
bool read(const Reader& at, std::optional<Distribution>& out);
bool read_name(const Reader& at, std::string& out);      // a DNS-1123 label
bool read_probability(const Reader& at, Ratio& out);     // 0.01 or 1%
bool read_size(const Reader& at, std::uint64_t& bytes);  // 64MiB, 500MB
// A clock's offset, a sign required; a distribution of such.
bool read_offset(const Reader& at, Shifted& out);
// A clock's speed as what it gains per true second: +200ppm is 200us, 1.0002 too. A distribution of
// such.
bool read_rate(const Reader& at, Shifted& out);
bool read_in_range(const Reader& at, std::int64_t low, std::int64_t high, std::int64_t& out);

template <class Value, std::size_t N>
bool read_word(const Reader& at,
               std::string_view what,
               const Word<Value> (&choices)[N],
               Value& out) {
  if (!at.expect_text(what)) return false;
  std::vector<std::string_view> words;
  for (const Word<Value>& choice : choices) {
    if (choice.word == at.text()) {
      out = choice.value;
      return true;
    }
    words.push_back(choice.word);
  }
  report_unknown_word(at, what, words);
  return false;
}

// Reads a field when it is there.
template <class Value>
void read_field(const Reader& map, std::string_view name, Value& out) {
  if (const std::optional<Reader> field = map.field(name)) read(*field, out);
}

// What would be right instead of a text that is no duration; `parsed` says why it is none.
std::vector<std::string> duration_hints(std::string_view text, const ParsedDuration& parsed);

// How such values are written, so that reading them again gives the same.
std::string offset_text(Duration offset);
std::string rate_text(Duration gain_per_second);
std::string size_text(std::uint64_t bytes);

}  // namespace tenure::scenario
