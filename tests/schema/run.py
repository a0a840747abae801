#!/usr/bin/env python3
"""The JSON Schema accepts what the loader's structural pass accepts, and nothing else.

Judged by python3-jsonschema over every shipped scenario, the broken ones of tests/golden/diagnostics, the corpora of
tests/fuzz, and mutations of shipped scenarios (seeded): a field renamed, removed or moved, a unit or a sign dropped,
another type, a list for a map, another word. The structural pass is E0201 to E0221 of `tenure fmt`, which loads and
does nothing else; E03xx, about meaning, is left to the loader. Results of `run` and `explore` are judged by their
schemas.

What JSON Schema cannot say, and so is not compared (INEXPRESSIBLE), each with the code of the loader:

  order      uniform [a, b] with a > b, p50 > p99, shares of empirical that decrease or do not end with 1: no schema
             compares two values (E0206)
  looks      of spec.stopping that do not grow: the same (E0209)
  ticks      a tick that is not a multiple of 1us: decimal parts of several units add up (E0209)
  length     durations beyond 292 years, offsets beyond 146, sizes beyond 2^63: a sum over units (E0217, E0209)
  repetition durations below a nanosecond, which count as zero (E0209, E0206)

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
    return "E0201" <= code <= "E0221"


def compare(tally, validator, name, path, documents):
    found = complaints(path)
    # Not a tree yet: there is nothing that a schema could be asked about. A missing value is a null to a schema.
    if any(code < "E0200" and code != "E0111" for code, _ in found):
        return
    structural = [f"{code}: {text}" for code, text in found if is_structural(code) or code == "E0111"]
    errors = [error for error in (first_error(validator, document) for document in documents) if error]
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


def compare_file(tally, validator, path, text=None):
    """A file as it is, or this text of it."""
    with tempfile.TemporaryDirectory() as folder:
        text = path.read_bytes().decode("utf-8", "replace") if text is None else text
        copied = pathlib.Path(folder) / ("x" + (".json" if path.suffix == ".json" else ".yaml"))
        copied.write_bytes(text.encode("utf-8") if text is not None else path.read_bytes())
        try:
            documents = documents_of(copied, text)
        except (yaml.YAMLError, ValueError):
            return  # the loader's own tests have those
        compare(tally, validator, str(path), copied, documents)


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


def mutate(document, chance):
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
        parent[key] = chance.choice(WORDS)
        return f"{name} = {parent[key]!r}"
    if choice == 6:
        parent[key] = copy.deepcopy(chance.choice(VALUES))
        return f"{name} = {parent[key]!r}"
    if choice == 7 and isinstance(node, dict):
        field = chance.choice(FIELDS)
        node[field] = copy.deepcopy(chance.choice(VALUES + WORDS))
        return f"{name}.{field} = {node[field]!r}"
    parent[key] = str(node).lower() if isinstance(node, bool) else str(node) if isinstance(node, (int, float)) else {"name": node}
    return f"{name} as {parent[key]!r}"


def compare_mutations(tally, validator, scenarios):
    chance = random.Random(SEED)
    made = 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "x.json"
        while made < MUTATIONS:
            file, original = chance.choice(scenarios)
            document = copy.deepcopy(original)
            what = mutate(document, chance)
            path.write_text(json.dumps(document), encoding="utf-8")
            compare(tally, validator, f"{file} with {what}", path, [document])
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


def scenarios_in(folder):
    return [path for path in sorted(pathlib.Path(folder).rglob("*.yaml")) if "\nkind: Scenario" in path.read_text(encoding="utf-8")]


def main():
    if not PROGRAM:
        sys.exit("TENURE_PROGRAM names no program")
    tally = Tally()
    validator = schema_of("Scenario")
    shipped = scenarios_in("scenarios")
    for path in shipped:
        error = first_error(validator, documents_of(path, path.read_text(encoding="utf-8"))[0])
        tally.expect(error is None, f"{path}: {error}")
        full = json.loads(tenure("fmt", "--full", "-o", "json", str(path)).stdout)
        error = first_error(validator, full)
        tally.expect(error is None, f"{path} with all its fields: {error}")
    for path in sorted(pathlib.Path("tests/golden/diagnostics").iterdir()):
        if path.suffix in (".yaml", ".json"):
            compare_file(tally, validator, path)
    for folder, skipped in (("tests/fuzz/corpus/loader", 1), ("tests/fuzz/corpus/fmt", 1)):
        for path in sorted(pathlib.Path(folder).iterdir()):
            text = path.read_bytes().decode("utf-8", "replace")
            if text[:1] in "yj":
                compare_file(tally, validator, path, text[skipped:])
    corpus = tally.accepted + tally.refused
    originals = [(str(path), documents_of(path, path.read_text(encoding="utf-8"))[0]) for path in shipped]
    made = compare_mutations(tally, validator, originals)
    judge_results(tally, shipped)
    print(f"{len(shipped)} shipped scenarios, {corpus} documents of the corpora, {made} mutations; "
          f"{tally.accepted} accepted and {tally.refused} refused by the loader, {tally.excepted} inexpressible")
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed or not tally.passed else 0


if __name__ == "__main__":
    sys.exit(main())
