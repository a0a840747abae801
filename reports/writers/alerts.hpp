// What came of the alerts that a scenario expects something of, for people and for JSON.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include <tenure/run/result.hpp>

namespace tenure::report {

// "2000/2000 runs, fired 2000 times, delay p50 48.2s, max 61.9s"
std::string seen_text(const run::RunResult& result, const run::AlertResult& alert);

nlohmann::ordered_json alert_json(const run::AlertResult& alert);

}  // namespace tenure::report
