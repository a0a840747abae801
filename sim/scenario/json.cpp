#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tenure/base/text.hpp>

#include "tree_builder.hpp"

namespace tenure::scenario {

namespace {

// Follows the parser through the text: its events carry no places, but they come in the order of
// the tokens, so the next token of the text is always the one an event speaks of.
class Cursor {
 public:
  explicit Cursor(const SourceText& source) : source_(source), text_(source.text()) {}

  // Steps over the next token and says where it was.
  Position next() {
    skip_between();
    const std::size_t begin = at_;
    const std::size_t begin_code_point = code_point_;
    step_over_token();
    token_ = std::string_view{text_}.substr(begin, at_ - begin);
    return source_.position(begin_code_point, code_point_ - begin_code_point);
  }

  // The last token as it was written.
  std::string_view token() const { return token_; }

 private:
  void step() {
    at_ = next_code_point(text_, at_);
    ++code_point_;
  }
  bool is(std::string_view set) const {
    return at_ < text_.size() && set.find(text_[at_]) != std::string_view::npos;
  }

  void skip_between() {
    while (at_ < text_.size()) {
      if (is(" \t\r\n,:")) {
        step();
      } else if (text_.compare(at_, 2, "//") == 0) {
        while (at_ < text_.size() && !is("\r\n")) step();
      } else if (text_.compare(at_, 2, "/*") == 0) {
        const std::size_t end = text_.find("*/", at_ + 2);
        const std::size_t behind = end == std::string::npos ? text_.size() : end + 2;
        while (at_ < behind) step();
      } else {
        return;
      }
    }
  }

  void step_over_token() {
    if (at_ >= text_.size()) return;
    if (is("[]{}")) return step();
    if (!is("\"")) {
      while (at_ < text_.size() && !is(" \t\r\n,:[]{}/\"")) step();
      return;
    }
    step();
    while (at_ < text_.size() && !is("\"")) {
      if (is("\\")) step();
      if (at_ < text_.size()) step();
    }
    if (at_ < text_.size()) step();
  }

  const SourceText& source_;
  const std::string& text_;
  std::size_t at_ = 0;
  std::size_t code_point_ = 0;
  std::string_view token_;
};

// nlohmann_json's name for a handler of events; every function returns whether to go on.
class Handler : public nlohmann::json_sax<nlohmann::json> {
 public:
  Handler(const SourceText& source, TreeBuilder& build)
      : source_(source), build_(build), cursor_(source) {}

  bool null() override {
    const Position where = cursor_.next();
    return build_.nothing(where);
  }
  bool boolean(bool) override { return plain(); }
  bool number_integer(number_integer_t) override { return plain(); }
  bool number_unsigned(number_unsigned_t) override { return plain(); }
  bool number_float(number_float_t, const string_t&) override { return plain(); }
  bool string(string_t& value) override {
    const Position where = cursor_.next();
    return build_.text(std::move(value), true, where);
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Node::Kind::map); }
  bool start_array(std::size_t) override { return open(Node::Kind::list); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    const Position where = cursor_.next();
    build_.key(std::move(value), where);
    return true;
  }
  bool parse_error(std::size_t byte,
                   const std::string&,
                   const nlohmann::detail::exception& problem) override {
    const std::size_t place = source_.code_point_of_byte(byte > 0 ? byte - 1 : 0);
    build_.error("E0102", source_.position(place),
                 fmt::format("not valid JSON: {}", reason(problem.what())));
    return false;
  }

 private:
  bool plain() {
    const Position where = cursor_.next();
    return build_.text(std::string{cursor_.token()}, false, where);
  }
  bool open(Node::Kind kind) {
    Position where = cursor_.next();
    where.length = 1;
    return build_.begin(kind, where);
  }
  bool close() {
    cursor_.next();
    return build_.end();
  }

  // The library's message without its own code and place, which are in other words than ours, and
  // without the text it had read last, which may be long.
  static std::string reason(std::string_view what) {
    if (const auto colon = what.find(": "); colon != std::string_view::npos)
      what.remove_prefix(colon + 2);
    const auto quote = what.find("; last read: '");
    std::string out{what.substr(0, quote)};
    if (const auto expected = what.rfind("; expected ");
        quote != std::string_view::npos && expected != std::string_view::npos && expected > quote) {
      out += what.substr(expected);
    }
    return out;
  }

  const SourceText& source_;
  TreeBuilder& build_;
  Cursor cursor_;
};

bool begins_with_second_mark(const std::string& text) {
  return text.compare(0, 3, "\xEF\xBB\xBF") == 0;
}

}  // namespace

void parse_json(std::shared_ptr<const SourceText> source,
                bool comments,
                std::vector<Document>& documents,
                Diagnostics& diagnostics) {
  TreeBuilder build{source, diagnostics};
  const std::string& text = source->text();
  // The library would skip it silently, and the cursor would lose step.
  if (begins_with_second_mark(text))
    return build.error("E0102", source->position(0), "not valid JSON: byte order mark");
  build.begin_document();
  Handler handler{*source, build};
  const bool whole = nlohmann::json::sax_parse(
      text.begin(), text.end(), &handler, nlohmann::json::input_format_t::json, true, comments);
  if (whole) documents.push_back(build.end_document());
}

}  // namespace tenure::scenario
