// What caused what in a history: the happens-before order of Lamport, as a graph over its records.
//
// A record depends on
//   - the one before it of the same process name: what it knew, and that it was started again
//   - the first record of the event it belongs to: a fault causes all that its begin does
//   - for a message: its sending, and then its handling; the last change of its connection
//   - for a request that is handled: the last write of the Lease, which is what it found
//   - for what a process does next: that a message of it was lost, for it is waiting for an answer
//
// Time alone is no cause: that a clock ran on is nobody's doing.
#pragma once

#include <cstddef>
#include <vector>

#include <tenure/record/fact.hpp>

namespace tenure::record {

// The records that `of` depend on, themselves included: ascending indices into `history`, which
// must hold messages too (Recorder::wants_messages).
std::vector<std::size_t> ancestors_of(const std::vector<Record>& history,
                                      const std::vector<std::size_t>& of);

}  // namespace tenure::record
