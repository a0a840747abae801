#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <yaml.h>

#include <tenure/base/text.hpp>

#include "tree_builder.hpp"

namespace tenure::scenario {

namespace {

class Parser {
 public:
  explicit Parser(const std::string& text) {
    if (yaml_parser_initialize(&parser_) == 0) return;
    ready_ = true;
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  ~Parser() {
    if (ready_) yaml_parser_delete(&parser_);
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  bool next(yaml_event_t& event) { return ready_ && yaml_parser_parse(&parser_, &event) != 0; }
  const yaml_parser_t& state() const { return parser_; }

 private:
  yaml_parser_t parser_{};
  bool ready_ = false;
};

// One event; libyaml owns what it points to.
struct Event {
  yaml_event_t raw{};

  Event() = default;
  ~Event() { yaml_event_delete(&raw); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
};

std::string text_of(const yaml_char_t* text) {
  return text == nullptr ? std::string{} : std::string{reinterpret_cast<const char*>(text)};
}

// The reading of one stream of documents.
class Reading {
 public:
  Reading(std::shared_ptr<const SourceText> source,
          std::vector<Document>& documents,
          Diagnostics& diagnostics)
      : source_(std::move(source)), documents_(documents), build_(source_, diagnostics) {}

  void read() {
    Parser parser{source_->text()};
    while (!build_.stopped()) {
      Event event;
      if (!parser.next(event.raw)) return syntax_error(parser.state());
      if (event.raw.type == YAML_STREAM_END_EVENT) return;
      happen(event.raw);
    }
  }

 private:
  void happen(const yaml_event_t& event);
  void scalar(const yaml_event_t& event);
  void open(Node::Kind kind,
            const yaml_event_t& event,
            const yaml_char_t* anchor,
            const yaml_char_t* tag);
  void refuse_tag(const yaml_char_t* tag, const yaml_event_t& event);
  void syntax_error(const yaml_parser_t& parser);

  Position place_of(const yaml_event_t& event) const {
    const std::size_t begin = event.start_mark.index;
    const bool one_line = event.start_mark.line == event.end_mark.line;
    return source_->position(begin, one_line ? event.end_mark.index - begin : 1);
  }

  std::shared_ptr<const SourceText> source_;
  std::vector<Document>& documents_;
  TreeBuilder build_;
};

void Reading::happen(const yaml_event_t& event) {
  switch (event.type) {
    case YAML_DOCUMENT_START_EVENT:
      return build_.begin_document();
    case YAML_DOCUMENT_END_EVENT: {
      Document document = build_.end_document();
      // "---" without anything behind it is how a file begins or ends, not a document.
      if (document.root && document.root->kind != Node::Kind::nothing)
        documents_.push_back(std::move(document));
      return;
    }
    case YAML_ALIAS_EVENT:
      build_.alias(text_of(event.data.alias.anchor), place_of(event));
      return;
    case YAML_SCALAR_EVENT:
      return scalar(event);
    case YAML_SEQUENCE_START_EVENT:
      return open(Node::Kind::list, event, event.data.sequence_start.anchor,
                  event.data.sequence_start.tag);
    case YAML_MAPPING_START_EVENT:
      return open(Node::Kind::map, event, event.data.mapping_start.anchor,
                  event.data.mapping_start.tag);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
      build_.end();
      return;
    default:
      return;
  }
}

void Reading::open(Node::Kind kind,
                   const yaml_event_t& event,
                   const yaml_char_t* anchor,
                   const yaml_char_t* tag) {
  refuse_tag(tag, event);
  Position where = place_of(event);
  where.length = 1;
  build_.begin(kind, where, text_of(anchor));
}

void Reading::refuse_tag(const yaml_char_t* tag, const yaml_event_t& event) {
  if (tag == nullptr) return;
  build_.error("E0106", place_of(event),
               fmt::format("tag {} is not supported", quoted(text_of(tag))),
               {"the field decides the type of its value; remove the tag"});
}

bool is_null_word(std::string_view text) {
  return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}

void Reading::scalar(const yaml_event_t& event) {
  const auto& scalar = event.data.scalar;
  const Position where = place_of(event);
  const bool plain = scalar.style == YAML_PLAIN_SCALAR_STYLE;
  std::string text{reinterpret_cast<const char*>(scalar.value), scalar.length};
  refuse_tag(scalar.tag, event);
  if (build_.expects_key()) {
    if (plain && text == "<<") {
      build_.error("E0105", where, "merge keys (<<) are not supported",
                   {"parsers disagree about them; write the fields out, or alias whole values"});
    }
    return build_.key(std::move(text), where);
  }
  if (plain && is_null_word(text)) {
    build_.nothing(where, text_of(scalar.anchor));
  } else {
    build_.text(std::move(text), !plain, where, text_of(scalar.anchor));
  }
}

void Reading::syntax_error(const yaml_parser_t& parser) {
  const std::string problem = parser.problem == nullptr ? "out of memory" : parser.problem;
  // A character that YAML does not allow is found by the reader, which has no mark but an offset.
  const bool has_mark = parser.error == YAML_SCANNER_ERROR || parser.error == YAML_PARSER_ERROR;
  const std::size_t place =
      has_mark ? parser.problem_mark.index : source_->code_point_of_byte(parser.problem_offset);
  std::vector<std::string> hints;
  if (parser.context != nullptr) {
    hints.push_back(
        fmt::format("{} that begins at line {}", parser.context, parser.context_mark.line + 1));
  }
  build_.error("E0101", source_->position(place), fmt::format("not valid YAML: {}", problem),
               std::move(hints));
}

}  // namespace

void parse_yaml(std::shared_ptr<const SourceText> source,
                std::vector<Document>& documents,
                Diagnostics& diagnostics) {
  Reading{std::move(source), documents, diagnostics}.read();
}

}  // namespace tenure::scenario
