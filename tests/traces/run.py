#!/usr/bin/env python3
"""Traces of single runs, `replay -w trace=` and `-w pftrace=`, against the history of the same run.

Lanes never overlap, every request has its end, flows connect what they should, names cannot break the file, and both
forms show the same. TENURE_PROGRAM is the program; protoc (protobuf-compiler) decodes the binary form, and without it
that part is not run.
"""

import ast
import collections
import fractions
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

PROGRAM = os.environ.get("TENURE_PROGRAM")
HERE = pathlib.Path(__file__).resolve().parent
RUNS = [
    ["scenarios/start/leader-crash.yaml"],
    ["scenarios/start/leader-isolated.yaml", "--run", "3"],
    ["scenarios/start/node-drain.yaml"],
    ["scenarios/start/api-outage.yaml", "--run", "1"],
    ["scenarios/hazards/frozen-leader.yaml"],
    ["scenarios/hazards/release-hanging.yaml"],
    ["scenarios/hazards/slow-reply-then-cut.yaml", "--run", "23"],
    ["scenarios/hazards/naive-loop-cut-off.yaml"],
    ["scenarios/hazards/duplicate-identity.yaml"],
    # Everything of an attempt happens in one instant.
    ["scenarios/start/leader-crash.yaml", "--set", "spec.cluster.latency={read: 0s, write: 0s}"],
    # Occurrences of one fault that overlap.
    ["scenarios/start/leader-crash.yaml", "--set",
     "spec.faults=[{name: slow, type: delay, target: all, latency: 1s, at: 40s, duration: 30s, every: 10s, count: 5}]"],
]
HOSTILE = """
apiVersion: tenure/v1alpha1
kind: Scenario
metadata: {name: hostile}
spec:
  duration: 90s
  runs: 1
  candidates:
    - {name: "web", replicas: 2, identity: "\\"}],<b>&amp;\\\\ \\u202e x", elector: {type: client-go}}
  faults:
    - {name: kill, type: crash, target: leader, at: 40s}
"""
SERVER = "API server"


def tenure(*arguments, **more):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, timeout=120, check=False, **more)


def nanoseconds(microseconds):
    value = fractions.Fraction(microseconds) * 1000
    assert value.denominator == 1, f"{microseconds} us is no whole nanosecond"
    return int(value)


class Written:
    """A run's history and both traces."""

    def __init__(self, arguments, folder):
        self.paths = {form: pathlib.Path(folder) / form for form in ("jsonl", "trace", "pftrace")}
        writes = [word for form, path in self.paths.items() for word in ("-w", f"{form}={path}")]
        done = tenure("replay", *arguments, *writes)
        assert done.returncode == 0, done.stderr.decode()
        self.history = [json.loads(line) for line in self.paths["jsonl"].read_text().splitlines()]
        self.events = json.loads(self.paths["trace"].read_text(), parse_float=str, parse_int=str)["traceEvents"]

    def of_kind(self, phase):
        return [event for event in self.events if event["ph"] == phase]

    def names(self):
        """(pid, tid) -> (group, lane)"""
        groups = {e["pid"]: e["args"]["name"] for e in self.of_kind("M") if e["name"] == "process_name"}
        return {(e["pid"], e["tid"]): (groups[e["pid"]], e["args"]["name"])
                for e in self.of_kind("M") if e["name"] == "thread_name"}

    def lanes(self):
        """(group, lane) -> [(from, to, name, notes)], as written."""
        lanes, names = collections.defaultdict(list), self.names()
        for e in self.of_kind("X"):
            begin = nanoseconds(e["ts"])
            lanes[names[e["pid"], e["tid"]]].append((begin, begin + nanoseconds(e["dur"]), e["name"], e["args"]))
        return lanes

    def counters(self):
        values = collections.defaultdict(list)
        for e in self.of_kind("C"):
            values[e["name"]].append((nanoseconds(e["ts"]), int(e["args"]["value"])))
        return dict(values)


# ---- what protoc prints

def parsed(lines):
    """Text form of a message as {field: [values]}."""
    message = collections.defaultdict(list)
    for line in lines:
        line = line.strip()
        if line == "}":
            return message
        if line.endswith("{"):
            message[line[:-1].strip()].append(parsed(lines))
            continue
        name, value = line.split(": ", 1)
        message[name].append(ast.literal_eval("b" + value).decode() if value.startswith('"') else int(value, 0))
    return message


class Decoded:
    """A binary trace by what it says: the same shape as Written's."""

    def __init__(self, path):
        with open(path, "rb") as file:
            command = ["protoc", f"-I{HERE}", "--decode=track_event.Trace", "track_event.proto"]
            done = subprocess.run(command, stdin=file,
                                  capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        self.packets = parsed(iter(done.stdout.splitlines()))["packet"]
        self.tracks, self.open, self.times = {}, {}, []
        self.lanes, self.flows = collections.defaultdict(list), collections.defaultdict(list)
        self.counters, self.instants = collections.defaultdict(list), []
        for packet in self.packets:
            assert not any(field.isdigit() for field in packet), f"a field that is not declared: {packet}"
            for track in packet["track_descriptor"]:
                self.tracks[track["uuid"][0]] = track
            for event in packet["track_event"]:
                self.hear(packet["timestamp"][0], event)

    def lane(self, uuid):
        track = self.tracks[uuid]
        return (self.tracks[track["parent_uuid"][0]]["name"][0] if track["parent_uuid"] else None, track["name"][0])

    def hear(self, at, event):
        self.times.append(at)
        uuid, kind = event["track_uuid"][0], event["type"][0]
        lane = self.lane(uuid)
        for flow in event["flow_ids"]:
            self.flows[flow].append((lane, at))
        if kind == 1:
            assert uuid not in self.open, f"two slices are open in {lane}"
            notes = {note["name"][0]: note["string_value"][0] for note in event["debug_annotations"]}
            self.open[uuid] = (at, event["name"][0], notes)
        elif kind == 2:
            begin, name, notes = self.open.pop(uuid)
            self.lanes[lane].append((begin, at, name, notes))
        elif kind == 3 and lane[0] is None:
            self.instants.append((at, event["name"][0]))
        elif kind == 4:
            self.counters[lane[1]].append((at, event["counter_value"][0]))


class Traces(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.runs = []
        for i, arguments in enumerate(RUNS):
            folder = pathlib.Path(cls.folder.name) / str(i)
            folder.mkdir()
            cls.runs.append(Written(arguments, folder))

    def test_slices_of_a_lane_never_overlap_and_lanes_have_names(self):
        for arguments, run in zip(RUNS, self.runs):
            with self.subTest(" ".join(arguments)):
                for lane, slices in run.lanes().items():
                    for before, after in zip(slices, slices[1:]):
                        self.assertLessEqual(before[1], after[0], lane)
                    for begin, end, *_ in slices:
                        self.assertLessEqual(begin, end, lane)

    def test_every_request_has_its_end_and_only_answered_ones_an_answer(self):
        for arguments, run in zip(RUNS, self.runs):
            with self.subTest(" ".join(arguments)):
                processes = {line["actor"] for line in run.history if line["event"] == "requestSent"}
                lanes = run.lanes()
                for process in processes:
                    sent = [line["tNs"] for line in run.history
                            if line["event"] == "requestSent" and line["actor"] == process]
                    heard = [(line["tNs"], str(line["code"]) if line["code"] else "none")
                             for line in run.history if line["event"] == "replyReceived" and line["actor"] == process]
                    slices = lanes[process, "requests"]
                    self.assertEqual([begin for begin, *_ in slices], sent)
                    waited = [one for one in slices if one[3]["answer"] != "not waited for"]
                    self.assertEqual([(end, notes["answer"]) for _, end, _, notes in waited],
                                     heard)

    def test_flows_lead_from_the_request_to_the_server_and_back(self):
        for arguments, run in zip(RUNS, self.runs):
            with self.subTest(" ".join(arguments)):
                flows, lanes, names = collections.defaultdict(dict), run.lanes(), run.names()
                for event in run.events:
                    if event["ph"] not in "stf":
                        continue
                    self.assertNotIn(event["ph"], flows[event["id"]])
                    at, lane = nanoseconds(event["ts"]), names[event["pid"], event["tid"]]
                    flows[event["id"]][event["ph"]] = (at, lane)
                    inside = any(begin <= at <= end for begin, end, *_ in lanes[lane])
                    self.assertTrue(inside, "a flow outside of any slice")
                for flow in flows.values():
                    self.assertIn("s", flow)
                    self.assertEqual(flow["s"][1][1], "requests")
                    if "t" in flow:
                        self.assertEqual(flow["t"][1][0], SERVER)
                        self.assertLessEqual(flow["s"][0], flow["t"][0])
                    if "f" in flow:
                        self.assertEqual(flow["f"][1], flow["s"][1])
                        self.assertIn("t", flow)
                count = collections.Counter(phase for flow in flows.values() for phase in flow)
                said = collections.Counter(line["event"] for line in run.history)
                self.assertEqual(count["s"], said["requestSent"])
                self.assertEqual(count["t"], said["requestHandled"])
                handled = {(line["actor"], line["incarnation"], line["request"])
                           for line in run.history if line["event"] == "requestHandled"}
                answered = [line for line in run.history if line["event"] == "replyReceived" and line["code"] and
                            (line["actor"], line["incarnation"], line["request"]) in handled]
                self.assertEqual(count["f"], len(answered))

    def test_beliefs_faults_and_believed_leaders_are_those_of_the_history(self):
        for arguments, run in zip(RUNS, self.runs):
            with self.subTest(" ".join(arguments)):
                believers, values, beliefs = 0, {0: 0}, collections.defaultdict(list)
                for line in run.history:
                    if line["event"] not in ("leadershipBegan", "leadershipEnded") or line["level"] != "context":
                        continue
                    began = line["event"] == "leadershipBegan"
                    believers += 1 if began else -1
                    values[line["tNs"]] = believers
                    beliefs[line["actor"]].append(line["tNs"])
                self.assertEqual(run.counters()["believed leaders"], sorted(values.items()))
                for process, times in beliefs.items():
                    edges = [edge for begin, end, *_ in run.lanes()[process, "belief"] for edge in (begin, end)]
                    self.assertEqual(edges[:len(times)], times)
                said = collections.Counter(line["event"] for line in run.history)
                names = [event["name"] for event in run.of_kind("i")]
                self.assertEqual(sum(name.endswith(" begins") for name in names), said["faultBegan"])
                self.assertEqual(sum(name.endswith(" ends") for name in names), said["faultEnded"])

    def test_a_frozen_leader_believes_and_does_not_work(self):
        with tempfile.TemporaryDirectory() as folder:
            lanes = Written(["scenarios/hazards/frozen-leader.yaml"], folder).lanes()
        frozen = [s for s in lanes["kcm-1", "state"] if s[2] == "leads, frozen"]
        self.assertEqual(len(frozen), 1)
        begin, end = frozen[0][:2]
        self.assertTrue(any(b <= begin and end <= e for b, e, *_ in lanes["kcm-1", "belief"]))
        self.assertFalse(any(b < end and begin < e for b, e, *_ in lanes["kcm-1", "work"]))
        self.assertIn("TWO RUNNING LEADERS", [name for *_, name, _ in lanes["truth", "leaders"]])

    @unittest.skipUnless(shutil.which("protoc"), "protoc is not installed (protobuf-compiler)")
    def test_the_binary_form_shows_the_same(self):
        for arguments, run in zip(RUNS, self.runs):
            with self.subTest(" ".join(arguments)):
                decoded = Decoded(run.paths["pftrace"])
                self.assertEqual(decoded.open, {})
                self.assertEqual(decoded.times, sorted(decoded.times))
                self.assertEqual(dict(decoded.lanes), {lane: slices for lane, slices in run.lanes().items() if slices})
                self.assertEqual({name: values for name, values in decoded.counters.items()}, run.counters())
                self.assertEqual(sorted(decoded.instants),
                                 sorted((nanoseconds(e["ts"]), e["name"]) for e in run.of_kind("i")))
                phases = collections.Counter(e["id"] for e in run.events if e["ph"] in "stf")
                self.assertEqual({str(flow): len(steps) for flow, steps in decoded.flows.items()}, dict(phases))

    def test_names_cannot_break_a_trace(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "hostile.yaml"
            path.write_text(HOSTILE)
            run = Written([str(path)], folder)
            texts = {slice_[2] for slices in run.lanes().values() for slice_ in slices}
            self.assertTrue(any('"}],<b>&amp;\\' in text for text in texts), texts)
            if shutil.which("protoc"):
                self.assertEqual(dict(Decoded(run.paths["pftrace"]).lanes), dict(run.lanes()))

    def test_the_bytes_are_the_same_wherever_it_is_written(self):
        scenario = str(pathlib.Path("scenarios/hazards/frozen-leader.yaml").resolve())
        with tempfile.TemporaryDirectory() as folder:
            written = []
            for name, environment in (("a", {}), ("b", {"LC_ALL": "C"})):
                for form in ("trace", "pftrace"):
                    done = tenure("replay", scenario, "-w", f"{form}={name}", cwd=folder,
                                  env={"PATH": os.environ["PATH"], **environment})
                    self.assertEqual(done.returncode, 0, done.stderr)
                    written.append((pathlib.Path(folder) / name).read_bytes())
            self.assertEqual(written[:2], written[2:])


if __name__ == "__main__":
    sys.exit(unittest_cases.run_module(__name__))
