// The documentation that `tenure explain` prints, one table for each kind of name. The sentences
// that `tenure list` shows are in names.hpp; these say more.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenure::scenario {

// What can be written as the value of a field: interface, "value types". Each has a page, and a
// definition in the JSON Schema.
enum class Type : std::uint8_t {
  map,          // of the fields below its own
  list,         // of such maps
  word,         // one of `words`
  word_or_map,  // one of `words`, or a map of the fields below
  text,
  full_text,    // not empty
  name,         // a DNS-1123 label
  names,        // a list of those
  flag,         // true or false
  whole,        // a whole number from `least` to `most`
  run_numbers,  // a growing list of numbers of runs
  figure,       // an aggregation that has an interval
  width,        // of an interval
  duration,
  positive_duration,
  tick,           // a positive multiple of 1us
  time_limit,     // a positive duration, or none
  time_or_bound,  // a duration, or bound
  distribution,
  instant,  // a distribution, or any
  offset,
  rate,
  probability,
  memory,
  elector,  // the name of one
  version,  // of client-go
  fault,    // a type of fault
  fault_name,
  target,
  role,
  two_targets,
  portion,
  properties,
  property,
  thresholds,
  statement,
  parameter,   // the name of one, as formulas have it
  parameters,  // values of parameters by their names
  settings,    // a list of values as a scenario writes them
  quantity,    // a number or a duration
  step,        // one above zero
  formula,
  comparisons,    // a list of formulas that compare
  figures,        // a list of aggregations of metrics
  conditions,     // a list of thresholds and bounds of closed forms
  files,          // a list of names
  texts,          // a map from names to texts
  rule_duration,  // as Prometheus writes it
};

struct Value {
  Type type;
  std::string_view words = {};  // "Always, OnFailure, Never"
  std::int64_t least = 0;
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
};

struct TypePage {
  Type type;
  std::string_view name;
  std::string_view text;  // the forms: "15s, 250ms, 1m30s"
  std::string_view meaning;
};

struct FieldPage {
  std::string_view path;  // "spec.candidates.elector.leaseDuration"
  Value value;
  std::string_view standard;  // what it is when absent; "required"
  std::string_view meaning;
};

enum class Hits : std::uint8_t { processes, links, api_servers };

struct FaultPage {
  std::string_view name;
  std::string_view meaning;
  Hits hits;
  std::string_view fields;    // of this type alone; empty: none
  std::string_view inflight;  // what happens to requests under way
  std::string_view elsewhere;
};

struct PropertyPage {
  std::string_view name;
  std::string_view ids;
  std::string_view sentence;
  std::string_view promise;    // whose it is
  std::string_view premise;    // without which it is not exercised
  std::string_view violation;  // what one looks like
  std::string_view options;    // its fields
};

struct MetricPage {
  std::string_view name;
  std::string_view unit;
  std::string_view details;  // the sentence is check::definition's
};

struct ElectorPage {
  std::string_view name;
  std::string_view fields;
  std::string_view text;
};

// A page that is about no single name of a scenario.
struct TextPage {
  std::string_view name;
  std::string_view text;
};

std::span<const TextPage> statistics_pages();

// A line of tenure bounds.
struct FormulaPage {
  std::string_view name;     // "safetyMargin"
  std::string_view label;    // as bounds prints it
  std::string_view formula;  // of L, D, R and J
  std::string_view meaning;
};

// Exit codes, variables of the environment, forms of output.
struct WordPage {
  std::string_view name;
  std::string_view meaning;
};

std::span<const TypePage> type_pages();
std::span<const FieldPage> field_pages();
std::span<const FieldPage> sweep_field_pages();  // "sweep.spec.parameters"
std::span<const FaultPage> fault_pages();
std::span<const PropertyPage> property_pages();
std::span<const MetricPage> metric_pages();
std::span<const ElectorPage> elector_pages();
std::span<const FormulaPage> formula_pages();
std::span<const WordPage> exit_code_pages();
std::span<const WordPage> environment_pages();
std::span<const WordPage> format_pages();

const TypePage& page_of(Type type);

// What can be written there, in words: "Always, OnFailure or Never".
std::string text_of(const Value& value);

// Whether `path` is a field of the map `parent`; of the document, when that is empty.
bool is_child(std::string_view path, std::string_view parent);

// "a, b, c" as its parts.
std::vector<std::string_view> parts_of(std::string_view list);

// The page of `name`, whatever it is: a field ("scenario.spec.faults[0].at", "sweep.parameters"), a
// fault, a property
// or one of its ids, a metric, an elector, a preset, a code, a type of value, a formula, "summary",
// "exit codes", "environment", "formats", "stopping". A name of several kinds has a page with all
// of them. Ends in a newline; empty: there is no such name.
std::string explained(std::string_view name);

// What `explained` knows, for did-you-mean.
std::span<const std::string_view> explained_names();

}  // namespace tenure::scenario
