"""Random cases for run.py: series, rules and questions, all from a seed.

Sums of three or more numbers are asked for only where the order of adding cannot matter: promtool adds
in the order in which a hash table of Go yields the series, another one each time.
"""

import random

STEPS = [1000, 5000, 10000, 15000, 30000, 60000]


def duration(ms):
    parts = []
    for unit, size in (("h", 3600000), ("m", 60000), ("s", 1000), ("ms", 1)):
        if ms >= size:
            parts.append(f"{ms // size}{unit}")
            ms %= size
    return "".join(parts) or "0s"


class Maker:
    def __init__(self, seed):
        self.random = random.Random(f"promtool {seed}")
        self.step = self.random.choice(STEPS)
        self.evaluation = self.random.choice([self.step, 15000, 30000, 60000])
        self.rounds = self.random.randint(8, 30)
        self.until = self.evaluation * self.rounds
        self.scraped = ["up", "leader_election_is_leader", "leader_election_transitions_total", "x:y"]
        self.metrics = list(self.scraped)

    def chance(self, share):
        return self.random.random() < share

    def pick(self, items):
        return self.random.choice(items)

    # ---- series

    def number(self):
        return self.pick([
            lambda: str(self.random.randint(-3, 9)),
            lambda: str(self.random.randint(0, 3)),
            lambda: repr(round(self.random.uniform(-100, 100), self.random.randint(0, 6))),
            lambda: repr(self.random.uniform(0, 1) * 10 ** self.random.randint(-12, 18)),
        ])()

    def special(self):
        return self.pick(["NaN", "Inf", "-Inf", "0", "1e308", "-1e308", "5e-324"])

    def samples(self):
        count = self.until // self.step + 1
        kind = self.pick(["counter", "counter", "gauge", "flag", "wild"])
        value = self.random.choice([0, 0, self.random.randint(0, 50), self.random.random() * 1000])
        gaps = self.pick([0, 0.02, 0.2])
        begin = self.pick([0, 0, self.random.randrange(count)])
        end = self.pick([count, count, self.random.randrange(count) + 1])
        out = []
        absent_until = begin
        for i in range(min(count, 2000)):
            if i < absent_until or i >= end:
                continue
            if self.chance(gaps / 4):
                out.append([i * self.step, "stale"])
                absent_until = i + self.random.randint(1, 12)
                continue
            if self.chance(gaps):
                continue
            if kind == "counter":
                if self.chance(0.04):
                    value = self.random.choice([0, 1, 0.5])
                value += self.random.choice([0, 0, 1, 1, 2, 0.1, 7.3])
                text = repr(value)
            elif kind == "gauge":
                text = self.number()
            elif kind == "flag":
                if self.chance(0.15):
                    value = 1 - min(value, 1)
                text = str(int(min(value, 1)))
            else:
                text = self.special() if self.chance(0.1) else self.number()
            out.append([i * self.step, text])
        return out

    def series(self):
        out = []
        for metric in self.scraped:
            names = self.random.sample(["kcm-0", "kcm-1", "kcm-2", "api.x", "été"], self.random.randint(0, 3))
            for name in names:
                labels = {"__name__": metric, "pod": name}
                if self.chance(0.4):
                    labels["job"] = self.pick(["kcm", "web"])
                if self.chance(0.2):
                    labels["zone"] = self.pick(["a", "b"])
                if all(labels != s["labels"] for s in out):
                    out.append({"labels": labels, "samples": self.samples()})
        return [s for s in out if s["samples"]]

    # ---- expressions

    def matchers(self):
        out = []
        if self.chance(0.35):
            out.append(self.pick([
                'pod="kcm-0"', 'pod!="kcm-1"', 'pod=~"kcm-.*"', 'pod!~"kcm-[01]"', 'pod=~"kcm-(0|2)|api.x"',
                'pod=~"api\\\\.x"', 'pod=~`kcm-\\d`', 'pod=~".{3}"', 'job="kcm"', 'job=""', 'job!=""', 'zone=~"a|"',
                'pod=~"k.*?-[^0]"', 'pod=~"(?:kcm-)?\\\\w+"', 'pod!~""', "job='web',pod=~'.+'"]))
        return "{" + ",".join(out) + "}" if out else ""

    def selector(self):
        if self.chance(0.05):
            return '{__name__=~"leader_election_.+"' + self.pick(['}', ',pod="kcm-0"}'])
        return self.pick(self.metrics) + self.matchers()

    def offset(self):
        if not self.chance(0.15):
            return ""
        return f" offset {self.pick(['', '-'])}{duration(self.pick([1000, 15000, 60000, 300000]))}"

    def range(self):
        ms = self.pick([self.step, self.step * 2, self.step * 4, 60000, 300000, 600000, 2 * self.step + 500])
        return f"{self.selector()}[{duration(ms)}]{self.offset()}"

    def scalar(self, depth):
        return self.pick([
            lambda: str(self.random.randint(0, 5)),
            lambda: self.pick(["0.5", "1e3", ".25", "0x1F", "010", "Inf", "-Inf", "NaN", "1.5e-3", "-1"]),
            lambda: "time()",
            lambda: f"scalar({self.vector(depth - 1)})" if depth > 0 else "2",
            lambda: f"({self.scalar(depth - 1)} {self.arithmetic()} {self.scalar(depth - 1)})" if depth > 0 else "3",
            lambda: f"({self.scalar(depth - 1)} {self.comparison()} bool {self.scalar(depth - 1)})"
                    if depth > 0 else "7",
        ])()

    def arithmetic(self):
        return self.pick(["+", "-", "*", "/", "%"])

    def comparison(self):
        return self.pick(["==", "!=", "<", "<=", ">", ">="])

    def matching(self):
        return self.pick(["", "", "on(pod) ", "ignoring(job) ", "ignoring(zone, job) ", "on() ", "on(pod, job) ",
                          "ignoring(job,) "])

    def over_time(self):
        function = self.pick(["increase", "increase", "rate", "rate", "irate", "delta", "changes", "resets",
                              "min_over_time", "max_over_time", "avg_over_time", "sum_over_time", "count_over_time",
                              "last_over_time", "absent_over_time"])
        return f"{function}({self.range()})"

    def aggregation(self, depth):
        grouping = self.pick(["", "", " by (pod)", " without (pod)", " by (job, zone)", " without ()", " by ()",
                              " by (__name__)"])
        operation = self.pick(["min", "max", "count", "SUM", "sum", "avg"])
        inner = self.vector(depth - 1)
        if operation in ("sum", "SUM", "avg"):
            inner = self.exact(depth - 1) if operation != "avg" else f"{self.pick(self.metrics)}{{pod=\"kcm-0\"}}"
        return self.pick([f"{operation}{grouping}({inner})", f"{operation}({inner}){grouping}"])

    def exact(self, depth):
        """Whole numbers, which can be added in any order."""
        vector = self.vector(max(depth, 0))
        return self.pick([
            f"({vector} {self.comparison()} bool 1)",
            f"changes({self.range()})", f"resets({self.range()})", f"count_over_time({self.range()})",
            f"clamp_max(clamp_min(floor({self.selector()}), -1000), 1000)",
        ])

    def vector(self, depth):
        simple = [lambda: self.selector() + self.offset(), self.over_time]
        if depth <= 0:
            return self.pick(simple)()
        inner = lambda: self.vector(depth - 1)  # noqa: E731
        return self.pick(simple + [
            self.over_time,
            lambda: self.aggregation(depth),
            lambda: self.aggregation(depth),
            lambda: f"{self.pick(['abs', 'ceil', 'floor', 'round'])}({inner()})",
            lambda: f"round({inner()}, {self.pick(['0.1', '5', '0.25', '-1'])})",
            lambda: f"{self.pick(['clamp_min', 'clamp_max'])}({inner()}, {self.scalar(depth - 1)})",
            lambda: f"absent({inner()})",
            lambda: f"vector({self.scalar(depth - 1)})",
            lambda: f"-{self.pick(self.metrics)}",
            lambda: f"({inner()})",
            lambda: f"{inner()} {self.arithmetic()} {self.scalar(depth - 1)}",
            lambda: f"{self.scalar(depth - 1)} {self.arithmetic()} {inner()}",
            lambda: f"{inner()} {self.comparison()} {self.pick(['', 'bool '])}{self.scalar(depth - 1)}",
            lambda: f"{self.scalar(depth - 1)} {self.comparison()} {self.pick(['', 'bool '])}{inner()}",
            lambda: f"{inner()} {self.arithmetic()} {self.matching()}{inner()}",
            lambda: f"{inner()} {self.comparison()} {self.pick(['', 'bool '])}{self.matching()}{inner()}",
            lambda: f"{inner()} {self.pick(['and', 'or', 'unless', 'AND'])} {self.matching()}{inner()}",
            lambda: f"({inner()}) ^ {self.pick(['2', '3', '-1', '0', '0.5', '13', '-7'])}",
        ])()

    def expression(self):
        return self.scalar(2) if self.chance(0.08) else self.vector(self.random.randint(0, 3))

    # ---- rules

    def condition(self):
        return self.pick([
            lambda: f"{self.selector()} {self.comparison()} {self.random.randint(0, 5)}",
            lambda: f"increase({self.range()}) > {self.pick(['0', '2', '5'])}",
            lambda: f"sum({self.exact(0)}) {self.comparison()} {self.random.randint(0, 3)}",
            lambda: f"absent({self.selector()})",
            lambda: f"sum(leader_election_is_leader > bool 0) == 0 or absent({self.selector()})",
            lambda: f"changes({self.range()}) > 1",
            lambda: self.vector(1),
            lambda: 'ALERTS{alertstate="firing"} == 1',
        ])()

    def rules(self):
        out = []
        for i in range(self.random.randint(0, 3)):
            rule = {"alert": f"Alert{i}", "expr": self.condition(),
                    "forMs": self.pick([0, self.evaluation, self.evaluation * 3, 45000]),
                    "keepFiringForMs": self.pick([0, 0, self.evaluation * 2, 45000]),
                    "labels": self.pick([{}, {"severity": "warning"}, {"pod": "", "severity": "p{{ $labels.pod }}"}]),
                    "annotations": self.pick([{}, {"summary": "{{ $value }}"},
                                              {"summary": "{{$value|humanize}}, {{ humanizeDuration $value }}",
                                               "of": "{{ $labels.pod }} and {{ $labels.none }}"}])}
            out.append(rule)
        if self.chance(0.4):
            out.insert(self.random.randint(0, len(out)),
                       {"record": "job:x", "expr": self.vector(1),
                        "labels": self.pick([{}, {"job": "all"}])})
        return out

    def make(self):
        rules = self.rules()
        if any("record" in rule for rule in rules):
            self.metrics.append("job:x")
        if any("alert" in rule for rule in rules):
            self.metrics += ["ALERTS", "ALERTS_FOR_STATE"]
        instants = [self.random.randint(0, self.rounds) * self.evaluation for _ in range(3)]
        alerts = [{"alertname": rule["alert"], "atMs": at}
                  for at in sorted(set(instants)) for rule in rules if "alert" in rule]
        queries = [{"expr": self.expression(), "atMs": self.pick(instants) + self.pick([0, 0, 0, 500, 1])}
                   for _ in range(10)]
        for query in queries:
            query["atMs"] = min(query["atMs"], self.until)
        return {"version": 2, "stepMs": self.step, "evaluationIntervalMs": self.evaluation, "untilMs": self.until,
                "series": self.series(), "rules": rules, "queries": queries, "alerts": alerts}


def make(seed):
    return Maker(seed).make()
