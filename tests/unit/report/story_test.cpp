// What a counterexample says: histories made by hand, each the smallest that has its cause, so that
// every number can be checked against the lines that made it.
#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/api/message.hpp>
#include <tenure/report/story.hpp>

namespace tenure::report {
namespace {

using namespace std::chrono_literals;
using record::Incarnation;
using record::Level;

constexpr Incarnation a{ProcessId{0}, 0};
constexpr Incarnation b{ProcessId{1}, 0};

// A history in the making: c-0 and c-1, with one Lease of 15 s.
class Tale {
 public:
  explicit Tale(const elect::AnyElectorConfig& elector = elect::ClientGoConfig{}) {
    world::Candidate candidate;
    candidate.elector = elector;
    setup_.candidates = {candidate};
    for (const char* each : {"c-0", "c-1"}) {
      world::ProcessSetup process;
      process.name = each;
      setup_.identities.emplace_back(each);
      process.identity = static_cast<std::uint32_t>(setup_.identities.size());
      setup_.processes.push_back(process);
    }
    setup_.duration = 60s;
    clocks_.resize(2);
    for (kernel::NodeClock& clock : clocks_) clock.wall = world::epoch;
    at(0s, record::ProcessStarted{a, {1, 0}});
    at(0s, record::ProcessStarted{b, {2, 0}});
  }

  template <class Fact>
  Tale& at(Duration time, const Fact& fact) {
    ++event_;
    return also(time, fact);
  }
  // In the same event.
  template <class Fact>
  Tale& also(Duration time, const Fact& fact) {
    history_.push_back({TrueTime{time}, history_.size(), event_, fact});
    return *this;
  }

  // A request that is handled at once; `reply` is when its answer is heard, none: never.
  Tale& asks(Duration time, Incarnation who, api::Verb verb, std::optional<Duration> reply) {
    const auto number = static_cast<std::uint8_t>(verb);
    at(time, record::RequestSent{who, next_, number});
    at(time, record::RequestHandled{who, number, 200, false, false, next_});
    if (reply) due_.push_back({*reply, record::ReplyReceived{who, next_, 200, 0}});
    ++next_.value;
    return *this;
  }
  // An update that is stored.
  Tale& writes(Duration time, Incarnation who, std::optional<Duration> reply) {
    return stores(time, who, identity(who), reply);
  }
  Tale& stores(Duration time, Incarnation who, Identity holder, std::optional<Duration> reply) {
    asks(time, who, api::Verb::update, reply);
    record::LeaseWritten written;
    written.writer = who;
    written.writer_identity = identity(who);
    written.base = written.replaced = Revision{revision_};
    written.revision = Revision{++revision_};
    written.record.holder = holder;
    written.record.duration_seconds = 15;
    return also(time, written);
  }
  Tale& hears() {
    at(due_.back().first, due_.back().second);
    due_.pop_back();
    return *this;
  }
  Tale& loses(Duration time, Incarnation who) {
    at(time, record::RequestSent{who, next_, 2});
    also(time, record::MessageLost{who, next_, true, record::Loss::cut});
    ++next_.value;
    return *this;
  }
  Tale& claims(Duration time, Incarnation who, Duration age) {
    return at(time, record::ExpiryClaimed{who, Revision{revision_}, age, 15s});
  }
  Tale& leads(Duration time, Incarnation who) {
    return also(time, record::LeadershipBegan{who, Level::context});
  }
  Tale& stops(Duration time, Incarnation who) {
    return at(time, record::LeadershipEnded{who, Level::context, record::EndReason::stepped_down});
  }
  Tale& calls(Incarnation who, Identity identity) {
    identities_[who.process.value] = identity;
    return *this;
  }
  Tale& clock(Incarnation who, Duration offset, std::int64_t rate) {
    clocks_[who.process.value].wall += offset;
    clocks_[who.process.value].rate = kernel::ClockRate{rate};
    return *this;
  }

  std::string told(Duration overlap, std::size_t columns = 0, std::string nearest = {}) const {
    const check::Violation violation{
        .id = check::PropertyId::B1, .at = TrueTime{overlap}, .who = a, .other = b};
    return story({.setup = setup_,
                  .history = history_,
                  .violation = violation,
                  .level = Level::context,
                  .clocks = clocks_,
                  .nearest = nearest,
                  .replay = nearest.empty() ? "" : "tenure replay x.yaml --run 3"},
                 columns, Characters::ascii);
  }

 private:
  Identity identity(Incarnation who) const { return identities_[who.process.value]; }

  world::Setup setup_;
  std::vector<kernel::NodeClock> clocks_;
  std::vector<record::Record> history_;
  std::vector<std::pair<Duration, record::ReplyReceived>> due_;
  Identity identities_[2] = {{1, 0}, {2, 0}};
  std::uint64_t event_ = 0;
  std::int64_t revision_ = 1;
  RequestId next_{0};
};

bool says(const std::string& text, std::string_view words) {
  return text.find(words) != std::string::npos;
}

// Times below are of c-0's acquisition at 0 s and its renewal at 10 s, known `reply` later.
Tale led_and_renewed(const elect::AnyElectorConfig& elector, Duration reply) {
  return Tale{elector}.writes(0s, a, 0s).hears().leads(0s, a).writes(10s, a, 10s + reply).hears();
}
Tale taken_over(Tale tale, Duration at, Duration age = 15s) {
  return tale.claims(at, b, age).writes(at, b, at).hears().leads(at, b);
}

// exploration, section 6: c-0 is paused from 2 s to 15 s, just before its next renewal is due.
TEST_CASE("the shortest counterexample is told with the inequality that failed") {
  Tale tale;
  tale.writes(0s, a, 0s).hears().leads(0s, a).writes(0s, a, 0s).hears();
  tale.asks(0s, b, api::Verb::get, 0s).hears();
  tale.at(2s, record::ProcessPaused{a});
  tale.asks(5s, b, api::Verb::get, 5s).hears().asks(10s, b, api::Verb::get, 10s).hears();
  tale = taken_over(tale, 15s);
  tale.at(15s, record::ProcessResumed{a});
  tale.asks(15s, a, api::Verb::get, 15s).hears().stops(25s, a);
  const std::string text = tale.told(15s);
  CHECK(says(text, "c-0 and c-1 both led from 15.000s to 25.000s, for 10s"));
  CHECK(says(text, "safe is  L >= D + R + d + P"));
  CHECK(says(text, "15s >= 10s + 2s + 0s + 13s is false (the right side is 25s)"));
  CHECK(says(text, "0.000s  c-1  first sees rv 3, and counts by its own clock from here"));
  CHECK(says(text, "5.000s  c-1  looks 2 more times: no change"));
  CHECK(says(text, "15.000s  c-1  finds rv 3 15s old, by its clock: no less than 15s, expired"));
  CHECK(says(text, "15.000s  c-1  leads, and so does c-0: TWO LEADERS"));
  CHECK(says(text, "15.000s  c-0  runs on after 13s"));
  CHECK(says(text, "15.000s  c-0  begins a round: 10s until it gives up"));
  CHECK(says(text, "15.000s  c-0  reads that c-1 holds the Lease, and leads on"));
  CHECK(says(text, "25.000s  c-0  stops leading: its round has failed"));
}

TEST_CASE("after an acquisition the round begins at once: no R") {
  Tale tale;
  tale.writes(0s, a, 6s).hears().leads(6s, a).loses(6s, a).loses(11s, a);
  const std::string text = taken_over(tale, 15s).stops(16s, a).told(15s);
  CHECK(says(text, "safe is  L >= D + d + P"));
  CHECK(says(text, "15s >= 10s + 6s + 0s is false (the right side is 16s)"));
  CHECK(says(text, "0.000s  c-0  takes the Lease, rv 2: its last write before the overlap"));
  CHECK(says(text, "6.000s  c-0  hears of that write, 6s after it"));
  CHECK(says(text, "6.000s  c-0  its next 2 requests are lost (cut off)"));
}

TEST_CASE("a fast clock of the follower shortens L, and its readings are shown") {
  Tale tale = led_and_renewed(elect::ClientGoConfig{}, 0s).clock(b, 0s, 1'500'000'000);
  const std::string text = taken_over(tale.loses(12s, a), 20s).stops(22s, a).told(20s);
  CHECK(says(text, "10s >= 10s + 2s + 0s + 0s is false (the right side is 12s)"));
  CHECK(says(text, "L leaseDuration (15s of c-1's clock, which runs at 1.5)"));
  CHECK(says(text, "20.000s  c-1  takes the Lease over, rv 4  [30.000s by its clock]"));
  CHECK_FALSE(says(text, "renews, rv 3: its last write before the overlap  ["));
}

TEST_CASE("a slow clock of the leader stretches D and R") {
  Tale tale = led_and_renewed(elect::ClientGoConfig{}, 0s).clock(a, 0s, 800'000'000);
  const std::string text = taken_over(tale.loses(12500ms, a), 25s).stops(26s, a).told(25s);
  CHECK(says(text, "15s >= 12.5s + 2.5s + 0s + 0s"));  // equal, which is safe
  CHECK(says(text, "the margin formula holds"));
}

TEST_CASE("a difference that rounding would hide is shown in full") {
  Tale tale = led_and_renewed(elect::ClientGoConfig{}, 3s + 1ns);
  const std::string text = taken_over(tale.loses(15s, a), 25s).stops(25s + 1ns, a).told(25s);
  CHECK(says(text, "15s >= 10s + 2s + 3.000000001s + 0s is false"));
}

TEST_CASE("a pause while the reply waits counts once") {
  Tale tale;
  tale.writes(0s, a, 0s).hears().leads(0s, a).writes(10s, a, 24s);
  tale.at(10s, record::ProcessPaused{a}).at(24s, record::ProcessResumed{a}).hears();
  const std::string text = taken_over(tale.loses(26s, a), 30s).stops(36s, a).told(30s);
  CHECK(says(text, "15s >= 10s + 2s + 0s + 14s is false"));
}

TEST_CASE("a renewal that changed nothing is named where the formula holds") {
  Tale tale;
  tale.writes(0s, a, 0s).hears().leads(0s, a).writes(10s, a, std::nullopt);
  tale.asks(15s, a, api::Verb::update, 15s).hears().loses(17s, a);
  const std::string text = taken_over(tale, 25s).stops(27s, a).told(25s);
  CHECK(says(text, "the margin formula holds: L >= D + R + d + P, 15s >= 10s + 2s + 0s + 0s"));
  CHECK(says(text, "its last success, at 15.000s, changed nothing; others count from rv 3"));
  CHECK(says(text, "at 10.000s; with d from there, 15s >= 10s + 2s + 5s + 0s is false"));
  CHECK(says(text, "15.000s  c-0  its next write is answered 200, and changes nothing"));
}

TEST_CASE("whoever takes a released Lease waits for nothing, and the formula is not the cause") {
  Tale tale = led_and_renewed(elect::ClientGoConfig{}, 0s).stores(11s, b, {}, 11s).hears();
  tale.writes(12s, b, 12s).hears().leads(12s, b).stops(22s, a);
  const std::string text = tale.told(12s);
  CHECK(says(text, "the margin formula holds"));
  CHECK(says(text, "c-1 released the Lease at 11.000s, c-1 waited for nothing"));
  CHECK(says(text, "11.000s  c-1  releases the Lease of c-0, rv 4"));
}

TEST_CASE("two of one name need no expiry, and no durations help") {
  Tale tale;
  tale.calls(b, {1, 0}).writes(0s, a, 0s).hears().leads(0s, a);
  tale.writes(3s, b, 3s).hears().leads(3s, b);
  const std::string text = tale.told(3s);
  CHECK(says(text, "both led from 3.000s to 60.000s (the end of the run), for 57s"));
  CHECK(says(text, "c-1 found itself in the Lease, for c-0 calls itself \"c-0\" too"));
  CHECK(says(text, "60.000s       the run ends, and both still lead"));
}

TEST_CASE("errors never end the belief of a naive loop") {
  Tale tale = led_and_renewed(elect::NaiveLoopConfig{}, 0s).loses(12s, a);
  const std::string text = taken_over(tale, 26s, 16s).stops(50s, a).told(26s);
  CHECK(says(text, "errors never end its belief: no durations help"));
  CHECK_FALSE(says(text, "begins a round"));
}

TEST_CASE("a naive loop with a healthy network needs S + 5l + sigma") {
  elect::NaiveLoopConfig config;
  config.leader_sleep = 5s;
  Tale tale = led_and_renewed(config, 0s).clock(b, 11s, kernel::ClockRate::perfect);
  const std::string text = taken_over(tale, 15s, 16s).stops(15s + 1ms, a).told(15s);
  CHECK(says(text, "safe is  L >= S + 5l + sigma + P"));
  CHECK(says(text, "15s >= 5s + 0s + 11s + 0s is false (the right side is 16s)"));
  CHECK(says(text, "[26.000s by its clock]"));
}

TEST_CASE("lanes are plain ASCII where asked for, and fit the columns") {
  Tale tale = led_and_renewed(elect::ClientGoConfig{}, 3500ms).loses(15500ms, a);
  const std::string text = taken_over(tale, 25s).stops(25500ms, a).told(25s, 80);
  CHECK(std::all_of(text.begin(), text.end(),
                    [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
  CHECK(says(text, "\n  lease "));
  CHECK(says(text, "\n  c-1 work "));
  std::size_t column = 0;
  for (const char c : text) {
    column = c == '\n' ? 0 : column + 1;
    CHECK(column <= 80);
  }
}

TEST_CASE("what is known of the neighbourhood stands at the end") {
  Tale tale = led_and_renewed(elect::ClientGoConfig{}, 3500ms).loses(15500ms, a);
  const std::string text =
      taken_over(tale, 25s).stops(25500ms, a).told(25s, 0, "pause 12.999s passes");
  CHECK(says(text,
             "  nearest passing: pause 12.999s passes\n  replay: tenure replay x.yaml --run 3\n"));
}

}  // namespace
}  // namespace tenure::report
