// Elections that are small enough for all of their runs to be looked at. Time is in ticks of one
// second unless a test says otherwise; every process starts at 0 s, messages take no time, and
// nothing goes wrong that a test does not name.
//
//   CHECK(is_safe(client_go(12, 10, 2).losing_messages()));
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/explore/explorer.hpp>
#include <tenure/scenario/grid.hpp>

namespace tenure::test {

// A scenario in ticks, and what was made of it.
struct SmallModel {
  scenario::Scenario scenario;
  std::shared_ptr<const world::Setup> setup;
};

class SmallElection {
 public:
  SmallElection() {
    scenario_.name = "small";
    and_of(2);
  }

  // Another group, with the elector of the one before.
  SmallElection& and_of(std::uint32_t replicas) {
    scenario::Candidates group;
    if (!scenario_.candidates.empty()) group.elector = scenario_.candidates.back().elector;
    group.name = std::string(1, static_cast<char>('a' + scenario_.candidates.size()));
    group.replicas = replicas;
    group.start = Distribution::constant(Duration{0});
    group.restart.policy = scenario::Restart::Policy::never;
    group.restart.exit_on_lost = false;  // who loses the Lease is a candidate again, in place
    scenario_.candidates.push_back(group);
    return *this;
  }
  SmallElection& of(std::uint32_t replicas) {
    group().replicas = replicas;
    return *this;
  }

  // The group named last.
  scenario::Candidates& group() { return scenario_.candidates.back(); }
  scenario::Elector& elector() { return group().elector; }

  SmallElection& fast_path() {
    elector().behaviour.fast_path = true;
    return *this;
  }
  // A request is given up after so long.
  SmallElection& waiting_for_replies(Duration most) {
    elector().request_timeout = most;
    return *this;
  }
  // What the clocks of the group gain per second.
  SmallElection& clock_gains(Duration per_second) {
    group().clock.gain_per_second.base = per_second;
    return *this;
  }
  SmallElection& wall_clock_ahead(Duration by) {
    group().clock.offset.base = by;
    return *this;
  }
  SmallElection& restarting(Duration after, scenario::Restart::Identity identity) {
    group().restart.policy = scenario::Restart::Policy::always;
    group().restart.delay = Distribution::constant(after);
    group().restart.identity = identity;
    return *this;
  }

  // Of each message, one way.
  SmallElection& delays_up_to(Duration most) { return latency(up_to(most), up_to(most)); }
  SmallElection& replies_late_by(Duration least, Duration most) {
    return latency(Distribution::constant(Duration{0}), Distribution::uniform(least, most));
  }
  SmallElection& latency(const Distribution& request, const Distribution& reply) {
    scenario_.cluster.latency = scenario::OneWay{request, reply};
    return *this;
  }

  // Each message may be lost.
  SmallElection& losing_messages() { return with("loss", scenario::Loss{}, std::nullopt); }
  // Only those of one candidate, which becomes a group of its own: far fewer states.
  SmallElection& one_losing_messages() { return of(1).and_of(1).losing_messages_of("a-0"); }
  SmallElection& losing_messages_of(const std::string& process) {
    losing_messages();
    scenario_.faults.back().target.role = scenario::Target::Role::candidate;
    scenario_.faults.back().target.name = process;
    return *this;
  }
  SmallElection& losing_at_most(std::uint64_t messages) {
    return with("loss", scenario::Loss{}, messages);
  }
  // A leader may be frozen, once and at any instant.
  SmallElection& pausing_up_to(Duration most) {
    with("pause", scenario::Pause{}, 1);
    scenario_.faults.back().duration = Distribution::uniform(tick_, most);
    return *this;
  }
  // A leader may crash, once and at any instant.
  SmallElection& crashing() { return with("crash", scenario::Crash{}, 1); }

  SmallElection& in_ticks_of(Duration tick) {
    tick_ = tick;
    return *this;
  }

  SmallModel model() const {
    const scenario::OnGrid rounded = scenario::on_grid(scenario_, tick_);
    REQUIRE(rounded.problems.empty());
    auto setup =
        std::make_shared<world::Setup>(*scenario::build_on_grid(rounded.scenario, tick_).setup);
    setup->duration = longest_duration;
    return {rounded.scenario, setup};
  }

 private:
  static Distribution up_to(Duration most) {
    return most == Duration{0} ? Distribution::constant(most)
                               : Distribution::uniform(Duration{0}, most);
  }

  SmallElection& with(const std::string& name,
                      const scenario::FaultKind& kind,
                      std::optional<std::uint64_t> count) {
    scenario::Fault fault;
    fault.name = name;
    fault.kind = kind;
    fault.at_any = true;
    fault.count = count;
    const bool of_messages = std::holds_alternative<scenario::Loss>(kind);
    fault.target.role =
        of_messages ? scenario::Target::Role::all : scenario::Target::Role::believers;
    scenario_.faults.push_back(fault);
    return *this;
  }

  scenario::Scenario scenario_;
  Duration tick_ = std::chrono::seconds{1};
};

// Two candidates of client-go up to v0.29, which has no fast path; all in seconds. Requests are
// given up after half the deadline, as kube-controller-manager and controller-runtime do.
inline SmallElection client_go(int lease, int deadline, int retry) {
  SmallElection election;
  scenario::Elector& elector = election.elector();
  elector.lease_duration = std::chrono::seconds{lease};
  elector.renew_deadline = std::chrono::seconds{deadline};
  elector.retry_period = std::chrono::seconds{retry};
  elector.request_timeout = std::chrono::seconds{std::max(1, deadline / 2)};
  elector.behaviour.fast_path = false;
  return election.delays_up_to(Duration{0});
}

// A leader sleeps between two renewals, a follower between two looks.
inline SmallElection naive_loop(int lease, int leader_sleep, int retry) {
  SmallElection election;
  scenario::Elector& elector = election.elector();
  elector.type = scenario::Elector::Type::naive_loop;
  elector.lease_duration = std::chrono::seconds{lease};
  elector.leader_sleep = std::chrono::seconds{leader_sleep};
  elector.retry_period = std::chrono::seconds{retry};
  elector.request_timeout = std::chrono::seconds{5};
  return election.delays_up_to(Duration{0});
}

inline explore::Exploration explored(const SmallElection& election,
                                     const explore::Options& options = {}) {
  return explore::explore(election.model().setup, options);
}

// No two believe at once; an election that is not small enough to tell fails the test.
inline bool is_safe(const SmallElection& election, const explore::Options& given = {}) {
  explore::Options options = given;
  options.stops_at_violation = true;
  const explore::Exploration all = explored(election, options);
  if (all.ended == explore::Ended::at_violation) return false;
  REQUIRE(all.ended == explore::Ended::complete);
  return true;
}

}  // namespace tenure::test
