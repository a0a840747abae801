#!/usr/bin/env python3
"""Each hazard has a cure: with the settings in its line `# fixed by:` the hazard is gone, and all that the file
demands then holds, or is not exercised when nobody has to take over any more. (That the hazard shows without
them is what the scenario itself demands.)"""

import os
import pathlib
import re
import shlex
import subprocess
import sys

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


def main():
    results = [has_a_cure(path) for path in sorted((ROOT / "scenarios" / "hazards").glob("*.yaml"))]
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return 0 if results and all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
