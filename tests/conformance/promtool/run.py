#!/usr/bin/env python3
"""Rules and expressions as Prometheus evaluates them: the evaluator beside `promtool test rules`.

  run.py [--cases N] [--seed S]     the committed cases, then N random ones from seed S
  run.py --case FILE                one case, with both answers

Every value is compared in all its digits. The first random case that differs is made smaller and
printed; kept in corpus/, it is tried again each time.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import cases  # noqa: E402

CORPUS = HERE / "corpus"
BUILD = pathlib.Path(os.environ.get("TENURE_BUILD", HERE.parents[2] / "build" / "dev"))
EVALUATE = BUILD / "tests" / "promtool_evaluate"
NOWHERE = [{"labels": "nothing_is_called_this", "value": 1}]


class Trouble(Exception):
    """One of the two programs did not do its work."""


def values_of(series, step, until):
    """The samples in promtool's notation."""
    at = dict(map(tuple, series["samples"]))
    return " ".join(at.get(t, "_") for t in range(0, until + step, step))


def rule_of(rule):
    out = {key: rule[key] for key in ("alert", "record", "expr", "labels") if key in rule}
    if "alert" in rule:
        out.update({"for": cases.duration(rule["forMs"]), "annotations": rule["annotations"]})
        if rule["keepFiringForMs"]:
            out["keep_firing_for"] = cases.duration(rule["keepFiringForMs"])
    return out


def name_of(labels):
    inner = ",".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in labels.items())
    return "{" + inner + "}"


def write_test(case, folder):
    """Expects what is never there, so that promtool tells everything it finds."""
    step, until = case["stepMs"], case["untilMs"]
    rules = {"groups": [{"name": "group", "rules": [rule_of(rule) for rule in case["rules"]]}]}
    test = {
        "rule_files": ["rules.yaml"],
        "evaluation_interval": cases.duration(case["evaluationIntervalMs"]),
        "tests": [{
            "interval": cases.duration(step),
            "input_series": [{"series": name_of(series["labels"]), "values": values_of(series, step, until)}
                             for series in case["series"]],
            "alert_rule_test": [{"alertname": a["alertname"], "eval_time": cases.duration(a["atMs"]),
                                 "exp_alerts": [{"exp_labels": {"no": "alert"}}]} for a in case["alerts"]],
            # The last question is asked for its instant alone: rules are evaluated up to there.
            "promql_expr_test": [{"expr": q["expr"], "eval_time": cases.duration(q["atMs"]), "exp_samples": NOWHERE}
                                 for q in case["queries"] + [{"expr": "vector(0)", "atMs": until}]],
        }],
    }
    # JSON is YAML.
    (folder / "rules.yaml").write_text(json.dumps(rules), encoding="utf-8")
    (folder / "test.yaml").write_text(json.dumps(test), encoding="utf-8")


SAMPLE = re.compile(r"\{(?:[^\"}]|\"(?:[^\"\\]|\\.)*\")*\} \S+?(?=, \{|$)")
ALERT = re.compile(r"Labels:(\{.*\})\n\s+Annotations:(\{.*\})")


def answers_of_promtool(text):
    if "FAILED" not in text:
        raise Trouble(f"promtool says: {text}")
    found = {"alerts": [], "queries": [], "failed": "\n    rule: " in text}
    entries = re.split(r"\n    (?=alertname: |expr: |rule: )", text)
    for entry in entries[1:]:
        if entry.startswith("alertname: "):
            got = entry.split("got:[", 1)[1]
            found["alerts"].append(sorted(" ".join(match) for match in ALERT.findall(got)))
        elif entry.startswith("expr: ") and "\n        got: " in entry:
            got = entry.split("\n        got: ", 1)[1].strip()
            found["queries"].append([] if got == "nil" else sorted(SAMPLE.findall(got)))
        elif entry.startswith("expr: "):
            found["queries"].append("error")
    found["queries"] = found["queries"][:-1]
    return found


def answers_of_promtool_to(case):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_test(case, folder)
        done = subprocess.run(["promtool", "test", "rules", "test.yaml"], cwd=folder, text=True, capture_output=True,
                              check=False)
        return answers_of_promtool(done.stdout + done.stderr)


def answers_of_ours(case):
    done = subprocess.run([str(EVALUATE)], input=json.dumps(case), text=True, capture_output=True, check=False)
    if done.returncode:
        raise Trouble(done.stderr.strip() or f"{EVALUATE.name} ended with {done.returncode}")
    out = json.loads(done.stdout)
    if out["failures"]:
        return {"failed": True}
    return {"failed": False, "alerts": [sorted(alerts["firing"]) for alerts in out["alerts"]],
            "queries": ["error" if "error" in q else sorted(q["samples"]) for q in out["queries"]]}


def compare(case):
    """What differs, in words; empty: nothing does."""
    theirs, ours = answers_of_promtool_to(case), answers_of_ours(case)
    if theirs["failed"] or ours["failed"]:
        return "" if theirs["failed"] == ours["failed"] else f"rules failed: promtool {theirs['failed']}"
    out = []
    for kind in ("alerts", "queries"):
        if len(theirs[kind]) != len(ours[kind]):
            out.append(f"{kind}: promtool tells {len(theirs[kind])}, tenure {len(ours[kind])}")
            continue
        for asked, a, b in zip(case[kind], theirs[kind], ours[kind]):
            if a != b:
                out.append(f"{json.dumps(asked)}\n  promtool {a}\n  tenure   {b}")
    return "\n".join(out)


def differs(case):
    try:
        return bool(compare(case))
    except Trouble:
        return False


def smaller(case):
    """The same case with one thing less, each in turn."""
    for kind in ("queries", "alerts", "rules", "series"):
        for i in range(len(case[kind])):
            yield dict(case, **{kind: case[kind][:i] + case[kind][i + 1:]})
    for i, series in enumerate(case["series"]):
        for size in (len(series["samples"]) // 2, 1):
            for begin in range(0, len(series["samples"]), max(size, 1)):
                rest = series["samples"][:begin] + series["samples"][begin + size:]
                if rest and size:
                    yield dict(case, series=[dict(s, samples=rest) if k == i else s
                                             for k, s in enumerate(case["series"])])


def shrunk(case, budget=400):
    going = True
    while going:
        going = False
        for candidate in smaller(case):
            budget -= 1
            if budget < 0:
                return case
            if differs(candidate):
                case, going = candidate, True
                break
    return case


def judge(name, case):
    try:
        return name, case, compare(case)
    except Trouble as trouble:
        return name, case, str(trouble)


def asked_in(case):
    return len(case["queries"]) + len(case["alerts"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", type=pathlib.Path)
    given = parser.parse_args()
    if not shutil.which("promtool"):
        print("promtool: skipped, Prometheus is not installed (apt-get install prometheus)")
        return 0
    if given.case:
        case = json.loads(given.case.read_text(encoding="utf-8"))
        print(json.dumps([answers_of_promtool_to(case), answers_of_ours(case)], indent=1, ensure_ascii=False))
        return 0
    todo = [(path.name, json.loads(path.read_text(encoding="utf-8"))) for path in sorted(CORPUS.glob("*.json"))]
    todo += [(f"seed {given.seed}, case {i}", cases.make(f"{given.seed}/{i}")) for i in range(given.cases)]
    wrong = []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, case, difference in pool.map(lambda item: judge(*item), todo):
            if difference:
                print(f"{name}:\n{difference}", flush=True)
                wrong.append(case)
    if wrong:
        print("the first one, made smaller:\n" + json.dumps(shrunk(wrong[0]), ensure_ascii=False))
    answers = sum(asked_in(case) for _, case in todo)
    print(f"promtool: {len(todo) - len(wrong)} of {len(todo)} cases agree ({answers} questions)")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
