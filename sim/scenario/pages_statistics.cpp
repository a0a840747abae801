#include <algorithm>
#include <array>

#include <tenure/scenario/pages.hpp>

namespace tenure::scenario {

namespace {

constexpr std::array<TextPage, 4> pages{
    TextPage{"stopping",
             R"(stopping: ending a campaign when enough is known

  stopping: {looks: [1000, 2000, 4000], rule: thresholds}

  looks        after so many runs it is looked, in order of run numbers, whatever thread made them:
               the same look on every machine. spec.runs is the cap and the last look
  thresholds   it ends when every threshold is decided, ok or FAIL. min, max, count and sum are
               facts about the runs that were made: one that holds does not keep it going, one that
               fails does as long as more runs could make it hold. Properties do not end it:
               --fail-fast does
  precision    {rule: precision, metric: failover, of: p(99), width: 5%}: it ends when the interval
               of that figure is so narrow, by share of the estimate (5%) or in its unit (500ms)

  Who looks often and stops when it suits errs more often than 5 %. So the k-th look takes only
  0.05/(k(k+1)) of that: intervals are at 97.5 %, 99.17 %, 99.58 %, ..., and hold jointly. A p(99)
  needs 437 runs for an upper end at the first look, 368 without looks. The result lists the looks,
  what was undecided at each, and where it stopped.
)"},
    TextPage{"sweep",
             R"(sweep: a scenario at many settings, in a file of kind Sweep

  spec:
    scenarioRef: {path: crash.yaml}       the scenario, beside this file
    runsPerPoint: 2000                    default: the scenario's runs
    seeds: common                         the same random numbers at every point; or independent
    parameters:                           the first is the outermost loop
      - {name: L, path: spec.candidates.0.elector.leaseDuration, values: [9s, 15s, 30s]}
      - {name: R, path: ..., range: {from: 1s, to: 10s, step: 1s}}    or count: 10, scale: log
      - {name: D, path: ..., expr: "L * 2 / 3"}     of the parameters before it; without a path it
                                                    only enters formulas
    follow: [{path: spec.duration, expr: "60s + 3 * L"}]    fields that are no parameter
    constraints: ["D > 1.2 * R"]          other points are skipped, and counted; so are those that
                                          client-go itself refuses
    exclude: [{L: 30s, R: 1s}]            not in the product
    include: [{L: 137s, D: 107s, R: 26s}] beside the product, whole
    design: {type: sobol, points: 64}     or latin-hypercube: draws from ranges without a step
    objectives:
      minimize: [failover.p(99), api.requestsPerSecond]
      subjectTo: ["apiOutageSurvived >= 8s", "overlap max == 0s"]

  formulas     + - * / ( ) min max floor, exact; rounded once, durations to 1ms, half away from zero
  subjectTo    METRIC AGGREGATION OP VALUE, or a closed form: apiOutageSurvived, safetyMargin,
               clockRatio, pauseSurvived
  front        points that meet all conditions, and that no other of these beats in everything
  verdict      what the scenario demands is demanded at every point. FAIL too when no point can meet
               the conditions; INCONCLUSIVE when that is open, or when no point was run
  shards       --shard I/N takes the units (point, block of 256 runs) whose number modulo N is I;
               tenure merge joins them to the bytes of the undivided sweep
)"},
    TextPage{"compare",
             R"(compare: how to read what tenure compare prints

  tenure compare BASE OTHER, two results of tenure run -w json=PATH; differences are OTHER - BASE

  pairs        same seed and as many runs: run k of both drew the same numbers, and what is luck of
               both cancels out. Otherwise the runs are compared as two independent sets
  interval     where, with 95 % confidence, the difference of endlessly many runs lies: bootstrap of
               runs or pairs of runs, 2000 replicates, always the same ones
  better       the whole interval is below zero, and the finding stands among all that were compared
  worse        (at most 5 % of those that stand are luck: Benjamini and Hochberg); worse: above. Less
               is better, but for api.requestsPerSecond and api.conflicts, which say more or less
  no evidence  neither; not "no difference". More runs find smaller ones
  properties   the verdicts, and the difference of the shares of runs that violate

  Exit code 1: a figure is worse, or a property or threshold fails that did not. Else 0, whatever is
  inconclusive inside.
)"},
    TextPage{"time budget",
             R"(time budget: what a failover is made of

  tenure replay FILE --run N prints it for each failover, tenure run -v as means over all runs

  last renewal        from the fault to when the API server stored the last renewal: negative, for
                      it mostly came before, and shortens the failover
  noticed             from that renewal to the reply in which the winner first saw it: its count
                      begins there. Negative when the renewal looked like the one before:
                      followers compare whole seconds
  leaseDuration       what the winner grants the holder, as long as its clock takes to count it
  released            instead of these three, when the Lease was released: from the fault to the
                      stored release
  winner's next poll  from when the Lease was free, for the winner, to the request that found it so;
                      negative when that was on its way already
  read, update,       that request and its answer; the write that takes the Lease, up to its being
  reply               stored; and back to the winner, which leads

  Each part is measured from facts of its own, none is what the others leave over, and they add up
  to the nanosecond. A failover for which they do not apply is told as not split: the Lease named the
  winner already, or there was none; its elector goes by wall clocks; its clock stood still.
)"},
};

}  // namespace

std::span<const TextPage> statistics_pages() {
  return pages;
}

}  // namespace tenure::scenario
