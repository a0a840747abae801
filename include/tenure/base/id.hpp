// Names for things of one world. Each kind is a type of its own, so that they cannot be mixed up.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace tenure {

template <class Tag>
struct Id {
  std::uint32_t value = std::numeric_limits<std::uint32_t>::max();

  friend auto operator<=>(const Id&, const Id&) = default;
};

// A process *name* ("kcm-0"); the processes that bear it one after the other are its incarnations.
using ProcessId = Id<struct ProcessTag>;
using NodeId = Id<struct NodeTag>;
using FaultId = Id<struct FaultTag>;

// One call of one incarnation of a process.
using RequestId = Id<struct RequestTag>;

template <class Tag>
inline constexpr Id<Tag> nobody{};

// Makes fresh names. Two states that differ only in how many names were made are the same state.
struct Counter {
  std::uint32_t made = 0;

  constexpr std::uint32_t next() { return made++; }
  friend auto operator<=>(const Counter&, const Counter&) = default;
};

// An etcd revision, which is what a Kubernetes resourceVersion is. 0 means "none given".
struct Revision {
  std::int64_t value = 0;

  friend auto operator<=>(const Revision&, const Revision&) = default;
};

// What a process writes into holderIdentity. `name` indexes the identities that the setup knows, from
// 1; 0 is the empty string. A process that comes back under a new identity (a new Pod) keeps the name
// and raises `incarnation`; one that comes back as itself (a StatefulSet) does not.
struct Identity {
  std::uint32_t name = 0;
  std::uint32_t incarnation = 0;

  constexpr bool empty() const { return name == 0; }
  friend auto operator<=>(const Identity&, const Identity&) = default;
};

}  // namespace tenure
