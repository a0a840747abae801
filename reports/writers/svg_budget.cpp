// What a failover is made of: each part begins where the one before it ended, and says its sign.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <tenure/base/text.hpp>

#include "svg.hpp"
#include "words.hpp"

namespace tenure::report {
namespace {

constexpr double width = 760, names = 250, right = 90, row = 26;

struct Scale {
  Duration low{}, high{1};

  double at(Duration time) const {
    return names + static_cast<double>((time - low).count()) /
                       static_cast<double>((high - low).count()) * (width - names - right);
  }
};

Scale scale_of(const BudgetChart& chart) {
  Scale scale;
  Duration sum{};
  scale.high = std::max(chart.total, Duration{1});
  for (const BudgetChart::Part& part : chart.parts) {
    sum += part.time;
    scale.low = std::min(scale.low, sum);
    scale.high = std::max(scale.high, sum);
  }
  return scale;
}

std::string signed_length(Duration time) {
  return time < Duration{} ? "-" + length(-time) : "+" + length(time);
}

}  // namespace

Extent draw(const BudgetChart& chart, Canvas& canvas) {
  const Scale scale = scale_of(chart);
  double y = 8;
  Duration sum{};
  for (const BudgetChart::Part& part : chart.parts) {
    const double begin = scale.at(std::min(sum, sum + part.time));
    const double end = scale.at(std::max(sum, sum + part.time));
    canvas.text_within(names - 10, y + 14, names - 14, part.name, {}, Canvas::Anchor::end);
    if (part.time < Duration{}) {
      canvas.patterned(begin, y, std::max(1.0, end - begin), row - 8, "back", "b bn");
    } else {
      canvas.rect(begin, y, std::max(1.0, end - begin), row - 8, "b bp");
    }
    canvas.text(end + 6, y + 14, signed_length(part.time), "hm");
    sum += part.time;
    canvas.line(scale.at(sum), y + row - 8, scale.at(sum), y + row, "ax");
    y += row;
  }
  canvas.text(names - 10, y + 14, "failover", {}, Canvas::Anchor::end);
  canvas.rect(scale.at({}), y, std::max(1.0, scale.at(chart.total) - scale.at({})), row - 8,
              "b bt");
  canvas.text(scale.at(chart.total) + 6, y + 14, length(chart.total), "hm");
  canvas.line(scale.at({}), 4, scale.at({}), y + row - 4, "ax");
  return {width, y + row};
}

}  // namespace tenure::report
