#include <chrono>
#include <optional>

#include <doctest/doctest.h>

#include <tenure/net/transport.hpp>

namespace tenure::net {
namespace {

using namespace std::chrono_literals;
using Next = Transport::Next;
using Reply = Transport::Reply;

constexpr MonoTime at(Duration since_start) {
  return MonoTime{since_start};
}

constexpr TransportConfig unlimited = {.timeout = std::nullopt, .tokens_per_second = -1};

}  // namespace

TEST_CASE("a call that is answered ends with the answer") {
  Transport transport{unlimited};
  CHECK(transport.begin(true, std::nullopt, at(0s)) == Next::send);
  CHECK(transport.wakes_at() == never<MonoTime>);
  CHECK(transport.replied(Reply::final, 0s, at(1s)) == Next::answer);
}

TEST_CASE("a request is sent again after the time the server asks for, ten times at most") {
  Transport transport{unlimited};
  transport.begin(false, std::nullopt, at(0s));
  Duration now = 0s;
  for (int retry = 0; retry < 10; ++retry) {
    CHECK(transport.replied(Reply::retry, 3s, at(now)) == Next::wait);
    now += 3s;
    CHECK(transport.wakes_at() == at(now));
    CHECK(transport.woken(at(now)) == Next::send);
  }
  CHECK(transport.replied(Reply::retry, 3s, at(now)) == Next::answer);
}

TEST_CASE("a read whose connection breaks is sent again after a second, a write is not") {
  Transport transport{unlimited};
  transport.begin(true, std::nullopt, at(0s));
  CHECK(transport.replied(Reply::broken_connection, 0s, at(2s)) == Next::wait);
  CHECK(transport.wakes_at() == at(3s));
  CHECK(transport.woken(at(3s)) == Next::send);
  transport.replied(Reply::final, 0s, at(4s));
  transport.begin(false, std::nullopt, at(5s));
  CHECK(transport.replied(Reply::broken_connection, 0s, at(6s)) == Next::answer);
}

TEST_CASE("the client's time limit spans all tries") {
  Transport transport{{.timeout = 5s, .tokens_per_second = -1}};
  transport.begin(true, std::nullopt, at(0s));
  CHECK(transport.wakes_at() == at(5s));
  transport.replied(Reply::retry, 2s, at(1s));
  CHECK(transport.woken(at(3s)) == Next::send);
  CHECK(transport.woken(at(5s)) == Next::timed_out);
}

TEST_CASE("the wait for the first token does not count against the client's time limit") {
  Transport transport{{.timeout = 1s, .tokens_per_second = 0.5, .burst = 1}};
  CHECK(transport.begin(true, std::nullopt, at(0s)) == Next::send);
  transport.replied(Reply::final, 0s, at(0s));
  CHECK(transport.begin(true, std::nullopt, at(0s)) == Next::wait);
  CHECK(transport.woken(at(2s)) == Next::send);
  CHECK(transport.wakes_at() == at(3s));
}

TEST_CASE("a token that would come after the deadline of the context fails the call at once") {
  Transport transport{{.timeout = std::nullopt, .tokens_per_second = 0.5, .burst = 1}};
  transport.begin(true, std::nullopt, at(0s));
  transport.replied(Reply::final, 0s, at(0s));
  CHECK(transport.begin(true, at(1s), at(0s)) == Next::throttled);
  CHECK(transport.begin(true, at(2s), at(0s)) == Next::wait);
}

TEST_CASE("a token that is not used is given back") {
  Transport transport{{.timeout = std::nullopt, .tokens_per_second = 0.5, .burst = 1}};
  transport.begin(true, std::nullopt, at(0s));
  transport.replied(Reply::final, 0s, at(0s));
  CHECK(transport.begin(true, std::nullopt, at(0s)) == Next::wait);
  transport.abort(at(1s));
  CHECK(transport.begin(true, std::nullopt, at(1s)) == Next::wait);
  CHECK(transport.wakes_at() == at(2s));
}

}  // namespace tenure::net
