// What the alert rules of a scenario did in its runs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tenure/base/oracle.hpp>
#include <tenure/run/scrape.hpp>
#include <tenure/scenario/scenario.hpp>
#include <tenure/stats/sample.hpp>
#include <tenure/world/setup.hpp>

namespace tenure::run {

// The rules of a scenario, ready to be evaluated; the same for all runs.
struct AlertPlan {
  scenario::Alerts alerts;
  std::vector<alert::RuleGroup> groups;
  std::vector<std::string> names;     // of the alerts that something is expected of
  std::vector<std::size_t> alert_of;  // by expectation: its place in `names`
  std::vector<std::optional<std::uint32_t>> fault_of;  // by expectation
  std::string lease_name;
  TrueTime warmup{};
};
std::shared_ptr<const AlertPlan> alert_plan_of(const scenario::Scenario& scenario);

// From one evaluation on and until another one an alert fires, whatever its labels.
struct Episode {
  alert::Millis begin = 0;
  std::optional<alert::Millis> end;  // none: it fires as the run ends
};

// Of one expectation in one run.
struct AlertObservation {
  struct Delay {
    Duration time{};  // from when it is expected to the first evaluation at which it fires
    std::uint32_t fault = 0;
    bool missed = false;  // it did not fire; the time is a lower bound
  };
  std::vector<Delay> delays;
  std::uint64_t false_alarms = 0;
  bool exercised = false;            // it could have been disappointed
  std::optional<TrueTime> violated;  // when it was
};

// The phases of one run: when targets are scraped, and when rules are evaluated.
Scraper::Plan scraper_plan(const AlertPlan& plan, const world::Setup& setup, Oracle& oracle);
alert::Millis first_evaluation(const AlertPlan& plan, Oracle& oracle);

// Hears one run, and judges it.
class AlertWatch final : public record::Recorder {
 public:
  AlertWatch(const AlertPlan& plan, const world::Setup& setup, Oracle& oracle);

  void on(const record::Record& record) override;

  // The run is over at `at`: the rules are evaluated.
  void end(TrueTime at);

  const std::vector<ScrapedSeries>& series() const { return scraper_.series(); }
  const std::vector<Episode>& episodes(std::size_t alert) const { return episodes_[alert]; }
  AlertObservation observed(std::size_t expectation) const;
  // The first evaluation that failed, in words; empty: none did.
  const std::string& failure() const { return failure_; }

 private:
  struct Begin {
    std::uint32_t fault = 0;
    TrueTime at{};
  };
  // In which an alert is expected to begin, or not to fire.
  struct Window {
    TrueTime begin{};
    TrueTime end{};
    std::uint32_t fault = 0;
    bool is_whole = true;  // the run does not end before it
  };

  void note(alert::Millis at, const std::vector<alert::GroupState>& groups);
  std::vector<Window> windows(std::size_t expectation) const;
  // The first evaluation in the window at which the alert fires.
  std::optional<TrueTime> fires_in(std::size_t alert, const Window& window) const;
  bool is_false_alarm(std::size_t expectation, const Episode& episode) const;

  const AlertPlan* plan_;
  Scraper scraper_;
  alert::Millis first_evaluation_;
  std::vector<Begin> begins_;
  std::vector<std::vector<Episode>> episodes_;  // by AlertPlan::names
  TrueTime end_{};
  std::string failure_;
};

// Of one expectation in all runs.
struct AlertTally {
  std::uint64_t violated_runs = 0;
  std::uint64_t exercised_runs = 0;
  std::uint64_t firing_runs = 0;  // in which it fired as expected at least once
  std::uint64_t missed = 0;       // expected firings that did not come
  std::uint64_t false_alarms = 0;
  std::optional<std::uint64_t> first_violating;
  TrueTime violated_at{};
  stats::Samples delays{stats::Unit::nanosecond};

  void add(std::uint64_t run, const AlertObservation& observation);
  void append(const AlertTally& later);
};

// The first evaluation of a rule that failed in any run.
struct AlertFailure {
  std::uint64_t run = 0;
  std::string text;
};

}  // namespace tenure::run
