#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/base/oracle.hpp>
#include <tenure/store/etcd.hpp>

using namespace tenure;
using namespace tenure::store;
using namespace std::chrono_literals;

namespace {

MonoTime at(Duration since_start) {
  return MonoTime{since_start};
}

Etcd etcd_with_phase(Duration phase) {
  EtcdConfig config;
  config.lessor.phase = phase;
  return Etcd{config};
}

void grant_and_put(Etcd& etcd, std::int64_t id, std::int64_t ttl, MonoTime now) {
  etcd.apply(LeaseGrantRequest{LeaseId{id}, ttl}, now);
  etcd.apply(PutRequest{"key/" + std::to_string(id), "", LeaseId{id}}, now);
}

// When the only key went.
Duration deleted_at(Etcd& etcd) {
  while (etcd.keys().count({"k", "l"}, etcd.keys().revision()) > 0) {
    const auto wake = etcd.next_wake();
    REQUIRE(wake);
    etcd.advance(*wake);
    if (etcd.keys().count({"k", "l"}, etcd.keys().revision()) == 0) return wake->time_since_epoch();
  }
  return Duration{0};
}

}  // namespace

// Measured on 3.4.23: 240 leases of 2 to 5 s, evenly 0 to 500 ms late.
TEST_CASE(
    "a key goes at the first pass of the loop after its lease's time, evenly 0 to 500 ms late") {
  SeededOracle oracle{1, 0};
  std::vector<int> late(5);
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const auto granted =
        static_cast<std::int64_t>(oracle.pick({stream_named("grant"), i}, 4'999'999'999));
    Etcd etcd = etcd_with_phase(123ms);
    grant_and_put(etcd, 1, 2 + static_cast<std::int64_t>(i % 4), at(Duration{granted}));
    const Duration lateness =
        deleted_at(etcd) - Duration{granted} - std::chrono::seconds{2 + i % 4};
    REQUIRE(lateness >= 0ms);
    REQUIRE(lateness < 500ms);
    ++late[static_cast<std::size_t>(lateness / 100ms)];
  }
  for (const int count : late) CHECK((count > 900 && count < 1100));
}

TEST_CASE("a keepalive starts the time of its lease again; a put does not") {
  Etcd etcd = etcd_with_phase(0ms);
  grant_and_put(etcd, 1, 3, at(0s));
  etcd.advance(at(2900ms));
  CHECK(etcd.apply(LeaseKeepAliveRequest{LeaseId{1}}, at(2900ms)) ==
        Reply{LeaseKeepAliveResponse{Revision{2}, LeaseId{1}, 3}});
  etcd.apply(PutRequest{"key/1", "again", LeaseId{1}}, at(5s));
  CHECK(deleted_at(etcd) == 6s);  // the pass after 5.9 s
}

TEST_CASE("a keepalive after the time of its lease is answered when the lease is gone") {
  Etcd etcd = etcd_with_phase(400ms);
  grant_and_put(etcd, 1, 2, at(0s));
  etcd.advance(at(2100ms));
  CHECK(etcd.apply(LeaseKeepAliveRequest{LeaseId{1}}, at(2100ms)) ==
        Reply{AwaitsRevoke{LeaseId{1}}});
  etcd.advance(at(2400ms));
  CHECK(etcd.apply(LeaseKeepAliveRequest{LeaseId{1}}, at(2400ms)) ==
        Reply{LeaseKeepAliveResponse{Revision{3}, LeaseId{1}, 0}});
}

// lease/lessor.go, leaseRevokeRate: 1000 a second. Measured: 3000 leases took 2.6 s.
TEST_CASE(
    "no more than 500 leases are revoked in one pass, those that expired first before the others") {
  Etcd etcd = etcd_with_phase(0ms);
  for (std::int64_t id = 1; id <= 1200; ++id) {
    etcd.apply(LeaseGrantRequest{LeaseId{id}, 2}, at(std::chrono::microseconds{id}));
  }
  const auto left = [&](Duration when) {
    etcd.advance(at(when));
    const Reply reply = etcd.apply(LeaseLeasesRequest{}, at(when));
    return std::get<LeaseLeasesResponse>(reply).leases;
  };
  CHECK(left(2499ms).size() == 1200);
  CHECK(left(2500ms).front() == LeaseId{501});
  CHECK(left(3s).size() == 200);
  CHECK(left(3500ms).empty());
}

TEST_CASE("all keys of a lease go in one revision, and a lease without keys takes none") {
  Etcd etcd = etcd_with_phase(0ms);
  etcd.apply(LeaseGrantRequest{LeaseId{1}, 2}, at(0s));
  etcd.apply(LeaseGrantRequest{LeaseId{2}, 2}, at(0s));
  for (const char* key : {"b", "c", "a"}) etcd.apply(PutRequest{key, "", LeaseId{1}}, at(0s));
  etcd.advance(at(10s));
  CHECK(etcd.keys().revision() == Revision{5});
  CHECK(etcd.keys().log().back().key == "c");
  CHECK_FALSE(etcd.next_wake());
}

TEST_CASE("the longest lease that can be granted never makes the clock run over") {
  Etcd etcd = etcd_with_phase(0ms);
  const MonoTime late = at(std::chrono::hours{24 * 365 * 20});
  etcd.advance(late);
  CHECK(std::holds_alternative<LeaseGrantResponse>(
      etcd.apply(LeaseGrantRequest{LeaseId{1}, max_lease_ttl}, late)));
  CHECK_FALSE(etcd.next_wake());
}
