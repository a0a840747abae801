// The keys of an etcd with their past: what every key was at every revision that has not been
// compacted away. etcd's mvcc package (kvstore.go, key_index.go) without its files.
//
// Invariants:
//  (1) the changes of one key are ordered by moment, and every change is in the log until it is
//      compacted
//  (2) a request that changes something takes exactly one revision, however much it changes
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenure/base/id.hpp>
#include <tenure/store/message.hpp>

namespace tenure::store {

// What the project was read from and judged by, of each minor version: 3.4.23, 3.5.29, 3.6.14,
// 3.7.1.
enum class Version { v3_4, v3_5, v3_6, v3_7 };

// When a change happened: in which revision, and as which change of it.
struct Moment {
  std::int64_t main = 0;
  std::int64_t sub = 0;

  friend auto operator<=>(const Moment&, const Moment&) = default;
};

struct Change {
  Moment at;
  bool deleted = false;
  std::int64_t created = 0;
  std::int64_t version = 0;
  LeaseId lease;
  std::string value;

  friend bool operator==(const Change&, const Change&) = default;
};

class Keyspace {
 public:
  struct Found {
    const std::string* key;
    const Change* change;

    KeyValue key_value() const;
  };
  struct Logged {
    Moment at;
    std::string key;

    friend bool operator==(const Logged&, const Logged&) = default;
  };

  // The revision of the last request that changed anything. An empty etcd starts at 1.
  Revision revision() const { return Revision{revision_}; }
  // Inside a request: the revision that its reads see, which is the next one after its first
  // change.
  Revision reading() const { return Revision{revision_ + (changes_ > 0 ? 1 : 0)}; }
  // Nothing before this revision can be read; -1 until the first compaction.
  Revision compacted() const { return Revision{compacted_}; }

  // Why a read at `asked` fails, when the store is at `newest`. 0 and less ask for the newest.
  std::optional<Error> refuses(Revision asked, Revision newest) const;

  // The key as it was at a revision; nothing when it did not exist then.
  const Change* find(std::string_view key, Revision at) const;
  // The keys that existed at a revision, in key order, but no more than `most`.
  std::vector<Found> range(const KeyRange& keys, Revision at, std::size_t most) const;
  std::int64_t count(const KeyRange& keys, Revision at) const;

  // Changes, which belong together until `commit`.
  void put(const std::string& key, std::string value, LeaseId lease);
  void remove(const std::string& key);
  // Ends the request; the places in the log of what it changed begin where this says.
  std::size_t commit();

  void compact(Revision at, Version version);

  // The changes that are still there, oldest first.
  const std::vector<Logged>& log() const { return log_; }
  // Where the changes of this and later revisions begin in the log.
  std::size_t place_of(Revision revision) const;
  Found at(const Logged& logged) const;

  friend bool operator==(const Keyspace&, const Keyspace&) = default;

 private:
  using Index = std::map<std::string, std::vector<Change>, std::less<>>;

  template <class Visit>
  void visit(const KeyRange& keys, Revision at, Visit visit) const;
  Moment next_moment() { return {revision_ + 1, changes_++}; }

  std::int64_t revision_ = 1;
  std::int64_t compacted_ = -1;
  std::int64_t changes_ = 0;  // of the request that is running
  Index keys_;
  std::vector<Logged> log_;
};

}  // namespace tenure::store
