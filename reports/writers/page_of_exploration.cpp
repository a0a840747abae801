// The report of an exploration: the verdicts, what they are worth, and the run that shows a
// violation.
#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tenure/base/text.hpp>
#include <tenure/report/explore.hpp>
#include <tenure/report/page.hpp>
#include <tenure/report/story.hpp>
#include <tenure/run/run.hpp>

#include "pages.hpp"

namespace tenure::report {
namespace {

void add_counterexample(const explore::Counterexample& example, Page& page) {
  const run::Experiment experiment = run::experiment_of(example.script);
  run::Runner runner{experiment};
  record::KeepHistory history;
  runner.run(0, &history);
  page.blocks.push_back(Heading{"Counterexample", "counterexample"});
  page.blocks.push_back(Paragraph{"The earliest, and of those one with the fewest steps."});
  const Timeline timeline = timeline_of(*experiment.setup, history.history(), TrueTime{},
                                        TrueTime{experiment.setup->duration});
  page.blocks.push_back(
      Figure{{"Who leads in the counterexample", description_of(timeline), timeline}, {}, {}});
  page.blocks.push_back(Code{story({.setup = *experiment.setup,
                                    .history = history.history(),
                                    .violation = example.violation,
                                    .level = experiment.properties.belief_level,
                                    .clocks = clocks_of(runner.world()),
                                    .nearest = {},
                                    .replay = {}},
                                   0, Characters::unicode),
                             {}});
  page.blocks.push_back(Code{scenario::scenario_json(example.script).dump(1),
                             "the counterexample as a scenario, for tenure replay"});
}

}  // namespace

Page page_of(const explore::ExploreResult& result) {
  const Suite suite = suite_of(result, "", "");
  Page page;
  page.title = result.scenario.name;
  page.verdict = suite.verdict;
  page.word = verdict_word(suite.verdict);
  page.facts = {suite.title, suite.work};
  page.description = result.scenario.description;
  page.blocks.push_back(Heading{"Verdicts", "verdicts"});
  VerdictTable verdicts;
  for (const Case& one : suite.cases)
    verdicts.rows.push_back({one.finding, one.name, one.seen, {}, {}, {}});
  page.blocks.push_back(std::move(verdicts));
  page.blocks.push_back(
      Paragraph{"Each verdict is worth its bounds: as many candidates, faults and "
                "ticks as are listed below."});
  if (result.counterexample) add_counterexample(*result.counterexample, page);
  page.blocks.push_back(Heading{"Bounds and search", "search"});
  page.blocks.push_back(Code{explore_summary(result, Colour::no), {}});
  page.blocks.push_back(Heading{"Reproduce", "reproduce"});
  page.blocks.push_back(
      Code{scenario::scenario_json(result.scenario).dump(1), "the scenario, as it was explored"});
  return page;
}

}  // namespace tenure::report
