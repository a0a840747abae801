// A figure at each pair of two parameters' values: the number itself in every cell, and a tint that
// says how it compares with the present setting.
#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "svg.hpp"
#include "wording.hpp"

namespace tenure::report {
namespace {

constexpr double cell_width = 86, cell_height = 30, top = 42;

// Less is better: blue tints below what it is compared with, orange ones above; by a tenth each.
std::string_view tint(double value, double base) {
  if (base <= 0) return value <= 0 ? "t0" : "w2";
  const double ratio = value / base;
  if (ratio < 0.7) return "g3";
  if (ratio < 0.85) return "g2";
  if (ratio < 0.97) return "g1";
  if (ratio <= 1.03) return "t0";
  if (ratio <= 1.2) return "w1";
  return ratio <= 1.5 ? "w2" : "w3";
}

// What values are compared with: that of the present setting, or the middle of all.
double base_of(const Heatmap& chart) {
  if (chart.present && chart.cells[*chart.present].value)
    return static_cast<double>(*chart.cells[*chart.present].value);
  std::vector<std::int64_t> values;
  for (const HeatCell& cell : chart.cells) {
    if (cell.value) values.push_back(*cell.value);
  }
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return static_cast<double>(values[values.size() / 2]);
}

void draw_cell(const Heatmap& chart,
               std::size_t index,
               double base,
               double x,
               double y,
               Canvas& canvas) {
  const HeatCell& cell = chart.cells[index];
  const double middle = x + cell_width / 2;
  if (cell.value) {
    canvas.rect(x, y, cell_width - 2, cell_height - 2,
                fmt::format("hc {}", tint(static_cast<double>(*cell.value), base)), cell.note);
    canvas.text(middle, y + 18, shown(chart.unit, *cell.value), "hv", Canvas::Anchor::middle);
  } else if (!cell.note.empty()) {
    canvas.patterned(x, y, cell_width - 2, cell_height - 2, "hatch", "hs", cell.note);
    canvas.text_within(middle, y + 18, cell_width - 8, cell.note, "ha", Canvas::Anchor::middle);
  }
  if (chart.present != index) return;
  canvas.rect(x + 1, y + 1, cell_width - 4, cell_height - 4, "pr", "the present setting");
}

}  // namespace

Extent draw(const Heatmap& chart, Canvas& canvas) {
  const double base = base_of(chart);
  const double least = label_width + 460;
  const double width =
      std::max(least, label_width + static_cast<double>(chart.columns.size()) * cell_width + 8);
  canvas.text(label_width, 14, chart.column_name, "so");
  canvas.text_within(label_width - 10, 34, label_width - 14, chart.row_name, "so",
                     Canvas::Anchor::end);
  for (std::size_t column = 0; column < chart.columns.size(); ++column) {
    const double x = label_width + static_cast<double>(column) * cell_width;
    canvas.text_within(x + cell_width / 2, 34, cell_width - 6, chart.columns[column], {},
                       Canvas::Anchor::middle);
  }
  double y = top;
  for (std::size_t row = 0; row < chart.rows.size(); ++row, y += cell_height) {
    canvas.text_within(label_width - 10, y + 18, label_width - 14, chart.rows[row], {},
                       Canvas::Anchor::end);
    for (std::size_t column = 0; column < chart.columns.size(); ++column) {
      draw_cell(chart, row * chart.columns.size() + column, base,
                label_width + static_cast<double>(column) * cell_width, y, canvas);
    }
  }
  canvas.text(label_width, y + 16,
              chart.present ? "blue: less than the present setting (framed), orange: more"
                            : "blue: less than the middle of all, orange: more",
              "so");
  canvas.text(label_width, y + 31, "hatched: not run, for the reason that is written", "so");
  return {width, y + 40};
}

}  // namespace tenure::report
