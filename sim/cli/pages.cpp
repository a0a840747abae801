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

}  // namespace tenure::cli
