// From a path of fingerprints to a run that anybody can make again: the choices are found by
// walking the path in the simulator, put down as the script of a scenario, and the scenario is run
// before anything is claimed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tenure/check/property.hpp>
#include <tenure/explore/explorer.hpp>
#include <tenure/explore/successors.hpp>
#include <tenure/scenario/scenario.hpp>

namespace tenure::explore {

// The steps of a run, in a world whose processes keep their names.
struct Path {
  std::vector<Answered> beginning;  // answers before the first event
  std::vector<Successors::Micro> steps;
};

// The steps that lead along these fingerprints; nothing: the simulator does not go that way, which
// is a bug of one of the two.
std::optional<Path> walk(const std::shared_ptr<const world::Setup>& setup,
                         const Options& options,
                         const std::vector<std::uint64_t>& fingerprints);

// The scenario in which that path is the only run; nothing: it does not go that way. `explored` is
// the rounded scenario, `setup` what was made of it. The run goes on for `after` behind the path's
// last step, with the simplest choices.
std::optional<scenario::Scenario> scripted(const scenario::Scenario& explored,
                                           const world::Setup& setup,
                                           const Path& path,
                                           Duration after);

}  // namespace tenure::explore
