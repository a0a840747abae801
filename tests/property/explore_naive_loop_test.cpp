#include <array>

#include <doctest/doctest.h>

#include "support/small_elections.hpp"

namespace tenure::test {
namespace {

using namespace std::chrono_literals;

struct Setting {
  int leader_sleep, retry, delay, ahead;  // in seconds
};

bool is_safe_on_a_healthy_network(int lease, const Setting& setting) {
  auto election = naive_loop(lease, setting.leader_sleep, setting.retry).of(1).and_of(1);
  election.wall_clock_ahead(std::chrono::seconds{setting.ahead});
  return is_safe(election.delays_up_to(std::chrono::seconds{setting.delay}));
}

}  // namespace

TEST_CASE("the naive loop has two leaders when messages are lost, however long its lease") {
  for (const int leader_sleep : {1, 2, 4}) {
    for (const int retry : {1, 2, 3}) {
      for (const int lease : {leader_sleep + 1, 2 * leader_sleep + 2, 15}) {
        CAPTURE(leader_sleep);
        CAPTURE(retry);
        CAPTURE(lease);
        CHECK_FALSE(is_safe(naive_loop(lease, leader_sleep, retry).losing_messages()));
      }
    }
  }
}

TEST_CASE("with instant messages the naive loop is safe iff L >= leaderSleep + skew") {
  for (const int leader_sleep : {2, 3, 5}) {
    for (const int ahead : {0, 1, 2, 4}) {
      const Setting setting{leader_sleep, 1, 0, ahead};
      const int least = leader_sleep + ahead;
      CAPTURE(leader_sleep);
      CAPTURE(ahead);
      CHECK(is_safe_on_a_healthy_network(least, setting));
      CHECK_FALSE(is_safe_on_a_healthy_network(least - 1, setting));
    }
  }
}

// One tick more than in continuous time: the loop compares strictly, and a follower that looks at
// the very instant of the expiry waits; on the grid it may go either way.
TEST_CASE("with delays the naive loop needs L > leaderSleep + 5 l + skew on the grid") {
  for (const Setting& setting :
       {Setting{2, 1, 1, 0}, {2, 1, 1, 2}, {3, 2, 1, 1}, {4, 1, 1, 0}, {3, 1, 2, 1}}) {
    const int least = setting.leader_sleep + 5 * setting.delay + setting.ahead;
    CAPTURE(setting.leader_sleep);
    CAPTURE(setting.delay);
    CAPTURE(setting.ahead);
    CHECK(is_safe_on_a_healthy_network(least + 1, setting));
    CHECK_FALSE(is_safe_on_a_healthy_network(least, setting));
  }
}

TEST_CASE("of the naive loop's margin a finer grid takes one finer tick") {
  const auto half = [](int lease) {
    auto election = naive_loop(lease, 2, 1).of(1).and_of(1).in_ticks_of(500ms);
    election.elector().leader_sleep = 2500ms;
    return election.delays_up_to(1s);  // 2.5 s + 5 s
  };
  CHECK(is_safe(half(8)));
  CHECK_FALSE(is_safe(half(7)));
}

}  // namespace tenure::test
