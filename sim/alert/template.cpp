// Templates of labels and annotations: the part of Go's text/template that is in the subset.
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <tenure/alert/rule.hpp>
#include <tenure/base/variant.hpp>

#include "go_text.hpp"

namespace tenure::alert {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

bool is_label_name(std::string_view text) {
  constexpr std::string_view allowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos &&
         !(text[0] >= '0' && text[0] <= '9');
}

std::optional<Template::Filter> filter_named(std::string_view name) {
  if (name == "humanize") return Template::Filter::humanize;
  if (name == "humanizeDuration") return Template::Filter::humanize_duration;
  return std::nullopt;
}

// What stands between the braces: "$value", "$labels.pod", "$value | humanize", "humanize $value".
std::optional<Template::Part> part_of(std::string_view action) {
  for (const std::string_view prefix : {"$labels.", ".Labels."}) {
    if (action.substr(0, prefix.size()) != prefix) continue;
    const std::string_view name = action.substr(prefix.size());
    if (is_label_name(name)) return Template::LabelValue{std::string{name}};
  }
  const auto is_value = [](std::string_view text) { return text == "$value" || text == ".Value"; };
  if (is_value(action)) return Template::Value{};
  const std::size_t bar = action.find('|');
  const std::size_t blank = action.find(' ');
  if (bar != std::string_view::npos) {
    const auto filter = filter_named(trimmed(action.substr(bar + 1)));
    if (filter && is_value(trimmed(action.substr(0, bar)))) return Template::Value{*filter};
  } else if (blank != std::string_view::npos) {
    const auto filter = filter_named(action.substr(0, blank));
    if (filter && is_value(trimmed(action.substr(blank)))) return Template::Value{*filter};
  }
  return std::nullopt;
}

// The functions of template/template.go.
std::string humanized(double value) {
  if (value == 0 || !std::isfinite(value)) return go_four_digits(value);
  const bool is_large = std::fabs(value) >= 1;
  std::string prefix;
  for (const char c : is_large ? std::string_view{"kMGTPEZY"} : std::string_view{"munpfazy"}) {
    if (is_large ? std::fabs(value) < 1000 : std::fabs(value) >= 1) break;
    prefix = c;
    value = is_large ? value / 1000 : value * 1000;
  }
  return go_four_digits(value) + prefix;
}

std::string humanized_duration(double value) {
  if (!std::isfinite(value)) return go_four_digits(value);
  if (std::fabs(value) < 1) return (value == 0 ? go_four_digits(value) : humanized(value)) + "s";
  const std::string_view sign = value < 0 ? "-" : "";
  value = std::fabs(value);
  // Beyond int64, Go's conversion on amd64 yields the least one, and Prometheus prints that.
  constexpr double beyond = 9223372036854775808.0;
  const std::int64_t duration =
      value < beyond ? static_cast<std::int64_t>(value) : std::numeric_limits<std::int64_t>::min();
  const std::int64_t seconds = duration % 60;
  const std::int64_t minutes = duration / 60 % 60;
  const std::int64_t hours = duration / 3600 % 24;
  const std::int64_t days = duration / 86400;
  if (days != 0) return fmt::format("{}{}d {}h {}m {}s", sign, days, hours, minutes, seconds);
  if (hours != 0) return fmt::format("{}{}h {}m {}s", sign, hours, minutes, seconds);
  if (minutes != 0) return fmt::format("{}{}m {}s", sign, minutes, seconds);
  return fmt::format("{}{}s", sign, go_four_digits(value));
}

std::string text_of(Template::Filter filter, double value) {
  switch (filter) {
    case Template::Filter::none:
      return go_number(value);
    case Template::Filter::humanize:
      return humanized(value);
    case Template::Filter::humanize_duration:
      return humanized_duration(value);
  }
  return {};
}

}  // namespace

std::variant<Template, Problem> Template::parse(std::string_view text) {
  Template out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t open = text.find("{{", at);
    if (open != at) out.parts_.emplace_back(std::string{text.substr(at, open - at)});
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find("}}", open);
    if (close == std::string_view::npos) {
      return Problem{Problem::Kind::invalid, "a template without its }}", open, 2, {}};
    }
    const std::string_view action = trimmed(text.substr(open + 2, close - open - 2));
    std::optional<Part> part = part_of(action);
    if (!part) {
      return Problem{Problem::Kind::outside, fmt::format("the template {{{{ {} }}}}", action), open,
                     close + 2 - open,
                     "there are: {{ $value }}, {{ $labels.NAME }}, humanize, humanizeDuration"};
    }
    out.parts_.push_back(std::move(*part));
    at = close + 2;
  }
  return out;
}

std::string Template::expanded(const Labels& labels, double value) const {
  std::string out;
  for (const Part& part : parts_) {
    out +=
        std::visit(overloaded{
                       [](const std::string& text) { return text; },
                       [&](const Value& v) { return text_of(v.filter, value); },
                       [&](const LabelValue& label) { return std::string{labels.of(label.name)}; },
                   },
                   part);
  }
  return out;
}

}  // namespace tenure::alert
