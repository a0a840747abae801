#include "decode.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/base/variant.hpp>
#include <tenure/scenario/grid.hpp>

namespace tenure::scenario {

namespace {

constexpr std::string_view api_version = "tenure/v1alpha1";
constexpr std::int64_t most_runs = 1'000'000'000;

// Documents that will become part of a scenario, or a kind of their own, one day.
constexpr std::string_view other_kinds[] = {
    "Role",           "RoleBinding", "ClusterRole",   "ClusterRoleBinding",
    "PrometheusRule", "Lease",       "LeaseCandidate"};

void check_kind(const Reader& kind) {
  if (kind.text() == "Scenario") return;
  if (std::find(std::begin(other_kinds), std::end(other_kinds), kind.text()) !=
      std::end(other_kinds)) {
    return kind.not_modelled(fmt::format("kind {}", kind.text()));
  }
  kind.error("E0214", fmt::format("{} is not a kind that can be run here", quoted(kind.text())),
             {"expected: Scenario"});
}

void decode_head(const Reader& root, Scenario& out) {
  root.has_fields({"apiVersion", "kind", "metadata", "spec"});
  decode_version(root);
  if (const auto kind = root.required("kind"); kind && kind->expect_text("a kind"))
    check_kind(*kind);
  const std::optional<Reader> metadata = root.required("metadata");
  if (!metadata || !metadata->has_fields({"name", "description"})) return;
  if (const auto name = metadata->required("name")) read_name(*name, out.name);
  read_field(*metadata, "description", out.description);
}

void decode_lease(const Reader& spec, Scenario& out) {
  const std::optional<Reader> lease = spec.field("lease");
  if (!lease || !lease->has_fields({"name", "namespace"})) return;
  if (const auto name = lease->field("name")) read_name(*name, out.lease.name);
  if (const auto space = lease->field("namespace")) read_name(*space, out.lease.space);
}

void decode_nodes(const Reader& cluster, Scenario& out, Known& known) {
  const std::optional<Reader> nodes = cluster.field("nodes");
  if (!nodes || !nodes->expect_list()) return;
  for (const Reader& item : nodes->items()) {
    if (!item.has_fields({"name", "zone"})) continue;
    ClusterNode node;
    const std::optional<Reader> name = item.required("name");
    if (!name || !read_name(*name, node.name)) continue;
    if (const auto zone = item.field("zone"); zone && read_name(*zone, node.zone))
      known.zones.insert(node.zone);
    if (!known.nodes.insert(node.name).second) {
      name->error("E0312", fmt::format("two nodes are named {}", quoted(node.name)));
    }
    out.cluster.nodes.push_back(std::move(node));
  }
}

void decode_latency(const Reader& cluster, Latency& out) {
  const std::optional<Reader> latency = cluster.field("latency");
  if (!latency || !latency->has_fields({"read", "write", "request", "response"}, {"profile"}))
    return;
  const bool one_way = latency->field("request") || latency->field("response");
  if (one_way && (latency->field("read") || latency->field("write"))) {
    latency->error_at_key(
        "E0218", "latency is either read and write or request and response",
        {"read, write: round trips by verb; request, response: one way each, for all verbs"});
    return;
  }
  if (!one_way) {
    read_field(*latency, "read", std::get<RoundTrip>(out).read);
    read_field(*latency, "write", std::get<RoundTrip>(out).write);
    return;
  }
  OneWay ways;
  if (const auto request = latency->required("request")) read(*request, ways.request);
  if (const auto response = latency->required("response")) read(*response, ways.response);
  out = std::move(ways);
}

void decode_cluster(const Reader& spec, Scenario& out, Known& known) {
  out.cluster.latency = RoundTrip{Distribution::constant(std::chrono::milliseconds{3}),
                                  Distribution::constant(std::chrono::milliseconds{5})};
  const std::optional<Reader> cluster = spec.field("cluster");
  if (!cluster ||
      !cluster->has_fields({"nodes", "apiServers", "latency", "rbac"},
                           {"kubernetesVersion", "zones", "etcd", "featureGates", "heartbeats"})) {
    return;
  }
  decode_nodes(*cluster, out, known);
  decode_latency(*cluster, out.cluster.latency);
  std::int64_t servers = 1;
  if (const auto at = cluster->field("apiServers");
      at && read_in_range(*at, 1, 1000, servers) && servers > 1) {
    at->not_modelled("more than one API server");
  }
  if (const auto rbac = cluster->field("rbac"); rbac && rbac->expect_text("allowAll")) {
    constexpr std::string_view words[] = {"allowAll", "fromDocuments"};
    if (rbac->text() == "fromDocuments") {
      rbac->not_modelled("rbac: fromDocuments");
    } else if (rbac->text() != "allowAll") {
      report_unknown_word(*rbac, "a source of permissions", words);
    }
  }
}

void decode_runs(const Reader& spec, Scenario& out) {
  read_field(spec, "seed", out.seed);
  if (out.choices) out.runs = 1;
  const std::optional<Reader> runs = spec.field("runs");
  if (!runs || !read(*runs, out.runs)) return;
  if (out.choices && out.runs != 1) {
    runs->error("E0218", fmt::format("choices are the script of one run, and runs is {}", out.runs),
                {"every run would be the same; leave runs out, or choices"});
    return;
  }
  if (out.runs == 0) runs->error("E0209", "runs must be at least 1");
  if (out.runs > most_runs)
    runs->error("E0315", fmt::format("{} runs; the limit is {}", out.runs, most_runs));
}

void decode_times(const Reader& spec, Scenario& out) {
  if (const auto duration = spec.field("duration");
      duration && read(*duration, out.duration) && out.duration == Duration{}) {
    duration->error("E0209", "duration must be greater than zero");
    return;
  }
  read_field(spec, "warmup", out.warmup);
  if (out.warmup < out.duration) return;
  std::vector<std::string> hints = spec.origins_of({"warmup", "duration"});
  hints.insert(hints.begin(), "nothing would be measured");
  spec.report_field(
      Diagnostic::Level::error, spec.field("warmup") ? "warmup" : "duration", "E0310",
      fmt::format("warmup ({}{}) must be less than duration ({})", duration_text(out.warmup),
                  spec.field("warmup") ? "" : " by default", duration_text(out.duration)),
      std::move(hints));
}

void decode_record(const Reader& spec, Record& out) {
  const std::optional<Reader> record = spec.field("record");
  if (!record) return;
  if (record->is_map()) {
    if (!record->has_fields({"first"})) return;
    if (const auto first = record->required("first"); first && read(*first, out.first))
      out.which = Record::Which::first;
    return;
  }
  static constexpr Word<Record::Which> choices[] = {{"none", Record::Which::none},
                                                    {"failures", Record::Which::failures},
                                                    {"all", Record::Which::all}};
  read_word(*record, "none, failures, all or {first: N}", choices, out.which);
}

void decode_spec(const Reader& spec, Scenario& out) {
  if (!spec.has_fields({"duration", "warmup", "runs", "seed", "lease", "cluster", "candidates",
                        "faults", "properties", "thresholds", "alerts", "stopping", "record",
                        "explore", "choices"})) {
    return;
  }
  Known known;
  decode_times(spec, out);
  decode_choices(spec, out);
  decode_runs(spec, out);
  decode_lease(spec, out);
  decode_cluster(spec, out, known);
  decode_candidates(spec, out, known);
  decode_explore(spec, out);
  decode_faults(spec, known, out);
  decode_properties(spec, out);
  decode_thresholds(spec, out);
  decode_alerts(spec, out);
  decode_stopping(spec, out);
  decode_record(spec, out.record);
}

}  // namespace

void decode_version(const Reader& root) {
  const auto version = root.required("apiVersion");
  if (!version || !version->expect_text("a version") || version->text() == api_version) return;
  version->error("E0213", fmt::format("{} is not a version of scenarios", quoted(version->text())),
                 {fmt::format("this version of tenure reads {}", api_version)});
}

void report_unknown_name(const Reader& at,
                         std::string_view kind,
                         std::string_view name,
                         const std::set<std::string, std::less<>>& names) {
  const std::vector<std::string_view> words{names.begin(), names.end()};
  std::vector<std::string> hints;
  if (names.size() <= 200) {
    if (const auto meant = did_you_mean(name, words))
      hints.push_back(fmt::format("did you mean \"{}\"?", *meant));
  }
  at.error("E0317", fmt::format("there is no {} {} in this scenario", kind, quoted(name)),
           std::move(hints));
}

Duration shortest_round_trip(const Latency& latency) {
  return std::visit(overloaded{[](const RoundTrip& l) {
                                 return std::min(l.read.lower_bound(), l.write.lower_bound());
                               },
                               [](const OneWay& l) {
                                 return longer(l.request.lower_bound(), l.response.lower_bound());
                               }},
                    latency);
}

std::string kind_of(const Document& document) {
  const Entry* kind = document.root->find("kind");
  return kind == nullptr ? std::string{} : kind->value->text;
}

std::optional<Scenario> decode(const Document& document, Diagnostics& diagnostics) {
  const Reader root{document, diagnostics};
  Scenario out;
  if (root.expect_map()) {
    decode_head(root, out);
    if (const std::optional<Reader> spec = root.required("spec")) decode_spec(*spec, out);
  }
  if (diagnostics.errors() > 0) return std::nullopt;
  // A script on a grid is run on it, so that all of it has to fit.
  if (out.choices && out.choices->tick)
    report_off_grid(document, on_grid(out, *out.choices->tick).problems, diagnostics);
  if (diagnostics.errors() > 0) return std::nullopt;
  return out;
}

}  // namespace tenure::scenario
