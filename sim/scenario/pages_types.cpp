#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/assert.hpp>
#include <tenure/scenario/pages.hpp>

namespace tenure::scenario {
namespace {

constexpr TypePage pages[] = {
    {Type::map, "map", "map", "Fields with their values."},
    {Type::list, "list", "list of maps", "Maps, each with the same fields."},
    {Type::word, "word", "word", "One of the words that the field names."},
    {Type::word_or_map, "word-or-map", "word or map", "One of some words, or a map of fields."},
    {Type::text, "text", "text",
     "Any text; where YAML would take it for something else, in quotes."},
    {Type::full_text, "non-empty-text", "text", "Any text but the empty one."},
    {Type::name, "name", "name: a DNS-1123 label",
     "a-z, 0-9 and -, at most 63, beginning and ending with a letter or digit."},
    {Type::names, "names", "list of names", "Names of things that are declared elsewhere."},
    {Type::flag, "flag", "true or false", "Without quotes; yes, no, on and off are texts."},
    {Type::whole, "whole-number", "whole number", "Digits alone: no sign, point or leading zero."},
    {Type::run_numbers, "run-numbers", "list of growing whole numbers",
     "Numbers of runs, each larger than the one before."},
    {Type::figure, "figure", "avg, med, p(N) or rate", "What of a metric has an interval."},
    {Type::width, "width", "a percentage of the estimate, or a value in the metric's unit",
     "The whole width of an interval: 5%, 500ms."},
    {Type::duration, "duration", "duration: 15s, 250ms, 1m30s, 1.5s, 0",
     "Go's notation: numbers and units, ns us ms s m h. A number without a unit is an error, but "
     "for 0; days have no fixed length: 24h. Counted in nanoseconds, up to 292 years."},
    {Type::positive_duration, "positive-duration", "duration above 0: 15s, 250ms, 1m30s",
     "A duration that is not zero."},
    {Type::tick, "tick", "duration: a multiple of 1us",
     "The grid of an exploration; renewTime has microseconds."},
    {Type::time_limit, "time-limit", "duration or none", "A duration above zero; none: no limit."},
    {Type::time_or_bound, "duration-or-bound", "duration or bound",
     "A duration, or the closed form of tenure bounds."},
    {Type::distribution, "distribution",
     "distribution: 5ms, {uniform: [1ms, 9ms]}, {exponential: {mean: 5ms}}, {lognormal: {p50: 4ms, "
     "p99: 40ms}}, {empirical: [[4ms, 0.5], [80ms, 1]]}, {mixture: [...]}",
     "What is drawn anew for each event. uniform takes both its ends. pareto: {min: 2ms, alpha: "
     "2.1}. empirical: values with the share up to each, linear between, the first share an atom. "
     "mixture: [{weight: 0.99, of: 5ms}, {weight: 0.01, of: 2s}]."},
    {Type::instant, "instant",
     "any, or a distribution: 60s, {uniform: [60s, 62s]}, ...; all forms: tenure explain "
     "distribution",
     "From the start of the run. any: at every tick of an exploration."},
    {Type::offset, "offset", "offset: +10m, -3s, or a distribution of such",
     "How far a clock is ahead of true time. The sign is required: elsewhere it means the "
     "opposite."},
    {Type::rate, "rate", "rate: +200ppm, -0.5%, 1.0002, or a distribution of such",
     "A clock's speed relative to true time, from 0.5 to 2, in steps of 0.001ppm. ppm and % need a "
     "sign."},
    {Type::probability, "probability", "probability: 0.5 or \"50%\"", "From 0 to 1."},
    {Type::memory, "size", "size: 512MiB, 4GiB, 500MB; at least 16MiB",
     "A whole number and KiB, MiB, GiB, kB, MB or GB."},
    {Type::elector, "elector", "name", "An elector: tenure list electors."},
    {Type::version, "version", "version: v0.26 to the newest", "A minor release of client-go."},
    {Type::fault, "fault", "name", "A type of fault: tenure list faults."},
    {Type::fault_name, "fault-name", "name", "A DNS-1123 label, or the type of the fault."},
    {Type::target, "target",
     "leader, followers, believers, all, candidate/NAME-0, node/NAME, zone/NAME, apiserver, or "
     "{role, mode, value}",
     "Who is hit. Decided once, when the fault begins."},
    {Type::role, "role", "a target", "A target in its short form."},
    {Type::two_targets, "two-targets", "[target, target]", "The two ends of links."},
    {Type::portion, "portion", "number or percentage", "How many, or which share: 2, 50, \"50%\"."},
    {Type::properties, "properties", "list of names or maps",
     "A property by its name, or in its long form: {name: beliefSafety, expect: violated}."},
    {Type::property, "property", "name", "A property, or the id of a single one: B1."},
    {Type::thresholds, "thresholds", "map from metric to one or several statements",
     "A statement is a text, or in its long form {threshold: max < 24s, decision: point}."},
    {Type::files, "files", "list of file names", "Relative to the file that names them."},
    {Type::texts, "texts", "map of texts", "Names of the author's own choice, each with a text."},
    {Type::rule_duration, "rule-duration", "duration of Prometheus: 30s, 5m, 1h30m, 1d",
     "Whole numbers and units that become smaller: y w d h m s ms."},
    {Type::statement, "statement", "text: AGGREGATION OP VALUE",
     "min max avg med p(N) count rate sum, then < <= > >= == or !=, then a value in the metric's "
     "unit: p(99) < 20s, rate == 0, max <= 2."},
    {Type::parameter, "parameter-name", "name: a letter, then letters, digits and _",
     "What formulas, excludes and includes call a parameter of a sweep; at most 64 characters."},
    {Type::parameters, "parameter-values", "list of maps from parameter to value",
     "{L: 60s, R: 1s}: values of parameters, as a scenario writes them."},
    {Type::settings, "settings", "list of values",
     "Each as a scenario writes it at that place: 15s, 3, true."},
    {Type::quantity, "quantity", "number or duration: 1.25, 15s",
     "From 0 to 10^9, or 10^9 seconds. A number and a duration are never the same, not even 0 and "
     "0s."},
    {Type::step, "step", "number or duration above 0", "From one value of a range to the next."},
    {Type::formula, "formula", "formula: L * 2 / 3",
     "Parameters, numbers and durations with + - * / ( ), min, max and floor. Durations are exact "
     "nanoseconds; the result is rounded to 1 ms, a number to 1e-9, halves away from zero."},
    {Type::comparisons, "comparisons", "list of comparisons: [\"D > 1.2 * R\"]",
     "Formulas with one of < <= > >= == != between them."},
    {Type::figures, "figures", "list of METRIC.AGGREGATION: [failover.p(99)]",
     "An aggregation (min max avg med p(N) count rate sum) of a metric, which may be narrowed to "
     "one fault: failover[kill].p(99). Without one: avg."},
    {Type::conditions, "conditions", "list of conditions: [\"apiOutageSurvived >= 8s\"]",
     "METRIC AGGREGATION OP VALUE as in thresholds, failover p(99) < 40s or failover.p(99) < 40s; "
     "or apiOutageSurvived, safetyMargin, pauseSurvived (durations) or clockRatio (a number) OP "
     "VALUE, the closed forms of tenure bounds."},
};

}  // namespace

std::span<const TypePage> type_pages() {
  return pages;
}

const TypePage& page_of(Type type) {
  const auto found = std::find_if(std::begin(pages), std::end(pages),
                                  [&](const TypePage& page) { return page.type == type; });
  TENURE_ASSERT(found != std::end(pages), "every type has a page");
  return *found;
}

std::vector<std::string_view> parts_of(std::string_view list) {
  std::vector<std::string_view> parts;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(", "), list.size());
    parts.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 2, list.size()));
  }
  return parts;
}

std::string text_of(const Value& value) {
  const std::vector<std::string_view> words = parts_of(value.words);
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() && value.type == Type::word ? " or " : ", ";
    text += words[i];
  }
  if (value.type == Type::word) return text;
  if (value.type == Type::word_or_map) return text + " or a map";
  text = page_of(value.type).text;
  const bool is_open = value.most == std::numeric_limits<std::int64_t>::max();
  if (value.type == Type::whole && !is_open && value.least != value.most)
    text += fmt::format(": {} to {}", value.least, value.most);
  if (value.type == Type::whole && is_open && value.least > 0)
    text += fmt::format(", at least {}", value.least);
  return text;
}

bool is_child(std::string_view path, std::string_view parent) {
  if (parent.empty()) return path.find('.') == path.npos;
  return path.size() > parent.size() + 1 && path.substr(0, parent.size()) == parent &&
         path[parent.size()] == '.' && path.find('.', parent.size() + 1) == path.npos;
}

}  // namespace tenure::scenario
