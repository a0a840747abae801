#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/base/oracle.hpp>
#include <tenure/kernel/agenda.hpp>

using namespace tenure;
using namespace tenure::kernel;
using namespace std::chrono_literals;

namespace {

constexpr TrueTime at(std::int64_t nanoseconds) {
  return TrueTime{Duration{nanoseconds}};
}

std::vector<int> taken(Agenda<int> agenda) {
  std::vector<int> events;
  while (!agenda.empty()) events.push_back(agenda.take().second);
  return events;
}

}  // namespace

TEST_CASE("events happen in the order of their times") {
  Agenda<int> agenda;
  agenda.post(at(30), 3);
  agenda.post(at(10), 1);
  agenda.post(at(20), 2);
  CHECK(taken(agenda) == std::vector{1, 2, 3});
}

TEST_CASE("events of one instant happen in the order in which they were posted") {
  Agenda<int> agenda;
  for (int event = 0; event < 20; ++event) agenda.post(at(5), event);
  std::vector<int> in_order;
  for (int event = 0; event < 20; ++event) in_order.push_back(event);
  CHECK(taken(agenda) == in_order);
}

TEST_CASE("a fault precedes what else happens at its instant, however late it was posted") {
  Agenda<int> agenda;
  agenda.post(at(5), 1);
  agenda.post(at(4), 0);
  agenda.post(at(5), 7, Precedence::fault);
  agenda.post(at(5), 8, Precedence::fault);
  CHECK(taken(agenda) == std::vector{0, 7, 8, 1});
}

TEST_CASE("taking tells when the event was due") {
  Agenda<int> agenda;
  const EventKey posted = agenda.post(at(12), 4);
  CHECK(agenda.next_at() == at(12));
  const auto [key, event] = agenda.take();
  CHECK(key == posted);
  CHECK(event == 4);
}

TEST_CASE("an empty agenda is next due never") {
  Agenda<int> agenda;
  CHECK(agenda.next_at() == never<TrueTime>);
  agenda.post(at(1), 1);
  agenda.take();
  CHECK(agenda.empty());
  CHECK(agenda.next_at() == never<TrueTime>);
}

TEST_CASE("a cancelled event does not happen") {
  Agenda<int> agenda;
  agenda.post(at(1), 1);
  const EventKey second = agenda.post(at(2), 2);
  agenda.post(at(3), 3);
  agenda.cancel(second);
  CHECK(agenda.size() == 2);
  CHECK(taken(agenda) == std::vector{1, 3});
}

TEST_CASE("the next event can be cancelled right after another was taken") {
  Agenda<int> agenda;
  agenda.post(at(1), 1);
  const EventKey second = agenda.post(at(2), 2);
  agenda.post(at(3), 3);
  agenda.take();
  agenda.cancel(second);
  CHECK(agenda.next_at() == at(3));
  CHECK(taken(agenda) == std::vector{3});
}

TEST_CASE("a rescheduled event comes last among those of its new instant") {
  Agenda<int> agenda;
  const EventKey moved = agenda.post(at(1), 1);
  agenda.post(at(5), 2);
  const EventKey key = agenda.reschedule(moved, at(5));
  CHECK(key.at == at(5));
  CHECK(agenda.size() == 2);
  CHECK(taken(agenda) == std::vector{2, 1});
}

TEST_CASE("a rescheduled fault still precedes what else happens then") {
  Agenda<int> agenda;
  const EventKey fault = agenda.post(at(1), 9, Precedence::fault);
  agenda.post(at(5), 1);
  agenda.reschedule(fault, at(5));
  CHECK(taken(agenda) == std::vector{9, 1});
}

TEST_CASE("the agenda grows beyond its first slots and keeps its order") {
  Agenda<int> agenda;
  for (int event = 999; event >= 0; --event) agenda.post(at(event), event);
  CHECK(agenda.size() == 1000);
  for (int event = 0; event < 1000; ++event) REQUIRE(agenda.take().second == event);
}

TEST_CASE("a copy goes its own way") {
  Agenda<int> agenda;
  const EventKey first = agenda.post(at(1), 1);
  agenda.post(at(2), 2);
  Agenda<int> copy = agenda;
  copy.cancel(first);
  copy.post(at(3), 3);
  CHECK(taken(agenda) == std::vector{1, 2});
  CHECK(taken(copy) == std::vector{2, 3});
}

TEST_CASE("a key means the same event in a copy") {
  Agenda<int> agenda;
  for (int event = 0; event < 9; ++event) agenda.post(at(event), event);
  agenda.take();
  const EventKey key = agenda.pending()[3];
  Agenda<int> copy = agenda;
  CHECK(copy.event(key) == agenda.event(key));
  copy.cancel(key);
  CHECK(copy.size() + 1 == agenda.size());
}

TEST_CASE("agendas are equal when the same will happen, whatever happened before") {
  Agenda<int> direct;
  direct.post(at(10), 1);
  direct.post(at(10), 2, Precedence::fault);
  Agenda<int> detour;
  detour.post(at(3), 9);
  const EventKey early = detour.post(at(4), 1);
  detour.take();
  detour.post(at(10), 2, Precedence::fault);
  detour.reschedule(early, at(10));
  CHECK(direct == detour);
  detour.post(at(11), 3);
  CHECK_FALSE(direct == detour);
}

TEST_CASE("the order within an instant tells two agendas apart") {
  Agenda<int> one;
  one.post(at(5), 1);
  one.post(at(5), 2);
  Agenda<int> other;
  other.post(at(5), 2);
  other.post(at(5), 1);
  CHECK_FALSE(one == other);
}

// architecture.md 10: the agenda against an ordered map that does the same the slow way.
TEST_CASE("property: an agenda behaves like a map from (time, precedence, age) to events") {
  for (std::uint64_t run = 0; run < 40; ++run) {
    CAPTURE(run);
    SeededOracle oracle{2026, run};
    Draw draw{stream_named("agenda"), 0};
    const auto pick = [&](std::uint64_t bound) { return ++draw.number, oracle.pick(draw, bound); };
    using Place = std::tuple<TrueTime, Precedence, std::uint64_t>;
    std::map<Place, int> model;
    std::map<Place, EventKey> keys;
    Agenda<int> agenda;
    std::uint64_t age = 0;
    TrueTime now = at(0);
    const auto some = [&] {
      auto place = model.begin();
      std::advance(place, static_cast<std::ptrdiff_t>(pick(model.size() - 1)));
      return place;
    };
    // Few distinct times, so that ties are common; growing and shrinking in turns.
    for (int operation = 0; operation < 3000; ++operation) {
      const bool grows = operation / 500 % 2 == 0;
      const std::uint64_t choice = pick(9);
      const TrueTime when = now + Duration{static_cast<std::int64_t>(pick(30))};
      if (model.empty() || choice < (grows ? 6U : 2U)) {
        const auto precedence = pick(4) == 0 ? Precedence::fault : Precedence::ordinary;
        const Place place{when, precedence, ++age};
        model[place] = operation;
        keys[place] = agenda.post(when, operation, precedence);
      } else if (choice == 6) {
        const auto gone = some();
        agenda.cancel(keys.at(gone->first));
        keys.erase(gone->first);
        model.erase(gone);
      } else if (choice == 7) {
        const auto moved = some();
        const Place place{when, std::get<1>(moved->first), ++age};
        keys[place] = agenda.reschedule(keys.at(moved->first), when);
        model[place] = moved->second;
        keys.erase(moved->first);
        model.erase(moved);
      } else {
        REQUIRE(agenda.next_at() == std::get<0>(model.begin()->first));
        const auto [key, event] = agenda.take();
        REQUIRE(event == model.begin()->second);
        REQUIRE(key == keys.at(model.begin()->first));
        now = key.at;
        keys.erase(model.begin()->first);
        model.erase(model.begin());
      }
      REQUIRE(agenda.size() == model.size());
      if (operation % 250 != 0) continue;
      std::vector<int> expected;
      for (const auto& [place, event] : model) expected.push_back(event);
      REQUIRE(taken(agenda) == expected);
    }
  }
}
