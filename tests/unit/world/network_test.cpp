#include <doctest/doctest.h>

#include "support/world_builder.hpp"

using namespace tenure;
using namespace tenure::support;
using namespace std::chrono_literals;
using fault::Direction;
using fault::OutageMode;

namespace {

// With a round trip of 200 ms web-0 leads from 0.4 s, and renews at 0.4 s, 2.6 s, 4.8 s, ...
WorldBuilder slow_network(std::uint32_t processes = 1) {
  auto config = client_go();
  config.request_timeout = 1s;
  return world_of(processes, config).latency(200ms).never_restarting().lasting(40s);
}

std::vector<TrueTime> written(const Story& story) {
  std::vector<TrueTime> times;
  for (const auto& told : story.all<record::LeaseWritten>()) times.push_back(told.at);
  return times;
}

std::size_t lost(const Story& story, record::Loss why) {
  std::size_t count = 0;
  for (const auto& told : story.all<record::MessageLost>()) count += told.fact.why == why ? 1 : 0;
  return count;
}

Names cut_off(const Story& story, bool now_cut = true) {
  Names names;
  for (const auto& told : story.all<record::ConnectionChanged>()) {
    if (told.fact.cut_off == now_cut) names.push_back(story.name(told.fact.process));
  }
  return names;
}

// Who is cut off by a partition of `target` among four processes on nodes of their own, the first
// two in zone x, the third in zone y, the last in none.
Names cut_by(fault::Target target, Direction direction = Direction::both) {
  return cut_off(world_of(4, client_go())
                     .latency(1ms)
                     .in_zones({"x", "x", "y", ""})
                     .with(partition(target, 1s, std::nullopt, direction))
                     .lasting(2s)
                     .run());
}

}  // namespace

// client-go-elector.md 9.3: an isolated leader stops R + D after its last response.
TEST_CASE("a leader that is cut off stops R + D after its last response") {
  const Story story = slow_network().with(partition(leader(), 5100ms)).run();
  // Its renewal of 4.8 s was answered at 5.0 s.
  CHECK(story.ends(0) == std::vector<Duration>{5s + 2s + 10s});
  CHECK(story.all<record::ProcessEnded>().at(0).fact.reason == record::EndReason::stepped_down);
}

TEST_CASE("row B: with a release that hangs it stops R + 2 D after it") {
  auto config = client_go();
  config.release_on_cancel = true;
  const Story story =
      world_of(1, config).latency(200ms).lasting(40s).with(partition(leader(), 5100ms)).run();
  CHECK(story.ends(0) == std::vector<Duration>{5s + 2s + 20s});
}

// Row A of test-table.md, section 11.
TEST_CASE("row A: refused requests stop a leader when swallowed ones do") {
  const Story story =
      world_of(1, client_go()).latency(0s).with(outage(OutageMode::refuse, 5s)).lasting(40s).run();
  // Renewals at 0 s, 2 s, 4 s.
  CHECK(story.ends(0) == std::vector<Duration>{4s + 2s + 10s});
}

// Row C.
TEST_CASE("row C: a leader whose name was replaced leads between D and D + R more") {
  Story story = slow_network().story();
  story.until(6s);
  api::Lease lease = *story.lease();
  lease.spec.holder = Identity{9};
  story.world().server.handle({api::Verb::update, {}, lease});
  story.to_the_end();
  REQUIRE(story.ends(0).size() == 1);
  CHECK(story.ends(0)[0] - 6s >= 10s);
  CHECK(story.ends(0)[0] - 6s <= 12s);
  CHECK(story.all<record::LeaderObserved>().back().fact.holder == Identity{9});
}

// Row G.
TEST_CASE("row G: a Lease that is deleted under its leader is created anew, transitions 0") {
  Story story = slow_network().story();
  story.until(6s);
  api::Lease lease = *story.lease();
  lease.spec.lease_transitions = 7;
  story.world().server.handle({api::Verb::update, {}, lease});
  story.until(8s);
  CHECK(story.lease()->spec.lease_transitions == 7);
  story.world().server.handle({api::Verb::remove, {}, {}});
  story.to_the_end();
  CHECK(story.ends(0).empty());
  CHECK(story.lease()->spec.lease_transitions == 0);
  CHECK(story.holder() == "web-0");
}

TEST_CASE("a write whose reply is lost stays applied") {
  // The renewal that leaves at 2.6 s is applied at 2.7 s; nothing comes back.
  const Story story = slow_network().with(partition(process(0), 2500ms, 1s, Direction::from)).run();
  CHECK(written(story).at(2) == TrueTime{2700ms});
  CHECK(lost(story, record::Loss::cut) == 1);
  CHECK(story.had_effect(0));
}

TEST_CASE("a cut towards the API server keeps requests from it") {
  const Story story = slow_network().with(partition(process(0), 2500ms, 1s, Direction::to)).run();
  CHECK(written(story).at(2) > TrueTime{3500ms});
}

TEST_CASE("a message is lost if its path is cut when it would arrive") {
  // Sent at 2.6 s, cut at 2.65 s, due at 2.7 s.
  const Story request = slow_network().with(partition(process(0), 2650ms, 500ms)).run();
  CHECK(written(request).at(2) > TrueTime{3s});
  CHECK(lost(request, record::Loss::cut) == 1);
  // The reply leaves at 2.7 s, cut at 2.75 s, due at 2.8 s.
  const Story reply = slow_network().with(partition(process(0), 2750ms, 500ms)).run();
  CHECK(written(reply).at(2) == TrueTime{2700ms});
  CHECK(lost(reply, record::Loss::cut) == 1);
}

TEST_CASE("a message crosses a cut that is healed before it would arrive") {
  // Cut from 2.62 s to 2.68 s, while the request is under way.
  const Story story = slow_network().with(partition(process(0), 2620ms, 60ms)).run();
  CHECK(written(story).at(2) == TrueTime{2700ms});
  CHECK(lost(story, record::Loss::cut) == 0);
  CHECK_FALSE(story.had_effect(0));
}

TEST_CASE("a partition of no length cuts nothing") {
  // A request is sent at 2.6 s, and another arrives at 2.7 s.
  const Story story = slow_network()
                          .with(partition(process(0), 2600ms, 0s))
                          .with(partition(process(0), 2700ms, 0s))
                          .run();
  CHECK(lost(story, record::Loss::cut) == 0);
  CHECK_FALSE(story.had_effect(0));
}

TEST_CASE("a partition is half-open: it cuts at its beginning and no longer at its end") {
  CHECK(lost(slow_network().with(partition(process(0), 2600ms, 1ns)).run(), record::Loss::cut) ==
        1);
  CHECK(lost(slow_network().with(partition(process(0), 2500ms, 100ms)).run(), record::Loss::cut) ==
        0);
}

TEST_CASE("partitions of places cut who stands there") {
  CHECK(cut_by(node(1)) == Names{"web-1"});
  CHECK(cut_by(zone(0)) == Names{"web-0", "web-1"});
  CHECK(cut_by(zone(1)) == Names{"web-2"});
  CHECK(cut_by(api_server()) == Names{"web-0", "web-1", "web-2", "web-3"});
  CHECK(cut_by(process(2)) == Names{"web-2"});
}

TEST_CASE("a one-way cut is one-way at every place") {
  for (const fault::Target place : {process(0), node(0), zone(0), api_server()}) {
    CAPTURE(static_cast<int>(place.kind));
    const auto applied = [&](Direction direction) {
      return slow_network()
          .in_zones({"x"})
          .with(partition(place, 2500ms, 1s, direction))
          .run()
          .all<record::LeaseWritten>()
          .at(2)
          .at;
    };
    // Seen from the target; for the API server `from` is what is sent to it, the requests.
    const bool at_server = place.kind == fault::Target::Kind::api_server;
    CHECK((applied(Direction::to) == TrueTime{2700ms}) == at_server);
    CHECK((applied(Direction::from) == TrueTime{2700ms}) == !at_server);
    CHECK(applied(Direction::both) > TrueTime{3500ms});
  }
}

TEST_CASE("overlapping partitions both have to heal") {
  const Story story =
      slow_network().with(partition(process(0), 2500ms, 2s)).with(partition(node(0), 3s, 4s)).run();
  CHECK(written(story).at(2) > TrueTime{7s});
  CHECK(story.all<record::ConnectionChanged>().size() == 2);
}

TEST_CASE("a partition between other parties cuts nobody off the API server") {
  fault::Fault elsewhere = partition(process(0), 1s);
  elsewhere.cuts_api = false;
  const Story story = slow_network().with(elsewhere).run();
  CHECK(cut_off(story).empty());
  CHECK(story.ends(0).empty());
}

TEST_CASE("a partition that cuts nobody's message has no effect") {
  // Two nodes; what is lost at the one is not the doing of a cut at the other, nor of the other
  // way.
  const Story story = world_of(1, client_go())
                          .with_spare_nodes(1)
                          .latency(200ms)
                          .lasting(5s)
                          .with(partition(node(0), 2500ms, 1s, Direction::to))
                          .with(partition(node(1), 2500ms, 1s))
                          .run();
  CHECK(story.had_effect(0));
  CHECK_FALSE(story.had_effect(1));
}

TEST_CASE("whoever is drained away from a node that is cut off is connected again") {
  const Story story = world_of(1, client_go())
                          .with_spare_nodes(1)
                          .latency(1ms)
                          .restarting_after(1s)
                          .lasting(60s)
                          .with(partition(node(0), 20s))
                          .with(drain(node(0), 21s))
                          .run();
  const auto changes = story.all<record::ConnectionChanged>();
  REQUIRE(changes.size() == 2);
  CHECK(changes[0].fact.cut_off);
  CHECK_FALSE(changes[1].fact.cut_off);
  CHECK(story.holder() == "web-0.2");
}

TEST_CASE("whoever is drained to a node that is cut off is cut off with it") {
  const Story story = world_of(1, client_go())
                          .with_spare_nodes(1)
                          .latency(1ms)
                          .restarting_after(1s)
                          .lasting(60s)
                          .with(partition(node(1), 20s))
                          .with(drain(node(0), 21s))
                          .run();
  CHECK(cut_off(story) == Names{"web-0"});
  CHECK(story.holder() == "web-0");
}

// ---- delay and loss

TEST_CASE("a delay makes messages late both ways") {
  const Story story = slow_network().with(delay(process(0), 2500ms, 1s, 300ms)).run();
  CHECK(written(story).at(2) == TrueTime{2700ms + 300ms});
  const auto replies = story.all<record::ReplyReceived>();
  CHECK(replies.at(3).at == TrueTime{2800ms + 600ms});
  CHECK(story.had_effect(0));
  CHECK(cut_off(story).empty());
}

TEST_CASE("a delay hits only its targets") {
  const Story story = slow_network(2).with(delay(process(1), 2500ms, 10s, 300ms)).run();
  CHECK(written(story).at(2) == TrueTime{2700ms});
  CHECK(story.hit(0) == Names{"web-1"});
}

TEST_CASE("the jitter of a delay stays within its bounds") {
  fault::Fault jittery = delay(process(0), 1s, 300s, 100ms);
  jittery.jitter = 50ms;
  const Story story = slow_network().lasting(200s).with(jittery).run();
  Duration least = longest_duration;
  Duration most{};
  TrueTime sent{};
  for (const auto& record : story.history()) {
    if (std::holds_alternative<record::RequestSent>(record.fact)) sent = record.at;
    if (sent < TrueTime{1s} || !std::holds_alternative<record::RequestHandled>(record.fact)) {
      continue;
    }
    least = std::min(least, record.at - sent);
    most = std::max(most, record.at - sent);
  }
  CHECK(least >= 100ms + 50ms);
  CHECK(least < 100ms + 65ms);
  CHECK(most <= 100ms + 150ms);
  CHECK(most > 100ms + 135ms);
}

TEST_CASE("a loss of everything loses everything, a loss of nothing has no effect") {
  const Story all = slow_network().with(loss(process(0), 2500ms, 30s, {1, 1})).run();
  CHECK(all.ends(0).size() == 1);
  CHECK(lost(all, record::Loss::lost) > 0);
  const Story nothing = slow_network().with(loss(process(0), 2500ms, 30s, {0, 1})).run();
  CHECK(lost(nothing, record::Loss::lost) == 0);
  CHECK_FALSE(nothing.had_effect(0));
}

TEST_CASE("a loss of a third loses about a third of the messages of each direction") {
  auto config = client_go();
  config.request_timeout = 1s;
  const Story story = world_of(1, config)
                          .latency(2ms)
                          .lasting(3600s)
                          .with(loss(process(0), 0s, 3600s, {1, 3}))
                          .run();
  std::size_t requests = 0;
  for (const auto& told : story.all<record::MessageLost>()) requests += told.fact.was_request;
  const std::size_t replies = lost(story, record::Loss::lost) - requests;
  const std::size_t sent = story.all<record::RequestSent>().size();
  const std::size_t arrived = sent - requests;
  CHECK(requests * 100 > sent * 29);
  CHECK(requests * 100 < sent * 38);
  CHECK(replies * 100 > arrived * 29);
  CHECK(replies * 100 < arrived * 38);
}

// ---- outages of the API server

// client-go-elector.md 9.5: requests that fail fast; the leader survives iff the outage lasts at
// most R - a + k_max R, 8 s for sure and 10 s at most.
TEST_CASE("an outage that refuses is survived for k_max retry periods") {
  const auto survives = [](Duration lasting) {
    return world_of(1, client_go())
        .latency(0s)
        .lasting(60s)
        .with(outage(OutageMode::refuse, 21s, lasting))
        .run()
        .ends(0)
        .empty();
  };
  // The last response came at 20 s, a = 1 s: attempts at 22, 24, 26, 28, 30 s.
  CHECK(survives(8s));
  CHECK(survives(9s));
  CHECK_FALSE(survives(9s + 1ns));
}

TEST_CASE("an outage with an error answers with its status") {
  fault::Fault broken = outage(OutageMode::error, 2500ms, 1s);
  broken.code = 503;
  const Story story = slow_network().with(broken).run();
  std::size_t answered = 0;
  for (const auto& told : story.all<record::RequestHandled>()) answered += told.fact.code == 503;
  CHECK(answered > 0);
  CHECK(written(story).at(2) > TrueTime{3500ms});
  CHECK(story.had_effect(0));
}

TEST_CASE("a request that the API server swallows ends when the connection is found dead") {
  // The follower web-1 reads in vain; it has no time limit of its own.
  const Story story = world_of(2, client_go())
                          .latency(200ms)
                          .lasting(120s)
                          .with(outage(OutageMode::hang, 1s, 5s))
                          .run();
  CHECK(lost(story, record::Loss::swallowed) > 0);
  bool found_dead = false;
  TrueTime sent{};
  for (const auto& record : story.history()) {
    if (const auto* fact = std::get_if<record::RequestSent>(&record.fact)) {
      if (fact->from.process == ProcessId{1}) sent = record.at;
    }
    const auto* fact = std::get_if<record::ReplyReceived>(&record.fact);
    if (fact == nullptr || fact->by.process != ProcessId{1} || fact->code != 0) continue;
    CHECK(record.at - sent == 45s);
    CHECK(fact->outcome == static_cast<std::uint8_t>(api::Outcome::connection_lost));
    found_dead = true;
  }
  CHECK(found_dead);
}

TEST_CASE("a client's own time limit comes first, if it is shorter") {
  const auto ended = [](elect::AnyElectorConfig config, Duration limit) {
    std::visit([&](auto& c) { c.request_timeout = limit; }, config);
    const Story story =
        world_of(1, config).latency(1ms).lasting(100s).with(outage(OutageMode::hang, 0s)).run();
    const auto first = story.all<record::ReplyReceived>().at(0);
    return std::pair{first.at.time_since_epoch(), static_cast<api::Outcome>(first.fact.outcome)};
  };
  const std::pair limit{Duration{5s}, api::Outcome::timeout};
  const std::pair dead{Duration{45s}, api::Outcome::connection_lost};
  CHECK(ended(client_go(), 5s) == limit);
  CHECK(ended(elect::NaiveLoopConfig{}, 5s) == limit);
  // client-go-elector.md 9.3, OpenShift's row: a limit of 107 s, and the call ends at 45 s.
  CHECK(ended(client_go(137s, 107s, 26s), 107s) == dead);
}

TEST_CASE("a partition and an outage look alike to who is cut off") {
  const Story story = slow_network(2).with(outage(OutageMode::refuse, 5s, 1s)).run();
  CHECK(cut_off(story) == Names{"web-0", "web-1"});
  CHECK(cut_off(story, false) == Names{"web-0", "web-1"});
}

// ---- latency

TEST_CASE("a round trip takes half its time each way, the odd nanosecond on the way back") {
  const Story story = world_of(1, client_go()).latency(5ns).lasting(1s).run();
  CHECK(story.all<record::RequestHandled>().at(0).at == TrueTime{2ns});
  CHECK(story.all<record::ReplyReceived>().at(0).at == TrueTime{5ns});
}

TEST_CASE("reads and writes may take different times") {
  const Story story = world_of(1, client_go())
                          .latency({net::Latency::Form::round_trip, Distribution::constant(10ms),
                                    Distribution::constant(30ms)})
                          .lasting(1s)
                          .run();
  const auto replies = story.all<record::ReplyReceived>();
  CHECK(replies.at(0).at == TrueTime{10ms});
  CHECK(replies.at(1).at == TrueTime{40ms});
}

TEST_CASE("one-way delays are drawn for each way") {
  const Story story = world_of(1, client_go())
                          .latency({net::Latency::Form::one_way, Distribution::constant(10ms),
                                    Distribution::constant(30ms)})
                          .lasting(1s)
                          .run();
  CHECK(story.all<record::RequestHandled>().at(0).at == TrueTime{10ms});
  CHECK(story.all<record::ReplyReceived>().at(0).at == TrueTime{40ms});
}
