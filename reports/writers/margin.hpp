// Why two could believe at once: the inequality of the specification of properties, 4.1 and 4.3,
// with the numbers of one run in it.
#pragma once

#include <string>
#include <vector>

#include <tenure/report/story.hpp>

#include "overlap.hpp"

namespace tenure::report {

std::vector<std::string> why(const Counterexample& told, const Overlap& overlap);

}  // namespace tenure::report
