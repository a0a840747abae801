// The values of a state back from its code: the same walk as the writer's.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "state_names.hpp"

namespace tenure::explore {

class StateCodec::Reader {
 public:
  Reader(const StateCodec& codec, std::string_view code, World& world)
      : codec_(codec), setup_(*codec.setup_), code_(code), world_(world) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      TENURE_ASSERT(next_ < code_.size(), "a code ends where its state does");
      const auto byte = static_cast<std::uint8_t>(code_[next_++]);
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if ((byte & 0x80U) == 0) return value;
    }
  }
  std::uint32_t small() { return static_cast<std::uint32_t>(number()); }
  std::int64_t signed_number() { return unzigzag(number()); }
  bool at_end() const { return next_ == code_.size(); }

  void operator()(bool& value) { value = number() != 0; }
  void operator()(std::uint32_t& value) { value = small(); }
  void operator()(std::uint64_t& value) { value = number(); }
  void operator()(std::int32_t& value) { value = static_cast<std::int32_t>(signed_number()); }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void operator()(Enum& value) { value = static_cast<Enum>(number()); }
  void operator()(Counter& value) { value.made = next_request; }
  void operator()(RequestId& request) {
    request = number() == other_request ? RequestId{} : RequestId{awaited_request};
  }
  void operator()(Revision& revision) { revision.value = static_cast<std::int64_t>(number()); }
  void operator()(MonoTime& at) {
    if (const auto by = distance())
      at = mono_base + *by;
    else
      at = never<MonoTime>;
  }
  void operator()(LocalTime& at) {
    (*this)(at.mono);
    at.wall = never<WallTime>;
    if (at.mono == never<MonoTime>) return;
    at.wall = wall_ + *distance();
  }
  void operator()(TrueTime& at) {
    const auto by = distance();
    at = by ? world_.now + *by : never<TrueTime>;
  }
  void operator()(Identity& who) {
    who = {};
    who.name = small();
    if (who.empty()) return;
    const Bearer& bearer = codec_.bearer_of(who);
    if (bearer.has_fresh_identities) who.incarnation = incarnation(bearer.process);
  }
  ProcessId process() { return ProcessId{small()}; }
  std::uint32_t incarnation(ProcessId id) {
    return world_.processes[id.value].incarnation() - small();
  }
  // Whose clock the next values go by.
  void of(const Process& process) { wall_ = process.clock.wall; }

  void operator()(elect::LeaseRecord& record) {
    if (!present(record)) return;
    lease_fields(record.holder, record.lease_duration_seconds, record.leader_transitions,
                 record.acquire_time, record.renew_time);
    (*this)(record.preferred_holder);
    (*this)(record.strategy);
  }
  void operator()(api::LeaseSpec& spec) {
    if (!present(spec)) return;
    lease_fields(spec.holder, spec.lease_duration_seconds, spec.lease_transitions,
                 spec.acquire_time, spec.renew_time);
    (*this)(spec.preferred_holder);
    (*this)(spec.strategy);
  }
  void operator()(api::Lease& lease) {
    (*this)(lease.uid);
    (*this)(lease.resource_version);
    (*this)(lease.spec);
  }
  void operator()(kernel::Timers<world::process_timers>& timers) {
    timers.cancel_all();
    for (std::uint64_t set = number(); set != 0; set &= set - 1) {
      MonoTime due;
      (*this)(due);
      timers.set(static_cast<std::size_t>(std::countr_zero(set)), due);
    }
  }
  template <class Elector>
  requires Described<Elector>
  void operator()(Elector& elector) {
    for_each_field(elector, [this](auto, auto& member) { (*this)(member); });
  }

 private:
  template <class Record>
  bool present(Record& record) {
    const bool is_empty = number() == 0;
    if (is_empty) record = {};
    return !is_empty;
  }
  void lease_fields(Identity& holder,
                    std::int32_t& duration,
                    std::int32_t& transitions,
                    api::MicroTime& acquired,
                    api::MicroTime& renewed) {
    (*this)(holder);
    count(duration);
    count(transitions);
    time(holder, acquired);
    time(holder, renewed);
  }
  void count(std::int32_t& value) {
    const std::uint64_t code = number();
    value = code == 0 ? api::LeaseSpec::absent : static_cast<std::int32_t>(unzigzag(code - 1));
  }
  void time(Identity holder, api::MicroTime& at) {
    const std::uint64_t code = number();
    at = {};
    if (code == 0) return;
    const std::int64_t age = unzigzag((code >> 1) - 1);
    const std::int64_t rest = (code & 1) != 0 ? static_cast<std::int64_t>(number()) : 0;
    at.microseconds = (codec_.second_now(world_, holder) - age) * 1'000'000 + rest;
  }
  std::optional<Duration> distance() {
    const std::uint64_t code = number();
    if (code == 0) return std::nullopt;
    if (code == 1) return Duration{signed_number() * 1000};
    return setup_.grid->tick * unzigzag(code - 2);
  }

  const StateCodec& codec_;
  const world::Setup& setup_;
  std::string_view code_;
  World& world_;
  WallTime wall_{};
  std::size_t next_ = 0;
};

}  // namespace tenure::explore
