// Results and histories as text. Every writer hands its text on in pieces, so that a result with a
// million samples is never held as text.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <tenure/record/fact.hpp>
#include <tenure/run/result.hpp>
#include <tenure/world/setup.hpp>

namespace tenure::report {

// Takes the next piece; the view ends with the call.
using TextSink = std::function<void(std::string_view)>;

// `kind: RunResult`: everything, the scenario and all samples included. The same bytes for the same
// scenario, seed and version.
void write_json(const run::RunResult& result, const TextSink& sink);

// The history of one run, one fact a line.
void write_jsonl(const world::Setup& setup,
                 std::uint64_t run,
                 const std::vector<record::Record>& history,
                 const TextSink& sink);

enum class Colour : std::uint8_t { no, yes };

// What a person reads after `tenure run`; the last line is the verdict. `cost` stands behind the
// verdict, in parentheses; empty: nothing does. `counterexample` is a block of its own.
std::string summary(const run::RunResult& result,
                    Colour colour,
                    std::string_view cost,
                    std::string_view counterexample = {});

}  // namespace tenure::report
