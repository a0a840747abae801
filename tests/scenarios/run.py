#!/usr/bin/env python3
"""What the shipped scenarios say of themselves.

Each hazard has a cure: with the settings in its line `# fixed by:` the hazard is gone, and all that the file
demands then holds, or is not exercised when nobody has to take over any more. (That the hazard shows without
them is what the scenario itself demands.)"""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("TENURE_PROGRAM", str(ROOT / "build" / "release" / "tenure"))


def cure_of(text):
    found = re.search(r"^# fixed by: (.*)$", text, re.MULTILINE)
    return shlex.split(found.group(1)) if found else None


def is_cured(path, cure):
    command = [PROGRAM, "run", str(path), "-q", "--progress", "none", "--inconclusive", "pass", *cure]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if result.returncode != 0:
        print(f"{result.stdout}{result.stderr}FAILED: {shlex.join(command)}: exit {result.returncode}")
    return result.returncode == 0


def has_a_cure(path):
    cure = cure_of(path.read_text(encoding="utf-8"))
    if cure is None:
        print(f"FAILED: {path.name} does not say what would fix it")
    return cure is not None and is_cured(path.relative_to(ROOT), cure)


def program(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=600, cwd=ROOT)


def violations_in(text):
    return set(re.findall(r"^  (\w\d) violated at (\d+\.\d{3})s", text, re.MULTILINE))


def is_shown_again(script, explored):
    """Whether the written run has the violation at the instant that the exploration names."""
    wanted = re.search(r"(\w\d) violated at ([\d.]+)s, after", explored)
    replayed, ran = program("replay", script), program("run", script, "-q", "--progress", "none")
    found = wanted and (wanted[1], f"{float(wanted[2]):.3f}") in violations_in(replayed.stdout)
    if not found or replayed.returncode != 0 or ran.returncode != 0:
        print(f"{replayed.stdout}{replayed.stderr}{ran.stdout}{ran.stderr}"
              f"FAILED: {script.name}: exits {replayed.returncode} and {ran.returncode}")
        return False
    return True


def ends_as_expected(path):
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / f"{path.stem}.json"
        explored = program("explore", path, "--progress", "none", "-w", f"scenario={script}")
        if explored.returncode != 0:
            print(f"{explored.stdout}{explored.stderr}FAILED: {path.name}: exit {explored.returncode}")
            return False
        if "COUNTEREXAMPLE" not in explored.stdout:
            return not script.exists()
        return is_shown_again(script, explored.stdout)


def main():
    results = [has_a_cure(path) for path in sorted((ROOT / "scenarios" / "hazards").glob("*.yaml"))]
    explored = [ends_as_expected(path) for path in sorted((ROOT / "scenarios" / "explore").glob("*.yaml"))]
    every = results + explored
    print(f"{every.count(True)} passed, {every.count(False)} failed")
    return 0 if results and explored and all(every) else 1


if __name__ == "__main__":
    sys.exit(main())
