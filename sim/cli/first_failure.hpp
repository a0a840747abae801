// The run that a summary shows when a property fails that should hold.
#pragma once

#include <string>

#include <tenure/run/result.hpp>

namespace tenure::cli {

// A block of a summary: the first run that fails, made as small as some hundred runs can make it,
// and told. Empty when no property fails, and where a run is so long that this would cost more
// than a look. It is the same for any number of threads and in any terminal.
std::string first_failure(const run::RunResult& result);

}  // namespace tenure::cli
