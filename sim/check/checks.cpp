#include <variant>

#include <tenure/check/checks.hpp>

namespace tenure::check {

// One overload per fact; what nobody listens to is left to the last one.
struct Checks::Dispatch {
  Checks& self;
  TrueTime at;

  void operator()(const record::RequestHandled& fact) const {
    self.lease_safety_.on(at, fact, self.findings_);
    self.metrics_.on(at, fact);
  }
  void operator()(const record::LeaseWritten& fact) const {
    self.lease_safety_.on(at, fact, self.findings_);
    self.lease_record_.on(at, fact, self.findings_);
    self.belief_safety_.on(fact);
    self.metrics_.on(at, fact);
  }
  void operator()(const record::LeaseDeleted& fact) const {
    self.lease_safety_.on(at, fact, self.findings_);
    self.lease_record_.on(fact);
  }
  void operator()(const record::ExpiryClaimed& fact) const { self.lease_record_.on(fact); }

  void operator()(const record::LeadershipBegan& fact) const {
    if (fact.level == self.level_) self.belief_safety_.on(at, fact, self.findings_);
    if (fact.level != record::Level::context) return;
    self.bounded_failover_.on(at, fact, self.findings_);
    self.eventual_stability_.on(at, fact);
    self.metrics_.on(at, fact);
  }
  void operator()(const record::LeadershipEnded& fact) const {
    if (fact.level == self.level_) self.belief_safety_.on(at, fact, self.findings_);
    if (fact.level != record::Level::context) return;
    self.bounded_failover_.on(at, fact, self.findings_);
    self.eventual_stability_.on(at, fact);
    self.metrics_.on(at, fact);
  }

  void operator()(const record::ProcessStarted& fact) const { everyone(fact); }
  void operator()(const record::ProcessEnded& fact) const { everyone(fact); }
  void operator()(const record::ProcessPaused& fact) const {
    self.bounded_failover_.on(at, fact, self.findings_);
    self.metrics_.on(at, fact);
  }
  void operator()(const record::ProcessResumed& fact) const {
    self.bounded_failover_.on(at, fact, self.findings_);
    self.metrics_.on(at, fact);
  }
  void operator()(const record::ConnectionChanged& fact) const {
    self.bounded_failover_.on(at, fact, self.findings_);
  }
  void operator()(const record::FaultBegan& fact) const {
    self.eventual_stability_.on(at, fact);
    self.metrics_.on(at, fact);
  }
  void operator()(const record::FaultEnded& fact) const { self.eventual_stability_.on(at, fact); }
  void operator()(const record::FaultHit& fact) const { self.metrics_.on(at, fact); }
  template <class Other>
  void operator()(const Other&) const {}

 private:
  template <class Fact>
  void everyone(const Fact& fact) const {
    self.belief_safety_.on(at, fact, self.findings_);
    self.bounded_failover_.on(at, fact, self.findings_);
    self.metrics_.on(at, fact);
  }
};

void Checks::on(const record::Record& record) {
  std::visit(Dispatch{*this, record.at}, record.fact);
}

void Checks::end(TrueTime at) {
  belief_safety_.end(at, findings_);
  bounded_failover_.end(at, findings_);
  eventual_stability_.end(at, findings_);
  metrics_.end(at);
}

}  // namespace tenure::check
