#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/scenario/names.hpp>

#include "decode.hpp"

namespace tenure::scenario {

namespace {

using Role = Target::Role;

constexpr Word<Role> plain_roles[] = {{"leader", Role::leader},
                                      {"followers", Role::followers},
                                      {"believers", Role::believers},
                                      {"all", Role::all},
                                      {"apiserver", Role::apiserver}};

bool refuse_target(const Reader& at, std::vector<std::string> hints = {}) {
  hints.emplace_back(
      "leader, followers, believers, all, candidate/NAME-0, node/NAME, zone/NAME or apiserver");
  at.error("E0211", fmt::format("{} is not a target", quoted(at.text())), std::move(hints));
  return false;
}

bool refer(const Reader& at,
           Role role,
           std::string_view kind,
           std::string_view name,
           const std::set<std::string, std::less<>>& names,
           Target& out) {
  if (names.count(name) == 0) {
    report_unknown_name(at, kind, name, names);
    return false;
  }
  out.role = role;
  out.name = name;
  return true;
}

bool read_candidate(const Reader& at, std::string_view name, const Known& known, Target& out) {
  if (known.groups.count(name) > 0 && known.processes.count(name) == 0) {
    at.error("E0317", fmt::format("{} is a group of candidates, not a process", quoted(name)),
             {fmt::format(
                 "its processes are named \"{}-0\", ...; all of a scenario's are the target all",
                 name)});
    return false;
  }
  return refer(at, Role::candidate, "candidate", name, known.processes, out);
}

bool read_named_target(const Reader& at,
                       std::string_view kind,
                       std::string_view name,
                       const Known& known,
                       Target& out) {
  if (kind == "candidate") return read_candidate(at, name, known, out);
  if (kind == "node") return refer(at, Role::node, "node", name, known.nodes, out);
  if (kind == "zone") return refer(at, Role::zone, "zone", name, known.zones, out);
  if (kind == "etcd") {
    at.not_modelled("the target etcd");
    return false;
  }
  if (kind == "apiserver" && name == "0") {
    out.role = Role::apiserver;
    return true;
  }
  if (kind == "apiserver") {
    report_unknown_name(at, "API server", name, {"0"});
    return false;
  }
  return refuse_target(at);
}

bool read_role(const Reader& at, const Known& known, Target& out) {
  if (!at.expect_text("a target")) return false;
  const std::string_view text = at.text();
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    return read_named_target(at, text.substr(0, slash), text.substr(slash + 1), known, out);
  }
  std::vector<std::string_view> words;
  for (const Word<Role>& role : plain_roles) {
    words.push_back(role.word);
    if (role.word != text) continue;
    out.role = role.value;
    return true;
  }
  std::vector<std::string> hints;
  if (known.processes.count(text) > 0) {
    hints.push_back(fmt::format("did you mean \"candidate/{}\"?", text));
  } else if (const auto meant = did_you_mean(text, words)) {
    hints.push_back(fmt::format("did you mean \"{}\"?", *meant));
  }
  return refuse_target(at, std::move(hints));
}

bool read_percent(const Reader& at, std::int64_t& out) {
  std::int64_t value = 0;
  if (at.is_text() && !at.text().empty() && at.text().back() == '%') {
    const auto percent = parse_whole(at.text().substr(0, at.text().size() - 1));
    if (percent && *percent <= 100) {
      out = *percent;
      return true;
    }
    at.error("E0209", fmt::format("{} must be between 0% and 100%", at.path()));
    return false;
  }
  if (!read_in_range(at, 0, 100, value)) return false;
  out = value;
  return true;
}

bool read_mode(const Reader& at, Target& out) {
  using Mode = Target::Mode;
  static constexpr Word<Mode> modes[] = {{"one", Mode::one},
                                         {"all", Mode::all},
                                         {"fixed", Mode::fixed},
                                         {"fixed-percent", Mode::fixed_percent},
                                         {"random-max-percent", Mode::random_max_percent}};
  if (const auto mode = at.field("mode"); mode && !read_word(*mode, "a mode", modes, out.mode))
    return false;
  const bool takes_value = out.mode != Mode::one && out.mode != Mode::all;
  if (!takes_value) {
    if (const auto value = at.field("value")) {
      value->error_at_key(
          "E0218", "value goes with the modes fixed, fixed-percent and random-max-percent only");
    }
    return true;
  }
  const std::optional<Reader> value = at.required("value");
  if (!value) return false;
  return out.mode == Mode::fixed ? read_in_range(*value, 1, 10'000, out.value)
                                 : read_percent(*value, out.value);
}

bool read_target(const Reader& at, const Known& known, Target& out) {
  if (!at.is_map()) return read_role(at, known, out);
  if (!at.has_fields({"role", "mode", "value"})) return false;
  const std::optional<Reader> role = at.required("role");
  return role && read_role(*role, known, out) && read_mode(at, out);
}

Target api_server() {
  Target out;
  out.role = Role::apiserver;
  return out;
}

// Who is hit by a fault of processes.
void decode_victims(const Reader& at, const Known& known, Fault& out) {
  const std::optional<Reader> target = at.required("target");
  if (!target || !read_target(*target, known, out.target)) return;
  if (out.target.role == Role::apiserver) {
    target->error("E0211", fmt::format("{} hits processes, not API servers", type_of(out.kind)),
                  {"faults of API servers: apiOutage"});
  }
}

void decode_between(const Reader& between, const Known& known, Fault& out) {
  const std::vector<Reader> ends = between.is_list() ? between.items() : std::vector<Reader>{};
  if (ends.size() != 2) {
    between.error("E0205", "between must be a list of two targets",
                  {"between: [leader, apiserver]"});
    return;
  }
  read_target(ends[0], known, out.target);
  read_target(ends[1], known, out.other.emplace());
  if (out.target.role == Role::apiserver && out.other->role == Role::apiserver) {
    between.error("E0211", "a link between API servers is not part of the model");
  }
}

// Which links a fault of the network is about.
void decode_links(const Reader& at, const Known& known, Fault& out) {
  const std::optional<Reader> between = at.field("between");
  const std::optional<Reader> target = at.field("target");
  if (between && target) {
    target->error_at_key("E0218", "a fault has either target or between",
                         {"target: x means between: [x, apiserver]"});
  } else if (between) {
    decode_between(*between, known, out);
  } else if (target) {
    out.other = api_server();
    if (read_target(*target, known, out.target) && out.target.role == Role::apiserver)
      out.other->role = Role::all;
  } else if (at.node().find("target") == nullptr && at.node().find("between") == nullptr) {
    at.error_at_key("E0202",
                    fmt::format("field \"target\" or \"between\" is missing in {}", at.path()));
  }
}

// The fields that every fault has; the rest are of its type.
template <class... Extra>
bool has_fault_fields(const Reader& at, Extra... extra) {
  return at.has_fields({"name", "type", "at", "every", "count", "probability", extra...});
}

void decode_kind(const Reader& at, const Known& known, Fault& out, Crash& crash) {
  has_fault_fields(at, "target", "restartDelay");
  decode_victims(at, known, out);
  read_field(at, "restartDelay", crash.restart_delay);
}

void decode_kind(const Reader& at, const Known& known, Fault& out, Terminate& terminate) {
  has_fault_fields(at, "target", "gracePeriod");
  decode_victims(at, known, out);
  read_field(at, "gracePeriod", terminate.grace_period);
}

void decode_kind(const Reader& at, const Known& known, Fault& out, Drain&) {
  has_fault_fields(at, "target");
  decode_victims(at, known, out);
}

void decode_kind(const Reader& at, const Known& known, Fault& out, Pause& pause) {
  static constexpr Word<Pause::Clocks> choices[] = {{"run", Pause::Clocks::run},
                                                    {"stop", Pause::Clocks::stop}};
  has_fault_fields(at, "target", "duration", "clocks");
  decode_victims(at, known, out);
  if (const auto clocks = at.field("clocks"))
    read_word(*clocks, "what clocks do", choices, pause.clocks);
}

void decode_kind(const Reader& at, const Known& known, Fault& out, Partition& partition) {
  static constexpr Word<Partition::Direction> choices[] = {{"both", Partition::Direction::both},
                                                           {"to", Partition::Direction::to},
                                                           {"from", Partition::Direction::from}};
  has_fault_fields(at, "target", "between", "duration", "direction");
  decode_links(at, known, out);
  if (const auto direction = at.field("direction"))
    read_word(*direction, "a direction", choices, partition.direction);
}

void decode_kind(const Reader& at, const Known& known, Fault& out, Delay& delay) {
  has_fault_fields(at, "target", "between", "duration", "latency", "jitter");
  decode_links(at, known, out);
  delay.latency = Distribution::constant(Duration{});
  if (const auto latency = at.required("latency")) read(*latency, delay.latency);
  read_field(at, "jitter", delay.jitter);
}

void decode_kind(const Reader& at, const Known& known, Fault& out, Loss& loss) {
  has_fault_fields(at, "target", "between", "duration", "fraction");
  decode_links(at, known, out);
  if (const auto fraction = at.field("fraction")) read_probability(*fraction, loss.fraction);
}

void decode_kind(const Reader& at, const Known& known, Fault& out, ApiOutage& outage) {
  static constexpr Word<ApiOutage::Mode> choices[] = {{"refuse", ApiOutage::Mode::refuse},
                                                      {"hang", ApiOutage::Mode::hang},
                                                      {"error", ApiOutage::Mode::error}};
  has_fault_fields(at, "target", "duration", "mode", "code");
  out.target = api_server();
  if (const auto target = at.field("target");
      target && read_target(*target, known, out.target) && out.target.role != Role::apiserver) {
    target->error("E0211", "apiOutage hits API servers: target: apiserver",
                  {"to cut some processes off, use partition"});
  }
  if (const auto mode = at.field("mode"))
    read_word(*mode, "a mode of an outage", choices, outage.mode);
  const std::optional<Reader> code = at.field("code");
  if (!code) return;
  std::int64_t value = 0;
  if (read_in_range(*code, 400, 599, value)) outage.code = static_cast<int>(value);
  if (outage.mode != ApiOutage::Mode::error)
    code->error_at_key("E0218", "code goes with mode: error only");
}

std::optional<FaultKind> kind_named(std::string_view type) {
  if (type == "crash") return Crash{};
  if (type == "terminate") return Terminate{};
  if (type == "drain") return Drain{};
  if (type == "pause") return Pause{};
  if (type == "partition") return Partition{};
  if (type == "delay") return Delay{};
  if (type == "loss") return Loss{};
  if (type == "apiOutage") return ApiOutage{};
  return std::nullopt;
}

std::optional<FaultKind> read_type(const Reader& at) {
  const std::optional<Reader> type = at.required("type");
  if (!type || !type->expect_text("a type of fault")) return std::nullopt;
  if (std::optional<FaultKind> kind = kind_named(type->text())) return kind;
  if (find_name(faults(), type->text()) != nullptr) {
    type->not_modelled(fmt::format("fault {}", type->text()));
    return std::nullopt;
  }
  const auto meant = did_you_mean(type->text(), words_of(faults()), fault_aliases());
  std::string hint = "tenure list faults";
  if (meant)
    hint = fmt::format("did you mean \"{}\"? ({})   {}", *meant,
                       find_name(faults(), *meant)->meaning, hint);
  type->error("E0204", fmt::format("{} is not a fault type", quoted(type->text())),
              {std::move(hint)});
  return std::nullopt;
}

bool is_any(const Reader& instant) {
  return instant.is_text() && instant.text() == "any";
}

void decode_instant(const Reader& at, const Scenario& scenario, Fault& out) {
  const std::optional<Reader> instant = at.required("at");
  if (!instant) return;
  if (!is_any(*instant)) {
    read(*instant, out.at);
    return;
  }
  out.at_any = true;
  if (!scenario.explore) {
    instant->error("E0218", "at: any is for explorations, and spec.explore is missing",
                   {"tenure explore tries every tick: spec: {explore: {tick: 1s}}",
                    "a run draws one instant: at: {uniform: [60s, 90s]}"});
  }
}

void decode_repetition(const Reader& at, Fault& out) {
  const std::optional<Reader> every = at.field("every");
  const std::optional<Reader> count = at.field("count");
  if (every) read(*every, out.every);
  if (every && out.at_any) {
    every->error_at_key("E0218", "every does not go with at: any",
                        {"an exploration tries every number of occurrences, up to count"});
  }
  std::uint64_t times = 0;
  if (count && read(*count, times)) {
    out.count = times;
    if (times == 0) count->error("E0209", "count must be at least 1");
    if (!every && !out.at_any)
      count->error_at_key("E0218", "count goes with every only",
                          {"every: the time between two of them"});
  }
  // Without a count, occurrences at one instant would never end.
  if (out.every && !out.count && out.every->lower_bound() == Duration{}) {
    every->error("E0209", "every must be greater than zero, or have a count");
  }
}

// Every occurrence is remembered while it lasts, so their number is bounded.
void limit_occurrences(const Reader& at, const Scenario& scenario, const Fault& fault) {
  constexpr std::uint64_t most = 100'000;
  // Without a count, a period that can be zero is refused already.
  if (!fault.every || (!fault.count && fault.every->lower_bound() == Duration{})) return;
  const Duration shortest = fault.every->lower_bound();
  const auto by_time = shortest > Duration{}
                           ? static_cast<std::uint64_t>(scenario.duration / shortest)
                           : std::numeric_limits<std::uint64_t>::max();
  if (std::min(by_time, fault.count.value_or(by_time)) <= most) return;
  at.field("every")->error(
      "E0315",
      fmt::format("fault {} can happen more than 100 000 times in one run", quoted(fault.name)));
}

bool is_once_and_for_all(const FaultKind& kind) {
  return std::holds_alternative<Crash>(kind) || std::holds_alternative<Terminate>(kind) ||
         std::holds_alternative<Drain>(kind);
}

void decode_name(const Reader& at, Scenario& scenario, Fault& out) {
  const std::optional<Reader> name = at.field("name");
  out.name = type_of(out.kind);
  // A fault without a name has its type's, which need not be a label ("apiOutage").
  const bool is_default = name && name->is_text() && name->text() == out.name;
  if (name && !is_default && !read_name(*name, out.name)) return;
  const bool taken = std::any_of(scenario.faults.begin(), scenario.faults.end(),
                                 [&](const Fault& other) { return other.name == out.name; });
  if (!taken) return;
  at.report_field(Diagnostic::Level::error, "name", "E0313",
                  fmt::format("two faults are named {}", quoted(out.name)),
                  {name ? "names of faults are unique"
                        : "a fault without a name is named like its type; give it a name"});
}

// The time from one renewal to the next when nothing varies.
Duration renewal_period(const Scenario& scenario) {
  Duration period{};
  if (!scenario.candidates.empty()) period = scenario.candidates.front().elector.retry_period;
  if (const RoundTrip* latency = std::get_if<RoundTrip>(&scenario.cluster.latency)) {
    if (latency->write.kind == Distribution::Kind::constant)
      period = longer(period, latency->write.low);
  }
  return period;
}

void warn_about_instant(const Reader& at, const Scenario& scenario, const Fault& fault) {
  const std::optional<Reader> instant = at.field("at");
  // The script of one run is about certain instants, and nothing is measured over many.
  if (!instant || fault.at_any || scenario.choices) return;
  if (fault.at.lower_bound() < scenario.warmup) {
    instant->warning(
        "W0304", fmt::format("fault {} can happen within the warm-up", quoted(fault.name)),
        {fmt::format(
            "what begins before {} is not measured; move it behind, or shorten spec.warmup",
            duration_text(scenario.warmup))});
  }
  if (fault.at.kind != Distribution::Kind::constant || fault.target.role != Role::leader) return;
  const Duration period = renewal_period(scenario);
  instant->warning(
      "W0301", fmt::format("fault {} happens at a fixed instant in every run", quoted(fault.name)),
      {fmt::format("the leader renews every {}; the phase it is hit in then depends on the start "
                   "times alone, is not\n"
                   "uniform, and biases the failover distribution; use at: {{uniform: [{}, {}]}}",
                   seconds_text(period), seconds_text(fault.at.low),
                   seconds_text(longer(fault.at.low, period)))});
}

void decode_fault(const Reader& at, const Known& known, Scenario& scenario) {
  if (!at.expect_map()) return;
  Fault out;
  out.origin.where = at.key_where();
  std::optional<FaultKind> kind = read_type(at);
  if (!kind) return;
  out.kind = *kind;
  out.at = Distribution::constant(Duration{});
  const std::size_t errors_before = at.errors();
  std::visit([&](auto& alternative) { decode_kind(at, known, out, alternative); }, *kind);
  out.kind = std::move(*kind);
  decode_instant(at, scenario, out);
  if (!is_once_and_for_all(out.kind)) read_field(at, "duration", out.duration);
  decode_repetition(at, out);
  if (const auto probability = at.field("probability"))
    read_probability(*probability, out.probability);
  decode_name(at, scenario, out);
  limit_occurrences(at, scenario, out);
  if (at.errors() == errors_before) warn_about_instant(at, scenario, out);
  scenario.faults.push_back(std::move(out));
}

std::string_view word_for(const Crash&) {
  return "crash";
}
std::string_view word_for(const Terminate&) {
  return "terminate";
}
std::string_view word_for(const Drain&) {
  return "drain";
}
std::string_view word_for(const Pause&) {
  return "pause";
}
std::string_view word_for(const Partition&) {
  return "partition";
}
std::string_view word_for(const Delay&) {
  return "delay";
}
std::string_view word_for(const Loss&) {
  return "loss";
}
std::string_view word_for(const ApiOutage&) {
  return "apiOutage";
}

}  // namespace

std::string_view type_of(const FaultKind& kind) {
  return std::visit([](const auto& alternative) { return word_for(alternative); }, kind);
}

void decode_faults(const Reader& spec, const Known& known, Scenario& out) {
  const std::optional<Reader> faults = spec.field("faults");
  if (!faults || !faults->expect_list()) return;
  if (faults->items().size() > 1000) {
    faults->error("E0315", "more than 1000 faults");
    return;
  }
  for (const Reader& fault : faults->items()) decode_fault(fault, known, out);
}

void refuse_any_instant(const Document& document,
                        const Scenario& scenario,
                        Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < scenario.faults.size(); ++i) {
    const Fault& fault = scenario.faults[i];
    if (!fault.at_any) continue;
    const Reader root{document, diagnostics};
    const Reader at = root.field("spec")->field("faults")->items().at(i);
    at.field("at")->error(
        "E0320", fmt::format("fault {} has no instant in a run: at is any", quoted(fault.name)),
        {fmt::format("tenure explore {} tries every tick", visible(document.source->name())),
         "a run draws one instant: at: {uniform: [60s, 90s]}"});
  }
}

}  // namespace tenure::scenario
