// Two that believed to lead at once: what in the history made it possible.
//
// Times count as in the specification of properties, 4.1: from w, when the last good write of the
// first believer was applied, to the end of its belief.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <tenure/base/time.hpp>
#include <tenure/check/property.hpp>
#include <tenure/record/fact.hpp>

namespace tenure::report {

using History = std::vector<record::Record>;
using Index = std::size_t;  // into a history

// Where the messages of one request are.
struct Exchange {
  std::optional<Index> sent, handled, written, received, lost;
};
using Exchanges = std::map<std::pair<record::Incarnation, RequestId>, Exchange>;
Exchanges exchanges_of(const History& history);

// The while that somebody believed.
struct Belief {
  Index began = 0;
  std::optional<Index> ended;  // nothing: at the end of the run it still does
};

// A create or update that went through, and that its sender knows of.
struct Success {
  Index handled = 0;
  Index received = 0;
  bool stored = true;     // false: it changed nothing, so that nobody else can notice it
  bool acquired = false;  // the belief began with it
};

struct Overlap {
  record::Incarnation first, second;
  Belief first_belief, second_belief;
  TrueTime from{}, to{};
  bool lasts = false;               // to the end of the run
  std::optional<Success> success;   // the last one of the first believer that was handled before
  std::optional<Index> last_write;  // by it, up to then: what the others count from
  std::optional<Index> takeover;    // the write that made the second one believe
  std::optional<Index> replaced;    // the write that it replaced
  std::optional<Index> claim;       // the second one's grounds; nothing: it needed none
  std::optional<Index> sighting;    // the reply in which it first saw what it replaced
  Duration reply{};                 // d: from the success being applied to its reply; no pauses
  Duration paused{};                // P: of the first one, until it stops believing
  Duration longest_way{};           // l: of a message of the first one that arrived
  bool errors = false;              // requests of the first one failed or got no answer
};

// The overlap that a violation of B1 tells of. `end` is the end of the run.
std::optional<Overlap> overlap_of(const History& history,
                                  const Exchanges& exchanges,
                                  const check::Violation& violation,
                                  record::Level level,
                                  TrueTime end);

template <class Fact>
const Fact* fact_at(const History& history, std::optional<Index> index) {
  return index ? std::get_if<Fact>(&history[*index].fact) : nullptr;
}

}  // namespace tenure::report
