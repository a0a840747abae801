"""Judges the store by the etcd of this machine: fresh mixes of operations, recorded and replayed."""

import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import time

from mixes import WEIGHTS, Mix
from recorder import Recorder
from server import NotStarted, Server

KINDS = sorted(WEIGHTS)
SHRINK_SECONDS = 240


def version():
    """Of the installed etcd; nothing when there is none."""
    if not shutil.which("etcd"):
        return None
    said = subprocess.run(["etcd", "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"etcd Version: (\S+)", said)
    return found.group(1) if found else None


def record(operations, name):
    """The text of a transcript of these operations."""
    with Server() as running:
        recorder = Recorder(running)
        try:
            recorder.record(operations)
        finally:
            recorder.close()
        return recorder.text({"scenario": name, "etcd": version(), "nodes": 1, "flags": running.flags})


class Judge:
    """Replays transcripts with the given program, and keeps them in a folder."""

    def __init__(self, replayer, folder):
        self.replayer, self.folder = replayer, folder

    def replay(self, place):
        """Whether all is equal, and what the replayer said."""
        environment = dict(os.environ, TENURE_TRANSCRIPTS=str(place))
        done = subprocess.run([str(self.replayer), "--no-version", "--test-case=*recorded giving*"],
                              capture_output=True, text=True, env=environment, check=False)
        said = [line for line in done.stdout.splitlines() if not line.startswith(("[doctest]", "===="))]
        return done.returncode == 0, "\n".join(said).strip()

    def differs(self, operations, name):
        """What differs when these operations are recorded; nothing when nothing does."""
        place = self.folder / f"{name}.jsonl"
        place.write_text(record(operations, name), encoding="utf-8")
        equal, said = self.replay(place)
        return None if equal else said

    def shrink(self, operations, said):
        """The fewest operations that still differ, and how."""
        found = re.search(r"operation (\d+):", said)
        if found:
            # Lines of messages are counted too, so this is not too few.
            operations = operations[:int(found.group(1)) + 1]
        until, size = time.monotonic() + SHRINK_SECONDS, max(1, len(operations) // 2)
        while size and time.monotonic() < until:
            for start in range(0, len(operations), size):
                fewer = operations[:start] + operations[start + size:]
                differs = self.differs(fewer, "shrunk") if fewer else None
                if differs:
                    operations, said = fewer, differs
                    break
                if time.monotonic() > until:
                    break
            else:
                size //= 2
        return operations, said

    def explain(self, name, operations):
        """Records a failing mix again, so that a late message is no difference, and shrinks it."""
        said = self.differs(operations, name)
        if said is None:
            print(f"{name}: no difference when recorded again")
            return True
        operations, said = self.shrink(operations, said)
        print(f"{name}, as few operations as it was possible:")
        for operation in operations:
            print("  " + json.dumps(operation))
        print(said)
        return False


def compare(replayer, folder, mixes, seed, length=200):
    """Whether the model answers fresh mixes like the etcd that is installed here."""
    found = version()
    if found is None:
        print("etcd not refreshed: no etcd is installed here (scripts/setup --test installs etcd-server)")
        return True
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    made = {f"{KINDS[i % len(KINDS)]}-{i}": Mix(KINDS[i % len(KINDS)], f"{seed}/{i}").make(length)
            for i in range(mixes)}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        recorded = {name: pool.submit(record, operations, name) for name, operations in made.items()}
        for name, text in recorded.items():
            try:
                (folder / f"{name}.jsonl").write_text(text.result(), encoding="utf-8")
            except (NotStarted, OSError) as problem:
                print(f"etcd {found}: {name} could not be recorded: {problem}")
                return False
    judge = Judge(replayer, folder)
    equal, said = judge.replay(folder)
    print(f"etcd {found} afresh with seed {seed}: {said}")
    if equal:
        return True
    failing = [name for name in made if re.search(rf"^{name}\.jsonl:", said, re.MULTILINE)]
    return all([judge.explain(name, made[name]) for name in failing]) and bool(failing)
