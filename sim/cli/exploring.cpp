#include "exploring.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include <tenure/base/assert.hpp>
#include <tenure/base/text.hpp>
#include <tenure/report/explore.hpp>

#include "progress.hpp"

namespace tenure::cli {
namespace {

// What there is to use of this machine's memory, leaving room for others: who is killed for memory
// has no verdict.
std::uint64_t memory_to_use() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return std::numeric_limits<std::uint64_t>::max();
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page) / 4 * 3;
}

}  // namespace

std::optional<scenario::OnGrid> rounded(const Loaded& loaded, Diagnostics& diagnostics) {
  scenario::OnGrid made;
  if (loaded.scenario.explore) {
    made = scenario::on_grid(loaded.scenario, loaded.scenario.explore->tick);
  } else {
    made.problems.push_back({"spec", "has no explore", "give a tick: spec: {explore: {tick: 1s}}"});
  }
  scenario::report_off_grid(loaded.document, made.problems, diagnostics);
  if (!made.problems.empty()) return std::nullopt;
  return made;
}

std::optional<Explored> explored(const Loaded& loaded,
                                 const scenario::OnGrid& on_grid,
                                 bool stops_at_violation,
                                 const std::string& progress_name,
                                 const CommonFlags& common) {
  explore::Options options = explore::options_of(loaded.scenario);
  options.stops_at_violation = stops_at_violation;
  options.limits.memory = std::min(options.limits.memory, memory_to_use());
  options.threads = threads_of(common);
  options.stop = &stop_requested;
  Progress progress{common, progress_name, 1};
  options.progress = [&](const explore::Progress& so_far) {
    progress.on([&] { return report::progress_text(so_far, progress.seconds()); });
  };
  try {
    Explored made{explore::explore_scenario(loaded.scenario, on_grid, options), {}};
    progress.finish();
    made.cost = report::progress_text(made.result.progress, progress.seconds());
    TENURE_ASSERT(!made.result.does_not_replay,
                  "what an exploration finds happens in the simulator");
    return made;
  } catch (const std::bad_alloc&) {  // where the memory ends before its limit does: ulimit -v
    usage_error("E0503",
                fmt::format("not enough memory to explore {}", visible(loaded.scenario.name)),
                {"nothing of it was kept; set spec.explore.maxMemory to what there is"});
    return std::nullopt;
  }
}

}  // namespace tenure::cli
