// Who leads: lanes of bars over simulated time. What the Lease says, what a process believes and
// what it does have bars of their own height, colour and pattern; none of them stands for another.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/text.hpp>

#include "svg.hpp"

namespace tenure::report {
namespace {

constexpr double width = 980;
constexpr double right = 14;
constexpr double axis_height = 26;

struct Look {
  std::string_view classes;  // of the bar; empty: none is drawn
  std::string_view pattern;
  std::string_view text;  // within it, where it fits
  std::string_view meaning;
};

Look look_of(Shade shade) {
  switch (shade) {
    case Shade::nothing:
    case Shade::absent:
      return {};
    case Shade::held:
      return {"b lh", "", "", "Lease is held"};
    case Shade::expired:
      return {"b le", "hatch", "expired", "Lease is older than its duration"};
    case Shade::unowned:
      return {"b lu", "", "released", "Lease has no holder"};
    case Shade::follows:
      return {"fo", "", "", "follows"};
    case Shade::works:
      return {"b wo", "", "leads", "leads and runs"};
    case Shade::works_cut_off:
      return {"b wo cu", "back", "leads, cut off", "leads and runs, cut off from the API"};
    case Shade::frozen:
      return {"b fr", "dots", "frozen", "frozen"};
    case Shade::leads_frozen:
      return {"b fr", "dots", "leads, frozen", "leads, frozen"};
    case Shade::cut_off:
      return {"fo cu", "", "", "follows, cut off from the API"};
    case Shade::believes:
      return {"b be", "dots", "", "believes to lead"};
    case Shade::no_leader:
      return {"b n0", "", "", "nobody leads"};
    case Shade::one_leader:
      return {"b n1", "", "", "one leads"};
    case Shade::two_believe:
      return {"b n2", "back", "", "several believe to lead, not all of them run"};
    case Shade::two_run:
      return {"b n3", "cross", "", "several lead and run"};
    case Shade::fault:
      return {"b fa", "back", "", "fault lasts"};
  }
  return {};
}

double height_of(Layer layer) {
  return layer == Layer::belief ? 9 : 17;
}

// The bars of one candidate stand close together.
double gap_behind(Layer layer) {
  return layer == Layer::work ? 2 : 9;
}

class Drawing {
 public:
  Drawing(const Timeline& timeline, Canvas& canvas) : timeline_(timeline), canvas_(canvas) {
    for (const Lane& lane : timeline.lanes) order_.push_back(&lane);
    // What a process does stands above what it believes.
    for (std::size_t i = 0; i + 1 < order_.size(); ++i) {
      if (order_[i]->layer == Layer::belief && order_[i + 1]->layer == Layer::work) {
        std::swap(order_[i], order_[i + 1]);
        ++i;
      }
    }
  }

  Extent draw() {
    double y = axis_height;
    for (const Lane* lane : order_) y += height_of(lane->layer) + gap_behind(lane->layer);
    axis(y - 4);
    y = axis_height;
    for (const Lane* lane : order_) {
      this->lane(*lane, y);
      y += height_of(lane->layer) + gap_behind(lane->layer);
    }
    return {width, legend(y + 12)};
  }

 private:
  double x(TrueTime at) const {
    const TrueTime shown = std::clamp(at, timeline_.from, timeline_.to);
    return label_width + static_cast<double>((shown - timeline_.from).count()) /
                             static_cast<double>((timeline_.to - timeline_.from).count()) *
                             (width - label_width - right);
  }

  void axis(double bottom) {
    const std::int64_t step = tick_step((timeline_.to - timeline_.from).count(), 10);
    std::int64_t at = (timeline_.from.time_since_epoch().count() + step - 1) / step * step;
    for (; at <= timeline_.to.time_since_epoch().count(); at += step) {
      const double here = x(TrueTime{Duration{at}});
      canvas_.line(here, axis_height - 8, here, bottom, "gr");
      canvas_.text(here, axis_height - 12, seconds_text(Duration{at}), {},
                   here > width - 40 ? Canvas::Anchor::end : Canvas::Anchor::middle);
    }
  }

  void lane(const Lane& lane, double y) {
    const double height = height_of(lane.layer);
    canvas_.text_within(label_width - 8, y + height - (height > 12 ? 4.5 : 1), label_width - 10,
                        lane.label, lane.layer == Layer::belief ? "so" : "", Canvas::Anchor::end);
    for (const Span& span : lane.spans) {
      if (span.to <= timeline_.from || span.from >= timeline_.to) continue;
      bar(lane.layer, span, y, height);
    }
  }

  void bar(Layer layer, const Span& span, double y, double height) {
    const Look look = look_of(span.shade);
    if (look.classes.empty()) return;
    if (std::find(used_.begin(), used_.end(), span.shade) == used_.end())
      used_.push_back(span.shade);
    const double begin = x(span.from);
    // What is shorter than a pixel is still seen.
    const double wide = std::max(span.shade == Shade::fault ? 3.0 : 1.0, x(span.to) - begin);
    const std::string hint =
        fmt::format("{}{}{}: {} .. {}, {}", look.meaning, span.text.empty() ? "" : " ", span.text,
                    seconds_text(span.from.time_since_epoch()),
                    seconds_text(span.to.time_since_epoch()), seconds_text(span.to - span.from));
    if (look.classes.starts_with("fo")) {
      canvas_.line(begin, y + height / 2, begin + wide, y + height / 2, look.classes);
      return;
    }
    const std::string classes = fmt::format("{}{}", look.classes, holder_class(span));
    if (look.pattern.empty()) {
      canvas_.rect(begin, y, wide, height, classes, hint);
    } else {
      canvas_.patterned(begin, y, wide, height, look.pattern, classes, hint);
    }
    const std::string_view text =
        span.text.empty() || span.shade == Shade::expired ? look.text : std::string_view{span.text};
    if (layer == Layer::belief || text.empty()) return;
    // The name of a fault that strikes at once stands behind it.
    if (span.shade == Shade::fault && text_width(text) + 4 > wide)
      return canvas_.text(begin + wide + 4, y + height - 4.5, text, "hm");
    const std::string shown = wide > 60 ? fitting(text, wide - 8) : std::string{text};
    if (text_width(shown) + 4 > wide) return;
    canvas_.text(begin + wide / 2, y + height - 4.5, shown, "ha", Canvas::Anchor::middle);
  }

  // Holders are told apart by their names, and by colours in the order in which they are seen.
  std::string holder_class(const Span& span) {
    if (span.shade != Shade::held) return {};
    const auto known = std::find(holders_.begin(), holders_.end(), span.text);
    const auto index = static_cast<std::size_t>(known - holders_.begin());
    if (known == holders_.end()) holders_.push_back(span.text);
    return fmt::format(" h{}", index % 5);
  }

  double legend(double y) {
    double at = label_width;
    for (const Shade shade : used_) {
      const Look look = look_of(shade);
      const double wide = 30 + text_width(look.meaning) + 14;
      if (at + wide > width && at > label_width) {
        at = label_width;
        y += 17;
      }
      const std::string classes =
          fmt::format("{}{}", look.classes, shade == Shade::held ? " h0" : "");
      if (look.classes.starts_with("fo")) {
        canvas_.line(at, y - 4, at + 24, y - 4, classes);
      } else if (look.pattern.empty()) {
        canvas_.rect(at, y - 10, 24, 12, classes);
      } else {
        canvas_.patterned(at, y - 10, 24, 12, look.pattern, classes);
      }
      canvas_.text(at + 30, y, look.meaning);
      at += wide;
    }
    return y + 8;
  }

  const Timeline& timeline_;
  Canvas& canvas_;
  std::vector<const Lane*> order_;
  std::vector<Shade> used_;
  std::vector<std::string> holders_;
};

}  // namespace

Extent draw(const Timeline& chart, Canvas& canvas) {
  return Drawing{chart, canvas}.draw();
}

}  // namespace tenure::report
