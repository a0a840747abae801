#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include <tenure/base/ratio.hpp>
#include <tenure/base/text.hpp>
#include <tenure/scenario/names.hpp>

#include "decode.hpp"

namespace tenure::scenario {

namespace {

constexpr std::int64_t most_processes = 10'000;
constexpr Ratio jitter_factor{6, 5};  // client-go's JitterFactor, 1.2

using Level = Diagnostic::Level;

void decode_behaviour(const Reader& elector, Behaviour& out) {
  const std::optional<Reader> behaviour = elector.field("behaviour");
  if (!behaviour || !behaviour->has_fields({"fastPath", "expiryBy", "release", "deadlineFrom"}))
    return;
  static constexpr Word<Behaviour::ExpiryBy> expiry[] = {{"record", Behaviour::ExpiryBy::record},
                                                         {"own", Behaviour::ExpiryBy::own}};
  static constexpr Word<Behaviour::Release> release[] = {
      {"none", Behaviour::Release::none},
      {"update", Behaviour::Release::update},
      {"getUpdate", Behaviour::Release::get_update},
      {"getUpdateRetry", Behaviour::Release::get_update_retry}};
  static constexpr Word<Behaviour::DeadlineFrom> deadline[] = {
      {"roundStart", Behaviour::DeadlineFrom::round_start},
      {"lastSuccess", Behaviour::DeadlineFrom::last_success}};
  read_field(*behaviour, "fastPath", out.fast_path);
  if (const auto at = behaviour->field("expiryBy"))
    read_word(*at, "whose duration counts", expiry, out.expiry_by);
  if (const auto at = behaviour->field("release"))
    read_word(*at, "a way to release", release, out.release);
  if (const auto at = behaviour->field("deadlineFrom")) {
    read_word(*at, "a begin of the renew deadline", deadline, out.deadline_from);
  }
}

void decode_version(const Reader& elector, Elector& out) {
  const std::optional<Reader> version = elector.field("version");
  if (!version || !version->expect_text("a version")) return;
  const std::string_view text = version->text();
  const std::optional<std::int64_t> minor =
      text.substr(0, 3) == "v0." ? parse_whole(text.substr(3)) : std::nullopt;
  const std::string range = fmt::format("modelled: v0.{} .. v0.{}", elect::oldest_client_go_minor,
                                        elect::newest_client_go_minor);
  if (!minor) {
    version->error("E0219", fmt::format("{} is not a version of client-go", quoted(text)), {range});
  } else if (*minor < elect::oldest_client_go_minor || *minor > elect::newest_client_go_minor) {
    version->error("E0220",
                   fmt::format("client-go {} is not modelled in this version", visible(text)),
                   {range});
  } else {
    out.version = static_cast<int>(*minor);
    out.behaviour = elect::client_go_profile(out.version);
  }
}

void decode_request_timeout(const Reader& elector, Elector& out) {
  const std::optional<Reader> timeout = elector.field("requestTimeout");
  if (!timeout) return;
  if (timeout->is_text() && timeout->text() == "none") {
    out.request_timeout.reset();
    return;
  }
  if (read(*timeout, out.request_timeout) && *out.request_timeout == Duration{}) {
    timeout->error("E0209", "requestTimeout must be greater than zero",
                   {"no limit is written: none"});
  }
}

// client-go's own checks, in its order: the first that fails is the one its user would see
// (leaderelection.go, NewLeaderElector). Durations below zero were refused while reading, which
// leaves only one of its three checks against zero to fail.
void check_client_go(const Reader& elector, const Elector& e) {
  const auto refused = [&](std::string_view words, std::initializer_list<std::string_view> fields) {
    std::vector<std::string> hints = elector.origins_of(fields);
    hints.insert(hints.begin(),
                 fmt::format("client-go refuses this configuration at start (\"{}\")", words));
    hints.emplace_back(
        "to simulate what a process without this check would do: elector.validate: false");
    return hints;
  };
  const Duration jittered = scaled(e.retry_period, jitter_factor);
  if (e.lease_duration <= e.renew_deadline) {
    elector.report_field(
        Level::error, "leaseDuration", "E0301",
        fmt::format("leaseDuration ({}) must be greater than renewDeadline ({})",
                    seconds_text(e.lease_duration), seconds_text(e.renew_deadline)),
        refused("leaseDuration must be greater than renewDeadline",
                {"leaseDuration", "renewDeadline"}));
  } else if (e.renew_deadline <= jittered) {
    elector.report_field(
        Level::error, "renewDeadline", "E0302",
        fmt::format("renewDeadline ({}) must be greater than retryPeriod x 1.2 ({})",
                    seconds_text(e.renew_deadline), seconds_text(jittered)),
        refused("renewDeadline must be greater than retryPeriod*JitterFactor",
                {"renewDeadline", "retryPeriod"}));
  } else if (e.retry_period < Duration{1}) {
    elector.report_field(Level::error, "retryPeriod", "E0305",
                         "retryPeriod must be greater than zero",
                         refused("retryPeriod must be greater than zero", {"retryPeriod"}));
  }
}

void warn_about_margin(const Reader& elector, const Elector& e) {
  const Duration needed = longer(e.renew_deadline, e.retry_period);
  if (e.lease_duration >= needed) return;
  std::vector<std::string> hints{
      fmt::format(
          "a leader that is cut off may believe to lead for up to {} after a rival took over",
          seconds_text(needed - e.lease_duration)),
      fmt::format("safe: leaseDuration >= {} plus latency; see: tenure bounds",
                  seconds_text(needed))};
  for (std::string& origin :
       elector.origins_of({"leaseDuration", "renewDeadline", "retryPeriod"})) {
    hints.push_back(std::move(origin));
  }
  elector.report_field(Level::warning, "leaseDuration", "W0302",
                       fmt::format("leaseDuration ({}) < renewDeadline + retryPeriod ({})",
                                   seconds_text(e.lease_duration), seconds_text(needed)),
                       std::move(hints));
}

void decode_client_go(const Reader& at, Elector& out) {
  // An unknown field is often a misspelled one: its default would be judged in its place.
  const std::size_t errors_before = at.errors();
  if (!at.has_fields({"type", "version", "leaseDuration", "renewDeadline", "retryPeriod",
                      "releaseOnCancel", "requestTimeout", "validate", "behaviour"})) {
    return;
  }
  out.behaviour = elect::client_go_profile(out.version);
  decode_version(at, out);
  decode_behaviour(at, out.behaviour);
  read_field(at, "leaseDuration", out.lease_duration);
  read_field(at, "renewDeadline", out.renew_deadline);
  read_field(at, "retryPeriod", out.retry_period);
  read_field(at, "releaseOnCancel", out.release_on_cancel);
  read_field(at, "validate", out.validate);
  // NewFromKubeconfig's client: half the renew deadline, at least a second.
  out.request_timeout = std::max<Duration>(std::chrono::seconds{1}, out.renew_deadline / 2);
  decode_request_timeout(at, out);
  if (at.errors() > errors_before) return;
  if (out.validate) check_client_go(at, out);
  if (at.errors() == errors_before) warn_about_margin(at, out);
}

void decode_naive_loop(const Reader& at, Elector& out) {
  if (!at.has_fields({"type", "leaseDuration", "retryPeriod", "requestTimeout", "leaderSleep"}))
    return;
  read_field(at, "leaseDuration", out.lease_duration);
  read_field(at, "retryPeriod", out.retry_period);
  out.leader_sleep = out.retry_period;
  read_field(at, "leaderSleep", out.leader_sleep);
  decode_request_timeout(at, out);
}

// A loop that never waits, with requests that take no time, would never let time pass.
void check_progress(const Reader& at, const Elector& e, const Latency& latency) {
  if (shortest_round_trip(latency) > Duration{}) return;
  if (e.type == Elector::Type::naive_loop) {
    at.error_at_key(
        "E0316", "naive-loop needs requests that take time",
        {"it does not wait after an error; give cluster.latency a lower bound above zero"});
  } else if (e.retry_period == Duration{}) {
    at.report_field(Level::error, "retryPeriod", "E0316",
                    "retryPeriod 0s needs requests that take time",
                    {"give cluster.latency a lower bound above zero"});
  }
}

bool decode_elector(const Reader& candidate, const Latency& latency, Elector& out) {
  const std::optional<Reader> elector = candidate.required("elector");
  if (!elector || !elector->expect_map()) return false;
  const std::optional<Reader> type = elector->required("type");
  if (!type || !type->expect_text("a type of elector")) return false;
  const Name* name = find_name(electors(), type->text());
  if (name == nullptr) {
    std::vector<std::string> hints;
    if (const auto meant = did_you_mean(type->text(), words_of(electors()))) {
      hints.push_back(fmt::format("did you mean \"{}\"?", *meant));
    }
    hints.emplace_back("tenure list electors");
    type->error("E0204", fmt::format("{} is not an elector type", quoted(type->text())),
                std::move(hints));
    return false;
  }
  if (!name->modelled) {
    type->not_modelled(fmt::format("elector {}", name->name));
    return false;
  }
  if (name->name == "client-go") {
    out.type = Elector::Type::client_go;
    decode_client_go(*elector, out);
  } else {
    out.type = Elector::Type::naive_loop;
    decode_naive_loop(*elector, out);
  }
  check_progress(*elector, out, latency);
  return true;
}

void decode_clock(const Reader& candidate, Clock& out) {
  const std::optional<Reader> clock = candidate.field("clock");
  if (!clock || !clock->has_fields({"offset", "rate"})) return;
  if (const auto offset = clock->field("offset")) read_offset(*offset, out.offset);
  if (const auto rate = clock->field("rate")) read_rate(*rate, out.gain_per_second);
}

void decode_restart(const Reader& candidate, Restart& out) {
  const std::optional<Reader> restart = candidate.field("restart");
  if (!restart || !restart->has_fields({"policy", "delay", "identity", "exitOnLost"})) return;
  static constexpr Word<Restart::Policy> policies[] = {{"Always", Restart::Policy::always},
                                                       {"OnFailure", Restart::Policy::on_failure},
                                                       {"Never", Restart::Policy::never}};
  static constexpr Word<Restart::Identity> identities[] = {{"new", Restart::Identity::fresh},
                                                           {"same", Restart::Identity::same}};
  if (const auto policy = restart->field("policy"))
    read_word(*policy, "a restart policy", policies, out.policy);
  if (const auto identity = restart->field("identity")) {
    read_word(*identity, "a rule for identities", identities, out.identity);
  }
  read_field(*restart, "delay", out.delay);
  read_field(*restart, "exitOnLost", out.exit_on_lost);
}

void decode_shutdown(const Reader& candidate, Shutdown& out) {
  const std::optional<Reader> shutdown = candidate.field("shutdown");
  if (!shutdown || !shutdown->has_fields({"gracePeriod", "onStoppedLeading"})) return;
  read_field(*shutdown, "gracePeriod", out.grace_period);
  read_field(*shutdown, "onStoppedLeading", out.on_stopped_leading);
}

void decode_placement(const Reader& candidate, const Known& known, std::vector<std::string>& out) {
  const std::optional<Reader> nodes = candidate.field("nodes");
  if (!nodes || !nodes->expect_list()) return;
  for (const Reader& item : nodes->items()) {
    std::string name;
    if (!read_name(item, name)) continue;
    if (known.nodes.count(name) == 0) report_unknown_name(item, "node", name, known.nodes);
    out.push_back(std::move(name));
  }
}

void decode_identity(const Reader& candidate, Candidates& out) {
  const std::optional<Reader> identity = candidate.field("identity");
  std::string text;
  if (!identity || !read(*identity, text)) return;
  if (text.empty()) {
    identity->error("E0306", "identity must not be empty",
                    {"client-go refuses this configuration at start (\"Lock identity is empty\")"});
  }
  out.identity = std::move(text);
}

Candidates default_candidates() {
  Candidates out;
  out.clock = {{{}, Distribution::constant({})}, {{}, Distribution::constant({})}};
  out.start = Distribution::uniform(Duration{}, std::chrono::seconds{2});
  out.restart.delay = Distribution::constant(std::chrono::seconds{10});
  out.shutdown.on_stopped_leading = Distribution::constant(Duration{});
  return out;
}

// Adds the group's processes; reports one that is there already, and a group that is too large.
void name_processes(const Reader& at, const Candidates& group, Known& known) {
  known.groups.insert(group.name);
  for (std::uint32_t i = 0; i < group.replicas; ++i) {
    std::string process = fmt::format("{}-{}", group.name, i);
    if (known.processes.count(process) > 0) {
      at.report_field(Level::error, "name", "E0312",
                      fmt::format("two processes would be named {}", quoted(process)),
                      {"give each group of candidates a name of its own"});
      return;
    }
    known.processes.insert(std::move(process));
  }
}

void decode_replicas(const Reader& at, const Known& known, Candidates& out) {
  const std::optional<Reader> replicas = at.field("replicas");
  std::int64_t count = 1;
  if (!replicas || !read(*replicas, count)) return;
  if (count == 0) {
    replicas->error("E0311", "a group of candidates needs at least one replica");
  } else if (count > most_processes - static_cast<std::int64_t>(known.processes.size())) {
    replicas->error("E0314", fmt::format("more than {} processes", most_processes));
  } else {
    out.replicas = static_cast<std::uint32_t>(count);
  }
}

void decode_group(const Reader& at, Scenario& scenario, Known& known) {
  if (!at.has_fields({"name", "replicas", "nodes", "elector", "identity", "clock", "start",
                      "restart", "shutdown"},
                     {"client", "serviceAccount", "versions", "work"})) {
    return;
  }
  Candidates out = default_candidates();
  out.origin.where = at.key_where();
  decode_replicas(at, known, out);
  if (const auto name = at.required("name"); name && read_name(*name, out.name))
    name_processes(at, out, known);
  if (decode_elector(at, scenario.cluster.latency, out.elector)) {
    out.restart.exit_on_lost = out.elector.type == Elector::Type::client_go;
  }
  decode_placement(at, known, out.nodes);
  decode_identity(at, out);
  decode_clock(at, out.clock);
  read_field(at, "start", out.start);
  decode_restart(at, out.restart);
  decode_shutdown(at, out.shutdown);
  scenario.candidates.push_back(std::move(out));
}

}  // namespace

void decode_candidates(const Reader& spec, Scenario& out, Known& known) {
  const std::optional<Reader> candidates = spec.required("candidates");
  if (!candidates || !candidates->expect_list()) return;
  if (candidates->node().items.empty()) candidates->error("E0311", "there are no candidates");
  // A node for each process, named like it, when the file names none.
  const bool own_nodes = out.cluster.nodes.empty();
  for (const Reader& group : candidates->items()) decode_group(group, out, known);
  if (own_nodes) known.nodes = known.processes;
}

}  // namespace tenure::scenario
