#!/usr/bin/env python3
"""Sessions with the command line, byte for byte: tests/golden/cli/*.session.

A session is a list of commands, each with what it must print and how it must end:

    # a comment
    $ tenure run nosuch.yaml
    > a line of its standard output
    ! a line of its standard error
    ? 2

Commands run in bash, in the root of the checkout, with the program as `tenure`, an empty folder in
$TMP, no terminal and no colours asked for. What differs from run to run is replaced before comparing:
elapsed time, the folder, the number in the name of a temporary file. A line "..." in place of the
output stands for any output. With TENURE_REWRITE=1 in the environment the sessions are written anew,
to be reviewed as a diff. TENURE_PROGRAM is the program.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path("tests/golden/cli")
KEPT = ("PATH", "HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "LD_LIBRARY_PATH")


def blocks_of(text):
    """(comment lines, command, expected lines) of each command."""
    comments, command, expected = [], None, []
    for line in text.splitlines():
        if line.startswith("$ "):
            if command is not None:
                yield comments, command, expected
                comments = []
            command, expected = line[2:], []
        elif line.startswith("#") or not line:
            if command is not None:
                yield comments, command, expected
                comments, command, expected = [], None, []
            comments.append(line)
        else:
            expected.append(line)
    if command is not None:
        yield comments, command, expected


def stable(text, folder):
    text = text.replace(folder, "$TMP")
    text = re.sub(r"\d+\.\d+ s, \S+ million simulated s per s", "… s, … simulated s per s", text)
    return re.sub(r"\.\d+\.part", ".N.part", text)


def lines_of(mark, text):
    return [f"{mark} {line}".rstrip() for line in text.splitlines()]


def seen(command, folder, programs):
    environment = {name: os.environ[name] for name in KEPT if name in os.environ}
    environment["PATH"] = f"{programs}:{environment['PATH']}"
    environment["TMP"] = folder
    done = subprocess.run(["bash", "-c", command], env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=300, check=False)
    # Bytes that are no UTF-8 must not end the comparison.
    out = stable(done.stdout.decode("utf-8", "backslashreplace"), folder)
    err = stable(done.stderr.decode("utf-8", "backslashreplace"), folder)
    return lines_of(">", out), lines_of("!", err), f"? {done.returncode}"


def agrees(expected, out, err, end):
    """Whether it is what was expected; "> ..." and "! ..." stand for anything there."""
    def same(mark, found):
        wanted = [line for line in expected if line.startswith(mark)]
        return wanted in (found, [f"{mark} ..."])
    return same(">", out) and same("!", err) and expected[-1:] == [end]


def rewritten(expected, out, err, end):
    kept = [f"{mark} ..." if f"{mark} ..." in expected else None for mark in ">!"]
    return ([kept[0]] if kept[0] else out) + ([kept[1]] if kept[1] else err) + [end]


def run(path, programs, rewrite):
    """(passed, failed) of one file."""
    passed, failed, written = 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        for comments, command, expected in blocks_of(path.read_text(encoding="utf-8")):
            out, err, end = seen(command, folder, programs)
            written += comments + [f"$ {command}"] + rewritten(expected, out, err, end)
            if agrees(expected, out, err, end):
                passed += 1
            elif not rewrite:
                failed += 1
                print(f"{path}: $ {command}\n  expected:", *expected, "  found:", *out, *err, end, sep="\n    ")
    if rewrite:
        path.write_text("\n".join(written) + "\n", encoding="utf-8")
    return passed, failed


def main():
    rewrite = bool(os.environ.get("TENURE_REWRITE"))
    program = os.environ.get("TENURE_PROGRAM")
    if not program:
        sys.exit("TENURE_PROGRAM names no program")
    passed = failed = 0
    with tempfile.TemporaryDirectory() as programs:
        os.symlink(os.path.abspath(program), os.path.join(programs, "tenure"))
        for path in sorted(FOLDER.glob("*.session")):
            good, bad = run(path, programs, rewrite)
            passed, failed = passed + good, failed + bad
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
