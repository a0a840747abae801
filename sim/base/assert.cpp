#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include <tenure/base/assert.hpp>

namespace tenure {
namespace {

struct Scenario {
  std::string file, version, hash;
};
struct Run {
  std::uint64_t seed = 0;
  std::uint64_t number = 0;
};

std::optional<Scenario> scenario;
thread_local std::optional<Run> run;

}  // namespace

void set_assertion_scenario(std::string file, std::string version, std::string hash) {
  scenario = Scenario{std::move(file), std::move(version), std::move(hash)};
}

void set_assertion_context(std::uint64_t seed, std::uint64_t number) {
  run = Run{seed, number};
}

void assertion_failed(const char* condition, const char* reason, const char* file, int line) {
  std::fprintf(stderr, "tenure: internal error: %s (%s) at %s:%d\n", reason, condition, file, line);
  if (scenario) {
    std::fprintf(stderr, "  = tenure %s, scenario sha256 %s\n", scenario->version.c_str(),
                 scenario->hash.c_str());
  }
  if (scenario && run) {
    const auto seed = static_cast<unsigned long long>(run->seed);
    const auto number = static_cast<unsigned long long>(run->number);
    std::fprintf(stderr,
                 "  = seed %llu, run %llu; replay: tenure replay %s --seed %llu --run %llu\n", seed,
                 number, scenario->file.c_str(), seed, number);
  }
  std::fprintf(stderr, "  = this is a bug in tenure; please report it with the lines above\n");
  std::_Exit(70);
}

}  // namespace tenure
