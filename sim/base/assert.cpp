#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include <tenure/base/assert.hpp>

namespace tenure {
namespace {

thread_local std::string assertion_context;

}  // namespace

void set_assertion_context(std::string context) {
  assertion_context = std::move(context);
}

void assertion_failed(const char* condition, const char* reason, const char* file, int line) {
  std::fprintf(stderr, "tenure: internal error: %s (%s) at %s:%d\n", reason, condition, file, line);
  if (!assertion_context.empty()) std::fprintf(stderr, "  = %s\n", assertion_context.c_str());
  std::fprintf(stderr, "  = this is a bug in tenure; please report it with the lines above\n");
  std::_Exit(70);
}

}  // namespace tenure
