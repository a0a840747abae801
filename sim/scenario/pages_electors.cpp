#include <tenure/scenario/pages.hpp>

namespace tenure::scenario {
namespace {

constexpr ElectorPage pages[] = {
    {"client-go",
     "version, leaseDuration, renewDeadline, retryPeriod, releaseOnCancel, requestTimeout, "
     "validate, "
     "behaviour",
     "The LeaderElector of k8s.io/client-go, tools/leaderelection, v0.26 to the newest. A leader "
     "renews every retryPeriod and gives up when a renewal has failed for renewDeadline. A "
     "follower "
     "polls every 1 to 2.2 retryPeriods and takes the lease when it has not seen the record change "
     "for leaseDuration by its own monotonic clock: offsets of wall clocks do not matter, rates "
     "do. "
     "Safe while leaseDuration >= renewDeadline + retryPeriod plus latency, and no process is "
     "frozen "
     "for longer than leaseDuration - retryPeriod; nothing fences a leader that goes on too long.\n"
     "Versions: Kubernetes 1.N ships client-go v0.N. controller-runtime v0.14 is built with v0.26, "
     "v0.15 with v0.27 and so on, one by one, up to v0.25 with v0.37 (its go.mod).\n"
     "Judged by recordings of the unmodified package: v0.26.9, v0.27.3, v0.28.8, v0.29.15, "
     "v0.30.14, v0.31.14, v0.32.13, v0.33.13, v0.34.13, v0.35.10, v0.36.6, v0.37.2. Other patch "
     "releases are taken to behave like their minor, by reading."},
    {"naive-loop", "leaseDuration, retryPeriod, requestTimeout, leaderSleep",
     "What many write themselves: read the Lease, compare its renewTime with the own wall clock, "
     "write. A leader has no deadline: it believes until it reads that somebody else holds the "
     "lease, "
     "so that a leader that is cut off never stops, and a wall clock that is ahead steals."},
};

}  // namespace

std::span<const ElectorPage> elector_pages() {
  return pages;
}

}  // namespace tenure::scenario
