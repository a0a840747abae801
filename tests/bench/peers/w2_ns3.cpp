// W2 (../yardstick/plain_election.hpp describes it) on ns-3's event core: every wake-up is a
// callback given to Simulator::Schedule, and a kill cancels the pending one.
#include <cstdint>
#include <random>

#include <ns3/core-module.h>

#include "../yardstick/cpu_clock.hpp"
#include "rows.hpp"

namespace {

using ns3::Seconds;
using ns3::Simulator;
using ns3::Time;

constexpr double days = 5;
constexpr int nobody = -1;

enum class Due : std::uint8_t { attempt, get_arrives, get_returns, update_arrives, update_returns };

struct Candidate {
  Due due = Due::attempt;
  bool up = true;
  bool leads = false;
  bool accepted = false;
  int seen_holder = nobody;
  std::uint64_t seen_version = 0;
  std::uint64_t request_version = 0;
  Time seen_at;
  Time renewed_at;
  ns3::EventId pending;
};

class Election {
 public:
  void start() {
    for (int i = 0; i < 3; ++i) {
      then(i, Due::attempt, Seconds(2 * peers::uniform(random_)));
    }
    Simulator::Schedule(Seconds(300), &Election::kill_leader, this);
  }

  const peers::Counts& counts() const { return counts_; }

 private:
  void then(int index, Due due, const Time& delay) {
    candidate_[index].due = due;
    candidate_[index].pending = Simulator::Schedule(delay, &Election::wake, this, index);
  }

  void try_again_later(int index) {
    then(index, Due::attempt, Seconds(2 + 2.4 * peers::uniform(random_)));
  }

  void kill_leader() {
    ++counts_.events;
    Simulator::Schedule(Seconds(300), &Election::kill_leader, this);
    const int holder = holder_;
    if (holder == nobody || !candidate_[holder].up) return;
    candidate_[holder].up = candidate_[holder].leads = false;
    candidate_[holder].pending.Cancel();
    killed_ = true;
    killed_at_ = Simulator::Now();
    Simulator::Schedule(Seconds(30), &Election::restart, this, holder);
  }

  void restart(int index) {
    ++counts_.events;
    candidate_[index] = Candidate{};
    then(index, Due::attempt, Time(0));
  }

  void wake(int index) {
    ++counts_.events;
    Candidate& self = candidate_[index];
    switch (self.due) {
      case Due::attempt:
        if (self.leads && Simulator::Now() - self.renewed_at >= renew_deadline_) self.leads = false;
        if (self.leads) self.request_version = self.seen_version;
        return then(index, self.leads ? Due::update_arrives : Due::get_arrives, one_way_);
      case Due::get_arrives:
        self.request_version = version_;
        self.seen_holder = holder_;
        return then(index, Due::get_returns, one_way_);
      case Due::get_returns:
        return read(index);
      case Due::update_arrives:
        self.accepted = version_ == self.request_version;
        if (self.accepted) {
          holder_ = index;
          self.request_version = ++version_;
        }
        return then(index, Due::update_returns, one_way_);
      case Due::update_returns:
        return updated(index);
    }
  }

  void read(int index) {
    Candidate& self = candidate_[index];
    if (self.request_version != self.seen_version) {
      self.seen_version = self.request_version;
      self.seen_at = Simulator::Now();
    }
    const bool held_by_another = self.seen_holder != nobody && self.seen_holder != index;
    if (held_by_another && self.seen_at + lease_duration_ > Simulator::Now()) {
      return try_again_later(index);
    }
    then(index, Due::update_arrives, one_way_);
  }

  void updated(int index) {
    Candidate& self = candidate_[index];
    if (!self.accepted) {
      if (self.leads) return then(index, Due::get_arrives, one_way_);
      return try_again_later(index);
    }
    self.seen_version = self.request_version;
    self.seen_at = self.renewed_at = Simulator::Now();
    if (!self.leads) begin_to_lead(self);
    then(index, Due::attempt, Seconds(2));
  }

  void begin_to_lead(Candidate& self) {
    self.leads = true;
    ++counts_.elections;
    if (!killed_) return;
    counts_.failover_sum += (Simulator::Now() - killed_at_).GetSeconds();
    ++counts_.failovers;
    killed_ = false;
  }

  const Time one_way_ = ns3::MicroSeconds(2500);
  const Time lease_duration_ = Seconds(15);
  const Time renew_deadline_ = Seconds(10);
  std::mt19937_64 random_{1};
  Candidate candidate_[3];
  int holder_ = nobody;
  std::uint64_t version_ = 1;
  bool killed_ = false;
  Time killed_at_;
  peers::Counts counts_;
};

}  // namespace

int main() {
  Election election;
  election.start();
  Simulator::Stop(Seconds(86'400 * days));
  const double begin = yardstick::cpu_seconds();
  Simulator::Run();
  peers::print_rows("ns3", election.counts(), yardstick::cpu_seconds() - begin, days);
  Simulator::Destroy();
}
