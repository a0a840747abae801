// Runs that are made again to be looked at. A campaign keeps no histories; a run that is made again
// is the same run.
#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/report/page.hpp>
#include <tenure/report/story.hpp>
#include <tenure/run/run.hpp>

#include "pages.hpp"

namespace tenure::report {
namespace {

using check::MetricId;

struct Wanted {
  std::uint64_t number = 0;
  std::string why;
};

void want(std::vector<Wanted>& all, std::uint64_t number, std::string why) {
  for (Wanted& one : all) {
    if (one.number != number) continue;
    one.why += ", " + why;
    return;
  }
  all.push_back({number, std::move(why)});
}

std::vector<Wanted> wanted_runs(const run::RunResult& result) {
  std::vector<Wanted> all;
  const auto& samples = result.metrics[static_cast<std::size_t>(MetricId::failover)];
  for (const run::PropertyResult& property : result.properties) {
    if (property.tally.first_violating)
      want(all, *property.tally.first_violating,
           fmt::format("the first that violates {}", property.name));
  }
  if (!samples.censored_at().empty())
    want(all, samples.run_of(samples.censored_at().front()), "the first failover that did not end");
  const auto& values = samples.values();
  std::optional<std::size_t> slowest;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!samples.is_censored(i) && (!slowest || values[i] > values[*slowest])) slowest = i;
  }
  if (slowest)
    want(all, samples.run_of(*slowest),
         fmt::format("the slowest failover, {}", seconds_text(Duration{values[*slowest]})));
  // A run without faults and violations is worth one look all the same.
  if (all.empty() && result.runs != 0) want(all, 0, "the first of all");
  return all;
}

// From some seconds before the first thing of interest to some behind the last one.
std::pair<TrueTime, TrueTime> window_of(const run::Experiment& experiment,
                                        const std::vector<record::Record>& history,
                                        const std::optional<check::Violation>& violation) {
  constexpr Duration around = std::chrono::seconds{15};
  const TrueTime end{experiment.setup->duration};
  std::optional<TrueTime> first, last;
  const auto take = [&](TrueTime at) {
    first = std::min(first.value_or(at), at);
    last = std::max(last.value_or(at), at);
  };
  if (violation) take(violation->at);
  bool after_fault = false;
  for (const record::Record& record : history) {
    if (std::holds_alternative<record::FaultBegan>(record.fact)) {
      if (!after_fault) take(record.at);
      after_fault = true;
    }
    const auto* began = std::get_if<record::LeadershipBegan>(&record.fact);
    const auto* ended = std::get_if<record::LeadershipEnded>(&record.fact);
    if (after_fault && ((began != nullptr && began->level == record::Level::context) ||
                        (ended != nullptr && ended->level == record::Level::context))) {
      take(record.at);
    }
  }
  // Who leads for hours, time and again, is shown from the first of it.
  constexpr Duration longest = std::chrono::minutes{3};
  const TrueTime from =
      first.value_or(TrueTime{}) - std::min(around, first.value_or(TrueTime{}).time_since_epoch());
  const TrueTime to =
      std::min(later(last.value_or(later(from, longest)), around), later(from, longest));
  return {std::chrono::floor<std::chrono::seconds>(from),
          std::min(end, std::max(to, later(from, around)))};
}

// Two leaders, if there were; else the first violation of all.
std::optional<check::Violation> worst(const check::Findings& findings,
                                      const run::RunResult& result) {
  check::PropertySet judged;
  for (const scenario::Property& property : result.scenario.properties) {
    for (const check::PropertyId id : property.ids) judged.add(id);
  }
  if (const auto& overlap = findings.first(check::PropertyId::B1)) return overlap;
  return findings.first_of(judged);
}

}  // namespace

std::string description_of(const Timeline& timeline) {
  std::string text = fmt::format(
      "Lanes over simulated time from {} to {}:", seconds_text(timeline.from.time_since_epoch()),
      seconds_text(timeline.to.time_since_epoch()));
  for (const Lane& lane : timeline.lanes) {
    if (lane.layer != Layer::lease && lane.layer != Layer::leaders) continue;
    text += fmt::format(" {}", lane.label);
    std::size_t told = 0;
    for (const Span& span : lane.spans) {
      if (span.to <= timeline.from || span.from >= timeline.to || told++ == 12) continue;
      text += fmt::format("{} {} until {}", told == 1 ? "" : ",",
                          span.shade == Shade::expired   ? "expired"
                          : span.shade == Shade::unowned ? "released"
                          : span.text.empty()            ? "absent"
                                                         : span.text,
                          seconds_text(span.to.time_since_epoch()));
    }
    text += ".";
  }
  return text;
}

Chart timeline_chart(const ShownRun& run) {
  return {fmt::format("Run {}: {}", run.number, run.why), description_of(run.timeline),
          run.timeline};
}

std::vector<ShownRun> runs_to_show(const run::RunResult& result, std::size_t most) {
  std::vector<Wanted> wanted = wanted_runs(result);
  if (wanted.size() > most) wanted.resize(most);
  const run::Experiment experiment = run::experiment_of(result.scenario);
  run::Runner runner{experiment};
  std::vector<ShownRun> runs;
  for (Wanted& one : wanted) {
    record::KeepHistory history;
    const check::Checks& checks = runner.run(one.number, &history);
    const auto violation = worst(checks.findings(), result);
    const auto [from, to] = window_of(experiment, history.history(), violation);
    ShownRun run{one.number,
                 std::move(one.why),
                 timeline_of(*experiment.setup, history.history(), from, to),
                 {}};
    if (violation) {
      run.story = story({.setup = *experiment.setup,
                         .history = history.history(),
                         .violation = *violation,
                         .level = experiment.properties.belief_level,
                         .clocks = clocks_of(runner.world()),
                         .nearest = {},
                         .replay = {}},
                        0, Characters::unicode);
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace tenure::report
