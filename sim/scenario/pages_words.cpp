#include <tenure/scenario/pages.hpp>

namespace tenure::scenario {
namespace {

constexpr WordPage exit_codes[] = {
    {"0", "everything asked for holds"},
    {"1", "a property was violated, a threshold failed, or fmt --check found a difference"},
    {"2", "bad usage or bad input; nothing was simulated"},
    {"3",
     "inconclusive: too few runs, or what was asked about did not happen; --inconclusive pass or "
     "fail makes it 0 or 1"},
    {"4", "an output could not be written"},
    {"70", "internal error: a bug of tenure, with the line that replays it"},
    {"130",
     "interrupted (SIGINT, Ctrl-C); what is known was printed, finished runs are in -w json"},
    {"143", "terminated (SIGTERM); likewise"},
};

constexpr WordPage environment[] = {
    {"NO_COLOR", "Where it is set and not empty, --color auto prints none (no-color.org)."},
    {"TENURE_COLOR", "What --color is when it is not given: auto, always or never."},
    {"TENURE_PROGRESS", "What --progress is when it is not given: auto, bar, plain or none."},
    {"TENURE_JOBS", "What -j is when it is not given: worker threads. It never changes a result."},
};

constexpr WordPage formats[] = {
    {"text", "what a terminal shows; the default of -o"},
    {"json",
     "the whole result, for programs: its shape is tenure schema RunResult or ExploreResult; of "
     "fmt, the scenario"},
    {"yaml", "fmt: the scenario"},
    {"jsonl", "run and replay: the history of the recorded runs, an event a line"},
    {"trace",
     "replay: one run for a trace viewer (ui.perfetto.dev, chrome://tracing), Chrome Trace Event "
     "JSON"},
    {"pftrace", "replay: the same as a TrackEvent protobuf of Perfetto, which is smaller"},
    {"openmetrics",
     "replay: what its processes and the API server would have exported, scraped every "
     "--scrape-interval; for promtool tsdb create-blocks-from openmetrics"},
    {"scenario", "explore and replay --shrink: the run that was found, as a scenario with choices"},
    {"dot", "explore: the graph of states, for Graphviz"},
};

constexpr FormulaPage formulas[] = {
    {"validConfiguration", "valid configuration", "L > D and D > J R, all above 0",
     "What client-go checks before it starts (E0301, E0302, E0305)."},
    {"crashFailover", "leader crash -> new leader", "L - R .. L + 2(1+J)R, plus API latency",
     "From a crash of the leader to the next one. A follower needs a poll to notice the last "
     "renewal, L, and one more poll; polls are 1 to 1+J R apart, and the crash comes up to R after "
     "that renewal."},
    {"releaseFailover", "graceful release -> new one", "0 .. (1+J)R",
     "From a release to the next leader: nobody is told, followers find it at their next poll."},
    {"stepDown", "leader cut off, steps down", "D .. D + R after the cut",
     "A leader that cannot renew ends at most one wait of R and a round of D later; while it "
     "releases into the void, h later yet, at most D."},
    {"safetyMargin", "safety margin", "L - D - R",
     "What the reply to the last renewal may take: a slower one, and then a cut, give two "
     "leaders."},
    {"lossyMargin", "margin, a reply lost", "L - D - R - T",
     "The margin where a renewal is applied and its reply lost: after T, the time limit of a "
     "request, it is repeated without effect, and the leader counts from there."},
    {"releaseMargin", "margin, release hanging", "L - D - R - h",
     "The margin while a release hangs for h, with releaseOnCancel."},
    {"clockRatio", "clock-rate ratio tolerated", "L / (D + R)",
     "How much faster than the leader's a rival's clock may run. Offsets do not matter."},
    {"pauseSurvived", "harmless process pause", "L - R",
     "A shorter pause of a leader never makes two; from there on two may run for D + R."},
    {"apiOutageSurvived", "API outage, calls fail fast", "(ceil(D/R) - 1) R",
     "The longest outage that a leader surely survives, when requests fail at once: a round has "
     "attempts R apart, strictly before its deadline."},
    {"apiHangSurvived", "API outage, calls hang", "D - T, or less where several requests hang",
     "The same when requests hang until T, the client's time limit, which is max(1s, D/2)."},
    {"requestRate", "API requests, steady state", "1/R PUT/s + (n - 1)/((1 + J/2) R) GET/s",
     "What n candidates ask of the API server when nothing fails."},
};

}  // namespace

std::span<const WordPage> exit_code_pages() {
  return exit_codes;
}

std::span<const WordPage> environment_pages() {
  return environment;
}

std::span<const WordPage> format_pages() {
  return formats;
}

std::span<const FormulaPage> formula_pages() {
  return formulas;
}

}  // namespace tenure::scenario
