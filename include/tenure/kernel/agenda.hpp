// The pending events of one world, in the order in which they will happen.
//
// A winner tree over a pool of slots: every pending event owns a slot, each inner node keeps the
// slot that is due first below it. Cancelling and rescheduling replay one path; nothing moves,
// nothing goes stale, and the whole agenda is a few flat arrays.
//
// Invariants:
//  (1) keys are unique; sequence numbers are never used twice
//  (2) no pending event lies before the time of the last one taken
//  (3) node_[1] wins over every leaf, except over a hole left by the last take
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenure/base/assert.hpp>
#include <tenure/base/time.hpp>

namespace tenure::kernel {

// What comes first at one instant. Faults of the plan begin and end before anything else happens.
enum class Precedence : std::uint8_t { fault, ordinary };

// The place of an event in the total order, and the handle by which it is cancelled.
struct EventKey {
  TrueTime at = never<TrueTime>;
  std::uint64_t sequence = 0;
  std::uint32_t slot = none;

  static constexpr std::uint32_t none = 0xffffffffU;
  constexpr bool pending() const { return slot != none; }
  friend auto operator<=>(const EventKey&, const EventKey&) = default;
};

template <class Event>
class Agenda {
  static_assert(std::is_trivially_copyable_v<Event>, "a world is copied with its pending events");

 public:
  Agenda() { grow_to(8); }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  template <class Alternative>
  EventKey post(TrueTime at,
                const Alternative& event,
                Precedence precedence = Precedence::ordinary) {
    const std::uint32_t slot = free_slot();
    events_[slot] = event;
    ++size_;
    return place(slot, at, next_sequence(precedence));
  }

  void cancel(EventKey key) {
    TENURE_ASSERT(holds(key), "only a pending event can be cancelled");
    leaf_[key.slot] = no_key;
    free_.push_back(key.slot);
    --size_;
    fill_hole();
    replay(key.slot);
  }

  // Moves a pending event to another time; among equals it then comes last.
  EventKey reschedule(EventKey key, TrueTime at) {
    TENURE_ASSERT(holds(key), "only a pending event can be rescheduled");
    fill_hole();
    return place(key.slot, at, next_sequence(precedence_of(key)));
  }

  // The time of the next event; `never` when there is none.
  TrueTime next_at() {
    fill_hole();
    const Key first = leaf_[node_[1]];
    return first == no_key ? never<TrueTime> : time_of(first);
  }

  // The event stays where it is until the next post.
  std::pair<EventKey, const Event&> take() {
    fill_hole();
    const std::uint32_t slot = node_[1];
    const Key key = leaf_[slot];
    TENURE_ASSERT(key != no_key, "there is an event to take");
    // The slot stays a hole until the next post, which usually follows at once and fills it: one
    // path is replayed for both.
    leaf_[slot] = no_key;
    hole_ = slot;
    --size_;
    return {EventKey{time_of(key), sequence_of(key), slot}, events_[slot]};
  }

  // Any pending event, not only the next.
  Event take(EventKey key) {
    const Event event = events_[key.slot];
    cancel(key);
    return event;
  }

  // The events of the next instant, in order.
  void next_ones(std::vector<EventKey>& keys) {
    keys.clear();
    const TrueTime at = next_at();
    if (at == never<TrueTime>) return;
    for (std::uint32_t slot = 0; slot < leaf_.size(); ++slot) {
      if (leaf_[slot] != no_key && time_of(leaf_[slot]) == at) {
        keys.push_back({at, sequence_of(leaf_[slot]), slot});
      }
    }
    std::sort(keys.begin(), keys.end());
  }

  // In no order that means anything.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::uint32_t slot = 0; slot < leaf_.size(); ++slot) {
      if (leaf_[slot] == no_key) continue;
      visit(EventKey{time_of(leaf_[slot]), sequence_of(leaf_[slot]), slot}, events_[slot]);
    }
  }

  // In order; for reports, not for the hot path.
  std::vector<EventKey> pending() const {
    std::vector<EventKey> keys;
    keys.reserve(size_);
    for (std::uint32_t slot = 0; slot < leaf_.size(); ++slot) {
      if (leaf_[slot] != no_key)
        keys.push_back({time_of(leaf_[slot]), sequence_of(leaf_[slot]), slot});
    }
    std::sort(keys.begin(), keys.end());
    return keys;
  }

  // Held, in bytes, beside the object itself.
  std::size_t memory() const {
    return leaf_.capacity() * sizeof(Key) + node_.capacity() * sizeof(std::uint32_t) +
           events_.capacity() * sizeof(Event) + free_.capacity() * sizeof(std::uint32_t);
  }

  const Event& event(EventKey key) const { return events_[key.slot]; }

  // The same events in the same order at the same times, wherever their slots are.
  friend bool operator==(const Agenda& a, const Agenda& b) {
    const std::vector<EventKey> left = a.pending();
    const std::vector<EventKey> right = b.pending();
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [&](const EventKey& x, const EventKey& y) {
                        return x.at == y.at && precedence_of(x) == precedence_of(y) &&
                               a.event(x) == b.event(y);
                      });
  }

 private:
  // Time in the high half, sequence number in the low half: one comparison orders two events.
  __extension__ using Key = unsigned __int128;
  static constexpr Key no_key = ~Key{0};
  static constexpr std::uint64_t ordinary_bit = std::uint64_t{1} << 63;

  static TrueTime time_of(Key key) {
    return TrueTime{Duration{static_cast<std::int64_t>(static_cast<std::uint64_t>(key >> 64))}};
  }
  static std::uint64_t sequence_of(Key key) { return static_cast<std::uint64_t>(key); }
  static Precedence precedence_of(EventKey key) {
    return (key.sequence & ordinary_bit) != 0 ? Precedence::ordinary : Precedence::fault;
  }

  bool holds(EventKey key) const {
    return key.slot < leaf_.size() && leaf_[key.slot] != no_key &&
           sequence_of(leaf_[key.slot]) == key.sequence;
  }

  std::uint64_t next_sequence(Precedence precedence) {
    return ++sequence_ | (precedence == Precedence::ordinary ? ordinary_bit : 0);
  }

  EventKey place(std::uint32_t slot, TrueTime at, std::uint64_t sequence) {
    TENURE_ASSERT(at >= TrueTime{}, "nothing happens before the run starts");
    leaf_[slot] = Key{static_cast<std::uint64_t>(at.time_since_epoch().count())} << 64 | sequence;
    replay(slot);
    return {at, sequence, slot};
  }

  std::uint32_t free_slot() {
    if (hole_ != EventKey::none) return std::exchange(hole_, EventKey::none);
    if (free_.empty()) grow_to(static_cast<std::uint32_t>(leaf_.size() * 2));
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }

  void fill_hole() {
    if (hole_ == EventKey::none) return;
    free_.push_back(hole_);
    replay(std::exchange(hole_, EventKey::none));
  }

  // Plays the matches on the way from a leaf to the root again.
  void replay(std::uint32_t slot) {
    const auto capacity = static_cast<std::uint32_t>(leaf_.size());
    std::uint32_t winner = slot;
    Key best = leaf_[slot];
    for (std::uint32_t from = capacity + slot, parent = from >> 1; parent != 0;
         from = parent, parent >>= 1) {
      const std::uint32_t rival = node_[from ^ 1];
      const Key key = leaf_[rival];
      const bool rival_first = key < best;
      winner = rival_first ? rival : winner;
      best = rival_first ? key : best;
      node_[parent] = winner;
    }
  }

  void grow_to(std::uint32_t capacity) {
    const auto before = static_cast<std::uint32_t>(leaf_.size());
    leaf_.resize(capacity, no_key);
    events_.resize(capacity);
    node_.assign(std::size_t{capacity} * 2, 0);
    for (std::uint32_t slot = 0; slot < capacity; ++slot) node_[capacity + slot] = slot;
    for (std::uint32_t parent = capacity - 1; parent != 0; --parent) {
      const std::uint32_t left = node_[parent * 2];
      const std::uint32_t right = node_[parent * 2 + 1];
      node_[parent] = leaf_[right] < leaf_[left] ? right : left;
    }
    for (std::uint32_t slot = capacity; slot-- > before;) free_.push_back(slot);
  }

  std::vector<Key> leaf_;  // by slot; no_key where nothing is pending
  std::vector<std::uint32_t>
      node_;                   // node_[capacity + slot] == slot; node_[1] is the next event's slot
  std::vector<Event> events_;  // by slot
  std::vector<std::uint32_t> free_;
  std::uint64_t sequence_ = 0;
  std::uint32_t hole_ = EventKey::none;
  std::uint64_t size_ = 0;
};

}  // namespace tenure::kernel
