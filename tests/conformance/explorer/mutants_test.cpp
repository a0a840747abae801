#include <fstream>
#include <iterator>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "support/small_elections.hpp"

namespace tenure::test {
namespace {

using namespace std::chrono_literals;

// Nothing at all is violated, in any run, and what could be violated happened.
bool nothing_is_violated(const SmallElection& election) {
  explore::Options options;
  options.stops_at_violation = true;
  const explore::Exploration all = explored(election, options);
  if (!all.found.empty()) return false;
  REQUIRE(all.ended == explore::Ended::complete);
  REQUIRE(all.probes.takeovers > 0);
  return true;
}

// Of times that nobody compares with a clock, codes keep only which are equal. A group of nobody
// that does compare them makes codes keep their ages, for an elector that wrongly does.
SmallElection with_ages(SmallElection election) {
  election.and_of(0).elector().type = scenario::Elector::Type::naive_loop;
  return election;
}

}  // namespace

TEST_CASE("elections whose runs are all safe: what each wrong election is judged by") {
  CHECK(nothing_is_violated(client_go(4, 3, 1).losing_messages()));
  const Distribution second = Distribution::constant(1s);
  CHECK(nothing_is_violated(with_ages(
      client_go(5, 4, 3).waiting_for_replies(2s).latency(second, second).losing_messages())));
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
