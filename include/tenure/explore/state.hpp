// A state of an exploration, and its code: the bytes that tell it from every state with other
// futures, and nothing else.
//
// What is left out or renamed, and why no future can tell (specs: exploration 3):
//   times         distances from now, in ticks; ages stop where no comparison looks further
//   resourceVersion  one bit, "still the newest": an old version never becomes new again
//   requests      whether the process still waits for the answer; what nobody waits for and the
//                 store would refuse is dropped
//   incarnations  which is the present one, and an order among those that are still mentioned
//   times in records  which are equal; by a clock that electors compare with them, their distance
//   leaseTransitions  which are equal, and which differ by one
//   dead fields   a neutral value; every elector knows its own (elect::settle)
//   identical candidates  sorted
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <tenure/world/world.hpp>

namespace tenure::explore {

using Code = std::string;  // bytes

class Bytes;
struct Message;
enum class MessageKind : std::uint8_t { request, reply, held_reply };

struct State {
  world::World world;
  std::uint32_t granted = 0;  // bit by process: an applied write named the one that bears the name
};

enum class Symmetry : std::uint8_t { off, on };

class StateCodec {
 public:
  StateCodec(std::shared_ptr<const world::Setup> setup, Symmetry symmetry);

  // The code of a state, appended to `out`. States with equal codes have the same futures.
  void encode(const State& state, Code& out);

  using Timers = kernel::Timers<world::process_timers>;

  // A state with this code. Its processes may bear each other's names.
  void decode(std::string_view code, State& out) const;

 private:
  struct Names;
  class Second;
  class Writer;
  class Reader;

  // Whose identity a name is.
  struct Bearer {
    ProcessId process;
    bool has_fresh_identities = false;
  };
  const Bearer& bearer_of(Identity who) const { return bearers_[who.name]; }

  void gather(const State& state);
  void look_at_clocks(const world::World& world);
  void forget_unseen(const world::World& world, std::uint32_t index, elect::ClientGo& elector);
  void forget_late_tick(const world::Candidate& candidate, elect::ClientGo& elector) const;
  void name_seconds();
  void name_transitions();

  void write_smallest(const State& state);
  void write(const State& state, Bytes& out);
  void write_roll(const world::World& world, Writer& writer);
  Timers live_timers(const world::Process& process) const;
  void write_process(const State& state, std::uint32_t index, Writer& writer);
  void write_pending(const world::World& world, Bytes& out);
  void write_message(const world::World& world, const Message& message);
  void write_faults(const world::World& world, Writer& writer, Bytes& out);

  void read_roll(world::World& world, Reader& reader) const;
  void read_process(State& out, std::uint32_t index, Reader& reader) const;
  void read_pending(world::World& world, Reader& reader) const;
  void read_message(world::World& world,
                    MessageKind kind,
                    TrueTime at,
                    ProcessId id,
                    Reader& reader) const;
  void read_faults(world::World& world, Reader& reader) const;

  bool has_phase() const { return setup_->grid->tick % std::chrono::seconds{1} != Duration{0}; }
  std::int64_t second_now(const world::World& world, Identity holder) const;
  Second second_of(Identity holder, api::MicroTime at, bool is_renewal) const;
  std::uint32_t occurrence_name(const world::World& world,
                                FaultId fault,
                                std::uint32_t occurrence) const;
  std::uint32_t process_at(std::uint32_t place) const;

  std::shared_ptr<const world::Setup> setup_;
  world::World fresh_;  // nothing has happened in it
  Symmetry symmetry_ = Symmetry::on;
  bool reads_renew_times_ = false;  // some elector compares them with a clock
  bool nodes_matter_ = false;       // processes may move
  bool can_be_paused_ = false;
  std::vector<kernel::ClockRate> rates_;  // by process
  std::vector<Bearer> bearers_;           // by name
  std::int64_t exact_seconds_ = 0;        // ages of record times up to here are kept as they are
  std::shared_ptr<Names> names_;          // of the state at hand; kept for its memory
};

std::uint64_t fingerprint_of(std::string_view code);

}  // namespace tenure::explore
