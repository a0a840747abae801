// Results of sweeps as text and as JSON.
#pragma once

#include <string>
#include <string_view>

#include <tenure/report/writer.hpp>
#include <tenure/run/sweep.hpp>
#include <tenure/scenario/sweep.hpp>

namespace tenure::report {

// `kind: SweepResult`: every point with its samples, in the order of the sweep. The same bytes for
// the same sweep and version, however it was divided.
void write_sweep_json(const run::SweepResult& result,
                      const scenario::SweepInput& input,
                      const TextSink& sink);

// One row a point: parameters, objectives with their intervals, verdicts; RFC 4180.
void write_sweep_csv(const run::SweepResult& result, const TextSink& sink);

// "15 points (5 x 4 = 20; 5 refused by client-go, 1 excluded, 1 added), 30000 runs"
std::string plan_text(const scenario::SweepPlan& plan);

// The table of the first objective and the front, for a person; the last line is the verdict.
std::string sweep_summary(const run::SweepResult& result, Colour colour, std::string_view cost);

}  // namespace tenure::report
