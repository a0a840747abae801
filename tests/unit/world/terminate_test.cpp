#include <doctest/doctest.h>

#include "support/world_builder.hpp"

using namespace tenure;
using namespace tenure::support;
using namespace std::chrono_literals;

namespace {

elect::ClientGoConfig releasing() {
  auto config = client_go();
  config.release_on_cancel = true;
  return config;
}

fault::Fault with_grace(fault::Fault fault, Duration grace) {
  fault.grace_period = grace;
  return fault;
}

}  // namespace

// client-go-elector.md 9.6: F_rel is in [0, 2.2 R].
TEST_CASE("after a release the next follower to look leads") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    const Story story = world_of(2, releasing())
                            .latency(0s)
                            .never_restarting()
                            .lasting(60s)
                            .with(terminate(leader(), 21s))
                            .run(seed);
    REQUIRE(story.ends(0) == std::vector<Duration>{21s});
    REQUIRE(story.begins(1).size() == 1);
    REQUIRE(story.begins(1)[0] - 21s <= 4400ms);
    REQUIRE(story.lease()->spec.lease_transitions == 1);
  }
}

TEST_CASE("without a release the others wait as after a crash") {
  const Story story = world_of(2, client_go())
                          .latency(0s)
                          .never_restarting()
                          .lasting(60s)
                          .with(terminate(leader(), 21s))
                          .run();
  CHECK(story.ends(0) == std::vector<Duration>{21s});
  REQUIRE(story.begins(1).size() == 1);
  CHECK(story.begins(1)[0] - 21s >= 13s);
  CHECK(story.begins(1)[0] - 21s <= 23800ms);
}

TEST_CASE("a process that was told to stop ends as stopped, and its belief with it") {
  const Story story = world_of(1, client_go())
                          .latency(1ms)
                          .never_restarting()
                          .lasting(60s)
                          .with(terminate(leader(), 21s))
                          .run();
  CHECK(story.all<record::ProcessEnded>().at(0).fact.reason == record::EndReason::stopped);
  CHECK(story.all<record::LeadershipEnded>().at(0).fact.reason == record::EndReason::stopped);
}

TEST_CASE("a release that hangs is cut short by the grace period") {
  const Story story = world_of(1, releasing())
                          .latency(1ms)
                          .never_restarting()
                          .lasting(60s)
                          .with(partition(process(0), 20s))
                          .with(with_grace(terminate(process(0), 21s), 4s))
                          .run();
  const auto ended = story.all<record::ProcessEnded>();
  REQUIRE(ended.size() == 1);
  CHECK(ended[0].at == TrueTime{25s});
  CHECK(ended[0].fact.reason == record::EndReason::killed);
  CHECK(story.ends(0) == std::vector<Duration>{21s});
}

TEST_CASE("the end of a grace period does not touch the successor") {
  const Story story = world_of(1, client_go())
                          .latency(1ms)
                          .restarting_after(1s)
                          .lasting(60s)
                          .with(with_grace(terminate(process(0), 21s), 4s))
                          .run();
  CHECK(story.all<record::ProcessEnded>().size() == 1);
  CHECK(story.all<record::ProcessStarted>().size() == 2);
}

TEST_CASE("a process is told to stop once") {
  const Story story = world_of(1, releasing())
                          .latency(200ms)
                          .never_restarting()
                          .lasting(60s)
                          .with(terminate(process(0), 21s))
                          .with(terminate(process(0), 21100ms))
                          .run();
  CHECK(story.all<record::ProcessEnded>().size() == 1);
  CHECK(story.holder() == "");
}

TEST_CASE("a drain tells everybody on the node to stop, and they start elsewhere") {
  const Story story = world_of(3, releasing())
                          .on_nodes({0, 0, 1})
                          .latency(1ms)
                          .restarting_after(1s)
                          .lasting(60s)
                          .with(drain(leader(), 21s))
                          .run();
  CHECK(story.hit(0) == Names{"web-0", "web-1"});
  const auto& processes = story.world().processes;
  CHECK(processes[0].node == NodeId{1});
  CHECK(processes[1].node == NodeId{1});
  CHECK(processes[2].node == NodeId{1});
  CHECK(story.believers_at(59s).size() == 1);
}

TEST_CASE("whoever is drained from several nodes goes to one that is not") {
  const Story story = world_of(3, releasing())
                          .latency(1ms)
                          .restarting_after(1s)
                          .lasting(60s)
                          .with(drain(pick(everyone(), fault::Target::Mode::fixed, 2), 21s))
                          .run();
  const Names drained = story.hit(0);
  REQUIRE(drained.size() == 2);
  for (const auto& process : story.world().processes) {
    for (const std::string& name : drained) {
      CHECK(story.world().setup->topology.name(process.node) != "node-" + name.substr(4));
    }
  }
}

TEST_CASE("where there is no other node, a drained process comes back on its own") {
  const Story story = world_of(1, releasing())
                          .latency(1ms)
                          .restarting_after(1s)
                          .lasting(60s)
                          .with(drain(node(0), 21s))
                          .run();
  CHECK(story.world().processes[0].node == NodeId{0});
  CHECK(story.begins(0).size() == 2);
}

// client-go-elector.md 9.2 and 9.6, last paragraph: a release that fails falls back to the crash's
// law.
TEST_CASE("a process that is still acquiring stops without a trace") {
  const Story story = world_of(2, releasing())
                          .latency(1ms)
                          .never_restarting()
                          .lasting(60s)
                          .with(terminate(process(1), 21s))
                          .run();
  CHECK(story.begins(1).empty());
  CHECK(story.holder() == "web-0");
  for (const auto& told : story.all<record::LeaseWritten>()) {
    CHECK(told.fact.writer.process == ProcessId{0});
  }
}
