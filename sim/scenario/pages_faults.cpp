#include <tenure/scenario/pages.hpp>

namespace tenure::scenario {
namespace {

constexpr FaultPage pages[] = {
    {"crash",
     "The process is gone at once, without a last word. It is started again as its restart says.",
     Hits::processes, "restartDelay",
     "Requests already sent travel on and may still be applied; their replies are dropped.",
     "Chaos Mesh PodChaos pod-kill and container-kill, Litmus container-kill, Jepsen kill"},
    {"terminate",
     "SIGTERM: the context of the election is cancelled, a client-go leader with releaseOnCancel "
     "releases, the callback runs; what is left after the grace period is killed.",
     Hits::processes, "gracePeriod",
     "They end as the library ends them when its context is cancelled.",
     "Litmus pod-delete without force, kubectl delete pod"},
    {"drain",
     "Every candidate on the node terminates and a new process starts on another node after its "
     "restart delay. Of a process target the nodes are meant that it runs on.",
     Hits::processes, "", "As for terminate.", "kubectl drain, Litmus node-drain"},
    {"pause",
     "The process is frozen. With clocks: run (SIGSTOP, a long garbage collection) timers that "
     "came "
     "due fire when it goes on; with clocks: stop (a suspended machine) the rest of each wait is "
     "still to come. A leader frozen for longer than L - R can find, when it goes on, that "
     "somebody "
     "else leads; client-go notices it only when renewDeadline has passed.",
     Hits::processes, "duration, clocks",
     "They are answered; what arrives meanwhile is handled at the end, in an order that is drawn.",
     "Jepsen pause; not Chaos Mesh's pause, which suspends an experiment"},
    {"partition",
     "Messages are cut, in both directions or in one. Cut replies leave applied writes that their "
     "writer does not know of.",
     Hits::links, "duration, direction",
     "Messages under way across the cut are lost too; the client waits for its time limit.",
     "Chaos Mesh NetworkChaos partition, Litmus pod-network-partition, Toxiproxy timeout"},
    {"delay", "Every message on the links takes longer, requests and replies alike.", Hits::links,
     "duration, latency, jitter", "Messages sent before keep their time.",
     "Chaos Mesh NetworkChaos delay, Toxiproxy latency"},
    {"loss", "A share of the messages on the links is lost, requests and replies alike.",
     Hits::links, "duration, fraction",
     "Messages sent before arrive; a lost one costs the client its time limit.",
     "Chaos Mesh NetworkChaos loss"},
    {"apiOutage",
     "The API server refuses every request at once (refuse), swallows it (hang), or answers with "
     "an "
     "error (error). Nothing is applied. A client-go leader survives about (ceil(D/R) - 1) R of "
     "refusals, and ends then although nobody can replace it.",
     Hits::api_servers, "duration, mode, code", "Requests that arrived before are answered.",
     "Toxiproxy down, HTTPChaos abort"},
};

}  // namespace

std::span<const FaultPage> fault_pages() {
  return pages;
}

}  // namespace tenure::scenario
