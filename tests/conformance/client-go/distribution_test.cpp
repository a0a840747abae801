// Whole elections: how long it takes until somebody else leads, and how long the old leader goes
// on, in client-go and in our runs of the same model. Not event by event but as distributions.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tenure/base/variant.hpp>
#include <tenure/run/result.hpp>
#include <tenure/run/run.hpp>
#include <tenure/scenario/build.hpp>
#include <tenure/scenario/document.hpp>
#include <tenure/scenario/scenario.hpp>

#include "packed.hpp"

namespace tenure::conformance {
namespace {

// Few enough for a build with sanitizers; the variable asks for more.
std::uint64_t own_runs() {
  const char* asked = std::getenv("TENURE_OWN_RUNS");
  return asked != nullptr ? std::stoull(asked) : 5000;
}

// The two-sample Kolmogorov-Smirnov statistic: the largest distance of the two empirical
// distribution functions.
double distance(std::vector<std::int64_t> a, std::vector<std::int64_t> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  double largest = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const std::int64_t value = std::min(a[i], b[j]);
    while (i < a.size() && a[i] == value) ++i;
    while (j < b.size() && b[j] == value) ++j;
    const double share_a = static_cast<double>(i) / static_cast<double>(a.size());
    const double share_b = static_cast<double>(j) / static_cast<double>(b.size());
    largest = std::max(largest, std::abs(share_a - share_b));
  }
  return largest;
}

// Samples that are not committed, in the folder that the variable names.
const char* fresh_samples() {
  return std::getenv("TENURE_SAMPLES");
}

// Above it the two differ at the level 1 %, of fresh samples 0.1 % (asymptotic, sqrt(-ln(level / 2)
// / 2)): whoever tries often meets one in a hundred.
double critical(std::size_t n, std::size_t m) {
  const double factor = fresh_samples() == nullptr ? 1.6276 : 1.9495;
  const auto a = static_cast<double>(n);
  const auto b = static_cast<double>(m);
  return factor * std::sqrt((a + b) / (a * b));
}

struct Elections {
  std::vector<std::int64_t> next;  // from the fault until somebody else leads
  std::vector<std::int64_t> stop;  // until the old leader's belief ends
};

// Hears one run.
class Listener final : public record::Recorder {
 public:
  explicit Listener(Elections& elections) : elections_(&elections) {}

  void on(const record::Record& record) override {
    std::visit(overloaded{[&](const record::FaultBegan&) { fault_ = record.at; },
                          [&](const record::LeadershipBegan& began) {
                            if (began.level == record::Level::context)
                              this->began(record.at, began.who);
                          },
                          [&](const record::LeadershipEnded& ended) {
                            if (ended.level == record::Level::context)
                              this->ended(record.at, ended.who);
                          },
                          [](const auto&) {}},
               record.fact);
  }

 private:
  void began(TrueTime at, record::Incarnation who) {
    if (fault_ && !led_again_) {
      led_again_ = true;
      elections_->next.push_back((at - *fault_).count());
    }
    if (!fault_) leader_ = who;
  }

  void ended(TrueTime at, record::Incarnation who) {
    if (fault_ && leader_ == who) elections_->stop.push_back((at - *fault_).count());
  }

  Elections* elections_;
  std::optional<TrueTime> fault_;
  std::optional<record::Incarnation> leader_;
  bool led_again_ = false;
};

// The recorder's model (recorder/samples.go): three candidates that start within two seconds, 4 ms
// there and back, the lock's client with its time limit of 5 s, and one fault in the second minute.
run::Experiment experiment(const std::string& fault, bool releases) {
  const std::string text = fmt::format(R"(apiVersion: tenure/v1alpha1
kind: Scenario
metadata: {{name: samples}}
spec:
  duration: 3m
  warmup: 30s
  runs: {}
  seed: 7
  cluster:
    latency: {{read: 4ms, write: 4ms}}
  candidates:
    - name: web
      replicas: 3
      start: {{uniform: [0s, 2s]}}
      elector:
        type: client-go
        leaseDuration: 15s
        renewDeadline: 10s
        retryPeriod: 2s
        releaseOnCancel: {}
        requestTimeout: 5s
      restart: {{policy: Never}}
  faults:
    - {{name: fault, at: {{uniform: [60s, 120s]}}, {}}}
)",
                                       own_runs(), releases, fault);
  Diagnostics diagnostics;
  const auto documents =
      scenario::parse_documents("samples.yaml", text, scenario::Format::yaml, diagnostics);
  REQUIRE(documents.size() == 1);
  const auto decoded = scenario::decode(documents.front(), diagnostics);
  for (const Diagnostic& each : diagnostics.all()) MESSAGE(each.text);
  REQUIRE(decoded.has_value());
  return run::experiment_of(*decoded);
}

Elections our_runs(const std::string& fault, bool releases) {
  const run::Experiment experiment = conformance::experiment(fault, releases);
  run::Runner runner{experiment};
  Elections elections;
  for (std::uint64_t number = 0; number < own_runs(); ++number) {
    SeededOracle oracle{experiment.seed, number};
    Listener listener{elections};
    runner.run(oracle, &listener);
  }
  return elections;
}

void compare(const char* what,
             const char* quantity,
             const std::vector<std::int64_t>& theirs,
             const std::vector<std::int64_t>& ours) {
  INFO(std::string{quantity});
  REQUIRE(theirs.size() >= 100);
  REQUIRE(ours.size() == own_runs());
  const double found = distance(theirs, ours);
  const double most = critical(theirs.size(), ours.size());
  fmt::print("{:18} {}: distance {:.4f}, critical {:.4f}\n", what, quantity, found, most);
  CHECK(found < most);
}

void judge_distribution(const char* what, const std::string& fault, bool releases, bool stops) {
  INFO(std::string{what});
  const std::filesystem::path folder =
      fresh_samples() != nullptr ? fresh_samples() : client_go_folder / "samples";
  const auto file = folder / fmt::format("{}.json.gz", what);
  const auto recorded = nlohmann::json::parse(read_packed(file));
  const Elections ours = our_runs(fault, releases);
  compare(what, "next leader", recorded.at("next"), ours.next);
  if (stops) compare(what, "old leader stops", recorded.at("stop"), ours.stop);
}

}  // namespace

TEST_CASE("after a leader's crash the next leader comes as late as with client-go") {
  judge_distribution("crash", "type: crash, target: leader", false, false);
}

TEST_CASE("an isolated leader stops, and another begins, as late as with client-go") {
  judge_distribution("isolation", "type: partition, target: leader", false, true);
}

TEST_CASE("an isolated leader that releases stops as late as client-go's") {
  judge_distribution("isolation-release", "type: partition, target: leader", true, true);
}

TEST_CASE("after an outage of the API of 20 s the next leader comes as late as with client-go") {
  judge_distribution("outage", "type: apiOutage, mode: refuse, duration: 20s", false, true);
}

}  // namespace tenure::conformance
