#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <tenure/base/assert.hpp>
#include <tenure/base/variant.hpp>
#include <tenure/explore/state.hpp>

#include "state_writer.hpp"

namespace tenure::explore {
namespace {

// The next arrangement of processes that look alike; false: there is none, and the first is back.
template <class IsTie>
bool next_order(std::vector<std::pair<std::uint64_t, std::uint32_t>>& order, const IsTie& is_tie) {
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && is_tie(end - 1)) ++end;
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(begin);
    if (std::next_permutation(first, order.begin() + static_cast<std::ptrdiff_t>(end))) return true;
    begin = end;
  }
  return false;
}

// How many ticks after a whole second, as far as the fraction of a second goes: 0 or 1 for ticks of
// 7.5 s.
std::uint64_t phase_of(TrueTime now, Duration tick) {
  constexpr Duration second = std::chrono::seconds{1};
  const std::int64_t ticks_to_whole = second.count() / std::gcd(second.count(), tick.count());
  return static_cast<std::uint64_t>(now.time_since_epoch() / tick % ticks_to_whole);
}

// How a process looks from outside: equal for processes that may be each other's.
class Looks {
 public:
  void add(std::uint64_t word) {
    value_ = (value_ ^ word) * 0x9e3779b97f4a7c15U;
    value_ ^= value_ >> 32;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

std::uint64_t looks_of(const State& state, std::uint32_t index) {
  const Process& process = state.world.processes[index];
  Looks looks;
  looks.add(static_cast<std::uint64_t>(process.state) | std::uint64_t{process.believes} << 8 |
            std::uint64_t{process.call_is_open} << 9 | std::uint64_t{process.starts != 0} << 10 |
            std::uint64_t{process.pauses} << 16 | std::uint64_t{process.stop_is_held} << 32 |
            std::uint64_t{(state.granted >> index) & 1U} << 33);
  if (!process.is_alive()) return looks.value();
  const MonoTime now = process.clock.local(state.world.now).mono;
  const auto age = [&](MonoTime at) {
    return at == never<MonoTime> ? ~std::uint64_t{0}
                                 : static_cast<std::uint64_t>((at - now).count() / 1000);
  };
  for (std::size_t timer = 0; timer < world::process_timers; ++timer) {
    looks.add(age(process.timers.due(timer)));
  }
  if (const auto* elector = std::get_if<elect::ClientGo>(&process.elector)) {
    looks.add(static_cast<std::uint64_t>(elector->phase) << 8 |
              static_cast<std::uint64_t>(elector->step_open));
  }
  return looks.value();
}

}  // namespace

void StateCodec::encode(const State& state, Code& out) {
  gather(state);
  Names& names = *names_;
  const auto processes = static_cast<std::uint32_t>(setup_->processes.size());
  names.order.clear();
  for (std::uint32_t i = 0; i < processes; ++i) {
    names.order.emplace_back(symmetry_ == Symmetry::on ? looks_of(state, i) : 0, i);
    names.places[i] = i;
  }
  names.code.clear();
  if (symmetry_ == Symmetry::off || processes == 1) {
    write(state, names.code);
  } else {
    write_smallest(state);
  }
  out += names.code.view();
}

// Those that look alike may still differ in whom they mean: the smallest code decides.
void StateCodec::write_smallest(const State& state) {
  Names& names = *names_;
  const auto candidate = [&](std::uint32_t i) { return setup_->processes[i].candidate; };
  std::sort(names.order.begin(), names.order.end(), [&](const auto& a, const auto& b) {
    return std::tuple{candidate(a.second), a} < std::tuple{candidate(b.second), b};
  });
  const auto is_tie = [&](std::size_t i) {
    const auto& [looks, process] = names.order[i];
    const auto& [next_looks, next_process] = names.order[i + 1];
    return looks == next_looks && candidate(process) == candidate(next_process);
  };
  const auto take_places = [&] {
    for (std::uint32_t place = 0; place < names.order.size(); ++place) {
      names.places[names.order[place].second] = place;
    }
  };
  take_places();
  write(state, names.code);
  while (next_order(names.order, is_tie)) {
    take_places();
    names.candidate.clear();
    write(state, names.candidate);
    if (names.candidate.view() < names.code.view()) std::swap(names.candidate, names.code);
  }
}

void StateCodec::write(const State& state, Bytes& out) {
  const World& world = state.world;
  Names& names = *names_;
  Writer writer{*this, world, names, out};
  if (has_phase()) writer.number(phase_of(world.now, setup_->grid->tick));
  write_roll(world, writer);
  const api::Lease* stored = world.server.find(setup_->lease);
  writer(stored != nullptr);
  if (stored != nullptr) writer(*stored);
  for (std::uint32_t place = 0; place < names.order.size(); ++place) {
    write_process(state, process_at(place), writer);
  }
  write_pending(world, out);
  write_faults(world, writer, out);
}

std::uint32_t StateCodec::process_at(std::uint32_t place) const {
  const auto at = std::find(names_->places.begin(), names_->places.end(), place);
  return static_cast<std::uint32_t>(at - names_->places.begin());
}

// Who there is, and what their clocks show: what everything after goes by.
void StateCodec::write_roll(const World& world, Writer& writer) {
  for (std::uint32_t place = 0; place < world.processes.size(); ++place) {
    const std::uint32_t index = process_at(place);
    const Process& process = world.processes[index];
    writer.number(process.starts == 0 ? 0 : names_->older[index].size() + 1);
    const LocalTime now = process.clock.local(world.now);
    if (reads_renew_times_) {
      writer.signed_number((now.wall - true_wall(world.now)) / std::chrono::microseconds{1});
    } else if (!is_drift_free(process)) {
      const Duration into = now.wall.time_since_epoch() % std::chrono::seconds{1};
      writer.number(static_cast<std::uint64_t>(into / std::chrono::microseconds{1}));
    }
  }
}

void StateCodec::write_process(const State& state, std::uint32_t index, Writer& writer) {
  const Process& process = state.world.processes[index];
  const world::LinkState& link = state.world.links[index];
  writer.number((link.request_open ? 1U : 0U) | (link.response_open ? 2U : 0U) |
                (link.disturbed ? 4U : 0U) | (link.cut_off ? 8U : 0U) |
                static_cast<std::uint64_t>(process.state) << 4);
  writer.of(process);
  if (nodes_matter_) {
    writer(process.node.value);
    writer(process.moves_to.value);
  }
  if (!process.is_alive()) return;
  std::visit([&](const auto& elector) { writer(elector); }, names_->electors[index]);
  writer(process.timers);
  writer.number((process.call_is_open ? 1U : 0U) | (process.believes ? 2U : 0U) |
                (process.stop_is_held ? 4U : 0U) | ((state.granted >> index) & 1U) << 3U |
                (process.is_frozen() ? 16U : 0U));
  if (!process.is_frozen()) return;
  writer.number(process.pauses);
  writer.number(process.stopped_clocks);
}

// What is under way, in an order of its own: on a grid all orders are possible.
void StateCodec::write_pending(const World& world, Bytes& out) {
  Parts& parts = names_->parts;
  parts.clear();
  for (const Message& message : names_->messages) {
    write_message(world, message);
    parts.end_part();
  }
  Writer writer{*this, world, *names_, parts.bytes()};
  world.agenda.for_each([&](kernel::EventKey key, const world::Event& event) {
    const auto begin = [&](std::uint64_t kind) {
      writer.number(kind);
      writer(key.at);
    };
    const auto about = [&](std::uint64_t kind, ProcessId process) {
      begin(kind);
      writer.process(process);
      parts.end_part();
    };
    const auto of_fault = [&](std::uint64_t kind, FaultId fault, std::uint32_t occurrence) {
      begin(kind);
      writer.number(fault.value);
      writer.number(occurrence);
      parts.end_part();
    };
    std::visit(overloaded{[&](const world::ProcessStarts& e) { about(3, e.process); },
                          [&](const world::ProcessEnds& e) {
                            const Process& process = world.processes[e.process.value];
                            // The grace period of one that is gone ends unnoticed.
                            if (!process.is_alive() || process.incarnation() != e.incarnation)
                              return;
                            about(4, e.process);
                          },
                          [&](const world::FaultBegins& e) { of_fault(5, e.fault, e.occurrence); },
                          [&](const world::FaultEnds& e) {
                            of_fault(6, e.fault, occurrence_name(world, e.fault, e.occurrence));
                          },
                          [](const auto&) {}},
               event);
  });
  Writer{*this, world, *names_, out}.number(parts.count());
  parts.append_to(out);
}

void StateCodec::write_message(const World& world, const Message& message) {
  Writer writer{*this, world, *names_, names_->parts.bytes()};
  writer(message.kind);
  writer(message.at);
  writer.process(message.process);
  writer.incarnation(message.process, message.incarnation);
  writer(message.awaited);
  if (message.request != nullptr) {
    writer(message.request->payload.verb);
    if (message.request->payload.verb != api::Verb::get) writer(message.request->payload.body);
    return;
  }
  writer(message.reply->payload.outcome);
  writer(read_object(world.processes[message.process.value], message.reply->payload));
}

void StateCodec::write_faults(const World& world, Writer& writer, Bytes& out) {
  if (setup_->faults.empty()) return;
  for (std::uint32_t i = 0; i < world.faults.size(); ++i) {
    const fault::Fault& fault = setup_->faults[i];
    if (fault.at_any && fault.count) writer.number(world.faults[i].begun);
    if (fault.most_lost) writer.number(world.faults[i].used);
    if (fault.probability != Ratio{1, 1}) writer(world.faults[i].happens);
  }
  writer.number(world.active.size());
  for (const world::ActiveFault& active : world.active) {
    writer.number(active.fault.value);
    writer.number(occurrence_name(world, active.fault, active.occurrence));
  }
  Parts& hits = names_->parts;
  hits.clear();
  Writer one{*this, world, *names_, hits.bytes()};
  for (const world::Hit& hit : world.hits) {
    one.number(hit.fault.value);
    one.number(occurrence_name(world, hit.fault, hit.occurrence));
    one.process(hit.process);
    const Process& process = world.processes[hit.process.value];
    // A fault of the network stays with the name; one of a process with what it hit.
    one(of_the_network(setup_->faults[hit.fault.value].type) ||
        hit.incarnation == process.incarnation());
    hits.end_part();
  }
  writer.number(hits.count());
  hits.append_to(out);
}

}  // namespace tenure::explore
