#include <doctest/doctest.h>

#include "support/small_elections.hpp"

namespace tenure::test {
namespace {

using namespace std::chrono_literals;

// Whether this is the least lease duration with which no run has two leaders.
template <class Election>
bool is_least_safe_lease(int lease, const Election& election_with) {
  return is_safe(election_with(lease)) && !is_safe(election_with(lease - 1));
}

}  // namespace

TEST_CASE("client-go is safe while messages are lost iff L >= D + R") {
  const auto losing = [](int deadline, int retry) {
    return [=](int lease) { return client_go(lease, deadline, retry).losing_messages(); };
  };
  CHECK(is_least_safe_lease(4, losing(3, 1)));
  CHECK(is_least_safe_lease(5, losing(3, 2)));
}

TEST_CASE("a reply that is late by d takes d from the lease") {
  // Nobody is served sooner than a tick: three replies, to the look that sees the renewal and to
  // the two calls of the take-over, give one tick each back.
  const auto late = [](int deadline, int retry, int most) {
    return [=](int lease) {
      return client_go(lease, deadline, retry)
          .waiting_for_replies(2s)
          .replies_late_by(1s, std::chrono::seconds{most})
          .one_losing_messages();
    };
  };
  CHECK(is_least_safe_lease(4 + 3 + 1 - 3, late(4, 3, 1)));
  CHECK(is_least_safe_lease(3 + 2 + 2 - 3, late(3, 2, 2)));
}

// Followers compare whole seconds: the renewal that follows an acquisition within its second is
// none to them, and its two replies both count (first_renewal_test.cpp).
TEST_CASE("at the first renewal two late replies take from the lease") {
  const auto late = [](int most) {
    return [=](int lease) {
      return client_go(lease, 3, 1)
          .waiting_for_replies(1s)
          .replies_late_by(0s, std::chrono::seconds{most})
          .one_losing_messages();
    };
  };
  CHECK(is_least_safe_lease(3 + 1 + 2, late(1)));
}

TEST_CASE("a pause of a leader on a healthy network is safe up to 12 s at 15/10/2") {
  CHECK(is_safe(client_go(15, 10, 2).pausing_up_to(12s)));
  CHECK_FALSE(is_safe(client_go(15, 10, 2).pausing_up_to(13s)));
}

TEST_CASE("a pause while messages are lost is safe up to L - D - R") {
  CHECK(is_safe(client_go(4, 2, 1).one_losing_messages().pausing_up_to(1s)));
  CHECK_FALSE(is_safe(client_go(4, 2, 1).one_losing_messages().pausing_up_to(2s)));
}

TEST_CASE("15/10/2 bears a follower whose clock is faster by 1.25, not one by 1.36") {
  const auto faster_by = [](Duration per_second) {
    return client_go(15, 10, 2).of(1).and_of(1).clock_gains(per_second).losing_messages_of("a-0");
  };
  CHECK(is_safe(faster_by(250ms)));
  CHECK_FALSE(is_safe(faster_by(363'636'364ns)));
}

}  // namespace tenure::test
