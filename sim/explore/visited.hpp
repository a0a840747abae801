// The states met so far: 64 bits of each, where it was reached from, and how many lead in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace tenure::explore {

// A vector that never moves what it holds: growing copies nothing and leaves at most one block
// empty.
template <class T>
class Column {
 public:
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return blocks_[i / block][i % block]; }
  const T& operator[](std::size_t i) const { return blocks_[i / block][i % block]; }
  void push_back(T value) {
    if (size_ == blocks_.size() * block) blocks_.push_back(std::make_unique<T[]>(block));
    (*this)[size_++] = value;
  }
  std::size_t memory() const { return blocks_.size() * block * sizeof(T); }

 private:
  static constexpr std::size_t block = std::size_t{1} << 14;
  std::vector<std::unique_ptr<T[]>> blocks_;
  std::size_t size_ = 0;
};

class Visited {
 public:
  Visited() : slots_(1 << 12, free_slot) {}

  std::uint32_t size() const { return static_cast<std::uint32_t>(fingerprints_.size()); }
  std::uint64_t fingerprint(std::uint32_t state) const { return fingerprints_[state]; }
  std::uint32_t came_from(std::uint32_t state) const { return came_from_[state]; }
  std::uint8_t believers(std::uint32_t state) const { return believers_[state]; }

  // Brings near what `find` will look at.
  void prefetch(std::uint64_t fingerprint) const {
    __builtin_prefetch(&slots_[slot_of(fingerprint)]);
  }

  std::optional<std::uint32_t> find(std::uint64_t fingerprint) const {
    const std::size_t at = find_slot(fingerprint);
    if (slots_[at] == free_slot) return std::nullopt;
    return slots_[at].state;
  }

  struct Added {
    std::uint32_t state = 0;
    bool is_new = false;
  };
  Added add(std::uint64_t fingerprint, std::uint32_t came_from, std::uint8_t believers) {
    if ((fingerprints_.size() + 1) * 5 > slots_.size() * 4) grow();
    const std::size_t at = find_slot(fingerprint);
    if (slots_[at] != free_slot) return {slots_[at].state, false};
    const std::uint32_t state = size();
    slots_[at] = {state, tag_of(fingerprint)};
    fingerprints_.push_back(fingerprint);
    came_from_.push_back(came_from);
    believers_.push_back(believers);
    return {state, true};
  }

  std::size_t memory() const {
    return slots_.capacity() * sizeof(Slot) + fingerprints_.memory() + came_from_.memory() +
           believers_.memory();
  }

 private:
  // Half of the fingerprint stands beside the state: a search reads one line of the cache, and a
  // second one only to confirm what it has found.
  struct Slot {
    std::uint32_t state = 0;
    std::uint32_t tag = 0;
    friend bool operator==(const Slot&, const Slot&) = default;
  };
  static constexpr Slot free_slot{0xffffffffU, 0};

  static std::uint32_t tag_of(std::uint64_t fingerprint) {
    return static_cast<std::uint32_t>(fingerprint >> 32);
  }
  std::size_t slot_of(std::uint64_t fingerprint) const { return fingerprint & (slots_.size() - 1); }
  std::size_t after(std::size_t slot) const { return (slot + 1) & (slots_.size() - 1); }

  // Where a fingerprint is, or would be.
  std::size_t find_slot(std::uint64_t fingerprint) const {
    std::size_t at = slot_of(fingerprint);
    while (slots_[at] != free_slot && !holds(slots_[at], fingerprint)) at = after(at);
    return at;
  }
  bool holds(Slot slot, std::uint64_t fingerprint) const {
    return slot.tag == tag_of(fingerprint) && fingerprints_[slot.state] == fingerprint;
  }

  void grow() {
    slots_.assign(slots_.size() * 2, free_slot);
    for (std::uint32_t state = 0; state < size(); ++state) {
      std::size_t at = slot_of(fingerprints_[state]);
      while (slots_[at] != free_slot) at = after(at);
      slots_[at] = {state, tag_of(fingerprints_[state])};
    }
  }

  std::vector<Slot> slots_;  // a power of two
  Column<std::uint64_t> fingerprints_;
  Column<std::uint32_t> came_from_;
  Column<std::uint8_t> believers_;
};

}  // namespace tenure::explore
