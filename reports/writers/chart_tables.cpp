// The numbers of a chart, for who cannot see it and for who wants them: made of the same data, so
// that the two cannot differ.
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/report/page.hpp>

#include "svg.hpp"
#include "wording.hpp"

namespace tenure::report {
namespace {

std::string share_text(double share) {
  return fmt::format("{:.2f} %", std::clamp(share, 0.0, 1.0) * 100);
}

std::string_view meaning(Shade shade) {
  switch (shade) {
    case Shade::nothing:
      return "nothing";
    case Shade::held:
      return "held by";
    case Shade::expired:
      return "expired, still naming";
    case Shade::unowned:
      return "released";
    case Shade::follows:
      return "follows";
    case Shade::works:
      return "leads, runs";
    case Shade::works_cut_off:
      return "leads, runs, cut off from the API";
    case Shade::frozen:
      return "frozen";
    case Shade::leads_frozen:
      return "leads, frozen";
    case Shade::absent:
      return "no process";
    case Shade::cut_off:
      return "follows, cut off from the API";
    case Shade::believes:
      return "believes to lead";
    case Shade::no_leader:
      return "leaders:";
    case Shade::one_leader:
      return "leaders:";
    case Shade::two_believe:
      return "believers, not all of them run:";
    case Shade::two_run:
      return "leaders that run:";
    case Shade::fault:
      return "fault";
  }
  return "";
}

Table rows_of(const Ecdf& chart) {
  Table table;
  table.columns = {{"curve"},
                   {fmt::format("{}, at most", chart.what), true},
                   {"share", true},
                   {"95 % band", true}};
  for (const EcdfCurve& curve : chart.curves) {
    for (const stats::EcdfStep& step : curve.steps) {
      const double share = static_cast<double>(step.at_most) / static_cast<double>(curve.n);
      table.rows.push_back(
          {{curve.name, {}},
           {axis_text(chart.unit, step.value), {}},
           {share_text(share), {}},
           {curve.has_band ? fmt::format("{} .. {}", share_text(share - curve.half_width),
                                         share_text(share + curve.half_width))
                           : "-",
            {}}});
    }
  }
  for (const ValueMark& mark : chart.marks)
    table.rows.push_back(
        {{mark.text, {}}, {axis_text(chart.unit, mark.at), {}}, {"-", {}}, {"-", {}}});
  return table;
}

Table rows_of(const Timeline& chart) {
  Table table;
  table.columns = {{"lane"}, {"from", true}, {"to", true}, {"what"}};
  for (const Lane& lane : chart.lanes) {
    for (const Span& span : lane.spans) {
      const bool is_shown = span.to > chart.from && span.from < chart.to;
      if (!is_shown || span.shade == Shade::nothing) continue;
      table.rows.push_back({{lane.label, {}},
                            {seconds_text(span.from.time_since_epoch()), {}},
                            {seconds_text(span.to.time_since_epoch()), {}},
                            {fmt::format("{} {}", meaning(span.shade), span.text), {}}});
    }
  }
  return table;
}

Table rows_of(const Heatmap& chart) {
  Table table;
  table.columns = {{chart.row_name}, {chart.column_name}, {chart.what, true}, {"note"}};
  for (std::size_t i = 0; i < chart.cells.size(); ++i) {
    const HeatCell& cell = chart.cells[i];
    if (!cell.value && cell.note.empty()) continue;
    std::string note = chart.present == i ? "the present setting" : "";
    if (!cell.note.empty()) note += (note.empty() ? "" : "; ") + cell.note;
    table.rows.push_back({{chart.rows[i / chart.columns.size()], {}},
                          {chart.columns[i % chart.columns.size()], {}},
                          {cell.value ? shown(chart.unit, *cell.value) : "-", {}},
                          {note, {}}});
  }
  return table;
}

Table rows_of(const Pareto& chart) {
  Table table;
  table.columns = {{"setting"}, {chart.x_name, true}, {chart.y_name, true}, {"on the front"}};
  for (const ParetoPoint& point : chart.points) {
    table.rows.push_back({{point.label + (point.is_present ? " (present)" : ""), {}},
                          {shown(chart.x_unit, point.x), {}},
                          {shown(chart.y_unit, point.y), {}},
                          {point.on_front ? "yes" : "no", {}}});
  }
  return table;
}

Table rows_of(const BudgetChart& chart) {
  Table table;
  table.columns = {{"part"}, {"time", true}};
  for (const BudgetChart::Part& part : chart.parts)
    table.rows.push_back({{part.name, {}}, {seconds_text(part.time), {}}});
  table.rows.push_back({{"failover", {}}, {seconds_text(chart.total), {}}});
  return table;
}

}  // namespace

Table table_of(const Chart& chart) {
  Table table = std::visit([](const auto& what) { return rows_of(what); }, chart.what);
  table.caption = fmt::format("the numbers of: {}", chart.title);
  return table;
}

}  // namespace tenure::report
