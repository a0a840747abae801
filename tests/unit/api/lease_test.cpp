#include <limits>

#include <doctest/doctest.h>

#include <tenure/api/lease.hpp>
#include <tenure/api/message.hpp>

using namespace tenure;
using namespace tenure::api;
using namespace std::chrono_literals;

// api-server.md 10, X1: half a second is kept to the microsecond.
TEST_CASE("X1: a MicroTime keeps microseconds and cuts off the rest") {
  CHECK(micro_time(WallTime{7s + 500ms}).microseconds == 7'500'000);
  CHECK(micro_time(WallTime{7s + 1'999ns}).microseconds == 7'000'001);
  CHECK(micro_time(WallTime{-1ns}).microseconds == -1);
  CHECK(wall_time(micro_time(WallTime{7s + 500ms})) == WallTime{7s + 500ms});
}

// X2: a zero MicroTime is null on the wire.
TEST_CASE("X2: a MicroTime that was not given is absent, 1970 is not") {
  CHECK_FALSE(MicroTime{}.present());
  CHECK(micro_time(WallTime{}).present());
}

// client-go-elector.md 3.1: metav1.Time is printed without fractions.
TEST_CASE("a whole second is the one that has begun, before 1970 too") {
  CHECK(whole_second({7'999'999}).microseconds == 7'000'000);
  CHECK(whole_second({7'000'000}).microseconds == 7'000'000);
  CHECK(whole_second({-1}).microseconds == -1'000'000);
  CHECK_FALSE(whole_second({}).present());
}

TEST_CASE("every outcome of a server has its status, a client's own errors have none") {
  CHECK(failure(Outcome::not_found).code == 404);
  CHECK(failure(Outcome::already_exists).code == 409);
  CHECK(failure(Outcome::conflict).code == 409);
  CHECK(failure(Outcome::forbidden).code == 403);
  CHECK(failure(Outcome::invalid).code == 422);
  CHECK(failure(Outcome::too_many).code == 429);
  CHECK(failure(Outcome::server_error).code == 500);
  CHECK(failure(Outcome::refused).code == 0);
  CHECK(failure(Outcome::timeout).code == 0);
  CHECK(failure(Outcome::connection_lost).code == 0);
}

TEST_CASE("a status that no rule names is a server error") {
  CHECK(failure_with_code(503).outcome == Outcome::server_error);
  CHECK(failure_with_code(503).code == 503);
  CHECK(failure_with_code(429).outcome == Outcome::too_many);
  CHECK(failure_with_code(409).outcome == Outcome::conflict);
  CHECK(failure_with_code(403).outcome == Outcome::forbidden);
}
