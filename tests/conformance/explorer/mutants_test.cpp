#include <fstream>
#include <iterator>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "support/small_elections.hpp"

namespace tenure::test {
namespace {

using namespace std::chrono_literals;

// Nothing at all is violated, in any run.
bool nothing_is_violated(const SmallElection& election) {
  const explore::Exploration all = explored(election);
  REQUIRE(all.ended == explore::Ended::complete);
  REQUIRE(all.probes.takeovers > 0);
  REQUIRE(all.probes.conflicts > 0);
  return all.found.empty();
}

}  // namespace

// All of them have the shortest lease with which they are safe.
TEST_CASE("elections whose runs are all safe: what each wrong election is judged by") {
  CHECK(nothing_is_violated(client_go(4, 3, 1).losing_messages()));
  // A take-over takes three replies longer than the lease, counted from when a renewal is seen.
  CHECK(nothing_is_violated(client_go(5, 4, 3)
                                .waiting_for_replies(2s)
                                .latency(Distribution::constant(1s), Distribution::constant(1s))
                                .losing_messages()));
}

TEST_CASE("every deliberately wrong election still fits the source it changes") {
  std::ifstream list{"tests/conformance/explorer/mutants.json"};
  for (const auto& mutant : nlohmann::json::parse(list)) {
    CAPTURE(mutant.at("name").get<std::string>());
    std::ifstream file{mutant.at("source").get<std::string>()};
    const std::string source{std::istreambuf_iterator<char>{file}, {}};
    const auto old = mutant.at("old").get<std::string>();
    const std::size_t found = source.find(old);
    REQUIRE(found != std::string::npos);
    CHECK(source.find(old, found + 1) == std::string::npos);
  }
}

}  // namespace tenure::test
