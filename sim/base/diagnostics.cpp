#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include <tenure/base/diagnostics.hpp>
#include <tenure/base/text.hpp>

namespace tenure {

namespace {

// How much of a source line is shown; longer ones are cut around the caret.
constexpr std::size_t shown_before = 50;
constexpr std::size_t shown_width = 90;
constexpr std::size_t printed_errors = 20;

std::string_view name_of(Diagnostic::Level level) {
  return level == Diagnostic::Level::error ? "error" : "warning";
}

std::string place_of(const Diagnostic& d) {
  if (d.file.empty()) return "tenure";
  if (d.where.line == 0) return visible(d.file);
  return fmt::format("{}:{}:{}", visible(d.file), d.where.line, d.where.column);
}

struct Excerpt {
  std::string text;
  std::size_t caret;   // columns before it
  std::size_t length;  // of the underline
};

std::size_t byte_of(std::string_view text, std::size_t code_point) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < code_point && at < text.size(); ++i) at = next_code_point(text, at);
  return at;
}

Excerpt excerpt_of(const Diagnostic& d) {
  const std::size_t size = code_points(d.line);
  const std::size_t column = std::max(d.where.column, d.line_begins_at) - d.line_begins_at;
  const std::size_t caret = std::min(column, size);
  const std::size_t begin = size > shown_width && caret > shown_before ? caret - shown_before : 0;
  const std::size_t end = std::min(size, begin + shown_width);
  const std::size_t from = byte_of(d.line, begin);
  const std::string middle{std::string_view{d.line}.substr(from, byte_of(d.line, end) - from)};
  const std::string front = begin > 0 || d.line_begins_at > 1 ? "..." : "";
  const std::string back = end < size ? "..." : "";
  return {front + visible_in_place(middle) + back, front.size() + caret - begin,
          std::clamp<std::size_t>(d.where.length, 1, std::max<std::size_t>(1, end - caret))};
}

std::string with_continuation(const std::string& hint) {
  std::string out;
  for (const char c : hint) {
    out += c;
    if (c == '\n') out += "     ";
  }
  return out;
}

}  // namespace

std::string rendered(const Diagnostic& diagnostic) {
  const Diagnostic& d = diagnostic;
  std::string out =
      fmt::format("{}: {}[{}]: {}\n", place_of(d), name_of(d.level), d.code, visible(d.text));
  const std::string number = fmt::format("{:>2}", d.where.line);
  const std::string margin(number.size(), ' ');
  if (d.where.line > 0 && !d.line.empty()) {
    const Excerpt excerpt = excerpt_of(d);
    out += fmt::format("{} |\n{} | {}\n", margin, number, excerpt.text);
    out += fmt::format("{} | {}{}\n", margin, std::string(excerpt.caret, ' '),
                       std::string(excerpt.length, '^'));
  }
  for (const std::string& hint : d.hints)
    out += fmt::format("{} = {}\n", margin, with_continuation(hint));
  return out;
}

namespace {

std::string counted(std::size_t errors, const std::map<std::string, std::size_t>& by_file) {
  const std::string noun = errors == 1 ? "error" : "errors";
  const std::string where = by_file.size() == 1 ? visible(by_file.begin()->first)
                                                : fmt::format("{} files", by_file.size());
  return fmt::format("{} {} in {}", errors, noun, where);
}

}  // namespace

std::string rendered(const Diagnostics& diagnostics) {
  std::vector<const Diagnostic*> sorted;
  for (const Diagnostic& d : diagnostics.all()) sorted.push_back(&d);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic* a, const Diagnostic* b) {
    return std::tie(a->file, a->where.line, a->where.column) <
           std::tie(b->file, b->where.line, b->where.column);
  });

  std::string out;
  std::map<std::string, std::size_t> errors_of;
  std::size_t errors = 0;
  bool all_shown = true;
  std::string example;
  for (const Diagnostic* d : sorted) {
    const bool counts =
        d->level == Diagnostic::Level::error && !d->file.empty() && d->where.line > 0;
    if (counts) {
      ++errors;
      if (example.empty()) example = d->code;
      if (++errors_of[d->file] > printed_errors) {
        all_shown = false;
        continue;
      }
    }
    if (!out.empty()) out += '\n';
    out += rendered(*d);
  }
  if (errors == 0) return out;
  return out + fmt::format("\n{}{}; nothing was run. More: tenure explain {}\n",
                           counted(errors, errors_of),
                           all_shown ? "" : fmt::format(", the first {} are shown", printed_errors),
                           example);
}

}  // namespace tenure
