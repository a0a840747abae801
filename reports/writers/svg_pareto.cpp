// What a setting costs for what it gives: two objectives, a point for each setting.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "svg.hpp"
#include "wording.hpp"

namespace tenure::report {
namespace {

constexpr double width = 640, height = 380;
constexpr double left = 66, right = 20, top = 30, bottom = 66;

struct Axis {
  std::int64_t low = 0, high = 1, step = 1;
  double from = 0, to = 1;  // on the canvas

  double at(std::int64_t value) const {
    return from + static_cast<double>(value - low) / static_cast<double>(high - low) * (to - from);
  }
};

Axis axis_of(const std::vector<std::int64_t>& values, stats::Unit unit, double from, double to) {
  Axis axis;
  axis.from = from;
  axis.to = to;
  if (values.empty()) return axis;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  // Axes of counts, shares and rates begin at 0; one of times may begin where the times do.
  const std::int64_t low =
      unit == stats::Unit::nanosecond ? *least : std::min<std::int64_t>(0, *least);
  axis.step = tick_step(std::max<std::int64_t>(1, *most - low), 7);
  axis.low = low / axis.step * axis.step;
  axis.high = (*most / axis.step + 1) * axis.step;
  return axis;
}

void draw_axes(const Pareto& chart, const Axis& x, const Axis& y, Canvas& canvas) {
  for (std::int64_t at = x.low; at <= x.high; at += x.step) {
    canvas.line(x.at(at), top, x.at(at), height - bottom, at == x.low ? "ax" : "gr");
    canvas.text(x.at(at), height - bottom + 17, axis_text(chart.x_unit, at), {},
                Canvas::Anchor::middle);
  }
  for (std::int64_t at = y.low; at <= y.high; at += y.step) {
    canvas.line(left, y.at(at), width - right, y.at(at), at == y.low ? "ax" : "gr");
    canvas.text(left - 6, y.at(at) + 4, axis_text(chart.y_unit, at), {}, Canvas::Anchor::end);
  }
  canvas.text_within(width - right, height - bottom + 34, width - left, chart.x_name, "so",
                     Canvas::Anchor::end);
  canvas.text_within(left - 56, 14, width - left, chart.y_name, "so");
}

void draw_point(const Pareto& chart,
                const ParetoPoint& point,
                const Axis& x,
                const Axis& y,
                Canvas& canvas) {
  const double px = x.at(point.x), py = y.at(point.y);
  const std::string hint =
      fmt::format("{}: {} {}, {} {}", point.label, chart.x_name, shown(chart.x_unit, point.x),
                  chart.y_name, shown(chart.y_unit, point.y));
  canvas.circle(px, py, point.on_front ? 5.5 : 4, point.on_front ? "pf" : "po", hint);
  if (point.is_present) canvas.rect(px - 9, py - 9, 18, 18, "pr", "the present setting");
}

// Labels of the front; each is left out where it would cover one that is there.
void draw_labels(const std::vector<ParetoPoint>& points,
                 const Axis& x,
                 const Axis& y,
                 Canvas& canvas) {
  struct Box {
    double x, y, width;
  };
  std::vector<Box> taken;
  for (const ParetoPoint& point : points) {
    if (!point.on_front && !point.is_present) continue;
    const std::string text = point.label + (point.is_present ? " (present)" : "");
    const double wide = std::min(220.0, text_width(text) + 4);
    const bool leftwards = x.at(point.x) + 12 + wide > width;
    const Box box{leftwards ? x.at(point.x) - 12 - wide : x.at(point.x) + 12, y.at(point.y) - 6,
                  wide};
    const bool covers = std::any_of(taken.begin(), taken.end(), [&](const Box& other) {
      return box.x < other.x + other.width && other.x < box.x + box.width &&
             std::abs(box.y - other.y) < 13;
    });
    if (covers) continue;
    taken.push_back(box);
    canvas.text_within(leftwards ? box.x + wide : box.x, box.y, wide, text, "hm",
                       leftwards ? Canvas::Anchor::end : Canvas::Anchor::start);
  }
}

}  // namespace

Extent draw(const Pareto& chart, Canvas& canvas) {
  if (chart.points.empty()) {
    canvas.text(width / 2, 40, "no setting has both figures", "hm", Canvas::Anchor::middle);
    return {width, 80};
  }
  std::vector<std::int64_t> xs, ys;
  for (const ParetoPoint& point : chart.points) {
    xs.push_back(point.x);
    ys.push_back(point.y);
  }
  const Axis x = axis_of(xs, chart.x_unit, left, width - right);
  const Axis y = axis_of(ys, chart.y_unit, height - bottom, top);
  draw_axes(chart, x, y, canvas);
  for (const ParetoPoint& point : chart.points) draw_point(chart, point, x, y, canvas);
  draw_labels(chart.points, x, y, canvas);
  canvas.circle(left + 6, height - 12, 5.5, "pf");
  canvas.text(left + 18, height - 8, "on the front: no other is better in both");
  canvas.circle(left + 306, height - 12, 4, "po");
  canvas.text(left + 318, height - 8, "another is");
  canvas.rect(left + 400, height - 20, 16, 16, "pr");
  canvas.text(left + 424, height - 8, "present setting");
  return {width, height};
}

}  // namespace tenure::report
