// A scenario in whole ticks: what an exploration makes of one. Every range of times is rounded
// outward to the ticks around it, never inward: whatever the scenario can do, the rounded one can
// do too, so that what holds there holds here. (What is violated there has to be replayed.)
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tenure/base/time.hpp>
#include <tenure/scenario/build.hpp>
#include <tenure/scenario/scenario.hpp>

namespace tenure::scenario {

// A field that does not mean what it meant before: "spec.cluster.latency", "3ms .. 5ms there and
// back", "0s .. 1s each way".
struct Rounding {
  std::string field;
  std::string from;
  std::string to;
};

// A field that has no meaning in ticks.
struct OffGrid {
  std::string field;
  std::string what;   // what is wrong with it
  std::string right;  // what would be right
};

struct OnGrid {
  Scenario scenario;
  std::vector<Rounding> roundings;
  std::vector<OffGrid> problems;  // empty, or the scenario is of no use
};

OnGrid on_grid(Scenario scenario, Duration tick);

// The experiment of a scenario that `on_grid` made.
Built build_on_grid(const Scenario& scenario, Duration tick);

// What is said of a field that has no meaning in ticks (E0330).
Diagnostic off_grid(const Document& document, const OffGrid& problem);

// Says so of all of them.
void report_off_grid(const Document& document,
                     const std::vector<OffGrid>& problems,
                     Diagnostics& diagnostics);

// Where the field of a dotted path stands in a document, or the nearest thing around it.
Position place_of(const Document& document, std::string_view path);

}  // namespace tenure::scenario
