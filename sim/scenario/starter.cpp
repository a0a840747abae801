#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/assert.hpp>
#include <tenure/base/text.hpp>
#include <tenure/scenario/bounds.hpp>
#include <tenure/scenario/names.hpp>
#include <tenure/scenario/starter.hpp>

namespace tenure::scenario {
namespace {

using namespace std::chrono_literals;

constexpr Duration read_latency = 3ms;
constexpr Duration write_latency = 5ms;
constexpr Duration restart_delay = 10s;
constexpr std::int64_t periods = 5;

Duration rounded_up(Duration duration, Duration step) {
  return (duration + step - Duration{1}) / step * step;
}

// What the parts of one starter share.
struct Plan {
  const Preset& preset;
  Timing timing;
  Duration period;      // from one renewal to the next
  Duration opens;       // the fault happens from here ...
  Duration closes;      // ... to here
  Duration slowest;     // the longest failover after a crash
  Duration margin;      // L - D - R, less what a release that hangs adds
  bool keeps_identity;  // a process that is started again has the identity of the one before
};

// A container that is started again has the host name, or the node name, of the one before it; a
// pod that was deleted comes back under another name and on another node.
bool keeps_identity(const Preset& preset, std::string_view fault) {
  return preset.identity != IdentityRule::host_and_uuid && fault != "terminate" && fault != "drain";
}

Plan plan_of(const Preset& preset, std::string_view fault) {
  std::optional<BoundsInput> input = bounds_input(preset);
  TENURE_ASSERT(input.has_value(), "only presets of client-go have a starter");
  input->latency = write_latency;
  const Bounds bounds = bounds_of(*input);
  TENURE_ASSERT(bounds.timing.has_value(), "a shipped preset is a valid configuration");
  const Duration period = preset.retry_period + write_latency;
  // Twenty retry periods after the start nothing is left of how the followers began.
  const Duration opens = std::max<Duration>(60s, rounded_up(20 * preset.retry_period, 10s));
  return {preset,
          *bounds.timing,
          period,
          opens,
          opens + periods * period,
          bounds.timing->crash.most,
          bounds.timing->margin - bounds.timing->release_hang,
          keeps_identity(preset, fault)};
}

// A part of spec.faults, spec.properties and spec.thresholds, and why.
struct Part {
  std::string title;                    // of the scenario's description
  std::vector<std::string> comments;    // above the fault
  std::vector<std::string> fields;      // of the fault, behind name, type, target and at
  std::vector<std::string> properties;  // list items
  std::vector<std::string> thresholds;  // map entries
  Duration lasts{};                     // of the fault
};

std::vector<std::string> safety(std::string_view belief, bool record = true) {
  std::vector<std::string> out{"leaseSafety"};
  if (record) out.emplace_back("leaseRecord");
  out.emplace_back(belief);
  out.emplace_back("validLeader");
  return out;
}

std::string threshold(std::string_view metric,
                      std::vector<std::string> statements,
                      std::string_view why) {
  std::string quoted_statements;
  for (const std::string& s : statements) {
    quoted_statements += fmt::format("{}\"{}\"", quoted_statements.empty() ? "" : ", ", s);
  }
  return fmt::format("{}: [{}]{}", metric, quoted_statements,
                     why.empty() ? "" : fmt::format("  # {}", why));
}

// The least time to the next leader when the old one is gone without a release.
Duration least_failover(const Plan& plan) {
  return plan.keeps_identity ? std::min(plan.timing.crash.least, restart_delay)
                             : plan.timing.crash.least;
}

std::string crash_law(const Plan& plan) {
  return plan.keeps_identity && restart_delay < plan.timing.crash.least
             ? "the restart under the same identity .. L + 4.4 R, plus latency"
             : "L - R .. L + 4.4 R, plus latency";
}

void expect_takeover(const Plan& plan, Part& part) {
  part.properties.emplace_back("{name: boundedFailover, within: bound}");
  part.properties.emplace_back("eventualStability");
  std::vector<std::string> failover{fmt::format("min >= {}", seconds_text(least_failover(plan))),
                                    fmt::format("max <= {}", seconds_text(plan.timing.crash.most))};
  // The p99 of three candidates lies at L + 2.3 R where L is at least 5 R; a few hundred runs tell
  // it from L + 3 R.
  if (plan.timing.lease >= 5 * plan.preset.retry_period && !plan.keeps_identity) {
    failover.insert(
        failover.begin(),
        fmt::format("p(99) < {}", seconds_text(plan.timing.lease + 3 * plan.preset.retry_period)));
  }
  part.thresholds.push_back(threshold("failover", failover, crash_law(plan)));
}

Part steady(const Plan& plan) {
  Part part;
  part.title = "nothing fails";
  part.properties = safety("{name: beliefSafety, allowVacuous: true}");
  part.properties[1] = "{name: leaseRecord, allowVacuous: true}";
  part.properties.emplace_back("eventualStability");
  const double most = static_cast<double>(plan.preset.replicas) /
                      std::chrono::duration<double>(plan.preset.retry_period).count();
  part.thresholds = {threshold("transitions", {"max <= 0"}, "the leader is never lost"),
                     threshold("api.requestsPerSecond", {fmt::format("avg <= {:.4g}/s", most)},
                               "nobody asks more often than every retryPeriod")};
  return part;
}

Part crash(const Plan& plan) {
  Part part;
  part.title = "the leader's process is killed";
  part.comments = {"Nobody is told: followers must see the record unchanged for leaseDuration."};
  part.properties = safety("beliefSafety");
  // Started again under its identity it leads on, and the holder may never change.
  if (plan.keeps_identity) part.properties[1] = "{name: leaseRecord, allowVacuous: true}";
  expect_takeover(plan, part);
  part.thresholds.push_back(threshold("transitions", {"max <= 1"}, "one change of holder"));
  return part;
}

void stopped_gracefully(const Plan& plan, Part& part) {
  part.properties = safety("beliefSafety");
  if (!plan.preset.release_on_cancel) {
    part.comments.emplace_back("releaseOnCancel is off, so that the others see a crash.");
    expect_takeover(plan, part);
    return;
  }
  part.comments.emplace_back(
      "The Lease is released, but nobody is told: followers find it at their next poll.");
  part.properties.emplace_back("{name: boundedFailover, within: bound}");
  part.properties.emplace_back("eventualStability");
  // The leader's own GET and UPDATE come before the release, and an attempt that is under way may
  // have to end first.
  const Duration most = plan.timing.release.most + 4 * write_latency;
  part.thresholds.push_back(threshold("failover", {fmt::format("max <= {}", seconds_text(most))},
                                      "a poll, at most 2.2 R, plus latency"));
}

Part terminate(const Plan& plan) {
  Part part;
  part.title = "the leader gets SIGTERM";
  stopped_gracefully(plan, part);
  return part;
}

Part drain(const Plan& plan) {
  Part part;
  part.title = "the leader's node is drained";
  stopped_gracefully(plan, part);
  return part;
}

Part pause(const Plan& plan) {
  Part part;
  part.title = "the leader's process is frozen and goes on later";
  part.lasts = rounded_up(plan.slowest, 1s) + 1s;
  part.comments = {
      fmt::format("A pause shorter than L - R ({}) is harmless. After this one a rival leads for",
                  seconds_text(plan.timing.harmless_pause)),
      "sure, and the old leader goes on until its renewals have failed for renewDeadline:",
      "client-go does not fence. What must not happen twice needs a fencing token."};
  part.fields = {fmt::format("duration: {}", duration_text(part.lasts))};
  part.properties = safety("{name: beliefSafety, expect: violated}", false);
  part.properties.emplace_back("{name: boundedFailover, within: bound}");
  part.properties.emplace_back("eventualStability");
  part.thresholds = {
      threshold("failover",
                {fmt::format("min >= {}", seconds_text(plan.timing.crash.least)),
                 fmt::format("max <= {}", seconds_text(plan.timing.crash.most))},
                "L - R .. L + 4.4 R, plus latency"),
      threshold("overlap.running",
                {fmt::format("max <= {}", seconds_text(plan.preset.renew_deadline + plan.period))},
                "D, or D + R when a reply was on its way")};
  return part;
}

// Of a leader that is cut off, with requests that nobody answers.
std::string belief_when_cut_off(const Plan& plan, Part& part) {
  if (plan.margin >= 0s) {
    part.comments.emplace_back(fmt::format("It steps down in time: L - D - R{} is {}.",
                                           plan.timing.release_hang > 0s ? " - h" : "",
                                           seconds_text(plan.margin)));
    return "beliefSafety";
  }
  part.comments.emplace_back(fmt::format(
      "Two leaders are possible for up to {}: L - D - R is {}{}.", seconds_text(-plan.margin),
      seconds_text(plan.timing.margin),
      plan.timing.release_hang > 0s ? fmt::format(", and its release hangs for h = {}",
                                                  seconds_text(plan.timing.release_hang))
                                    : ""));
  part.thresholds.push_back(
      threshold("overlap", {fmt::format("max <= {}", seconds_text(-plan.margin + write_latency))},
                "what is missing to a margin"));
  return "{name: beliefSafety, expect: any}";
}

Part partition(const Plan& plan) {
  Part part;
  part.title = "the leader is cut off from the API server";
  part.lasts = rounded_up(plan.slowest + plan.preset.renew_deadline, 10s);
  part.comments = {"It cannot renew and steps down D .. D + R later; the others see a crash."};
  part.fields = {"direction: both", fmt::format("duration: {}", duration_text(part.lasts))};
  const std::string belief = belief_when_cut_off(plan, part);
  part.properties = safety(belief, plan.margin >= 0s);
  part.properties.emplace_back("{name: boundedFailover, within: bound}");
  part.properties.emplace_back("eventualStability");
  part.thresholds.push_back(
      threshold("failover",
                {fmt::format("min >= {}", seconds_text(plan.timing.crash.least)),
                 fmt::format("max <= {}", seconds_text(plan.timing.crash.most))},
                "L - R .. L + 4.4 R, plus latency"));
  return part;
}

Part delay(const Plan& plan) {
  Part part;
  part.title = "messages of the leader take long";
  const Duration timeout = plan.timing.request_timeout.value_or(plan.preset.renew_deadline);
  const Duration extra = std::min(timeout / 8, plan.preset.retry_period / 4);
  part.lasts = std::max<Duration>(60s, rounded_up(4 * plan.preset.retry_period, 10s));
  part.comments = {
      fmt::format("A request takes {} more, there and back: less than its time limit, so that",
                  seconds_text(2 * extra)),
      "the leader is kept and no other one takes over. Longer ones cost it the lead."};
  part.fields = {fmt::format("latency: {}", duration_text(extra)),
                 fmt::format("duration: {}", duration_text(part.lasts))};
  part.properties = safety("{name: beliefSafety, allowVacuous: true}");
  part.properties[1] = "{name: leaseRecord, allowVacuous: true}";
  part.properties.emplace_back("eventualStability");
  part.thresholds = {threshold("transitions", {"max <= 0"}, "the leader is kept"),
                     threshold("gap", {"max <= 0s"}, "")};
  return part;
}

Part loss(const Plan& plan) {
  Part part;
  part.title = "messages of the leader are lost";
  part.lasts = rounded_up(plan.slowest + plan.preset.renew_deadline, 10s);
  // client-go takes renewTime once per attempt (leaderelection.go, tryAcquireOrRenew), so that a
  // second write of one attempt repeats the first: nothing changes that others could see.
  const Duration deadline = plan.preset.renew_deadline;
  const Duration late = std::min(plan.timing.request_timeout.value_or(deadline), deadline);
  const Duration overlap = late - plan.timing.margin;
  part.comments = {
      "A renewal whose reply is lost waits for its time limit and is then written again with the",
      fmt::format(
          "same renewTime: the leader counts up to {} longer than the others, and L - D - R",
          seconds_text(late)),
      fmt::format("is {}. After a loss, a release or an acquisition can be lost too.",
                  seconds_text(plan.timing.margin))};
  part.fields = {"fraction: \"50%\"", fmt::format("duration: {}", duration_text(part.lasts))};
  const bool is_safe = overlap <= 0s && plan.timing.release_hang == 0s;
  part.properties = safety(
      is_safe ? "beliefSafety" : "{name: beliefSafety, expect: any, allowVacuous: true}", is_safe);
  part.properties.emplace_back("eventualStability");
  if (!is_safe && plan.timing.release_hang == 0s) {
    part.thresholds.push_back(
        threshold("overlap", {fmt::format("max <= {}", seconds_text(overlap + write_latency))},
                  "the time limit of a request - (L - D - R), plus latency"));
  }
  return part;
}

Part api_outage(const Plan& plan) {
  Part part;
  part.title = "the API server refuses every request for a while";
  const Duration step_down = plan.preset.renew_deadline + plan.period;
  part.lasts = rounded_up(std::max(plan.timing.lease, step_down), 10s);
  part.comments = {
      fmt::format("Up to {} the leader is kept. This outage is longer than leaseDuration and than",
                  seconds_text(plan.timing.outage_failing)),
      "D + R: the leader ends although nobody can replace it, and the next one comes after it."};
  part.fields = {"mode: refuse", fmt::format("duration: {}", duration_text(part.lasts))};
  part.properties = safety("{name: beliefSafety, allowVacuous: true}");
  const Duration most = part.lasts + plan.slowest;
  part.properties.emplace_back("eventualStability");
  part.thresholds.push_back(threshold("failover",
                                      {fmt::format("min >= {}", seconds_text(part.lasts)),
                                       fmt::format("max <= {}", seconds_text(most))},
                                      "the outage, and then at most L + 4.4 R"));
  return part;
}

Part part_of(const Plan& plan, std::string_view fault) {
  if (fault.empty()) return steady(plan);
  if (fault == "crash") return crash(plan);
  if (fault == "terminate") return terminate(plan);
  if (fault == "drain") return drain(plan);
  if (fault == "pause") return pause(plan);
  if (fault == "partition") return partition(plan);
  if (fault == "delay") return delay(plan);
  if (fault == "loss") return loss(plan);
  TENURE_ASSERT(fault == "apiOutage", "every modelled fault has a starter");
  return api_outage(plan);
}

// "apiOutage" as a label: "api-outage".
std::string label_of(std::string_view fault) {
  std::string out;
  for (const char c : fault) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    if (is_upper) out += '-';
    out += is_upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

std::string_view mark(bool assumed) {
  return assumed ? "  # assumed" : "";
}

std::string elector_lines(const Preset& preset) {
  std::string out = fmt::format(
      "      elector:\n"
      "        type: client-go\n"
      "        leaseDuration: {}\n"
      "        renewDeadline: {}\n"
      "        retryPeriod: {}\n",
      seconds_text(preset.lease_duration), seconds_text(preset.renew_deadline),
      duration_text(preset.retry_period));
  out += fmt::format("        releaseOnCancel: {}{}\n", preset.release_on_cancel,
                     mark(preset.assumed.release_on_cancel));
  out += fmt::format(
      "        requestTimeout: {}{}\n",
      preset.request_timeout ? duration_text(*preset.request_timeout) : std::string{"none"},
      mark(preset.assumed.request_timeout));
  return out;
}

std::string_view identity_remark(const Plan& plan) {
  switch (plan.preset.identity) {
    case IdentityRule::host_and_uuid:
      return "host name and a new UUID with each start";
    case IdentityRule::host_name:
      return plan.keeps_identity ? "host name, kept by a container that is started again"
                                 : "host name, new with each pod";
    case IdentityRule::node_name:
      return plan.keeps_identity ? "node name, kept on the same node"
                                 : "node name, another one on another node";
  }
  return "";
}

std::string restart_line(const Plan& plan) {
  return fmt::format("      restart: {{policy: Always, delay: {}, identity: {}}}  # {}{}\n",
                     duration_text(restart_delay), plan.keeps_identity ? "same" : "new",
                     plan.preset.assumed.identity ? "assumed: " : "", identity_remark(plan));
}

std::string fault_lines(const Plan& plan, std::string_view fault, const Part& part) {
  std::string out = "  faults:\n";
  for (const std::string& comment : part.comments) out += fmt::format("    # {}\n", comment);
  out += fmt::format("    - name: {}\n      type: {}\n", label_of(fault), fault);
  if (fault != "apiOutage") out += "      target: leader\n";
  out += fmt::format(
      "      at: {{uniform: [{}, {}]}}  # {} renewals, {} apart: every phase is equally likely\n",
      seconds_text(plan.opens), seconds_text(plan.closes), periods, seconds_text(plan.period));
  for (const std::string& field : part.fields) out += fmt::format("      {}\n", field);
  return out;
}

// Whole minutes: the fault, the slowest failover, and as long again for a stable end.
Duration run_time(const Plan& plan, const Part& part) {
  const Duration settled = 2 * plan.slowest + restart_delay + 10s;
  return rounded_up(plan.closes + part.lasts + settled, 1min);
}

}  // namespace

bool has_starter(const Preset& preset) {
  const Name* elector = find_name(electors(), preset.elector);
  return preset.elector == "client-go" && elector != nullptr && elector->modelled;
}

std::string starter(const Preset& preset, std::string_view fault) {
  const Plan plan = plan_of(preset, fault);
  const Part part = part_of(plan, fault);
  std::string out = fmt::format("# {}: {}\n", preset.component, preset.source);
  if (!preset.remark.empty()) out += fmt::format("# {}\n", preset.remark);
  out += fmt::format(
      "apiVersion: tenure/v1alpha1\n"
      "kind: Scenario\n"
      "metadata:\n"
      "  name: {}{}{}\n"
      "  description: \"{}: {}.\"\n"
      "spec:\n"
      "  duration: {}\n"
      "  warmup: 30s\n"
      "  runs: 2000\n"
      "  seed: 1\n"
      "  lease: {{name: {}, namespace: default}}  # assumed\n"
      "  cluster:\n"
      "    latency: {{read: {}, write: {}}}  # assumed: round trips\n"
      "  candidates:\n"
      "    - name: {}\n"
      "      replicas: {}  # assumed\n",
      preset.name, fault.empty() ? "" : "-", label_of(fault), preset.component, part.title,
      duration_text(run_time(plan, part)), preset.name, duration_text(read_latency),
      duration_text(write_latency), preset.name, preset.replicas);
  out += elector_lines(preset);
  out += restart_line(plan);
  if (!fault.empty()) out += fault_lines(plan, fault, part);
  out += "  properties:\n";
  for (const std::string& property : part.properties) out += fmt::format("    - {}\n", property);
  if (part.thresholds.empty()) return out;
  out +=
      "  # L, D, R are leaseDuration, renewDeadline, retryPeriod; see: tenure bounds --explain\n";
  out += "  thresholds:\n";
  for (const std::string& line : part.thresholds) out += fmt::format("    {}\n", line);
  return out;
}

}  // namespace tenure::scenario
