#include <tenure/scenario/pages.hpp>

namespace tenure::scenario {
namespace {

constexpr std::string_view distribution =
    "distribution: 5ms, {uniform: [1ms, 9ms]}, {exponential: {mean: 5ms}}, "
    "{lognormal: {p50: 4ms, p99: 40ms}}, {empirical: [[4ms, 0.5], [80ms, 1]]}, {mixture: [...]}";

constexpr std::string_view instant =
    "any, or a distribution: 60s, {uniform: [60s, 62s]}, ...; all forms: spec.faults.duration";

constexpr FieldPage pages[] = {
    {"apiVersion", "text", "required", "The version of the format: tenure/v1alpha1."},
    {"kind", "text", "required", "What the document is: Scenario."},
    {"metadata", "map", "required", "The name of the scenario and what it is about."},
    {"metadata.name", "name: a DNS-1123 label", "required",
     "The scenario's name in reports, results and file names."},
    {"metadata.description", "text", "empty", "A sentence for readers; it changes nothing."},
    {"spec", "map", "required", "Everything that is simulated and asked."},
    {"spec.duration", "duration", "5m", "Simulated time of one run."},
    {"spec.warmup", "duration", "30s",
     "Metrics and properties count from here; leaseSafety is always on. What began earlier counts "
     "from here, and a fault that can fall into the warm-up is a warning (W0304). Must be less "
     "than "
     "duration."},
    {"spec.runs", "whole number", "1000; 1 with choices",
     "How many runs are made, at most 10^9. Run i draws from streams keyed by the seed, i, the "
     "actor "
     "and the purpose, so that more runs never change the ones there were. --runs overrides it."},
    {"spec.seed", "whole number", "1",
     "The key of all random streams. The same seed gives the same bytes, whatever -j is. --seed "
     "overrides it."},
    {"spec.lease", "map", "{name: leader, namespace: default}", "The contested Lease object."},
    {"spec.lease.name", "name", "leader", "Name of the Lease object."},
    {"spec.lease.namespace", "name", "default", "Its namespace."},
    {"spec.cluster", "map", "one API server, 3ms and 5ms", "Nodes, API servers and the network."},
    {"spec.cluster.nodes", "list of {name, zone}", "one node per process, named like it",
     "Where processes can run; faults can target nodes and zones."},
    {"spec.cluster.nodes.name", "name", "required", "The node's name: target node/NAME."},
    {"spec.cluster.nodes.zone", "name", "none", "The node's zone: target zone/NAME."},
    {"spec.cluster.apiServers", "whole number", "1",
     "API server instances behind a load balancer; this version has one."},
    {"spec.cluster.latency", "map", "{read: 3ms, write: 5ms}",
     "How long requests take: either round trips by verb (read, write) or one-way delays (request, "
     "response), not both. The server itself takes no time."},
    {"spec.cluster.latency.read", distribution, "3ms",
     "Round trip of a GET: one draw per request, half each way."},
    {"spec.cluster.latency.write", distribution, "5ms",
     "Round trip of everything else: one draw per request, half each way."},
    {"spec.cluster.latency.request", distribution, "required with response",
     "The way to the API server, drawn for each request of any verb."},
    {"spec.cluster.latency.response", distribution, "required with request",
     "The way back, drawn separately."},
    {"spec.cluster.rbac", "allowAll", "allowAll",
     "Who may do what. This version allows everything."},
    {"spec.candidates", "list", "required",
     "Groups of identical processes that compete for the lease."},
    {"spec.candidates.name", "name", "required",
     "The group's name; its processes are NAME-0, NAME-1, ..., targets candidate/NAME-0, ..."},
    {"spec.candidates.replicas", "whole number", "1", "Processes in the group."},
    {"spec.candidates.nodes", "list of node names", "all nodes of the cluster",
     "Where the group may run; replicas go round robin."},
    {"spec.candidates.elector", "map", "required", "The election library and its settings."},
    {"spec.candidates.elector.type", "name", "required",
     "Which library: tenure list electors. The other fields depend on it."},
    {"spec.candidates.elector.version", "version: v0.26 to the newest", "newest modelled",
     "client-go: the behaviour of that release, where releases differ."},
    {"spec.candidates.elector.leaseDuration", "duration", "15s",
     "How long others wait, since they last saw the record change, before they may take the lease "
     "(LeaderElectionConfiguration.leaseDuration). The Lease carries whole seconds. client-go "
     "wants "
     "it greater than renewDeadline (E0301)."},
    {"spec.candidates.elector.renewDeadline", "duration", "10s",
     "client-go: how long a leader tries one renewal before it gives up leading. Must be greater "
     "than 1.2 times retryPeriod (E0302)."},
    {"spec.candidates.elector.retryPeriod", "duration", "2s",
     "The wait between two attempts. A leader waits exactly so long after a renewal; a client-go "
     "follower up to 2.2 times as long."},
    {"spec.candidates.elector.releaseOnCancel", "true or false", "false",
     "client-go: write an empty holder when leading ends, so that the next leader need not wait."},
    {"spec.candidates.elector.requestTimeout", "duration or none",
     "client-go max(1s, renewDeadline/2), naive-loop none",
     "Time limit of one request. none: a request may wait for ever."},
    {"spec.candidates.elector.validate", "true or false", "true",
     "client-go: its own checks at start. false simulates a process without them."},
    {"spec.candidates.elector.leaderSleep", "duration", "retryPeriod",
     "naive-loop: the wait of a leader between two renewals."},
    {"spec.candidates.elector.behaviour", "map", "from version",
     "client-go: single knobs of the profile, to ask what a change of the library would do."},
    {"spec.candidates.elector.behaviour.fastPath", "true or false", "from version",
     "Whether a leader renews with the version it remembers instead of reading first."},
    {"spec.candidates.elector.behaviour.expiryBy", "record or own", "record",
     "Whose leaseDuration decides that the holder's time is over: the one in the record, or the "
     "candidate's own."},
    {"spec.candidates.elector.behaviour.release", "none, update, getUpdate or getUpdateRetry",
     "from version", "How a release is written; getUpdate reads first and can undo a rival's."},
    {"spec.candidates.elector.behaviour.deadlineFrom", "roundStart or lastSuccess", "roundStart",
     "From when renewDeadline counts."},
    {"spec.candidates.identity", "text", "the process name, new with each start",
     "One identity for all replicas: a real incident, two processes that both believe the record "
     "names them."},
    {"spec.candidates.clock", "map", "{offset: +0s, rate: +0ppm}", "How the processes' clocks go."},
    {"spec.candidates.clock.offset", "offset: +10m, -3s, or a distribution of such", "+0s",
     "How far the wall clock is ahead of true time at time 0; the sign is required. client-go does "
     "not care."},
    {"spec.candidates.clock.rate", "rate: +200ppm, -0.5%, 1.0002, or a distribution of such",
     "+0ppm", "The speed of both clocks relative to true time, drawn once per process and run."},
    {"spec.candidates.start", distribution, "{uniform: [0s, 2s]}", "When each process starts."},
    {"spec.candidates.restart", "map", "{policy: Always, delay: 10s, identity: new}",
     "What happens when a process has ended."},
    {"spec.candidates.restart.policy", "Always, OnFailure or Never", "Always",
     "Whether it is started again. OnFailure: not after a clean stop. Never: a drained node's "
     "process is not replaced either."},
    {"spec.candidates.restart.delay", distribution, "10s", "From its end to its next start."},
    {"spec.candidates.restart.identity", "new or same", "new",
     "same: like a pod of a StatefulSet or a container with a host name, which leads again at once "
     "while the record still names it."},
    {"spec.candidates.restart.exitOnLost", "true or false", "client-go true, naive-loop false",
     "Whether losing the lease ends the process, as most controllers do."},
    {"spec.candidates.shutdown", "map", "{gracePeriod: 30s, onStoppedLeading: 0s}",
     "How a process ends after SIGTERM."},
    {"spec.candidates.shutdown.gracePeriod", "duration", "30s",
     "From SIGTERM until the process is killed."},
    {"spec.candidates.shutdown.onStoppedLeading", distribution, "0s",
     "How long the callback takes that stops the leader's work."},
    {"spec.faults", "list", "none", "What goes wrong: tenure list faults."},
    {"spec.faults.name", "name", "the type",
     "For failover[NAME] and reports; the second unnamed fault of one type needs one."},
    {"spec.faults.type", "name", "required", "Which fault: tenure list faults."},
    {"spec.faults.target",
     "leader, followers, believers, all, candidate/NAME-0, node/NAME, zone/NAME, apiserver, or "
     "{role, mode, value}",
     "required, but for apiOutage",
     "Who is hit, decided once, when the fault begins. leader: whom the Lease names then, expired "
     "or "
     "not. believers: whoever believes to lead. target: x of a network fault means "
     "between: [x, apiserver]."},
    {"spec.faults.target.role", "a target", "required", "The long form: of whom some are picked."},
    {"spec.faults.target.mode", "one, all, fixed, fixed-percent or random-max-percent", "all",
     "How many of them, drawn from the fault's own stream."},
    {"spec.faults.target.value", "number or percentage", "required with the last three modes",
     "How many, or which share."},
    {"spec.faults.between", "[target, target]", "none",
     "The two ends of the links that a network fault is about, instead of target."},
    {"spec.faults.at", instant, "required",
     "When it begins, from the start of the run. Draw it over a whole number of renewal periods: a "
     "fixed instant always hits the same phase (W0301). any: at any tick, and again; for "
     "explorations only, with spec.explore."},
    {"spec.faults.duration", distribution, "until the end of the run",
     "How long it lasts. crash, terminate and drain have none. In an exploration: any value of its "
     "range."},
    {"spec.faults.every", distribution, "once",
     "From one occurrence to the next. Does not go with at: any."},
    {"spec.faults.count", "whole number",
     "until the end of the run; with at: any as often as possible",
     "Occurrences, with every. With at: any the most there can be."},
    {"spec.faults.probability", "probability: 0.5 or \"50%\"", "1",
     "Whether the fault happens in a run at all."},
    {"spec.faults.restartDelay", distribution, "restart.delay of the candidate",
     "crash: when the process comes back."},
    {"spec.faults.gracePeriod", "duration", "shutdown.gracePeriod of the candidate",
     "terminate: from SIGTERM until the process is killed."},
    {"spec.faults.clocks", "run or stop", "run",
     "pause: run is SIGSTOP or a long garbage collection, due timers fire at its end; stop is a "
     "suspended virtual machine, whose clocks stand still."},
    {"spec.faults.direction", "both, to or from", "both",
     "partition: seen from the target or the first of between. to loses requests, from loses "
     "replies, so that writes are applied that their writer does not know of."},
    {"spec.faults.latency", distribution, "required",
     "delay: added to each message, request and reply alike."},
    {"spec.faults.jitter", "duration", "0s",
     "delay: up to so much more or less, uniformly, never below zero in all."},
    {"spec.faults.fraction", "probability: 0.1 or \"10%\"", "1",
     "loss: the share of messages lost."},
    {"spec.faults.mode", "refuse, hang or error", "refuse",
     "apiOutage: requests fail at once, get no answer, or are answered with code."},
    {"spec.faults.code", "400 to 599", "503", "apiOutage in mode error: the answer."},
    {"spec.properties", "list of names or maps", "[leaseSafety]",
     "What must hold in every run: tenure list properties. The ids of single properties (B1) are "
     "names too."},
    {"spec.properties.name", "name", "required in the long form", "Which property."},
    {"spec.properties.expect", "holds, violated or any", "holds",
     "violated: the run passes (xfail) when a violation is seen and fails (XPASS) when none is. "
     "any: "
     "only reported."},
    {"spec.properties.allowVacuous", "true or false", "false",
     "A property whose premise never occurred is not exercised, which makes the verdict "
     "inconclusive "
     "unless this says that it may be so."},
    {"spec.properties.level", "context or isLeader", "context",
     "Which belief counts: context lasts from the start of OnStartedLeading until its context is "
     "cancelled; isLeader is what IsLeader() says."},
    {"spec.properties.within", "duration or bound", "required",
     "boundedFailover: the longest time allowed. bound is L + 2(1+J)R + 4 GET + 1 PUT, for "
     "client-go "
     "with bounded latency."},
    {"spec.properties.window", "duration", "L + 2(1+J)R",
     "eventualStability: the last part of the run, in which nothing may change."},
    {"spec.thresholds", "map from metric to one or several statements", "none",
     "Statements about the distribution of a metric over the runs: AGGREGATION OP VALUE with min "
     "max "
     "avg med p(N) count rate sum and < <= > >= == !=, as in failover: [\"p(99) < 20s\", \"max < "
     "24s\"]. A metric may be narrowed to one fault: failover[kill]."},
    {"spec.thresholds.threshold", "text", "required in the long form", "The statement."},
    {"spec.thresholds.decision", "confident or point", "confident",
     "confident: the whole 95 % interval decides, and a statement that it straddles is "
     "inconclusive. "
     "point: the bare estimate decides."},
    {"spec.stopping", "map", "none: all runs are made",
     "The runs may end before spec.runs, at a look at which enough is known. The k-th look takes "
     "the part 0.05/(k(k+1)) of the error probability, so its intervals are wider than at 95 % and "
     "all of them hold jointly: tenure explain stopping."},
    {"spec.stopping.looks", "list of growing whole numbers", "1000, 2000, 4000, ...",
     "The numbers of runs after which it is looked. Those beyond spec.runs are left out, and "
     "spec.runs is always the last."},
    {"spec.stopping.rule", "thresholds or precision", "thresholds",
     "What is enough. thresholds: every threshold is decided. precision: the interval of one "
     "figure is narrow."},
    {"spec.stopping.metric", "a metric", "failover",
     "With rule: precision, of which metric; failover[NAME] of one fault."},
    {"spec.stopping.of", "avg, med, p(N) or rate", "p(99)",
     "With rule: precision, the figure whose interval is to be narrow."},
    {"spec.stopping.width", "percentage of the estimate, or a value in the metric's unit", "5%",
     "With rule: precision, the whole width of the interval: 5%, 500ms."},
    {"spec.record", "none, failures, all or {first: N}", "failures",
     "Which runs keep their full history for -w jsonl."},
    {"spec.record.first", "whole number", "required in the long form", "The runs 0 to N-1."},
    {"spec.explore", "map", "none",
     "Bounds of an exploration, which tries everything that can happen instead of drawing it: a "
     "distribution stands for any value of its range, at: any for any tick. run and replay ignore "
     "it."},
    {"spec.explore.tick", "duration: a multiple of 1us", "required",
     "The grid of time: everything happens at multiples of it, and every fixed duration of the "
     "model must be one. A coarser grid has fewer states and sees less."},
    {"spec.explore.maxTick", "whole number", "none: until there is no new state",
     "The simulated ticks after which it looks no further."},
    {"spec.explore.maxStates", "whole number", "20000000",
     "The states after which it gives up, inconclusive."},
    {"spec.explore.maxMemory", "size: 512MiB, 4GiB, 500MB; at least 16MiB", "4GiB",
     "The memory after which it gives up, inconclusive."},
    {"spec.explore.symmetry", "true or false", "true",
     "Whether states that differ only in the names of identical candidates count as one."},
    {"spec.explore.reduction", "true or false", "true",
     "Whether, of the orders of what happens within one instant, only those are tried that can "
     "matter."},
    {"spec.choices", "map", "none",
     "The script of one run: answers to single draws instead of random ones. Explorations write "
     "the run that they found so. runs is 1 then."},
    {"spec.choices.tick", "duration: a multiple of 1us", "none",
     "The grid of the exploration that the script is from."},
    {"spec.choices.otherwise", "simplest or seeded", "simplest",
     "What draws get that are not listed. simplest: 0, the lowest value, no jitter, the first "
     "of an order. seeded: what the seed gives them."},
    {"spec.choices.answers", "list of {of, number, answer}", "none",
     "The draws that are decided. One that the run never asks for, or that cannot have its answer, "
     "is an error (E0321)."},
    {"spec.choices.answers.of", "text", "required",
     "The name of the stream that is drawn from: process/web-0/jitter."},
    {"spec.choices.answers.number", "whole number", "required",
     "Which draw of the stream, from 0."},
    {"spec.choices.answers.answer", "whole number", "required",
     "The answer, from 0: of a uniform duration the nanoseconds above its least, of an order the "
     "place."},
};

}  // namespace

std::span<const FieldPage> field_pages() {
  return pages;
}

}  // namespace tenure::scenario
