#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/store/etcd.hpp>

using namespace tenure;
using namespace tenure::store;

namespace {

RequestOp put(std::string key) {
  PutRequest request;
  request.key = std::move(key);
  return {request};
}

RequestOp deletion(std::string key, std::string range_end = "") {
  return {DeleteRangeRequest{{std::move(key), std::move(range_end)}}};
}

RequestOp nested(std::vector<RequestOp> success, std::vector<RequestOp> failure = {}) {
  return {TxnRequest{{}, std::move(success), std::move(failure)}};
}

Reply run(Etcd& etcd, std::vector<RequestOp> success) {
  return etcd.apply(TxnRequest{{}, std::move(success), {}}, MonoTime{});
}

bool runs(std::vector<RequestOp> success) {
  Etcd etcd;
  return std::holds_alternative<TxnResponse>(run(etcd, std::move(success)));
}

}  // namespace

// v3rpc/key.go, checkIntervals. The order of the lists matters, and the last two are what follows
// from the way it is written.
TEST_CASE("one transaction may not put a key twice, nor put what it is seen to delete") {
  CHECK_FALSE(runs({put("a"), put("a")}));
  CHECK_FALSE(runs({put("b"), deletion("a", "c")}));
  CHECK(runs({put("c"), deletion("a", "c")}));
  CHECK(runs({deletion("a"), deletion("a", "c")}));
  CHECK(runs({nested({put("a")}, {put("a")})}));
  CHECK_FALSE(runs({put("a"), nested({}, {put("a")})}));
  CHECK_FALSE(runs({nested({put("a")}), nested({put("a")})}));
  CHECK_FALSE(runs({nested({deletion("a")}), nested({put("a")})}));
  CHECK(runs({nested({put("a")}), nested({deletion("a")})}));
  CHECK(runs({put("b"), deletion("a", std::string(1, '\0'))}));
}

TEST_CASE("a nested transaction has room for what its parent's longest list leaves of 128") {
  const auto many = [](std::size_t count) {
    return std::vector<RequestOp>(count, {RangeRequest{{"a", ""}}});
  };
  CHECK(runs(many(128)));
  CHECK_FALSE(runs(many(129)));
  auto fits = many(99);
  fits.push_back(nested(many(28)));
  CHECK(runs(fits));
  fits.back() = nested(many(29));
  CHECK_FALSE(runs(fits));
}

TEST_CASE("a key that is put and deleted in one transaction has both events, at one revision") {
  Etcd etcd;
  run(etcd, {put("k"), deletion("a", std::string(1, '\0'))});
  CHECK(etcd.keys().revision() == Revision{2});
  REQUIRE(etcd.keys().log().size() == 2);
  CHECK_FALSE(etcd.keys().at(etcd.keys().log()[0]).change->deleted);
  CHECK(etcd.keys().at(etcd.keys().log()[1]).change->deleted);
  CHECK(etcd.keys().find("k", Revision{2}) == nullptr);
}

// Tried on 3.4.23: the server panics while it applies the transaction.
TEST_CASE("a transaction that would take a real server down is not applied") {
  Etcd etcd;
  run(etcd, {put("k")});
  const Etcd before = etcd;
  PutRequest keep;
  keep.key = "k";
  keep.ignore_value = true;
  CHECK(run(etcd, {deletion("a", std::string(1, '\0')), {keep}}) == Reply{Error::stopped});
  CHECK(etcd == before);
  CHECK(std::holds_alternative<TxnResponse>(
      run(etcd, {{keep}, deletion("a", std::string(1, '\0'))})));
}

TEST_CASE("a transaction that fails a check leaves no trace") {
  Etcd etcd;
  run(etcd, {put("k")});
  const Etcd before = etcd;
  PutRequest leased;
  leased.key = "other";
  leased.lease = LeaseId{404};
  CHECK(run(etcd, {put("k"), {leased}}) == Reply{Error::lease_not_found});
  RangeRequest future;
  future.keys.key = "k";
  future.revision = Revision{99};
  CHECK(run(etcd, {put("k"), {future}}) == Reply{Error::future_revision});
  CHECK(etcd == before);
}

TEST_CASE("a copy is a snapshot") {
  Etcd etcd;
  etcd.open(StreamId{1}, std::chrono::minutes{10}, MonoTime{});
  etcd.watch(StreamId{1}, WatchCreate{{"k", ""}}, MonoTime{});
  Etcd copy = etcd;
  run(etcd, {put("k")});
  CHECK(copy.keys().revision() == Revision{1});
  CHECK(copy != etcd);
  run(copy, {put("k")});
  CHECK(copy == etcd);
}

TEST_CASE("what compaction leaves answers as before at every revision that is left") {
  Etcd etcd;
  for (int i = 0; i < 300; ++i) {
    const std::string key(1, static_cast<char>('a' + i * 7 % 5));
    run(etcd, {i % 4 == 3 ? deletion(key) : put(key)});
  }
  Etcd whole = etcd;
  const auto at = [](Etcd& from, std::int64_t revision) {
    RangeRequest all;
    all.keys = {std::string(1, '\0'), std::string(1, '\0')};
    all.revision = Revision{revision};
    return from.apply(all, MonoTime{});
  };
  const std::int64_t last = etcd.keys().revision().value;
  for (const std::int64_t compacted : {last / 3, last / 2, last}) {
    etcd.apply(CompactRequest{Revision{compacted}}, MonoTime{});
    CHECK(at(etcd, compacted - 1) == Reply{Error::compacted});
    for (std::int64_t revision = compacted; revision <= last; ++revision) {
      CHECK(at(etcd, revision) == at(whole, revision));
    }
  }
  CHECK(etcd.keys().log().size() <= 1);
}
