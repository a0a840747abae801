#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <tenure/scenario/codes.hpp>
#include <tenure/scenario/names.hpp>
#include <tenure/scenario/scenario.hpp>

using namespace tenure;
using namespace tenure::scenario;
using namespace std::chrono_literals;

namespace {

struct Decoded {
  std::optional<Scenario> scenario;
  Diagnostics problems;

  std::string codes() const {
    std::string out;
    for (const Diagnostic& d : problems.all()) out += (out.empty() ? "" : " ") + d.code;
    return out;
  }
};

Decoded decoded(const std::string& text, Format format = Format::yaml) {
  Decoded out;
  const auto documents = parse_documents("test.yaml", text, format, out.problems);
  if (!documents.empty()) out.scenario = decode(documents.front(), out.problems);
  return out;
}

constexpr const char* head =
    "apiVersion: tenure/v1alpha1\nkind: Scenario\nmetadata: {name: test}\nspec:\n";
constexpr const char* one_group =
    "  candidates:\n    - {name: web, replicas: 3, elector: {type: client-go}}\n";

// A scenario with three client-go candidates and `more` lines in its spec.
Decoded with(const std::string& more) {
  return decoded(head + std::string{one_group} + more);
}

Decoded with_candidate(const std::string& fields) {
  return decoded(head + std::string{"  candidates:\n    - {name: web, "} + fields + "}\n");
}

Decoded with_elector(const std::string& fields) {
  return with_candidate("elector: {" + fields + "}");
}

Decoded with_fault(const std::string& fields) {
  return with("  faults:\n    - {" + fields + "}\n");
}

void check_round_trip(const Scenario& scenario) {
  const std::string text = scenario_json(scenario).dump(2);
  CAPTURE(text);
  const Decoded again = decoded(text, Format::json);
  CHECK(rendered(again.problems) == "");
  REQUIRE(again.scenario);
  CHECK(*again.scenario == scenario);
}

}  // namespace

TEST_CASE("what a scenario does not say has the documented defaults") {
  const Decoded d = with("");
  REQUIRE(d.scenario);
  const Scenario& s = *d.scenario;
  CHECK(s.duration == 5min);
  CHECK(s.warmup == 30s);
  CHECK(s.runs == 1000);
  CHECK(s.seed == 1);
  CHECK(s.lease == LeaseName{"leader", "default"});
  CHECK(std::get<RoundTrip>(s.cluster.latency) ==
        RoundTrip{Distribution::constant(3ms), Distribution::constant(5ms)});
  const Candidates& web = s.candidates.at(0);
  CHECK(web.elector.lease_duration == 15s);
  CHECK(web.elector.renew_deadline == 10s);
  CHECK(web.elector.retry_period == 2s);
  CHECK(web.elector.request_timeout == Duration{5s});
  CHECK(web.elector.version == elect::newest_client_go_minor);
  CHECK(web.start == Distribution::uniform(0s, 2s));
  CHECK(web.restart.delay == Distribution::constant(10s));
  CHECK(web.restart.exit_on_lost);
  CHECK(web.shutdown.grace_period == 30s);
  REQUIRE(s.properties.size() == 1);
  CHECK(s.properties.at(0).name == "leaseSafety");
  CHECK(s.record.which == Record::Which::failures);
  check_round_trip(s);
}

TEST_CASE("the request timeout is half the renew deadline, at least a second") {
  CHECK(with_elector("type: client-go, renewDeadline: 7s")
            .scenario->candidates[0]
            .elector.request_timeout == Duration{3500ms});
  CHECK(with_elector("type: client-go, leaseDuration: 2s, renewDeadline: 1s, retryPeriod: 500ms")
            .scenario->candidates[0]
            .elector.request_timeout == Duration{1s});
  CHECK_FALSE(with_elector("type: client-go, requestTimeout: none")
                  .scenario->candidates[0]
                  .elector.request_timeout);
  CHECK(with_elector("type: client-go, requestTimeout: 0s").codes() == "E0209");
}

TEST_CASE("a version of client-go brings its behaviour, which single knobs override") {
  using Release = Behaviour::Release;
  const auto behaviour = [](const std::string& fields) {
    return with_elector("type: client-go, " + fields).scenario->candidates[0].elector.behaviour;
  };
  CHECK(behaviour("version: v0.26").expiry_by == Behaviour::ExpiryBy::own);
  CHECK_FALSE(behaviour("version: v0.29").fast_path);
  CHECK(behaviour("version: v0.30").fast_path);
  CHECK(behaviour("version: v0.33").release == Release::update);
  CHECK(behaviour("version: v0.34").release == Release::get_update);
  CHECK(behaviour("version: v0.37").release == Release::get_update_retry);
  CHECK(behaviour("behaviour: {release: none}, version: v0.34").release == Release::none);
  CHECK(with_elector("type: client-go, version: v0.25").codes() == "E0220");
  CHECK(with_elector("type: client-go, version: '1.31'").codes() == "E0219");
}

TEST_CASE("client-go's own checks come in its order and can be switched off") {
  CHECK(with_elector("type: client-go, leaseDuration: 10s, retryPeriod: 9s").codes() == "E0301");
  CHECK(with_elector("type: client-go, retryPeriod: 8334ms").codes() == "E0302");
  CHECK(with_elector("type: client-go, retryPeriod: 0s").codes() == "E0305");
  CHECK(with_elector("type: client-go, leaseDuration: 10s, validate: false").codes() == "W0302");
  CHECK(with_elector("type: client-go, leaseDuration: 11s").codes() == "W0302");
  CHECK(with_elector("type: client-go, leaseDuration: 12s").codes().empty());
}

TEST_CASE("a refused configuration does not hide errors elsewhere") {
  const Decoded d =
      with_candidate("elector: {type: client-go, leaseDuration: 5s}, start: 5, replica: 2");
  CHECK(d.codes() == "E0201 E0301 E0203");
  CHECK_FALSE(d.scenario);
}

TEST_CASE("a loop that never waits needs requests that take time") {
  const std::string candidates = "  candidates:\n    - {name: n, elector: {type: naive-loop}}\n";
  const auto with_latency = [&](const std::string& latency) {
    return decoded(head + candidates + "  cluster: {latency: " + latency + "}\n").codes();
  };
  CHECK(with_latency("{read: 1ms, write: 1ms}").empty());
  CHECK(with_latency("{read: 0s, write: 1ms}") == "E0316");
  CHECK(with_latency("{request: {uniform: [0s, 1s]}, response: {uniform: [0s, 1s]}}") == "E0316");
  CHECK(with_latency("{request: {uniform: [0s, 1s]}, response: 1ms}").empty());
  CHECK(with_elector("type: naive-loop, renewDeadline: 5s").codes() == "E0201");
  CHECK(with_elector("type: naive-loop").scenario->candidates[0].elector.leader_sleep == 2s);
  CHECK_FALSE(with_elector("type: naive-loop").scenario->candidates[0].restart.exit_on_lost);
}

TEST_CASE("durations, numbers and words are read strictly") {
  CHECK(with("  duration: 15\n").codes() == "E0203");
  CHECK(with("  duration: 1d\n").problems.all().at(0).hints.at(0) ==
        "days and weeks have no fixed length; write \"24h\"");
  CHECK(with("  duration: -5m\n").codes() == "E0217");
  CHECK(with("  duration: 300y\n").codes() == "E0203");
  CHECK(with("  duration: 2562048h\n").codes() == "E0217");
  CHECK(with("  duration: {uniform: [1s, 2s]}\n").codes() == "E0203");
  CHECK(with("  warmup: 0\n").codes().empty());
  CHECK(with("  runs: \"5\"\n").codes() == "E0208");
  CHECK(with("  runs: 0123\n").codes() == "E0208");
  CHECK(with("  runs: 0\n").codes() == "E0209");
  CHECK(with("  runs: 1000000001\n").codes() == "E0315");
  CHECK(with("  runs: [1]\n").codes() == "E0205");
  CHECK(with_elector("type: client-go, releaseOnCancel: yes").codes() == "E0208");
  CHECK(with_elector("type: client-go, releaseOnCancel: 'true'").codes() == "E0208");
}

TEST_CASE("every form of a distribution is read, and written back") {
  for (const std::string form :
       {"5ms", "{uniform: [1ms, 9ms]}", "{exponential: {mean: 5ms}}",
        "{lognormal: {p50: 4ms, p99: 40ms}}", "{pareto: {min: 2ms, alpha: 2.1}}",
        "{empirical: [[4ms, 0.5], [9ms, 0.9], [80ms, 1]]}",
        "{mixture: [{weight: 0.99, of: 5ms}, {weight: 0.01, of: {uniform: [1s, 2s]}}]}"}) {
    CAPTURE(form);
    const Decoded d = with_candidate(std::string{"elector: {type: client-go}, start: "} + form);
    CHECK(d.codes().empty());
    REQUIRE(d.scenario);
    check_round_trip(*d.scenario);
  }
}

TEST_CASE("what is no distribution is refused") {
  for (const std::string form :
       {"{uniform: [9ms, 1ms]}", "{uniform: [1ms]}", "{uniform: 1ms}", "[1ms, 2ms]",
        "{exponential: {mean: 0s}}", "{lognormal: {p50: 4ms, p99: 3ms}}",
        "{pareto: {min: 2ms, alpha: 0}}", "{empirical: []}", "{empirical: [[4ms, 0.5]]}",
        "{empirical: [[4ms, 0.5], [3ms, 1]]}", "{empirical: [[4ms, 0.5], [5ms, 0.4]]}",
        "{mixture: []}", "{mixture: [{weight: 0, of: 5ms}]}",
        "{uniform: [1ms, 2ms], exponential: {mean: 1s}}", "{unifrom: [1ms, 2ms]}", "{}"}) {
    CAPTURE(form);
    CHECK(with_candidate(std::string{"elector: {type: client-go}, start: "} + form).codes() ==
          "E0206");
  }
  CHECK(with_candidate("elector: {type: client-go}, start: {pareto: {min: 1s, alpha: nan}}")
            .codes() == "E0208");
  CHECK(with_candidate("elector: {type: client-go}, start: {uniform: [-1s, 1s]}").codes() ==
        "E0217");
}

TEST_CASE("clocks have signs: an offset is a base and a distribution above it") {
  const auto clock = [](const std::string& fields) {
    return with_candidate("elector: {type: client-go}, clock: {" + fields + "}");
  };
  CHECK(clock("offset: -3s").scenario->candidates[0].clock.offset ==
        Shifted{-3s, Distribution::constant(0s)});
  CHECK(clock("offset: {uniform: [-3s, +5s]}").scenario->candidates[0].clock.offset ==
        Shifted{-3s, Distribution::uniform(0s, 8s)});
  CHECK(clock("rate: +200ppm").scenario->candidates[0].clock.gain_per_second.base == 200us);
  CHECK(clock("rate: -0.5%").scenario->candidates[0].clock.gain_per_second.base == -5ms);
  CHECK(clock("rate: 1.0002").scenario->candidates[0].clock.gain_per_second.base == 200us);
  check_round_trip(
      *clock("offset: {empirical: [[-1s, 0.5], [+2s, 1]]}, rate: {uniform: [-50ppm, +0.5%]}")
           .scenario);
  CHECK(clock("offset: 10m").codes() == "E0207");
  CHECK(clock("offset: 0s").codes().empty());
  CHECK(clock("rate: 200ppm").codes() == "E0207");
  CHECK(clock("rate: fast").codes() == "E0216");
  CHECK(clock("rate: 3").codes() == "E0209");
  CHECK(clock("offset: {exponential: {mean: 1s}}").codes() == "E0206");
}

TEST_CASE("every fault is read, and written back") {
  for (const std::string fault :
       {"type: crash, target: leader, at: {uniform: [60s, 70s]}, restartDelay: 5s",
        "type: terminate, target: followers, at: 60s, gracePeriod: 1s, every: 10s, count: 3",
        "type: drain, target: node/web-1, at: 60s",
        "type: pause, target: candidate/web-2, at: 60s, clocks: stop",
        "type: partition, between: [candidate/web-0, apiserver], direction: from, at: 60s, "
        "duration: 5s",
        "type: delay, target: believers, at: 60s, latency: {exponential: {mean: 5ms}}, jitter: 1ms",
        "type: loss, target: all, at: 60s, fraction: 0.125, probability: 33.3%",
        "type: apiOutage, at: 60s",
        "type: apiOutage, at: 60s, mode: error, code: 500, target: apiserver/0",
        "type: crash, target: {role: followers, mode: fixed-percent, value: 50%}, at: 60s"}) {
    CAPTURE(fault);
    const Decoded d = with_fault(fault);
    REQUIRE(d.scenario);
    check_round_trip(*d.scenario);
  }
}

TEST_CASE("a network fault with a target is about its links to the API server") {
  const Fault fault = with_fault("type: partition, target: leader, at: {uniform: [60s, 62s]}")
                          .scenario->faults.at(0);
  CHECK(fault.target.role == Target::Role::leader);
  REQUIRE(fault.other);
  CHECK(fault.other->role == Target::Role::apiserver);
  // A direction is seen from the target: here `to` cuts what the API server sends.
  const Fault server =
      with_fault("type: partition, target: apiserver, direction: to, at: {uniform: [60s, 62s]}")
          .scenario->faults.at(0);
  CHECK(server.target.role == Target::Role::apiserver);
  REQUIRE(server.other);
  CHECK(server.other->role == Target::Role::all);
}

TEST_CASE("targets that mean nothing are refused") {
  const auto target = [](const std::string& text) {
    return with_fault("type: crash, at: 60s, target: " + text).codes();
  };
  CHECK(target("boss") == "E0211");
  CHECK(target("apiserver") == "E0211");
  CHECK(target("candidate/web-3") == "E0317");
  CHECK(target("candidate/web") == "E0317");
  CHECK(target("zone/a") == "E0317");
  CHECK(target("etcd/leader") == "E0220");
  CHECK(target("{role: followers, mode: fixed}") == "E0202");
  CHECK(target("{role: followers, mode: all, value: 1}") == "E0218");
  CHECK(target("{role: followers, mode: fixed-percent, value: 101}") == "E0209");
  CHECK(with_fault("type: crash, at: 60s").codes() == "E0202");
  CHECK(with_fault("type: loss, at: 60s").codes() == "E0202");
  CHECK(with_fault("type: loss, at: 60s, target: leader, between: [leader, apiserver]").codes() ==
        "E0218");
  CHECK(with_fault("type: apiOutage, at: 60s, target: leader").codes() == "E0211");
}

TEST_CASE("faults repeat only in ways that end") {
  CHECK(with_fault("type: pause, target: all, at: 60s, every: 0s").codes() == "E0209");
  CHECK(with_fault("type: pause, target: all, at: 60s, every: 0s, count: 3").codes().empty());
  CHECK(with_fault("type: pause, target: all, at: 60s, count: 3").codes() == "E0218");
  CHECK(with_fault("type: pause, target: all, at: 60s, every: 1s, count: 0").codes() == "E0209");
}

TEST_CASE("a fixed instant on the leader and a fault in the warm-up are worth a warning") {
  CHECK(with_fault("type: crash, target: leader, at: 60s").codes() == "W0301");
  CHECK(with_fault("type: crash, target: followers, at: 60s").codes().empty());
  CHECK(with_fault("type: crash, target: all, at: {uniform: [29s, 60s]}").codes() == "W0304");
  CHECK(with_fault("type: crash, target: all, at: 30s").codes().empty());
}

TEST_CASE("names are unique where they must be") {
  CHECK(with("  faults:\n    - {type: crash, target: all, at: 60s}\n    - {type: crash, target: "
             "all, at: 70s}\n")
            .codes() == "E0313");
  CHECK(with("    - {name: web, elector: {type: client-go}}\n").codes() == "E0312");
  CHECK(with("  cluster: {nodes: [{name: a}, {name: a}]}\n").codes() == "E0312");
  CHECK(with_candidate("elector: {type: client-go}, replicas: 10001").codes() == "E0314");
  CHECK(with_candidate("elector: {type: client-go}, replicas: 10000").codes().empty());
  CHECK(decoded(head + std::string{"  candidates: []\n"}).codes() == "E0311");
  CHECK(with_candidate("elector: {type: client-go}, nodes: [a]").codes() == "E0317");
}

TEST_CASE("properties have ids, options and an expectation") {
  const Decoded d = with(
      "  properties: [leaseSafety, S7, {name: beliefSafety, level: isLeader, expect: violated},"
      " {name: boundedFailover, within: bound}, {name: L4, window: 5s, allowVacuous: true}]\n");
  REQUIRE(d.scenario);
  const auto& p = d.scenario->properties;
  CHECK(p.at(0).ids == std::vector{PropertyId::S1, PropertyId::S2, PropertyId::S3});
  CHECK(p.at(1).ids == std::vector{PropertyId::S7});
  CHECK(p.at(2).ids == std::vector{PropertyId::B1, PropertyId::B2});
  CHECK(p.at(2).expect == Property::Expect::violated);
  CHECK_FALSE(p.at(3).within);
  CHECK(p.at(4).window == Duration{5s});
  check_round_trip(*d.scenario);
  CHECK(with("  properties: [boundedFailover]\n").codes() == "E0202");
  CHECK(with("  properties: [B1, B1]\n").codes() == "E0318");
  // One level of belief is judged, and only by the properties that speak of believers.
  CHECK(with("  properties: [beliefSafety, {name: V1, level: isLeader}]\n").codes() == "E0220");
  CHECK(with("  properties: [{name: L1, within: 9s, level: isLeader}]\n").codes() == "E0220");
  CHECK(with("  properties: [{name: V1, level: isLeader}, {name: L4, level: context}]\n").codes() ==
        "");
  CHECK(with("  properties: [overlapBound, A1]\n").codes() == "E0220 E0220");
  CHECK(with("  properties: [beliefSafty]\n").codes() == "E0204");
  CHECK(with("  properties: [{name: leaseSafety, level: context}]\n").codes() == "E0201");
  CHECK(with("  properties: [{name: L1, within: bound}]\n  cluster: {latency: {read: {exponential: "
             "{mean: 1ms}}}}\n")
            .codes() == "E0319");
}

TEST_CASE("thresholds are parsed with the units of their metric") {
  std::string problem;
  const auto p99 = parse_threshold("failover[kill]", "p(99.9)  <= 1m30s", problem);
  REQUIRE(p99);
  CHECK(p99->fault == "kill");
  CHECK(p99->percentile == Ratio{999, 10});
  CHECK(p99->op == Threshold::Op::at_most);
  CHECK(std::get<Duration>(p99->value) == 90s);
  CHECK(parse_threshold("failover", "med>1s", problem)->percentile == Ratio{50, 1});
  CHECK(std::get<Ratio>(parse_threshold("leaderless", "avg < 1%", problem)->value) ==
        Ratio{1, 100});
  CHECK(std::get<Ratio>(parse_threshold("overlap", "rate == 0", problem)->value) == Ratio{0, 1});
  CHECK(std::get<Ratio>(parse_threshold("failover", "count >= 10", problem)->value) ==
        Ratio{10, 1});
  CHECK(std::get<Ratio>(parse_threshold("api.requestsPerSecond", "max < 1.5/s", problem)->value) ==
        Ratio{3, 2});
  for (const std::string bad :
       {"p99 < 20s", "max < 24", "max 24s", "max <> 1s", "p(100.1) < 1s", "p(0) < 1s", "", "<",
        "max < ", "max < -1s", "mean < 1s", "max = 1s", "rate < 1s"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_threshold("failover", bad, problem));
  }
  CHECK_FALSE(parse_threshold("transitions", "max < 2s", problem));
  CHECK(with("  thresholds: {failover: max < 20}\n").codes() == "E0212");
  CHECK(with("  thresholds: {failovr: max < 20s, work.late: max < 1}\n").codes() == "E0204 E0220");
  CHECK(with("  thresholds: {\"failover[kill]\": max < 20s}\n").codes() == "E0317");
}

// Every other metric is one figure a run, of which no part belongs to one of several faults.
TEST_CASE("only failovers are told apart by the fault they follow") {
  const std::string faults = "  faults: [{name: kill, type: crash, target: leader, at: 60s}]\n";
  CHECK(with(faults + "  thresholds: {\"failover[kill]\": max < 20s}\n").codes() == "W0301");
  CHECK(with(faults + "  thresholds: {\"gap[kill]\": max < 20s}\n").codes() == "W0301 E0220");
}

TEST_CASE("stopping takes looks, and a rule with its figure") {
  const std::string decided = "  thresholds: {failover: max < 20s}\n";
  const Decoded plain = with(decided + "  stopping: {}\n");
  REQUIRE(plain.scenario);
  CHECK(plain.scenario->stopping == Stopping{});
  const Decoded listed = with(decided + "  stopping: {looks: [100, 500]}\n");
  CHECK(listed.scenario->stopping->looks == std::vector<std::uint64_t>{100, 500});
  const Decoded narrow =
      with("  stopping: {rule: precision, metric: gap, of: med, width: 500ms}\n");
  REQUIRE(narrow.scenario);
  const Stopping::Precision& precision = *narrow.scenario->stopping->precision;
  CHECK(precision.figure.metric == Metric::gap);
  CHECK(precision.figure.percentile == Ratio{50, 1});
  CHECK(std::get<Duration>(precision.figure.value) == 500ms);
  const Decoded usual = with("  stopping: {rule: precision}\n");
  CHECK(usual.scenario->stopping->precision->figure.text == "p(99)");
  CHECK(usual.scenario->stopping->precision->relative == Ratio{5, 100});
}

TEST_CASE("stopping by what cannot be decided or measured is refused") {
  const auto codes = [](const std::string& fields) {
    return with("  thresholds: {failover: max < 20s}\n  stopping: {" + fields + "}\n").codes();
  };
  CHECK(codes("looks: [500, 100]") == "E0209");
  CHECK(codes("looks: []") == "E0209");
  CHECK(codes("looks: [0]") == "E0209");
  CHECK(codes("rule: luck") == "E0204");
  CHECK(codes("width: 5%") == "E0218");
  CHECK(codes("rule: precision, of: max") == "E0204");
  CHECK(codes("rule: precision, of: p99") == "E0204");
  CHECK(codes("rule: precision, width: 0%") == "E0209");
  CHECK(codes("rule: precision, width: 5") == "E0209");
  CHECK(codes("rule: precision, metric: failovr") == "E0204");
  CHECK(codes("rule: precision, metric: \"failover[kill]\"") == "E0317");
  CHECK(with("  stopping: {looks: [500]}\n").codes() == "E0218");
}

TEST_CASE("what this version does not model is refused by name") {
  for (const std::string field :
       {"  cluster: {rbac: fromDocuments}\n", "  cluster: {apiServers: 3}\n",
        "  cluster: {etcd: {members: 3}}\n", "  cluster: {featureGates: {}}\n",
        "  cluster: {heartbeats: {}}\n", "  cluster: {latency: {profile: busy}}\n",
        "  faults: [{type: etcdStall, at: 1s}]\n"}) {
    CAPTURE(field);
    const Decoded d = with(field);
    CHECK(d.codes() == "E0220");
    CHECK(d.problems.all().at(0).text.find("not modelled in this version") != std::string::npos);
  }
  for (const std::string field :
       {"work: {type: cron}", "client: {qps: 5}", "versions: {}", "serviceAccount: x"}) {
    CHECK(with_candidate(std::string{"elector: {type: client-go}, "} + field).codes() == "E0220");
  }
  CHECK(with_elector("type: coordinated").codes() == "E0220");
}

TEST_CASE("an exploration has a grid, and bounds that need not be given") {
  const Decoded d = with("  explore: {tick: 1s}\n");
  REQUIRE(d.scenario);
  REQUIRE(d.scenario->explore);
  const Explore& bounds = *d.scenario->explore;
  CHECK(bounds.tick == 1s);
  CHECK_FALSE(bounds.max_tick);
  CHECK(bounds.max_states == 20'000'000);
  CHECK(bounds.max_memory == std::uint64_t{4} << 30);
  CHECK(bounds.symmetry);
  CHECK(bounds.reduction);
  check_round_trip(*d.scenario);
  CHECK_FALSE(with("").scenario->explore);
  const Decoded all = with(
      "  explore: {tick: 500ms, maxTick: 40, maxStates: 2147483647, maxMemory: 500MB, symmetry: "
      "false, reduction: false}\n");
  REQUIRE(all.scenario);
  CHECK(all.scenario->explore == Explore{500ms, 40, 2'147'483'647, 500'000'000, false, false});
  check_round_trip(*all.scenario);
}

TEST_CASE("bounds of an exploration lie in their ranges") {
  const auto codes = [](const std::string& fields) {
    return with("  explore: {" + fields + "}\n").codes();
  };
  CHECK(codes("maxTick: 5") == "E0202");
  CHECK(codes("tick: 0s") == "E0209");
  CHECK(codes("tick: 1us").empty());
  CHECK(codes("tick: 1500ns") == "E0209");
  CHECK(codes("tick: 1") == "E0203");
  CHECK(codes("tick: {uniform: [1s, 2s]}") == "E0203");
  CHECK(codes("tick: 1s, maxTick: 0") == "E0209");
  CHECK(codes("tick: 1s, maxStates: 0") == "E0209");
  CHECK(codes("tick: 1s, maxStates: 2147483648") == "E0209");
  CHECK(codes("tick: 1s, maxMemory: 15MiB") == "E0209");
  CHECK(codes("tick: 1s, maxMemory: 9000000000GiB") == "E0209");
  CHECK(codes("tick: 1s, symmetry: yes") == "E0208");
  CHECK(codes("tick: 1s, memory: 1GiB") == "E0201");
}

TEST_CASE("a size is a whole number and a unit, and is written back so") {
  const auto memory = [](const std::string& size) {
    return with("  explore: {tick: 1s, maxMemory: " + size + "}\n");
  };
  for (const std::string size :
       {"16MiB", "17MiB", "16385KiB", "16777300kB", "17MB", "3GB", "4GiB"}) {
    CAPTURE(size);
    const Decoded d = memory(size);
    REQUIRE(d.scenario);
    check_round_trip(*d.scenario);
    CHECK(scenario_json(*d.scenario)["spec"]["explore"]["maxMemory"] == size);
  }
  const auto hint = [&](const std::string& size) {
    const Decoded d = memory(size);
    CHECK(d.codes() == "E0221");
    return d.problems.all().at(0).hints.at(0);
  };
  CHECK(hint("64") == "write \"64MiB\"");
  CHECK(hint("4Gi") == "write \"4GiB\"");
  CHECK(hint("512m") == "write \"512MiB\"");
  CHECK(hint("500mb") == "write \"500MB\"");
  for (const std::string size : {"1.5GiB", "-4GiB", "4TB", "GiB", "''", "4 GiB"}) {
    CAPTURE(size);
    CHECK(hint(size) == "a size is a whole number and KiB, MiB, GiB, kB, MB or GB");
  }
}

TEST_CASE("a fault happens at any instant of an exploration only") {
  const auto fault = [](const std::string& fields, const std::string& more) {
    return with("  faults: [{type: pause, target: leader, at: any" + fields + "}]\n" + more);
  };
  const std::string explore = "  explore: {tick: 1s}\n";
  const Decoded d = fault(", duration: {uniform: [1s, 30s]}", explore);
  CHECK(d.codes().empty());
  REQUIRE(d.scenario);
  CHECK(d.scenario->faults.at(0).at_any);
  CHECK_FALSE(d.scenario->faults.at(0).count);
  check_round_trip(*d.scenario);
  const Decoded twice = fault(", count: 2", explore);
  REQUIRE(twice.scenario);
  CHECK(twice.scenario->faults.at(0).count == 2);
  check_round_trip(*twice.scenario);
  CHECK(fault("", "").codes() == "E0218");
  CHECK(fault("", "  explore: {}\n").codes() == "E0202");
  CHECK(fault(", every: 5s", explore).codes() == "E0218");
  CHECK(fault(", count: 0", explore).codes() == "E0209");
  CHECK(with_fault("type: pause, target: leader, at: {uniform: [any, 60s]}").codes() == "E0203");
  CHECK(with_fault("type: pause, target: all, at: 60s, duration: any").codes() == "E0203");
  CHECK(with(explore + "  faults: [{type: pause, target: all, at: 60s, count: 2}]\n").codes() ==
        "E0218");
}

TEST_CASE("a fault at any instant cannot be run, and is said so where it stands") {
  const std::string text = head + std::string{one_group} +
                           "  explore: {tick: 1s}\n  faults:\n    - {type: pause, target: all, at: "
                           "60s}\n    - {type: crash, target: leader, at: any}\n";
  Diagnostics problems;
  const auto documents = parse_documents("test.yaml", text, Format::yaml, problems);
  const auto scenario = decode(documents.at(0), problems);
  REQUIRE(scenario);
  refuse_any_instant(documents.at(0), *scenario, problems);
  REQUIRE(problems.errors() == 1);
  CHECK(problems.all().at(0).code == "E0320");
  CHECK(problems.all().at(0).where == Position{10, 41, 3});
}

TEST_CASE("choices are the script of one run") {
  const Decoded none = with("  choices: {}\n");
  REQUIRE(none.scenario);
  REQUIRE(none.scenario->choices);
  CHECK(*none.scenario->choices == Choices{});
  CHECK(none.scenario->runs == 1);
  check_round_trip(*none.scenario);
  const Decoded d = with(
      "  choices: {tick: 1s, otherwise: seeded, answers: [{of: process/web-0/jitter, number: 3, "
      "answer: 9223372036854775807}, {of: process/web-0/jitter, number: 4, answer: 0}]}\n");
  REQUIRE(d.scenario);
  CHECK(d.scenario->choices == Choices{1s,
                                       Choices::Otherwise::seeded,
                                       {{"process/web-0/jitter", 3, 9'223'372'036'854'775'807U},
                                        {"process/web-0/jitter", 4, 0}}});
  check_round_trip(*d.scenario);
}

TEST_CASE("choices that nobody could follow are refused") {
  const auto answers = [](const std::string& list) {
    return with("  choices: {answers: [" + list + "]}\n").codes();
  };
  CHECK(with("  runs: 1\n  choices: {}\n").codes().empty());
  CHECK(with("  runs: 2\n  choices: {}\n").codes() == "E0218");
  CHECK(with("  choices: {tick: 10ns}\n").codes() == "E0209");
  CHECK(with("  choices: {otherwise: random}\n").codes() == "E0204");
  CHECK(with("  choices: {answer: []}\n").codes() == "E0201");
  CHECK(with("  choices: {answers: {}}\n").codes() == "E0205");
  CHECK(answers("{of: a, number: 0}") == "E0202");
  CHECK(answers("{of: '', number: 0, answer: 0}") == "E0209");
  CHECK(answers("{of: a, number: -1, answer: 0}") == "E0208");
  CHECK(answers("{of: a, number: 0, answer: 9223372036854775808}") == "E0208");
  CHECK(answers("{of: a, number: 0, answer: 0}, {of: a, number: 0, answer: 1}") == "E0322");
  CHECK(answers("{of: a, number: 0, answer: 0}, {of: b, number: 0, answer: 0}").empty());
}

TEST_CASE("the head of a document says what it is") {
  CHECK(decoded("kind: Scenario\n").codes() == "E0202 E0202 E0202");
  CHECK(decoded("[]\n").codes() == "E0205");
  CHECK(decoded("text\n").codes() == "E0205");
  const std::string body = "metadata: {name: test}\nspec:\n" + std::string{one_group};
  CHECK(decoded("apiVersion: tenure/v9\nkind: Scenario\n" + body).codes() == "E0213");
  CHECK(decoded("apiVersion: tenure/v1alpha1\nkind: Role\n" + body).codes() == "E0220");
  CHECK(decoded("apiVersion: tenure/v1alpha1\nkind: Sweeep\n" + body).codes() == "E0214");
  CHECK(decoded("apiVersion: tenure/v1alpha1\nkind: Scenario\nmetadata: {name: A_b}\nspec:\n" +
                std::string{one_group})
            .codes() == "E0210");
}

TEST_CASE("the warm-up is shorter than the run") {
  CHECK(with("  warmup: 5m\n").codes() == "E0310");
  const Decoded by_default = with("  duration: 30s\n");
  CHECK(by_default.codes() == "E0310");
  CHECK(by_default.problems.all().at(0).where.line == 7);
}

TEST_CASE("every code that is printed is in the table, once and in order") {
  std::string_view last;
  for (const Code& code : all_codes()) {
    CHECK(code.code > last);
    last = code.code;
    CHECK(code.meaning.back() == '.');
    CHECK(find_code(code.code) == &code);
  }
  CHECK(find_code("E9999") == nullptr);
}

TEST_CASE("aliases lead to names that exist") {
  for (const Alias& alias : fault_aliases()) {
    CAPTURE(alias.written);
    CHECK(find_name(faults(), alias.meant) != nullptr);
  }
}
