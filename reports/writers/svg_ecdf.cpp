// The staircase of a distribution, its band, and lines at values that people compare it with.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "svg.hpp"

namespace tenure::report {
namespace {

constexpr double width = 640;
constexpr double left = 46, right = 14, plot_height = 240;
constexpr double row_height = 15;

// Curves differ in their dashes as well as in their colours.
constexpr std::string_view curve_classes[] = {"ln c0", "ln c1 da", "ln c2 db", "ln c3 dc",
                                              "ln c4 da"};

std::string_view curve_class(std::size_t index) {
  return curve_classes[index % std::size(curve_classes)];
}

class Plot {
 public:
  Plot(const Ecdf& chart, Canvas& canvas) : chart_(chart), canvas_(canvas) {
    find_range();
    top_ = 8 + static_cast<double>(place_marks()) * row_height;
  }

  Extent draw() {
    grid();
    for (const EcdfCurve& curve : chart_.curves) {
      if (curve.has_band) band(curve);
    }
    for (std::size_t i = 0; i < chart_.curves.size(); ++i) staircase(chart_.curves[i], i);
    if (chart_.curves.empty())
      canvas_.text(width / 2, y(0.5), "there are no samples", "hm", Canvas::Anchor::middle);
    marks();
    return {width, legend(top_ + plot_height + 46)};
  }

 private:
  struct Label {
    double x = 0;
    std::size_t row = 0;
    bool leftwards = false;
  };

  void find_range() {
    bool any = false;
    const auto take = [&](std::int64_t value) {
      low_ = any ? std::min(low_, value) : value;
      high_ = any ? std::max(high_, value) : value;
      any = true;
    };
    for (const EcdfCurve& curve : chart_.curves) {
      for (const stats::EcdfStep& step : curve.steps) take(step.value);
    }
    for (const ValueMark& mark : chart_.marks) take(mark.at);
    step_ = tick_step(std::max<std::int64_t>(1, high_ - low_), 8);
    low_ = low_ / step_ * step_ - (low_ % step_ < 0 ? step_ : 0);
    high_ = (high_ / step_ + 1) * step_;
  }

  double x(std::int64_t value) const {
    return left + static_cast<double>(value - low_) / static_cast<double>(high_ - low_) *
                      (width - left - right);
  }
  double y(double share) const { return top_ + (1 - std::clamp(share, 0.0, 1.0)) * plot_height; }

  // Each label takes the first row in which it touches no other; returns how many rows there are.
  std::size_t place_marks() {
    std::vector<double> ends;
    for (const ValueMark& mark : chart_.marks) {
      const double at = x(mark.at), wide = text_width(mark.text) + 8;
      const bool leftwards = at + wide > width - 2;
      const double begin = leftwards ? at - wide : at;
      std::size_t row = 0;
      while (row < ends.size() && ends[row] > begin) ++row;
      if (row == ends.size()) ends.push_back(0);
      ends[row] = begin + wide;
      labels_.push_back({at, row, leftwards});
    }
    return ends.size();
  }

  void grid() {
    for (int tenth = 0; tenth <= 10; tenth += 2) {
      canvas_.line(left, y(tenth / 10.0), width - right, y(tenth / 10.0), tenth == 0 ? "ax" : "gr");
      canvas_.text(left - 6, y(tenth / 10.0) + 4, fmt::format("{} %", tenth * 10), {},
                   Canvas::Anchor::end);
    }
    for (std::int64_t at = low_; at <= high_; at += step_) {
      canvas_.line(x(at), top_ + plot_height, x(at), top_ + plot_height + 4, "ax");
      canvas_.text(x(at), top_ + plot_height + 17, axis_text(chart_.unit, at), {},
                   at == high_ ? Canvas::Anchor::end : Canvas::Anchor::middle);
    }
    canvas_.text(width - right, top_ + plot_height + 33, chart_.what, "so", Canvas::Anchor::end);
  }

  // Up one side of the band, down the other.
  void band(const EcdfCurve& curve) {
    if (curve.steps.empty() || curve.n == 0) return;
    const auto n = static_cast<double>(curve.n);
    const auto edge = [&](double shift, std::size_t i) {
      return y(static_cast<double>(curve.steps[i].at_most) / n + shift);
    };
    std::string d = fmt::format("M{} {}", number(x(curve.steps[0].value)), number(y(0)));
    for (std::size_t i = 0; i < curve.steps.size(); ++i)
      d +=
          fmt::format("H{}V{}", number(x(curve.steps[i].value)), number(edge(curve.half_width, i)));
    d += fmt::format("H{}", number(width - right));
    for (std::size_t i = curve.steps.size(); i-- > 0;) {
      d += fmt::format("V{}H{}", number(edge(-curve.half_width, i)),
                       number(x(curve.steps[i].value)));
    }
    canvas_.path(d + fmt::format("V{}Z", number(y(0))), "band");
  }

  void staircase(const EcdfCurve& curve, std::size_t index) {
    if (curve.steps.empty() || curve.n == 0) return;
    std::string d = fmt::format("M{} {}", number(left), number(y(0)));
    for (const stats::EcdfStep& step : curve.steps) {
      d += fmt::format("H{}V{}", number(x(step.value)),
                       number(y(static_cast<double>(step.at_most) / static_cast<double>(curve.n))));
    }
    canvas_.path(d + fmt::format("H{}", number(width - right)), curve_class(index));
  }

  void marks() {
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      const Label& label = labels_[i];
      const double base = 12 + static_cast<double>(label.row) * row_height;
      canvas_.line(label.x, base - 9, label.x, top_ + plot_height, "mk");
      canvas_.text(label.x + (label.leftwards ? -4 : 4), base, chart_.marks[i].text, "hm",
                   label.leftwards ? Canvas::Anchor::end : Canvas::Anchor::start);
    }
  }

  // One line for each curve; returns where it ends.
  double legend(double at) {
    for (std::size_t i = 0; i < chart_.curves.size(); ++i) {
      const EcdfCurve& curve = chart_.curves[i];
      canvas_.line(left, at - 4, left + 26, at - 4, curve_class(i));
      std::string text = fmt::format("{}, n = {}", curve.name, curve.n);
      if (curve.censored != 0)
        text += fmt::format(", {} not over at the end of its run", curve.censored);
      if (curve.has_band) text += "; shaded: 95 % band of the whole curve (DKW)";
      canvas_.text_within(left + 32, at, width - left - right - 32, text);
      at += row_height;
    }
    return at - 4;
  }

  const Ecdf& chart_;
  Canvas& canvas_;
  std::int64_t low_ = 0, high_ = 0, step_ = 1;
  double top_ = 8;
  std::vector<Label> labels_;
};

}  // namespace

Extent draw(const Ecdf& chart, Canvas& canvas) {
  return Plot{chart, canvas}.draw();
}

}  // namespace tenure::report
