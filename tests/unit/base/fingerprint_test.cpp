#include <cstdint>
#include <functional>
#include <optional>
#include <tuple>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/base/fingerprint.hpp>

using namespace tenure;
using namespace std::chrono_literals;

namespace {

// A state is whatever a test absorbs.
struct State {
  std::function<void(Fingerprint&)> absorb;
  void absorb_into(Fingerprint& print) const { absorb(print); }
};

template <class... T>
std::uint64_t print_of(TrueTime now, const T&... values) {
  return fingerprint_of(State{[&](Fingerprint& print) { (print.absorb(values), ...); }}, now);
}

template <class... T>
std::uint64_t print_of(const T&... values) {
  return print_of(TrueTime{}, values...);
}

constexpr RequestId request(std::uint32_t value) {
  return RequestId{value};
}
constexpr Revision revision(std::int64_t value) {
  return Revision{value};
}

}  // namespace

// architecture.md 4.2: the table of what each type is absorbed as.

TEST_CASE("times count by their distance from now") {
  CHECK(print_of(TrueTime{2s}, TrueTime{5s}) == print_of(TrueTime{12s}, TrueTime{15s}));
  CHECK(print_of(TrueTime{2s}, TrueTime{5s}) != print_of(TrueTime{2s}, TrueTime{6s}));
}

TEST_CASE("never is never at any hour") {
  CHECK(print_of(TrueTime{2s}, never<TrueTime>) == print_of(TrueTime{12s}, never<TrueTime>));
}

TEST_CASE("local times count by their distance from what the clocks of the node show") {
  const auto print = [](LocalTime now, MonoTime mono, WallTime wall) {
    return fingerprint_of(State{[=](Fingerprint& to) {
                            to.at(now);
                            to.absorb(mono);
                            to.absorb(wall);
                          }},
                          TrueTime{});
  };
  const LocalTime early{MonoTime{1s}, WallTime{100s}};
  const LocalTime late{MonoTime{3s}, WallTime{500s}};
  CHECK(print(early, MonoTime{4s}, WallTime{90s}) == print(late, MonoTime{6s}, WallTime{490s}));
  CHECK(print(early, MonoTime{4s}, WallTime{90s}) != print(late, MonoTime{6s}, WallTime{491s}));
}

TEST_CASE("of request ids only their equality counts") {
  CHECK(print_of(request(7), request(9), request(7)) ==
        print_of(request(0), request(1), request(0)));
  CHECK(print_of(request(7), request(9), request(7)) !=
        print_of(request(7), request(9), request(9)));
}

TEST_CASE("equal request ids of two owners have nothing in common") {
  const auto print = [](RequestId mine, RequestId other) {
    return fingerprint_of(State{[=](Fingerprint& to) {
                            to.of(1);
                            to.absorb(mine);
                            to.of(2);
                            to.absorb(other);
                          }},
                          TrueTime{});
  };
  CHECK(print(request(7), request(7)) == print(request(7), request(9)));
}

TEST_CASE("how many names were made does not count") {
  CHECK(print_of(Counter{3}, 1) == print_of(Counter{4}, 1));
}

TEST_CASE("of revisions only their order and equality count") {
  CHECK(print_of(revision(7), revision(12), revision(7)) ==
        print_of(revision(2), revision(3), revision(2)));
  CHECK(print_of(revision(7), revision(12)) != print_of(revision(12), revision(7)));
  CHECK(print_of(revision(7), revision(7)) != print_of(revision(7), revision(12)));
}

TEST_CASE("no revision is told apart from the oldest one") {
  CHECK(print_of(revision(0), revision(5)) != print_of(revision(4), revision(5)));
  CHECK(print_of(revision(0)) != print_of(revision(4)));
}

TEST_CASE("containers count with their sizes") {
  const std::vector<int> one{1};
  const std::vector<int> none;
  CHECK(print_of(one, none) != print_of(none, one));
  CHECK(print_of(std::optional<int>{}) != print_of(std::optional<int>{0}));
  using Either = std::variant<int, std::uint8_t>;
  CHECK(print_of(Either{int{1}}) != print_of(Either{std::uint8_t{1}}));
}

TEST_CASE("identities differ by name and by incarnation") {
  CHECK(print_of(Identity{1, 0}) != print_of(Identity{1, 1}));
  CHECK(print_of(Identity{1, 0}) != print_of(Identity{2, 0}));
  CHECK(print_of(Identity{1, 2}) != print_of(Identity{2, 1}));
}

TEST_CASE("the order of values counts") {
  CHECK(print_of(1, 2) != print_of(2, 1));
  CHECK(print_of(0) != print_of(0, 0));
}
