// What makes two states of a world "the same". Values are absorbed by type, and the type decides:
//
//   times        as the distance from now: a state is the same at any hour
//   RequestId    as the order of first appearance among those of its owner: only equality matters
//   Counter      not at all: it only makes fresh names
//   Revision     as the rank among those still mentioned anywhere: only order and equality matter
//
// Ranks need to know every revision of the state, so a state is absorbed twice; `fingerprint_of`
// does that.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include <tenure/base/fields.hpp>
#include <tenure/base/id.hpp>
#include <tenure/base/time.hpp>

namespace tenure {

class Fingerprint;

// A type that knows better than its list of fields what of it matters.
template <class T>
concept AbsorbsItself = requires(const T& value, Fingerprint& print) {
  value.absorb_into(print);
};

class Fingerprint {
 public:
  // `local_now` is what the clocks of the node whose values come next show; see `at`.
  explicit Fingerprint(TrueTime now) : now_(now) {}

  void at(LocalTime local_now) { local_now_ = local_now; }

  // Whose requests come next: every owner counts its requests anew, so that equal ids of two owners
  // have nothing in common.
  void of(std::uint64_t owner) { owner_ = owner; }

  void absorb(TrueTime t) { absorb_distance(t, now_); }
  void absorb(MonoTime t) { absorb_distance(t, local_now_.mono); }
  void absorb(WallTime t) { absorb_distance(t, local_now_.wall); }
  void absorb(LocalTime t) { absorb(t.mono), absorb(t.wall); }
  void absorb(Duration d) { mix(static_cast<std::uint64_t>(d.count())); }
  void absorb(Counter) {}
  void absorb(Identity who) { mix(std::uint64_t{who.name} << 32 | who.incarnation); }
  void absorb(Revision revision);
  void absorb(RequestId id);

  template <class Tag>
  void absorb(Id<Tag> id) {
    mix(id.value);
  }
  template <class T>
  requires std::integral<T> || std::is_enum_v<T>
  void absorb(T value) { mix(static_cast<std::uint64_t>(value)); }
  template <class T>
  void absorb(const std::vector<T>& values) {
    mix(values.size());
    for (const T& value : values) absorb(value);
  }
  template <class T, std::size_t N>
  void absorb(const std::array<T, N>& values) {
    for (const T& value : values) absorb(value);
  }
  template <class T>
  void absorb(const std::optional<T>& value) {
    mix(value.has_value() ? 1 : 0);
    if (value) absorb(*value);
  }
  template <class... T>
  void absorb(const std::variant<T...>& value) {
    mix(value.index());
    std::visit([this](const auto& alternative) { this->absorb(alternative); }, value);
  }
  void absorb(std::monostate) {}
  template <Described T>
  requires(!AbsorbsItself<T>) void absorb(const T& value) {
    for_each_field(value, [this](auto, const auto& member) { this->absorb(member); });
  }
  template <AbsorbsItself T>
  void absorb(const T& value) {
    value.absorb_into(*this);
  }

  std::uint64_t value() const { return hash_; }

  template <class State>
  friend std::uint64_t fingerprint_of(const State& state, TrueTime now);

 private:
  void mix(std::uint64_t word);
  void rank_revisions();

  template <class Time>
  void absorb_distance(Time t, Time now) {
    // `never` stays never however late it is.
    mix(t == never<Time> ? 0x7fffffffffffffffU : static_cast<std::uint64_t>((t - now).count()));
  }

  TrueTime now_;
  LocalTime local_now_{};
  std::uint64_t hash_ = 0;
  struct Request {
    std::uint64_t owner = 0;
    RequestId id;

    friend bool operator==(const Request&, const Request&) = default;
  };

  std::uint64_t owner_ = 0;
  std::vector<Request> requests_;
  std::vector<Revision> revisions_;
  bool ranked_ = false;
};

template <class State>
std::uint64_t fingerprint_of(const State& state, TrueTime now) {
  Fingerprint print{now};
  print.absorb(state);
  print.rank_revisions();
  print.absorb(state);
  return print.value();
}

}  // namespace tenure
