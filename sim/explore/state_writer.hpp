// The values of a state, one after the other, into its code.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "state_names.hpp"

namespace tenure::explore {

class StateCodec::Writer {
 public:
  Writer(const StateCodec& codec, const World& world, const Names& names, Bytes& out)
      : codec_(codec), setup_(*codec.setup_), world_(world), names_(names), out_(out) {}

  // Nearly all numbers are small.
  void number(std::uint64_t value) {
    if (value >= 0x80) return large_number(value);
    out_.push(static_cast<std::uint8_t>(value));
  }
  void signed_number(std::int64_t value) { number(zigzag(value)); }

  // Whose clock and calls the next values go by.
  void of(const Process& process) {
    local_ = process.clock.local(world_.now);
    is_perfect_ = process.clock.rate.local_per_true_second == kernel::ClockRate::perfect;
  }

  void operator()(bool value) { number(value ? 1 : 0); }
  void operator()(std::uint32_t value) { number(value); }
  void operator()(std::uint64_t value) { number(value); }
  void operator()(std::int32_t value) { signed_number(value); }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void operator()(Enum value) { number(static_cast<std::uint64_t>(value)); }
  void operator()(Counter) {}
  void operator()(RequestId request) {
    number(request == nobody<RequestTag> ? other_request : awaited_request);
  }
  void operator()(Revision revision) {
    number(revision == Revision{}      ? 0U
           : revision == names_.newest ? static_cast<std::uint64_t>(newest_revision.value)
                                       : static_cast<std::uint64_t>(stale_revision.value));
  }
  void operator()(MonoTime at) {
    if (at == never<MonoTime>) return number(0);
    distance(at - local_.mono);
  }
  void operator()(LocalTime at) {
    (*this)(at.mono);
    if (at.mono == never<MonoTime>) return;
    distance(at.wall - local_.wall);
  }
  void operator()(TrueTime at) {
    if (at == never<TrueTime>) return number(0);
    true_distance(at - world_.now);
  }
  void operator()(Identity who) {
    if (who.empty()) return number(0);
    const Bearer& bearer = codec_.bearer_of(who);
    number(setup_.processes[names_.places[bearer.process.value]].identity);
    if (bearer.has_fresh_identities) incarnation(bearer.process, who.incarnation);
  }
  void process(ProcessId id) { number(names_.places[id.value]); }
  void incarnation(ProcessId id, std::uint32_t value) {
    const Process& process = world_.processes[id.value];
    if (value == process.incarnation()) return number(0);
    const auto& older = names_.older[id.value];
    number(
        static_cast<std::uint64_t>(std::find(older.begin(), older.end(), value) - older.begin()) +
        1);
  }
  // Most records are empty, and an empty one is one byte.
  void operator()(const elect::LeaseRecord& record) {
    if (!present(record)) return;
    lease_fields(record.holder, record.lease_duration_seconds, record.leader_transitions,
                 record.acquire_time, record.renew_time);
    (*this)(record.preferred_holder);
    (*this)(record.strategy);
  }
  void operator()(const api::LeaseSpec& spec) {
    if (!present(spec)) return;
    lease_fields(spec.holder, spec.lease_duration_seconds, spec.lease_transitions,
                 spec.acquire_time, spec.renew_time);
    (*this)(spec.preferred_holder);
    (*this)(spec.strategy);
  }
  void operator()(const api::Lease& lease) {
    (*this)(lease.uid);
    (*this)(lease.resource_version);
    (*this)(lease.spec);
  }
  // Of the timers few are set.
  void operator()(const kernel::Timers<world::process_timers>& timers) {
    std::uint64_t set = 0;
    for (std::size_t timer = 0; timer < world::process_timers; ++timer) {
      if (timers.due(timer) != never<MonoTime>) set |= std::uint64_t{1} << timer;
    }
    number(set);
    for (; set != 0; set &= set - 1) {
      (*this)(timers.due(static_cast<std::size_t>(std::countr_zero(set))));
    }
  }
  template <class Elector>
  requires Described<Elector>
  void operator()(const Elector& elector) {
    for_each_field(elector, [this](auto, const auto& member) { (*this)(member); });
  }

 private:
  [[gnu::noinline]] void large_number(std::uint64_t value) {
    while (value >= 0x80) {
      out_.push(static_cast<std::uint8_t>(value | 0x80));
      value >>= 7;
    }
    out_.push(static_cast<std::uint8_t>(value));
  }
  template <class Record>
  bool present(const Record& record) {
    const bool is_empty = record == Record{};
    number(is_empty ? 0 : 1);
    return !is_empty;
  }
  void lease_fields(Identity holder,
                    std::int32_t duration,
                    std::int32_t transitions,
                    api::MicroTime acquired,
                    api::MicroTime renewed) {
    (*this)(holder);
    number(duration == api::LeaseSpec::absent ? 0 : zigzag(duration) + 1);
    number(transitions == api::LeaseSpec::absent ? 0 : zigzag(transitions_name(transitions)) + 1);
    time(holder, acquired, false);
    time(holder, renewed, true);
  }

  std::int32_t transitions_name(std::int32_t value) const {
    for (const Names::Number& number : names_.transitions) {
      if (number.value == value) return number.name;
    }
    return value;
  }

  void time(Identity holder, api::MicroTime at, bool is_renewal) {
    if (!at.present()) return number(0);
    const Second second = codec_.second_of(holder, at, is_renewal);
    const auto known = std::lower_bound(names_.seconds.begin(), names_.seconds.end(), second);
    const std::int64_t rest =
        at.microseconds - floor_seconds(at.microseconds) * std::int64_t{1'000'000};
    number(((zigzag(known->name) + 1) << 1) | (rest != 0 ? 1U : 0U));
    if (rest != 0) number(static_cast<std::uint64_t>(rest));
  }

  // A clock that is not perfect counts no whole ticks; to the microsecond, all of its roundings to
  // nanoseconds are the same.
  void distance(Duration by) {
    if (is_perfect_) return true_distance(by);
    number(1);
    signed_number((by.count() + (by.count() < 0 ? -500 : 500)) / 1000);
  }
  void true_distance(Duration by) {
    const std::int64_t tick = setup_.grid->tick.count();
    const std::int64_t ticks = by.count() / tick;
    if (ticks * tick == by.count()) return number(zigzag(ticks) + 2);
    number(1);
    signed_number(by.count() / 1000);
  }

  const StateCodec& codec_;
  const world::Setup& setup_;
  const World& world_;
  const Names& names_;
  Bytes& out_;
  LocalTime local_{};
  bool is_perfect_ = true;
};

}  // namespace tenure::explore
