// What a trace shows, whatever file it is written to: groups of lanes with slices that never
// overlap, instants, flows between slices, and counters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tenure/base/time.hpp>
#include <tenure/record/fact.hpp>
#include <tenure/world/setup.hpp>

namespace tenure::report {

using TraceNotes = std::vector<std::pair<std::string, std::string>>;

// A flow is a request: where it is sent, handled, and answered.
struct TraceSlice {
  TrueTime from{};
  TrueTime to{};
  std::string name;
  TraceNotes notes;
  std::optional<std::uint64_t> flow;  // the request that this slice belongs to
  bool is_answered = false;           // the flow comes back to its end
};

struct TraceLane {
  std::string name;
  std::vector<TraceSlice> slices;  // in order; one may begin where the one before ends
};

struct TraceGroup {
  std::string name;
  std::vector<TraceLane> lanes;
};

// Something that happens to everybody.
struct TraceInstant {
  TrueTime at{};
  std::string name;
};

struct TraceCounter {
  std::string name;
  std::vector<std::pair<TrueTime, std::int64_t>> values;
};

struct TraceContent {
  std::vector<TraceGroup> groups;  // the truth, the API server, then each process
  std::vector<TraceInstant> instants;
  std::vector<TraceCounter> counters;  // of the truth
};

TraceContent trace_content(const world::Setup& setup, const std::vector<record::Record>& history);

}  // namespace tenure::report
