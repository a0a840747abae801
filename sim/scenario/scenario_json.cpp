// Writes a scenario back as the file that would have said all of it.
#include <nlohmann/json.hpp>

#include <tenure/base/text.hpp>
#include <tenure/base/variant.hpp>
#include <tenure/scenario/reader.hpp>
#include <tenure/scenario/scenario.hpp>

namespace tenure::scenario {

namespace {

using Json = nlohmann::ordered_json;
using Write = std::string (*)(Duration);

Json json_of(const Distribution& d, Write write = duration_text);

Json points_of(const Distribution& d, Write write) {
  Json points = Json::array();
  for (const Distribution::Point& point : d.points)
    points.push_back(Json::array({write(point.value), point.cumulative}));
  return points;
}

Json parts_of(const Distribution& d, Write write) {
  Json parts = Json::array();
  for (std::size_t i = 0; i < d.parts.size(); ++i) {
    parts.push_back(Json{{"weight", d.weights[i]}, {"of", json_of(d.parts[i], write)}});
  }
  return parts;
}

Json json_of(const Distribution& d, Write write) {
  using Kind = Distribution::Kind;
  switch (d.kind) {
    case Kind::uniform:
      return Json{{"uniform", Json::array({write(d.low), write(d.high)})}};
    case Kind::exponential:
      return Json{{"exponential", {{"mean", write(d.low)}}}};
    case Kind::lognormal:
      return Json{{"lognormal", {{"p50", write(d.low)}, {"p99", write(d.high)}}}};
    case Kind::pareto:
      return Json{{"pareto", {{"min", write(d.low)}, {"alpha", d.alpha}}}};
    case Kind::empirical:
      return Json{{"empirical", points_of(d, write)}};
    case Kind::mixture:
      return Json{{"mixture", parts_of(d, write)}};
    case Kind::constant:
      break;
  }
  return write(d.low);
}

// A probability as percent or plain, whichever is exact: quoting keeps the decimal as it is.
Json json_of(Ratio probability) {
  Ratio percent = probability;
  if (percent.denominator % 100 == 0) {
    percent.denominator /= 100;
  } else {
    percent.numerator *= 100;
  }
  return decimal_text(percent) + "%";
}

std::string_view word(Behaviour::ExpiryBy v) {
  return v == Behaviour::ExpiryBy::record ? "record" : "own";
}
std::string_view word(Behaviour::DeadlineFrom v) {
  return v == Behaviour::DeadlineFrom::round_start ? "roundStart" : "lastSuccess";
}
std::string_view word(Behaviour::Release v) {
  constexpr std::string_view words[] = {"none", "update", "getUpdate", "getUpdateRetry"};
  return words[static_cast<std::size_t>(v)];
}
std::string_view word(Restart::Policy v) {
  constexpr std::string_view words[] = {"Always", "OnFailure", "Never"};
  return words[static_cast<std::size_t>(v)];
}
std::string_view word(Restart::Identity v) {
  return v == Restart::Identity::fresh ? "new" : "same";
}
std::string_view word(Target::Mode v) {
  constexpr std::string_view words[] = {"all", "one", "fixed", "fixed-percent",
                                        "random-max-percent"};
  return words[static_cast<std::size_t>(v)];
}
std::string_view word(Pause::Clocks v) {
  return v == Pause::Clocks::run ? "run" : "stop";
}
std::string_view word(Partition::Direction v) {
  constexpr std::string_view words[] = {"both", "to", "from"};
  return words[static_cast<std::size_t>(v)];
}
std::string_view word(ApiOutage::Mode v) {
  constexpr std::string_view words[] = {"refuse", "hang", "error"};
  return words[static_cast<std::size_t>(v)];
}
std::string_view word(Property::Expect v) {
  constexpr std::string_view words[] = {"holds", "violated", "any"};
  return words[static_cast<std::size_t>(v)];
}
std::string_view word(Property::Level v) {
  return v == Property::Level::context ? "context" : "isLeader";
}
std::string_view word(Threshold::Decision v) {
  return v == Threshold::Decision::point ? "point" : "confident";
}

std::string_view word(Choices::Otherwise v) {
  return v == Choices::Otherwise::simplest ? "simplest" : "seeded";
}

Json timeout_of(const Elector& e) {
  return e.request_timeout ? duration_text(*e.request_timeout) : "none";
}

Json json_of(const Elector& e) {
  if (e.type == Elector::Type::naive_loop) {
    return Json{{"type", "naive-loop"},
                {"leaseDuration", duration_text(e.lease_duration)},
                {"retryPeriod", duration_text(e.retry_period)},
                {"requestTimeout", timeout_of(e)},
                {"leaderSleep", duration_text(e.leader_sleep)}};
  }
  const Behaviour& b = e.behaviour;
  return Json{{"type", "client-go"},
              {"version", "v0." + std::to_string(e.version)},
              {"leaseDuration", duration_text(e.lease_duration)},
              {"renewDeadline", duration_text(e.renew_deadline)},
              {"retryPeriod", duration_text(e.retry_period)},
              {"releaseOnCancel", e.release_on_cancel},
              {"requestTimeout", timeout_of(e)},
              {"validate", e.validate},
              {"behaviour",
               {{"fastPath", b.fast_path},
                {"expiryBy", word(b.expiry_by)},
                {"release", word(b.release)},
                {"deadlineFrom", word(b.deadline_from)}}}};
}

Json json_of(const Candidates& c) {
  Json out{{"name", c.name}, {"replicas", c.replicas}};
  if (!c.nodes.empty()) out["nodes"] = c.nodes;
  out["elector"] = json_of(c.elector);
  if (c.identity) out["identity"] = *c.identity;
  out["clock"] = {{"offset", json_of(with_signs(c.clock.offset), offset_text)},
                  {"rate", json_of(with_signs(c.clock.gain_per_second), rate_text)}};
  out["start"] = json_of(c.start);
  out["restart"] = {{"policy", word(c.restart.policy)},
                    {"delay", json_of(c.restart.delay)},
                    {"identity", word(c.restart.identity)},
                    {"exitOnLost", c.restart.exit_on_lost}};
  out["shutdown"] = {{"gracePeriod", duration_text(c.shutdown.grace_period)},
                     {"onStoppedLeading", json_of(c.shutdown.on_stopped_leading)}};
  return out;
}

std::string role_of(const Target& t) {
  constexpr std::string_view words[] = {"leader",     "followers", "believers", "all",
                                        "candidate/", "node/",     "zone/",     "apiserver"};
  return std::string{words[static_cast<std::size_t>(t.role)]} + t.name;
}

Json json_of(const Target& t) {
  if (t.mode == Target::Mode::all) return role_of(t);
  Json out{{"role", role_of(t)}, {"mode", word(t.mode)}};
  if (t.mode != Target::Mode::one) out["value"] = t.value;
  return out;
}

void add_own_fields(const Crash& f, Json& out) {
  if (f.restart_delay) out["restartDelay"] = json_of(*f.restart_delay);
}
void add_own_fields(const Terminate& f, Json& out) {
  if (f.grace_period) out["gracePeriod"] = duration_text(*f.grace_period);
}
void add_own_fields(const Drain&, Json&) {}
void add_own_fields(const Pause& f, Json& out) {
  out["clocks"] = word(f.clocks);
}
void add_own_fields(const Partition& f, Json& out) {
  out["direction"] = word(f.direction);
}
void add_own_fields(const Delay& f, Json& out) {
  out["latency"] = json_of(f.latency);
  out["jitter"] = duration_text(f.jitter);
}
void add_own_fields(const Loss& f, Json& out) {
  out["fraction"] = json_of(f.fraction);
}
void add_own_fields(const ApiOutage& f, Json& out) {
  out["mode"] = word(f.mode);
  if (f.mode == ApiOutage::Mode::error) out["code"] = f.code;
}

Json json_of(const Fault& f) {
  Json out{{"name", f.name}, {"type", type_of(f.kind)}};
  if (f.other) {
    out["between"] = Json::array({json_of(f.target), json_of(*f.other)});
  } else {
    out["target"] = json_of(f.target);
  }
  std::visit([&](const auto& kind) { add_own_fields(kind, out); }, f.kind);
  out["at"] = f.at_any ? Json("any") : json_of(f.at);
  if (f.duration) out["duration"] = json_of(*f.duration);
  if (f.every) out["every"] = json_of(*f.every);
  if (f.count) out["count"] = *f.count;
  out["probability"] = json_of(f.probability);
  return out;
}

bool has_level(const Property& p) {
  return p.ids.front() == PropertyId::B1 || p.ids.front() == PropertyId::B2 ||
         p.ids.front() == PropertyId::V1 || p.ids.front() == PropertyId::L1 ||
         p.ids.front() == PropertyId::L4;
}

Json json_of(const Property& p) {
  Json out{{"name", p.name}, {"expect", word(p.expect)}, {"allowVacuous", p.allow_vacuous}};
  if (has_level(p)) out["level"] = word(p.level);
  if (p.ids.front() == PropertyId::L1)
    out["within"] = p.within ? duration_text(*p.within) : "bound";
  if (p.window) out["window"] = duration_text(*p.window);
  return out;
}

std::string metric_text(const Threshold& t) {
  std::string metric{check::to_text(t.metric)};
  if (!t.fault.empty()) metric += "[" + t.fault + "]";
  return metric;
}

Json json_of(const std::vector<Threshold>& thresholds) {
  Json out = Json::object();
  for (const Threshold& t : thresholds) {
    out[metric_text(t)].push_back(Json{
        {"threshold", t.text}, {"decision", word(t.decision)}, {"abortOnFail", t.abort_on_fail}});
  }
  return out;
}

// Prometheus takes no fractions: "1m30s", "1s500ms".
std::string prometheus_text(Duration duration) {
  using std::chrono::milliseconds;
  using std::chrono::seconds;
  const Duration rest = duration % seconds{1};
  if (rest == Duration{} || duration < seconds{1}) return duration_text(duration);
  return duration_text(duration - rest) + duration_text(rest);
}

Json json_of(const AlertRule::Texts& texts) {
  Json out = Json::object();
  for (const auto& [name, text] : texts) out[name] = text;
  return out;
}

Json json_of(const AlertRule& rule) {
  Json out{{rule.alert.empty() ? "record" : "alert", rule.alert + rule.record},
           {"expr", rule.expr}};
  if (rule.hold != Duration{}) out["for"] = prometheus_text(rule.hold);
  if (rule.keep_firing_for != Duration{})
    out["keep_firing_for"] = prometheus_text(rule.keep_firing_for);
  if (!rule.labels.empty()) out["labels"] = json_of(rule.labels);
  if (!rule.annotations.empty()) out["annotations"] = json_of(rule.annotations);
  return out;
}

Json json_of(const AlertExpectation& expectation) {
  Json out{{"alertname", expectation.alert}, {"fires", to_text(expectation.fires)}};
  if (expectation.within) out["within"] = duration_text(*expectation.within);
  if (!expectation.after.empty()) out["after"] = expectation.after;
  return out;
}

Json json_of(const Alerts& alerts) {
  Json out = Json::object();
  for (const AlertGroup& group : alerts.groups) {
    Json rules = Json::array();
    for (const AlertRule& rule : group.rules) rules.push_back(json_of(rule));
    out["groups"].push_back(Json{{"name", group.name}, {"rules", std::move(rules)}});
  }
  out["scrape"] = {{"interval", duration_text(alerts.scrape_interval)}};
  out["evaluationInterval"] = duration_text(alerts.evaluation_interval);
  out["prometheusVersion"] = alerts.version == alert::PrometheusVersion::v2 ? 2 : 3;
  out["expect"] = Json::array();
  for (const AlertExpectation& expectation : alerts.expect)
    out["expect"].push_back(json_of(expectation));
  return out;
}

Json json_of(const Stopping& s) {
  Json out = Json::object();
  if (!s.looks.empty()) out["looks"] = s.looks;
  out["rule"] = s.precision ? "precision" : "thresholds";
  if (!s.precision) return out;
  out["metric"] = metric_text(s.precision->figure);
  out["of"] = s.precision->figure.text;
  out["width"] = s.precision->width;
  return out;
}

Json json_of(const Cluster& c) {
  Json out = Json::object();
  for (const ClusterNode& node : c.nodes) {
    Json item{{"name", node.name}};
    if (!node.zone.empty()) item["zone"] = node.zone;
    out["nodes"].push_back(std::move(item));
  }
  out["apiServers"] = 1;
  out["latency"] = std::visit(
      overloaded{[](const RoundTrip& l) {
                   return Json{{"read", json_of(l.read)}, {"write", json_of(l.write)}};
                 },
                 [](const OneWay& l) {
                   return Json{{"request", json_of(l.request)}, {"response", json_of(l.response)}};
                 }},
      c.latency);
  out["rbac"] = "allowAll";
  return out;
}

Json json_of(const Record& r) {
  if (r.which == Record::Which::first) return Json{{"first", r.first}};
  constexpr std::string_view words[] = {"none", "failures", "", "all"};
  return words[static_cast<std::size_t>(r.which)];
}

Json json_of(const Explore& e) {
  Json out{{"tick", duration_text(e.tick)}};
  if (e.max_tick) out["maxTick"] = *e.max_tick;
  out["maxStates"] = e.max_states;
  out["maxMemory"] = size_text(e.max_memory);
  out["symmetry"] = e.symmetry;
  out["reduction"] = e.reduction;
  return out;
}

Json json_of(const Choice& c) {
  return Json{{"of", c.stream}, {"number", c.number}, {"answer", c.answer}};
}

template <class Item>
Json list_of(const std::vector<Item>& items) {
  Json out = Json::array();
  for (const Item& item : items) out.push_back(json_of(item));
  return out;
}

Json json_of(const Choices& c) {
  Json out = Json::object();
  if (c.tick) out["tick"] = duration_text(*c.tick);
  out["otherwise"] = word(c.otherwise);
  out["answers"] = list_of(c.answers);
  return out;
}

}  // namespace

nlohmann::ordered_json scenario_json(const Scenario& s) {
  Json metadata{{"name", s.name}};
  if (!s.description.empty()) metadata["description"] = s.description;
  Json spec{{"duration", duration_text(s.duration)},
            {"warmup", duration_text(s.warmup)},
            {"runs", s.runs},
            {"seed", s.seed},
            {"lease", {{"name", s.lease.name}, {"namespace", s.lease.space}}},
            {"cluster", json_of(s.cluster)},
            {"candidates", list_of(s.candidates)},
            {"faults", list_of(s.faults)},
            {"properties", list_of(s.properties)},
            {"thresholds", json_of(s.thresholds)},
            {"record", json_of(s.record)}};
  if (s.alerts) spec["alerts"] = json_of(*s.alerts);
  if (s.stopping) spec["stopping"] = json_of(*s.stopping);
  if (s.explore) spec["explore"] = json_of(*s.explore);
  if (s.choices) spec["choices"] = json_of(*s.choices);
  return Json{{"apiVersion", "tenure/v1alpha1"},
              {"kind", "Scenario"},
              {"metadata", std::move(metadata)},
              {"spec", std::move(spec)}};
}

}  // namespace tenure::scenario
