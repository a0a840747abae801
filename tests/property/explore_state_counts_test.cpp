#include <doctest/doctest.h>

#include "support/small_elections.hpp"

namespace tenure::test {
namespace {

using namespace std::chrono_literals;

std::uint64_t states_of(const SmallElection& election) {
  const explore::Exploration all = explored(election);
  REQUIRE(all.ended == explore::Ended::complete);
  return all.progress.states;
}

}  // namespace

// Of our own encoding: another one, or another rule for what is stored inside an instant, has
// others. A number that moves has to be understood.
TEST_CASE("the states of small elections are as many as they were") {
  CHECK(states_of(client_go(6, 4, 1)) == 120);
  CHECK(states_of(client_go(3, 2, 1).losing_messages()) == 16'601);
  CHECK(states_of(client_go(4, 3, 1).fast_path().losing_at_most(2)) == 3'641);
  CHECK(states_of(client_go(6, 4, 1).pausing_up_to(6s)) == 8'179);
  CHECK(states_of(client_go(6, 4, 1).of(3).crashing()) == 2'699);
  CHECK(states_of(naive_loop(4, 2, 1).delays_up_to(1s)) == 1'712);
}

}  // namespace tenure::test
