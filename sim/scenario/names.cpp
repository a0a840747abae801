#include <algorithm>
#include <array>

#include <tenure/scenario/names.hpp>

namespace tenure::scenario {

namespace {

constexpr Name electors_[] = {
    {"client-go", "Kubernetes client-go's leaderelection package"},
    {"naive-loop", "get, compare renewTime with the wall clock, update; no deadline of its own"},
    {"coordinated", "client-go in coordinated mode: the control plane picks the leader", false},
    {"fabric8", "the Java client of fabric8", false},
    {"java-client", "the official Java client", false},
    {"python-client", "the official Python client", false},
    {"csharp-client", "the official C# client", false},
    {"kube-leader-election", "the Rust crate kube-leader-election", false},
    {"kubert", "the Rust crate kubert", false},
    {"kube-coordinate", "the Rust crate kube-coordinate", false},
    {"sidecar-http", "the leader-elector sidecar, polled over HTTP by the application", false},
    {"leader-for-life", "the operator framework's lock that is never renewed", false},
    {"spring-scheduled", "a scheduled method in a Spring application", false},
    {"spring-configmap", "Spring Cloud Kubernetes with a ConfigMap", false},
    {"pekko", "the Kubernetes lease of Pekko and Akka", false},
    {"shedlock", "ShedLock", false},
    {"etcd-election", "etcd's concurrency.Election", false},
    {"etcd-simple", "a key with a lease and a transaction in etcd", false},
};

constexpr Name faults_[] = {
    {"crash", "the process is gone at once; requests already sent travel on"},
    {"terminate", "SIGTERM, the graceful path, then the process is killed"},
    {"drain", "every candidate of a node terminates and is scheduled elsewhere"},
    {"pause", "process frozen, e.g. SIGSTOP or VM pause"},
    {"partition", "messages between two sides are cut, in one or both directions"},
    {"delay", "extra latency on links"},
    {"loss", "a share of requests and responses is lost"},
    {"apiOutage", "the API server refuses, swallows or answers every request with an error"},
    {"nodeDown", "a node vanishes together with its processes", false},
    {"duplicate", "a share of requests is sent twice", false},
    {"resetPeer", "connections are reset and the client sees an error at once", false},
    {"apiSlow", "the API server's own latency is replaced", false},
    {"apiError", "some requests are answered with an error", false},
    {"apiServerRestart", "requests in flight end with unknown outcome", false},
    {"etcdSlow", "slow storage below the API server", false},
    {"etcdStall", "the storage hangs", false},
    {"etcdLeaderChange", "etcd elects a new leader", false},
    {"etcdQuorumLoss", "etcd has no quorum", false},
    {"etcdCompact", "etcd forgets old revisions", false},
    {"clockStep", "a clock jumps", false},
    {"clockDrift", "a clock's speed changes", false},
    {"clientThrottle", "the client's own rate limit starves renewals", false},
    {"rbacDeny", "a permission is revoked for a while", false},
    {"leaseDelete", "someone deletes the lease by hand", false},
    {"leaseEdit", "someone edits the lease by hand", false},
    {"upgrade", "a rolling change of candidates", false},
    {"pattern", "a composition of other faults", false},
};

constexpr Name properties_[] = {
    {"leaseSafety",
     "one holder per revision; each write had the current version as its base (S1-S3)"},
    {"leaseRecord", "who may change the holder and when, by the writer's own rule (S4-S8)"},
    {"beliefSafety",
     "at most one incarnation believes to lead, and only after a write that names it (B1, B2)"},
    {"validLeader", "a believer is a live process of a declared candidate (V1)"},
    {"boundedFailover", "after the leader fails somebody leads again in time (L1)"},
    {"eventualStability", "one and the same believer at the end, all faults being over (L4)"},
    {"overlapBound", "every overlap of beliefs is at most so long (B3)", false},
    {"actionSafety", "no two incarnations work at once (A1)", false},
    {"fencedSafety", "no sink accepts an older token after a newer one (A2)", false},
    {"uniqueIdentity", "no identity is used by two live processes (V2)", false},
    {"noPrematureLoss", "no loss while no fault is active (L2)", false},
    {"noFlapping", "at most so many holder changes per window (L3)", false},
    {"stepDownBound", "a leader that is cut off stops in time (L5)", false},
    {"linearizableApi", "the API server's reads and writes are linearizable (H1, H2)", false},
    {"watchGuarantees", "watches deliver in order and without gaps (W1-W6)", false},
    {"rbacRespected", "nothing happens that no role allows (R1)", false},
    {"alertSensitivity", "a rule fires when it must (M1)", false},
    {"alertSpecificity", "a rule stays silent when it must (M2)", false},
    {"alertAbsence", "a rule notices that everybody is gone (M3)", false},
    {"alertSplit", "a rule notices two leaders (M4)", false},
};

constexpr Name metrics_[] = {
    {"failover",
     "from the begin of a fault that hits a believer to the next begin of a belief; one sample per "
     "such fault"},
    {"gap", "the longest interval without a believer; one sample per run"},
    {"leaderless", "the share of the time in which nobody believes; one sample per run"},
    {"overlap", "the longest interval with two or more believers; one sample per run"},
    {"overlap.running",
     "the longest interval with two or more believers that are not frozen; one sample per run"},
    {"transitions", "writes that name another holder than the last one; one sample per run"},
    {"restarts", "process starts after the first of each process; one sample per run"},
    {"api.requestsPerSecond",
     "requests received by API servers per second until the first fault begins; one sample per "
     "run"},
    {"api.conflicts", "answers 409 Conflict; one sample per run"},
    {"work.missed", "units of work never done", false},
    {"work.late", "units of work begun more than a period late", false},
    {"work.duplicated", "units of work done more than once", false},
    {"work.rejected", "units of work refused for an old token", false},
    {"alert.delay", "from the begin of a fault to the alert; one sample per expected firing",
     false},
};

constexpr Alias field_aliases_[] = {
    {"ttl", "leaseDuration"},
    {"lease", "leaseDuration"},
    {"leaseTime", "leaseDuration"},
    {"leaseDurationSeconds", "leaseDuration"},
    {"renewTime", "renewDeadline"},
    {"renewInterval", "retryPeriod"},
    {"renewPeriod", "retryPeriod"},
    {"interval", "retryPeriod"},
    {"leaderElectLeaseDuration", "leaseDuration"},
    {"leaderElectRenewDeadline", "renewDeadline"},
    {"leaderElectRetryPeriod", "retryPeriod"},
    {"timeout", "requestTimeout"},
    {"behavior", "behaviour"},
    {"repetitions", "runs"},
    {"iterations", "runs"},
    {"length", "duration"},
    {"time", "at"},
    {"when", "at"},
    {"start", "at"},
    {"for", "duration"},
    {"kind", "type"},
    {"pods", "replicas"},
    {"skew", "offset"},
    {"drift", "rate"},
    {"speed", "rate"},
    {"checks", "properties"},
    {"invariants", "properties"},
    {"limits", "thresholds"},
    {"chaos", "faults"},
    {"who", "target"},
    {"fraction", "probability"},
    {"probability", "fraction"},
    {"percent", "fraction"},
    {"interval", "every"},
    {"period", "every"},
    {"release", "releaseOnCancel"},
    {"grid", "tick"},
    {"step", "tick"},
    {"depth", "maxTick"},
    {"states", "maxStates"},
    {"memory", "maxMemory"},
    {"exploration", "explore"},
    {"script", "choices"},
    {"stream", "of"},
};

constexpr Alias fault_aliases_[] = {
    {"freeze", "pause"},
    {"sigstop", "pause"},
    {"stop", "pause"},
    {"gc", "pause"},
    {"suspend", "pause"},
    {"hang", "pause"},
    {"kill", "crash"},
    {"sigkill", "crash"},
    {"pod-kill", "crash"},
    {"container-kill", "crash"},
    {"die", "crash"},
    {"oom", "crash"},
    {"sigterm", "terminate"},
    {"shutdown", "terminate"},
    {"pod-delete", "terminate"},
    {"delete", "terminate"},
    {"node-drain", "drain"},
    {"evict", "drain"},
    {"cut", "partition"},
    {"isolate", "partition"},
    {"split", "partition"},
    {"netsplit", "partition"},
    {"disconnect", "partition"},
    {"latency", "delay"},
    {"slow", "delay"},
    {"lag", "delay"},
    {"drop", "loss"},
    {"packetLoss", "loss"},
    {"outage", "apiOutage"},
    {"apiDown", "apiOutage"},
    {"apiserverDown", "apiOutage"},
    {"node-restart", "nodeDown"},
    {"timeSkew", "clockStep"},
    {"skew", "clockStep"},
    {"bump", "clockStep"},
    {"drift", "clockDrift"},
    {"rollout", "upgrade"},
    {"abort", "resetPeer"},
    {"reset_peer", "resetPeer"},
    {"throttle", "clientThrottle"},
};

}  // namespace

std::span<const Name> electors() {
  return electors_;
}
std::span<const Name> faults() {
  return faults_;
}
std::span<const Name> properties() {
  return properties_;
}
std::span<const Name> metrics() {
  return metrics_;
}
std::span<const Alias> field_aliases() {
  return field_aliases_;
}
std::span<const Alias> fault_aliases() {
  return fault_aliases_;
}

const Name* find_name(std::span<const Name> names, std::string_view name) {
  const auto found =
      std::find_if(names.begin(), names.end(), [&](const Name& n) { return n.name == name; });
  return found == names.end() ? nullptr : &*found;
}

std::vector<std::string_view> words_of(std::span<const Name> names) {
  std::vector<std::string_view> words;
  for (const Name& name : names) words.push_back(name.name);
  return words;
}

}  // namespace tenure::scenario
