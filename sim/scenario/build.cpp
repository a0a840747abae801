#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/assert.hpp>
#include <tenure/base/variant.hpp>
#include <tenure/scenario/build.hpp>

namespace tenure::scenario {
namespace {

using namespace std::chrono_literals;

// Where a name stands in a list; the decoder has made sure that it does.
template <class List, class Name>
std::uint32_t place_in(const List& list, const std::string& name, Name name_of) {
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&](const auto& item) { return name_of(item) == name; });
  TENURE_ASSERT(found != list.end(), "the decoder lets only known names through");
  return static_cast<std::uint32_t>(found - list.begin());
}

elect::ClientGoConfig client_go(const Elector& elector) {
  elect::ClientGoConfig config;
  config.lease_duration = elector.lease_duration;
  config.renew_deadline = elector.renew_deadline;
  config.retry_period = elector.retry_period;
  config.release_on_cancel = elector.release_on_cancel;
  config.request_timeout = elector.request_timeout;
  config.profile = elector.behaviour;
  return config;
}

elect::NaiveLoopConfig naive_loop(const Elector& elector) {
  elect::NaiveLoopConfig config;
  config.lease_duration = elector.lease_duration;
  config.retry_period = elector.retry_period;
  config.leader_sleep = elector.leader_sleep;
  config.request_timeout = elector.request_timeout;
  return config;
}

elect::AnyElectorConfig elector_of(const Elector& elector) {
  if (elector.type == Elector::Type::client_go) return client_go(elector);
  return naive_loop(elector);
}

world::Candidate candidate_of(const Candidates& group) {
  world::Candidate candidate;
  candidate.name = group.name;
  candidate.elector = elector_of(group.elector);
  candidate.start = group.start;
  candidate.clock_offset = group.clock.offset;
  candidate.clock_gain = group.clock.gain_per_second;
  candidate.restart_policy = group.restart.policy;
  candidate.restart_delay = group.restart.delay;
  // An identity that is written down is written down for the next process too.
  candidate.new_identity = group.restart.identity == Restart::Identity::fresh && !group.identity;
  candidate.exit_on_lost = group.restart.exit_on_lost;
  candidate.grace_period = group.shutdown.grace_period;
  candidate.on_stopped_leading = group.shutdown.on_stopped_leading;
  return candidate;
}

net::Latency latency_of(const Latency& latency) {
  return std::visit(
      overloaded{[](const RoundTrip& l) {
                   return net::Latency{net::Latency::Form::round_trip, l.read, l.write};
                 },
                 [](const OneWay& l) {
                   return net::Latency{net::Latency::Form::one_way, l.request, l.response};
                 }},
      latency);
}

std::uint32_t identity_of(world::Setup& setup, const std::string& identity) {
  const auto known = std::find(setup.identities.begin(), setup.identities.end(), identity);
  const auto index = static_cast<std::uint32_t>(known - setup.identities.begin());
  if (known == setup.identities.end()) setup.identities.push_back(identity);
  return index + 1;
}

std::string process_name(const Candidates& group, std::uint32_t replica) {
  return fmt::format("{}-{}", group.name, replica);
}

std::vector<net::Topology::Site> sites_of(const Scenario& scenario) {
  std::vector<net::Topology::Site> sites;
  for (const ClusterNode& node : scenario.cluster.nodes) sites.push_back({node.name, node.zone});
  if (!sites.empty()) return sites;
  for (const Candidates& group : scenario.candidates) {
    for (std::uint32_t i = 0; i < group.replicas; ++i)
      sites.push_back({process_name(group, i), ""});
  }
  return sites;
}

void add_processes(const Scenario& scenario,
                   const std::vector<net::Topology::Site>& sites,
                   world::Setup& setup) {
  for (std::uint32_t g = 0; g < scenario.candidates.size(); ++g) {
    const Candidates& group = scenario.candidates[g];
    for (std::uint32_t i = 0; i < group.replicas; ++i) {
      world::ProcessSetup process;
      process.name = process_name(group, i);
      process.candidate = g;
      const bool own_node = scenario.cluster.nodes.empty() && group.nodes.empty();
      const std::string node = own_node              ? process.name
                               : group.nodes.empty() ? sites[i % sites.size()].name
                                                     : group.nodes[i % group.nodes.size()];
      process.node = NodeId{place_in(sites, node, [](const auto& site) { return site.name; })};
      // Every process has a name of its own, so a shared identity is looked up, and any other is
      // new.
      if (group.identity) {
        process.identity = identity_of(setup, *group.identity);
      } else {
        setup.identities.push_back(process.name);
        process.identity = static_cast<std::uint32_t>(setup.identities.size());
      }
      process.streams = world::process_streams(process.name);
      setup.processes.push_back(std::move(process));
    }
  }
}

fault::Target target_of(const Target& target, const world::Setup& setup) {
  using From = Target::Role;
  using To = fault::Target::Kind;
  fault::Target made;
  const auto process = [](const auto& p) { return p.name; };
  switch (target.role) {
    case From::leader:
      made.kind = To::leader;
      break;
    case From::followers:
      made.kind = To::followers;
      break;
    case From::believers:
      made.kind = To::believers;
      break;
    case From::all:
      made.kind = To::all;
      break;
    case From::apiserver:
      made.kind = To::api_server;
      break;
    case From::candidate:
      made.kind = To::process;
      made.index = place_in(setup.processes, target.name, process);
      break;
    case From::node:
      made.kind = To::node;
      for (std::uint32_t i = 0; i < setup.topology.nodes(); ++i) {
        if (setup.topology.name(NodeId{i}) == target.name) made.index = i;
      }
      break;
    case From::zone:
      made.kind = To::zone;
      made.index =
          place_in(setup.topology.zones(), target.name, [](const auto& zone) { return zone; });
      break;
  }
  made.mode = target.mode;
  made.value = static_cast<std::uint32_t>(target.value);
  return made;
}

fault::Direction reversed(fault::Direction direction) {
  switch (direction) {
    case fault::Direction::both:
      return fault::Direction::both;
    case fault::Direction::to:
      return fault::Direction::from;
    case fault::Direction::from:
      return fault::Direction::to;
  }
  return direction;
}

// One overload per fault: the fields that only this type has.
struct Fill {
  fault::Fault& to;

  void operator()(const Crash& from) const {
    to.type = fault::Type::crash;
    to.restart_delay = from.restart_delay;
  }
  void operator()(const Terminate& from) const {
    to.type = fault::Type::terminate;
    to.grace_period = from.grace_period;
  }
  void operator()(const Drain&) const { to.type = fault::Type::drain; }
  void operator()(const Pause& from) const {
    to.type = fault::Type::pause;
    to.clocks = from.clocks;
  }
  void operator()(const Partition& from) const {
    to.type = fault::Type::partition;
    to.direction = from.direction;
  }
  void operator()(const Delay& from) const {
    to.type = fault::Type::delay;
    to.latency = from.latency;
    to.jitter = from.jitter;
  }
  void operator()(const Loss& from) const {
    to.type = fault::Type::loss;
    to.fraction = from.fraction;
  }
  void operator()(const ApiOutage& from) const {
    to.type = fault::Type::api_outage;
    to.code = static_cast<std::uint16_t>(from.code);
    to.mode = from.mode;
  }
};

fault::Fault fault_of(const Fault& from, const world::Setup& setup) {
  fault::Fault made;
  made.name = from.name;
  made.target = target_of(from.target, setup);
  made.at = from.at;
  made.at_any = from.at_any;
  made.duration = from.duration;
  made.every = from.every;
  if (from.count)
    made.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(*from.count, UINT32_MAX));
  made.probability = from.probability;
  std::visit(Fill{made}, from.kind);
  if (!from.other) return made;
  // The fault is described from the side that is not the API server. Between two candidates no
  // message of an election passes.
  const bool first_is_api = from.target.role == Target::Role::apiserver;
  const bool other_is_api = from.other->role == Target::Role::apiserver;
  made.cuts_api = first_is_api || other_is_api;
  if (first_is_api) {
    made.target = target_of(*from.other, setup);
    made.direction = reversed(made.direction);
  }
  return made;
}

struct SlowestRequests {
  Duration get{};
  Duration put{};
};

SlowestRequests slowest(const Latency& latency) {
  return std::visit(
      overloaded{[](const RoundTrip& l) {
                   return SlowestRequests{l.read.upper_bound(), l.write.upper_bound()};
                 },
                 [](const OneWay& l) {
                   const Duration both = longer(l.request.upper_bound(), l.response.upper_bound());
                   return SlowestRequests{both, both};
                 }},
      latency);
}

// L + 2 (1+J) R, of the slowest candidate.
Duration quiet_failover_bound(const Scenario& scenario) {
  Duration most{};
  for (const Candidates& group : scenario.candidates) {
    const Duration polls = longer(scaled(group.elector.retry_period, {22, 10}),
                                  scaled(group.elector.retry_period, {22, 10}));
    most = std::max(most, longer(group.elector.lease_duration, polls));
  }
  return most;
}

check::PropertyConfig properties_of(const Scenario& scenario) {
  check::PropertyConfig config;
  config.warmup = TrueTime{scenario.warmup};
  config.failover_within = failover_bound(scenario);
  config.stable_window = quiet_failover_bound(scenario);
  for (const Property& property : scenario.properties) {
    if (property.level == Property::Level::is_leader) config.belief_level = property.level;
    if (property.within) config.failover_within = *property.within;
    if (property.window) config.stable_window = *property.window;
  }
  return config;
}

}  // namespace

Duration failover_bound(const Scenario& scenario) {
  const SlowestRequests requests = slowest(scenario.cluster.latency);
  Duration bound = longer(quiet_failover_bound(scenario), requests.put);
  for (int i = 0; i < 4; ++i) bound = longer(bound, requests.get);
  return bound;
}

Built build(const Scenario& scenario) {
  auto setup = std::make_shared<world::Setup>();
  const std::vector<net::Topology::Site> sites = sites_of(scenario);
  setup->topology = net::Topology(sites);
  setup->latency = latency_of(scenario.cluster.latency);
  setup->duration = scenario.duration;
  for (const Candidates& group : scenario.candidates)
    setup->candidates.push_back(candidate_of(group));
  add_processes(scenario, sites, *setup);
  for (const Fault& fault : scenario.faults) {
    setup->faults.push_back(fault_of(fault, *setup));
    setup->fault_streams.push_back(setup->faults.back().streams());
  }
  return {setup, properties_of(scenario)};
}

}  // namespace tenure::scenario
