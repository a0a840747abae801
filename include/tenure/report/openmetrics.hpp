// One run as a monitoring system would have seen it: OpenMetrics text with timestamps, which
// `promtool tsdb create-blocks-from openmetrics` turns into blocks of a Prometheus.
//
// Every process is a target, scraped at whole multiples of an interval. A process that is dead,
// frozen or cut off is not scraped, so its samples are missing there, exactly while they would
// matter. Staleness markers do not exist in this format: after the last sample Prometheus looks
// back for its usual five minutes.
#pragma once

#include <vector>

#include <tenure/base/time.hpp>
#include <tenure/kernel/node_clock.hpp>
#include <tenure/record/fact.hpp>
#include <tenure/report/writer.hpp>
#include <tenure/world/setup.hpp>

namespace tenure::report {

struct Scrapes {
  Duration interval = std::chrono::seconds{15};
  WallTime epoch = world::epoch;  // where time 0 of the run is put
};

// Who asks for more scrapes of a run is refused by the command line: all are held in memory.
inline constexpr std::int64_t most_scrapes = 100'000;

// `history` with messages; `clocks` as they were at the end, by ProcessId.
void write_openmetrics(const world::Setup& setup,
                       const std::vector<record::Record>& history,
                       const std::vector<kernel::NodeClock>& clocks,
                       const Scrapes& scrapes,
                       const TextSink& sink);

}  // namespace tenure::report
