#include <algorithm>
#include <iterator>

#include <tenure/scenario/codes.hpp>

namespace tenure::scenario {

namespace {

constexpr Code codes_[] = {
    {"E0001", "The command does not exist.", "tenure sweeep x.yaml", "tenure sweep x.yaml"},
    {"E0002", "A flag does not exist or is not understood by this command.",
     "tenure run x.yaml --rums 5", "tenure run x.yaml --runs 5"},
    {"E0003",
     "A --set override cannot be applied: the path leads nowhere or the value cannot be read.",
     "--set spec.candidates.7.replicas=2", "--set spec.candidates.0.replicas=2"},
    {"E0004", "The value of a flag is not one that it takes.", "--progress loud",
     "--progress plain"},
    {"E0005", "An argument is missing.", "tenure run", "tenure run crash.yaml"},
    {"E0006", "The command does not work on documents of this kind.", "tenure run sweep.yaml",
     "tenure sweep sweep.yaml"},
    {"E0007", "The command is known but not part of this version.", "tenure audit history.json",
     "tenure run x.yaml"},

    {"E0101", "The text is not valid YAML.", "spec: {runs: 5", "spec: {runs: 5}"},
    {"E0102", "The text is not valid JSON; comments are allowed in .jsonc only.", "{\"runs\": 5,}",
     "{\"runs\": 5}"},
    {"E0103", "A map has the same key twice.", "{runs: 5, runs: 6}", "{runs: 5}"},
    {"E0104", "The text is not UTF-8, or has a NUL character in it.", "a file saved as UTF-16",
     "a file saved as UTF-8"},
    {"E0105", "Merge keys are not supported, because parsers disagree about them.", "<<: *defaults",
     "elector: *defaults"},
    {"E0106", "Tags are not supported: the field decides the type of its value.",
     "runs: !!int \"5\"", "runs: 5"},
    {"E0107", "An alias has no anchor before it, or stands within its own anchor.", "delay: *d",
     "[&d 5s, *d]"},
    {"E0108", "The file is larger than 4 MiB.", "a file of 5 MiB", "several files"},
    {"E0109", "Maps and lists are nested deeper than 64 levels.", "[[[[ ... ]]]]", "[]"},
    {"E0110",
     "The file has more than 100 000 nodes, counting each alias as all that it stands for.",
     "aliases of lists of aliases of lists", "the values themselves"},
    {"E0111", "A key or list item has no value; that does not mean the default.",
     "warmup:", "warmup: 30s"},
    {"E0112", "The file holds no document.", "an empty file", "apiVersion: tenure/v1alpha1"},
    {"E0113", "A key is not a text.", "{[a, b]: 1}", "{a: 1}"},

    {"E0201", "A field is unknown here.", "renewDeadLine: 10s", "renewDeadline: 10s"},
    {"E0202", "A field is missing that has no default.", "elector: {leaseDuration: 15s}",
     "elector: {type: client-go}"},
    {"E0203", "The value is not a duration.", "leaseDuration: 15", "leaseDuration: 15s"},
    {"E0204", "The value is not one of the names that this field takes.", "type: freeze",
     "type: pause"},
    {"E0205", "The value has the wrong shape: a map, a list or a single value is needed.",
     "candidates: {name: a}", "candidates: [{name: a}]"},
    {"E0206", "The value is not a distribution.", "start: {uniform: [2s, 1s]}",
     "start: {uniform: [1s, 2s]}"},
    {"E0207", "An offset or rate needs a sign.", "offset: 10m", "offset: +10m"},
    {"E0208", "The value is not a number, a whole number or true or false.", "runs: many",
     "runs: 1000"},
    {"E0209", "The value is outside of its range.", "runs: 0", "runs: 1"},
    {"E0210", "The value is not a DNS-1123 label.", "name: My_App", "name: my-app"},
    {"E0211", "The value is not a target, or not one that this fault can hit.", "target: boss",
     "target: leader"},
    {"E0212", "The value is not a threshold of this metric.", "failover: [\"p99 < 20s\"]",
     "failover: [\"p(99) < 20s\"]"},
    {"E0213", "The apiVersion is not one that this version reads.", "apiVersion: tenure/v9",
     "apiVersion: tenure/v1alpha1"},
    {"E0214", "The document is not of the kind that is needed.", "kind: Scenari0",
     "kind: Scenario"},
    {"E0215", "The value is not a probability.", "probability: often", "probability: 0.5"},
    {"E0216", "The value is not a clock rate.", "rate: fast", "rate: +200ppm"},
    {"E0217", "The duration is negative or longer than 292 years.", "duration: -5s",
     "duration: 5s"},
    {"E0218", "Two fields do not go together, or one needs another.",
     "{target: leader, between: [leader, apiserver]}", "{target: leader}"},
    {"E0219", "The value is not a version of this elector.", "version: 1.31", "version: v0.31"},
    {"E0220", "tenure knows this, but it is not modelled in this version.", "type: etcdStall",
     "type: apiOutage"},

    {"E0301", "client-go refuses a leaseDuration that is not greater than renewDeadline.",
     "{leaseDuration: 10s, renewDeadline: 10s}", "{leaseDuration: 15s, renewDeadline: 10s}"},
    {"E0302", "client-go refuses a renewDeadline that is not greater than 1.2 times retryPeriod.",
     "{renewDeadline: 10s, retryPeriod: 9s}", "{renewDeadline: 10s, retryPeriod: 2s}"},
    {"E0305", "client-go refuses a retryPeriod of zero.", "retryPeriod: 0s", "retryPeriod: 2s"},
    {"E0306", "client-go refuses an empty identity.", "identity: \"\"", "identity: web"},
    {"E0310", "The warm-up is not shorter than the run.", "{duration: 30s, warmup: 30s}",
     "{duration: 5m, warmup: 30s}"},
    {"E0311", "There is no candidate.", "candidates: []",
     "candidates: [{name: a, elector: {type: client-go}}]"},
    {"E0312", "Two processes or nodes have the same name.", "two groups named web",
     "groups named web and api"},
    {"E0313", "Two faults have the same name.", "two faults of type crash without a name",
     "name: second-crash"},
    {"E0314", "There are more than 10 000 processes.", "replicas: 20000", "replicas: 3"},
    {"E0315", "There are too many runs or faults.", "runs: 2000000000", "runs: 1000"},
    {"E0316",
     "The elector does not wait and requests take no time, so that time would stand still.",
     "latency: {read: 0s, write: 0s}", "latency: {read: 3ms, write: 5ms}"},
    {"E0317", "The name refers to nothing in this scenario.", "target: candidate/wbe-0",
     "target: candidate/web-0"},
    {"E0318", "A property is listed twice.", "properties: [B1, B1]", "properties: [B1]"},
    {"E0319", "No closed-form bound is known for this scenario.",
     "{name: boundedFailover, within: bound}", "{name: boundedFailover, within: 30s}"},

    {"E0401", "The rule file is not valid.", "groups: 5", "groups: []"},
    {"E0402", "The PromQL construct is not supported.", "topk(1, x)", "max(x)"},
    {"E0501", "A file cannot be read.", "tenure run nosuch.yaml", "tenure run crash.yaml"},
    {"E0502", "A file cannot be written.", "-w html=/nosuch/x.html", "-w html=x.html"},
    {"E0503", "There is not enough memory.", "10^9 runs in 1 GiB", "fewer or shorter runs"},
    {"E0601", "A recording or manifest cannot be understood.", "tenure audit notes.txt",
     "tenure audit history.json"},
    {"E0701", "A result file cannot be understood.", "tenure report notes.txt",
     "tenure report result.json"},
    {"E0702", "Results do not belong together.", "tenure merge a.json other.json",
     "tenure merge a.json b.json"},

    {"W0301",
     "A fault on the leader happens at the same instant in every run, always at the same phase of "
     "its renewals.",
     "at: 60s", "at: {uniform: [60s, 62.005s]}"},
    {"W0302", "A leader that is cut off may still believe to lead when a rival takes over.",
     "{leaseDuration: 11s, renewDeadline: 10s, retryPeriod: 2s}",
     "{leaseDuration: 15s, renewDeadline: 10s, retryPeriod: 2s}"},
    {"W0303", "A fault changed no decision of any process in any run.",
     "a clockStep of an elector that reads no wall clock", "a pause"},
    {"W0304", "A fault can happen within the warm-up, where nothing is measured.",
     "{warmup: 30s, at: 10s}", "{warmup: 30s, at: 60s}"},
    {"W0305", "The renewTime that a holder wrote went back.",
     "clock: {offset: +10m} that is corrected", "a wall clock that is never set back"},
    {"W0401", "An alert looks at each pod alone where the whole election is meant.",
     "increase(x[10m]) > 5", "sum(increase(x[10m])) > 5"},
    {"W0402", "A comparison with 0 cannot be true when every target is gone.", "sum(x) == 0",
     "sum(x) == 0 or absent(x)"},
};

}  // namespace

std::span<const Code> all_codes() {
  return codes_;
}

const Code* find_code(std::string_view code) {
  const auto found = std::find_if(std::begin(codes_), std::end(codes_),
                                  [&](const Code& c) { return c.code == code; });
  return found == std::end(codes_) ? nullptr : &*found;
}

}  // namespace tenure::scenario
