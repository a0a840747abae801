#include <algorithm>
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include <tenure/run/sweep.hpp>

#include "digest.hpp"
#include "in_order.hpp"

namespace tenure::run {
namespace {

// ---- the front

// What an objective came to; nothing counts as worse than everything.
std::optional<std::int64_t> estimate(const PointResult& point, std::size_t objective) {
  return point.objectives[objective].judgement.estimate;
}

bool is_comparable(const PointResult& point) {
  if (!point.result || point.result->runs == 0) return false;
  const bool meets = std::all_of(point.needs.begin(), point.needs.end(),
                                 [](Finding finding) { return finding == Finding::ok; });
  if (!meets) return false;
  for (std::size_t i = 0; i < point.objectives.size(); ++i) {
    if (!estimate(point, i)) return false;
  }
  return true;
}

// At least as good in everything, and better in something.
bool beats(const PointResult& a, const PointResult& b) {
  bool is_better = false;
  for (std::size_t i = 0; i < a.objectives.size(); ++i) {
    if (*estimate(a, i) > *estimate(b, i)) return false;
    is_better = is_better || *estimate(a, i) < *estimate(b, i);
  }
  return is_better;
}

bool is_smaller(const PointResult& a, const PointResult& b) {
  for (std::size_t i = 0; i < a.objectives.size(); ++i) {
    if (*estimate(a, i) != *estimate(b, i)) return *estimate(a, i) < *estimate(b, i);
  }
  return false;
}

// In ascending order of all objectives, the first one first, a point can only be beaten by one
// before it, and then by one on the front. Of two objectives the last one on the front has the
// least second one, so it is asked alone; of more, all of the front.
std::vector<std::size_t> front_of(const std::vector<PointResult>& points) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].objectives.empty() && is_comparable(points[i])) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return is_smaller(points[a], points[b]); });
  std::vector<std::size_t> front;
  for (const std::size_t each : order) {
    const bool two_at_most = points[each].objectives.size() <= 2;
    const auto first_asked = two_at_most && !front.empty() ? front.end() - 1 : front.begin();
    const bool is_beaten = std::any_of(first_asked, front.end(), [&](std::size_t other) {
      return beats(points[other], points[each]);
    });
    if (!is_beaten) front.push_back(each);
  }
  // Equals stay in the order of the sweep.
  std::stable_sort(front.begin(), front.end(), [&](std::size_t a, std::size_t b) {
    return *estimate(points[a], 0) != *estimate(points[b], 0)
               ? *estimate(points[a], 0) < *estimate(points[b], 0)
               : a < b;
  });
  return front;
}

// ---- judging

Finding finding_of(const scenario::ClosedFormCondition& need, const scenario::Scenario& scenario) {
  const auto value = scenario::closed_form_of(scenario, need.of);
  if (!value) return Finding::not_exercised;
  using Wide = scenario::Quantity::Wide;
  const Wide left = value->numerator * need.value.denominator;
  const Wide right = need.value.numerator * value->denominator;
  switch (need.op) {
    case stats::Comparison::less:
      return left < right ? Finding::ok : Finding::fail;
    case stats::Comparison::at_most:
      return left <= right ? Finding::ok : Finding::fail;
    case stats::Comparison::more:
      return left > right ? Finding::ok : Finding::fail;
    case stats::Comparison::at_least:
      return left >= right ? Finding::ok : Finding::fail;
    case stats::Comparison::equal:
      return left == right ? Finding::ok : Finding::fail;
    case stats::Comparison::different:
      return left != right ? Finding::ok : Finding::fail;
  }
  return Finding::fail;
}

// A figure is what a threshold on it would compare.
scenario::Threshold threshold_of(const scenario::Objective& objective) {
  scenario::Threshold threshold;
  threshold.metric = objective.metric;
  threshold.fault = objective.fault;
  threshold.aggregation = objective.aggregation;
  threshold.percentile = objective.percentile;
  threshold.text = objective.text;
  return threshold;
}

void judge_point(const scenario::Sweep& sweep, PointResult& point) {
  const RunResult& result = *point.result;
  for (const scenario::Objective& objective : sweep.minimized) {
    point.objectives.push_back(judged(result.scenario, threshold_of(objective), result.metrics));
  }
  for (const scenario::Condition& need : sweep.needed) {
    const auto* threshold = std::get_if<scenario::Threshold>(&need);
    point.needs.push_back(
        threshold != nullptr
            ? judged(result.scenario, *threshold, result.metrics).finding
            : finding_of(std::get<scenario::ClosedFormCondition>(need), result.scenario));
  }
}

bool meets_all(const PointResult& point) {
  return point.result && std::all_of(point.needs.begin(), point.needs.end(),
                                     [](Finding finding) { return finding == Finding::ok; });
}

// Whether some point meets all conditions: not known while a point is left that may.
Finding needs_of(const SweepResult& result) {
  if (result.plan.sweep.needed.empty() || result.meeting_needs != 0) return Finding::ok;
  const bool all_fail =
      std::all_of(result.points.begin(), result.points.end(), [](const PointResult& point) {
        return !point.result || std::find(point.needs.begin(), point.needs.end(), Finding::fail) !=
                                    point.needs.end();
      });
  return all_fail && !result.partial && !result.interrupted ? Finding::fail : Finding::inconclusive;
}

Verdict verdict_of(const SweepResult& result) {
  bool open = result.partial || result.interrupted || result.plan.run_points() == 0;
  for (const PointResult& point : result.points) {
    if (!point.result) continue;
    if (point.result->verdict == Verdict::fail) return Verdict::fail;
    open = open || point.result->verdict == Verdict::inconclusive;
  }
  if (open || result.needs == Finding::inconclusive) return Verdict::inconclusive;
  return result.needs == Finding::fail ? Verdict::fail : Verdict::pass;
}

// The runs of one point, its units merged in order.
CampaignResult merged(const Experiment& experiment,
                      std::vector<Unit>& units,
                      std::size_t begin,
                      std::size_t end) {
  CampaignResult all = no_runs(experiment);
  for (stats::Samples& samples : all.metrics) samples.reserve((end - begin) * block_size);
  for (std::size_t i = begin; i < end; ++i) merge(all, std::exchange(units[i].result, {}));
  return all;
}

std::size_t end_of_point(const std::vector<Unit>& units, std::size_t begin) {
  std::size_t end = begin;
  while (end < units.size() && units[end].point == units[begin].point) ++end;
  return end;
}

}  // namespace

// ---- units

Study::Study(const scenario::SweepPlan& plan) : runs_(plan.runs_per_point()) {
  blocks_ = (runs_ + block_size - 1) / block_size;
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    if (!plan.points[i].skipped.empty()) continue;
    points_.push_back(i);
    experiments_.push_back(run::experiment_of(plan.points[i].scenario));
  }
}

std::optional<std::uint64_t> Study::number_of(std::size_t point, std::uint64_t block) const {
  const auto found = std::lower_bound(points_.begin(), points_.end(), point);
  if (found == points_.end() || *found != point || block >= blocks_) return std::nullopt;
  return static_cast<std::uint64_t>(found - points_.begin()) * blocks_ + block;
}

Made make_units(const Study& study,
                const std::vector<std::uint64_t>& numbers,
                const StudyOptions& options) {
  Made made;
  const auto take = [&](std::uint64_t piece, CampaignResult&& result) {
    const std::uint64_t number = numbers[piece];
    const std::uint64_t whole = runs_in_block(study.experiment_of(number), study.block_of(number));
    const bool has_stalled = !result.stalled.empty();
    if (result.runs < whole && !has_stalled) return false;  // broken off
    bool goes_on = !has_stalled && !result.misfit;
    const std::size_t judged_sets = std::min(options.fail_fast.size(), result.properties.size());
    for (std::size_t i = 0; i < judged_sets; ++i) {
      const bool fails = options.fail_fast[i] && result.properties[i].violated_runs != 0;
      made.failed_fast = made.failed_fast || fails;
    }
    made.units.push_back({study.point_of(number), study.block_of(number), std::move(result)});
    if (options.progress) options.progress(made.units.back());
    return goes_on && !made.failed_fast;
  };
  InOrder<CampaignResult> work{numbers.size(), options.stop, take};
  work.run(options.threads, [&] {
    // A thread mostly stays with a point, whose runner it keeps.
    auto runner = std::make_shared<std::optional<Runner>>();
    auto of = std::make_shared<const Experiment*>(nullptr);
    return [&study, &numbers, &options, runner, of](std::uint64_t piece) {
      const std::uint64_t number = numbers[piece];
      const Experiment& experiment = study.experiment_of(number);
      if (*of != &experiment) runner->emplace(experiment, options.stop);
      *of = &experiment;
      return make_block(experiment, **runner, study.block_of(number));
    };
  });
  made.interrupted = made.units.size() < numbers.size() && options.stop != nullptr &&
                     options.stop->load() && !made.failed_fast;
  return made;
}

// ---- results

SweepResult judged(scenario::SweepPlan plan, std::vector<Unit> units) {
  SweepResult result;
  result.plan = std::move(plan);
  result.points.resize(result.plan.points.size());
  const Study study{result.plan};
  result.partial = units.size() != study.units();
  for (std::size_t begin = 0; begin < units.size();) {
    const std::size_t end = end_of_point(units, begin);
    const std::size_t index = units[begin].point;
    PointResult& point = result.points[index];
    const auto number = *study.number_of(index, 0);
    point.result = judged(result.plan.points[index].scenario, result.plan.scenario_document,
                          merged(study.experiment_of(number), units, begin, end));
    judge_point(result.plan.sweep, point);
    begin = end;
  }
  result.meeting_needs = static_cast<std::size_t>(
      std::count_if(result.points.begin(), result.points.end(), meets_all));
  result.needs = needs_of(result);
  result.pareto = front_of(result.points);
  result.verdict = verdict_of(result);
  return result;
}

RunResult judged_run(const scenario::SweepPlan& plan, std::vector<Unit> units) {
  const Study study{plan};
  RunResult result = judged(plan.points.front().scenario, plan.scenario_document,
                            merged(study.experiment_of(0), units, 0, units.size()));
  result.warnings.insert(result.warnings.begin(), plan.warnings.begin(), plan.warnings.end());
  return result;
}

std::string sha256_of(const scenario::SweepInput& input) {
  nlohmann::ordered_json json;
  json["sweep"] = input.sweep_text;
  json["scenario"] = input.scenario_text;
  json["sets"] = input.sets;
  if (input.runs) json["runs"] = *input.runs;
  if (input.seed) json["seed"] = *input.seed;
  return sha256_hex(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace tenure::run
