// What an exploration costs in plain C++: all states of the small lease, breadth first, each stored
// whole, so that none is taken for another.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "support/small_lease.hpp"

namespace yardstick {

class PlainExploration {
 public:
  explicit PlainExploration(small_lease::Constants constants) : constants_(constants) {}

  void run() {
    add(small_lease::first_state(constants_));
    const auto take = [this](const small_lease::State& to, bool) { add(to); };
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const small_lease::State from = states_[i];
      small_lease::Steps{from, constants_, take}.all();
    }
  }

  std::uint64_t states() const { return states_.size(); }

 private:
  static constexpr std::uint32_t none = 0xffffffffU;

  void add(const small_lease::State& state) {
    if ((states_.size() + 1) * 5 > slots_.size() * 3) grow();
    const std::size_t at = find_slot(state);
    if (slots_[at] != none) return;
    slots_[at] = static_cast<std::uint32_t>(states_.size());
    states_.push_back(state);
  }

  std::size_t find_slot(const small_lease::State& state) const {
    std::size_t at = hash_of(state) & (slots_.size() - 1);
    while (slots_[at] != none && states_[slots_[at]].bytes() != state.bytes()) {
      at = (at + 1) & (slots_.size() - 1);
    }
    return at;
  }

  static std::uint64_t hash_of(const small_lease::State& state) {
    std::uint64_t words[(sizeof state + 7) / 8] = {};
    std::memcpy(words, &state, sizeof state);
    std::uint64_t hash = 0;
    for (const std::uint64_t word : words) {
      hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
      hash ^= hash >> 32;
    }
    return hash;
  }

  void grow() {
    slots_.assign(slots_.size() * 2, none);
    for (std::uint32_t i = 0; i < states_.size(); ++i) slots_[find_slot(states_[i])] = i;
  }

  small_lease::Constants constants_;
  std::vector<small_lease::State> states_;
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(1 << 16, none);
};

}  // namespace yardstick
