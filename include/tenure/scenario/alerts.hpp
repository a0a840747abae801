// Alert rules of a scenario: how its candidates are scraped, which rules a Prometheus server
// evaluates, and what is expected of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenure/alert/evaluate.hpp>
#include <tenure/alert/rule.hpp>
#include <tenure/base/diagnostics.hpp>
#include <tenure/base/time.hpp>

namespace tenure::scenario {

// A rule as its file has it; one of `alert` and `record` is empty.
struct AlertRule {
  using Texts = std::vector<std::pair<std::string, std::string>>;

  std::string alert;
  std::string record;
  std::string expr;
  Duration hold{};  // `for`
  Duration keep_firing_for{};
  Texts labels;
  Texts annotations;

  friend bool operator==(const AlertRule&, const AlertRule&) = default;
};

struct AlertGroup {
  std::string name;
  std::vector<AlertRule> rules;

  friend bool operator==(const AlertGroup&, const AlertGroup&) = default;
};

struct AlertExpectation {
  enum class Fires : std::uint8_t { always, never, sometimes, any };

  std::string alert;
  Fires fires = Fires::always;
  std::optional<Duration> within;  // none: until the run ends
  std::string after;               // a fault; empty: from the warm-up on
  Position where;

  // Where it stood is not part of what it says.
  friend bool operator==(const AlertExpectation& a, const AlertExpectation& b) {
    return a.alert == b.alert && a.fires == b.fires && a.within == b.within && a.after == b.after;
  }
};

struct Alerts {
  std::vector<AlertGroup> groups;
  Duration scrape_interval = std::chrono::seconds{15};
  Duration evaluation_interval = std::chrono::seconds{15};
  alert::PrometheusVersion version = alert::PrometheusVersion::v3;
  std::vector<AlertExpectation> expect;

  friend bool operator==(const Alerts&, const Alerts&) = default;
};

std::string_view to_text(AlertExpectation::Fires fires);

// "fires always within 90s after kill"
std::string text_of(const AlertExpectation& expectation);

// The rules as they are evaluated. They were read once before: all of them can be.
std::vector<alert::RuleGroup> rule_groups(const Alerts& alerts);

// A metric that the candidates export.
struct ExportedMetric {
  std::string_view name;
  std::string_view type;  // "gauge", "counter"
  std::string_view meaning;
};
inline constexpr std::string_view up_metric = "up";
inline constexpr std::string_view is_leader_metric = "leader_election_is_leader";
inline constexpr std::string_view transitions_metric = "leader_election_transitions_total";
inline constexpr std::string_view master_status_metric = "leader_election_master_status";
std::span<const ExportedMetric> exported_metrics();

}  // namespace tenure::scenario
