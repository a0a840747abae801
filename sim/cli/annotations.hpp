// What GitHub Actions is told: workflow commands on the standard output, and a summary of the step.
#pragma once

#include "app.hpp"

namespace tenure::cli {

// When --annotations asks for it: workflow commands for all that the command found and printed,
// and, of commands that sum up, Markdown behind $GITHUB_STEP_SUMMARY. Called once, at the end.
ExitCode annotate(const CommonFlags& flags);

}  // namespace tenure::cli
