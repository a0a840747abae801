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
  Visited() : slots_(1 << 12, none) {}

  std::uint32_t size() const { return static_cast<std::uint32_t>(fingerprints_.size()); }
  std::uint64_t fingerprint(std::uint32_t state) const { return fingerprints_[state]; }
  std::uint32_t came_from(std::uint32_t state) const { return came_from_[state]; }
  std::uint8_t believers(std::uint32_t state) const { return believers_[state]; }

  std::optional<std::uint32_t> find(std::uint64_t fingerprint) const {
    for (std::size_t at = slot_of(fingerprint);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at] == none) return std::nullopt;
      if (fingerprints_[slots_[at]] == fingerprint) return slots_[at];
    }
  }

  struct Added {
    std::uint32_t state = 0;
    bool is_new = false;
  };
  Added add(std::uint64_t fingerprint, std::uint32_t came_from, std::uint8_t believers) {
    if ((fingerprints_.size() + 1) * 5 > slots_.size() * 4) grow();
    std::size_t at = slot_of(fingerprint);
    for (; slots_[at] != none; at = (at + 1) & (slots_.size() - 1)) {
      if (fingerprints_[slots_[at]] == fingerprint) return {slots_[at], false};
    }
    const std::uint32_t state = size();
    slots_[at] = state;
    fingerprints_.push_back(fingerprint);
    came_from_.push_back(came_from);
    believers_.push_back(believers);
    return {state, true};
  }

  std::size_t memory() const {
    return slots_.capacity() * sizeof(std::uint32_t) + fingerprints_.memory() +
           came_from_.memory() + believers_.memory();
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffU;

  std::size_t slot_of(std::uint64_t fingerprint) const { return fingerprint & (slots_.size() - 1); }

  void grow() {
    slots_.assign(slots_.size() * 2, none);
    for (std::uint32_t state = 0; state < size(); ++state) {
      std::size_t at = slot_of(fingerprints_[state]);
      while (slots_[at] != none) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = state;
    }
  }

  std::vector<std::uint32_t> slots_;  // a power of two; the state, or none
  Column<std::uint64_t> fingerprints_;
  Column<std::uint32_t> came_from_;
  Column<std::uint8_t> believers_;
};

}  // namespace tenure::explore
