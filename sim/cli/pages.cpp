#include "pages.hpp"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tenure/report/page.hpp>

#include "first_failure.hpp"

namespace tenure::cli {

void add_chart_flag(CLI::App& verb,
                    Session& session,
                    std::initializer_list<std::string_view> charts) {
  verb.add_option("--chart", session.flags.chart,
                  fmt::format("{}: which chart -w svg writes ({})", fmt::join(charts, ", "),
                              *charts.begin()))
      ->check(one_of(charts))
      ->type_name("CHART");
}

void write_page(const run::RunResult& result, const report::TextSink& sink) {
  report::write_html(report::page_of(result, report::runs_to_show(result), first_failure(result)),
                     sink);
}

void write_chart(const run::RunResult& result,
                 std::string_view chart,
                 const report::TextSink& sink) {
  if (chart != "timeline") return report::write_svg(report::failover_ecdf(result), sink);
  for (const report::ShownRun& run : report::runs_to_show(result, 1))
    report::write_svg(report::timeline_chart(run), sink);
}

void write_page(const run::SweepResult& result, const report::TextSink& sink) {
  report::write_html(report::page_of(result), sink);
}

bool write_chart(const run::SweepResult& result,
                 std::string_view chart,
                 const report::TextSink& sink) {
  const bool is_front = chart == "pareto";
  const auto found = is_front ? report::sweep_pareto(result) : report::sweep_heatmap(result);
  if (found) {
    report::write_svg(*found, sink);
    return true;
  }
  usage_error("E0004",
              is_front ? "--chart pareto: the sweep minimizes fewer than two figures"
                       : "--chart heatmap: the points are no grid of two parameters",
              {is_front ? "--chart heatmap has one" : "--chart pareto has any points"});
  return false;
}

}  // namespace tenure::cli
