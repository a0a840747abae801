// The watches of an etcd: mvcc/watchable_store.go and etcdserver/api/v3rpc/watch.go (3.4.23).
//
// A watcher that has seen everything is *synced* and is told when something is committed. One that
// starts in the past is *unsynced*: a loop reads the past for it. One whose message found the
// stream's buffer full is a *victim*: the message is kept and tried again.
//
// Invariants:
//  (1) a watcher is in exactly one group, or in none when compaction has canceled it
//  (2) the messages of one watcher leave in the order of their revisions; all events of one
//      revision leave in one message
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenure/base/time.hpp>
#include <tenure/store/keyspace.hpp>
#include <tenure/store/message.hpp>

namespace tenure::store {

struct WatchConfig {
  Duration sync_period = std::chrono::milliseconds{100};  // syncWatchersLoop
  Duration sync_phase{0};
  Duration victim_period = std::chrono::milliseconds{10};  // syncVictimsLoop
  std::size_t watchers_per_pass = 512;                     // maxWatchersPerSync
  std::size_t revisions_per_message = 1000;                // watchBatchMaxRevs
  std::size_t messages_per_stream = 128;                   // chanBufLen

  friend bool operator==(const WatchConfig&, const WatchConfig&) = default;
};

// One watch, wherever it is kept.
struct WatcherName {
  StreamId stream;
  WatchId id = 0;

  friend auto operator<=>(const WatcherName&, const WatcherName&) = default;
};

// Which watchers a key concerns. Those of one key are found by it; ranges are looked through one
// after the other, so that an index of intervals can take the place of that list.
class WatcherIndex {
 public:
  void add(const KeyRange& keys, WatcherName name);
  void remove(const KeyRange& keys, WatcherName name);
  template <class Visit>
  void visit(std::string_view key, Visit visit) const;

  friend bool operator==(const WatcherIndex&, const WatcherIndex&) = default;

 private:
  std::map<std::string, std::vector<WatcherName>, std::less<>> of_one_key_;
  std::vector<std::pair<KeyRange, WatcherName>> of_ranges_;
};

class Watches {
 public:
  explicit Watches(Version version = Version::v3_6, WatchConfig config = {})
      : version_(version), config_(config), next_sync_(MonoTime{config.sync_phase}) {}

  // `progress_every`: how often the stream's watches are told that nothing happened; etcd draws it
  // once per stream, from 10 to 11 minutes.
  void open(StreamId stream, Duration progress_every, MonoTime now);
  void close(StreamId stream);
  void request(StreamId stream, const WatchRequest& request, const Keyspace& keys, MonoTime now);

  // Tells the synced watchers of the changes in the log from `first` on, which one request made.
  void notify(const Keyspace& keys, std::size_t first, MonoTime now);

  // The loops: when the next one runs, and running those that are due.
  std::optional<MonoTime> next_pass() const;
  void pass(MonoTime now, const Keyspace& keys);

  // The next message that leaves the server. What a key was before is looked up now.
  std::optional<WatchMessage> take(StreamId stream, const Keyspace& keys);

  bool all_synced() const { return unsynced_.empty() && victims_.empty(); }

  friend bool operator==(const Watches&, const Watches&) = default;

 private:
  enum class Group { synced, unsynced, victim, none };

  struct Watcher {
    WatchCreate asked;
    std::int64_t wants_from = 0;  // etcd's minRev: the lowest revision it has not been told of
    Group group = Group::none;
    bool quiet = true;     // no event since the last progress message
    WatchMessage blocked;  // of a victim

    friend bool operator==(const Watcher&, const Watcher&) = default;
  };

  // Control messages have a buffer of their own and may overtake events.
  struct Stream {
    std::map<WatchId, Watcher> watchers;
    WatchId next_id = 0;
    std::deque<WatchMessage> control;
    std::deque<WatchMessage> events;
    Duration progress_every{};
    MonoTime next_progress{};

    friend bool operator==(const Stream&, const Stream&) = default;
  };

  // What a watcher gets at once, and where the next message begins if there is more.
  struct Batch {
    std::vector<WatchEvent> events;
    std::int64_t more_from = 0;
  };

  void answer(StreamId id, Stream& stream, const WatchCreate& request, const Keyspace& keys);
  void answer(StreamId id, Stream& stream, const WatchCancel& request, const Keyspace& keys);
  void answer(StreamId id, Stream& stream, const WatchProgress& request, const Keyspace& keys);
  CancelReason refusal(const Stream& stream, const WatchCreate& request) const;

  Stream& stream(StreamId id);
  Watcher& watcher(WatcherName name);
  void join(WatcherName name, Watcher& watcher, Group group);
  void leave(WatcherName name, Watcher& watcher);
  bool send(WatcherName name, WatchMessage message);
  void block(WatcherName name, Watcher& watcher, WatchMessage message);
  void tell(WatcherName name, std::vector<WatchEvent> events, Revision revision, MonoTime now);
  Batch past_of(const Watcher& watcher, const Keyspace& keys) const;
  void catch_up(WatcherName name, const Keyspace& keys);
  void sync_pass(const Keyspace& keys);
  void victim_pass(const Keyspace& keys);
  void progress_pass(StreamId id, Stream& stream, const Keyspace& keys);
  bool may_report(const Watcher& watcher, const Keyspace& keys) const;

  Version version_;
  WatchConfig config_;
  std::map<StreamId, Stream> streams_;
  WatcherIndex synced_;
  std::vector<WatcherName> unsynced_;  // who waits longest is first
  std::vector<WatcherName> victims_;
  MonoTime next_sync_;
  MonoTime next_victims_{};
};

template <class Visit>
void WatcherIndex::visit(std::string_view key, Visit visit) const {
  if (const auto found = of_one_key_.find(key); found != of_one_key_.end()) {
    for (const WatcherName& name : found->second) visit(name);
  }
  for (const auto& [keys, name] : of_ranges_) {
    if (keys.contains(key)) visit(name);
  }
}

}  // namespace tenure::store
