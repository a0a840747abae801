// Advice as text.
#pragma once

#include <cstdint>
#include <string>

#include <tenure/report/writer.hpp>
#include <tenure/run/confirm.hpp>

namespace tenure::report {

// `kind: AdviseResult`; the same bytes for the same flags and version.
void write_advise_json(const run::AdviseResult& result, const TextSink& sink);

// What a person reads; the last line is the verdict.
std::string advice_text(const run::AdviseResult& result, Colour colour);

// A figure to a thousandth, on the side that promises less: "39.552s".
std::string told(const scenario::Need& need, std::int64_t amount);

}  // namespace tenure::report
