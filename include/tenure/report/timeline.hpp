// Who leads, over time: lanes of spans, made from the history of one run. Lease, belief and work
// are lanes of their own, because they are three different things.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tenure/base/time.hpp>
#include <tenure/record/fact.hpp>
#include <tenure/world/setup.hpp>

namespace tenure::report {

// What a lane shows over a while; the later of two that meet in one column wins, unless both last.
enum class Shade : std::uint8_t {
  nothing,
  held,           // lease: the holder's number is shown
  expired,        // lease: older than its duration
  unowned,        // lease: holder empty
  follows,        // process up, does not lead
  works,          // leads and is running
  works_cut_off,  // leads and is running, and its requests do not get through
  frozen,         // neither runs nor leads
  leads_frozen,
  absent,     // no process
  cut_off,    // up, cut off, does not lead
  believes,   // belief, level context
  no_leader,  // leaders: nobody
  one_leader,
  two_believe,  // at least one of them frozen
  two_run,
  fault,
};

struct Span {
  TrueTime from{};
  TrueTime to{};
  Shade shade = Shade::nothing;
  std::string text;  // of the Lease: the holder; leaders: how many; fault: its name
};

// What a lane is about.
enum class Layer : std::uint8_t { lease, belief, work, leaders, fault };

struct Lane {
  std::string label;
  std::vector<Span> spans;  // in order, without gaps except in fault lanes
  Layer layer = Layer::fault;
};

struct Timeline {
  TrueTime from{};
  TrueTime to{};
  std::vector<Lane> lanes;
};

Timeline timeline_of(const world::Setup& setup,
                     const std::vector<record::Record>& history,
                     TrueTime from,
                     TrueTime to);

enum class Characters : std::uint8_t { unicode, ascii };

// A sign a line; or as many as fit in one.
enum class Legend : std::uint8_t { lines, compact };

// As text of at most `columns` columns, with a legend. A column that holds several spans shows the
// most serious one, so that a short overlap does not vanish.
std::string rendered(const Timeline& timeline,
                     std::size_t columns,
                     Characters characters,
                     Legend legend = Legend::lines);

}  // namespace tenure::report
