#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <tenure/base/assert.hpp>
#include <tenure/base/variant.hpp>
#include <tenure/explore/state.hpp>

#include "state_names.hpp"

namespace tenure::explore {
namespace {

Duration largest_offset(const world::Setup& setup) {
  Duration largest{};
  for (const world::Candidate& candidate : setup.candidates) {
    const Shifted& offset = candidate.clock_offset;
    largest = std::max({largest, -offset.base, offset.base + offset.over.upper_bound()});
  }
  return largest;
}

bool names_single_processes(const fault::Fault& fault) {
  using Kind = fault::Target::Kind;
  return fault.type == fault::Type::drain || fault.target.kind == Kind::process ||
         fault.target.kind == Kind::node || fault.target.kind == Kind::zone;
}

}  // namespace

StateCodec::StateCodec(std::shared_ptr<const world::Setup> setup, Symmetry symmetry)
    : setup_(std::move(setup)),
      fresh_(world::make_world(setup_)),
      symmetry_(symmetry),
      names_(std::make_shared<Names>()) {
  TENURE_ASSERT(setup_->grid.has_value(), "states are counted on a grid");
  for (const world::Candidate& candidate : setup_->candidates) {
    reads_renew_times_ |= std::holds_alternative<elect::NaiveLoopConfig>(candidate.elector);
  }
  if (reads_renew_times_) {
    const Duration longest = world::longest_lease(*setup_) + largest_offset(*setup_) * 2 +
                             setup_->grid->tick * 2 + std::chrono::seconds{1};
    exact_seconds_ = std::chrono::ceil<std::chrono::seconds>(longest).count();
  }
  nodes_matter_ = std::any_of(setup_->faults.begin(), setup_->faults.end(),
                              [](const auto& f) { return f.type == fault::Type::drain; });
  const bool all_alike = std::none_of(setup_->faults.begin(), setup_->faults.end(),
                                      [](const auto& f) { return names_single_processes(f); });
  const bool own_nodes = setup_->topology.nodes() == setup_->processes.size();
  if (!all_alike || !own_nodes) symmetry_ = Symmetry::off;
  for (const world::ProcessSetup& process : setup_->processes) {
    const Shifted& gain = setup_->candidates[process.candidate].clock_gain;
    rates_.push_back({kernel::ClockRate::perfect + (gain.base + gain.over.low).count()});
  }
  const std::size_t processes = setup_->processes.size();
  names_->older.resize(processes);
  names_->electors.resize(processes);
  names_->places.resize(processes);
  names_->seconds_now.resize(processes + 1);
  // Of several that bear one name the first stands for it.
  for (std::uint32_t i = static_cast<std::uint32_t>(processes); i-- > 0;) {
    const std::uint32_t name = setup_->processes[i].identity;
    if (bearers_.size() <= name) bearers_.resize(name + 1);
    bearers_[name] = {ProcessId{i}, setup_->candidate_of(ProcessId{i}).new_identity};
  }
}

std::int64_t StateCodec::second_now(const World& world, Identity holder) const {
  if (reads_renew_times_ || holder.empty()) return seconds_of(true_wall(world.now));
  const ProcessId bearer = bearer_of(holder).process;
  return seconds_of(world.processes[bearer.value].clock.local(world.now).wall);
}

void StateCodec::look_at_clocks(const World& world) {
  std::vector<std::int64_t>& seconds = names_->seconds_now;
  seconds[0] = seconds_of(true_wall(world.now));
  for (std::uint32_t i = 0; i < world.processes.size(); ++i) {
    seconds[i + 1] = seconds_of(world.processes[i].clock.local(world.now).wall);
  }
}

StateCodec::Second StateCodec::second_of(Identity holder,
                                         api::MicroTime at,
                                         bool is_renewal) const {
  const bool is_true_time = reads_renew_times_ || holder.empty();
  const std::uint32_t clock = is_true_time ? 0 : bearer_of(holder).process.value + 1;
  return {is_renewal, clock, names_->seconds_now[clock] - floor_seconds(at.microseconds)};
}

// Collects what a state mentions: record times, transitions, incarnations.
void StateCodec::gather(const State& state) {
  Names& names = *names_;
  const World& world = state.world;
  names.seconds.clear();
  names.transitions.clear();
  names.messages.clear();
  for (auto& older : names.older) older.clear();
  look_at_clocks(world);
  const auto see_incarnation = [&](ProcessId id, std::uint32_t value) {
    if (value == world.processes[id.value].incarnation()) return;
    auto& older = names.older[id.value];
    if (std::find(older.begin(), older.end(), value) == older.end()) older.push_back(value);
  };
  const auto see_identity = [&](Identity who) {
    if (who.empty()) return;
    const Bearer& bearer = bearer_of(who);
    if (bearer.has_fresh_identities) see_incarnation(bearer.process, who.incarnation);
  };
  const auto see_time = [&](Identity holder, api::MicroTime at, bool is_renewal) {
    if (at.present()) add_once(names.seconds, second_of(holder, at, is_renewal));
  };
  const auto see = [&](Identity holder, std::int32_t transitions, api::MicroTime acquired,
                       api::MicroTime renewed) {
    see_identity(holder);
    if (transitions != api::LeaseSpec::absent)
      add_once(names.transitions, Names::Number{transitions, 0});
    see_time(holder, acquired, false);
    see_time(holder, renewed, true);
  };
  const auto see_record = [&](const elect::LeaseRecord& r, bool has_number) {
    if (r == elect::LeaseRecord{}) return;
    see(r.holder, has_number ? r.leader_transitions : api::LeaseSpec::absent, r.acquire_time,
        r.renew_time);
  };
  const auto see_spec = [&](const api::LeaseSpec& s) {
    see(s.holder, s.lease_transitions, s.acquire_time, s.renew_time);
  };
  const api::Lease* stored = world.server.find(setup_->lease);
  names.newest = stored == nullptr ? Revision{} : stored->resource_version;
  if (stored != nullptr) see_spec(stored->spec);
  for_each_message(world, [&](const Message& message) {
    names.messages.push_back(message);
    see_incarnation(message.process, message.incarnation);
    if (message.request != nullptr) {
      see_spec(message.request->payload.body.spec);
    } else {
      see_spec(read_object(world.processes[message.process.value], message.reply->payload).spec);
    }
  });
  for (std::uint32_t i = 0; i < world.processes.size(); ++i) {
    const Process& process = world.processes[i];
    if (!process.is_alive()) continue;
    names.electors[i] = process.elector;
    const LocalTime now = process.clock.local(world.now);
    const world::Candidate& candidate = setup_->candidate_of(ProcessId{i});
    const Duration grain = setup_->grid->tick + world::tie_width(*setup_, candidate) * 2;
    elect::settle(names.electors[i], setup_->candidate_of(ProcessId{i}).elector, now, grain);
    if (auto* elector = std::get_if<elect::ClientGo>(&names.electors[i])) {
      forget_unseen(world, i, *elector);
      see_identity(elector->me);
      // A neutral 0 (ClientGo::settle) is no number of a tenure: mentioned, it would tell how far
      // it is to those.
      see_record(elector->observed, elector->is_leader());
      see_record(elector->observed_raw, true);
      see_record(elector->desired, elector->step_open != elect::ClientGo::Step::get);
    }
  }
  for (auto& older : names.older) std::sort(older.rbegin(), older.rend());
  name_seconds();
  name_transitions();
}

// A record that was seen last, is not what the store holds and is not on its way here: whatever
// will be read next differs from it, and that is all it is for. (A record does not come back: every
// take-over raises the transitions, every renewal the time.)
void StateCodec::forget_unseen(const World& world, std::uint32_t index, elect::ClientGo& elector) {
  if (!elector.has_raw) return;
  const auto is_seen_in = [&](const api::Lease& lease) {
    return lease.spec.holder == elector.observed_raw.holder &&
           elect::raw_of(elect::record_of(lease.spec)) == elector.observed_raw;
  };
  const api::Lease* stored = world.server.find(setup_->lease);
  if (stored != nullptr && is_seen_in(*stored)) return;
  for (const Message& message : names_->messages) {
    if (message.process.value != index || message.reply == nullptr) continue;
    if (is_seen_in(message.reply->payload.lease)) return;
  }
  elector.observed_raw = {};
}

// Within `exact_seconds_` an age is its own name. Beyond, and where no clock is compared with it,
// it only matters which are equal: the names are consecutive.
void StateCodec::name_seconds() {
  auto& seconds = names_->seconds;
  const Second* before = nullptr;
  for (Second& second : seconds) {
    const bool is_exact = second.age() <= exact_seconds_;
    const bool is_first = before == nullptr || !before->is_of_the_clock_of(second);
    second.name = is_exact   ? second.age()
                  : is_first ? exact_seconds_ + 1
                             : std::max(before->name, exact_seconds_) + 1;
    before = &second;
  }
}

void StateCodec::name_transitions() {
  auto& numbers = names_->transitions;
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    numbers[i].name =
        numbers[i - 1].name + std::min(numbers[i].value - numbers[i - 1].value, std::int32_t{2});
  }
}

// Occurrences of a fault without a budget go on without end; which of those that last is meant is
// all that matters.
std::uint32_t StateCodec::occurrence_name(const World& world,
                                          FaultId fault,
                                          std::uint32_t occurrence) const {
  const fault::Fault& plan = setup_->faults[fault.value];
  if (!plan.at_any || plan.count) return occurrence;
  std::uint32_t name = 0;
  for (const world::ActiveFault& active : world.active) {
    if (active.fault != fault) continue;
    if (active.occurrence == occurrence) return name;
    ++name;
  }
  return name;
}

}  // namespace tenure::explore
