// The documentation that `tenure explain` prints, one table for each kind of name. The sentences
// that `tenure list` shows are in names.hpp; these say more.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tenure::scenario {

struct FieldPage {
  std::string_view path;      // "spec.candidates.elector.leaseDuration"
  std::string_view type;      // "duration"
  std::string_view standard;  // what it is when absent; "required"
  std::string_view meaning;
};

struct FaultPage {
  std::string_view name;
  std::string_view meaning;
  std::string_view target;    // who can be hit
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
  std::string_view options;
};

struct MetricPage {
  std::string_view name;
  std::string_view unit;
  std::string_view details;  // the sentence is check::definition's
};

struct ElectorPage {
  std::string_view name;
  std::string_view text;
};

// A page that is about no single name of a scenario.
struct TextPage {
  std::string_view name;
  std::string_view text;
};

std::span<const TextPage> statistics_pages();
std::span<const FieldPage> field_pages();
std::span<const FaultPage> fault_pages();
std::span<const PropertyPage> property_pages();
std::span<const MetricPage> metric_pages();
std::span<const ElectorPage> elector_pages();

// The page of `name`, whatever it is: a field ("scenario.spec.faults[0].at"), a fault, a property
// or one of its ids, a metric, an elector, a preset, a code, "summary", "exit codes",
// "stopping". A name of
// several kinds has a page with all of them. Ends in a newline; empty: there is no such name.
std::string explained(std::string_view name);

// What `explained` knows, for did-you-mean.
std::span<const std::string_view> explained_names();

}  // namespace tenure::scenario
