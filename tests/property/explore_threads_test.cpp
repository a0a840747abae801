#include <doctest/doctest.h>

#include "support/small_elections.hpp"

namespace tenure::test {
namespace {

void check_threads(const SmallElection& election, explore::Options options, unsigned threads = 2) {
  const explore::Exploration one = explored(election, options);
  options.threads = threads;
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
  check_threads(client_go(3, 2, 1).losing_messages(), {});
  explore::Options stopping;
  stopping.stops_at_violation = true;
  check_threads(client_go(4, 3, 1).fast_path().losing_messages(), stopping);
}

TEST_CASE(
    "a search that ends for want of memory ends at the same state with any number of threads") {
  explore::Options options;
  const SmallElection election = client_go(5, 3, 1).of(3).losing_messages();
  for (const std::uint64_t mebibytes : {6U, 9U}) {
    options.limits.memory = mebibytes << 20;
    REQUIRE(explored(election, options).ended == explore::Ended::at_memory_limit);
    check_threads(election, options, 3);
  }
}

}  // namespace tenure::test
