// Charts as SVG: a canvas that knows how an element is written, and a renderer for each chart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tenure/report/chart.hpp>
#include <tenure/stats/sample.hpp>

namespace tenure::report {

// Elements, in user units of the view box. All text that comes in is escaped here.
class Canvas {
 public:
  // `id` begins every id of the drawing, so that several fit into one document.
  explicit Canvas(std::string id) : id_(std::move(id)) {}

  enum class Anchor : std::uint8_t { start, middle, end };

  void rect(double x,
            double y,
            double width,
            double height,
            std::string_view classes,
            std::string_view hint = {});
  void line(double x1, double y1, double x2, double y2, std::string_view classes);
  void path(std::string_view d, std::string_view classes);
  void circle(double x, double y, double r, std::string_view classes, std::string_view hint = {});
  void text(double x,
            double y,
            std::string_view content,
            std::string_view classes = {},
            Anchor anchor = Anchor::start);
  // The same, cut in the middle to fit `width`; the whole is in its hint.
  void text_within(double x,
                   double y,
                   double width,
                   std::string_view content,
                   std::string_view classes = {},
                   Anchor anchor = Anchor::start);
  // A rect filled with one of the patterns of the drawing: "hatch", "dots", "cross", ...
  void patterned(double x,
                 double y,
                 double width,
                 double height,
                 std::string_view pattern,
                 std::string_view classes,
                 std::string_view hint = {});

  // The whole drawing. `style`: for a file of its own; empty: the page has it.
  std::string finish(const Chart& chart, double width, double height, std::string_view style) const;

 private:
  std::string id_;
  std::string body_;
};

// A coordinate: to a tenth, and no longer than it has to be.
std::string number(double value);

// About how wide a text is, in the font of charts.
double text_width(std::string_view content);

// `content` cut in its middle until it is no wider than `width`.
std::string fitting(std::string_view content, double width);

// A distance of 1, 2 or 5 times a power of ten that divides `range` into at most `most` parts.
std::int64_t tick_step(std::int64_t range, std::int64_t most);

// A value as an axis writes it: "15s", "0.25", "2".
std::string axis_text(stats::Unit unit, std::int64_t value);

struct Extent {
  double width = 0;
  double height = 0;
};

// Each draws its chart and says how large it became.
Extent draw(const Ecdf& chart, Canvas& canvas);
Extent draw(const Timeline& chart, Canvas& canvas);
Extent draw(const Heatmap& chart, Canvas& canvas);
Extent draw(const Pareto& chart, Canvas& canvas);
Extent draw(const BudgetChart& chart, Canvas& canvas);

// The chart as an element of a page; `id` is unique there.
std::string svg_element(const Chart& chart, const std::string& id);

// Room for the names of lanes and rows.
inline constexpr double label_width = 150;

}  // namespace tenure::report
