#include <tenure/scenario/pages.hpp>

namespace tenure::scenario {
namespace {

constexpr std::string_view plain_options = "expect, allowVacuous";

constexpr PropertyPage properties_[] = {
    {"leaseSafety", "S1, S2, S3",
     "Each revision has one holder, each applied write had its predecessor as its base, and a "
     "write "
     "with a stale base is refused.",
     "The API server's, so it must hold whatever the elector does. Always checked, from the start "
     "of the run.",
     "any applied write", "two writes applied on the same version of the Lease", plain_options},
    {"leaseRecord", "S4, S5, S6, S7, S8",
     "The holder changes only by the new holder's own write or to nobody; a holder that did not "
     "release is replaced only when the writer's own rule calls it expired; leaseTransitions "
     "counts "
     "the changes; one holder's renewTime never goes back; acquireTime is constant during a "
     "tenure.",
     "The elector's. S7 only warns (W0305).", "a change of holder",
     "a process that empties the record of another one (a stale release), or takes a lease whose "
     "holder still renews",
     plain_options},
    {"beliefSafety", "B1, B2",
     "At most one incarnation believes to lead, and only after an applied write that names it.",
     "The elector's, as long as its assumptions hold: clock rates, pauses, latency. A Lease "
     "without "
     "fencing cannot promise more.",
     "a take-over: a second incarnation began to believe in some run",
     "two believers at once, with the time and both names; or a believer whom no write names",
     "expect, allowVacuous, level"},
    {"validLeader", "V1",
     "A believer is a live process of a declared candidate; a frozen one still counts as live.",
     "The simulator's and the elector's.", "any belief",
     "a process that has ended and is still "
     "counted as a believer",
     "expect, allowVacuous, level"},
    {"boundedFailover", "L1",
     "After the leader fails (its process ends, is frozen, or is cut off) somebody leads again in "
     "time.",
     "The elector's: for client-go L + 2(1+J)R, plus latency.",
     "a failure after which some candidate was up, connected and answered all the while",
     "nobody believes to lead when the time is over", "expect, allowVacuous, level, within"},
    {"eventualStability", "L4",
     "One and the same process leads over the last window of the run, all faults being over.",
     "The elector's.", "faults that ended before the window begins, or none",
     "a belief that begins or ends in the window, nobody, or two believers",
     "expect, allowVacuous, level, window"},
};

constexpr MetricPage metrics_[] = {
    {"failover", "time",
     "A belief begins when the reply of the acquiring write is handled, not when the write "
     "commits. "
     "The same leader in a new term counts. Nobody by the end of the run: the sample is censored "
     "and "
     "counts as longer than every bound. failover[NAME] counts the fault NAME alone."},
    {"gap", "time",
     "0 when somebody believed all the time. Compare it with what your work can wait."},
    {"leaderless", "share of the time", "From the warm-up to the end; a fault-free run has 0."},
    {"overlap", "time",
     "A frozen process still believes, so that a pause counts from the rival's begin. 0 when there "
     "was never more than one believer."},
    {"overlap.running", "time",
     "As overlap, but only while both of them run: the time in which both can do harm."},
    {"transitions", "number",
     "Counted at the API server; the Lease's own leaseTransitions may differ, because it also "
     "counts "
     "a holder that comes back after its release."},
    {"restarts", "number", "Restarts of all processes together, whatever ended them."},
    {"api.requestsPerSecond", "number per second",
     "The load in steady state: for client-go 1/R of the leader and about 1/(1.6 R) of each "
     "follower. Requests that never arrived do not count."},
    {"api.conflicts", "number",
     "Writes that came too late: two candidates tried at once, or a leader was overtaken."},
};

}  // namespace

std::span<const PropertyPage> property_pages() {
  return properties_;
}

std::span<const MetricPage> metric_pages() {
  return metrics_;
}

}  // namespace tenure::scenario
