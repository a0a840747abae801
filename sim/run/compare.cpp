#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tenure/run/compare.hpp>
#include <tenure/scenario/scenario.hpp>

namespace tenure::run {
namespace {

using check::MetricId;
using stats::Aggregation;

constexpr std::array<stats::Figure, 4> figures{{{Aggregation::mean, {1, 2}},
                                                {Aggregation::quantile, {1, 2}},
                                                {Aggregation::quantile, {95, 100}},
                                                {Aggregation::quantile, {99, 100}}}};
constexpr std::array<std::string_view, 4> figure_names{"mean", "p50", "p95", "p99"};

// Whether less of it is better. How many requests are sent is a price that is chosen.
bool has_direction(MetricId id) {
  return id != MetricId::api_requests_per_second && id != MetricId::api_conflicts;
}

bool fails(const std::optional<Finding>& finding) {
  return finding == Finding::fail || finding == Finding::xpass;
}

Change change_of(MetricId id, const stats::Difference& difference) {
  if (difference.is_above()) return has_direction(id) ? Change::worse : Change::more;
  if (difference.is_below()) return has_direction(id) ? Change::better : Change::less;
  return Change::no_evidence;
}

// ---- figures

bool can_be_paired(const RunResult& base, const RunResult& other) {
  return base.scenario.seed == other.scenario.seed && base.runs == other.runs &&
         !base.scenario.choices && !other.scenario.choices;
}

void compare_figures(const PointPair& pair, PointComparison& out) {
  std::vector<stats::ComparedSamples> compared;
  std::vector<MetricId> ids;
  for (std::size_t id = 0; id < check::metric_count; ++id) {
    const stats::Samples& base = pair.base->metrics[id];
    const stats::Samples& other = pair.other->metrics[id];
    if (base.empty() && other.empty()) continue;
    compared.push_back({&base, &other});
    ids.push_back(static_cast<MetricId>(id));
  }
  const auto found =
      stats::differences(compared, figures, pair.base->runs, pair.other->runs, out.pairing);
  for (std::size_t m = 0; m < ids.size(); ++m) {
    for (std::size_t k = 0; k < figures.size(); ++k) {
      out.figures.push_back(
          {ids[m], figures[k], figure_names[k], found[m][k], change_of(ids[m], found[m][k])});
    }
  }
}

// What does not stand among all that was compared is no evidence.
void keep_what_stands(std::vector<PointComparison>& points) {
  std::vector<double> p;
  std::vector<FigureChange*> compared;
  for (PointComparison& point : points) {
    for (FigureChange& figure : point.figures) {
      if (!figure.difference.interval) continue;
      p.push_back(figure.difference.p);
      compared.push_back(&figure);
    }
  }
  const std::vector<bool> stands = stats::findings_that_stand(p);
  for (std::size_t i = 0; i < compared.size(); ++i) {
    if (!stands[i]) compared[i]->change = Change::no_evidence;
  }
}

// ---- verdicts

std::string name_of_property(const PropertyResult& property) {
  return property.name;
}

std::string name_of_threshold(const ThresholdResult& threshold) {
  return fmt::format("{} {}", threshold.metric, threshold.text);
}

PropertyChange change_of(const PropertyResult* base,
                         const PropertyResult* other,
                         const PointPair& pair) {
  PropertyChange change;
  change.verdict.name = (base != nullptr ? base : other)->name;
  if (base != nullptr) {
    change.verdict.base = base->finding;
    change.base_violated = base->tally.violated_runs;
  }
  if (other != nullptr) {
    change.verdict.other = other->finding;
    change.other_violated = other->tally.violated_runs;
  }
  if (base != nullptr && other != nullptr && pair.base->runs > 0 && pair.other->runs > 0) {
    change.share = stats::share_difference(change.base_violated, pair.base->runs,
                                           change.other_violated, pair.other->runs);
  }
  return change;
}

VerdictChange change_of(const ThresholdResult* base, const ThresholdResult* other) {
  VerdictChange change{name_of_threshold(base != nullptr ? *base : *other), {}, {}};
  if (base != nullptr) change.base = base->finding;
  if (other != nullptr) change.other = other->finding;
  return change;
}

// Calls `take` with every entry of the first and its partner, the one of the same name and of the
// same place among those, and with those of the second alone.
template <class Result, class Name, class Take>
void for_each_pair(const std::vector<Result>& base,
                   const std::vector<Result>& other,
                   Name name_of,
                   Take take) {
  std::map<std::string, std::deque<const Result*>> left;
  for (const Result& one : other) left[name_of(one)].push_back(&one);
  std::set<const Result*> taken;
  for (const Result& one : base) {
    std::deque<const Result*>& partners = left[name_of(one)];
    const Result* partner = nullptr;
    if (!partners.empty()) {
      partner = partners.front();
      partners.pop_front();
    }
    take(&one, partner);
    taken.insert(partner);
  }
  const Result* const none = nullptr;
  for (const Result& one : other) {
    if (taken.count(&one) == 0) take(none, &one);
  }
}

// ---- settings

// "/spec/candidates/0/name" as "spec.candidates[0].name".
std::string path_of(const std::string& pointer) {
  std::string path;
  std::size_t at = 1;
  while (at <= pointer.size()) {
    const std::size_t end = std::min(pointer.find('/', at), pointer.size());
    const std::string part = pointer.substr(at, end - at);
    const bool is_index = !part.empty() && part.find_first_not_of("0123456789") == part.npos;
    if (is_index)
      path += fmt::format("[{}]", part);
    else
      path += path.empty() ? part : "." + part;
    at = end + 1;
  }
  return path;
}

std::string text_of(const nlohmann::ordered_json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::vector<SettingChange> settings_changed(const RunResult& base, const RunResult& other) {
  const auto before = scenario::scenario_json(base.scenario).flatten();
  const auto after = scenario::scenario_json(other.scenario).flatten();
  std::vector<SettingChange> changes;
  for (const auto& [pointer, value] : before.items()) {
    const auto found = after.find(pointer);
    if (found == after.end()) changes.push_back({path_of(pointer), text_of(value), {}});
    if (found != after.end() && *found != value)
      changes.push_back({path_of(pointer), text_of(value), text_of(*found)});
  }
  for (const auto& [pointer, value] : after.items()) {
    if (!before.contains(pointer)) changes.push_back({path_of(pointer), {}, text_of(value)});
  }
  return changes;
}

PointComparison compare_point(const PointPair& pair) {
  PointComparison point;
  point.name = pair.name;
  point.base_runs = pair.base->runs;
  point.other_runs = pair.other->runs;
  if (can_be_paired(*pair.base, *pair.other)) point.pairing = stats::Pairing::paired;
  point.settings = settings_changed(*pair.base, *pair.other);
  compare_figures(pair, point);
  for_each_pair(pair.base->properties, pair.other->properties, name_of_property,
                [&](const PropertyResult* base, const PropertyResult* other) {
                  point.properties.push_back(change_of(base, other, pair));
                });
  for_each_pair(pair.base->thresholds, pair.other->thresholds, name_of_threshold,
                [&](const ThresholdResult* base, const ThresholdResult* other) {
                  point.thresholds.push_back(change_of(base, other));
                });
  return point;
}

}  // namespace

std::string_view to_text(Change change) {
  constexpr std::array<std::string_view, 5> words = {"noEvidence", "better", "worse", "more",
                                                     "less"};
  return words[static_cast<std::size_t>(change)];
}

bool VerdictChange::is_regression() const {
  return fails(other) && !fails(base);
}

bool PointComparison::is_regression() const {
  return std::any_of(figures.begin(), figures.end(),
                     [](const FigureChange& f) { return f.change == Change::worse; }) ||
         std::any_of(properties.begin(), properties.end(),
                     [](const PropertyChange& p) { return p.verdict.is_regression(); }) ||
         std::any_of(thresholds.begin(), thresholds.end(),
                     [](const VerdictChange& t) { return t.is_regression(); });
}

bool Comparison::is_regression() const {
  return std::any_of(points.begin(), points.end(),
                     [](const PointComparison& point) { return point.is_regression(); });
}

Comparison compare(std::span<const PointPair> pairs) {
  Comparison comparison;
  for (const PointPair& pair : pairs) comparison.points.push_back(compare_point(pair));
  keep_what_stands(comparison.points);
  return comparison;
}

Comparison compare(const std::vector<RunResult>& base, const std::vector<RunResult>& other) {
  const auto name_of = [](const RunResult& result) { return result.scenario.name; };
  std::vector<PointPair> pairs;
  std::vector<std::string> only_in_base;
  std::vector<std::string> only_in_other;
  if (base.size() == 1 && other.size() == 1) {
    pairs.push_back({other.front().scenario.name, &base.front(), &other.front()});
  } else {
    for_each_pair(base, other, name_of, [&](const RunResult* a, const RunResult* b) {
      if (a != nullptr && b != nullptr) pairs.push_back({a->scenario.name, a, b});
      if (b == nullptr) only_in_base.push_back(a->scenario.name);
      if (a == nullptr) only_in_other.push_back(b->scenario.name);
    });
  }
  Comparison comparison = compare(pairs);
  comparison.only_in_base = std::move(only_in_base);
  comparison.only_in_other = std::move(only_in_other);
  return comparison;
}

}  // namespace tenure::run
