#include <cstdint>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include "support/world_builder.hpp"

using namespace tenure;
using namespace tenure::support;
using namespace std::chrono_literals;
using fault::PauseClocks;

namespace {

// Answers the questions for an order after a pause from a list, all others from a seed.
class ChosenOrder final : public Oracle {
 public:
  ChosenOrder(const std::string& process, std::vector<std::uint64_t> answers)
      : order_(world::process_streams(process).order), script_(std::move(answers)) {}

  std::uint64_t pick(Draw draw, std::uint64_t bound) override {
    return draw.stream == order_ ? script_.pick(draw, bound) : seeded_.pick(draw, bound);
  }
  bool exhausted() const { return script_.exhausted(); }

 private:
  Stream order_;
  ScriptedOracle script_;
  SeededOracle seeded_{1, 0};
};

// A leader whose renewal leaves at 2.4 s and would be answered at 2.6 s, frozen in between. The
// round's deadline is at 12.4 s.
WorldBuilder frozen_with_a_request_in_flight() {
  return world_of(1, client_go()).latency(200ms).lasting(30s).with(pause(process(0), 450ms, 12s));
}

}  // namespace

// client-go-elector.md 9.8: a pause of at most L - R can never break anything.
TEST_CASE("a short pause of the leader goes unnoticed by the others") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Story story =
        world_of(3, client_go())
            .latency(0s)
            .lasting(60s)
            .with(
                pause(leader(), 20s + Duration{static_cast<std::int64_t>(seed) * 40'000'000}, 13s))
            .run(seed);
    REQUIRE(story.two_leaders() == 0s);
    REQUIRE(story.begins(1).empty());
    REQUIRE(story.begins(2).empty());
  }
}

// 9.8: the timer of the wait is due at the end of the pause; two leaders from there for exactly D.
TEST_CASE("a leader whose clock ran on during a long pause leads for D more") {
  const Story story =
      world_of(3, client_go()).latency(0s).lasting(80s).with(pause(process(0), 21s, 30s)).run();
  CHECK(story.ends(0) == std::vector<Duration>{51s + 10s});
  CHECK(story.two_leaders() > 0s);
  CHECK(story.had_effect(0));
}

// 9.8: with a suspended machine the rest of the wait still runs after the resume.
TEST_CASE(
    "a leader whose clock stood still during a long pause leads for the rest of its wait and D") {
  // Renewals at 0 s, 2 s, ...: at 21 s one second of the wait is left.
  const Story story = world_of(3, client_go())
                          .latency(0s)
                          .lasting(80s)
                          .with(pause(process(0), 21s, 30s, PauseClocks::stop))
                          .run();
  CHECK(story.ends(0) == std::vector<Duration>{51s + 1s + 10s});
  CHECK(story.two_leaders() > 0s);
}

// Row I of test-table.md, section 11, with a release: the elector has seen its successor.
TEST_CASE("a leader that slept and has seen its successor releases nothing") {
  auto config = client_go();
  config.release_on_cancel = true;
  const Story story =
      world_of(2, config).latency(1ms).lasting(80s).with(pause(process(0), 21s, 30s)).run();
  REQUIRE(story.ends(0).size() == 1);
  CHECK(story.ends(0)[0] >= 51s + 10s);
  CHECK(story.ends(0)[0] < 51s + 10s + 10ms);
  CHECK(story.holder() == "web-1");
}

TEST_CASE("a paused process does nothing, and says when it was paused") {
  const Story story =
      world_of(1, client_go()).latency(1ms).lasting(40s).with(pause(process(0), 10s, 5s)).run();
  for (const auto& sent : story.all<record::RequestSent>()) {
    CHECK((sent.at < TrueTime{10s} || sent.at >= TrueTime{15s}));
  }
  CHECK(story.all<record::ProcessPaused>().at(0).at == TrueTime{10s});
  CHECK(story.all<record::ProcessResumed>().at(0).at == TrueTime{15s});
}

TEST_CASE("a reply that reaches a paused process is handled at the end of the pause") {
  const Story story =
      world_of(1, client_go()).latency(200ms).lasting(10s).with(pause(process(0), 450ms, 3s)).run();
  const auto received = story.all<record::ReplyReceived>();
  CHECK(received.at(2).at == TrueTime{3450ms});
  CHECK(story.had_effect(0));
}

// Row J: the deadline's timer and the renewal's reply are both there at the end of the pause.
TEST_CASE("after a pause the deadline may come first, and the leader stops at once") {
  const auto story = frozen_with_a_request_in_flight().run(
      std::make_unique<ChosenOrder>("web-0", std::vector<std::uint64_t>{0}));
  CHECK(story.ends(0) == std::vector<Duration>{12450ms});
}

TEST_CASE("after a pause the reply may come first, and the leader leads on") {
  const auto story = frozen_with_a_request_in_flight().run(
      std::make_unique<ChosenOrder>("web-0", std::vector<std::uint64_t>{1}));
  CHECK(story.ends(0).empty());
}

// client-go-elector.md 4.8, context deadline. The renewal was swallowed; its time limit of 5 s and
// the round's deadline are both over at the end of the pause, and the time limit is handled first.
TEST_CASE("after a pause nothing is sent under a deadline that has passed") {
  auto config = client_go();
  config.request_timeout = 5s;
  const Story story =
      world_of(1, config)
          .latency(200ms)
          .never_restarting()
          .lasting(60s)
          .with(partition(process(0), 450ms, 30s, fault::Direction::to))
          .with(pause(process(0), 460ms, 40s))
          .run(std::make_unique<ChosenOrder>("web-0", std::vector<std::uint64_t>{1}));
  CHECK(story.ends(0) == std::vector<Duration>{40460ms});
  CHECK(story.all<record::RequestSent>().back().at == TrueTime{400ms});
}

TEST_CASE("both orders after a pause are drawn") {
  int stopped = 0;
  constexpr int runs = 200;
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    if (!frozen_with_a_request_in_flight().run(seed).ends(0).empty()) ++stopped;
  }
  CHECK(stopped > runs / 4);
  CHECK(stopped < runs * 3 / 4);
}

TEST_CASE("a process that is killed while it is paused is not resumed in its successor") {
  const Story story = world_of(1, client_go())
                          .latency(1ms)
                          .restarting_after(1s)
                          .lasting(60s)
                          .with(pause(process(0), 10s, 10s))
                          .with(crash(process(0), 12s))
                          .run();
  CHECK(story.all<record::ProcessResumed>().empty());
  CHECK(story.all<record::ProcessStarted>().at(1).at == TrueTime{13s});
  CHECK(story.all<record::RequestSent>().back().at > TrueTime{40s});
}

TEST_CASE("of two pauses that overlap the longer one counts") {
  const Story story = world_of(1, client_go())
                          .latency(1ms)
                          .lasting(60s)
                          .with(pause(process(0), 10s, 4s))
                          .with(pause(process(0), 12s, 6s, PauseClocks::stop))
                          .run();
  CHECK(story.all<record::ProcessPaused>().size() == 1);
  REQUIRE(story.all<record::ProcessResumed>().size() == 1);
  CHECK(story.all<record::ProcessResumed>()[0].at == TrueTime{18s});
}

TEST_CASE("a pause of no length changes nothing") {
  const auto builder = world_of(2, client_go()).latency(0s).lasting(40s);
  auto paused = builder;
  // A renewal is due at 20 s exactly.
  paused.with(pause(process(0), 20s, 0s)).with(pause(process(0), 21s, 0s));
  const Story story = paused.run();
  CHECK_FALSE(story.had_effect(0));
  CHECK_FALSE(story.had_effect(1));
  CHECK(story.begins(0) == builder.run().begins(0));
  CHECK(story.ends(0).empty());
}

TEST_CASE("a pause that ends when a timer is due has no effect, a nanosecond more has") {
  const auto effect = [](Duration lasting) {
    return world_of(1, client_go())
        .latency(0s)
        .lasting(40s)
        .with(pause(process(0), 20s + 1ns, lasting))
        .run()
        .had_effect(0);
  };
  CHECK_FALSE(effect(2s - 1ns));
  CHECK(effect(2s));
}

TEST_CASE(
    "a reply that is held back is the doing of the pause that holds it, not of one elsewhere") {
  const Story story =
      frozen_with_a_request_in_flight().with_spare_nodes(1).with(pause(node(1), 450ms, 12s)).run();
  CHECK(story.had_effect(0));
  CHECK_FALSE(story.had_effect(1));
}

TEST_CASE("a signal that reaches a paused process is handled at the end of the pause") {
  const Story story = world_of(1, client_go())
                          .latency(1ms)
                          .never_restarting()
                          .lasting(60s)
                          .with(pause(process(0), 10s, 5s))
                          .with(terminate(process(0), 11s))
                          .run();
  CHECK(story.ends(0) == std::vector<Duration>{15s});
  CHECK(story.all<record::ProcessEnded>().at(0).fact.reason == record::EndReason::stopped);
}

TEST_CASE("a paused process is killed at the end of its grace period all the same") {
  fault::Fault impatient = terminate(process(0), 11s);
  impatient.grace_period = 2s;
  const Story story = world_of(1, client_go())
                          .latency(1ms)
                          .never_restarting()
                          .lasting(60s)
                          .with(pause(process(0), 10s, 5s))
                          .with(impatient)
                          .run();
  const auto ended = story.all<record::ProcessEnded>();
  REQUIRE(ended.size() == 1);
  CHECK(ended[0].at == TrueTime{13s});
  CHECK(ended[0].fact.reason == record::EndReason::killed);
}

TEST_CASE("the callback of a process that stops does not return while the process is paused") {
  const Story story = world_of(1, client_go())
                          .latency(1ms)
                          .never_restarting()
                          .candidates([](auto& candidate) {
                            candidate.on_stopped_leading = Distribution::constant(3s);
                          })
                          .lasting(60s)
                          .with(terminate(process(0), 10s))
                          .with(pause(process(0), 11s, 10s))
                          .run();
  CHECK(story.all<record::ProcessEnded>().at(0).at == TrueTime{21s});
}

TEST_CASE("a process that lost its lease ends when its callback returns") {
  const Story story = world_of(1, client_go())
                          .latency(1ms)
                          .candidates([](auto& candidate) {
                            candidate.on_stopped_leading = Distribution::constant(3s);
                          })
                          .restarting_after(1s)
                          .lasting(60s)
                          .with(partition(process(0), 21s, 20s))
                          .run();
  const auto ended = story.all<record::ProcessEnded>();
  REQUIRE(ended.size() == 1);
  CHECK(ended[0].at == TrueTime{story.ends(0).at(0) + 3s});
  CHECK(ended[0].fact.reason == record::EndReason::stepped_down);
}

TEST_CASE("a process that runs its elector again does so when its callback has returned") {
  const Story story = world_of(1, client_go())
                          .latency(1ms)
                          .candidates([](auto& candidate) {
                            candidate.on_stopped_leading = Distribution::constant(3s);
                            candidate.exit_on_lost = false;
                          })
                          .lasting(60s)
                          .with(partition(process(0), 21s, 12s))
                          .run();
  CHECK(story.all<record::ProcessEnded>().empty());
  REQUIRE(story.begins(0).size() == 2);
  // client-go-elector.md 4.7: what was observed is kept; it is the fast path that takes it back.
  CHECK(story.begins(0)[1] >= story.ends(0)[0] + 3s);
  CHECK(story.begins(0)[1] < story.ends(0)[0] + 3s + 5s);
}

// client-go-elector.md 9.9 (a): a signal is pending when the leader resumes after its successor
// took over. If the signal comes first, the release clears the successor's Lease.
TEST_CASE("a stale release clears the Lease of the successor from v0.34, not in v0.33") {
  const auto holder_after = [](int minor) {
    auto config = client_go();
    config.release_on_cancel = true;
    config.profile = elect::client_go_profile(minor);
    const auto builder = world_of(2, config)
                             .latency(10ms)
                             .never_restarting()
                             .lasting(51s + 100ms)
                             .with(pause(process(0), 21s, 30s))
                             .with(terminate(process(0), 40s));
    // Due at the end of the pause: the wait's timer (0) and the signal (1).
    return builder.run(std::make_unique<ChosenOrder>("web-0", std::vector<std::uint64_t>{1}))
        .holder();
  };
  CHECK(holder_after(33) == "web-1");
  CHECK(holder_after(34) == "");
  CHECK(holder_after(37) == "");
}
