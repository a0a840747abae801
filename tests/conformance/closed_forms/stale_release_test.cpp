// client-go 9.9: a stale leader clears the lease of its successor.
#include <doctest/doctest.h>
#include <support/distributions.hpp>
#include <support/experiments.hpp>

#include "windows.hpp"

using namespace tenure::test;

namespace {

constexpr Timing timing{15, 10, 2};

// The leader is frozen for `pause` seconds; SIGTERM comes while nobody else can have taken over,
// and waits.
Trial stale_release(const std::string& version, int candidates, double pause) {
  return {.groups = {{.replicas = candidates,
                      .timing = timing,
                      .elector = "releaseOnCancel: true, version: " + version,
                      .fields = "restart: {policy: Never}"}},
          .faults = {"type: pause, target: leader, duration: " + seconds(pause) + ", " +
                         in_the_cycle(timing),
                     "type: terminate, target: leader, at: {uniform: [43s, 52s]}"},
          .length = length_with(timing, pause) + 2 * timing.deadline};
}

// A runs for no time beside anybody, so two that run are two of its successors.
double share_with_two_successors(const Trial& trial) {
  return share(outcomes(trial), [](const Outcome& o) { return o.overlap_running > 0; });
}

}  // namespace

TEST_CASE("since v0.34 a stale release lets two successors lead in 30 % of runs (client-go 9.9)") {
  for (const char* version : {"v0.34", "v0.36", "v0.37"}) {
    CAPTURE(std::string{version});
    check_share(share_with_two_successors(stale_release(version, 3, 20)), 0.30, usual_runs, 0,
                0.03);
  }
}

TEST_CASE("with five candidates and 25 s it is 61 % (client-go 9.9)") {
  check_share(share_with_two_successors(stale_release("v0.34", 5, 25)), 0.61, usual_runs, 0, 0.03);
}

TEST_CASE("the two successors overlap for 10 s to 12 s (client-go 9.9)") {
  for (const Outcome& o : outcomes(stale_release("v0.34", 3, 20))) {
    if (o.overlap_running == 0) continue;
    CHECK(o.overlap_running >= 10);
    CHECK(o.overlap_running <= 12);
  }
}

TEST_CASE(
    "before v0.34 the release carries the old resourceVersion and has no effect (client-go 9.9)") {
  CHECK(share_with_two_successors(stale_release("v0.33", 3, 20)) == 0);
  CHECK(share_with_two_successors(stale_release("v0.33", 5, 25)) == 0);
}
