#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/scenario/document.hpp>

#include "tree_builder.hpp"

namespace tenure::scenario {

namespace {

constexpr std::size_t checkpoint_distance = 256;

// What a diagnostic keeps of a line around its place. A line may be megabytes long, and there may
// be thousands of diagnostics about it.
constexpr std::size_t kept_before = 100;
constexpr std::size_t kept_after = 150;

bool ends_with_ignoring_case(std::string_view name, std::string_view ending) {
  return name.size() >= ending.size() &&
         edit_distance(name.substr(name.size() - ending.size()), ending) == 0;
}

}  // namespace

Format format_of(std::string_view file_name) {
  if (ends_with_ignoring_case(file_name, ".json")) return Format::json;
  if (ends_with_ignoring_case(file_name, ".jsonc")) return Format::jsonc;
  return Format::yaml;
}

SourceText::SourceText(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)) {
  lines_.push_back(0);
  std::size_t at = 0;
  while (at < text_.size()) {
    if (code_points_ % checkpoint_distance == 0) checkpoints_.push_back(at);
    const char c = text_[at];
    at = next_code_point(text_, at);
    ++code_points_;
    const bool before_line_feed = c == '\r' && at < text_.size() && text_[at] == '\n';
    if (c == '\n' || (c == '\r' && !before_line_feed)) lines_.push_back(code_points_);
  }
}

std::size_t SourceText::byte_of_code_point(std::size_t code_point) const {
  if (code_point >= code_points_) return text_.size();
  std::size_t at = checkpoints_[code_point / checkpoint_distance];
  for (std::size_t i = code_point % checkpoint_distance; i > 0; --i)
    at = next_code_point(text_, at);
  return at;
}

std::size_t SourceText::code_point_of_byte(std::size_t byte) const {
  const auto after = std::upper_bound(checkpoints_.begin(), checkpoints_.end(), byte);
  if (after == checkpoints_.begin()) return 0;
  std::size_t at = *(after - 1);
  std::size_t count =
      static_cast<std::size_t>(after - 1 - checkpoints_.begin()) * checkpoint_distance;
  for (; at < byte && at < text_.size(); ++count) at = next_code_point(text_, at);
  return count;
}

Position SourceText::position(std::size_t code_point, std::size_t length) const {
  code_point = std::min(code_point, code_points_);
  const auto next = std::upper_bound(lines_.begin(), lines_.end(), code_point);
  const std::size_t line = static_cast<std::size_t>(next - lines_.begin());
  return Position{line, code_point - *(next - 1) + 1, std::max<std::size_t>(1, length)};
}

Diagnostic SourceText::diagnostic(Diagnostic::Level level,
                                  std::string code,
                                  Position where,
                                  std::string text) const {
  Diagnostic out;
  out.level = level;
  out.code = std::move(code);
  out.file = name_;
  out.where = where;
  out.text = std::move(text);
  if (where.line == 0 || where.line > lines_.size()) return out;
  const std::size_t begin = lines_[where.line - 1];
  const std::size_t end = where.line < lines_.size() ? lines_[where.line] : code_points_;
  const std::size_t from =
      std::max(begin, begin + where.column - std::min(where.column, kept_before));
  const std::size_t to = std::min(end, begin + where.column + kept_after);
  const std::size_t first = byte_of_code_point(from);
  out.line = text_.substr(first, byte_of_code_point(to) - first);
  while (!out.line.empty() && (out.line.back() == '\n' || out.line.back() == '\r'))
    out.line.pop_back();
  out.line_begins_at = from - begin + 1;
  return out;
}

const Entry* Node::find(std::string_view key) const {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

namespace {

Diagnostic about_file(const std::string& name, std::string code, std::string text) {
  Diagnostic out;
  out.code = std::move(code);
  out.file = name;
  out.text = std::move(text);
  return out;
}

bool has_prefix(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool is_utf16(std::string_view text) {
  using namespace std::string_view_literals;
  return has_prefix(text, "\xFF\xFE"sv) || has_prefix(text, "\xFE\xFF"sv) ||
         (text.size() >= 2 && (text[0] == '\0') != (text[1] == '\0'));
}

// Refuses what is no text in UTF-8 before a parser sees it.
bool is_readable(const SourceText& source, Diagnostics& diagnostics) {
  const std::string& text = source.text();
  if (is_utf16(text)) {
    diagnostics.add(about_file(source.name(), "E0104", "the file is UTF-16; UTF-8 is needed"));
    return false;
  }
  const std::size_t invalid = first_invalid_utf8(text);
  const std::size_t zero = text.find('\0');
  const std::size_t bad = std::min(invalid, zero);
  if (bad == std::string::npos) return true;
  const Position where = source.position(source.code_point_of_byte(bad));
  const std::string what =
      bad == zero ? "a NUL character"
                  : fmt::format("byte {:02x} is not valid UTF-8 here",
                                static_cast<unsigned>(static_cast<unsigned char>(text[bad])));
  diagnostics.add(source.diagnostic(Diagnostic::Level::error, "E0104", where, what));
  return false;
}

Diagnostic too_large(const std::string& name) {
  return about_file(name, "E0108",
                    fmt::format("the file is larger than {} MiB", most_bytes >> 20U));
}

}  // namespace

std::vector<Document> parse_documents(std::string name,
                                      std::string text,
                                      Format format,
                                      Diagnostics& diagnostics) {
  std::vector<Document> documents;
  if (text.size() > most_bytes) {
    diagnostics.add(too_large(name));
    return documents;
  }
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (has_prefix(text, byte_order_mark)) text.erase(0, byte_order_mark.size());
  const std::size_t errors_before = diagnostics.errors();
  const auto source = std::make_shared<const SourceText>(std::move(name), std::move(text));
  if (!is_readable(*source, diagnostics)) return documents;
  if (format == Format::yaml) {
    parse_yaml(source, documents, diagnostics);
  } else {
    parse_json(source, format == Format::jsonc, documents, diagnostics);
  }
  if (documents.empty() && diagnostics.errors() == errors_before) {
    diagnostics.add(about_file(source->name(), "E0112", "the file holds no document"));
  }
  return documents;
}

namespace {

class InputFile {
 public:
  explicit InputFile(const std::string& path)
      : is_standard_input_(path == "-"),
        file_(is_standard_input_ ? stdin : std::fopen(path.c_str(), "rb")) {}
  ~InputFile() {
    if (file_ != nullptr && !is_standard_input_) std::fclose(file_);
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  bool is_open() const { return file_ != nullptr; }

  // At most `most` bytes and one more, so that the caller sees that there is more. A folder opens
  // like a file and fails here.
  bool read(std::string& text, std::size_t most) {
    std::size_t size = 0;
    do {
      text.resize(std::min(most + 1, size + (std::size_t{1} << 16U)));
      const std::size_t got = std::fread(text.data() + size, 1, text.size() - size, file_);
      if (got == 0) break;
      size += got;
    } while (size <= most);
    text.resize(size);
    return std::ferror(file_) == 0;
  }

 private:
  bool is_standard_input_;
  std::FILE* file_;
};

}  // namespace

std::vector<Document> load_documents(const std::string& path, Diagnostics& diagnostics) {
  const std::string name = path == "-" ? "<stdin>" : path;
  std::string text;
  errno = 0;
  InputFile file{path};
  if (!file.is_open() || !file.read(text, most_bytes)) {
    // Not a place in a file: the command line named something that cannot be read.
    diagnostics.add(
        about_file({}, "E0501", fmt::format("cannot read {}: {}", name, std::strerror(errno))));
    return {};
  }
  return parse_documents(name, std::move(text), format_of(path), diagnostics);
}

}  // namespace tenure::scenario
