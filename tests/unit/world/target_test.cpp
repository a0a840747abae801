#include <set>

#include <doctest/doctest.h>

#include "support/world_builder.hpp"

using namespace tenure;
using namespace tenure::support;
using namespace std::chrono_literals;
using Mode = fault::Target::Mode;

namespace {

// Four processes, the first leads; in zones x, x, y and none.
Names hit_by(const fault::Target& target, std::uint64_t seed = 1) {
  return world_of(4, client_go())
      .latency(1ms)
      .in_zones({"x", "x", "y", ""})
      .lasting(25s)
      .with(pause(target, 20s, 1s))
      .run(seed)
      .hit(0);
}

}  // namespace

TEST_CASE("each kind of target names its processes") {
  CHECK(hit_by(leader()) == Names{"web-0"});
  CHECK(hit_by(followers()) == Names{"web-1", "web-2", "web-3"});
  CHECK(hit_by(believers()) == Names{"web-0"});
  CHECK(hit_by(everyone()) == Names{"web-0", "web-1", "web-2", "web-3"});
  CHECK(hit_by(process(2)) == Names{"web-2"});
  CHECK(hit_by(node(3)) == Names{"web-3"});
  CHECK(hit_by(zone(0)) == Names{"web-0", "web-1"});
  CHECK(hit_by(zone(1)) == Names{"web-2"});
}

TEST_CASE("the leader is whom an expired Lease names, as long as nobody else took it") {
  // The leader's requests are swallowed from 20 s on; nobody else runs. At 45 s its Lease has long
  // expired, and it has stepped down, but the Lease still names it.
  const Story story = world_of(1, client_go())
                          .latency(1ms)
                          .keeping_identity()
                          .restarting_after(1s)
                          .lasting(50s)
                          .with(partition(process(0), 20s))
                          .with(pause(leader(), 45s, 1s))
                          .with(pause(believers(), 46s, 1s))
                          .run();
  CHECK(story.hit(1) == Names{"web-0"});
  CHECK(story.hit(2).empty());
}

TEST_CASE("two processes may believe while one is named") {
  const Story story = world_of(2, client_go(15s, 14s, 2s))
                          .latency(0s)
                          .never_restarting()
                          .lasting(60s)
                          .with(pause(process(0), 21s, 30s))
                          .with(pause(believers(), 52s, 1ms))
                          .with(pause(leader(), 53s, 1ms))
                          .run();
  CHECK(story.hit(1) == Names{"web-0", "web-1"});
  CHECK(story.hit(2) == Names{"web-1"});
}

TEST_CASE("a fault that finds nobody has no effect") {
  // Released, and nobody else there.
  auto config = client_go();
  config.release_on_cancel = true;
  const Story story = world_of(1, config)
                          .latency(1ms)
                          .never_restarting()
                          .lasting(30s)
                          .with(terminate(leader(), 10s))
                          .with(crash(leader(), 20s))
                          .with(crash(followers(), 20s))
                          .with(partition(leader(), 20s))
                          .run();
  CHECK(story.had_effect(0));
  for (const std::uint32_t fault : {1U, 2U, 3U}) {
    CAPTURE(fault);
    CHECK_FALSE(story.had_effect(fault));
    CHECK(story.hit(fault).empty());
  }
}

TEST_CASE("a process that another name's identity keeps out of the Lease is a follower") {
  // The process comes back under a new identity; the Lease still names the old one.
  const Story story = world_of(1, client_go())
                          .latency(1ms)
                          .restarting_after(1s)
                          .lasting(40s)
                          .with(crash(leader(), 20s))
                          .with(pause(leader(), 25s, 1s))
                          .with(pause(followers(), 25s, 1s))
                          .run();
  CHECK(story.hit(1).empty());
  CHECK(story.hit(2) == Names{"web-0"});
}

TEST_CASE("a target is resolved when the fault begins, and then stays") {
  const Story story = world_of(2, client_go())
                          .latency(1ms)
                          .never_restarting()
                          .lasting(120s)
                          .with(partition(leader(), 20s))
                          .run();
  CHECK(story.hit(0) == Names{"web-0"});
  CHECK(story.believers_at(119s) == Names{"web-1"});
}

TEST_CASE("mode one picks one, and each in turn over the seeds") {
  std::set<std::string> picked;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Names names = hit_by(pick(everyone(), Mode::one), seed);
    REQUIRE(names.size() == 1);
    picked.insert(names[0]);
  }
  CHECK(picked.size() == 4);
}

TEST_CASE("a fixed number is picked, or as many as there are") {
  CHECK(hit_by(pick(everyone(), Mode::fixed, 3)).size() == 3);
  CHECK(hit_by(pick(everyone(), Mode::fixed, 9)).size() == 4);
  CHECK(hit_by(pick(everyone(), Mode::fixed, 0)).empty());
  CHECK(hit_by(pick(followers(), Mode::fixed, 2)).size() == 2);
}

TEST_CASE("a percentage is rounded down") {
  CHECK(hit_by(pick(everyone(), Mode::fixed_percent, 100)).size() == 4);
  CHECK(hit_by(pick(everyone(), Mode::fixed_percent, 50)).size() == 2);
  CHECK(hit_by(pick(everyone(), Mode::fixed_percent, 49)).size() == 1);
  CHECK(hit_by(pick(everyone(), Mode::fixed_percent, 24)).empty());
}

TEST_CASE("a random percentage reaches from nobody to its maximum") {
  std::set<std::size_t> sizes;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    sizes.insert(hit_by(pick(everyone(), Mode::random_max_percent, 75), seed).size());
  }
  CHECK(sizes == std::set<std::size_t>{0, 1, 2, 3});
}

// ---- occurrences

TEST_CASE("a fault comes back every so often, as often as it is told to") {
  fault::Fault again = pause(process(0), 10s, 1s);
  again.every = Distribution::constant(5s);
  again.count = 3;
  const Story story = world_of(1, client_go()).latency(1ms).lasting(60s).with(again).run();
  std::vector<TrueTime> begins;
  for (const auto& told : story.all<record::FaultBegan>()) begins.push_back(told.at);
  CHECK(begins == std::vector{TrueTime{10s}, TrueTime{15s}, TrueTime{20s}});
  CHECK(story.all<record::FaultEnded>().size() == 3);
  CHECK(story.hit(0, 2) == Names{"web-0"});
}

TEST_CASE("without a count it comes back until the run is over") {
  fault::Fault again = pause(process(0), 10s, 1s);
  again.every = Distribution::constant(5s);
  const Story story = world_of(1, client_go()).latency(1ms).lasting(30s).with(again).run();
  // 10, 15, 20, 25 s; the run is [0, 30 s).
  CHECK(story.all<record::FaultBegan>().size() == 4);
}

TEST_CASE("a fault with a probability happens in that share of the runs") {
  fault::Fault sometimes = crash(process(0), 1s);
  sometimes.probability = {1, 4};
  const auto builder = world_of(1, client_go()).latency(1ms).lasting(2s).with(sometimes);
  int happened = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    happened += builder.run(seed).had_effect(0) ? 1 : 0;
  }
  CHECK(happened > 70);
  CHECK(happened < 130);
}

TEST_CASE("a fault after the end of the run changes nothing") {
  const auto builder = world_of(2, client_go()).latency(1ms).lasting(30s);
  auto late = builder;
  late.with(crash(leader(), 30s));
  CHECK(late.run().world().run_hash == builder.run().world().run_hash);
}
