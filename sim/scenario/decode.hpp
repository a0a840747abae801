// The parts of decoding a scenario, one function for each part of the file.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include <tenure/scenario/reader.hpp>
#include <tenure/scenario/scenario.hpp>

namespace tenure::scenario {

struct Sweep;

// The names that faults and candidates may refer to.
struct Known {
  std::set<std::string, std::less<>> processes;
  std::set<std::string, std::less<>> groups;
  std::set<std::string, std::less<>> nodes;
  std::set<std::string, std::less<>> zones;
};

void decode_candidates(const Reader& spec, Scenario& out, Known& known);
void decode_faults(const Reader& spec, const Known& known, Scenario& out);
void decode_properties(const Reader& spec, Scenario& out);
void decode_thresholds(const Reader& spec, Scenario& out);
void decode_alerts(const Reader& spec, Scenario& out);
void decode_stopping(const Reader& spec, Scenario& out);
void decode_explore(const Reader& spec, Scenario& out);
void decode_choices(const Reader& spec, Scenario& out);
void decode_objectives(const Reader& spec, Sweep& out);

// Whether the metric exists and, when it is narrowed to a fault, can be, and that fault exists too.
bool is_known_metric(const Reader& at, std::string_view written, const Scenario& scenario);

// The field apiVersion of any document.
void decode_version(const Reader& root);

// Without the blanks at both ends.
std::string_view trimmed(std::string_view text);

// "p(99)", "avg" and "<=" into a threshold; `problem` says what they are not.
bool parse_aggregation(std::string_view text, Threshold& out, std::string& problem);
bool parse_op(std::string_view text, Threshold& out);

// Reports a name that nothing in the file bears (E0317).
void report_unknown_name(const Reader& at,
                         std::string_view kind,
                         std::string_view name,
                         const std::set<std::string, std::less<>>& names);

// The shortest time that a request may take, there and back.
Duration shortest_round_trip(const Latency& latency);

}  // namespace tenure::scenario
