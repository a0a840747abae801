// What a server scrapes of a run, and what rules make of it.
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/run/alerting.hpp>
#include <tenure/run/campaign.hpp>
#include <tenure/run/result.hpp>
#include <tenure/run/scrape.hpp>

namespace {

using namespace tenure;
using namespace tenure::run;
using namespace std::chrono_literals;

scenario::Scenario decoded(const std::string& text) {
  Diagnostics problems;
  const auto documents =
      scenario::parse_documents("test.yaml", text, scenario::Format::yaml, problems);
  REQUIRE(documents.size() == 1);
  const auto scenario = scenario::decode(documents.front(), problems);
  REQUIRE_MESSAGE(scenario.has_value(), rendered(problems));
  return *scenario;
}

std::string three_pods(std::string_view fault, std::string_view expr, std::string_view expect) {
  return "apiVersion: tenure/v1alpha1\n"
         "kind: Scenario\n"
         "metadata: {name: test}\n"
         "spec:\n"
         "  duration: 3m\n"
         "  runs: 40\n"
         "  candidates:\n"
         "    - {name: web, replicas: 3, elector: {type: client-go}, restart: {policy: Never}}\n"
         "  faults: [" +
         std::string{fault} +
         "]\n"
         "  alerts:\n"
         "    groups: [{name: g, rules: [{alert: A, expr: '" +
         std::string{expr} +
         "', for: 30s}]}]\n"
         "    expect: [" +
         std::string{expect} + "]\n";
}

CampaignResult campaign_of(const scenario::Scenario& scenario) {
  return run_campaign(experiment_of(scenario), {});
}

// The samples of one series in run 0.
std::vector<alert::Sample> samples_of(const scenario::Scenario& scenario,
                                      std::string_view metric,
                                      std::string_view pod) {
  const Experiment experiment = experiment_of(scenario);
  RunOracle answers{experiment, 0};
  AlertWatch watch{*experiment.alerts, *experiment.setup, answers.oracle()};
  Runner runner{experiment};
  runner.run(0, &watch);
  watch.end(TrueTime{experiment.setup->duration});
  for (const ScrapedSeries& series : watch.series()) {
    const bool is_it = series.labels.of("__name__") == metric && series.labels.of("pod") == pod;
    if (is_it) return series.samples;
  }
  return {};
}

const char* const nobody_leads =
    "sum(leader_election_is_leader) == 0 or absent(leader_election_is_leader)";

}  // namespace

TEST_CASE("a target is scraped at its interval, and stale from the scrape on that fails") {
  const auto scenario = decoded(three_pods("{name: gone, type: crash, target: all, at: 60s}",
                                           "up == 0", "{alertname: A, fires: any}"));
  const auto up = samples_of(scenario, "up", "web-0");
  const auto leads = samples_of(scenario, "leader_election_is_leader", "web-0");
  REQUIRE(up.size() == 12);
  CHECK(up[1].at - up[0].at == 15'000);
  for (const alert::Sample& sample : up) {
    if (sample.at > 2'000) CHECK(sample.value == (sample.at < 60'000 ? 1 : 0));
  }
  REQUIRE_FALSE(leads.empty());
  CHECK(leads.back().is_stale);
  CHECK(leads.back().at >= 60'000);
  CHECK(leads.back().at < 75'000);
}

TEST_CASE("exactly one of three candidates says that it leads, in client-go's metric too") {
  const auto scenario = decoded(three_pods("", "up == 0", "{alertname: A, fires: any}"));
  for (const std::string_view metric :
       {"leader_election_is_leader", "leader_election_master_status"}) {
    double leaders = 0;
    for (const std::string_view pod : {"web-0", "web-1", "web-2"})
      leaders += samples_of(scenario, metric, pod).back().value;
    CHECK(leaders == 1);
  }
}

TEST_CASE("an outage of the API server does not keep anybody from being scraped, a cut does") {
  const auto lost = [](std::string_view fault) {
    const auto scenario = decoded(three_pods(fault, "up == 0", "{alertname: A, fires: any}"));
    int zeros = 0;
    for (const std::string_view pod : {"web-0", "web-1", "web-2"}) {
      for (const alert::Sample& sample : samples_of(scenario, "up", pod))
        zeros += sample.at > 60'000 && sample.value == 0 ? 1 : 0;
    }
    return zeros;
  };
  CHECK(lost("{name: out, type: apiOutage, target: apiserver, at: 60s, duration: 8s}") == 0);
  CHECK(lost("{name: cut, type: partition, target: candidate/web-0, at: 60s, duration: 60s}") == 4);
  CHECK(lost("{name: gc, type: pause, target: candidate/web-0, at: 60s, duration: 30s}") == 2);
}

TEST_CASE("an alert is late by at most scrape, evaluation and `for`") {
  const CampaignResult result = campaign_of(
      decoded(three_pods("{name: gone, type: crash, target: all, at: {uniform: [60s, 90s]}}",
                         nobody_leads, "{alertname: A, fires: always, within: 60s, after: gone}")));
  const AlertTally& tally = result.alerts.at(0);
  CHECK(tally.violated_runs == 0);
  CHECK(tally.exercised_runs == 40);
  CHECK(tally.false_alarms == 0);
  REQUIRE(tally.delays.size() == 40);
  for (const std::int64_t delay : tally.delays.values()) {
    CHECK(Duration{delay} >= 30s);
    CHECK(Duration{delay} <= 60s);
  }
}

TEST_CASE("an expectation that is disappointed says when, and counts what was missed") {
  const CampaignResult result = campaign_of(decoded(three_pods(
      "{name: gone, type: crash, target: all, at: 60s}", "sum(leader_election_is_leader) == 0",
      "{alertname: A, fires: always, within: 60s, after: gone}, "
      "{alertname: A, fires: never, after: gone}, "
      "{alertname: A, fires: always, within: 10m, after: gone}")));
  CHECK(result.alerts[0].violated_runs == 40);
  CHECK(result.alerts[0].missed == 40);
  CHECK(result.alerts[0].violated_at == TrueTime{120s});
  CHECK(result.alerts[1].violated_runs == 0);
  // Ten minutes are longer than the run.
  CHECK(result.alerts[2].exercised_runs == 0);
}

TEST_CASE("alerts change nothing of the runs they watch, and threads nothing of the alerts") {
  auto scenario =
      decoded(three_pods("{name: gone, type: crash, target: leader, at: {uniform: [60s, 90s]}}",
                         nobody_leads, "{alertname: A, fires: any}"));
  scenario.runs = 600;
  const Experiment experiment = experiment_of(scenario);
  CampaignOptions two;
  two.threads = 2;
  const CampaignResult one = run_campaign(experiment, {});
  CHECK(run_campaign(experiment, two).alerts.at(0).delays == one.alerts.at(0).delays);
  scenario.alerts.reset();
  CHECK(campaign_of(scenario).run_hash == one.run_hash);
}
