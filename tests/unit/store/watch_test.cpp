#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/store/etcd.hpp>

using namespace tenure;
using namespace tenure::store;
using namespace std::chrono_literals;

namespace {

constexpr StreamId one{1};

MonoTime at(Duration since_start) {
  return MonoTime{since_start};
}

Etcd etcd_of(Version version, Duration progress_every = 10min) {
  EtcdConfig config;
  config.version = version;
  Etcd etcd{config};
  etcd.open(one, progress_every, at(0s));
  return etcd;
}

void put(Etcd& etcd, int times, MonoTime now = at(0s)) {
  for (int i = 0; i < times; ++i) etcd.apply(PutRequest{"k", std::to_string(i)}, now);
}

WatchCreate watch_of(std::string key, std::int64_t start = 0) {
  WatchCreate create;
  create.keys.key = std::move(key);
  create.start_revision = Revision{start};
  return create;
}

std::vector<WatchMessage> take_all(Etcd& etcd) {
  std::vector<WatchMessage> messages;
  while (auto message = etcd.take(one)) messages.push_back(*message);
  return messages;
}

// Revisions of progress messages for this watch.
std::vector<std::int64_t> progress_of(const std::vector<WatchMessage>& messages, WatchId id) {
  std::vector<std::int64_t> revisions;
  for (const WatchMessage& each : messages) {
    const bool is_progress = !each.created && !each.canceled && each.events.empty();
    if (is_progress && each.id == id) revisions.push_back(each.revision.value);
  }
  return revisions;
}

}  // namespace

// Measured on 3.4.23: 2500 revisions came as 1000 + 1000 + 500 events, 67, 161 and 255 ms after the
// request.
TEST_CASE("a long past comes in messages of 1000 revisions, one in 100 ms") {
  Etcd etcd = etcd_of(Version::v3_6);
  put(etcd, 2500);
  etcd.watch(one, watch_of("k", 1), at(30ms));
  std::vector<std::pair<Duration, std::size_t>> came;
  while (auto wake = etcd.next_wake()) {
    if (*wake > at(1s)) break;
    etcd.advance(*wake);
    for (const WatchMessage& each : take_all(etcd)) {
      if (!each.events.empty()) came.emplace_back(wake->time_since_epoch(), each.events.size());
    }
  }
  CHECK(came ==
        std::vector<std::pair<Duration, std::size_t>>{{100ms, 1000}, {200ms, 1000}, {300ms, 500}});
}

// A trap: the header of such a message is the store's revision, beyond what the message holds. So a
// client resumes behind the last event (clientv3/watch.go, nextRev), not behind the header.
TEST_CASE("the header of a part of the past is beyond its last event") {
  Etcd etcd = etcd_of(Version::v3_6);
  put(etcd, 1500);
  etcd.watch(one, watch_of("k", 1), at(30ms));
  etcd.advance(at(100ms));
  const WatchMessage first = take_all(etcd).back();
  CHECK(first.events.back().kv.modified == Revision{1001});
  CHECK(first.revision == Revision{1501});
}

TEST_CASE("more than 512 watches that lag are read for at once, as long as that makes them fewer") {
  Etcd etcd = etcd_of(Version::v3_6);
  put(etcd, 1);
  for (int i = 0; i < 1300; ++i) etcd.watch(one, watch_of("other", 1), at(1ms));
  CHECK_FALSE(etcd.watches().all_synced());
  etcd.advance(at(100ms));
  CHECK(etcd.watches().all_synced());
}

TEST_CASE(
    "who does not read loses nothing: the message that found no room comes later, then the rest") {
  Etcd etcd = etcd_of(Version::v3_6);
  etcd.watch(one, watch_of("k"), at(0s));
  put(etcd, 200);
  std::vector<std::int64_t> seen;
  for (Duration now = 0ms; now <= 1s; now += 10ms) {
    etcd.advance(at(now));
    for (const WatchMessage& message : take_all(etcd)) {
      for (const WatchEvent& event : message.events) seen.push_back(event.kv.modified.value);
    }
  }
  REQUIRE(seen.size() == 200);
  CHECK(seen.front() == 2);
  CHECK(std::is_sorted(seen.begin(), seen.end()));
  CHECK(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
}

// etcd-io/etcd#15220, fixed in 3.4.25, 3.5.8 and 3.6.
TEST_CASE(
    "in 3.4 a progress message overtakes events that it claims were sent; in 3.6 it does not") {
  for (const Version version : {Version::v3_4, Version::v3_6}) {
    Etcd etcd = etcd_of(version);
    etcd.watch(one, watch_of("k"), at(0s));
    take_all(etcd);
    put(etcd, 1);
    etcd.watch(one, WatchProgress{}, at(0s));
    const auto messages = take_all(etcd);
    REQUIRE(messages.size() == 2);
    CHECK(messages[0].events.empty() == (version == Version::v3_4));
    CHECK(progress_of(messages, no_watch) == std::vector<std::int64_t>{2});
  }
}

TEST_CASE("in 3.6 no progress message comes while one watch of the stream lags; in 3.4 it does") {
  for (const Version version : {Version::v3_4, Version::v3_6}) {
    Etcd etcd = etcd_of(version);
    put(etcd, 5);
    etcd.watch(one, watch_of("k", 1), at(1ms));
    etcd.watch(one, WatchProgress{}, at(2ms));
    CHECK(progress_of(take_all(etcd), no_watch).empty() == (version == Version::v3_6));
  }
}

TEST_CASE("automatic progress comes to quiet watches, and skips once one that had an event") {
  Etcd etcd = etcd_of(Version::v3_6, 1s);
  WatchCreate quiet = watch_of("quiet");
  WatchCreate busy = watch_of("k");
  quiet.progress_notify = busy.progress_notify = true;
  etcd.watch(one, quiet, at(0s));
  etcd.watch(one, busy, at(0s));
  take_all(etcd);
  put(etcd, 1, at(500ms));
  take_all(etcd);
  etcd.advance(at(1s));
  CHECK(progress_of(take_all(etcd), 0) == std::vector<std::int64_t>{2});
  etcd.advance(at(2s));
  const auto second = take_all(etcd);
  CHECK(progress_of(second, 0).size() == 1);
  CHECK(progress_of(second, 1) == std::vector<std::int64_t>{2});
}

TEST_CASE("a watch that compaction has canceled keeps its id, and can be canceled once more") {
  Etcd etcd = etcd_of(Version::v3_4);
  put(etcd, 5);
  etcd.apply(CompactRequest{Revision{4}}, at(0s));
  WatchCreate create = watch_of("k", 2);
  create.id = 7;
  etcd.watch(one, create, at(0s));
  etcd.advance(at(100ms));
  CHECK(take_all(etcd).back().compacted == Revision{4});
  etcd.watch(one, create, at(100ms));
  CHECK(take_all(etcd).back().reason == CancelReason::duplicate_id);
  etcd.watch(one, WatchCancel{7}, at(100ms));
  CHECK(take_all(etcd).back().canceled);
}

// A client that takes the compact_revision of the cancel message for the place to resume from is
// not refused, and its cache goes back in time.
TEST_CASE(
    "resuming at the compacted revision repeats what a reload has seen; behind its header not") {
  Etcd etcd = etcd_of(Version::v3_6);
  put(etcd, 9);
  etcd.apply(CompactRequest{Revision{5}}, at(0s));
  RangeRequest range;
  range.keys.key = "k";
  const Reply reply = etcd.apply(range, at(0s));
  const Revision reloaded = std::get<RangeResponse>(reply).revision;
  etcd.watch(one, watch_of("k", 5), at(0s));
  etcd.watch(one, watch_of("k", reloaded.value + 1), at(0s));
  etcd.advance(at(100ms));
  put(etcd, 1, at(100ms));
  std::vector<std::size_t> events(2);
  for (const WatchMessage& each : take_all(etcd)) {
    events[static_cast<std::size_t>(each.id)] += each.events.size();
  }
  CHECK(events == std::vector<std::size_t>{7, 1});
}

TEST_CASE("a negative start revision is refused as compacted") {
  Etcd etcd = etcd_of(Version::v3_6);
  etcd.watch(one, watch_of("k", -1), at(0s));
  const auto messages = take_all(etcd);
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].id == no_watch);
  CHECK(message_of(messages[0].reason) == "etcdserver: mvcc: required revision has been compacted");
}
