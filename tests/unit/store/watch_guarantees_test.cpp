// What etcd promises of watches (Documentation/learning/api_guarantees.md, 3.4): ordered, unique,
// reliable, atomic, resumable, bookmarkable. Checked against a history that is kept apart from the
// store, over random operations, slow readers, streams that break, and compaction.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/base/oracle.hpp>
#include <tenure/store/etcd.hpp>

using namespace tenure;
using namespace tenure::store;
using namespace std::chrono_literals;

namespace {

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : oracle_(seed, 0) {}
  std::size_t below(std::size_t bound) {
    return static_cast<std::size_t>(oracle_.pick({stream_, made_++}, bound - 1));
  }
  bool once_in(std::size_t times) { return below(times) == 0; }

 private:
  SeededOracle oracle_;
  Stream stream_ = stream_named("test/watch");
  std::uint64_t made_ = 0;
};

// Every event that there ever was, with what was there before it.
class Truth {
 public:
  std::int64_t revision = 1;
  std::vector<WatchEvent> events;

  void put(const std::string& key, const std::string& value, LeaseId lease) {
    const auto before = live_.find(key);
    KeyValue kv{key, value, Revision{revision + 1}, Revision{revision + 1}, 1, lease};
    if (before != live_.end()) {
      kv.created = before->second.created;
      kv.version = before->second.version + 1;
    }
    record({false, kv, std::nullopt}, before);
    live_[key] = kv;
  }
  void remove(const KeyRange& keys) {
    remove_if([&](const KeyValue& kv) { return keys.contains(kv.key); });
  }
  void revoke(LeaseId lease) {
    remove_if([&](const KeyValue& kv) { return kv.lease == lease; });
  }
  void commit() {
    if (!events.empty() && events.back().kv.modified.value > revision) ++revision;
  }

 private:
  using Live = std::map<std::string, KeyValue>;

  void record(WatchEvent event, Live::const_iterator before) {
    if (before != live_.end()) event.prev_kv = before->second;
    events.push_back(std::move(event));
  }
  template <class Which>
  void remove_if(Which which) {
    for (auto each = live_.begin(); each != live_.end();) {
      if (!which(each->second)) {
        ++each;
        continue;
      }
      KeyValue deleted;
      deleted.key = each->first;
      deleted.modified = Revision{revision + 1};
      record({true, deleted, std::nullopt}, each);
      each = live_.erase(each);
    }
  }

  Live live_;
};

// A client that follows a range of keys by the book: after a break it resumes behind the last event
// or progress message, after compaction behind a fresh Range.
struct Follower {
  WatchCreate asked;
  StreamId stream;
  WatchId id = -1;
  std::int64_t next = 0;     // the revision to resume from
  std::size_t position = 0;  // in the truth: what it has seen or need not see
  std::size_t reloads = 0;
};

class Experiment {
 public:
  Experiment(std::uint64_t seed, Version version) : chance_(seed) {
    EtcdConfig config;
    config.version = version;
    // Small, so that everything that is rare happens often.
    config.watch.revisions_per_message = 3;
    config.watch.watchers_per_pass = 2;
    config.watch.messages_per_stream = 4;
    etcd_ = Etcd{config};
    for (std::int64_t lease = 1; lease <= 3; ++lease) {
      etcd_.apply(LeaseGrantRequest{LeaseId{lease}, 1'000'000}, now_);
    }
    for (int i = 0; i < 5; ++i) followers_.push_back(new_follower());
  }

  void run(int operations) {
    for (int i = 0; i < operations; ++i) {
      write();
      if (chance_.once_in(25)) compact();
      if (chance_.once_in(3))
        pass_time(Duration{static_cast<std::int64_t>(chance_.below(80'000'000))});
      for (Follower& each : followers_) {
        if (chance_.once_in(2)) read(each, chance_.below(4));
        if (chance_.once_in(20)) etcd_.watch(each.stream, WatchProgress{}, now_);
        if (chance_.once_in(15)) reconnect(each);
      }
    }
    finish();
  }

  std::size_t delivered = 0, progressed = 0, reloads = 0;

 private:
  std::string key() { return std::string(1, static_cast<char>('a' + chance_.below(6))); }
  KeyRange some_keys() {
    if (chance_.once_in(3)) return {key(), ""};
    if (chance_.once_in(4)) return {key(), std::string(1, '\0')};
    const std::string first = key();
    return {first,
            std::string(1, static_cast<char>(first[0] + 1 + static_cast<char>(chance_.below(4))))};
  }

  Follower new_follower() {
    Follower made;
    made.asked.keys = some_keys();
    made.asked.prev_kv = chance_.once_in(2);
    made.asked.no_put = chance_.once_in(6);
    made.asked.no_delete = chance_.once_in(6);
    made.asked.progress_notify = chance_.once_in(2);
    made.next = etcd_.keys().revision().value + 1;
    made.position = truth_.events.size();
    open(made);
    return made;
  }

  void open(Follower& follower) {
    follower.stream = StreamId{streams_++};
    etcd_.open(follower.stream, 300ms, now_);
    follower.asked.start_revision = Revision{follower.next};
    etcd_.watch(follower.stream, follower.asked, now_);
  }
  void reconnect(Follower& follower) {
    etcd_.close(follower.stream);
    open(follower);
  }
  // Reads the keys afresh; what happened until then need not be seen any more.
  void reload(Follower& follower) {
    ++reloads;
    const auto reply = etcd_.apply(RangeRequest{follower.asked.keys}, now_);
    follower.next = std::get<RangeResponse>(reply).revision.value + 1;
    follower.position = truth_.events.size();
    reconnect(follower);
  }

  void write() {
    switch (chance_.below(8)) {
      case 0: {
        const KeyRange keys = some_keys();
        etcd_.apply(DeleteRangeRequest{keys}, now_);
        truth_.remove(keys);
        break;
      }
      case 1: {
        const LeaseId lease{static_cast<std::int64_t>(chance_.below(3)) + 1};
        etcd_.apply(LeaseRevokeRequest{lease}, now_);
        etcd_.apply(LeaseGrantRequest{lease, 1'000'000}, now_);
        truth_.revoke(lease);
        break;
      }
      case 2:
        write_together();
        break;
      default: {
        const PutRequest put{key(), std::to_string(chance_.below(9)), some_lease()};
        etcd_.apply(put, now_);
        truth_.put(put.key, put.value, put.lease);
      }
    }
    truth_.commit();
    REQUIRE(etcd_.keys().revision().value == truth_.revision);
  }
  LeaseId some_lease() { return LeaseId{static_cast<std::int64_t>(chance_.below(4))}; }

  void write_together() {
    TxnRequest txn;
    for (const char* key : {"a", "c", "e"}) {
      const PutRequest put{key, std::to_string(chance_.below(9)), some_lease()};
      txn.success.push_back({put});
      truth_.put(put.key, put.value, put.lease);
    }
    txn.success.push_back({DeleteRangeRequest{{"d", ""}}});
    truth_.remove({"d", ""});
    etcd_.apply(txn, now_);
  }

  void compact() {
    const std::int64_t back = static_cast<std::int64_t>(chance_.below(8));
    etcd_.apply(CompactRequest{Revision{etcd_.keys().revision().value - back}}, now_);
  }

  void pass_time(Duration duration) {
    now_ = later(now_, duration);
    etcd_.advance(now_);
  }

  bool concerns(const Follower& follower, const WatchEvent& event) const {
    if (event.deleted ? follower.asked.no_delete : follower.asked.no_put) return false;
    return follower.asked.keys.contains(event.kv.key);
  }
  // The next event that the follower has to see.
  const WatchEvent* due(Follower& follower) const {
    while (follower.position < truth_.events.size() &&
           !concerns(follower, truth_.events[follower.position])) {
      ++follower.position;
    }
    return follower.position < truth_.events.size() ? &truth_.events[follower.position] : nullptr;
  }

  // False when the follower has begun anew.
  bool read_one(Follower& follower, const WatchMessage& message) {
    if (message.created) {
      REQUIRE(!message.canceled);
      follower.id = message.id;
      return true;
    }
    if (message.canceled) {
      // W5: refused only if something that it needs is gone.
      CHECK(follower.next < message.compacted.value);
      reload(follower);
      return false;
    }
    for (const WatchEvent& event : message.events) receive(follower, event);
    if (message.events.empty()) {
      ++progressed;
      follower.next = std::max(follower.next, message.revision.value + 1);
    }
    // W4: nothing of the last revision is left over. W6: nor of what the progress message covers.
    const WatchEvent* next = due(follower);
    if (next != nullptr) CHECK(next->kv.modified.value >= follower.next);
    return true;
  }

  // W1, W2, W3: exactly the next event that concerns it, and nothing in between.
  void receive(Follower& follower, const WatchEvent& event) {
    ++delivered;
    const WatchEvent* expected = due(follower);
    REQUIRE(expected != nullptr);
    CHECK(event.deleted == expected->deleted);
    CHECK(event.kv == expected->kv);
    const bool compacted = event.kv.modified.value - 1 < etcd_.keys().compacted().value;
    if (follower.asked.prev_kv && !compacted) CHECK(event.prev_kv == expected->prev_kv);
    if (!follower.asked.prev_kv) CHECK(!event.prev_kv);
    ++follower.position;
    follower.next = event.kv.modified.value + 1;
  }

  void read(Follower& follower, std::size_t most) {
    for (std::size_t i = 0; i < most; ++i) {
      const auto message = etcd_.take(follower.stream);
      if (!message || !read_one(follower, *message)) return;
    }
  }

  // Everything arrives in the end.
  void finish() {
    for (int i = 0; i < 400; ++i) {
      pass_time(100ms);
      for (Follower& each : followers_) read(each, 1000);
    }
    for (Follower& each : followers_) CHECK(due(each) == nullptr);
  }

  Chance chance_;
  Etcd etcd_;
  MonoTime now_{};
  Truth truth_;
  std::vector<Follower> followers_;
  std::uint32_t streams_ = 0;
};

}  // namespace

TEST_CASE("followers that resume behind the last event miss nothing and see nothing twice") {
  std::size_t delivered = 0;
  std::size_t progressed = 0;
  std::size_t reloads = 0;
  for (const Version version : {Version::v3_5, Version::v3_6}) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      CAPTURE(seed);
      Experiment experiment{seed, version};
      experiment.run(250);
      delivered += experiment.delivered;
      progressed += experiment.progressed;
      reloads += experiment.reloads;
    }
  }
  // What was to be tried was tried.
  CHECK(delivered > 30'000);
  CHECK(progressed > 3'000);
  CHECK(reloads > 500);
}
