#!/usr/bin/env python3
"""OpenMetrics of single runs, `replay -w openmetrics=`, against the history of the same run.

Judged by promtool (`tsdb create-blocks-from openmetrics`, Debian's prometheus: no server is started) and by the
OpenMetrics parser of python3-prometheus-client, the reference one. Where one is not installed, that part is not run,
and this says so. TENURE_PROGRAM is the program.
"""

import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import unittest_cases  # pylint: disable=wrong-import-position

try:
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
except ImportError:
    text_string_to_metric_families = None

PROGRAM = os.environ.get("TENURE_PROGRAM")
EPOCH = 1_767_225_600
SECOND = 1_000_000_000
RUNS = {
    "crash": ["scenarios/start/leader-crash.yaml"],
    "drain": ["scenarios/start/node-drain.yaml"],
    "outage": ["scenarios/start/api-outage.yaml", "--run", "1"],
    "frozen": ["scenarios/hazards/frozen-leader.yaml"],
    "losses": ["scenarios/start/leader-crash.yaml", "--set", "spec.candidates.0.elector.requestTimeout=1s", "--set",
               "spec.faults=[{name: loss, type: loss, target: all, fraction: 0.3, at: 40s, duration: 60s}]"],
    "hanging release": ["scenarios/hazards/release-hanging.yaml"],
    "naive": ["scenarios/hazards/naive-loop-cut-off.yaml"],
}


def tenure(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120, check=False)


def samples_of(text):
    """{(name, labels): [(second, value)]}, for labels without escapes."""
    series = collections.defaultdict(list)
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        name, value, at = line.rsplit(" ", 2)
        series[name].append((float(at) - EPOCH, float(value)))
    return series


class Run:
    def __init__(self, arguments, folder, interval):
        self.path, history = pathlib.Path(folder) / "metrics", pathlib.Path(folder) / "history"
        done = tenure("replay", *arguments, "-w", f"openmetrics={self.path}", "-w", f"jsonl={history}",
                      "--scrape-interval", f"{interval}s")
        assert done.returncode == 0, done.stderr
        self.text = self.path.read_text()
        self.series = samples_of(self.text)
        self.history = [json.loads(line) for line in history.read_text().splitlines()]

    def values(self, metric, pod):
        """Of the one series of this metric and process: {second: value}."""
        found = [samples for name, samples in self.series.items()
                 if name.startswith(metric + "{") and f'pod="{pod}"' in name]
        return dict(found[0]) if found else {}

    def pods(self):
        return sorted({line["actor"] for line in self.history if line["event"] == "processStarted"})

    def states(self, at):
        """{pod: (answers a scrape, leads, how often it began to)} after all that happened up to a second."""
        flags = ("up", "frozen", "cut", "leads")
        state = collections.defaultdict(lambda: {**dict.fromkeys(flags, False), "began": 0})
        for line in self.history:
            if line["tNs"] > at * SECOND:
                break
            pod, event = state[line["actor"]], line["event"]
            if event == "processStarted":
                pod.update(up=True, began=0)
            elif event == "processEnded":
                pod.update(up=False, frozen=False)
            elif event in ("paused", "resumed"):
                pod["frozen"] = event == "paused"
            elif event == "connection":
                pod["cut"] = line["cutOff"]
            elif event in ("leadershipBegan", "leadershipEnded") and line["level"] == "context":
                pod["leads"] = event == "leadershipBegan"
                pod["began"] += pod["leads"]
        return {pod: (state[pod]["up"] and not state[pod]["frozen"] and not state[pod]["cut"], state[pod]["leads"],
                      state[pod]["began"]) for pod in self.pods()}


class Metrics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.runs = {}
        for i, (name, arguments) in enumerate(RUNS.items()):
            (pathlib.Path(folder.name) / str(i)).mkdir()
            cls.runs[name] = Run(arguments, pathlib.Path(folder.name) / str(i), 1)

    def test_samples_are_what_the_processes_were_at_each_scrape(self):
        for name, run in self.runs.items():
            with self.subTest(name):
                for at in range(0, 120, 3):
                    for pod, (answers, leads, began) in run.states(at).items():
                        self.assertEqual(run.values("up", pod)[at], answers)
                        self.assertEqual(run.values("leader_election_is_leader", pod).get(at),
                                         float(leads) if answers else None)
                        self.assertEqual(run.values("leader_election_transitions_total", pod).get(at),
                                         float(began) if answers else None)

    def test_a_crash_makes_the_transition_counter_begin_again(self):
        run = self.runs["crash"]
        first = next(line["actor"] for line in run.history if line["event"] == "leadershipBegan")
        values = list(run.values("leader_election_transitions_total", first).values())
        self.assertIn(1, values)
        self.assertEqual(values[-1], 0)

    def test_the_api_server_counts_every_request(self):
        for name, run in self.runs.items():
            with self.subTest(name):
                verbs = {"get": "GET", "update": "PUT", "create": "POST", "delete": "DELETE"}
                said = collections.Counter((verbs[line["verb"]], str(line["code"]))
                                           for line in run.history if line["event"] == "requestHandled")
                for (verb, code), count in said.items():
                    found = [samples for series, samples in run.series.items()
                             if series.startswith("apiserver_request_total{") and f'code="{code}"' in series
                             and f'verb="{verb}"' in series]
                    self.assertEqual(found[0][-1][1], count)

    def test_an_api_server_that_refuses_connections_answers_no_scrape(self):
        run = self.runs["outage"]
        began = next(line["tNs"] for line in run.history if line["event"] == "faultBegan") // SECOND + 1
        self.assertEqual(dict(run.series['up{job="apiserver"}'])[began], 0)
        for name, samples in run.series.items():
            if name.startswith("apiserver_request_total{"):
                self.assertNotIn(began, dict(samples))

    def test_the_slow_path_is_counted_when_a_holder_writes_after_a_read_and_not_when_it_releases(self):
        run = self.runs["losses"]
        last = {pod: max(run.values("leader_election_slowpath_total", pod).values(), default=0) for pod in run.pods()}
        self.assertGreater(sum(last.values()), 0)
        for pod in self.runs["drain"].pods():
            self.assertEqual(self.runs["drain"].values("leader_election_slowpath_total", pod), {})
        self.assertNotIn("leader_election_slowpath_total{", self.runs["naive"].text)
        self.assertNotIn("leader_election_master_status{", self.runs["naive"].text)

    def test_families_stand_together_with_type_and_help_and_the_text_ends(self):
        for run in self.runs.values():
            lines, seen, family = run.text.splitlines(), set(), None
            self.assertEqual(lines[-1], "# EOF")
            for line in lines[:-1]:
                if line.startswith("# TYPE "):
                    family = line.split()[2]
                    self.assertNotIn(family, seen)
                    seen.add(family)
                elif line.startswith("#"):
                    self.assertEqual(line.split()[2], family)
                else:
                    self.assertIn(line.split("{")[0].split(" ")[0], (family, family + "_total"))
            for name, samples in run.series.items():
                times = [at for at, _ in samples]
                self.assertEqual(times, sorted(set(times)), name)

    @unittest.skipUnless(text_string_to_metric_families, "python3-prometheus-client is not installed")
    def test_the_reference_parser_reads_it(self):
        for name, run in self.runs.items():
            with self.subTest(name):
                families = {family.name: family for family in text_string_to_metric_families(run.text)}
                self.assertEqual(families["leader_election_transitions"].type, "counter")
                self.assertEqual(families["tenure_lease_age_seconds"].unit, "seconds")
                count = sum(len(family.samples) for family in families.values())
                self.assertEqual(count, sum(len(samples) for samples in run.series.values()))

    @unittest.skipUnless(shutil.which("promtool"), "promtool is not installed (prometheus)")
    def test_promtool_makes_blocks_of_it_that_hold_every_sample(self):
        for name, run in self.runs.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run(["promtool", "tsdb", "create-blocks-from", "openmetrics", run.path, folder],
                                      capture_output=True, text=True, timeout=120, check=False)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertNotIn("err", done.stderr.lower())
                blocks = [json.loads(path.read_text())["stats"] for path in pathlib.Path(folder).glob("*/meta.json")]
                self.assertEqual(sum(block["numSamples"] for block in blocks),
                                 sum(len(samples) for samples in run.series.values()))

    def test_epoch_and_interval_are_what_was_asked_for_or_refused(self):
        scenario = RUNS["crash"][0]
        done = tenure("replay", scenario, "-w", "openmetrics=-", "--epoch", "2030-01-01T00:00:00Z", "--scrape-interval",
                      "500ms")
        self.assertIn("tenure_believed_leaders 0 1893456000.5\n", done.stdout)
        for wrong in ("yesterday", "2030-02-30T00:00:00Z", "2030-01-01", "1969-12-31T23:59:59Z", "2500-01-01T00:00:00Z",
                      "2030-01-01T00:00:00.5Z", " "):
            done = tenure("replay", scenario, "--epoch", wrong)
            self.assertEqual(done.returncode, 2, wrong)
        for wrong in ("0s", "1us", "-1s", "15"):
            self.assertEqual(tenure("replay", scenario, f"--scrape-interval={wrong}").returncode, 2, wrong)


if __name__ == "__main__":
    sys.exit(unittest_cases.run_module(__name__))
