// Small worlds for tests: processes web-0, web-1, ... on nodes of their own, all started at 0 s,
// a network with one fixed round trip, and the faults that a test names.
//
//   Story story = world_of(3, client_go(15s, 10s, 2s)).latency(0s).with(crash(leader(),
//   60s)).run(); CHECK(story.believers_at(90s) == Names{"web-1"});
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <tenure/base/oracle.hpp>
#include <tenure/record/recorder.hpp>
#include <tenure/world/world.hpp>

namespace tenure::support {

using Names = std::vector<std::string>;

// ---- electors

inline elect::ClientGoConfig client_go(Duration lease, Duration deadline, Duration retry) {
  elect::ClientGoConfig config;
  config.lease_duration = lease;
  config.renew_deadline = deadline;
  config.retry_period = retry;
  return config;
}

// The common setting: L 15 s, D 10 s, R 2 s.
inline elect::ClientGoConfig client_go() {
  return client_go(std::chrono::seconds{15}, std::chrono::seconds{10}, std::chrono::seconds{2});
}

// ---- targets

inline fault::Target leader() {
  return {};
}
inline fault::Target followers() {
  return {.kind = fault::Target::Kind::followers};
}
inline fault::Target believers() {
  return {.kind = fault::Target::Kind::believers};
}
inline fault::Target everyone() {
  return {.kind = fault::Target::Kind::all};
}
inline fault::Target process(std::uint32_t index) {
  return {.kind = fault::Target::Kind::process, .index = index};
}
inline fault::Target node(std::uint32_t index) {
  return {.kind = fault::Target::Kind::node, .index = index};
}
inline fault::Target zone(std::uint32_t index) {
  return {.kind = fault::Target::Kind::zone, .index = index};
}
inline fault::Target api_server() {
  return {.kind = fault::Target::Kind::api_server};
}
inline fault::Target pick(fault::Target target, fault::Target::Mode mode, std::uint32_t value = 0) {
  target.mode = mode;
  target.value = value;
  return target;
}

// ---- faults; one that lasts does so until the end of the run unless told otherwise

inline fault::Fault fault_of(fault::Type type,
                             fault::Target target,
                             Duration at,
                             std::optional<Duration> lasting = std::nullopt) {
  fault::Fault fault;
  fault.type = type;
  fault.target = target;
  fault.at = Distribution::constant(at);
  if (lasting) fault.duration = Distribution::constant(*lasting);
  return fault;
}

inline fault::Fault crash(fault::Target target, Duration at) {
  return fault_of(fault::Type::crash, target, at);
}
inline fault::Fault terminate(fault::Target target, Duration at) {
  return fault_of(fault::Type::terminate, target, at);
}
inline fault::Fault drain(fault::Target target, Duration at) {
  return fault_of(fault::Type::drain, target, at);
}
inline fault::Fault pause(fault::Target target,
                          Duration at,
                          Duration lasting,
                          fault::PauseClocks clocks = fault::PauseClocks::run) {
  fault::Fault fault = fault_of(fault::Type::pause, target, at, lasting);
  fault.clocks = clocks;
  return fault;
}
inline fault::Fault partition(fault::Target target,
                              Duration at,
                              std::optional<Duration> lasting = std::nullopt,
                              fault::Direction direction = fault::Direction::both) {
  fault::Fault fault = fault_of(fault::Type::partition, target, at, lasting);
  fault.direction = direction;
  return fault;
}
inline fault::Fault delay(fault::Target target, Duration at, Duration lasting, Duration by) {
  fault::Fault fault = fault_of(fault::Type::delay, target, at, lasting);
  fault.latency = Distribution::constant(by);
  return fault;
}
inline fault::Fault loss(fault::Target target, Duration at, Duration lasting, Ratio fraction) {
  fault::Fault fault = fault_of(fault::Type::loss, target, at, lasting);
  fault.fraction = fraction;
  return fault;
}
inline fault::Fault outage(fault::OutageMode mode,
                           Duration at,
                           std::optional<Duration> lasting = std::nullopt) {
  fault::Fault fault = fault_of(fault::Type::api_outage, api_server(), at, lasting);
  fault.mode = mode;
  return fault;
}

// ---- a run and what is known of it

template <class Fact>
struct Told {
  TrueTime at;
  Fact fact;
  std::uint64_t cause = 0;
};

class Story {
 public:
  Story(world::World world, std::unique_ptr<Oracle> oracle)
      : world_(std::move(world)), oracle_(std::move(oracle)) {
    world::begin_run(world_, *oracle_);
  }

  // Everything that happens before `end`.
  Story& until(Duration end) {
    while (world_.agenda.next_at() < TrueTime{end} && world::step(world_, *oracle_, history_)) {
    }
    return *this;
  }
  Story& to_the_end() { return until(longest_duration); }

  const world::World& world() const { return world_; }
  world::World& world() { return world_; }
  Oracle& oracle() { return *oracle_; }
  const std::vector<record::Record>& history() const { return history_.history(); }

  template <class Fact>
  std::vector<Told<Fact>> all() const {
    std::vector<Told<Fact>> found;
    for (const record::Record& record : history()) {
      if (const auto* fact = std::get_if<Fact>(&record.fact)) {
        found.push_back({record.at, *fact, record.cause});
      }
    }
    return found;
  }

  const std::string& name(ProcessId id) const { return world_.setup->processes[id.value].name; }

  // Beliefs of the workload: the context of OnStartedLeading is live. At an instant at which one
  // begins or ends, what it brought.
  Names believers_at(Duration at) const {
    std::map<std::string, bool> believes;
    for (const record::Record& record : history()) {
      if (record.at > TrueTime{at}) break;
      if (const auto* began = std::get_if<record::LeadershipBegan>(&record.fact)) {
        if (began->level == record::Level::context) believes[name(began->who.process)] = true;
      }
      if (const auto* ended = std::get_if<record::LeadershipEnded>(&record.fact)) {
        if (ended->level == record::Level::context) believes[name(ended->who.process)] = false;
      }
    }
    Names names;
    for (const auto& [who, yes] : believes) {
      if (yes) names.push_back(who);
    }
    return names;
  }

  // The instants at which a process began, or ceased, to believe that it leads.
  std::vector<Duration> begins(std::uint32_t process) const {
    return times<record::LeadershipBegan>(process);
  }
  std::vector<Duration> ends(std::uint32_t process) const {
    return times<record::LeadershipEnded>(process);
  }

  // For how long at least two processes believed at the same time.
  Duration two_leaders() const {
    int believers = 0;
    TrueTime since{};
    Duration sum{};
    const auto change = [&](TrueTime at, int by) {
      if (believers >= 2) sum += at - since;
      since = at;
      believers += by;
    };
    for (const auto& record : history()) {
      const auto* began = std::get_if<record::LeadershipBegan>(&record.fact);
      const auto* ended = std::get_if<record::LeadershipEnded>(&record.fact);
      if (began != nullptr && began->level == record::Level::context) change(record.at, 1);
      if (ended != nullptr && ended->level == record::Level::context) change(record.at, -1);
    }
    change(world_.now, 0);
    return sum;
  }

  const api::Lease* lease() const { return world_.server.find(world_.setup->lease); }
  std::string holder() const {
    return lease() == nullptr ? "" : to_text(*world_.setup, lease()->spec.holder);
  }
  bool had_effect(std::uint32_t fault) const { return world_.faults[fault].had_effect; }

  // Those that an occurrence of a fault hit.
  Names hit(std::uint32_t fault, std::uint32_t occurrence = 0) const {
    Names names;
    for (const auto& told : all<record::FaultHit>()) {
      if (told.fact.fault.value != fault || told.fact.occurrence != occurrence) continue;
      names.push_back(name(told.fact.who.process));
    }
    return names;
  }

 private:
  template <class Fact>
  std::vector<Duration> times(std::uint32_t process) const {
    std::vector<Duration> found;
    for (const auto& told : all<Fact>()) {
      if (told.fact.level != record::Level::context) continue;
      if (told.fact.who.process.value == process) found.push_back(told.at.time_since_epoch());
    }
    return found;
  }

  world::World world_;
  std::unique_ptr<Oracle> oracle_;
  record::KeepHistory history_;
};

// ---- making one

class WorldBuilder {
 public:
  WorldBuilder& and_of(std::uint32_t count,
                       const elect::AnyElectorConfig& elector,
                       const std::string& group) {
    world::Candidate candidate;
    candidate.name = group;
    candidate.elector = elector;
    candidate.start = Distribution::constant(Duration{0});
    setup_.candidates.push_back(candidate);
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto number = static_cast<std::uint32_t>(setup_.processes.size());
      world::ProcessSetup process;
      process.name = group + "-" + std::to_string(i);
      process.candidate = static_cast<std::uint32_t>(setup_.candidates.size()) - 1;
      process.node = NodeId{number};
      process.identity = number + 1;
      process.streams = world::process_streams(process.name);
      setup_.processes.push_back(process);
      setup_.identities.push_back(process.name);
      sites_.push_back({"node-" + std::to_string(number), ""});
    }
    return *this;
  }

  // A fixed round trip for all requests.
  WorldBuilder& latency(Duration round_trip) {
    return latency({net::Latency::Form::round_trip, Distribution::constant(round_trip),
                    Distribution::constant(round_trip)});
  }
  WorldBuilder& latency(const net::Latency& latency) {
    setup_.latency = latency;
    return *this;
  }

  WorldBuilder& lasting(Duration duration) {
    setup_.duration = duration;
    return *this;
  }

  // The name is the fault's place in the plan unless it has one.
  WorldBuilder& with(fault::Fault fault) {
    if (fault.name.empty()) fault.name = "fault-" + std::to_string(setup_.faults.size());
    setup_.fault_streams.push_back(fault.streams());
    setup_.faults.push_back(std::move(fault));
    return *this;
  }

  // What holds for the last group of candidates.
  template <class Change>
  WorldBuilder& candidates(Change change) {
    change(setup_.candidates.back());
    return *this;
  }
  WorldBuilder& restarting_after(Duration delay) {
    return candidates(
        [&](auto& candidate) { candidate.restart_delay = Distribution::constant(delay); });
  }
  WorldBuilder& never_restarting() {
    return candidates(
        [](auto& candidate) { candidate.restart_policy = world::RestartPolicy::never; });
  }
  WorldBuilder& keeping_identity() {
    return candidates([](auto& candidate) { candidate.new_identity = false; });
  }

  // Nodes beside those of the processes, and where the processes stand.
  WorldBuilder& with_spare_nodes(std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) sites_.push_back({"spare-" + std::to_string(i), ""});
    return *this;
  }
  WorldBuilder& on_nodes(const std::vector<std::uint32_t>& nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) setup_.processes[i].node = NodeId{nodes[i]};
    return *this;
  }
  WorldBuilder& in_zones(const std::vector<std::string>& zones) {
    for (std::size_t i = 0; i < zones.size(); ++i) sites_[i].zone = zones[i];
    return *this;
  }

  std::shared_ptr<const world::Setup> setup() const {
    auto setup = std::make_shared<world::Setup>(setup_);
    setup->topology = net::Topology{sites_};
    return setup;
  }

  Story story(std::unique_ptr<Oracle> oracle) const {
    return Story{world::make_world(setup()), std::move(oracle)};
  }
  Story story(std::uint64_t seed = 1) const {
    return story(std::make_unique<SeededOracle>(seed, 0));
  }
  Story run(std::uint64_t seed = 1) const { return run(std::make_unique<SeededOracle>(seed, 0)); }
  Story run(std::unique_ptr<Oracle> oracle) const {
    Story told = story(std::move(oracle));
    told.to_the_end();
    return told;
  }

 private:
  world::Setup setup_;
  std::vector<net::Topology::Site> sites_;
};

inline WorldBuilder world_of(std::uint32_t count, const elect::AnyElectorConfig& elector) {
  WorldBuilder builder;
  builder.and_of(count, elector, "web");
  return builder;
}

}  // namespace tenure::support
