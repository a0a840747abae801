// The keys of an etcd cluster, as far as a compare-and-swap can tell: one revision for all keys,
// and per key when it was created and last changed. Linearizable: an operation takes effect when it
// is called. Knows nothing of what the values mean.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include <tenure/base/fields.hpp>
#include <tenure/base/id.hpp>

namespace tenure::store {

struct Key {
  std::uint32_t value = 0;

  static constexpr auto fields() { return std::tuple{Field{"value", &Key::value}}; }
  friend auto operator<=>(const Key&, const Key&) = default;
};

template <class Value>
class Mvcc {
 public:
  struct Entry {
    Key key;
    Revision created;   // revision of the transaction that created the key
    Revision modified;  // revision of the last one that changed it
    Value value;

    friend bool operator==(const Entry&, const Entry&) = default;
  };

  // The revision of the last transaction that changed anything. An empty etcd starts at 1.
  Revision revision() const { return revision_; }

  const Entry* find(Key key) const {
    const auto entry = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& e) { return e.key == key; });
    return entry == entries_.end() ? nullptr : &*entry;
  }

  // Writes if the key was last modified at `expected`; Revision{0} expects it to be absent. Returns
  // the entry as written, or nothing when the comparison failed.
  const Entry* put_if(Key key, Revision expected, const Value& value) {
    Entry* entry = find_entry(key);
    if (entry == nullptr) {
      if (expected != Revision{}) return nullptr;
      const Revision now = next_revision();
      return &entries_.emplace_back(Entry{key, now, now, value});
    }
    if (entry->modified != expected) return nullptr;
    entry->modified = next_revision();
    entry->value = value;
    return entry;
  }

  // Deletes if the key was last modified at `expected`. Deleting consumes a revision.
  bool remove_if(Key key, Revision expected) {
    Entry* entry = find_entry(key);
    if (entry == nullptr || entry->modified != expected) return false;
    entries_.erase(entries_.begin() + (entry - entries_.data()));
    next_revision();
    return true;
  }

  // A store that holds one entry and nothing else, as if it had been written last.
  static Mvcc holding(Key key, Revision modified, const Value& value) {
    Mvcc store;
    store.revision_ = modified;
    store.entries_.push_back({key, modified, modified, value});
    return store;
  }

  friend bool operator==(const Mvcc&, const Mvcc&) = default;

 private:
  Entry* find_entry(Key key) { return const_cast<Entry*>(std::as_const(*this).find(key)); }
  Revision next_revision() { return revision_ = Revision{revision_.value + 1}; }

  Revision revision_{1};
  std::vector<Entry> entries_;
};

}  // namespace tenure::store
