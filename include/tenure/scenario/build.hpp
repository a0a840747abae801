// From what a scenario says to what a run needs: names become ids, defaults become numbers.
#pragma once

#include <memory>

#include <tenure/check/property.hpp>
#include <tenure/scenario/scenario.hpp>
#include <tenure/world/setup.hpp>

namespace tenure::scenario {

struct Built {
  std::shared_ptr<const world::Setup> setup;
  check::PropertyConfig properties;
};

// A script with a tick is built on its grid (grid.hpp).
Built build(const Scenario& scenario);

// In continuous time, whatever the scenario says.
Built build_in_continuous_time(const Scenario& scenario);

// The longest time from a leader's crash to the next leader: L + 2 (1+J) R + 4 GET + 1 PUT, of the
// slowest client-go candidate; `longest_duration` when the latency has no bound.
Duration failover_bound(const Scenario& scenario);

}  // namespace tenure::scenario
