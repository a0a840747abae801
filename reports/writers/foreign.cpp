#include "foreign.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>

#include <tenure/base/text.hpp>

namespace tenure::report {
namespace {

using Replacement = std::pair<char, std::string_view>;

std::string replaced(std::string_view text, std::initializer_list<Replacement> replacements) {
  std::string out;
  for (const char c : text) {
    const auto* found = std::find_if(replacements.begin(), replacements.end(),
                                     [c](const Replacement& r) { return r.first == c; });
    if (found == replacements.end()) {
      out += c;
    } else {
      out += found->second;
    }
  }
  return out;
}

// U+FFFE and U+FFFF are in UTF-8 and in no XML document (XML 1.0, 2.2).
std::string without_noncharacters(std::string_view text) {
  std::string out{text};
  for (const std::string_view bad : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
    for (std::size_t at = out.find(bad); at != std::string::npos; at = out.find(bad, at))
      out.replace(at, bad.size(), "\xEF\xBF\xBD");
  }
  return out;
}

// The longest row of backticks: code that holds them is fenced by one more (CommonMark 0.30, 6.1).
std::size_t longest_fence(std::string_view text) {
  std::size_t longest = 0;
  std::size_t row = 0;
  for (const char c : text) {
    row = c == '`' ? row + 1 : 0;
    longest = std::max(longest, row);
  }
  return longest;
}

}  // namespace

std::string printable(std::string_view raw, std::size_t most) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < most && at < raw.size(); ++i) at = next_code_point(raw, at);
  return without_noncharacters(visible(raw.substr(0, at))) + (at < raw.size() ? "..." : "");
}

std::string xml(std::string_view printable_text) {
  return replaced(
      printable_text,
      {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&apos;"}});
}

// Of the runner's toolkit: escapeData and escapeProperty (actions/toolkit, command.ts).
std::string command_text(std::string_view text) {
  return replaced(text, {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}});
}

std::string command_property(std::string_view printable_text) {
  return replaced(printable_text,
                  {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}, {':', "%3A"}, {',', "%2C"}});
}

std::string markdown(std::string_view printable_text) {
  return replaced(printable_text, {{'&', "&amp;"},
                                   {'<', "&lt;"},
                                   {'>', "&gt;"},
                                   {'\\', "\\\\"},
                                   {'`', "\\`"},
                                   {'*', "\\*"},
                                   {'_', "\\_"},
                                   {'[', "\\["},
                                   {']', "\\]"},
                                   {'|', "\\|"},
                                   {'~', "\\~"},
                                   {'$', "\\$"}});
}

std::string markdown_code(std::string_view printable_text) {
  const std::string fence(longest_fence(printable_text) + 1, '`');
  // A space on both sides is not shown, and keeps backticks at the ends apart from the fence.
  const std::string_view space = fence.size() > 1 ? " " : "";
  std::string out = fence;
  out += space;
  out += replaced(printable_text, {{'|', "\\|"}});  // a table ends its cell at a bar, code or not
  out += space;
  return out + fence;
}

std::string csv_field(std::string_view printable_text) {
  if (printable_text.find_first_of("\",\r\n") == std::string_view::npos)
    return std::string{printable_text};
  return "\"" + replaced(printable_text, {{'"', "\"\""}}) + "\"";
}

std::string repository_path(std::string_view file) {
  while (file.size() > 2 && file.substr(0, 2) == "./") {
    file.remove_prefix(2);
    while (!file.empty() && file.front() == '/') file.remove_prefix(1);
  }
  return std::string{file};
}

}  // namespace tenure::report
