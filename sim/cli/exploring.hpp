// A scenario explored, for every command that does so.
#pragma once

#include <optional>
#include <string>

#include <tenure/explore/verdict.hpp>
#include <tenure/scenario/grid.hpp>

#include "app.hpp"

namespace tenure::cli {

// The scenario in ticks; nothing: it cannot be put on a grid, which is reported.
std::optional<scenario::OnGrid> rounded(const Loaded& loaded, Diagnostics& diagnostics);

struct Explored {
  explore::ExploreResult result;
  std::string cost;  // in time and memory; differs from run to run
};

// Nothing: there is not enough memory, which was printed.
std::optional<Explored> explored(const Loaded& loaded,
                                 const scenario::OnGrid& on_grid,
                                 bool stops_at_violation,
                                 const std::string& progress_name,
                                 const CommonFlags& common);

}  // namespace tenure::cli
