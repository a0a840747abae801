#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <utility>
#include <vector>

#include <tenure/base/assert.hpp>
#include <tenure/base/variant.hpp>
#include <tenure/explore/state.hpp>

namespace tenure::explore {
namespace {

using world::Process;
using world::World;
using Place = std::uint32_t;  // where a process stands among its equals

constexpr Revision stale_revision{1};
constexpr Revision newest_revision{2};
constexpr std::uint32_t awaited_request = 1;
constexpr std::uint32_t other_request = 0;
constexpr std::uint32_t next_request = 2;
constexpr std::uint32_t gone = 0xffffffffU;  // an incarnation that does not come back

// A decoded state begins here; what a state says of time is all relative.
constexpr MonoTime mono_base{std::chrono::hours{1}};

std::int64_t floor_seconds(std::int64_t microseconds) {
  const std::int64_t whole = microseconds / 1'000'000;
  return whole * 1'000'000 > microseconds ? whole - 1 : whole;
}

std::int64_t seconds_of(WallTime at) {
  return std::chrono::floor<std::chrono::seconds>(at.time_since_epoch()).count();
}

WallTime true_wall(TrueTime now) {
  return world::epoch + now.time_since_epoch();
}

bool is_awaited(const World& world, ProcessId id, std::uint32_t incarnation, RequestId request) {
  const Process& process = world.processes[id.value];
  return process.is_alive() && process.incarnation() == incarnation && process.call_is_open &&
         process.open_call == request;
}

// What a request that nobody waits for can still do: change the Lease. An old version never becomes
// the newest again, and a Lease that exists is not created.
bool can_still_write(const World& world, const api::Request& request) {
  const api::Lease* stored = world.server.find(world.setup->lease);
  switch (request.verb) {
    case api::Verb::get:
      return false;
    case api::Verb::create:
      return stored == nullptr;
    case api::Verb::update:
    case api::Verb::remove:
      return stored == nullptr || request.body.resource_version == stored->resource_version;
  }
  return true;
}

}  // namespace

// A message as it is encoded: a request under way, a reply under way or held by a frozen process.
struct Message {
  MessageKind kind = MessageKind::request;
  ProcessId process;
  std::uint32_t incarnation = 0;
  bool awaited = false;
  TrueTime at{};
  const world::RequestArrives* request = nullptr;
  const world::ReplyArrives* reply = nullptr;
};

namespace {

bool matters(const World& world, const world::RequestArrives& request) {
  return is_awaited(world, request.process, request.incarnation, request.request) ||
         can_still_write(world, request.payload);
}

template <class Take>
void for_each_message(const World& world, const Take& take) {
  world.agenda.for_each([&](kernel::EventKey key, const world::Event& event) {
    if (const auto* request = std::get_if<world::RequestArrives>(&event)) {
      if (!matters(world, *request)) return;
      take(Message{MessageKind::request, request->process, request->incarnation,
                   is_awaited(world, request->process, request->incarnation, request->request),
                   key.at, request, nullptr});
    } else if (const auto* reply = std::get_if<world::ReplyArrives>(&event)) {
      if (!is_awaited(world, reply->process, reply->incarnation, reply->request)) return;
      take(Message{MessageKind::reply, reply->process, reply->incarnation, true, key.at, nullptr,
                   reply});
    }
  });
  for (const world::HeldReply& reply : world.held_replies) {
    if (!is_awaited(world, reply.process, reply.incarnation, reply.request)) continue;
    take(Message{MessageKind::held_reply, reply.process, reply.incarnation, true, world.now,
                 nullptr, &reply});
  }
}

// The answer's object, as far as the elector that waits for it looks at it.
api::Lease read_object(const Process& process, const api::Response& response) {
  api::Lease lease;
  if (response.outcome != api::Outcome::ok) return lease;
  lease = response.lease;
  if (!elect::reads_object(process.elector)) lease.spec = {};
  return lease;
}

}  // namespace

// ---- names

// A code while it is written: a string takes its time over single bytes.
class Bytes {
 public:
  void push(std::uint8_t byte) {
    if (size_ == bytes_.size()) bytes_.resize(size_ * 2 + 64);
    bytes_[size_++] = static_cast<char>(byte);
  }
  void append(std::string_view more) {
    if (bytes_.size() < size_ + more.size()) bytes_.resize(size_ * 2 + more.size());
    std::copy(more.begin(), more.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(size_));
    size_ += more.size();
  }
  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  std::string_view view() const { return {bytes_.data(), size_}; }

 private:
  std::vector<char> bytes_;
  std::size_t size_ = 0;
};

namespace {

// Codes of things that have no order, to be sorted.
class Parts {
 public:
  void clear() { bytes_.clear(), ends_.clear(); }
  Bytes& bytes() { return bytes_; }
  void end_part() { ends_.push_back(bytes_.size()); }
  std::size_t count() const { return ends_.size(); }

  void append_to(Bytes& out) {
    if (count() < 2) return out.append(bytes_.view());
    views_.clear();
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      views_.push_back(bytes_.view().substr(begin, end - begin));
      begin = end;
    }
    std::sort(views_.begin(), views_.end());
    for (const std::string_view part : views_) out.append(part);
  }

 private:
  Bytes bytes_;
  std::vector<std::size_t> ends_;
  std::vector<std::string_view> views_;
};

}  // namespace

// A whole second that a record mentions, as an age by the clock that it is compared with: true
// time, 0, or that of a process, 1 + its index.
class StateCodec::Second {
 public:
  Second(bool is_renewal, std::uint32_t clock, std::int64_t age)
      : key_((std::uint64_t{clock} * 2 + (is_renewal ? 1U : 0U)) << age_bits |
             static_cast<std::uint64_t>(age + youngest)) {
    TENURE_ASSERT(age >= -youngest && age < youngest, "no record is that old");
  }

  std::int64_t age() const {
    return static_cast<std::int64_t>(key_ & ((std::uint64_t{1} << age_bits) - 1)) - youngest;
  }
  bool is_of_the_clock_of(const Second& other) const {
    return key_ >> age_bits == other.key_ >> age_bits;
  }
  friend bool operator<(const Second& a, const Second& b) { return a.key_ < b.key_; }
  friend bool operator==(const Second& a, const Second& b) { return a.key_ == b.key_; }

  std::int64_t name = 0;

 private:
  static constexpr unsigned age_bits = 48;
  static constexpr std::int64_t youngest = std::int64_t{1} << (age_bits - 1);

  std::uint64_t key_;  // clock, kind of time, age
};

// What the values of one state are called in its code.
struct StateCodec::Names {
  struct Number {
    std::int32_t value = 0;
    std::int32_t name = 0;
  };

  std::vector<Second> seconds;
  std::vector<Number> transitions;
  std::vector<std::vector<std::uint32_t>> older;  // by process: incarnations, youngest first
  std::vector<elect::AnyElector> electors;        // by process, settled
  std::vector<Message> messages;
  Revision newest;
  std::vector<std::int64_t> seconds_now;                       // by clock: see Second
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order;  // looks, process
  std::vector<std::uint32_t> places;                           // by process
  Parts parts;
  Bytes code;
  Bytes candidate;  // the code of a permutation
};

namespace {

std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

}  // namespace

// ---- writing

class StateCodec::Writer {
 public:
  Writer(const StateCodec& codec, const World& world, const Names& names, Bytes& out)
      : codec_(codec), setup_(*codec.setup_), world_(world), names_(names), out_(out) {}

  void number(std::uint64_t value) {
    while (value >= 0x80) {
      out_.push(static_cast<std::uint8_t>(value | 0x80));
      value >>= 7;
    }
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
  template <class Elector>
  requires Described<Elector>
  void operator()(const Elector& elector) {
    for_each_field(elector, [this](auto, const auto& member) { (*this)(member); });
  }

 private:
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

// ---- reading: the same walk

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

// ---- the codec

namespace {

Duration longest_lifetime(const world::Setup& setup) {
  Duration longest{};
  for (const world::Candidate& candidate : setup.candidates) {
    longest = std::max(
        longest, std::visit([](const auto& c) { return c.lease_duration; }, candidate.elector));
  }
  return longest;
}

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

bool of_the_network(fault::Type type) {
  return type != fault::Type::pause;  // of those that last
}

bool is_drift_free(const Process& process) {
  return process.clock.rate.local_per_true_second == kernel::ClockRate::perfect;
}

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

// Both halves of a product of 64-bit words, folded: every bit of both reaches all of the result
// (the mixing step of wyhash).
std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(hash ^ 0x2d358dccaa6c78a5U) * (word ^ 0x9e3779b97f4a7c15U);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64) ^ hash;
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
    const Duration longest = longest_lifetime(*setup_) + largest_offset(*setup_) * 2 +
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
  bool sees_empty_record = false;
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
    if (at.present()) names.seconds.push_back(second_of(holder, at, is_renewal));
  };
  const auto see = [&](Identity holder, std::int32_t transitions, api::MicroTime acquired,
                       api::MicroTime renewed) {
    see_identity(holder);
    if (transitions != api::LeaseSpec::absent) names.transitions.push_back({transitions, 0});
    see_time(holder, acquired, false);
    see_time(holder, renewed, true);
  };
  const auto see_record = [&](const elect::LeaseRecord& r) {
    if (r == elect::LeaseRecord{}) {
      sees_empty_record = true;
      return;
    }
    see(r.holder, r.leader_transitions, r.acquire_time, r.renew_time);
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
      see_record(elector->observed);
      see_record(elector->observed_raw);
      see_record(elector->desired);
    }
  }
  if (sees_empty_record) names.transitions.push_back({0, 0});
  for (auto& older : names.older) std::sort(older.rbegin(), older.rend());
  name_seconds();
  name_transitions();
}

// A record that was seen last, is not what the store holds and is not on its way here: whatever
// will be read next differs from it, and that is all it is for. (A record does not come back: every
// take-over raises the transitions, every renewal the time.)
void StateCodec::forget_unseen(const World& world, std::uint32_t index, elect::ClientGo& elector) {
  if (!elector.has_raw) return;
  const api::Lease* stored = world.server.find(setup_->lease);
  if (stored != nullptr && elect::raw_of(elect::record_of(stored->spec)) == elector.observed_raw) {
    return;
  }
  for (const Message& message : names_->messages) {
    if (message.process.value != index || message.reply == nullptr) continue;
    const api::LeaseSpec& spec = message.reply->payload.lease.spec;
    if (elect::raw_of(elect::record_of(spec)) == elector.observed_raw) return;
  }
  elector.observed_raw = {};
}

// Within `exact_seconds_` an age is its own name. Beyond, and where no clock is compared with it,
// it only matters which are equal: the names are consecutive.
void StateCodec::name_seconds() {
  auto& seconds = names_->seconds;
  std::sort(seconds.begin(), seconds.end());
  seconds.erase(std::unique(seconds.begin(), seconds.end()), seconds.end());
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
  std::sort(numbers.begin(), numbers.end(),
            [](const auto& a, const auto& b) { return a.value < b.value; });
  numbers.erase(std::unique(numbers.begin(), numbers.end(),
                            [](const auto& a, const auto& b) { return a.value == b.value; }),
                numbers.end());
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    numbers[i].name =
        numbers[i - 1].name + std::min(numbers[i].value - numbers[i - 1].value, std::int32_t{2});
  }
}

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
  const Duration phase = world.now.time_since_epoch() % std::chrono::seconds{1};
  if (has_phase()) writer.number(static_cast<std::uint64_t>(phase / setup_->grid->tick));
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

void StateCodec::read_roll(World& world, Reader& reader) const {
  for (std::uint32_t i = 0; i < world.processes.size(); ++i) {
    Process& process = world.processes[i];
    process.starts = reader.small();
    process.clock.since = world.now;
    process.clock.mono = mono_base;
    process.clock.wall = true_wall(world.now);
    process.clock.rate = rates_[i];
    if (reads_renew_times_) {
      process.clock.wall += std::chrono::microseconds{reader.signed_number()};
    } else if (!is_drift_free(process)) {
      process.clock.wall = WallTime{std::chrono::floor<std::chrono::seconds>(
                               process.clock.wall.time_since_epoch())} +
                           std::chrono::microseconds{reader.number()};
    }
  }
}

void StateCodec::write_process(const State& state, std::uint32_t index, Writer& writer) {
  const Process& process = state.world.processes[index];
  writer(process.state);
  const world::LinkState& link = state.world.links[index];
  writer.number((link.request_open ? 1U : 0U) | (link.response_open ? 2U : 0U) |
                (link.disturbed ? 4U : 0U) | (link.cut_off ? 8U : 0U));
  writer.of(process);
  if (nodes_matter_) {
    writer(process.node.value);
    writer(process.moves_to.value);
  }
  if (!process.is_alive()) return;
  std::visit([&](const auto& elector) { writer(elector); }, names_->electors[index]);
  for (std::size_t timer = 0; timer < world::process_timers; ++timer) {
    writer(process.timers.due(timer));
  }
  writer.number((process.call_is_open ? 1U : 0U) | (process.believes ? 2U : 0U) |
                (process.stop_is_held ? 4U : 0U) | ((state.granted >> index) & 1U) << 3U);
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

void StateCodec::write_faults(const World& world, Writer& writer, Bytes& out) {
  if (setup_->faults.empty()) return;
  for (std::uint32_t i = 0; i < world.faults.size(); ++i) {
    const fault::Fault& fault = setup_->faults[i];
    if (fault.at_any && fault.count) writer.number(world.faults[i].begun);
    if (fault.most_lost) writer.number(world.faults[i].used);
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

void StateCodec::decode(std::string_view code, State& out) const {
  out.world = fresh_;
  out.granted = 0;
  World& world = out.world;
  Reader reader{*this, code, world};
  if (has_phase()) {
    world.now = TrueTime{setup_->grid->tick * static_cast<std::int64_t>(reader.number())};
  }
  read_roll(world, reader);
  bool is_stored = false;
  reader(is_stored);
  if (is_stored) {
    api::Lease lease;
    reader(lease);
    world.server = api::Server::holding(setup_->lease, lease);
  }
  for (std::uint32_t i = 0; i < world.processes.size(); ++i) read_process(out, i, reader);
  read_pending(world, reader);
  read_faults(world, reader);
  TENURE_ASSERT(reader.at_end(), "a code ends where its state does");
  world::arm_all(world);
}

void StateCodec::read_process(State& out, std::uint32_t index, Reader& reader) const {
  Process& process = out.world.processes[index];
  reader(process.state);
  world::LinkState& link = out.world.links[index];
  const std::uint32_t open = reader.small();
  link = {(open & 1U) != 0, (open & 2U) != 0, (open & 4U) != 0, (open & 8U) != 0};
  if (nodes_matter_) {
    reader(process.node.value);
    reader(process.moves_to.value);
  }
  if (!process.is_alive()) return;
  reader.of(process);
  std::visit([&](auto& elector) { reader(elector); }, process.elector);
  for (std::size_t timer = 0; timer < world::process_timers; ++timer) {
    MonoTime due;
    reader(due);
    process.timers.set(timer, due);
  }
  const std::uint32_t flags = reader.small();
  process.call_is_open = (flags & 1U) != 0;
  process.open_call = process.call_is_open ? RequestId{awaited_request} : RequestId{};
  process.believes = (flags & 2U) != 0;
  process.stop_is_held = (flags & 4U) != 0;
  if ((flags & 8U) != 0) out.granted |= 1U << index;
  process.sees_itself_leading = elect::is_leader(process.elector);
  process.pauses = static_cast<std::uint16_t>(reader.number());
  process.stopped_clocks = static_cast<std::uint16_t>(reader.number());
  process.clock.mono_stopped = process.stopped_clocks != 0;
}

void StateCodec::read_pending(World& world, Reader& reader) const {
  const std::uint64_t count = reader.number();
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t kind = reader.number();
    TrueTime at;
    reader(at);
    if (kind == 5 || kind == 6) {
      const FaultId fault{reader.small()};
      const std::uint32_t occurrence = reader.small();
      if (kind == 5) {
        world.agenda.post(at, world::FaultBegins{fault, occurrence}, kernel::Precedence::fault);
      } else {
        world.agenda.post(at, world::FaultEnds{fault, occurrence}, kernel::Precedence::fault);
      }
      continue;
    }
    const ProcessId id = reader.process();
    const Process& process = world.processes[id.value];
    if (kind == 3) {
      world.agenda.post(at, world::ProcessStarts{id});
    } else if (kind == 4) {
      world.agenda.post(at, world::ProcessEnds{id, process.incarnation()});
    } else {
      read_message(world, static_cast<MessageKind>(kind), at, id, reader);
    }
  }
}

void StateCodec::read_message(World& world,
                              MessageKind kind,
                              TrueTime at,
                              ProcessId id,
                              Reader& reader) const {
  const std::uint32_t incarnation = reader.incarnation(id);
  bool awaited = false;
  reader(awaited);
  const RequestId request{awaited ? awaited_request : other_request};
  if (kind == MessageKind::request) {
    world::RequestArrives arrives{id, incarnation, request, 0, {}, {}};
    arrives.payload.key = setup_->lease;
    reader(arrives.payload.verb);
    if (arrives.payload.verb != api::Verb::get) reader(arrives.payload.body);
    world.agenda.post(at, arrives);
    return;
  }
  world::ReplyArrives arrives{id, incarnation, request, {}};
  reader(arrives.payload.outcome);
  reader(arrives.payload.lease);
  if (kind == MessageKind::reply) {
    world.agenda.post(at, arrives);
  } else {
    world.held_replies.push_back(arrives);
  }
}

void StateCodec::read_faults(World& world, Reader& reader) const {
  if (setup_->faults.empty()) return;
  for (std::uint32_t i = 0; i < world.faults.size(); ++i) {
    const fault::Fault& fault = setup_->faults[i];
    if (fault.at_any && fault.count) world.faults[i].begun = reader.small();
    if (fault.most_lost) world.faults[i].used = reader.small();
  }
  const std::uint64_t active = reader.number();
  for (std::uint64_t i = 0; i < active; ++i) {
    const FaultId fault{reader.small()};
    const std::uint32_t occurrence = reader.small();
    world.active.push_back({fault, occurrence});
    const fault::Fault& plan = setup_->faults[fault.value];
    if (plan.at_any && !plan.count) ++world.faults[fault.value].begun;
  }
  const std::uint64_t hits = reader.number();
  for (std::uint64_t i = 0; i < hits; ++i) {
    world::Hit hit;
    hit.fault = FaultId{reader.small()};
    hit.occurrence = reader.small();
    hit.process = reader.process();
    bool is_present = false;
    reader(is_present);
    hit.incarnation = is_present ? world.processes[hit.process.value].incarnation() : gone;
    world.hits.push_back(hit);
  }
}

std::uint64_t fingerprint_of(std::string_view code) {
  std::uint64_t hash = code.size() * 0x9e3779b97f4a7c15U;
  std::size_t i = 0;
  for (; i + 8 <= code.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, code.data() + i, 8);
    hash = mixed(hash, word);
  }
  std::uint64_t rest = 0;
  for (unsigned shift = 0; i < code.size(); ++i, shift += 8) {
    rest |= std::uint64_t{static_cast<std::uint8_t>(code[i])} << shift;
  }
  hash = mixed(hash, rest);
  return mixed(hash, 0x8bb84b93962eacc9U);
}

}  // namespace tenure::explore
