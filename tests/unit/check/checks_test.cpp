// The monitors and metrics, fed with facts by hand: each property is broken by the smallest history
// that breaks it, and kept by the one beside it. Ids are those of the specification of properties,
// section 2; metrics are defined in the interface document, 6.2.
#include <chrono>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/check/checks.hpp>

namespace tenure::check {
namespace {

using namespace std::chrono_literals;
using record::EndReason;
using record::Incarnation;
using record::Level;

constexpr Incarnation a{ProcessId{0}, 0};
constexpr Incarnation b{ProcessId{1}, 0};
constexpr Identity me_a{1, 0};
constexpr Identity me_b{2, 0};

// Facts at their times, and what the checks make of them.
class History {
 public:
  explicit History(PropertyConfig config = {}) : checks_(config, 3) {}

  template <class Fact>
  History& at(Duration time, const Fact& fact) {
    checks_.on({TrueTime{time}, next_, next_, fact});
    ++next_;
    return *this;
  }
  History& up(Duration time, Incarnation who) {
    return at(time, record::ProcessStarted{who, {who.process.value + 1, who.number}});
  }
  History& down(Duration time, Incarnation who, EndReason reason = EndReason::crashed) {
    return at(time, record::ProcessEnded{who, reason});
  }
  History& leads(Duration time, Incarnation who) {
    return at(time, record::LeadershipBegan{who, Level::context});
  }
  History& stops(Duration time, Incarnation who, EndReason reason = EndReason::stepped_down) {
    return at(time, record::LeadershipEnded{who, Level::context, reason});
  }
  History& fault(Duration time, std::uint32_t id, std::initializer_list<Incarnation> hit) {
    at(time, record::FaultBegan{FaultId{id}, 0});
    for (const Incarnation who : hit) at(time, record::FaultHit{FaultId{id}, 0, who});
    return *this;
  }
  Checks& ends(Duration time) {
    checks_.end(TrueTime{time});
    return checks_;
  }

 private:
  Checks checks_;
  std::uint64_t next_ = 0;
};

// A write of the Lease: by whom, over which revision, giving which.
record::LeaseWritten write(Incarnation writer, std::int64_t base, std::int64_t revision) {
  record::LeaseWritten written;
  written.writer = writer;
  written.writer_identity = {writer.process.value + 1, writer.number};
  written.created = base == 0;
  written.uid = 1;
  written.base = written.replaced = Revision{base};
  written.revision = Revision{revision};
  written.record = {written.writer_identity, 15, 0, 1'000'000, 1'000'000};
  return written;
}

record::LeaseWritten with(record::LeaseWritten written, const record::LeaseRecord& record) {
  written.record = record;
  return written;
}

std::uint32_t violations(const Checks& checks, PropertyId id) {
  return checks.findings().tally(id).violations;
}

// ---- S1 to S3

TEST_CASE("S1: a revision that is given a second time is a violation") {
  const Checks good = History{}.at(1s, write(a, 0, 2)).at(2s, write(a, 2, 3)).ends(9s);
  CHECK(violations(good, PropertyId::S1) == 0);
  const Checks bad = History{}.at(1s, write(a, 0, 2)).at(2s, write(a, 2, 2)).ends(9s);
  CHECK(violations(bad, PropertyId::S1) == 1);
}

TEST_CASE("S2: a write whose base is not what was stored is a violation") {
  record::LeaseWritten stale = write(b, 2, 4);
  const Checks bad = History{}.at(1s, write(a, 0, 2)).at(2s, write(a, 2, 3)).at(3s, stale).ends(9s);
  CHECK(violations(bad, PropertyId::S2) == 1);
}

TEST_CASE("S2: a Lease that was deleted may be created anew") {
  const Checks good = History{}
                          .at(1s, write(a, 0, 2))
                          .at(2s, record::LeaseDeleted{b, 0, Revision{3}})
                          .at(3s, write(b, 0, 4))
                          .ends(9s);
  CHECK(violations(good, PropertyId::S1) + violations(good, PropertyId::S2) == 0);
}

TEST_CASE("S3: a stale base that is applied is a violation, during the warm-up too") {
  PropertyConfig config;
  config.warmup = TrueTime{30s};
  const Checks bad =
      History{config}.at(1s, record::RequestHandled{a, 2, 200, false, true}).ends(60s);
  CHECK(violations(bad, PropertyId::S3) == 1);
}

// ---- S4 to S8

TEST_CASE("S4: a holder written by somebody else is a violation, an emptied one is a release") {
  const record::LeaseRecord foreign{me_b, 15, 1, 2'000'000, 2'000'000};
  const record::LeaseRecord released{{}, 1, 0, 2'000'000, 2'000'000};
  CHECK(violations(History{}.at(1s, write(a, 0, 2)).at(2s, with(write(a, 2, 3), foreign)).ends(9s),
                   PropertyId::S4) == 1);
  CHECK(violations(History{}.at(1s, write(a, 0, 2)).at(2s, with(write(b, 2, 3), released)).ends(9s),
                   PropertyId::S4) == 0);
}

TEST_CASE("S5: a take-over needs grounds of its own, about this very record, and old enough") {
  const record::LeaseRecord taken{me_b, 15, 1, 20'000'000, 20'000'000};
  const auto taken_with = [&](const record::ExpiryClaimed& claim) {
    return violations(History{}
                          .at(1s, write(a, 0, 2))
                          .at(19s, claim)
                          .at(20s, with(write(b, 2, 3), taken))
                          .ends(60s),
                      PropertyId::S5);
  };
  CHECK(taken_with({b, Revision{2}, 15s, 15s}) == 0);
  CHECK(taken_with({b, Revision{2}, 15s - 1ns, 15s}) == 1);  // too young
  CHECK(taken_with({b, Revision{9}, 16s, 15s}) == 1);        // about another record
  CHECK(taken_with({a, Revision{2}, 16s, 15s}) == 1);        // somebody else's grounds
  CHECK(taken_with({{ProcessId{1}, 7}, Revision{2}, 16s, 15s}) == 1);
}

TEST_CASE("S6: transitions count each change to another holder, and nothing else") {
  const auto transitions = [](std::int32_t count) {
    return violations(History{}
                          .at(1s, write(a, 0, 2))
                          .at(2s, with(write(b, 2, 3), {me_b, 15, count, 2'000'000, 2'000'000}))
                          .ends(9s),
                      PropertyId::S6);
  };
  CHECK(transitions(1) == 0);
  CHECK(transitions(0) == 1);
  CHECK(transitions(2) == 1);
}

TEST_CASE("S7, S8: within a tenure renewTime does not go back and acquireTime stays") {
  const auto renewed = [](std::int64_t acquired, std::int64_t renewed_at, PropertyId id) {
    record::LeaseWritten first = write(a, 0, 2);
    first.record = {me_a, 15, 0, 1'000'000, 5'000'000};
    return violations(History{}
                          .at(1s, first)
                          .at(2s, with(write(a, 2, 3), {me_a, 15, 0, acquired, renewed_at}))
                          .ends(9s),
                      id);
  };
  CHECK(renewed(1'000'000, 5'000'000, PropertyId::S7) == 0);
  CHECK(renewed(1'000'000, 4'999'999, PropertyId::S7) == 1);
  CHECK(renewed(1'000'000, 6'000'000, PropertyId::S8) == 0);
  CHECK(renewed(1'000'001, 6'000'000, PropertyId::S8) == 1);
}

// ---- B1, B2, V1

TEST_CASE("B1: two who believe at once are a violation; a hand-over within one instant is none") {
  const auto second_at = [](Duration time) {
    return History{}.up(0s, a).up(0s, b).leads(1s, a).leads(time, b).stops(10s, a).ends(20s);
  };
  const Checks overlap = second_at(10s - 1ns);
  CHECK(violations(overlap, PropertyId::B1) == 1);
  CHECK(overlap.metrics().overlap == 1ns);
  const Checks touch = second_at(10s);
  CHECK(violations(touch, PropertyId::B1) == 0);
  CHECK(touch.metrics().overlap == 0s);
}

TEST_CASE("B1: an overlap counts from the warm-up, and one that lasts is found at the end") {
  PropertyConfig config;
  config.warmup = TrueTime{30s};
  const Checks before =
      History{config}.up(0s, a).up(0s, b).leads(1s, a).leads(2s, b).stops(30s, a).ends(60s);
  CHECK(violations(before, PropertyId::B1) == 0);
  const Checks open = History{config}.up(0s, a).up(0s, b).leads(1s, a).leads(2s, b).ends(60s);
  CHECK(violations(open, PropertyId::B1) == 1);
  CHECK(open.findings().first(PropertyId::B1)->at == TrueTime{30s});
  CHECK(open.metrics().overlap == 30s);
}

TEST_CASE("B1 without a take-over is not exercised") {
  CHECK_FALSE(History{}.up(0s, a).leads(1s, a).ends(9s).findings().exercised({PropertyId::B1}));
  CHECK(History{}
            .up(0s, a)
            .up(0s, b)
            .leads(1s, a)
            .stops(2s, a)
            .leads(3s, b)
            .ends(9s)
            .findings()
            .exercised({PropertyId::B1}));
}

TEST_CASE("B2: belief before a write that names this very process is a violation") {
  CHECK(violations(History{}.up(0s, a).at(1s, write(a, 0, 2)).leads(2s, a).ends(9s),
                   PropertyId::B2) == 0);
  CHECK(violations(History{}.up(0s, a).leads(2s, a).ends(9s), PropertyId::B2) == 1);
  // The write of its predecessor under the same name does not count.
  const Incarnation next{ProcessId{0}, 1};
  CHECK(violations(History{}
                       .up(0s, a)
                       .at(1s, write(a, 0, 2))
                       .down(2s, a)
                       .up(3s, next)
                       .leads(4s, next)
                       .ends(9s),
                   PropertyId::B2) == 1);
}

TEST_CASE("V1: a belief that outlives its process is a violation") {
  CHECK(violations(
            History{}.up(0s, a).leads(1s, a).stops(2s, a, EndReason::crashed).down(2s, a).ends(9s),
            PropertyId::V1) == 0);
  CHECK(violations(History{}.up(0s, a).leads(1s, a).down(2s, a).ends(9s), PropertyId::V1) == 1);
}

// ---- L1, L4

Checks after_crash_led_again_at(Duration time) {
  PropertyConfig config;
  config.failover_within = 20s;
  return History{config}
      .up(0s, a)
      .up(0s, b)
      .leads(1s, a)
      .stops(10s, a, EndReason::crashed)
      .down(10s, a)
      .leads(time, b)
      .ends(60s);
}

TEST_CASE("L1: nobody leading in time although somebody could is a violation") {
  CHECK(violations(after_crash_led_again_at(30s), PropertyId::L1) == 0);
  CHECK(violations(after_crash_led_again_at(30s + 1ns), PropertyId::L1) == 1);
  CHECK(after_crash_led_again_at(30s).findings().tally(PropertyId::L1).premises == 1);
}

TEST_CASE("L1 promises nothing when nobody could have taken over all the while") {
  PropertyConfig config;
  config.failover_within = 20s;
  const Checks cut = History{config}
                         .up(0s, a)
                         .up(0s, b)
                         .leads(1s, a)
                         .stops(10s, a, EndReason::crashed)
                         .down(10s, a)
                         .at(15s, record::ConnectionChanged{ProcessId{1}, true, false})
                         .at(16s, record::ConnectionChanged{ProcessId{1}, false, false})
                         .ends(60s);
  CHECK(violations(cut, PropertyId::L1) == 0);
  CHECK(cut.findings().tally(PropertyId::L1).premises == 0);
}

TEST_CASE("L1: a frozen leader that is back in time leads again") {
  PropertyConfig config;
  config.failover_within = 20s;
  const auto resumed_at = [&](Duration time) {
    return History{config}
        .up(0s, a)
        .up(0s, b)
        .leads(1s, a)
        .at(10s, record::ProcessPaused{a})
        .at(time, record::ProcessResumed{a})
        .ends(60s);
  };
  CHECK(violations(resumed_at(30s), PropertyId::L1) == 0);
  CHECK(violations(resumed_at(31s), PropertyId::L1) == 1);
}

TEST_CASE("L4: one and the same believer over the last window, all faults being over") {
  PropertyConfig config;
  config.stable_window = 10s;
  const auto took_over_at = [&](Duration time) {
    return History{config}.up(0s, a).up(0s, b).leads(1s, a).stops(5s, a).leads(time, b).ends(60s);
  };
  CHECK(violations(took_over_at(50s), PropertyId::L4) == 0);
  CHECK(violations(took_over_at(50s + 1ns), PropertyId::L4) == 1);
  const Checks still_faulty = History{config}.up(0s, a).fault(55s, 0, {a}).ends(60s);
  CHECK(still_faulty.findings().tally(PropertyId::L4).premises == 0);
}

// ---- metrics

TEST_CASE("failover: from the fault that hit the leader to the next begin of a belief") {
  const Checks checks = History{}
                            .up(0s, a)
                            .up(0s, b)
                            .leads(1s, a)
                            .fault(10s, 0, {a})
                            .stops(10s, a, EndReason::crashed)
                            .down(10s, a)
                            .leads(27s, b)
                            .ends(60s);
  REQUIRE(checks.metrics().failovers.size() == 1);
  CHECK(checks.metrics().failovers[0].time == 17s);
  CHECK_FALSE(checks.metrics().failovers[0].censored);
}

TEST_CASE("failover: none when the leader was kept, none when a follower was hit") {
  CHECK(History{}.up(0s, a).leads(1s, a).fault(10s, 0, {a}).ends(60s).metrics().failovers.empty());
  CHECK(History{}
            .up(0s, a)
            .up(0s, b)
            .leads(1s, a)
            .fault(10s, 0, {b})
            .ends(60s)
            .metrics()
            .failovers.empty());
}

TEST_CASE("failover: nobody by the end is a censored sample, a fault in the warm-up is none") {
  PropertyConfig config;
  config.warmup = TrueTime{30s};
  const auto hit_at = [&](Duration time) {
    return History{config}
        .up(0s, a)
        .leads(1s, a)
        .fault(time, 0, {a})
        .stops(time, a, EndReason::crashed)
        .down(time, a)
        .ends(60s);
  };
  const Checks counted = hit_at(40s);
  REQUIRE(counted.metrics().failovers.size() == 1);
  CHECK(counted.metrics().failovers[0].censored);
  CHECK(counted.metrics().failovers[0].time == 20s);
  CHECK(hit_at(29s).metrics().failovers.empty());
}

TEST_CASE("failover: a fault that cost the leader nothing is forgotten when the next one comes") {
  const Checks checks = History{}
                            .up(0s, a)
                            .up(0s, b)
                            .leads(1s, a)
                            .fault(10s, 0, {a})
                            .fault(40s, 1, {a})
                            .stops(40s, a, EndReason::crashed)
                            .down(40s, a)
                            .leads(55s, b)
                            .ends(60s);
  REQUIRE(checks.metrics().failovers.size() == 1);
  CHECK(checks.metrics().failovers[0].fault == FaultId{1});
  CHECK(checks.metrics().failovers[0].time == 15s);
}

TEST_CASE("gap and leaderless: from the warm-up, the longest and all of them") {
  PropertyConfig config;
  config.warmup = TrueTime{30s};
  const Checks checks = History{config}
                            .up(0s, a)
                            .up(0s, b)
                            .leads(32s, a)
                            .stops(40s, a)
                            .leads(45s, b)
                            .stops(50s, b)
                            .ends(60s);
  CHECK(checks.metrics().gap == 10s);
  CHECK(checks.metrics().gap_is_open);
  CHECK(checks.metrics().leaderless == 17s);
}

TEST_CASE("overlap.running: a frozen believer does not count") {
  const Checks checks = History{}
                            .up(0s, a)
                            .up(0s, b)
                            .leads(1s, a)
                            .at(5s, record::ProcessPaused{a})
                            .leads(20s, b)
                            .at(25s, record::ProcessResumed{a})
                            .stops(35s, a)
                            .ends(60s);
  CHECK(checks.metrics().overlap == 15s);
  CHECK(checks.metrics().overlap_running == 10s);
}

TEST_CASE("intervals are half-open: what ends and begins again in one instant goes on") {
  const Checks checks = History{}
                            .up(0s, a)
                            .up(0s, b)
                            .leads(1s, a)
                            .leads(20s, b)
                            .at(25s, record::ProcessPaused{a})
                            .at(25s, record::ProcessResumed{a})
                            .stops(35s, a)
                            .stops(40s, b)
                            .leads(45s, b)
                            .stops(45s, b)
                            .ends(60s);
  CHECK(checks.metrics().overlap_running == 15s);
  CHECK(checks.metrics().gap == 20s);
  CHECK(checks.metrics().leaderless == 21s);
}

TEST_CASE("transitions, restarts, requests and conflicts count what they say") {
  record::LeaseWritten by_b = with(write(b, 2, 3), {me_b, 15, 1, 2'000'000, 2'000'000});
  const Checks checks = History{}
                            .up(0s, a)
                            .at(1s, write(a, 0, 2))
                            .at(2s, by_b)
                            .at(3s, with(write(b, 3, 4), {{}, 1, 1, 3'000'000, 3'000'000}))
                            .at(4s, with(write(b, 4, 5), {me_b, 15, 2, 4'000'000, 4'000'000}))
                            .at(5s, record::RequestHandled{a, 0, 200, false, false})
                            .at(6s, record::RequestHandled{a, 2, 409, true, false})
                            .fault(10s, 0, {})
                            .at(11s, record::RequestHandled{a, 0, 200, false, false})
                            .up(12s, {ProcessId{0}, 1})
                            .ends(60s);
  CHECK(checks.metrics().transitions == 1);  // b after b's own release is nobody else
  CHECK(checks.metrics().restarts == 1);
  CHECK(checks.metrics().requests == 2);  // until the first fault
  CHECK(checks.metrics().requests_window == Duration{10s});
  CHECK(checks.metrics().conflicts == 1);
}

}  // namespace
}  // namespace tenure::check
