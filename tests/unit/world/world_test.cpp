#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include "support/world_builder.hpp"

using namespace tenure;
using namespace tenure::support;
using namespace std::chrono_literals;

namespace {

// A world with something of everything under way.
WorldBuilder busy() {
  return world_of(3, client_go())
      .latency({net::Latency::Form::one_way, Distribution::exponential(20ms),
                Distribution::uniform(1ms, 50ms)})
      .lasting(120s)
      .with(crash(leader(), 30s))
      .with(pause(pick(everyone(), fault::Target::Mode::one), 40s, 20s))
      .with(loss(followers(), 10s, 50s, {1, 5}))
      .with(partition(node(1), 50s, 12s));
}

using Answers = std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t>;

// What was drawn, by stream and number.
Answers answers_of(const WorldBuilder& builder, std::uint64_t seed) {
  struct Both final : Oracle {
    SeededOracle seeded;
    RecordingOracle recording{seeded};
    explicit Both(std::uint64_t s) : seeded(s, 0) {}
    std::uint64_t pick(Draw draw, std::uint64_t bound) override {
      return recording.pick(draw, bound);
    }
  };
  auto oracle = std::make_unique<Both>(seed);
  const Both& kept = *oracle;
  const Story story = builder.run(std::move(oracle));
  Answers answers;
  for (const auto& choice : kept.recording.choices()) {
    answers[{choice.draw.stream.key, choice.draw.number}] = choice.answer;
  }
  return answers;
}

bool agree_where_both_asked(const Answers& few, const Answers& many) {
  return std::all_of(few.begin(), few.end(), [&](const auto& answer) {
    const auto same = many.find(answer.first);
    return same == many.end() || same->second == answer.second;
  });
}

}  // namespace

TEST_CASE("the same seed is the same run") {
  CHECK(busy().run(5).world().run_hash == busy().run(5).world().run_hash);
  CHECK(busy().run(5).history().size() == busy().run(5).history().size());
  CHECK(busy().run(5).world().run_hash != busy().run(6).world().run_hash);
}

TEST_CASE("whoever listens changes nothing of a run") {
  struct Deaf final : record::Recorder {
    void on(const record::Record&) override {}
  };
  const auto builder = busy();
  Deaf deaf;
  SeededOracle oracle{5, 0};
  world::World world = world::make_world(builder.setup());
  world::begin_run(world, oracle);
  while (world::step(world, oracle, deaf)) {
  }
  CHECK(world.run_hash == builder.run(5).world().run_hash);
}

TEST_CASE("a run is half-open: what is due at its end does not happen") {
  // A renewal is due at 20 s exactly.
  const auto builder = world_of(1, client_go()).latency(0s);
  auto shorter = builder;
  CHECK(shorter.lasting(20s).run().world().now < TrueTime{20s});
  auto longer_run = builder;
  CHECK(longer_run.lasting(20s + 1ns).run().world().now == TrueTime{20s});
}

TEST_CASE("a copy of a world is equal and has the same future") {
  const auto builder = busy();
  Story story = builder.story(5);
  for (int second = 5; second < 120; second += 10) {
    CAPTURE(second);
    story.until(std::chrono::seconds{second});
    const world::World copy = story.world();
    CHECK(copy == story.world());
  }
  Story first = builder.story(5);
  first.until(45s);
  world::World copy = first.world();
  first.to_the_end();
  SeededOracle oracle{5, 0};
  record::KeepHistory history;
  while (world::step(copy, oracle, history)) {
  }
  CHECK(copy == first.world());
}

// ---- streams: architecture.md 4.3

TEST_CASE("another candidate changes no other draw") {
  const auto few = world_of(3, client_go())
                       .latency({net::Latency::Form::one_way, Distribution::exponential(20ms),
                                 Distribution::uniform(1ms, 50ms)})
                       .lasting(60s)
                       .with(crash(process(0), 30s));
  auto many = few;
  many.and_of(2, client_go(), "other");
  CHECK(agree_where_both_asked(answers_of(few, 5), answers_of(many, 5)));
}

TEST_CASE("another fault changes no other draw") {
  auto more = busy();
  fault::Fault another = delay(process(2), 5s, 100s, 10ms);
  another.name = "another";
  another.jitter = 5ms;
  another.at = Distribution::uniform(1s, 9s);
  more.with(another);
  CHECK(agree_where_both_asked(answers_of(busy(), 5), answers_of(more, 5)));
}

// ---- client-go with a world around it: test-table.md, section 11

// Row E: 2670 waits lay between R and 2.2 R.
TEST_CASE("row E: a follower waits R to 2.2 R, end to start") {
  Duration least = longest_duration;
  Duration most{};
  double sum = 0;
  int waits = 0;
  const Story story = world_of(11, client_go()).latency(1ms).lasting(1000s).run();
  std::map<std::uint32_t, TrueTime> answered;
  for (const auto& record : story.history()) {
    if (const auto* fact = std::get_if<record::ReplyReceived>(&record.fact)) {
      answered[fact->by.process.value] = record.at;
    }
    const auto* sent = std::get_if<record::RequestSent>(&record.fact);
    if (sent == nullptr || sent->from.process == ProcessId{0}) continue;
    const auto last = answered.find(sent->from.process.value);
    if (last == answered.end() || last->second == record.at) continue;
    const Duration wait = record.at - last->second;
    least = std::min(least, wait);
    most = std::max(most, wait);
    sum += static_cast<double>(wait.count()) / 1e9;
    ++waits;
  }
  CHECK(waits > 2670);
  CHECK(least >= 2s);
  CHECK(least < 2s + 10ms);
  CHECK(most < 4400ms);
  CHECK(most > 4400ms - 10ms);
  // client-go-elector.md 9.1: the mean is 1.6 R.
  CHECK(sum / waits == doctest::Approx(3.2).epsilon(0.01));
}

// Row F.
TEST_CASE("row F: two processes with one identity both lead") {
  auto builder = world_of(1, client_go()).latency(1ms).lasting(20s);
  builder.and_of(1, client_go(), "twin");
  auto setup = std::make_shared<world::Setup>(*builder.setup());
  setup->processes[1].identity = setup->processes[0].identity;
  setup->candidates[1].start = Distribution::constant(10s);
  Story story{world::make_world(setup), std::make_unique<SeededOracle>(1, 0)};
  story.to_the_end();
  CHECK(story.begins(1) == std::vector<Duration>{10s + 2ms});
  CHECK(story.believers_at(11s) == Names{"twin-0", "web-0"});
  CHECK(story.lease()->spec.lease_transitions == 0);
}

// Row H: accepted by the validation, and two leaders with perfect clocks for R + D - L = 0.8 s,
// less the follower's poll, or up to a second more where renewals fall into one second of the wall
// clock.
TEST_CASE("row H: a lease that is shorter than R + D has two leaders when its holder is isolated") {
  const auto leader_config = client_go(2s, 1900ms, 900ms);
  CHECK(elect::refusal(leader_config) == std::nullopt);
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    auto builder = world_of(1, leader_config).latency(1ms).never_restarting().lasting(20s);
    builder.and_of(1, client_go(2s, 1900ms, 100ms), "rival").candidates([](auto& candidate) {
      candidate.start = Distribution::constant(500ms);
    });
    // Just after the response of a renewal.
    builder.with(
        partition(process(0), 10s + Duration{static_cast<std::int64_t>(seed) * 30'000'000}));
    const Story story = builder.run(seed);
    REQUIRE(story.two_leaders() > 0s);
    REQUIRE(story.two_leaders() <= 800ms + 1s + 10ms);
  }
}

// client-go-elector.md 9.3 and 9.8: M = L - D - R > 0 has no two leaders, whatever is cut.
TEST_CASE("with L > D + R an isolated leader has stopped before another begins") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    const auto begin = 20s + Duration{static_cast<std::int64_t>(seed) * 37'000'000};
    const Story story = world_of(3, client_go())
                            .latency(20ms)
                            .lasting(80s)
                            .with(partition(leader(), begin, 30s))
                            .run(seed);
    REQUIRE(story.two_leaders() == 0s);
    REQUIRE(story.begins(0).size() + story.begins(1).size() + story.begins(2).size() >= 2);
  }
}

// client-go-elector.md 9.4: one leader iff the rates' ratio is at most L / (D + R) = 1.25.
TEST_CASE("followers whose clocks are too fast take over from a leader that still leads") {
  const auto overlaps = [](std::int64_t parts_per_billion) {
    int count = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      auto builder = world_of(1, client_go()).latency(0s).never_restarting().lasting(60s);
      builder.and_of(2, client_go(), "fast").candidates([&](auto& candidate) {
        candidate.clock_gain = {Duration{parts_per_billion}, {}};
        candidate.start = Distribution::constant(1ms);
      });
      builder.with(
          partition(process(0), 20s + Duration{static_cast<std::int64_t>(seed) * 33'000'000}));
      count += builder.run(seed).two_leaders() > 0s ? 1 : 0;
    }
    return count;
  };
  CHECK(overlaps(250'000'000) == 0);
  CHECK(overlaps(600'000'000) > 40);  // 91.8 % by the table
}

// ---- the naive loop: other-electors.md, 9a

TEST_CASE("a naive loop that is cut off leads on while another takes over") {
  const Story story = world_of(2, elect::NaiveLoopConfig{})
                          .latency(10ms)
                          .lasting(120s)
                          .with(partition(process(0), 20s, 60s))
                          .run();
  CHECK(story.believers_at(60s) == Names{"web-0", "web-1"});
  // Healed at 80 s; the call that hung since 20 s is found dead within 45 s, and the flag cleared.
  CHECK(story.believers_at(119s) == Names{"web-1"});
}

TEST_CASE("a naive loop with a fast wall clock takes a Lease that is being renewed") {
  auto builder = world_of(1, elect::NaiveLoopConfig{}).latency(10ms).lasting(60s);
  builder.and_of(1, elect::NaiveLoopConfig{}, "ahead").candidates([](auto& candidate) {
    candidate.clock_offset = {20s, {}};
    candidate.start = Distribution::constant(5s);
  });
  const Story story = builder.run();
  CHECK(story.two_leaders() > 0s);
}
