#include <cstdio>
#include <exception>

#include "app.hpp"

// The last catch: whatever our own code did not expect is a bug, and says so.
int main(int argc, char** argv) {
  try {
    return tenure::cli::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr,
                 "tenure: internal error: %s\n  = this is a bug in tenure; please report it\n",
                 error.what());
  } catch (...) {
    std::fprintf(stderr, "tenure: internal error\n  = this is a bug in tenure; please report it\n");
  }
  return static_cast<int>(tenure::cli::ExitCode::bug);
}
