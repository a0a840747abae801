#!/usr/bin/env python3
"""The JSON Schema accepts what the loader's structural pass accepts, and nothing else.

Judged by python3-jsonschema over every shipped scenario and sweep, the broken ones of tests/golden/diagnostics, the
corpora of tests/fuzz, and mutations of shipped ones (seeded): a field renamed, removed or moved, a unit or a sign
dropped, another type, a list for a map, another word. The structural pass is E0201 to E0223 of `tenure fmt`, which
loads and does nothing else; E03xx, about meaning, is left to the loader. Results of `run`, `explore` and `sweep` are
judged by their schemas.

What JSON Schema cannot say, and so is not compared (INEXPRESSIBLE), each with the code of the loader:

  order      uniform [a, b] with a > b, p50 > p99, shares of empirical that decrease or do not end with 1: no schema
             compares two values (E0206)
  looks      of spec.stopping that do not grow: the same (E0209)
  ticks      a tick that is not a multiple of 1us: decimal parts of several units add up (E0209)
  length     durations beyond 292 years, offsets beyond 146, sizes beyond 2^63: a sum over units (E0217, E0209)
  repetition durations below a nanosecond, which count as zero (E0209, E0206)
  looks      that abortOnFail of an estimate needs: they stand elsewhere (E0218)
  formulas   of sweeps: parentheses that match (E0222)
  values     of a range above 10^9 or 10^9 s in a text, or below 1us on a log scale: the same as length (E0209)

And, because a schema sees values and not how they were spelled: numbers like 5.0, +5 or 007 where a whole number
is needed, with more than 18 digits, or in quotes with an exponent (E0208, E0210, E0215, E0216).

TENURE_PROGRAM is the program.
"""

import copy
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import jsonschema
import yaml

PROGRAM = os.environ.get("TENURE_PROGRAM")
MUTATIONS = 600
SEED = 20240229

# (what the loader says, of a document that the schema accepts)
INEXPRESSIBLE = (
    r"E0206.*(first value of uniform must not be greater|p50 must not be greater|must not decrease|"
    r"last share of empirical)",
    r"E0209.*looks must grow",
    r"E0209.*tick must be a multiple of 1us",
    r"E0217.*longer than (292|146) years",
    r"E0209.*must be less than 2\^63",
    r"E0222",
    r"E0218.*abortOnFail: .* only at a look",
    r"E0209.*(a range ends at|a step must be above zero|a range on a log scale lies above)",
)
SPELLING = r"E02(08|10|15|16)"
ODD_NUMBER = re.compile(r"(?<![\w.])[+-]?(\d+\.0*|0\d+|\+\d+|\d{18,}|\d[\d.]*e\d+)(?![\w.])", re.IGNORECASE)


class Plain(yaml.SafeLoader):
    """YAML 1.2's core schema, as editors read it: JSON's words and numbers, everything else a text."""


Plain.yaml_implicit_resolvers = {}
Plain.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(true|false)$"), list("tf"))
Plain.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"^(~|null|Null|NULL|)$"), ["~", "n", "N", ""])
Plain.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^[-+]?[0-9]+$"), list("-+0123456789"))
Plain.add_implicit_resolver("tag:yaml.org,2002:float",
                            re.compile(r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$"), list("-+.0123456789"))
# 007 is seven in YAML 1.2, and PyYAML would take it for an octal number.
Plain.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value))
Plain.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(node.value))


def tenure(*arguments, text=None):
    return subprocess.run([PROGRAM, *arguments], input=text, capture_output=True, text=True, encoding="utf-8",
                          errors="replace", check=False)


def schema_of(kind):
    schema = json.loads(tenure("schema", kind).stdout)
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def complaints(path):
    """The loader's errors, as CODE and text."""
    done = tenure("fmt", str(path))
    if done.returncode not in (0, 2):
        raise RuntimeError(f"tenure fmt {path} ended with {done.returncode}: {done.stderr}")
    return re.findall(r"error\[(E\d+)\]: (.*)", done.stderr)


def first_error(validator, document):
    error = jsonschema.exceptions.best_match(validator.iter_errors(document))
    return None if error is None else f"{'.'.join(map(str, error.absolute_path))}: {error.message[:200]}"


class Tally:
    def __init__(self):
        self.passed, self.failed, self.excepted = 0, 0, 0
        self.accepted, self.refused = 0, 0

    def expect(self, right, what):
        if right:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED: {what}")


def is_structural(code):
    return "E0201" <= code <= "E0223"


def schema_for(validators, document):
    """As the loader chooses: a Sweep calls itself one, anything else is to be a Scenario."""
    is_sweep = isinstance(document, dict) and document.get("kind") == "Sweep"
    return validators["Sweep" if is_sweep else "Scenario"]


def compare(tally, validators, name, path, documents):
    found = complaints(path)
    # Not a tree yet: there is nothing that a schema could be asked about. A missing value is a null to a schema.
    if any(code < "E0200" and code != "E0111" for code, _ in found):
        return
    structural = [f"{code}: {text}" for code, text in found if is_structural(code) or code == "E0111"]
    errors = [error for error in (first_error(schema_for(validators, each), each) for each in documents) if error]
    tally.accepted += not structural
    tally.refused += bool(structural)
    if bool(structural) == bool(errors):
        tally.passed += 1
    elif structural and all(any(re.search(rule, text) for rule in INEXPRESSIBLE) for text in structural):
        tally.excepted += 1
    elif structural and all(re.search(SPELLING, text) for text in structural) and \
            ODD_NUMBER.search(path.read_text(encoding="utf-8")):
        tally.excepted += 1
    else:
        tally.expect(False, f"{name}: the loader says {structural or 'nothing'}, the schema {errors or 'nothing'}")


def documents_of(path, text):
    if path.suffix == ".json":
        return [json.loads(text)]
    return [document for document in yaml.load_all(text, Loader=Plain) if document is not None]


def compare_file(tally, validators, path, text=None):
    """A file as it is, or this text of it."""
    with tempfile.TemporaryDirectory() as folder:
        text = path.read_bytes().decode("utf-8", "replace") if text is None else text
        copied = pathlib.Path(folder) / ("x" + (".json" if path.suffix == ".json" else ".yaml"))
        copied.write_bytes(text.encode("utf-8") if text is not None else path.read_bytes())
        try:
            documents = documents_of(copied, text)
        except (yaml.YAMLError, ValueError):
            return  # the loader's own tests have those
        compare(tally, validators, str(path), copied, documents)


# ---- mutations


def places(node, path=()):
    """Every node of a document with the way to it."""
    yield path, node
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in children:
        yield from places(value, (*path, key))


def parent_of(document, path):
    for key in path[:-1]:
        document = document[key]
    return document


WORDS = ("none", "any", "leader", "client-go", "naive-loop", "crash", "pause", "partition", "delay", "apiOutage", "bound",
         "apiserver", "candidate/nobody", "B1", "boundedFailover", "true", "v0.30", "50%", "+5s", "-5s", "0s", "1d", "",
         "4GiB", "+200ppm", "isLeader", "max < 2", "p(99) < 20s", "all")
VALUES = (0, 1, -1, 2.5, 0.5, 100, 503, True, False, None, [], {}, ["5s"], {"uniform": ["1s", "2s"]},
          {"uniform": ["2s"]}, {"exponential": {"mean": "0s"}}, {"mixture": [{"weight": 1, "of": "5s"}]},
          {"empirical": [["1s", 1]]}, {"lognormal": {"p50": "1s"}}, {"role": "leader", "mode": "one"},
          {"role": "all", "mode": "fixed"}, {"role": "all", "mode": "fixed-percent", "value": "50%"}, {"first": 3})
FIELDS = ("explore", "choices", "faults", "every", "count", "code", "mode", "between", "target", "within", "window",
          "level", "request", "read", "duration", "latency", "version", "leaderSleep", "behaviour", "zzz", "identity",
          "clock", "value", "runs", "abortOnFail", "work")

SWEEP_WORDS = ("grid", "sobol", "latin-hypercube", "log", "linear", "common", "independent", "0", "0s", "-1", "-1s", "+5", "5",
               "1e3", "L * 2", "(L", "L > 2", "L ! 2", "L", "min(L, R)", "", "failover", "failover.p(99)", "failover.p(0)",
               "failover[kill].max", "failover p(99)", "failover.p(50) < 30s", "failover  p(50)  <  30s", "failoverp(99) < 3s",
               "failover[kill] max <= 5", "gap", "gapp", "apiOutageSurvived >= 8s", "apiOutageSurvived>=8s", "clockRatio > 1.1",
               "clockRatio > 1s", "safetyMargin >= 0", "safetyMargin >= -1s", "overlap max == 0s", "leaderless avg < 5%", "1d",
               "L-1", "a" * 65, "_x", "-0", "-0s", "100ns", "true", "api.requestsPerSecond max < 2/s")
SWEEP_VALUES = (0, 1, -1, 2, 3, 64, 1.5, 0.5, -0.5, 100000, 100001, 2000000000, True, False, None, [], {}, ["5s"], [5], [True],
                [["5s"]], {"from": "1s", "to": "5s"}, {"from": 1, "to": "5s"}, {"from": "1s", "to": "5s", "step": "1s"},
                {"from": 1, "to": 5, "count": 3}, {"from": 0, "to": 5, "count": 3, "scale": "log"},
                {"from": 1, "to": 5, "step": 1, "count": 3}, {"from": 1, "to": 5, "step": "1s"}, {"type": "grid"},
                {"type": "grid", "points": 4}, {"type": "sobol", "points": 64}, {"type": "sobol", "points": 60},
                {"type": "latin-hypercube", "points": 60}, {"type": "sobol"}, {"L": "5s"}, [{"L": 5}], [{"L": ["5s"]}],
                {"path": "spec.duration", "expr": "L"}, [{"path": "spec.duration", "expr": "L"}], [{"name": "L", "expr": "5s"}])
SWEEP_FIELDS = ("design", "points", "seed", "type", "step", "count", "scale", "from", "to", "values", "range", "expr", "path",
                "name", "follow", "constraints", "exclude", "include", "objectives", "minimize", "subjectTo", "seeds", "zzz",
                "runsPerPoint", "scenarioRef", "runs")


class Mutations:
    """What a document is changed with."""

    def __init__(self, kind):
        sweep = kind == "Sweep"
        self.words = SWEEP_WORDS + ("tenure/v1alpha1", "Scenario") if sweep else WORDS
        self.values = SWEEP_VALUES if sweep else VALUES
        self.fields = SWEEP_FIELDS if sweep else FIELDS


def mutate(document, chance, of):
    """One change at a random place; says what it was."""
    way, node = chance.choice([place for place in places(document) if place[0]])
    parent, key = parent_of(document, way), way[-1]
    name = ".".join(map(str, way))
    choice = chance.randrange(9)
    if choice == 0 and isinstance(parent, dict):
        parent[key[:-1] if len(key) > 3 else key + "x"] = parent.pop(key)
        return f"{name} renamed"
    if choice == 1:
        del parent[key]
        return f"{name} removed"
    if choice == 2 and isinstance(node, str) and re.match(r"[+-]?\d", node):
        number = re.match(r"[+-]?[\d.]+", node).group()
        parent[key] = json.loads(number) if re.fullmatch(r"\d+(\.\d+)?", number) else number
        return f"{name} without its unit"
    if choice == 3:
        parent[key] = [node]
        return f"{name} in a list"
    if choice == 4 and isinstance(node, list) and node:
        parent[key] = node[0]
        return f"{name} without its list"
    if choice == 5:
        parent[key] = chance.choice(of.words)
        return f"{name} = {parent[key]!r}"
    if choice == 6:
        parent[key] = copy.deepcopy(chance.choice(of.values))
        return f"{name} = {parent[key]!r}"
    if choice == 7 and isinstance(node, dict):
        field = chance.choice(of.fields)
        node[field] = copy.deepcopy(chance.choice(of.values + of.words))
        return f"{name}.{field} = {node[field]!r}"
    parent[key] = str(node).lower() if isinstance(node, bool) else str(node) if isinstance(node, (int, float)) else {"name": node}
    return f"{name} as {parent[key]!r}"


def compare_mutations(tally, validators, kind, originals):
    chance = random.Random(SEED)
    of = Mutations(kind)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "x.json"
        for _ in range(MUTATIONS):
            file, original = chance.choice(originals)
            document = copy.deepcopy(original)
            what = mutate(document, chance, of)
            path.write_text(json.dumps(document), encoding="utf-8")
            compare(tally, validators, f"{file} with {what}", path, [document])
    return MUTATIONS


# Where the words and values of sweeps belong: each is tried at each.
SWEEP_PLACES = (("design",), ("constraints", 0), ("objectives", "minimize", 0), ("objectives", "subjectTo", 0),
                ("follow", 0, "expr"), ("parameters", 0, "values", 0), ("parameters", 0, "name"), ("parameters", 0, "range"),
                ("parameters", 1, "range", "from"), ("parameters", 1, "range", "step"), ("parameters", 1, "range", "count"),
                ("exclude", 0, "L"), ("seeds",), ("runsPerPoint",))
A_SWEEP = {"apiVersion": "tenure/v1alpha1", "kind": "Sweep", "metadata": {"name": "x"}, "spec": {
    "scenarioRef": {"path": "x.yaml"}, "runsPerPoint": 5, "seeds": "common",
    "parameters": [{"name": "L", "path": "spec.a", "values": ["5s"]}, {"name": "R", "range": {"from": "1s", "to": "5s"}},
                   {"name": "D", "range": {"from": 1, "to": 5, "count": 3}}],
    "follow": [{"path": "spec.duration", "expr": "L"}], "constraints": ["L > 2s"], "exclude": [{"L": "5s"}],
    "objectives": {"minimize": ["gap.max"], "subjectTo": ["overlap max == 0s"]}}}


def compare_places(tally, validators):
    made = 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "x.json"
        for way in SWEEP_PLACES:
            for value in SWEEP_WORDS + SWEEP_VALUES:
                document = copy.deepcopy(A_SWEEP)
                if way[:2] == ("parameters", 1) and way[-1] == "count":
                    document["spec"]["parameters"][1]["range"]["count"] = 2
                elif way[:2] == ("parameters", 1):
                    document["spec"]["parameters"][1]["range"]["step"] = "1s"
                else:
                    document["spec"]["parameters"][1]["range"]["count"] = 2
                parent_of(document["spec"], way)[way[-1]] = copy.deepcopy(value)
                path.write_text(json.dumps(document), encoding="utf-8")
                compare(tally, validators, f"a sweep with {way} = {value!r}", path, [document])
                made += 1
    return made


# ---- results


def judge_results(tally, scenarios):
    with tempfile.TemporaryDirectory() as folder:
        run_result, explore_result = schema_of("RunResult"), schema_of("ExploreResult")
        out = pathlib.Path(folder) / "result.json"
        for path in scenarios:
            is_explored = "explore/" in str(path)
            limits = ["--set", "spec.explore.maxStates=2000"] if is_explored else ["--runs", "3"]
            verb = "explore" if is_explored else "run"
            out.unlink(missing_ok=True)
            tenure(verb, str(path), "-q", *limits, "-w", f"json={out}")
            error = first_error(explore_result if is_explored else run_result, json.loads(out.read_text(encoding="utf-8")))
            tally.expect(error is None, f"the result of {verb} {path}: {error}")


def judge_a_sweep(tally, sweeps):
    with tempfile.TemporaryDirectory() as folder:
        schema = schema_of("SweepResult")
        out = pathlib.Path(folder) / "result.json"
        for path in sweeps:
            tenure("sweep", str(path), "-q", "--runs", "2", "-w", f"json={out}")
            error = first_error(schema, json.loads(out.read_text(encoding="utf-8")))
            tally.expect(error is None, f"the result of sweep {path}: {error}")


def judge_a_stopped_run(tally, scenario):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "result.json"
        tenure("run", str(scenario), "-q", "--runs", "20", "--set", "spec.stopping={looks: [10]}", "-w", f"json={out}")
        result = json.loads(out.read_text(encoding="utf-8"))
        tally.expect("stopping" in result, f"the result of {scenario} with looks names none")
        error = first_error(schema_of("RunResult"), result)
        tally.expect(error is None, f"the result of {scenario} with looks: {error}")


def files_in(folder, kind):
    return [path for path in sorted(pathlib.Path(folder).rglob("*.yaml"))
            if f"\nkind: {kind}\n" in path.read_text(encoding="utf-8")]


def judge_shipped(tally, validator, files):
    for path in files:
        error = first_error(validator, documents_of(path, path.read_text(encoding="utf-8"))[0])
        tally.expect(error is None, f"{path}: {error}")
        full = json.loads(tenure("fmt", "--full", "-o", "json", str(path)).stdout)
        error = first_error(validator, full)
        tally.expect(error is None, f"{path} with all its fields: {error}")


def compare_corpora(tally, validators):
    for path in sorted(pathlib.Path("tests/golden/diagnostics").iterdir()):
        if path.suffix in (".yaml", ".json"):
            compare_file(tally, validators, path)
    for folder, skipped in (("loader", 1), ("fmt", 1), ("sweep", 0)):
        for path in sorted(pathlib.Path("tests/fuzz/corpus", folder).iterdir()):
            text = path.read_bytes().decode("utf-8", "replace")
            if not skipped or text[:1] in "yj":
                compare_file(tally, validators, path, text[skipped:])


def main():
    if not PROGRAM:
        sys.exit("TENURE_PROGRAM names no program")
    tally = Tally()
    validators = {kind: schema_of(kind) for kind in ("Scenario", "Sweep")}
    shipped = {kind: files_in("scenarios", kind) for kind in validators}
    for kind, files in shipped.items():
        judge_shipped(tally, validators[kind], files)
    compare_corpora(tally, validators)
    corpus = tally.accepted + tally.refused
    made = 0
    for kind, files in shipped.items():
        originals = [(str(path), documents_of(path, path.read_text(encoding="utf-8"))[0]) for path in files]
        made += compare_mutations(tally, validators, kind, originals)
    made += compare_places(tally, validators)
    judge_results(tally, shipped["Scenario"])
    judge_a_sweep(tally, shipped["Sweep"])
    judge_a_stopped_run(tally, pathlib.Path("scenarios/start/leader-crash.yaml"))
    print(f"{len(shipped['Scenario'])} shipped scenarios and {len(shipped['Sweep'])} sweeps, {corpus} documents of the "
          f"corpora, {made} mutations; {tally.accepted} accepted and {tally.refused} refused by the loader, "
          f"{tally.excepted} inexpressible")
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed or not tally.passed else 0


if __name__ == "__main__":
    sys.exit(main())
