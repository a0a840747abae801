// The events that led to a violation, and no others, a line each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tenure/report/story.hpp>

#include "overlap.hpp"

namespace tenure::report {

// Of an overlap from the last good write of the first believer on; of another violation the last
// few steps before it.
std::vector<std::string> chain(const Counterexample& told,
                               const Exchanges& exchanges,
                               const std::optional<Overlap>& overlap);

}  // namespace tenure::report
