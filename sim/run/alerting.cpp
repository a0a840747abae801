#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <tenure/run/alerting.hpp>

namespace tenure::run {
namespace {

using Fires = scenario::AlertExpectation::Fires;

alert::Millis millis(Duration duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

TrueTime instant(alert::Millis at) {
  return TrueTime{std::chrono::milliseconds{at}};
}

std::uint64_t draw(Oracle& oracle, const std::string& stream, alert::Millis bound) {
  return oracle.pick({stream_named(stream), 0}, static_cast<std::uint64_t>(bound - 1));
}

bool is_firing(const std::vector<alert::RuleGroup>& groups,
               const std::vector<alert::GroupState>& states,
               const std::string& name) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::size_t r = 0; r < groups[g].rules.size(); ++r) {
      const auto* rule = std::get_if<alert::AlertingRule>(&groups[g].rules[r]);
      if (rule == nullptr || rule->name != name) continue;
      const auto& alerts = states[g].alerts(r);
      if (std::any_of(alerts.begin(), alerts.end(),
                      [](const alert::Alert& a) { return a.is_firing; }))
        return true;
    }
  }
  return false;
}

// Scraped samples in the order of time, handed over as the evaluations need them.
class Feed {
 public:
  explicit Feed(const std::vector<ScrapedSeries>& series)
      : series_(&series), next_(series.size()) {}

  void hand_over(alert::Millis until, alert::SeriesStore& store) {
    for (std::size_t i = 0; i < series_->size(); ++i) {
      const ScrapedSeries& series = (*series_)[i];
      for (; next_[i] < series.samples.size() && series.samples[next_[i]].at <= until; ++next_[i]) {
        store.append(series.labels, series.samples[next_[i]]);
      }
    }
  }

 private:
  const std::vector<ScrapedSeries>* series_;
  std::vector<std::size_t> next_;
};

std::string failure_in(const std::vector<alert::RuleGroup>& groups,
                       const std::vector<alert::GroupState>& states) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::size_t r = 0; r < groups[g].rules.size(); ++r) {
      if (states[g].failure(r).empty()) continue;
      const std::string& name = std::visit(
          [](const auto& rule) -> const std::string& { return rule.name; }, groups[g].rules[r]);
      return fmt::format("{}: {}", name, states[g].failure(r));
    }
  }
  return {};
}

}  // namespace

std::shared_ptr<const AlertPlan> alert_plan_of(const scenario::Scenario& scenario) {
  if (!scenario.alerts) return nullptr;
  auto plan = std::make_shared<AlertPlan>();
  plan->alerts = *scenario.alerts;
  plan->groups = scenario::rule_groups(*scenario.alerts);
  plan->lease_name = scenario.lease.name;
  plan->warmup = TrueTime{scenario.warmup};
  for (const scenario::AlertExpectation& expectation : scenario.alerts->expect) {
    const auto known = std::find(plan->names.begin(), plan->names.end(), expectation.alert);
    plan->alert_of.push_back(static_cast<std::size_t>(known - plan->names.begin()));
    if (known == plan->names.end()) plan->names.push_back(expectation.alert);
    std::optional<std::uint32_t>& fault = plan->fault_of.emplace_back();
    for (std::uint32_t i = 0; i < scenario.faults.size(); ++i) {
      if (scenario.faults[i].name == expectation.after) fault = i;
    }
  }
  return plan;
}

Scraper::Plan scraper_plan(const AlertPlan& plan, const world::Setup& setup, Oracle& oracle) {
  Scraper::Plan out{millis(plan.alerts.scrape_interval), {}, plan.lease_name};
  for (const world::ProcessSetup& process : setup.processes) {
    out.phases.push_back(static_cast<alert::Millis>(
        draw(oracle, fmt::format("alert/scrape/{}", process.name), out.interval)));
  }
  return out;
}

// The server has been there before the run: its last evaluation before it, or at its begin, is the
// first one that counts, and finds nothing.
alert::Millis first_evaluation(const AlertPlan& plan, Oracle& oracle) {
  return -static_cast<alert::Millis>(
      draw(oracle, "alert/evaluation", millis(plan.alerts.evaluation_interval)));
}

AlertWatch::AlertWatch(const AlertPlan& plan, const world::Setup& setup, Oracle& oracle)
    : plan_(&plan),
      scraper_(setup, scraper_plan(plan, setup, oracle)),
      first_evaluation_(run::first_evaluation(plan, oracle)),
      episodes_(plan.names.size()) {}

void AlertWatch::on(const record::Record& record) {
  scraper_.on(record);
  if (const auto* began = std::get_if<record::FaultBegan>(&record.fact))
    begins_.push_back({began->fault.value, record.at});
}

void AlertWatch::end(TrueTime at) {
  end_ = at;
  scraper_.end(at);
  std::vector<alert::GroupState> states;
  for (const alert::RuleGroup& group : plan_->groups)
    states.emplace_back(group, plan_->alerts.version);
  alert::SeriesStore store;
  Feed feed{scraper_.series()};
  const alert::Millis interval = millis(plan_->alerts.evaluation_interval);
  for (alert::Millis now = first_evaluation_; instant(now) <= at; now += interval) {
    feed.hand_over(now, store);
    for (alert::GroupState& group : states) group.evaluate(store, now);
    if (failure_.empty()) failure_ = failure_in(plan_->groups, states);
    note(now, states);
  }
}

void AlertWatch::note(alert::Millis at, const std::vector<alert::GroupState>& groups) {
  for (std::size_t i = 0; i < plan_->names.size(); ++i) {
    std::vector<Episode>& episodes = episodes_[i];
    const bool was_firing = !episodes.empty() && !episodes.back().end;
    const bool fires = is_firing(plan_->groups, groups, plan_->names[i]);
    if (fires && !was_firing) episodes.push_back({at, std::nullopt});
    if (!fires && was_firing) episodes.back().end = at;
  }
}

std::vector<AlertWatch::Window> AlertWatch::windows(std::size_t expectation) const {
  const std::optional<Duration>& within = plan_->alerts.expect[expectation].within;
  const std::optional<std::uint32_t>& fault = plan_->fault_of[expectation];
  std::vector<Window> out;
  const auto add = [&](TrueTime begin, std::uint32_t of) {
    const TrueTime end = within ? later(begin, *within) : end_;
    if (begin >= plan_->warmup) out.push_back({begin, std::min(end, end_), of, end <= end_});
  };
  if (!fault) add(plan_->warmup, 0);
  for (const Begin& begin : begins_) {
    if (fault && begin.fault == *fault) add(begin.at, begin.fault);
  }
  return out;
}

std::optional<TrueTime> AlertWatch::fires_in(std::size_t alert, const Window& window) const {
  const alert::Millis interval = millis(plan_->alerts.evaluation_interval);
  // The first evaluation that is not before the window.
  const alert::Millis since = millis(window.begin.time_since_epoch()) - first_evaluation_;
  alert::Millis first = first_evaluation_ + since / interval * interval;
  while (instant(first) < window.begin) first += interval;
  for (const Episode& episode : episodes_[alert]) {
    const alert::Millis at = std::max(episode.begin, first);
    const bool fires_then = !episode.end || *episode.end > at;
    if (fires_then && instant(at) <= window.end) return instant(at);
  }
  return std::nullopt;
}

bool AlertWatch::is_false_alarm(std::size_t expectation, const Episode& episode) const {
  const TrueTime at = instant(episode.begin);
  if (at < plan_->warmup) return false;
  const std::vector<Window> expected = windows(expectation);
  const bool is_in = std::any_of(expected.begin(), expected.end(), [at](const Window& window) {
    return window.begin <= at && at <= window.end;
  });
  if (plan_->alerts.expect[expectation].fires == Fires::never) return is_in;
  if (plan_->fault_of[expectation]) return !is_in;
  return std::none_of(begins_.begin(), begins_.end(),
                      [at](const Begin& begin) { return begin.at <= at; });
}

AlertObservation AlertWatch::observed(std::size_t expectation) const {
  AlertObservation out;
  const Fires fires = plan_->alerts.expect[expectation].fires;
  const std::size_t alert = plan_->alert_of[expectation];
  for (const Window& window : windows(expectation)) {
    const std::optional<TrueTime> at = fires_in(alert, window);
    out.exercised = out.exercised || window.is_whole || at.has_value();
    if (fires == Fires::never) {
      if (at && !out.violated) out.violated = at;
      continue;
    }
    if (at) {
      out.delays.push_back({*at - window.begin, window.fault, false});
    } else if (window.is_whole) {
      out.delays.push_back({window.end - window.begin, window.fault, true});
      if (fires == Fires::always && !out.violated) out.violated = window.end;
    }
  }
  for (const Episode& episode : episodes_[alert]) {
    if (is_false_alarm(expectation, episode)) ++out.false_alarms;
  }
  return out;
}

void AlertTally::add(std::uint64_t run, const AlertObservation& observation) {
  for (const AlertObservation::Delay& delay : observation.delays) {
    delays.add({delay.time.count(), run, delay.fault, delay.missed});
    if (delay.missed) ++missed;
  }
  const bool fired =
      std::any_of(observation.delays.begin(), observation.delays.end(),
                  [](const AlertObservation::Delay& delay) { return !delay.missed; });
  if (fired) ++firing_runs;
  if (observation.exercised) ++exercised_runs;
  false_alarms += observation.false_alarms;
  if (!observation.violated) return;
  ++violated_runs;
  if (first_violating) return;
  first_violating = run;
  violated_at = *observation.violated;
}

void AlertTally::append(const AlertTally& later) {
  violated_runs += later.violated_runs;
  exercised_runs += later.exercised_runs;
  firing_runs += later.firing_runs;
  missed += later.missed;
  false_alarms += later.false_alarms;
  delays.append(later.delays);
  if (first_violating) return;
  first_violating = later.first_violating;
  violated_at = later.violated_at;
}

}  // namespace tenure::run
