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

// One call of one process; unique among the calls that a process has made since it was first
// started, so that a late reply to an earlier incarnation is never taken for an answer.
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

}  // namespace tenure
