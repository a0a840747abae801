// The project's own errors. A user's input never reaches an assertion; a broken invariant does, in
// every build, and ends the program with exit code 70 and the line that replays it.
#pragma once

#include <cstdint>
#include <string>

namespace tenure {

// What to say beside the failed condition. The scenario is told once; the run by each thread.
void set_assertion_scenario(std::string file, std::string version, std::string hash);
void set_assertion_context(std::uint64_t seed, std::uint64_t run);

[[noreturn]] void assertion_failed(const char* condition,
                                   const char* reason,
                                   const char* file,
                                   int line);

}  // namespace tenure

#define TENURE_ASSERT(condition, reason) \
  (static_cast<bool>(condition)          \
       ? void(0)                         \
       : ::tenure::assertion_failed(#condition, reason, __FILE__, __LINE__))
