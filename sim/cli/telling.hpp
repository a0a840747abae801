// How a run is told on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <tenure/record/fact.hpp>
#include <tenure/report/timeline.hpp>
#include <tenure/run/run.hpp>

namespace tenure::cli {

std::size_t terminal_columns();

// What the terminal can draw; plain ASCII on request.
report::Characters characters_of(bool ascii);

// Lines at the end of a story; each may be empty.
struct StoryEnd {
  std::string nearest;  // "pause collect 12.999s passes"
  std::string replay;   // the command line that makes the run again
};

// Why the last run of `runner` violates what it violates: two leaders if there were, else the first
// violation of all. Nothing when it violates nothing.
void print_story(const run::Experiment& experiment,
                 const run::Runner& runner,
                 const std::vector<record::Record>& history,
                 const StoryEnd& end,
                 report::Characters characters);

}  // namespace tenure::cli
