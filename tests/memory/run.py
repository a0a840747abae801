#!/usr/bin/env python3
"""What the program does when the memory ends, under smaller and smaller limits of the address space.

Either there is a result, the same as with enough memory, or E0503 and exit code 4; no signal, no internal
error, no half result. Threads need memory too: who gets none works alone."""

import os
import pathlib
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("TENURE_PROGRAM", str(ROOT / "build" / "release" / "tenure"))
KIB = 1024
COMMANDS = {
    "explore": ["scenarios/explore/fast-path-15-10-2.yaml", "--fail-fast"],
    "run": ["scenarios/start/leader-crash.yaml", "--runs", "2000", "-o", "json"],
}


def limited(kib, *command):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (kib * KIB, kib * KIB))
    return subprocess.run([PROGRAM, *command], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
                          preexec_fn=limit)


def least_to_start():
    """KiB in which the program starts at all; none: it was built with a sanitizer, which reserves terabytes."""
    starts = [kib for kib in range(8_000, 200_000, 4_000) if limited(kib, "--version").returncode == 0][:1]
    if not starts:
        return None
    return next(kib for kib in range(starts[0] - 4_000, starts[0] + 1, 40) if limited(kib, "--version").returncode == 0)


def check(verb, files, jobs, least):
    command = [verb, *files, "-q", "--progress", "none", "-j", str(jobs)]
    whole = limited(4 << 20, *command)
    codes = set()
    for more in (0, 40, 200, 500, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 8_000, 12_000, 100_000):
        done = limited(least + more, *command)
        codes.add(done.returncode)
        same = (done.returncode, done.stdout) == (whole.returncode, whole.stdout)
        told = done.returncode == 4 and not done.stdout and done.stderr.startswith("tenure: error[E0503]: not enough memory")
        if not same and not told:
            print(f"FAILED: {least + more} KiB: {' '.join(command)}: exit {done.returncode}\n{done.stderr}")
            return False
    if codes != {whole.returncode, 4}:
        print(f"FAILED: {' '.join(command)}: the memory never ended, or was never enough: exits {sorted(codes)}")
        return False
    return True


def main():
    least = least_to_start()
    if least is None:
        print("not run: the program does not start in 200 MB")
        return 0
    results = [check(verb, files, jobs, least) for verb, files in COMMANDS.items() for jobs in (1, 4)]
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
