#include <algorithm>
#include <array>
#include <chrono>

#include <tenure/scenario/preset.hpp>

namespace tenure::scenario {
namespace {

using namespace std::chrono_literals;

// What a row starts from: the defaults of component-base (config/v1alpha1/defaults.go, 349fbe063),
// and for what most sources leave open the client that client-go itself would build, with
// max(1s, renewDeadline/2) for a request.
constexpr Preset plain{.lease_duration = 15s,
                       .renew_deadline = 10s,
                       .retry_period = 2s,
                       .request_timeout = 5s,
                       .assumed = {.request_timeout = true, .identity = true}};

constexpr Preset with_durations(Preset preset, Duration lease, Duration renew, Duration retry) {
  preset.lease_duration = lease;
  preset.renew_deadline = renew;
  preset.retry_period = retry;
  preset.request_timeout = std::max<Duration>(1s, renew / 2);
  return preset;
}

constexpr Preset named(Preset preset,
                       std::string_view name,
                       std::string_view component,
                       std::string_view source,
                       std::string_view remark = {}) {
  preset.name = name;
  preset.component = component;
  preset.source = source;
  preset.remark = remark;
  return preset;
}

constexpr Preset released(Preset preset) {
  preset.release_on_cancel = true;
  return preset;
}

constexpr Preset release_unverified(Preset preset) {
  preset.assumed.release_on_cancel = true;
  return preset;
}

constexpr Preset with_timeout(Preset preset, Duration timeout) {
  preset.request_timeout = timeout;
  preset.assumed.request_timeout = false;
  return preset;
}

constexpr Preset identified(Preset preset, IdentityRule rule) {
  preset.identity = rule;
  preset.assumed.identity = false;
  return preset;
}

// The Manager of controller-runtime: lock client with max(1s, renewDeadline/2), host name and UUID.
constexpr Preset managed(Preset preset) {
  const Duration timeout = std::max<Duration>(1s, preset.renew_deadline / 2);
  return identified(with_timeout(preset, timeout), IdentityRule::host_and_uuid);
}

// Its durations are fractions of one flag, --ttl, and its lock is an annotation of an Endpoints
// object; applications ask it over HTTP who leads.
constexpr Preset sidecar(Duration ttl) {
  return {.elector = "sidecar-http",
          .lease_duration = ttl,
          .renew_deadline = ttl / 2,
          .retry_period = ttl / 4,
          .identity = IdentityRule::host_name,
          .assumed = {.identity = true}};
}

constexpr Preset openshift_ha = with_durations(plain, 137s, 107s, 26s);

constexpr std::array all{
    named(identified(plain, IdentityRule::host_and_uuid),
          "kube-controller-manager",
          "Kubernetes controller manager",
          "kubernetes/kubernetes cmd/kube-controller-manager/app/controllermanager.go (00115d34e)",
          "ends on loss; releases from 1.36 on behind the alpha gate "
          "ControllerManagerReleaseLeaderElectionLockOnExit"),
    named(with_timeout(released(plain), 5s),
          "kube-scheduler",
          "Kubernetes scheduler",
          "kubernetes/kubernetes cmd/kube-scheduler/app/options/options.go (008b36529)"),
    named(plain,
          "cloud-controller-manager",
          "Kubernetes cloud controller manager",
          "kubernetes/cloud-provider app/controllermanager.go (46666112f)"),
    named(managed(plain),
          "controller-runtime",
          "controller-runtime Manager",
          "kubernetes-sigs/controller-runtime pkg/manager/internal.go (86a0d40e0)",
          "on SIGTERM the work is drained first and the election ends after it"),
    named(with_timeout(released(openshift_ha), 107s),
          "openshift",
          "OpenShift, high availability",
          "openshift/library-go pkg/config/leaderelection/leaderelection.go (93ac9206a)"),
    named(with_timeout(released(with_durations(plain, 270s, 240s, 60s)), 240s),
          "openshift-single-node",
          "OpenShift, single node",
          "openshift/library-go pkg/config/leaderelection/leaderelection.go (93ac9206a)",
          "meant for one replica: the margin is negative"),
    named(released(openshift_ha),
          "descheduler",
          "descheduler",
          "kubernetes-sigs/descheduler cmd/descheduler/app/options/options.go (7d2b28bf2)"),
    named(released(with_durations(plain, 60s, 40s, 15s)),
          "cert-manager",
          "cert-manager controller and cainjector",
          "cert-manager/cert-manager internal/apis/config/shared/v1alpha1/defaults.go (2d0d7f7f7)"),
    named(plain,
          "cluster-api",
          "Cluster API core and kubeadm bootstrap",
          "kubernetes-sigs/cluster-api core/main.go (ae7ff047d)"),
    named(with_durations(plain, 60s, 40s, 5s),
          "cluster-api-control-plane",
          "Cluster API kubeadm control plane",
          "kubernetes-sigs/cluster-api controlplane/kubeadm/main.go (ae7ff047d)"),
    named(managed(released(plain)),
          "karpenter",
          "Karpenter",
          "kubernetes-sigs/karpenter pkg/operator/operator.go (226646810)"),
    named(released(with_durations(plain, 30s, 15s, 7500ms)),
          "istio",
          "Istio pilot",
          "istio/istio pilot/pkg/leaderelection/leaderelection.go (86c9f01fd)",
          "a fork of client-go: judges expiry by its own leaseDuration and can take over by "
          "priority; "
          "modelled as client-go"),
    named(with_durations(plain, 30s, 15s, 7500ms),
          "ingress-nginx",
          "ingress-nginx",
          "kubernetes/ingress-nginx internal/ingress/controller/status.go (108637bb1)",
          "an older tree; newer ones are unverified"),
    named(identified(with_durations(plain, 15s, 10s, 5s), IdentityRule::host_name),
          "csi-sidecar",
          "CSI sidecars (csi-lib-utils)",
          "kubernetes-csi/csi-lib-utils leaderelection/leader_election.go (26e98549b)"),
    named(with_durations(plain, 15s, 10s, 5s),
          "argo-workflows",
          "Argo Workflows controller",
          "argoproj/argo-workflows cmd/workflow-controller/main.go (f016ad89e)"),
    named(with_timeout(released(with_durations(plain, 35s, 30s, 5s)), 15s),
          "flux",
          "Flux controllers",
          "fluxcd/pkg runtime/leaderelection/leaderelection.go (0e9caec25)"),
    named(release_unverified(plain),
          "knative",
          "Knative",
          "knative/pkg leaderelection/config.go (0b3b20433)"),
    named(release_unverified(plain),
          "kubevirt",
          "KubeVirt virt-controller",
          "kubevirt/kubevirt pkg/virt-controller/leaderelectionconfig/config.go (v1.2.0)"),
    named(
        identified(release_unverified(with_durations(plain, 5s, 3s, 1s)), IdentityRule::node_name),
        "kube-vip",
        "kube-vip",
        "kube-vip/kube-vip cmd/kube-vip.go (00337a756)"),
    named(sidecar(10s),
          "leader-elector-sidecar",
          "leader-elector sidecar 0.5",
          "kubernetes-retired/contrib election/lib/election.go (18caf7869)",
          "ttl 10s; the deadline counts from the last success; locks an Endpoints object, not a "
          "Lease"),
};

}  // namespace

std::span<const Preset> presets() {
  return all;
}

const Preset* preset_named(std::string_view name) {
  const auto found = std::ranges::find(all, name, &Preset::name);
  return found == all.end() ? nullptr : &*found;
}

const Preset* preset_with(Duration lease_duration, Duration renew_deadline, Duration retry_period) {
  const auto found = std::ranges::find_if(all, [&](const Preset& preset) {
    return preset.elector == "client-go" && preset.lease_duration == lease_duration &&
           preset.renew_deadline == renew_deadline && preset.retry_period == retry_period;
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace tenure::scenario
