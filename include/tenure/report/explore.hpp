// The result of an exploration as text.
#pragma once

#include <string>
#include <string_view>

#include <tenure/explore/verdict.hpp>
#include <tenure/report/writer.hpp>

namespace tenure::report {

// `kind: ExploreResult`; the same bytes for the same scenario and version.
void write_explore_json(const explore::ExploreResult& result, const TextSink& sink);

// What a person reads, up to the counterexample, which is told by `story`.
std::string explore_summary(const explore::ExploreResult& result, Colour colour);

// The last line: the verdict, and what the search cost.
std::string explore_verdict(const explore::ExploreResult& result,
                            Colour colour,
                            std::string_view cost);

// "1.2 million states, 0.41 million/s, 35 210 at hand, tick 40, 120 MiB"
std::string progress_text(const explore::Progress& progress, double seconds);

}  // namespace tenure::report
