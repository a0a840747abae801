#include <cstdio>
#include <exception>
#include <new>

#include "app.hpp"

// The last catch: whatever our own code did not expect is a bug, and says so. Only memory may end
// anywhere; what is said then is written without asking for more.
int main(int argc, char** argv) {
  using tenure::cli::ExitCode;
  try {
    return tenure::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("tenure: error[E0503]: not enough memory\n  = nothing more was written\n", stderr);
    return static_cast<int>(ExitCode::no_output);
  } catch (const std::exception& error) {
    std::fprintf(stderr,
                 "tenure: internal error: %s\n  = this is a bug in tenure; please report it\n",
                 error.what());
  } catch (...) {
    std::fprintf(stderr, "tenure: internal error\n  = this is a bug in tenure; please report it\n");
  }
  return static_cast<int>(ExitCode::bug);
}
