#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tenure/base/text.hpp>
#include <tenure/report/writer.hpp>
#include <tenure/run/stopping.hpp>

#include "alerts.hpp"
#include "findings.hpp"
#include "wording.hpp"

namespace tenure::report {
namespace {

using check::MetricId;

class Text {
 public:
  Text(const run::RunResult& result, Colour colour) : result_(result), colour_(colour) {}

  std::string summary(std::string_view cost, std::string_view counterexample) {
    headline();
    properties();
    thresholds();
    alerts();
    failover();
    overlaps();
    load();
    out_ += counterexample;
    replay_lines();
    verdict(cost);
    return std::move(out_);
  }

 private:
  const stats::Summary& metric(MetricId id) const {
    return result_.summaries[static_cast<std::size_t>(id)];
  }

  void headline() {
    const scenario::Scenario& s = result_.scenario;
    out_ += fmt::format("{}: {} runs x {}, seed {}{}\n", s.name, result_.runs,
                        duration_text(s.duration), s.seed, candidates_text(s));
    if (s.stopping) looks();
    if (result_.interrupted || result_.partial) {
      out_ += fmt::format("  PARTIAL: {} of {} runs were made; the statistics are of these{}\n",
                          result_.runs, s.runs,
                          result_.partial ? "\n           " + why_partial(result_) : "");
    }
  }

  // "looked after 1000, 2000 of at most 4000 runs; enough was known, and the runs ended there".
  void looks() {
    std::vector<std::uint64_t> at;
    for (const run::Look& look : result_.looks) at.push_back(look.runs);
    const bool enough = !result_.looks.empty() && result_.looks.back().enough();
    const auto& precision = result_.scenario.stopping->precision;
    const std::string known =
        precision ? fmt::format("the interval of {} {} {} {}",
                                check::to_text(precision->figure.metric), precision->figure.text,
                                enough ? "is not wider than" : "is wider than", precision->width)
                  : std::string{enough ? "every threshold is decided" : "not all is decided"};
    out_ += fmt::format("  looked after {} of at most {} runs: {}; intervals at {}\n",
                        at.empty() ? "none" : fmt::format("{}", fmt::join(at, ", ")),
                        result_.scenario.runs, known, level());
  }

  // Of the intervals of thresholds.
  std::string level() const {
    return stats::level_text(run::alpha_after(result_.scenario, result_.runs));
  }

  void properties() {
    if (result_.properties.empty()) return;
    out_ += "\n  PROPERTIES\n";
    for (const run::PropertyResult& property : result_.properties) {
      out_ += fmt::format("    {} {:18} {}\n", mark(property.finding, colour_), property.name,
                          what_was_seen(result_, property));
      if (!property.story.empty()) {
        out_ +=
            fmt::format("          run {}: {}\n", *property.tally.first_violating, property.story);
      }
    }
  }

  void thresholds() {
    if (result_.thresholds.empty()) return;
    out_ += fmt::format("\n  {:44} {:>10}     {} interval\n", "THRESHOLDS", "estimate", level());
    for (const run::ThresholdResult& threshold : result_.thresholds) {
      const std::string what = fmt::format("{} {}", threshold.metric, threshold.text);
      const std::string interval = interval_text(result_, threshold);
      out_ +=
          fmt::format("    {} {:38} {:>10}{}{}\n", mark(threshold.finding, colour_), what,
                      estimate_text(result_, threshold), interval.empty() ? "" : "     ", interval);
      if (!threshold.judgement.note.empty())
        out_ += fmt::format("          {}\n", threshold.judgement.note);
      if (threshold.judgement.settling) {
        out_ += fmt::format("          about {} runs would settle it (--runs)\n",
                            *threshold.judgement.settling);
      }
    }
  }

  void alerts() {
    if (result_.alerts.empty()) return;
    out_ += "\n  ALERTS\n";
    for (const run::AlertResult& alert : result_.alerts) {
      out_ += fmt::format("    {} {} {}\n          {}\n", mark(alert.finding, colour_), alert.name,
                          alert.text, seen_text(result_, alert));
      if (!alert.story.empty())
        out_ += fmt::format("          run {}: {}\n", *alert.tally.first_violating, alert.story);
    }
  }

  void failover() {
    const stats::Summary& f = metric(MetricId::failover);
    if (f.n == 0) {
      if (!result_.scenario.faults.empty())
        out_ += "\n  FAILOVER   no fault cost a leader its leadership\n";
      return;
    }
    out_ += fmt::format(
        "\n  FAILOVER   n={}   min {}   mean {}   p50 {}   p90 {}   p95 {}   p99 {}   max {}\n",
        f.n, shown(f.unit, f.min), f.mean ? shown(f.unit, *f.mean) : "-", shown(f.unit, f.p50),
        shown(f.unit, f.p90), shown(f.unit, f.p95), shown(f.unit, f.p99),
        f.max ? shown(f.unit, f.max) : "longer than the run");
    if (f.censored != 0) {
      out_ += fmt::format("     {} of them: nobody led again before the run ended\n", f.censored);
    }
    cumulative();
  }

  // The share of failovers that were over by then, a line for each of about twelve steps.
  void cumulative() {
    const stats::Samples& samples = result_.metrics[static_cast<std::size_t>(MetricId::failover)];
    const stats::Ordered ordered{samples};
    const stats::Summary& f = metric(MetricId::failover);
    if (!f.min || ordered.uncensored() == 0) return;
    const std::int64_t low = f.min->value;
    const std::int64_t high = *ordered.at(ordered.uncensored());
    const std::int64_t step = step_for(high - low);
    const std::int64_t first = (low + step - 1) / step * step;
    for (std::int64_t at = first; at < high + step; at += step) {
      const double share =
          static_cast<double>(ordered.at_most(at)) / static_cast<double>(ordered.size());
      const auto marks = static_cast<std::size_t>(share * 40);
      out_ += fmt::format("  {:>11} |{:40}| {:5.1f} %\n",
                          fmt::format("<= {}", seconds_text(Duration{at})), std::string(marks, '#'),
                          share * 100);
    }
    const double alpha = result_.looks.empty() ? stats::usual_alpha : result_.looks.back().alpha;
    out_ +=
        fmt::format("       band: each share +/- {:.1f} points, with {} for all together\n",
                    *band_half_width(result_, MetricId::failover) * 100, stats::level_text(alpha));
  }

  static std::int64_t step_for(std::int64_t range) {
    for (std::int64_t decade = 1'000'000;; decade *= 10) {
      for (const std::int64_t step : {decade, decade * 2, decade * 5}) {
        if (range / step <= 12) return step;
      }
    }
  }

  void overlaps() {
    if (result_.overlapping_runs == 0) return;
    const stats::Summary& believed = metric(MetricId::overlap);
    const stats::Summary& running = metric(MetricId::overlap_running);
    out_ += fmt::format(
        "\n  OVERLAP    two believers in {} of {} runs, for at most {}; both running at most {}\n",
        result_.overlapping_runs, result_.runs, shown(believed.unit, believed.max),
        shown(running.unit, running.max));
  }

  void load() {
    const stats::Summary& rate = metric(MetricId::api_requests_per_second);
    if (!rate.mean) return;
    out_ += fmt::format("\n  API LOAD   {:.2f} requests/s before the first fault\n",
                        static_cast<double>(*rate.mean) / 1e9);
  }

  void replay_lines() {
    const auto line = [&](std::string_view what, std::uint64_t run) {
      out_ += fmt::format("  {}: {} --seed {} --run {} --timeline\n", what, result_.replay,
                          result_.scenario.seed, run);
    };
    for (const run::PropertyResult& property : result_.properties) {
      if (property.tally.first_violating) {
        line(fmt::format("first violation of {}", property.name), *property.tally.first_violating);
      }
    }
    for (const run::AlertResult& alert : result_.alerts) {
      if (alert.tally.first_violating)
        line(fmt::format("first run against {}", alert.name), *alert.tally.first_violating);
    }
    const stats::Summary& f = metric(MetricId::failover);
    const stats::Samples& samples = result_.metrics[static_cast<std::size_t>(MetricId::failover)];
    if (f.max) line("slowest failover", samples.run_of(f.max->index));
    if (!samples.censored_at().empty()) {
      line("first failover that did not end", samples.run_of(samples.censored_at().front()));
    }
  }

  void verdict(std::string_view cost) {
    out_ += "\n" + verdict_line(result_.verdict, result_.scenario.name, cost, colour_);
  }

  const run::RunResult& result_;
  Colour colour_;
  std::string out_;
};

}  // namespace

std::string summary(const run::RunResult& result,
                    Colour colour,
                    std::string_view cost,
                    std::string_view counterexample) {
  return Text{result, colour}.summary(cost, counterexample);
}

}  // namespace tenure::report
