#include <chrono>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/scenario/preset.hpp>

using namespace tenure;
using namespace tenure::scenario;
using namespace std::chrono_literals;

// interface, section 3.
TEST_CASE("the twenty presets have the names that the interface lists, in its order") {
  const std::vector<std::string_view> expected{"kube-controller-manager",
                                               "kube-scheduler",
                                               "cloud-controller-manager",
                                               "controller-runtime",
                                               "openshift",
                                               "openshift-single-node",
                                               "descheduler",
                                               "cert-manager",
                                               "cluster-api",
                                               "cluster-api-control-plane",
                                               "karpenter",
                                               "istio",
                                               "ingress-nginx",
                                               "csi-sidecar",
                                               "argo-workflows",
                                               "flux",
                                               "knative",
                                               "kubevirt",
                                               "kube-vip",
                                               "leader-elector-sidecar"};
  std::vector<std::string_view> names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  CHECK(names == expected);
}

// client-go-elector.md, section 8.
TEST_CASE("durations and release are those of the table") {
  struct Row {
    std::string_view name;
    Duration lease, renew, retry;
    bool release;
  };
  const Row table[] = {{"kube-controller-manager", 15s, 10s, 2s, false},
                       {"kube-scheduler", 15s, 10s, 2s, true},
                       {"cloud-controller-manager", 15s, 10s, 2s, false},
                       {"controller-runtime", 15s, 10s, 2s, false},
                       {"openshift", 137s, 107s, 26s, true},
                       {"openshift-single-node", 270s, 240s, 60s, true},
                       {"descheduler", 137s, 107s, 26s, true},
                       {"cert-manager", 60s, 40s, 15s, true},
                       {"cluster-api", 15s, 10s, 2s, false},
                       {"cluster-api-control-plane", 60s, 40s, 5s, false},
                       {"karpenter", 15s, 10s, 2s, true},
                       {"istio", 30s, 15s, 7500ms, true},
                       {"ingress-nginx", 30s, 15s, 7500ms, false},
                       {"csi-sidecar", 15s, 10s, 5s, false},
                       {"argo-workflows", 15s, 10s, 5s, false},
                       {"flux", 35s, 30s, 5s, true},
                       {"knative", 15s, 10s, 2s, false},
                       {"kubevirt", 15s, 10s, 2s, false},
                       {"kube-vip", 5s, 3s, 1s, false},
                       {"leader-elector-sidecar", 10s, 5s, 2500ms, false}};
  for (const Row& row : table) {
    INFO(row.name);
    const Preset* preset = preset_named(row.name);
    REQUIRE(preset != nullptr);
    CHECK(preset->lease_duration == row.lease);
    CHECK(preset->renew_deadline == row.renew);
    CHECK(preset->retry_period == row.retry);
    CHECK(preset->release_on_cancel == row.release);
    CHECK(preset->replicas == 3);
  }
}

TEST_CASE("what the table marks unverified is marked assumed") {
  for (const Preset& preset : presets()) {
    INFO(preset.name);
    const std::set<std::string_view> unverified{"knative", "kubevirt", "kube-vip"};
    CHECK(preset.assumed.release_on_cancel == unverified.contains(preset.name));
  }
}

// client-go-elector.md, sections 8 (scheduler), 8.1, 8.2 and 9.3 (OpenShift, Flux).
TEST_CASE("request timeouts are taken from the source where it states one") {
  struct Row {
    std::string_view name;
    Duration timeout;
  };
  const Row table[] = {{"kube-scheduler", 5s}, {"controller-runtime", 5s},      {"karpenter", 5s},
                       {"openshift", 107s},    {"openshift-single-node", 240s}, {"flux", 15s}};
  for (const auto& row : table) {
    INFO(row.name);
    CHECK(preset_named(row.name)->request_timeout == row.timeout);
    CHECK_FALSE(preset_named(row.name)->assumed.request_timeout);
  }
  CHECK(preset_named("cert-manager")->request_timeout == 20s);
  CHECK(preset_named("cert-manager")->assumed.request_timeout);
}

TEST_CASE("identity rules are those of the table") {
  CHECK(preset_named("csi-sidecar")->identity == IdentityRule::host_name);
  CHECK(preset_named("kube-vip")->identity == IdentityRule::node_name);
  CHECK(preset_named("kube-controller-manager")->identity == IdentityRule::host_and_uuid);
  CHECK_FALSE(preset_named("kube-controller-manager")->assumed.identity);
  CHECK(preset_named("istio")->assumed.identity);
}

TEST_CASE("the sidecar is not a client-go elector and has no request timeout") {
  const Preset* sidecar = preset_named("leader-elector-sidecar");
  CHECK(sidecar->elector == "sidecar-http");
  CHECK_FALSE(sidecar->request_timeout);
}

TEST_CASE("every preset names a repository, a file and a commit or version") {
  for (const Preset& preset : presets()) {
    INFO(preset.name);
    CHECK(preset.source.find('/') != std::string_view::npos);
    CHECK(preset.source.find(".go (") != std::string_view::npos);
    CHECK(preset.source.find('\n') == std::string_view::npos);
    CHECK_FALSE(preset.component.empty());
  }
}

TEST_CASE("a preset is found by its durations") {
  CHECK(preset_with(15s, 10s, 2s)->name == "kube-controller-manager");
  CHECK(preset_with(60s, 40s, 5s)->name == "cluster-api-control-plane");
  CHECK(preset_with(10s, 5s, 2500ms) == nullptr);
  CHECK(preset_named("kube-apiserver") == nullptr);
}
