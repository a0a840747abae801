// A lease election of three in integer time, small enough to count all of its states: their number
// is known from Spin, for which tests/bench/peers/small_lease.pml is the same system of
// transitions. Plain C++ that knows nothing of the explorer.
//
// One lease with compare-and-swap; requests and replies take any time. A candidate's copy is
// current until somebody else writes. A leader counts its deadline from the sending of its last
// successful renewal, and steps down at it; a follower may write when it has seen no change for the
// lease duration. What is due comes before time passes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace small_lease {

constexpr std::uint8_t candidates = 3;
constexpr std::uint8_t nobody = candidates;

struct Constants {
  std::uint8_t lease_duration = 4;
  std::uint8_t renew_deadline = 3;
  std::uint8_t retry_period = 1;
  std::uint8_t crashes = 1;
};

enum class Call : std::uint8_t { none, sent, accepted, refused, down };

struct Candidate {
  Call call = Call::none;
  std::uint8_t wait = 0;        // until the next attempt
  std::uint8_t record_age = 0;  // since the record was seen to change
  std::uint8_t tenure_age = 0;  // since the sending of the last successful renewal
  std::uint8_t call_age = 0;
  bool is_current = false;
  bool leads = false;
};

struct State {
  std::uint8_t holder = nobody;
  std::uint8_t crashes = 0;  // that are left
  std::array<Candidate, candidates> all{};

  std::string_view bytes() const { return {reinterpret_cast<const char*>(this), sizeof(State)}; }
};
static_assert(std::has_unique_object_representations_v<State>, "equal states have equal bytes");

inline int leaders_in(const State& state) {
  int leaders = 0;
  for (const Candidate& candidate : state.all) leaders += candidate.leads ? 1 : 0;
  return leaders;
}

// Calls take(next, is_tick) for every successor of a state.
template <class Take>
class Steps {
 public:
  Steps(const State& from, const Constants& constants, const Take& take)
      : from_(from), constants_(constants), take_(take) {}

  void all() {
    bool may_wait = true;
    for (std::uint8_t me = 0; me < candidates; ++me) {
      may_wait = may_wait && !is_due(from_.all[me]) && !is_late(from_.all[me]);
      of(me);
    }
    if (may_wait) tick();
  }

 private:
  bool is_due(const Candidate& c) const { return c.call == Call::none && c.wait == 0; }
  bool is_late(const Candidate& c) const {
    return c.leads && c.tenure_age >= constants_.renew_deadline;
  }

  void of(std::uint8_t me) {
    const Candidate& before = from_.all[me];
    if (is_due(before) && before.leads && !is_late(before)) change(me, send);
    if (is_due(before) && !before.leads) look(me);
    if (before.call == Call::sent) serve(me);
    if (before.call == Call::accepted) hear_yes(me);
    if (before.call == Call::refused) hear_no(me);
    if (is_late(before)) step_down(me);
    if (from_.crashes > 0 && before.call != Call::down) crash(me);
    if (before.call == Call::down) change(me, [](Candidate& c) { c.call = Call::none; });
  }

  template <class Do>
  void change(std::uint8_t me, const Do& act) {
    State to = from_;
    act(to.all[me]);
    take_(to, false);
  }

  static void send(Candidate& c) {
    c.call = Call::sent;
    c.call_age = 0;
  }
  static void follow(Candidate& c) {
    c.leads = false;
    c.tenure_age = 0;
  }

  void look(std::uint8_t me) {
    Candidate seen = from_.all[me];
    if (!seen.is_current) {
      seen.is_current = true;
      seen.record_age = 0;
    }
    const bool is_held =
        from_.holder != nobody && from_.holder != me && seen.record_age < constants_.lease_duration;
    if (!is_held) {
      send(seen);
      return change(me, [&](Candidate& c) { c = seen; });
    }
    for (std::uint8_t longer = 0; longer < 2; ++longer) {
      seen.wait = static_cast<std::uint8_t>(constants_.retry_period + longer);
      change(me, [&](Candidate& c) { c = seen; });
    }
  }

  void serve(std::uint8_t me) {
    State to = from_;
    to.all[me].call = from_.all[me].is_current ? Call::accepted : Call::refused;
    if (from_.all[me].is_current) {
      to.holder = me;
      for (std::uint8_t other = 0; other < candidates; ++other) {
        if (other == me) continue;
        to.all[other].is_current = false;
        to.all[other].record_age = 0;
      }
    }
    take_(to, false);
  }

  void hear_yes(std::uint8_t me) {
    change(me, [&](Candidate& c) {
      c.call = Call::none;
      c.wait = constants_.retry_period;
      if (c.call_age < constants_.renew_deadline) {
        c.leads = true;
        c.tenure_age = c.call_age;
        if (c.is_current) c.record_age = 0;
      } else {
        follow(c);
      }
      c.call_age = 0;
    });
  }

  void hear_no(std::uint8_t me) {
    change(me, [&](Candidate& c) {
      c.call = Call::none;
      c.wait = constants_.retry_period;
      follow(c);
      c.call_age = 0;
    });
  }

  void step_down(std::uint8_t me) {
    change(me, [&](Candidate& c) {
      follow(c);
      if (c.call == Call::none) c.wait = constants_.retry_period;
    });
  }

  void crash(std::uint8_t me) {
    State to = from_;
    --to.crashes;
    to.all[me] = {};
    to.all[me].call = Call::down;
    take_(to, false);
  }

  void tick() {
    State to = from_;
    for (Candidate& c : to.all) {
      const bool has_call = c.call != Call::none && c.call != Call::down;
      if (c.wait > 0) --c.wait;
      if (c.is_current && c.record_age < constants_.lease_duration) ++c.record_age;
      if (c.leads && c.tenure_age < constants_.renew_deadline) ++c.tenure_age;
      if (has_call && c.call_age < constants_.renew_deadline) ++c.call_age;
    }
    take_(to, true);
  }

  const State& from_;
  const Constants& constants_;
  const Take& take_;
};

inline State first_state(const Constants& constants) {
  State state;
  state.crashes = constants.crashes;
  return state;
}

// What Spin stores (6.5.2, pan -DSAFETY -DNOREDUCE), and what any exact search finds.
constexpr Constants quick{4, 3, 1, 1};
constexpr std::uint64_t quick_states = 91'779;
constexpr Constants slow{7, 5, 2, 2};
constexpr std::uint64_t slow_states = 737'916;

}  // namespace small_lease
