// A winner tree over slots, each with at most one pending event: the fastest plain queue for the
// few events that an election has pending. Every inner node names the earlier of the two slots
// below it; a change replays the matches from its leaf to the root.
//
// Invariants:
//  (1) node[1] is the slot with the smallest key, except for the path of the slot last taken: that
//      path is replayed when its slot is set again or when another operation needs it
//  (2) equal times are taken in the order in which they were set
#pragma once

#include <cstddef>
#include <cstdint>

namespace yardstick {

using Slot = std::uint32_t;
using Nanoseconds = std::int64_t;

template <std::size_t capacity>
class WinnerTree {
  static_assert((capacity & (capacity - 1)) == 0, "the tree is complete");

 public:
  struct Taken {
    Nanoseconds at;
    Slot slot;
  };

  WinnerTree() {
    for (Slot slot = 0; slot < capacity; ++slot) {
      leaf_[slot] = never;
      node_[capacity + slot] = slot;
    }
    for (std::size_t i = capacity - 1; i > 0; --i) node_[i] = node_[2 * i];
  }

  void set(Slot slot, Nanoseconds at) {
    leaf_[slot] = (static_cast<Key>(at) << 64) | ++sequence_;
    if (stale_ != none && stale_ != slot) replay(stale_);
    stale_ = none;
    replay(slot);
  }

  void clear(Slot slot) {
    leaf_[slot] = never;
    if (slot != stale_) replay(slot);
  }

  // The earliest event; false if nothing is pending.
  bool take(Taken& taken) {
    if (stale_ != none) replay(stale_);
    stale_ = none;
    const Slot slot = node_[1];
    if (leaf_[slot] == never) return false;
    taken = {static_cast<Nanoseconds>(leaf_[slot] >> 64), slot};
    leaf_[slot] = never;
    // What happens next mostly sets the same slot again; one replay then serves both.
    stale_ = slot;
    return true;
  }

 private:
  // Time in the upper half, order of setting in the lower: one comparison decides.
  __extension__ using Key = unsigned __int128;
  static constexpr Key never = ~Key{0};
  static constexpr Slot none = ~Slot{0};

  void replay(Slot slot) {
    Slot winner = slot;
    Key winner_key = leaf_[slot];
    std::size_t from = capacity + slot;
    for (std::size_t parent = from / 2; parent > 0; from = parent, parent /= 2) {
      const Slot other = node_[from ^ 1];
      const Key other_key = leaf_[other];
      const bool other_wins = other_key < winner_key;
      winner = other_wins ? other : winner;
      winner_key = other_wins ? other_key : winner_key;
      node_[parent] = winner;
    }
  }

  Key leaf_[capacity] = {};
  Slot node_[2 * capacity] = {};
  std::uint64_t sequence_ = 0;
  Slot stale_ = none;
};

}  // namespace yardstick
