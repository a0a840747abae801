// One run for a trace viewer: who was in what state, what each believed and did, its requests, what
// the API server stored, the faults, and the truth that none of them knows.
//
// Two forms of the same content: Chrome Trace Event JSON, which any viewer and any person can read,
// and Perfetto's TrackEvent protobuf, which is smaller and which its viewer recommends.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <tenure/record/fact.hpp>
#include <tenure/report/writer.hpp>
#include <tenure/world/setup.hpp>

namespace tenure::report {

// `history` with messages.
void write_trace_json(const world::Setup& setup,
                      const std::vector<record::Record>& history,
                      const TextSink& sink);

void write_trace_protobuf(const world::Setup& setup,
                          const std::vector<record::Record>& history,
                          const TextSink& sink);

}  // namespace tenure::report
