#include <doctest/doctest.h>

#include "support/small_elections.hpp"

namespace tenure::test {
namespace {

void check_threads(const SmallElection& election, bool stops_at_violation) {
  explore::Options options;
  options.stops_at_violation = stops_at_violation;
  const explore::Exploration one = explored(election, options);
  options.threads = 2;
  const explore::Exploration two = explored(election, options);
  CHECK(two.ended == one.ended);
  CHECK(two.progress.states == one.progress.states);
  CHECK(two.progress.transitions == one.progress.transitions);
  CHECK(two.fingerprints == one.fingerprints);
  CHECK(two.came_from == one.came_from);
  CHECK(two.graph.packed_steps == one.graph.packed_steps);
  REQUIRE(two.found.size() == one.found.size());
  for (std::size_t i = 0; i < one.found.size(); ++i) {
    CHECK(two.found[i].property == one.found[i].property);
    CHECK(two.found[i].state == one.found[i].state);
    CHECK(two.found[i].tick == one.found[i].tick);
    CHECK(two.found[i].events == one.found[i].events);
  }
}

}  // namespace

TEST_CASE("two threads number the states as one does") {
  check_threads(client_go(3, 2, 1).losing_messages(), false);
  check_threads(client_go(4, 3, 1).fast_path().losing_messages(), true);
}

}  // namespace tenure::test
