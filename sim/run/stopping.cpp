#include <algorithm>
#include <memory>
#include <utility>

#include <tenure/run/campaign.hpp>
#include <tenure/run/result.hpp>
#include <tenure/run/stopping.hpp>
#include <tenure/stats/looks.hpp>

namespace tenure::run {
namespace {

// The interval's whole width; nothing when it has an end that is open.
std::optional<double> width_of(const stats::Judgement& judgement) {
  using Kind = stats::End::Kind;
  if (!judgement.interval) return std::nullopt;
  const auto& [lower, upper] = *judgement.interval;
  if (lower.kind != Kind::value || upper.kind != Kind::value) return std::nullopt;
  return static_cast<double>(upper.value) - static_cast<double>(lower.value);
}

bool is_narrow(const ThresholdResult& figure, const scenario::Stopping::Precision& wanted) {
  const std::optional<double> width = width_of(figure.judgement);
  if (!width) return false;
  if (!wanted.relative) return *width <= static_cast<double>(figure.threshold.value);
  if (!figure.judgement.estimate) return false;
  const double share = static_cast<double>(wanted.relative->numerator) /
                       static_cast<double>(wanted.relative->denominator);
  return *width <= share * static_cast<double>(*figure.judgement.estimate);
}

std::size_t undecided(const scenario::Scenario& scenario,
                      const std::vector<stats::Samples>& metrics,
                      std::uint64_t runs) {
  if (scenario.stopping->precision) {
    const auto& wanted = *scenario.stopping->precision;
    return is_narrow(judged(scenario, wanted.figure, metrics, alpha_after(scenario, runs)), wanted)
               ? 0
               : 1;
  }
  const std::vector<ThresholdResult> all = judge_thresholds(scenario, metrics, runs);
  return static_cast<std::size_t>(std::count_if(
      all.begin(), all.end(),
      [](const ThresholdResult& one) { return stats::may_change(one.judgement, one.threshold); }));
}

bool has_failed_for_good(const ThresholdResult& result) {
  return result.judgement.verdict == stats::Verdict::fail &&
         !stats::may_change(result.judgement, result.threshold);
}

bool any_aborts(const scenario::Scenario& scenario,
                const std::vector<stats::Samples>& metrics,
                std::uint64_t runs) {
  const double alpha = alpha_after(scenario, runs);
  return std::any_of(scenario.thresholds.begin(), scenario.thresholds.end(),
                     [&](const scenario::Threshold& threshold) {
                       return threshold.abort_on_fail &&
                              has_failed_for_good(judged(scenario, threshold, metrics, alpha));
                     });
}

using Aggregation = scenario::Threshold::Aggregation;

bool is_extreme(const scenario::Threshold& threshold) {
  return threshold.aggregation == Aggregation::min || threshold.aggregation == Aggregation::max;
}

bool is_total(const scenario::Threshold& threshold) {
  return threshold.aggregation == Aggregation::count || threshold.aggregation == Aggregation::sum;
}

// What one block says of the largest and least is said of all; totals need all samples.
bool is_broken(const scenario::Scenario& scenario,
               const scenario::Threshold& threshold,
               const CampaignResult& before,
               const CampaignResult& block) {
  if (is_extreme(threshold)) return has_failed_for_good(judged(scenario, threshold, block.metrics));
  const auto metric = static_cast<std::size_t>(threshold.metric);
  std::vector<stats::Samples> all = block.metrics;
  all[metric] = before.metrics[metric];
  all[metric].append(block.metrics[metric]);
  return has_failed_for_good(judged(scenario, threshold, all));
}

}  // namespace

std::function<bool(const CampaignResult& before, const CampaignResult& block)> aborts_of(
    const scenario::Scenario& scenario) {
  const bool any = std::any_of(
      scenario.thresholds.begin(), scenario.thresholds.end(), [](const auto& threshold) {
        return threshold.abort_on_fail && (is_extreme(threshold) || is_total(threshold));
      });
  if (!any) return {};
  const auto kept = std::make_shared<const scenario::Scenario>(scenario);
  return [kept](const CampaignResult& before, const CampaignResult& block) {
    return std::any_of(kept->thresholds.begin(), kept->thresholds.end(),
                       [&](const scenario::Threshold& threshold) {
                         const bool is_fact = is_extreme(threshold) || is_total(threshold);
                         return threshold.abort_on_fail && is_fact &&
                                is_broken(*kept, threshold, before, block);
                       });
  };
}

double alpha_after(const scenario::Scenario& scenario, std::uint64_t runs) {
  if (!scenario.stopping) return stats::usual_alpha;
  const auto looks = stats::looks_up_to(scenario.runs, scenario.stopping->looks);
  return stats::alpha_of_look(stats::number_of_look(looks, runs));
}

std::optional<Stopping> stopping_of(const scenario::Scenario& scenario) {
  if (!scenario.stopping) return std::nullopt;
  Stopping stopping;
  stopping.looks = stats::looks_up_to(scenario.runs, scenario.stopping->looks);
  const auto kept = std::make_shared<const scenario::Scenario>(scenario);
  stopping.look = [kept](const CampaignResult& so_far) {
    return Look{so_far.runs, alpha_after(*kept, so_far.runs),
                undecided(*kept, so_far.metrics, so_far.runs),
                any_aborts(*kept, so_far.metrics, so_far.runs)};
  };
  return stopping;
}

}  // namespace tenure::run
