#include <doctest/doctest.h>

#include "support/small_elections.hpp"

// Since v0.30 an attempt to renew that fails is repeated within the attempt, with the same
// renewTime: where the first request was applied and only its reply lost, the API server stores
// nothing new and still answers 200. The leader then counts from the second answer, and followers
// count from the first request: to them the reply is late by the request's time limit.
namespace tenure::test {
namespace {

using namespace std::chrono_literals;

SmallElection losing(int lease, int deadline, int retry, Duration time_limit) {
  return client_go(lease, deadline, retry)
      .fast_path()
      .waiting_for_replies(time_limit)
      .one_losing_messages();
}

}  // namespace

TEST_CASE("with the fast path losses are safe iff L >= D + R + the request's time limit") {
  CHECK_FALSE(is_safe(losing(4, 3, 1, 1s)));
  CHECK(is_safe(losing(5, 3, 1, 1s)));
  CHECK_FALSE(is_safe(losing(5, 3, 1, 2s)));
  CHECK(is_safe(losing(6, 3, 1, 2s)));
}

TEST_CASE("with the fast path the shipped 15/10/2 is not safe when replies are lost") {
  CHECK_FALSE(is_safe(losing(15, 10, 2, 5s)));
  CHECK_FALSE(is_safe(losing(16, 10, 2, 5s)));
}

// The second try asks twice, GET and UPDATE, and both replies may be late.
TEST_CASE("with the fast path two late replies count beside the time limit") {
  CHECK_FALSE(is_safe(losing(6, 3, 1, 1s).replies_late_by(0s, 1s)));
  CHECK(is_safe(losing(7, 3, 1, 1s).replies_late_by(0s, 1s)));
}

TEST_CASE("with the fast path a pause on a healthy network is safe up to 12 s at 15/10/2") {
  CHECK(is_safe(client_go(15, 10, 2).fast_path().pausing_up_to(12s)));
  CHECK_FALSE(is_safe(client_go(15, 10, 2).fast_path().pausing_up_to(13s)));
}

}  // namespace tenure::test
