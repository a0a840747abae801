// JSON Schemas of the results that -w json writes.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace tenure::report {

nlohmann::ordered_json run_result_schema();
nlohmann::ordered_json sweep_result_schema();
nlohmann::ordered_json explore_result_schema();

}  // namespace tenure::report
