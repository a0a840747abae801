#!/usr/bin/env python3
"""W2 (../yardstick/plain_election.hpp describes it) on SimPy: every candidate is a generator."""

import json
import random
import time

import simpy

ONE_WAY = 0.0025
LEASE_DURATION = 15.0
RENEW_DEADLINE = 10.0
RETRY_PERIOD = 2.0
DAY = 86_400.0


class Observation:
    def __init__(self):
        self.version, self.at, self.leads = 0, 0.0, False


class Election:
    def __init__(self, seed):
        self.env = simpy.Environment()
        self.random = random.Random(seed)
        self.holder, self.version = None, 1
        self.events = self.elections = 0
        self.failovers, self.killed_at = [], None
        self.up = [True] * 3
        starts = [self.random.random() * RETRY_PERIOD for _ in range(3)]
        self.candidates = [self.env.process(self.candidate(i, start)) for i, start in enumerate(starts)]
        self.env.process(self.kill_leaders())

    def sleep(self, duration):
        yield self.env.timeout(duration)
        self.events += 1

    def get(self):
        yield from self.sleep(ONE_WAY)
        answer = self.holder, self.version
        yield from self.sleep(ONE_WAY)
        return answer

    def update(self, index, expected, seen):
        yield from self.sleep(ONE_WAY)
        written = None
        if self.version == expected:
            self.holder = index
            self.version += 1
            written = self.version
        yield from self.sleep(ONE_WAY)
        if written is None:
            return False
        seen.version, seen.at = written, self.env.now
        return True

    def attempt(self, index, seen):
        if seen.leads and (yield from self.update(index, seen.version, seen)):
            return True
        holder, version = yield from self.get()
        if version != seen.version:
            seen.version, seen.at = version, self.env.now
        if holder not in (None, index) and seen.at + LEASE_DURATION > self.env.now:
            return False
        return (yield from self.update(index, version, seen))

    def lead(self, index, seen):
        seen.leads = True
        self.elections += 1
        if self.killed_at is not None:
            self.failovers.append(self.env.now - self.killed_at)
            self.killed_at = None
        renewed_at = self.env.now
        while True:
            yield from self.sleep(RETRY_PERIOD)
            if (yield from self.attempt(index, seen)):
                renewed_at = self.env.now
            elif self.env.now - renewed_at >= RENEW_DEADLINE:
                break
        seen.leads = False

    def candidate(self, index, start):
        seen = Observation()
        try:
            yield from self.sleep(start)
            while True:
                while not (yield from self.attempt(index, seen)):
                    yield from self.sleep(RETRY_PERIOD * (1 + 1.2 * self.random.random()))
                yield from self.lead(index, seen)
        except simpy.Interrupt:
            return

    def kill_leaders(self):
        while True:
            yield from self.sleep(300)
            holder = self.holder
            if holder is None or not self.up[holder]:
                continue
            self.up[holder] = False
            self.candidates[holder].interrupt()
            self.killed_at = self.env.now
            self.env.process(self.restart(holder))

    def restart(self, index):
        yield from self.sleep(30)
        self.up[index] = True
        self.candidates[index] = self.env.process(self.candidate(index, 0))


def main():
    election = Election(seed=1)
    begin = time.process_time()
    election.env.run(until=DAY)
    seconds = time.process_time() - begin
    for name, unit, value in [
        ("simpy-w2", "ns", seconds / election.events * 1e9),
        ("simpy-w2-events", "1/day", election.events),
        ("simpy-w2-elections", "1/day", election.elections),
        ("simpy-w2-failover", "s", sum(election.failovers) / len(election.failovers)),
    ]:
        print(json.dumps({"name": name, "unit": unit, "value": value}))


if __name__ == "__main__":
    main()
