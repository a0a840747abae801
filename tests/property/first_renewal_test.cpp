#include <doctest/doctest.h>

#include "support/world_builder.hpp"

namespace tenure::support {
namespace {

using namespace std::chrono_literals;

// Followers compare records whose times are whole seconds (client-go, leaderelection.go,
// getRawRecord). The first renewal begins when the acquisition has ended; where both began in one
// second, the renewal goes unnoticed: a follower counts from the acquisition, and the leader from
// the reply to the renewal. Replies are late by 2.9 s here, which 15/10/2 should bear.
Story late_first_renewal(std::uint64_t seed) {
  elect::ClientGoConfig elector = client_go(15s, 10s, 2s);
  elector.profile = elect::client_go_profile(29);
  auto builder = world_of(1, elector).latency(100ms).lasting(60s);
  builder.candidates([](auto& group) { group.start = Distribution::constant(200ms); });
  builder.and_of(1, elector, "other");
  builder.candidates([](auto& group) { group.start = Distribution::constant(380ms); });
  return builder
      .with(delay(process(0), 420ms, 50ms, 2900ms))   // the reply to its GET
      .with(delay(process(0), 3420ms, 50ms, 2900ms))  // and to its UPDATE
      .with(partition(process(0), 6500ms))
      .run(seed);
}

}  // namespace

TEST_CASE("two late replies to the first renewal count, since no follower sees that renewal") {
  int overlaps = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Story story = late_first_renewal(seed);
    REQUIRE(story.begins(0) == std::vector<Duration>{400ms});
    REQUIRE(story.ends(0) == std::vector<Duration>{18400ms});  // 2 s and 10 s after the reply
    if (story.two_leaders() > 0s) ++overlaps;
  }
  CHECK(overlaps >= 15);  // unless the follower looks too late
}

}  // namespace tenure::support
