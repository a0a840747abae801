// What depends on what, in the smallest histories that tell one kind of cause from the others.
#include <chrono>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/record/causality.hpp>

namespace tenure::record {
namespace {

using namespace std::chrono_literals;
using Indices = std::vector<std::size_t>;

constexpr Incarnation a{ProcessId{0}, 0};
constexpr Incarnation b{ProcessId{1}, 0};
constexpr RequestId r0{0};
constexpr RequestId r1{1};
constexpr std::uint8_t get = 0;
constexpr std::uint8_t update = 2;

// Facts in their order, a second apart; each is an event of its own unless it is said to follow.
class History {
 public:
  template <class Fact>
  History& add(const Fact& fact) {
    ++event_;
    return follows(fact);
  }
  template <class Fact>
  History& follows(const Fact& fact) {
    const auto index = static_cast<std::int64_t>(records_.size());
    records_.push_back({TrueTime{index * 1s}, records_.size(), event_, fact});
    return *this;
  }
  Indices ancestors_of_the_last() const { return ancestors_of(records_, {records_.size() - 1}); }
  const std::vector<Record>& records() const { return records_; }

 private:
  std::vector<Record> records_;
  std::uint64_t event_ = 0;
};

RequestHandled handled(Incarnation from, RequestId request, std::uint8_t verb, std::uint16_t code) {
  return {from, verb, code, code == 409, false, request};
}
LeaseWritten written(Incarnation by) {
  LeaseWritten fact;
  fact.writer = by;
  return fact;
}

TEST_CASE("a process depends on its own past and not on that of others") {
  const auto story = History{}
                         .add(ProcessStarted{a, {}})
                         .add(ProcessStarted{b, {}})
                         .add(LeaderObserved{a, {}})
                         .add(LeaderObserved{b, {}});
  CHECK(story.ancestors_of_the_last() == Indices{1, 3});
}

TEST_CASE("the next process of a name depends on the end of the one before") {
  const auto story =
      History{}.add(ProcessEnded{a, EndReason::crashed}).add(ProcessStarted{{a.process, 1}, {}});
  CHECK(story.ancestors_of_the_last() == Indices{0, 1});
}

TEST_CASE("a reply depends on its own request, handled, and not on another's") {
  const auto story = History{}
                         .add(RequestSent{a, r0, get})
                         .add(RequestSent{b, r0, get})
                         .add(handled(b, r0, get, 404))
                         .add(handled(a, r0, get, 404))
                         .add(ReplyReceived{a, r0, 404, 0});
  CHECK(story.ancestors_of_the_last() == Indices{0, 3, 4});
}

TEST_CASE("a reader depends on the writer of what it read, and a writer not on readers") {
  auto story = History{}
                   .add(RequestSent{a, r0, update})
                   .add(handled(a, r0, update, 200))
                   .follows(written(a))
                   .add(RequestSent{b, r0, get})
                   .add(handled(b, r0, get, 200))
                   .add(ReplyReceived{b, r0, 200, 0});
  CHECK(story.ancestors_of_the_last() == Indices{0, 1, 2, 3, 4, 5});
  story.add(RequestSent{a, r1, update}).add(handled(a, r1, update, 200));
  CHECK(story.ancestors_of_the_last() == Indices{0, 1, 2, 6, 7});
}

TEST_CASE("the reply to a write depends on what it stored") {
  const auto story = History{}
                         .add(RequestSent{a, r0, update})
                         .add(handled(a, r0, update, 200))
                         .follows(written(a))
                         .add(ReplyReceived{a, r0, 200, 0});
  CHECK(story.ancestors_of_the_last() == Indices{0, 1, 2, 3});
}

TEST_CASE("a refusal by a server that did not look depends on no write") {
  const auto story = History{}
                         .add(handled(a, r0, update, 200))
                         .follows(written(a))
                         .add(RequestSent{b, r0, get})
                         .add(handled(b, r0, get, 503));
  CHECK(story.ancestors_of_the_last() == Indices{2, 3});
}

TEST_CASE("the client's own time limit comes from the loss and not from a late answer") {
  const auto story = History{}
                         .add(RequestSent{a, r0, get})
                         .add(handled(a, r0, get, 200))
                         .add(ReplyReceived{a, r0, 0, 0});
  CHECK(story.ancestors_of_the_last() == Indices{0, 2});
  const auto lost = History{}
                        .add(RequestSent{a, r0, get})
                        .follows(MessageLost{a, r0, true, Loss::lost})
                        .add(ReplyReceived{a, r0, 0, 0});
  CHECK(lost.ancestors_of_the_last() == Indices{0, 1, 2});
}

TEST_CASE("a belief that ends without an answer depends on the cut that swallowed the request") {
  const auto story = History{}
                         .add(FaultBegan{FaultId{0}, 0})
                         .follows(FaultHit{FaultId{0}, 0, a})
                         .follows(ConnectionChanged{a.process, true, false})
                         .add(RequestSent{b, r0, update})
                         .add(RequestSent{a, r0, update})
                         .follows(MessageLost{a, r0, true, Loss::cut})
                         .add(LeadershipEnded{a, Level::context, EndReason::stepped_down});
  CHECK(story.ancestors_of_the_last() == Indices{0, 1, 2, 4, 5, 6});
}

TEST_CASE("of two processes hit by one fault, each depends on the fault and not on the other") {
  const auto story = History{}
                         .add(FaultBegan{FaultId{0}, 0})
                         .follows(FaultHit{FaultId{0}, 0, a})
                         .follows(ProcessPaused{a})
                         .follows(FaultHit{FaultId{0}, 0, b})
                         .follows(ProcessPaused{b})
                         .add(FaultEnded{FaultId{0}, 0})
                         .follows(ProcessResumed{b});
  CHECK(story.ancestors_of_the_last() == Indices{0, 3, 4, 5, 6});
}

TEST_CASE("several records have the ancestors of each, and none have none") {
  const auto story =
      History{}.add(ProcessStarted{a, {}}).add(ProcessStarted{b, {}}).add(LeaderObserved{b, {}});
  CHECK(ancestors_of(story.records(), {2, 0}) == Indices{0, 1, 2});
  CHECK(ancestors_of(story.records(), {}).empty());
  CHECK(ancestors_of({}, {}).empty());
}

}  // namespace
}  // namespace tenure::record
