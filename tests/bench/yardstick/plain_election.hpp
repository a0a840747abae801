// W2: a lease election in plain C++, the limit the engine is held against. The program every
// simulator in tests/bench runs is this one:
//
//  * Three candidates with lease duration 15 s, renew deadline 10 s, retry period R = 2 s. They
//  start
//    within the first R. A follower waits R + u * 1.2 R, u uniform in [0, 1), between attempts; a
//    leader waits R after each renewal.
//  * A request takes 2.5 ms to the API server, is served there in no time, and takes 2.5 ms back.
//  * A leader renews by an update with the version it saw last; after a conflict it reads first. A
//    follower reads. If the record has changed since its last look it notes the time; if nobody
//    holds the lease, or 15 s have passed since that time, it updates.
//  * The present leader is killed at a given time, and again after each `period` if there is one.
//    It is back 30 s later.
//  * An event is one timed wake-up that is acted on: a timer, an arrival, a reply, a kill, a
//  restart.
//
// A fast but different model would show in the counts: a day with a kill every 300 s has about 282
// 000 events, 288 elections and a mean failover (kill to the new leader's knowing) of 16.4 to 16.6
// s.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "winner_tree.hpp"

namespace yardstick {

constexpr Nanoseconds second = 1'000'000'000;
constexpr Nanoseconds one_way = 2'500'000;
constexpr Nanoseconds lease_duration = 15 * second;
constexpr Nanoseconds renew_deadline = 10 * second;
constexpr Nanoseconds retry_period = 2 * second;
constexpr Nanoseconds restart_delay = 30 * second;
constexpr Nanoseconds day = 86'400 * second;

// xoshiro256++ (Blackman and Vigna), seeded by splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (auto& word : state_) {
      std::uint64_t mixed = (seed += 0x9e3779b97f4a7c15);
      mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
      mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
      word = mixed ^ (mixed >> 31);
    }
  }

  // Uniform in [0, bound).
  Nanoseconds below(Nanoseconds bound) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<Nanoseconds>((Wide{next()} * static_cast<std::uint64_t>(bound)) >> 64);
  }

 private:
  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  std::uint64_t state_[4] = {};
};

struct Counts {
  std::uint64_t events = 0;
  std::uint64_t elections = 0;
  std::uint64_t failovers = 0;
  Nanoseconds failover_sum = 0;

  Counts& operator+=(const Counts& other) {
    events += other.events;
    elections += other.elections;
    failovers += other.failovers;
    failover_sum += other.failover_sum;
    return *this;
  }
};

class PlainElection {
 public:
  // `period` 0: a single kill.
  PlainElection(std::uint64_t seed, Nanoseconds first_kill, Nanoseconds period)
      : random_(seed), period_(period) {
    for (Slot i = 0; i < candidates; ++i) queue_.set(i, random_.below(retry_period));
    queue_.set(kill_slot, first_kill);
  }

  const Counts& run_until(Nanoseconds end) {
    WinnerTree<8>::Taken taken{};
    while (queue_.take(taken) && taken.at <= end) {
      ++counts_.events;
      if (taken.slot < candidates) {
        wake(taken.slot, taken.at);
      } else if (taken.slot == kill_slot) {
        kill_leader(taken.at);
      } else {
        restart(taken.at);
      }
    }
    return counts_;
  }

 private:
  static constexpr Slot candidates = 3;
  static constexpr Slot kill_slot = 3;
  static constexpr Slot restart_slot = 4;
  static constexpr int nobody = -1;

  // What a candidate's pending event means.
  enum class Due : std::uint8_t {
    attempt,
    get_arrives,
    get_returns,
    update_arrives,
    update_returns
  };

  struct Lease {
    int holder = nobody;
    std::uint64_t version = 1;
  };

  struct Candidate {
    Due due = Due::attempt;
    bool up = true;
    bool leads = false;
    bool accepted = false;
    int seen_holder = nobody;
    std::uint64_t seen_version = 0;
    std::uint64_t request_version = 0;
    Nanoseconds seen_at = 0;
    Nanoseconds renewed_at = 0;
  };

  void kill_leader(Nanoseconds now) {
    if (period_ > 0) queue_.set(kill_slot, now + period_);
    const int holder = lease_.holder;
    if (holder == nobody || !candidate_[holder].up) return;
    candidate_[holder].up = candidate_[holder].leads = false;
    queue_.clear(static_cast<Slot>(holder));
    down_ = holder;
    killed_at_ = now;
    queue_.set(restart_slot, now + restart_delay);
  }

  void restart(Nanoseconds now) {
    candidate_[down_] = Candidate{};
    queue_.set(static_cast<Slot>(down_), now);
  }

  void then(Slot slot, Due due, Nanoseconds at) {
    candidate_[slot].due = due;
    queue_.set(slot, at);
  }

  void try_again_later(Slot slot, Nanoseconds now) {
    then(slot, Due::attempt, now + retry_period + random_.below(retry_period * 12 / 10));
  }

  void wake(Slot slot, Nanoseconds now) {
    Candidate& self = candidate_[slot];
    switch (self.due) {
      case Due::attempt:
        if (self.leads && now - self.renewed_at >= renew_deadline) self.leads = false;
        if (self.leads) self.request_version = self.seen_version;
        return then(slot, self.leads ? Due::update_arrives : Due::get_arrives, now + one_way);
      case Due::get_arrives:
        self.request_version = lease_.version;
        self.seen_holder = lease_.holder;
        return then(slot, Due::get_returns, now + one_way);
      case Due::get_returns:
        return read(slot, now);
      case Due::update_arrives:
        self.accepted = lease_.version == self.request_version;
        if (self.accepted) {
          lease_.holder = static_cast<int>(slot);
          self.request_version = ++lease_.version;
        }
        return then(slot, Due::update_returns, now + one_way);
      case Due::update_returns:
        return updated(slot, now);
    }
  }

  void read(Slot slot, Nanoseconds now) {
    Candidate& self = candidate_[slot];
    if (self.request_version != self.seen_version) {
      self.seen_version = self.request_version;
      self.seen_at = now;
    }
    const bool held_by_another =
        self.seen_holder != nobody && self.seen_holder != static_cast<int>(slot);
    if (held_by_another && self.seen_at + lease_duration > now) return try_again_later(slot, now);
    then(slot, Due::update_arrives, now + one_way);
  }

  void updated(Slot slot, Nanoseconds now) {
    Candidate& self = candidate_[slot];
    if (!self.accepted) {
      if (self.leads) return then(slot, Due::get_arrives, now + one_way);
      return try_again_later(slot, now);
    }
    self.seen_version = self.request_version;
    self.seen_at = self.renewed_at = now;
    if (!self.leads) begin_to_lead(self, now);
    then(slot, Due::attempt, now + retry_period);
  }

  void begin_to_lead(Candidate& self, Nanoseconds now) {
    self.leads = true;
    ++counts_.elections;
    if (killed_at_ < 0) return;
    counts_.failover_sum += now - killed_at_;
    ++counts_.failovers;
    killed_at_ = -1;
  }

  WinnerTree<8> queue_;
  Random random_;
  Lease lease_;
  Candidate candidate_[candidates];
  Counts counts_;
  Nanoseconds period_;
  Nanoseconds killed_at_ = -1;
  int down_ = nobody;
};

}  // namespace yardstick
