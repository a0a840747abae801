#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include <tenure/base/variant.hpp>
#include <tenure/explore/successors.hpp>

namespace tenure::explore {
namespace {

using world::Process;
using world::World;

// Judges a step by its facts. What lasts is in the state.
class Watch final : public record::Recorder {
 public:
  Watch(State& state, Noticed& noticed) : state_(state), noticed_(noticed) {}

  void on(const record::Record& record) override {
    std::visit([this](const auto& fact) { on_fact(fact); }, record.fact);
  }

 private:
  void on_fact(const record::ProcessStarted& started) {
    state_.granted &= ~bit(started.who.process);
  }
  void on_fact(const record::LeaseWritten& written) {
    if (!written.created && written.base != written.replaced) violated(check::PropertyId::S2);
    if (!(written.replaced < written.revision)) violated(check::PropertyId::S1);
    const Process& writer = state_.world.processes[written.writer.process.value];
    const bool is_the_same = writer.is_alive() && writer.incarnation() == written.writer.number;
    if (is_the_same && written.record.holder == written.writer_identity) {
      state_.granted |= bit(written.writer.process);
    }
  }
  void on_fact(const record::RequestHandled& handled) {
    noticed_.conflict |= handled.conflict;
    if (handled.stale_applied) violated(check::PropertyId::S3);
  }
  void on_fact(const record::LeadershipBegan& began) {
    if (began.level != record::Level::context) return;
    if ((state_.granted & bit(began.who.process)) == 0) violated(check::PropertyId::B2);
  }
  void on_fact(const record::LeadershipEnded& ended) {
    noticed_.step_down |= ended.reason == record::EndReason::stepped_down;
  }
  void on_fact(const record::FaultHit&) { noticed_.fault_hit = true; }
  template <class Other>
  void on_fact(const Other&) {}

  void violated(check::PropertyId id) { noticed_.violated.push_back(id); }
  static std::uint32_t bit(ProcessId id) { return 1U << id.value; }

  State& state_;
  Noticed& noticed_;
};

ProcessId process_of(const world::Event& event) {
  return std::visit(overloaded{[](const world::FaultBegins&) { return nobody<ProcessTag>; },
                               [](const world::FaultEnds&) { return nobody<ProcessTag>; },
                               [](const auto& e) { return e.process; }},
                    event);
}

bool is_local(const world::Event& event) {
  return std::holds_alternative<world::ProcessWakes>(event) ||
         std::holds_alternative<world::ReplyArrives>(event);
}

// Whether a fault can begin in a state at all. One without a budget begins again only when it is
// over: several at once would be the same, and without end.
bool may_begin(const World& world, FaultId id) {
  const fault::Fault& fault = world.setup->faults[id.value];
  if (!fault.at_any || !world.faults[id.value].happens) return false;
  if (fault.count) return world.faults[id.value].begun < *fault.count;
  return std::none_of(world.active.begin(), world.active.end(),
                      [&](const world::ActiveFault& active) { return active.fault == id; });
}

// The processes, by bit, all of whose due events touch only themselves, so that everything else due
// can wait: a wake-up or a reply, and no request of its own about to be served, which could make it
// the leader that a fault means.
std::uint32_t independent_processes(const World& world, const std::vector<kernel::EventKey>& due) {
  std::uint32_t local = 0;
  std::uint32_t other = 0;
  for (const kernel::EventKey key : due) {
    const world::Event& event = world.agenda.event(key);
    const ProcessId id = process_of(event);
    // A fault that begins or ends may mean anybody.
    if (id == nobody<ProcessTag>) return 0;
    (is_local(event) ? local : other) |= 1U << id.value;
  }
  return local & ~other;
}

Identity holder_of(const World& world) {
  const api::Lease* lease = world.server.find(world.setup->lease);
  return lease == nullptr ? Identity{} : lease->spec.holder;
}

// A released Lease names nobody: its next holder takes over too.
bool is_takeover(const World& before, const World& after) {
  const bool existed = before.server.find(before.setup->lease) != nullptr;
  const Identity is = holder_of(after);
  return existed && !is.empty() && is != holder_of(before);
}

}  // namespace

Successors::Successors(std::shared_ptr<const world::Setup> setup, Orders orders)
    : setup_(std::move(setup)), orders_(orders), fresh_(world::make_world(setup_)) {}

void Successors::begin(const Take& take) {
  Level& first = level(0);
  first.what = Tick{};
  first.oracle.begin();
  do {
    State& state = level(1).state;
    state.world = fresh_;
    state.granted = 0;
    world::begin_run(state.world, first.oracle);
    depth_ = 1;
    take(state, false, {});
  } while (first.oracle.advance());
}

void Successors::make_all_orders(const Take& take) {
  takes_any_first_ = true;
  make(take);
  takes_any_first_ = false;
}

void Successors::make(const Take& take) {
  World& world = from().world;
  begin_faults(0, {}, take);
  if (world.agenda.next_at() > world.now) return pass_time(take);
  if (go_on_alone(0, {}, take)) return;
  for (const kernel::EventKey key : level(0).due) act(0, Happens{key}, {}, take);
}

// The last thing that is done in a state, so that the state itself may become its successor.
void Successors::pass_time(const Take& take) {
  Level& only = level(0);
  only.at = only.state.world.now;
  only.what = Tick{};
  only.oracle.begin();
  only.state.world.now += setup_->grid->tick;
  depth_ = 1;
  take(only.state, true, {});
}

// Does an action in the state of a level, in every way, and goes on from there.
void Successors::act(std::size_t depth, const Action& action, Noticed noticed, const Take& take) {
  Level& from = level(depth);
  Level& to = level(depth + 1);
  from.at = from.state.world.now;
  const auto* happens = std::get_if<Happens>(&action);
  if (happens != nullptr) {
    from.what = from.state.world.agenda.event(happens->event);
  } else {
    from.what = std::get<Begins>(action);
  }
  from.oracle.begin();
  do {
    to.state = from.state;
    Noticed now = noticed;
    now.fault_hit = false;
    Watch watch{to.state, now};
    World& world = to.state.world;
    if (happens != nullptr) {
      world::handle(world, happens->event, from.oracle, watch);
      now.takeover = now.takeover || is_takeover(from.state.world, world);
      go_on(depth + 1, now, take);
      continue;
    }
    world::begin_fault(world, std::get<Begins>(action).fault, from.oracle, watch);
    // A fault that finds nobody to hit would only use up its budget.
    if (!now.fault_hit) continue;
    depth_ = depth + 1;
    take(to.state, false, now);
  } while (from.oracle.advance());
}

// Whether some process goes on by itself in the state of a level, which then is none of the states
// that are kept.
bool Successors::go_on_alone(std::size_t depth, const Noticed& noticed, const Take& take) {
  constexpr std::size_t most_at_once = 24;
  Level& from = level(depth);
  World& world = from.state.world;
  if (world.agenda.next_at() > world.now) return false;
  world.agenda.next_ones(from.due);
  if (orders_ == Orders::all || depth >= most_at_once) return false;
  std::uint32_t alone = independent_processes(world, from.due);
  if (alone == 0) return false;
  if (!takes_any_first_) alone &= ~alone + 1U;
  for (const kernel::EventKey key : from.due) {
    const ProcessId id = process_of(world.agenda.event(key));
    if (((alone >> id.value) & 1U) != 0) act(depth, Happens{key}, noticed, take);
  }
  return true;
}

void Successors::go_on(std::size_t depth, const Noticed& noticed, const Take& take) {
  if (go_on_alone(depth, noticed, take)) return begin_faults(depth, noticed, take);
  depth_ = depth;
  take(level(depth).state, false, noticed);
}

void Successors::begin_faults(std::size_t depth, const Noticed& noticed, const Take& take) {
  for (std::uint32_t i = 0; i < setup_->faults.size(); ++i) {
    if (!may_begin(level(depth).state.world, FaultId{i})) continue;
    act(depth, Begins{FaultId{i}}, noticed, take);
  }
}

std::vector<Successors::Micro> Successors::trace() const {
  std::vector<Micro> steps;
  for (std::size_t i = 0; i < depth_; ++i) {
    const Level& from = levels_[i];
    Micro step{from.at, from.what, 0, from.oracle.answers()};
    if (const auto* begins = std::get_if<Begins>(&from.what)) {
      step.occurrence = from.state.world.faults[begins->fault.value].begun;
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

Successors::Level& Successors::level(std::size_t depth) {
  while (levels_.size() <= depth) levels_.emplace_back();
  return levels_[depth];
}

std::uint32_t believers_in(const State& state, record::Level level) {
  std::uint32_t believers = 0;
  for (const Process& process : state.world.processes) {
    if (!process.is_alive()) continue;
    const bool leads =
        level == record::Level::context ? process.believes : process.sees_itself_leading;
    if (leads) ++believers;
  }
  return believers;
}

}  // namespace tenure::explore
