#include <doctest/doctest.h>

#include "support/small_elections.hpp"

namespace tenure::test {
namespace {

using namespace std::chrono_literals;

// From the crash of a leader to the next leader, at the longest; in ticks.
std::uint64_t longest_failover(SmallElection election) {
  const explore::Exploration all = explored(election.crashing());
  REQUIRE(all.ended == explore::Ended::complete);
  REQUIRE(all.found.empty());
  const explore::GraphAnswers answers = explore::answers_of(all.graph);
  CHECK_FALSE(answers.dead_end.has_value());
  CHECK_FALSE(answers.timeless_cycle.has_value());
  CHECK_FALSE(answers.never_led_cycle.has_value());
  CHECK_FALSE(answers.gap.unbounded);
  return answers.gap.ticks;
}

SmallElection delayed(int lease, int deadline, int retry, Duration delay) {
  return client_go(lease, deadline, retry).waiting_for_replies(4s).delays_up_to(delay);
}

}  // namespace

// J: the longest wait between two looks, 2.2 R in whole ticks. A follower may see the last renewal
// J late, and look just before it expires and then wait J again.
TEST_CASE("with instant messages a leader that crashes is replaced after L + 2 J at the latest") {
  CHECK(longest_failover(client_go(6, 4, 1)) == 6 + 2 * 3);
  CHECK(longest_failover(client_go(9, 7, 2)) == 9 + 2 * 5);
  CHECK(longest_failover(client_go(15, 10, 2)) == 15 + 2 * 5);
  CHECK(longest_failover(client_go(15, 10, 2).fast_path()) == 15 + 2 * 5);
}

TEST_CASE("at 15/10/2 with instant messages that is 23.8 s") {
  CHECK(longest_failover(client_go(15, 10, 2).in_ticks_of(200ms)) * 200ms == 23800ms);
}

TEST_CASE("with messages of up to l it is L + 2 J + 10 l") {
  CHECK(longest_failover(delayed(12, 6, 1, 1s)) == 12 + 2 * 3 + 10);
  CHECK(longest_failover(delayed(13, 7, 2, 1s)) == 13 + 2 * 5 + 10);
  CHECK(longest_failover(delayed(12, 6, 1, 1s).fast_path()) == 12 + 2 * 3 + 10);
}

}  // namespace tenure::test
