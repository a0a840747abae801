// The parts of one failover, in a history that is made by hand: each number can be read off the
// lines that make it, and a line that says something else is found out.
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/api/message.hpp>
#include <tenure/report/time_budget.hpp>

namespace tenure::report {
namespace {

using namespace std::chrono_literals;
using record::Incarnation;

constexpr Incarnation a{ProcessId{0}, 0};
constexpr Incarnation b{ProcessId{1}, 0};

// a renews at 9 s, is seen by b at 11.25 s, and crashes at 10 s; b asks at 27.5 s and leads at 28
// s.
struct Crash {
  world::Setup setup;
  std::vector<record::Record> history;
  std::vector<kernel::NodeClock> clocks{2};
  std::vector<check::FailoverSample> failovers{{FaultId{0}, 18s, false}};

  Duration claimed_age = 16250ms;
  Duration hit = 10s;
  Identity holder{1, 0};
  Duration lifetime = 15s;

  Crash() {
    setup.candidates = {{}};
    setup.processes.resize(2);
  }

  TimeBudget budget() {
    tell();
    const auto budgets = time_budgets({setup, history, failovers, clocks});
    REQUIRE(budgets.size() == 1);
    return budgets.front();
  }

 private:
  template <class Fact>
  void at(Duration time, const Fact& fact) {
    ++event_;
    also(time, fact);
  }
  template <class Fact>
  void also(Duration time, const Fact& fact) {
    history.push_back({TrueTime{time}, history.size(), event_, fact});
  }
  static std::uint8_t number(api::Verb verb) { return static_cast<std::uint8_t>(verb); }

  void handled(Duration time, Incarnation who, RequestId request, api::Verb verb) {
    at(time, record::RequestHandled{who, number(verb), 200, false, false, request});
  }
  void written(Duration time, Incarnation who, Revision before, Identity by, std::int64_t us) {
    record::LeaseWritten f;
    f.writer = who;
    f.base = f.replaced = before;
    f.revision = {before.value + 1};
    f.record.holder = by;
    f.record.duration_seconds = 15;
    f.record.renew_us = us;
    also(time, f);
  }

  void tell() {
    using api::Verb;
    at(8s, record::RequestSent{b, RequestId{0}, number(Verb::get)});
    handled(8500ms, a, RequestId{0}, Verb::update);
    written(8500ms, a, {1}, {1, 0}, 8'000'000);
    handled(8600ms, b, RequestId{0}, Verb::get);
    at(8700ms, record::ReplyReceived{b, RequestId{0}, 200, 0});
    handled(9s, a, RequestId{1}, Verb::update);
    written(9s, a, {2}, holder, 9'000'000);
    at(hit, record::FaultHit{FaultId{0}, 0, a});
    at(11s, record::RequestSent{b, RequestId{1}, number(Verb::get)});
    handled(11100ms, b, RequestId{1}, Verb::get);
    at(11250ms, record::ReplyReceived{b, RequestId{1}, 200, 0});
    at(27500ms, record::RequestSent{b, RequestId{2}, number(Verb::get)});
    handled(27600ms, b, RequestId{2}, Verb::get);
    at(27700ms, record::ReplyReceived{b, RequestId{2}, 200, 0});
    also(27700ms, record::ExpiryClaimed{b, Revision{3}, claimed_age, lifetime});
    also(27700ms, record::RequestSent{b, RequestId{3}, number(Verb::update)});
    handled(27900ms, b, RequestId{3}, Verb::update);
    written(27900ms, b, {3}, {2, 0}, 27'500'000);
    at(28s, record::ReplyReceived{b, RequestId{3}, 200, 0});
    also(28s, record::LeadershipBegan{b, record::Level::context});
  }

  std::uint64_t event_ = 0;
};

}  // namespace

TEST_CASE("each part of a failover is read off its own facts") {
  const TimeBudget budget = Crash{}.budget();
  CHECK(!budget.why_not);
  CHECK(budget.winner == b);
  CHECK(budget.hit == TrueTime{10s});
  CHECK(budget.parts == std::vector<PartLength>{{BudgetPart::last_renewal, -1s},
                                                {BudgetPart::notice, 2250ms},
                                                {BudgetPart::lease, 15s},
                                                {BudgetPart::poll, 1250ms},
                                                {BudgetPart::read, 200ms},
                                                {BudgetPart::update, 200ms},
                                                {BudgetPart::reply, 100ms}});
  CHECK(budget_text(budget, 200, 0) ==
        "time budget: last renewal -1.00s | noticed +2.25s | leaseDuration +15.00s | winner's next "
        "poll +1.25s | read +0.20s | update +0.20s | reply +0.10s = 18.00s");
}

TEST_CASE("parts that do not add up are not shown: an age that is off by a nanosecond is found") {
  Crash crash;
  crash.claimed_age += 1ns;
  const TimeBudget budget = crash.budget();
  CHECK(budget.why_not == NotSplit::facts_missing);
  CHECK(budget.parts.empty());
  CHECK(budget_text(budget, 80, 0) ==
        "time budget: not split, because the history does not say enough");
}

TEST_CASE("a Lease that was released has no age: what counts is when it was released") {
  Crash crash;
  crash.holder = {};
  CHECK(crash.budget().parts == std::vector<PartLength>{{BudgetPart::release, -1s},
                                                        {BudgetPart::poll, 18500ms},
                                                        {BudgetPart::read, 200ms},
                                                        {BudgetPart::update, 200ms},
                                                        {BudgetPart::reply, 100ms}});
}

TEST_CASE("a winner that found its own name, or goes by wall clocks, is not split") {
  Crash again;
  again.holder = {2, 0};
  CHECK(again.budget().why_not == NotSplit::named_already);
  Crash naive;
  naive.setup.candidates.front().elector = elect::NaiveLoopConfig{};
  CHECK(naive.budget().why_not == NotSplit::wall_clock);
}

TEST_CASE("leaseDuration is as long as the winner's clock takes to count it") {
  Crash crash;
  // 1.25 local seconds a true second: 16.25 s of true time are 20.3125 s for b.
  crash.clocks[1].rate = kernel::ClockRate{1'250'000'000};
  crash.claimed_age = 20312500us;
  const TimeBudget budget = crash.budget();
  REQUIRE(!budget.why_not);
  CHECK(budget.parts[2] == PartLength{BudgetPart::lease, 12s});
  CHECK(budget.parts[3] == PartLength{BudgetPart::poll, 4250ms});
}

TEST_CASE("what a stopped clock showed is not guessed") {
  Crash crash;
  crash.clocks[1].since = TrueTime{20s};
  CHECK(crash.budget().why_not == NotSplit::clock_stopped);
}

TEST_CASE("a long line is broken between parts") {
  const std::string text = budget_text(Crash{}.budget(), 60, 4);
  CHECK(text ==
        "time budget: last renewal -1.00s | noticed +2.25s\n"
        "      | leaseDuration +15.00s | winner's next poll +1.25s\n"
        "      | read +0.20s | update +0.20s | reply +0.10s = 18.00s");
}

}  // namespace tenure::report
