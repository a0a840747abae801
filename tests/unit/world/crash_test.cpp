#include <doctest/doctest.h>

#include "support/world_builder.hpp"

using namespace tenure;
using namespace tenure::support;
using namespace std::chrono_literals;

namespace {

// The leader web-0 renews at 0 s, 2 s, ...: with a round trip of 200 ms, at about 2.2 s, 4.4 s, ...
WorldBuilder slow_network() {
  return world_of(2, client_go()).latency(200ms);
}

}  // namespace

TEST_CASE("of processes that start together the first in line leads") {
  const Story story = world_of(3, client_go()).latency(1ms).lasting(10s).run();
  CHECK(story.believers_at(9s) == Names{"web-0"});
  CHECK(story.holder() == "web-0");
}

// client-go-elector.md 9.2: L - R <= F <= L + 2 (1 + J) R, which is 13 s to 23.8 s.
TEST_CASE("after a crash the Lease changes hands within the bounds of the closed form") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const Story story =
        world_of(3, client_go())
            .latency(0s)
            .never_restarting()
            .lasting(60s)
            .with(crash(leader(), 30s + Duration{static_cast<std::int64_t>(seed) * 10'000'000}))
            .run(seed);
    const Duration crashed = story.all<record::ProcessEnded>().at(0).at.time_since_epoch();
    Duration led = longest_duration;
    for (const std::uint32_t follower : {1U, 2U}) {
      for (const Duration began : story.begins(follower)) led = std::min(led, began);
    }
    REQUIRE(led - crashed >= 13s);
    REQUIRE(led - crashed <= 23800ms);
    REQUIRE(story.two_leaders() == 0s);
    REQUIRE(story.had_effect(0));
  }
}

TEST_CASE("a crash ends the belief of the process that it hits") {
  const Story story = slow_network().with(crash(leader(), 30s)).lasting(31s).run();
  CHECK(story.hit(0) == Names{"web-0"});
  CHECK(story.ends(0) == std::vector<Duration>{30s});
  const auto ended = story.all<record::ProcessEnded>();
  REQUIRE(ended.size() == 1);
  CHECK(ended[0].fact.reason == record::EndReason::crashed);
}

TEST_CASE("a request that was sent before the crash is still applied, its reply is nobody's") {
  // Acquired at 0.4 s; the first renewal leaves at 0.4 s, arrives at 0.5 s and would be answered at
  // 0.6 s.
  const Story story =
      slow_network().never_restarting().with(crash(process(0), 450ms)).lasting(2s).run();
  const auto written = story.all<record::LeaseWritten>();
  REQUIRE(written.size() == 2);
  CHECK(written[1].at == TrueTime{500ms});
  CHECK(written[1].fact.writer.process == ProcessId{0});
  for (const auto& reply : story.all<record::ReplyReceived>()) {
    if (reply.fact.by.process == ProcessId{0}) CHECK(reply.at < TrueTime{450ms});
  }
}

TEST_CASE("a crash between commit and answer leaves the write committed") {
  const Story story =
      slow_network().never_restarting().with(crash(process(0), 550ms)).lasting(2s).run();
  CHECK(story.all<record::LeaseWritten>().size() == 2);
  CHECK(story.holder() == "web-0");
}

// client-go-elector.md 9.7: a restarted process with the same identity: 0.
TEST_CASE("a process that comes back under its identity leads again at once") {
  const Story story = world_of(2, client_go())
                          .latency(1ms)
                          .keeping_identity()
                          .restarting_after(3s)
                          .with(crash(leader(), 30s))
                          .lasting(40s)
                          .run();
  REQUIRE(story.begins(0).size() == 2);
  CHECK(story.begins(0)[1] == 33s + 2ms);
  CHECK(story.lease()->spec.lease_transitions == 0);
  CHECK(story.all<record::ProcessStarted>().back().fact.identity == Identity{1, 0});
}

TEST_CASE("a process that comes back under a new identity waits like any other") {
  const Story story = world_of(1, client_go())
                          .latency(1ms)
                          .restarting_after(3s)
                          .with(crash(leader(), 30s))
                          .lasting(80s)
                          .run();
  REQUIRE(story.begins(0).size() == 2);
  // 9.7: cold start, L to L + (1 + J) R after its first read.
  CHECK(story.begins(0)[1] >= 33s + 15s);
  CHECK(story.begins(0)[1] <= 33s + 15s + 4400ms + 10ms);
  CHECK(story.lease()->spec.lease_transitions == 1);
  CHECK(story.holder() == "web-0.2");
}

TEST_CASE("a fault's own restart delay replaces that of the candidate") {
  fault::Fault quick = crash(leader(), 30s);
  quick.restart_delay = Distribution::constant(1s);
  const Story story =
      world_of(1, client_go()).latency(1ms).restarting_after(20s).with(quick).lasting(40s).run();
  CHECK(story.all<record::ProcessStarted>().at(1).at == TrueTime{31s});
}

// Request ids start anew with every process of a name.
TEST_CASE("a reply to an earlier process of the name is ignored") {
  const Story story = world_of(1, client_go())
                          .latency(1s)
                          .restarting_after(100ms)
                          .with(crash(process(0), 100ms))
                          .lasting(1500ms)
                          .run();
  const auto sent = story.all<record::RequestSent>();
  REQUIRE(sent.size() >= 2);
  CHECK(sent[0].fact.request == sent[1].fact.request);
  const auto received = story.all<record::ReplyReceived>();
  REQUIRE(received.size() == 1);
  CHECK(received[0].at == TrueTime{1200ms});
  CHECK(received[0].fact.by.number == 1);
}

TEST_CASE("a write that arrives after its writer was replaced is recorded as the writer's") {
  // The CREATE leaves at 2 s and arrives at 3 s; by then the second process of the name runs.
  const Story story = world_of(1, client_go())
                          .latency(2s)
                          .restarting_after(100ms)
                          .with(crash(process(0), 2500ms))
                          .lasting(4s)
                          .run();
  const auto written = story.all<record::LeaseWritten>();
  REQUIRE(written.size() == 1);
  CHECK(written[0].at == TrueTime{3s});
  CHECK(written[0].fact.writer.number == 0);
  CHECK(written[0].fact.writer_identity == Identity{1, 0});
}

TEST_CASE("a crash of a process that is not there has no effect") {
  const Story story = world_of(1, client_go())
                          .latency(1ms)
                          .never_restarting()
                          .with(crash(process(0), 5s))
                          .with(crash(process(0), 6s))
                          .lasting(10s)
                          .run();
  CHECK(story.had_effect(0));
  CHECK_FALSE(story.had_effect(1));
  CHECK(story.hit(1).empty());
}

TEST_CASE("restart policies: never, only after failures, always") {
  const auto starts = [](world::RestartPolicy policy, const fault::Fault& fault) {
    return world_of(1, client_go())
        .latency(1ms)
        .candidates([&](auto& candidate) { candidate.restart_policy = policy; })
        .with(fault)
        .lasting(60s)
        .run()
        .all<record::ProcessStarted>()
        .size();
  };
  using Policy = world::RestartPolicy;
  CHECK(starts(Policy::never, crash(process(0), 5s)) == 1);
  CHECK(starts(Policy::on_failure, crash(process(0), 5s)) == 2);
  CHECK(starts(Policy::on_failure, terminate(process(0), 5s)) == 1);
  CHECK(starts(Policy::always, terminate(process(0), 5s)) == 2);
}
