#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include <tenure/base/assert.hpp>
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

// A process all of whose due events touch only itself, so that everything else due can wait: it has
// a wake-up or a reply, and no request of its own about to be served, which could make it the
// leader that a fault means. Nobody: there is no such process.
ProcessId independent_process(const World& world, const std::vector<kernel::EventKey>& due) {
  std::uint32_t local = 0;
  std::uint32_t other = 0;
  for (const kernel::EventKey key : due) {
    const world::Event& event = world.agenda.event(key);
    const ProcessId id = process_of(event);
    // A fault that begins or ends may mean anybody.
    if (id == nobody<ProcessTag>) return id;
    (is_local(event) ? local : other) |= 1U << id.value;
  }
  local &= ~other;
  return local == 0 ? nobody<ProcessTag>
                    : ProcessId{static_cast<std::uint32_t>(std::countr_zero(local))};
}

}  // namespace

std::uint64_t ExhaustiveOracle::pick(Draw draw, std::uint64_t bound) {
  if (next_ == answers_.size()) answers_.push_back({draw, bound, 0});
  TENURE_ASSERT(answers_[next_].draw == draw && answers_[next_].bound == bound,
                "the same answers lead to the same questions");
  return answers_[next_++].answer;
}

bool ExhaustiveOracle::advance() {
  next_ = 0;
  while (!answers_.empty() && answers_.back().answer == answers_.back().bound) answers_.pop_back();
  if (answers_.empty()) return false;
  ++answers_.back().answer;
  return true;
}

void actions_of(State& state, Orders orders, std::vector<Action>& out) {
  World& world = state.world;
  out.clear();
  for (std::uint32_t i = 0; i < world.faults.size(); ++i) {
    if (may_begin(world, FaultId{i})) out.emplace_back(Begins{FaultId{i}});
  }
  if (world.agenda.next_at() > world.now) {
    out.emplace_back(Tick{});
    return;
  }
  const std::vector<kernel::EventKey> due = world::next_events(world);
  const ProcessId only =
      orders == Orders::that_matter ? independent_process(world, due) : nobody<ProcessTag>;
  for (const kernel::EventKey key : due) {
    if (only != nobody<ProcessTag> && process_of(world.agenda.event(key)) != only) continue;
    out.emplace_back(Happens{key});
  }
}

void act(State& state, const Action& action, Oracle& oracle, Noticed& noticed) {
  Watch watch{state, noticed};
  World& world = state.world;
  std::visit(
      overloaded{[&](const Tick&) { world.now += world.setup->grid->tick; },
                 [&](const Happens& a) { world::handle(world, a.event, oracle, watch); },
                 [&](const Begins& a) { world::begin_fault(world, a.fault, oracle, watch); }},
      action);
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
