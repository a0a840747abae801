// The local timers of one process, in its node's own monotonic time. The world keeps one wake-up
// per process in its agenda, for the earliest of them, and moves it when a timer or the clock
// changes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tenure/base/time.hpp>

namespace tenure::kernel {

template <std::size_t Count>
class Timers {
 public:
  void set(std::size_t timer, MonoTime at) { due_[timer] = at; }
  void cancel(std::size_t timer) { due_[timer] = never<MonoTime>; }
  void cancel_all() { due_.fill(never<MonoTime>); }

  MonoTime due(std::size_t timer) const { return due_[timer]; }

  // The timer that is due first; among equals the one with the lower number.
  std::size_t first() const {
    std::size_t best = 0;
    for (std::size_t timer = 1; timer < Count; ++timer) {
      if (due_[timer] < due_[best]) best = timer;
    }
    return best;
  }
  MonoTime first_due() const { return due_[first()]; }

  friend bool operator==(const Timers&, const Timers&) = default;

 private:
  std::array<MonoTime, Count> due_ = all_never();

  static constexpr std::array<MonoTime, Count> all_never() {
    std::array<MonoTime, Count> due{};
    due.fill(never<MonoTime>);
    return due;
  }
};

}  // namespace tenure::kernel
