#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/assert.hpp>
#include <tenure/base/text.hpp>
#include <tenure/run/campaign.hpp>
#include <tenure/run/confirm.hpp>
#include <tenure/run/result.hpp>
#include <tenure/scenario/crash_law.hpp>
#include <tenure/stats/summary.hpp>

namespace tenure::run {
namespace {

using namespace std::chrono_literals;
using check::MetricId;
using scenario::Bounds;
using scenario::Need;
using Outcome = Confirmation::Outcome;
using Kind = Need::Kind;
using Model = Need::Model;
using stats::Aggregation;

constexpr std::uint64_t usual_runs = 2000;
constexpr std::uint64_t most_runs = 100'000;

// ---- the scenarios

// What is shared by the runs of all needs. Everything is drawn from its whole cycle, long after the
// followers' beginnings are forgotten: twenty of their retry periods.
struct Stage {
  const Bounds& bounds;
  Duration retry = bounds.input.retry_period;
  Duration cycle = longer(retry, bounds.input.latency);
  Duration opens = std::max<Duration>(retry * 20, 10s);
  Duration settles = longer(bounds.timing->crash.most, bounds.timing->step_down.most);

  std::string at() const {
    return fmt::format("at: {{uniform: [{}, {}]}}", duration_text(opens),
                       duration_text(opens + cycle));
  }
  Duration length(Duration fault) const {
    return opens + cycle + fault + settles + bounds.timing->release_hang + 1s;
  }
};

std::string elector_text(const Bounds& bounds, bool releases) {
  const scenario::BoundsInput& in = bounds.input;
  const auto timeout = bounds.timing->request_timeout;
  return fmt::format(
      "{{type: client-go, leaseDuration: {}, renewDeadline: {}, retryPeriod: {}, "
      "releaseOnCancel: {}, requestTimeout: {}}}",
      duration_text(in.lease_duration), duration_text(in.renew_deadline),
      duration_text(in.retry_period), releases, timeout ? duration_text(*timeout) : "none");
}

std::string group_text(std::string_view name,
                       std::uint32_t replicas,
                       std::string_view elector,
                       std::string_view fields) {
  return fmt::format(
      "    - name: {}\n      replicas: {}\n      elector: {}\n"
      "      restart: {{policy: Never}}\n{}",
      name, replicas, elector, fields);
}

struct Play {
  std::string candidates;
  std::vector<std::string> faults;
  Duration length{};
  Duration warmup{};
};

std::string alike(const Stage& stage, bool releases) {
  return group_text("web", stage.bounds.input.candidates, elector_text(stage.bounds, releases), "");
}

Play crash(const Stage& stage) {
  return {alike(stage, false), {"type: crash, target: leader, " + stage.at()}, stage.length(0s)};
}

Play steady(const Stage& stage) {
  Play play{alike(stage, false), {}, {}, std::max<Duration>(stage.retry * 10, 10s)};
  play.length = play.warmup + stage.cycle * 100;
  return play;
}

Play outage(const Stage& stage, const Need& need) {
  const Duration lasts{need.amount};
  return {alike(stage, false),
          {fmt::format("type: apiOutage, mode: {}, duration: {}, {}",
                       need.model == Model::hanging ? "hang" : "refuse", duration_text(lasts),
                       stage.at())},
          stage.length(lasts)};
}

// A cut that comes meanwhile has its own instant in the same cycle.
Play pause(const Stage& stage, const Need& need, bool releases) {
  const Duration lasts{need.amount};
  Play play{alike(stage, releases),
            {fmt::format("type: pause, target: leader, duration: {}, {}", duration_text(lasts),
                         stage.at())},
            stage.length(lasts) + stage.bounds.input.renew_deadline};
  if (need.model == Model::cut)
    play.faults.push_back("type: partition, target: leader, " + stage.at());
  return play;
}

// The leader's clock is true, and it leads because it starts first.
Play fast_rivals(const Stage& stage, const Need& need, bool releases) {
  const std::string elector = elector_text(stage.bounds, releases);
  return {
      group_text("leader", 1, elector, "      start: 0s\n") +
          group_text("fast", stage.bounds.input.candidates - 1, elector,
                     fmt::format("      start: {{uniform: [1s, 3s]}}\n      clock: {{rate: {}}}\n",
                                 decimal_text({need.amount, 1'000'000'000}))),
      {"type: partition, target: candidate/leader-0, " + stage.at()},
      stage.length(0s)};
}

Play cut(const Stage& stage, bool releases) {
  return {
      alike(stage, releases), {"type: partition, target: leader, " + stage.at()}, stage.length(0s)};
}

Play stop(const Stage& stage, bool releases) {
  return {
      alike(stage, releases), {"type: terminate, target: leader, " + stage.at()}, stage.length(0s)};
}

Play play_of(const Need& need, const Stage& stage) {
  const bool releases = stage.bounds.input.release_on_cancel.value_or(false);
  switch (need.kind) {
    case Kind::failover:
      return crash(stage);
    case Kind::outage:
      return outage(stage, need);
    case Kind::pause:
      return pause(stage, need, releases);
    case Kind::clock_ratio:
      return fast_rivals(stage, need, releases);
    case Kind::requests:
      return steady(stage);
    case Kind::handover:
      return stop(stage, releases);
    case Kind::margin:
      return cut(stage, releases && need.model == Model::hanging);
  }
  return {};
}

std::string scenario_text(const Play& play,
                          const Bounds& bounds,
                          std::uint64_t runs,
                          std::uint64_t seed) {
  const std::string latency = duration_text(bounds.input.latency);
  std::string out = fmt::format(
      "apiVersion: tenure/v1alpha1\nkind: Scenario\nmetadata:\n  name: advise\nspec:\n"
      "  duration: {}\n  warmup: {}\n  runs: {}\n  seed: {}\n  cluster:\n"
      "    latency: {{read: {}, write: {}}}\n  candidates:\n{}",
      duration_text(play.length), duration_text(play.warmup), runs, seed, latency, latency,
      play.candidates);
  if (!play.faults.empty()) out += "  faults:\n";
  for (const std::string& fault : play.faults) out += fmt::format("    - {{{}}}\n", fault);
  return out;
}

Experiment experiment_from(const std::string& text, bool fast_path) {
  Diagnostics problems;
  const auto documents =
      scenario::parse_documents("<advise>", text, scenario::Format::yaml, problems);
  TENURE_ASSERT(documents.size() == 1, "what is written here is a document");
  auto scenario = scenario::decode(documents.front(), problems);
  TENURE_ASSERT(scenario.has_value(), "and a scenario");
  for (auto& group : scenario->candidates) group.elector.behaviour.fast_path = fast_path;
  return experiment_of(*scenario);
}

// ---- how many runs

// So many that the standard error of what is estimated is a quarter of its distance from what is
// asked.
std::uint64_t runs_for(double variance, double distance) {
  if (distance == 0) return most_runs;
  const double runs = 16 * variance / (distance * distance);
  if (runs >= static_cast<double>(most_runs)) return most_runs;
  return std::max(usual_runs, (static_cast<std::uint64_t>(runs) / 1000 + 1) * 1000);
}

std::uint64_t planned_runs(const Need& need, const Bounds& bounds) {
  if (need.kind != Kind::failover || need.aggregation == Aggregation::max) return usual_runs;
  const scenario::BoundsInput& in = bounds.input;
  const scenario::CrashLaw law{bounds.timing->lease, in.retry_period, in.candidates - 1};
  if (need.aggregation == Aggregation::mean) {
    // The failover's deviation is 0.8 R for one follower and less for more (client-go 9.2).
    const double retry = static_cast<double>(in.retry_period.count());
    const double distance = static_cast<double>(need.amount - law.mean().count()) / retry;
    return runs_for(0.64, distance);
  }
  const double q =
      static_cast<double>(need.quantile.numerator) / static_cast<double>(need.quantile.denominator);
  return runs_for(q * (1 - q), 1 - law.later_than(Duration{need.amount}) - q);
}

// ---- the judgement

// Where the need is kept, runs must show it; where it is not, they may be too lucky.
Outcome never_happened(std::uint64_t bad_runs, bool kept) {
  return kept && bad_runs > 0 ? Outcome::contradicts : Outcome::agrees;
}

const stats::Samples& samples(const CampaignResult& result, MetricId id) {
  return result.metrics[static_cast<std::size_t>(id)];
}

stats::Threshold threshold_of(const Need& need) {
  stats::Threshold threshold;
  threshold.aggregation = need.kind == Kind::requests   ? Aggregation::mean
                          : need.kind == Kind::failover ? need.aggregation
                                                        : Aggregation::max;
  threshold.quantile = need.quantile;
  threshold.comparison = need.strict ? stats::Comparison::less : stats::Comparison::at_most;
  threshold.value = need.amount;
  return threshold;
}

void judge_from_above(const JudgedNeed& judged, const stats::Samples& found, Confirmation& out) {
  const stats::Threshold threshold = threshold_of(judged.need);
  const stats::Ordered ordered{found};
  const stats::Judgement judgement = stats::judge(ordered, threshold);
  out.estimate = judgement.estimate;
  out.interval = judgement.interval;
  const bool is_fact = threshold.aggregation == Aggregation::max;
  switch (judgement.verdict) {
    case stats::Verdict::ok:
      // A worst case need not be met with.
      out.outcome = judged.figure.kept || is_fact ? Outcome::agrees : Outcome::contradicts;
      return;
    case stats::Verdict::fail:
      out.outcome = judged.figure.kept ? Outcome::contradicts : Outcome::agrees;
      return;
    case stats::Verdict::inconclusive:
    case stats::Verdict::not_exercised:
      out.outcome = Outcome::undecided;
  }
}

void judge_margin(const JudgedNeed& judged,
                  const CampaignResult& result,
                  Duration latency,
                  Confirmation& out) {
  // The gap between the two leaders is the only one of a run.
  const stats::Ordered gaps{samples(result, MetricId::gap)};
  out.bad_runs = result.overlapping_runs;
  out.estimate = gaps.at(1);
  const bool is_too_short = out.estimate && *out.estimate + latency.count() < judged.need.amount;
  out.outcome = judged.figure.kept && (result.overlapping_runs > 0 || is_too_short)
                    ? Outcome::contradicts
                    : Outcome::agrees;
}

void judge(const JudgedNeed& judged,
           const CampaignResult& result,
           Duration latency,
           Confirmation& out) {
  switch (judged.need.kind) {
    case Kind::failover:
    case Kind::handover:
      return judge_from_above(judged, samples(result, MetricId::failover), out);
    case Kind::requests:
      return judge_from_above(judged, samples(result, MetricId::api_requests_per_second), out);
    case Kind::outage:
      out.bad_runs = samples(result, MetricId::failover).size();
      break;
    case Kind::pause:
    case Kind::clock_ratio:
      out.bad_runs = result.overlapping_runs;
      break;
    case Kind::margin:
      return judge_margin(judged, result, latency, out);
  }
  out.outcome = never_happened(*out.bad_runs, judged.figure.kept);
}

}  // namespace

std::string_view to_text(Outcome outcome) {
  switch (outcome) {
    case Outcome::agrees:
      return "agrees";
    case Outcome::contradicts:
      return "contradicts";
    case Outcome::undecided:
      return "undecided";
    case Outcome::interrupted:
      return "interrupted";
  }
  return {};
}

JudgedSetting judged_setting(const scenario::Setting& setting,
                             std::span<const Need> needs,
                             const scenario::Terms& terms) {
  JudgedSetting out;
  out.setting = setting;
  out.bounds =
      scenario::bounds_of(scenario::bounds_input(setting, terms, scenario::releases(needs, terms)));
  for (const Need& need : needs) {
    out.needs.push_back({need, scenario::figure_of(need, out.bounds),
                         scenario::formula_of(need, out.bounds), std::nullopt});
  }
  return out;
}

AdviseResult::Answer answer_of(const AdviseResult& result) {
  using Answer = AdviseResult::Answer;
  if (result.conflict) return Answer::conflict;
  const auto any = [](const JudgedSetting& setting, auto is_so) {
    return std::any_of(setting.needs.begin(), setting.needs.end(), is_so);
  };
  const auto came_out = [](Outcome outcome) {
    return [outcome](const JudgedNeed& judged) {
      return judged.confirmation && judged.confirmation->outcome == outcome;
    };
  };
  for (const JudgedSetting& setting : result.settings) {
    if (any(setting, [](const JudgedNeed& judged) { return !judged.figure.kept; }))
      return Answer::not_met;
    if (any(setting, came_out(Outcome::contradicts))) return Answer::not_met;
  }
  const bool is_open = any(result.settings.front(), came_out(Outcome::undecided)) ||
                       any(result.settings.front(), came_out(Outcome::interrupted));
  return is_open ? Answer::inconclusive : Answer::met;
}

std::string_view to_text(AdviseResult::Answer answer) {
  using Answer = AdviseResult::Answer;
  switch (answer) {
    case Answer::met:
      return "met";
    case Answer::not_met:
      return "notMet";
    case Answer::conflict:
      return "conflict";
    case Answer::inconclusive:
      return "inconclusive";
  }
  return {};
}

void confirm(JudgedSetting& setting, const scenario::Terms& terms, const ConfirmOptions& options) {
  const Stage stage{setting.bounds};
  for (JudgedNeed& judged : setting.needs) {
    if (options.stop != nullptr && options.stop->load()) return;
    Confirmation out;
    const std::uint64_t runs = options.runs.value_or(planned_runs(judged.need, setting.bounds));
    out.scenario = scenario_text(play_of(judged.need, stage), setting.bounds, runs, options.seed);
    const Experiment experiment = experiment_from(out.scenario, terms.fast_path);
    CampaignOptions campaign;
    campaign.threads = options.threads;
    campaign.stop = options.stop;
    const CampaignResult result = run_campaign(experiment, campaign);
    TENURE_ASSERT(result.stalled.empty(), "client-go waits between its attempts");
    out.runs = result.runs;
    judge(judged, result, terms.latency, out);
    if (result.interrupted) out.outcome = Outcome::interrupted;
    judged.confirmation = std::move(out);
  }
}

}  // namespace tenure::run
