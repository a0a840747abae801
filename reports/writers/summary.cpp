#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/report/writer.hpp>

#include "findings.hpp"

namespace tenure::report {
namespace {

using check::MetricId;
using run::Finding;

// Two decimals are what a person compares failover times by.
std::string seconds(std::int64_t nanoseconds) {
  return fmt::format("{:.2f}s", static_cast<double>(nanoseconds) / 1e9);
}

std::string shown(stats::Unit unit, std::int64_t value) {
  return unit == stats::Unit::nanosecond ? seconds(value) : run::value_text(unit, value);
}

template <class Figure>
std::string shown(stats::Unit unit, const Figure& figure) {
  return figure ? shown(unit, figure->value) : "-";
}

std::string percent(double share) {
  return fmt::format("{:.3g} %", share * 100);
}

class Text {
 public:
  Text(const run::RunResult& result, Colour colour) : result_(result), colour_(colour) {}

  std::string summary(std::string_view cost, std::string_view counterexample) {
    headline();
    properties();
    thresholds();
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
    if (result_.runs < s.runs) {
      out_ += fmt::format("  PARTIAL: {} of {} runs were made; the statistics are of these\n",
                          result_.runs, s.runs);
    }
  }

  void properties() {
    if (result_.properties.empty()) return;
    out_ += "\n  PROPERTIES\n";
    for (const run::PropertyResult& property : result_.properties) {
      out_ += fmt::format("    {} {:18} {}\n", mark(property.finding, colour_), property.name,
                          what_was_seen(property));
      if (!property.story.empty()) {
        out_ +=
            fmt::format("          run {}: {}\n", *property.tally.first_violating, property.story);
      }
    }
  }

  std::string what_was_seen(const run::PropertyResult& property) const {
    const std::uint64_t violated = property.tally.violated_runs;
    switch (property.finding) {
      case Finding::ok:
        return fmt::format("{}/{} runs      violations per run < {}  (95 %){}", result_.runs,
                           result_.runs, percent(property.share.upper), exercised(property));
      case Finding::fail:
        return fmt::format(
            "violated in {} of {} runs: {} ({} .. {})", violated, result_.runs,
            percent(static_cast<double>(violated) / static_cast<double>(result_.runs)),
            percent(property.share.lower), percent(property.share.upper));
      case Finding::xfail:
        return fmt::format(
            "violated in {} of runs ({} .. {}), as expected",
            percent(static_cast<double>(violated) / static_cast<double>(result_.runs)),
            percent(property.share.lower), percent(property.share.upper));
      case Finding::xpass:
        return "a violation was expected, and there was none";
      case Finding::not_exercised:
        return property.counts ? "not exercised: what it speaks of happened in no run"
                               : "not exercised, which was allowed";
      case Finding::inconclusive:
        return "inconclusive";
    }
    return "";
  }

  // In how many runs it could have been violated at all, where that is not all of them.
  std::string exercised(const run::PropertyResult& property) const {
    if (property.tally.exercised_runs == result_.runs) return "";
    return fmt::format("  exercised in {}", property.tally.exercised_runs);
  }

  void thresholds() {
    if (result_.thresholds.empty()) return;
    out_ += fmt::format("\n  {:44} {:>10}     95 % interval\n", "THRESHOLDS", "estimate");
    for (const run::ThresholdResult& threshold : result_.thresholds) {
      const std::string what = fmt::format("{} {}", threshold.metric, threshold.text);
      out_ += fmt::format("    {} {:38} {:>10}{}\n", mark(threshold.finding, colour_), what,
                          estimate(threshold), interval(threshold));
      if (!threshold.judgement.note.empty())
        out_ += fmt::format("          {}\n", threshold.judgement.note);
      if (threshold.judgement.settling) {
        out_ += fmt::format("          about {} runs would settle it (--runs)\n",
                            *threshold.judgement.settling);
      }
    }
  }

  // What a threshold compares, in words: a count of samples has no unit, a rate is a share.
  std::string compared(const run::ThresholdResult& threshold, std::int64_t value) const {
    const stats::Unit unit = result_.metrics[static_cast<std::size_t>(threshold.id)].unit();
    switch (threshold.threshold.aggregation) {
      case stats::Aggregation::count:
        return fmt::format("{}", value);
      case stats::Aggregation::rate:
        return percent(static_cast<double>(value) / 1e9);
      case stats::Aggregation::mean:
        return unit == stats::Unit::one ? fmt::format("{:.4g}", static_cast<double>(value) / 1e9)
                                        : shown(unit, value);
      default:
        return shown(unit, value);
    }
  }

  std::string estimate(const run::ThresholdResult& threshold) const {
    const auto& value = threshold.judgement.estimate;
    return value ? compared(threshold, *value) : "-";
  }

  std::string interval(const run::ThresholdResult& threshold) const {
    const auto& interval = threshold.judgement.interval;
    if (!interval) return "";
    const auto end = [&](const stats::End& e) {
      switch (e.kind) {
        case stats::End::Kind::value:
          return compared(threshold, e.value);
        case stats::End::Kind::open:
          return std::string{"?"};
        case stats::End::Kind::beyond:
          return std::string{"longer than the run"};
      }
      return std::string{};
    };
    return fmt::format("     {} .. {}", end(interval->lower), end(interval->upper));
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
        f.n, shown(f.unit, f.min), f.mean ? seconds(*f.mean) : "-", shown(f.unit, f.p50),
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
    const stats::Summary& f = metric(MetricId::failover);
    const stats::Samples& samples = result_.metrics[static_cast<std::size_t>(MetricId::failover)];
    if (f.max) line("slowest failover", samples.run_of(f.max->index));
    if (!samples.censored_at().empty()) {
      line("first failover that did not end", samples.run_of(samples.censored_at().front()));
    }
  }

  void verdict(std::string_view cost) {
    const bool passed = result_.verdict == run::Verdict::pass;
    const bool failed = result_.verdict == run::Verdict::fail;
    const std::string word = passed   ? painted("PASS", "1;32", colour_)
                             : failed ? painted("FAIL", "1;31", colour_)
                                      : painted("INCONCLUSIVE", "1;33", colour_);
    out_ += fmt::format("\n{}  {}", word, result_.scenario.name);
    if (!cost.empty()) out_ += fmt::format("  ({})", cost);
    out_ += "\n";
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
