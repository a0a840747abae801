#include "svg.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/report/page.hpp>
#include <tenure/run/result.hpp>

#include "assets.hpp"
#include "foreign.hpp"

namespace tenure::report {
namespace {

constexpr std::size_t longest_text = 200;  // code points

std::string escaped(std::string_view raw) {
  return xml(printable(raw, longest_text));
}

std::string title(std::string_view hint) {
  return hint.empty() ? std::string{} : fmt::format("<title>{}</title>", escaped(hint));
}

std::string_view word(Canvas::Anchor anchor) {
  switch (anchor) {
    case Canvas::Anchor::start:
      return "";
    case Canvas::Anchor::middle:
      return " text-anchor=\"middle\"";
    case Canvas::Anchor::end:
      return " text-anchor=\"end\"";
  }
  return "";
}

// Patterns tell apart what colours may not; their lines take the colour of the class.
struct Pattern {
  std::string_view name;
  int size;
  std::string_view content;
};
constexpr Pattern patterns[] = {
    {"hatch", 6, "<path d=\"M-1 7 7-1M-1 1 1-1M5 7 7 5\" class=\"pl\"/>"},
    {"dots", 5, "<circle cx=\"2.5\" cy=\"2.5\" r=\"1.1\" class=\"pd\"/>"},
    {"cross", 6, "<path d=\"M0 0 6 6M6 0 0 6\" class=\"pc\"/>"},
    {"back", 6, "<path d=\"M-1-1 7 7M-1 5 1 7M5-1 7 1\" class=\"pb\"/>"},
};

// Only those that are drawn.
std::string definitions(const std::string& id, const std::string& body) {
  std::string out;
  for (const Pattern& pattern : patterns) {
    if (body.find(fmt::format("url(#{}-{})", id, pattern.name)) == std::string::npos) continue;
    out += fmt::format(
        "<pattern id=\"{0}-{1}\" width=\"{2}\" height=\"{2}\" patternUnits=\"userSpaceOnUse\">"
        "{3}</pattern>",
        id, pattern.name, pattern.size, pattern.content);
  }
  return out.empty() ? out : "<defs>" + out + "</defs>";
}

}  // namespace

std::string number(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

double text_width(std::string_view content) {
  double width = 0;
  for (std::size_t at = 0; at < content.size();) {
    const std::size_t next = next_code_point(content, at);
    // From three bytes on a character may be as wide as it is high.
    width += next - at > 2 ? 12 : 6.7;
    at = next;
  }
  return width;
}

std::string fitting(std::string_view content, double width) {
  const std::string whole = printable(content, longest_text);
  if (text_width(whole) <= width) return whole;
  std::string_view head = whole;
  std::string tail;
  // Names differ at their ends (kcm-0, kcm-1), so what is left out is the middle.
  for (std::size_t at = whole.size(); at > 0 && text_width(tail) < width / 3;) {
    do --at;
    while (at > 0 && (static_cast<unsigned char>(whole[at]) & 0xC0) == 0x80);
    tail = whole.substr(at);
    head = std::string_view{whole}.substr(0, at);
  }
  std::size_t end = 0;
  while (end < head.size()) {
    const std::size_t next = next_code_point(head, end);
    if (text_width(head.substr(0, next)) + text_width(tail) + 12 > width) break;
    end = next;
  }
  return fmt::format("{}\u2026{}", head.substr(0, end), tail);
}

std::int64_t tick_step(std::int64_t range, std::int64_t most) {
  for (std::int64_t decade = 1;; decade *= 10) {
    for (const std::int64_t step : {decade, decade * 2, decade * 5}) {
      if (range / step <= most) return step;
    }
  }
}

std::string axis_text(stats::Unit unit, std::int64_t value) {
  if (unit == stats::Unit::nanosecond) return seconds_text(Duration{value});
  return unit == stats::Unit::one ? fmt::format("{}", value)
                                  : fmt::format("{:.4g}", static_cast<double>(value) / 1e9);
}

void Canvas::rect(double x,
                  double y,
                  double width,
                  double height,
                  std::string_view classes,
                  std::string_view hint) {
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"{}\"", number(x),
                       number(y), number(width), number(height), classes);
  body_ += hint.empty() ? "/>" : fmt::format(">{}</rect>", title(hint));
}

void Canvas::line(double x1, double y1, double x2, double y2, std::string_view classes) {
  body_ += fmt::format("<path d=\"M{} {}L{} {}\" class=\"{}\"/>", number(x1), number(y1),
                       number(x2), number(y2), classes);
}

void Canvas::path(std::string_view d, std::string_view classes) {
  body_ += fmt::format("<path d=\"{}\" class=\"{}\"/>", d, classes);
}

void Canvas::circle(double x, double y, double r, std::string_view classes, std::string_view hint) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" class=\"{}\"", number(x), number(y),
                       number(r), classes);
  body_ += hint.empty() ? "/>" : fmt::format(">{}</circle>", title(hint));
}

void Canvas::text(double x,
                  double y,
                  std::string_view content,
                  std::string_view classes,
                  Anchor anchor) {
  body_ +=
      fmt::format("<text x=\"{}\" y=\"{}\"{}{}>{}</text>", number(x), number(y), word(anchor),
                  classes.empty() ? "" : fmt::format(" class=\"{}\"", classes), escaped(content));
}

void Canvas::text_within(double x,
                         double y,
                         double width,
                         std::string_view content,
                         std::string_view classes,
                         Anchor anchor) {
  const std::string cut = fitting(content, width);
  if (cut == content) return text(x, y, content, classes, anchor);
  body_ += fmt::format("<text x=\"{}\" y=\"{}\"{}{}>{}{}</text>", number(x), number(y),
                       word(anchor), classes.empty() ? "" : fmt::format(" class=\"{}\"", classes),
                       xml(cut), title(content));
}

void Canvas::patterned(double x,
                       double y,
                       double width,
                       double height,
                       std::string_view pattern,
                       std::string_view classes,
                       std::string_view hint) {
  rect(x, y, width, height, classes, hint);
  body_ += fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"url(#{}-{})\" "
      "pointer-events=\"none\"/>",
      number(x), number(y), number(width), number(height), id_, pattern);
}

std::string Canvas::finish(const Chart& chart,
                           double width,
                           double height,
                           std::string_view style) const {
  const bool is_file = !style.empty();
  return fmt::format(
      "<svg{} class=\"chart\" role=\"img\" aria-labelledby=\"{}-t {}-d\" viewBox=\"0 0 {} {}\"{}>"
      "<title id=\"{}-t\">{}</title><desc id=\"{}-d\">{}</desc>{}{}{}</svg>",
      is_file ? " xmlns=\"http://www.w3.org/2000/svg\"" : "", id_, id_, number(width),
      number(height),
      is_file ? fmt::format(" width=\"{}\" height=\"{}\"", number(width), number(height))
              : fmt::format(" style=\"--w:{}px\"", number(width)),
      id_, escaped(chart.title), id_, xml(printable(chart.description, 2000)),
      is_file ? fmt::format("<style>{}</style><rect width=\"100%\" height=\"100%\" "
                            "class=\"paper\"/>",
                            style)
              : "",
      definitions(id_, body_), body_);
}

std::string svg_element(const Chart& chart, const std::string& id) {
  Canvas canvas{id};
  const Extent extent =
      std::visit([&](const auto& what) { return draw(what, canvas); }, chart.what);
  return canvas.finish(chart, extent.width, extent.height, {});
}

void write_svg(const Chart& chart, const TextSink& sink) {
  Canvas canvas{"c"};
  const Extent extent =
      std::visit([&](const auto& what) { return draw(what, canvas); }, chart.what);
  sink("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  sink(canvas.finish(chart, extent.width, extent.height, assets::chart_css));
  sink("\n");
}

}  // namespace tenure::report
