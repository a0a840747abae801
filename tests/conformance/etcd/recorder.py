"""Runs operations on a real etcd and writes down what it answers, in the format of the README beside this."""

import json
import time

import server

# Longer than the loop of lagging watches (100 ms), also on a busy machine.
CATCH_UP = 0.35
ANSWER = 10.0
QUIET = 0.3


class Recorder:
    """One transcript. Messages of watches are written under the operation that caused them, found by their
    revision, however late they come."""

    def __init__(self, running):
        self.running = running
        self.gateway = server.Gateway(running.port)
        self.streams, self.entries = {}, []
        self.revision, self.compacted = 1, 0
        self.made_by = {}  # which entry made a revision
        self.created_by, self.alive = {}, set()  # watches, as (stream, id)
        self.names = {}  # leases whose ids the server chose
        self.started = time.monotonic()

    def close(self):
        self.gateway.close()
        for stream in self.streams.values():
            stream.close()

    def record(self, operations):
        for operation in operations:
            request = self.resolved(operation["request"])
            self.entries.append({"op": operation["op"], "request": request, "received": [],
                                 "t": round(time.monotonic() - self.started, 3)})
            if operation["op"].startswith("watch_"):
                self.watch(operation["op"], request)
            else:
                self.call(operation["op"], request)
        self.read_until_quiet()

    # ---- requests

    def resolved(self, value, name=""):
        """With real revisions instead of relative ones."""
        if isinstance(value, dict):
            return {key: self.resolved(each, key) for key, each in value.items()}
        if isinstance(value, list):
            return [self.resolved(each) for each in value]
        if "revision" not in name or not isinstance(value, str):
            return value
        base, sign = ("rev", self.revision) if value.startswith("rev") else ("compacted", self.compacted)
        return max(0, sign + int(value.removeprefix(base)))

    def call(self, op, request):
        entry = self.entries[-1]
        try:
            answer = self.gateway.call(server.PATHS[op], request)
        except server.Refused as refused:
            entry["error"] = {"code": refused.code, "message": refused.message}
            return
        if op == "lease_grant" and not request.get("ID"):
            self.names[answer["ID"]] = f"L{len(self.names) + 1}"
        revision = answer.get("header", {}).get("revision", 0)
        if revision > self.revision:
            self.revision = revision
            self.made_by[revision] = entry
        if op == "compact":
            self.compacted = request["revision"]
        entry["response"] = answer

    def watch(self, op, request):
        name = request["stream"]
        if name not in self.streams:
            self.streams[name] = server.WatchStream(self.running.port)
        self.entries[-1]["response"] = {}
        if op == "watch_progress":
            self.streams[name].send({"progress_request": {}})
            self.read(name, ANSWER, lambda message: message.get("watch_id") == -1)
        elif op == "watch_cancel":
            self.streams[name].send({"cancel_request": {"watch_id": request["watch_id"]}})
            known = (name, request["watch_id"]) in self.alive
            self.read(name, ANSWER if known else QUIET, lambda message: message.get("canceled"))
        else:
            self.create(name, request["create_request"])

    def create(self, name, request):
        self.streams[name].send({"create_request": request})
        created = self.read(name, ANSWER, lambda message: message.get("created"))
        start, watch = request.get("start_revision", 0), created.get("watch_id", 0)
        if 0 < start <= self.revision and not created.get("canceled"):
            self.read(name, CATCH_UP, lambda message: message.get("watch_id", 0) == watch)

    # ---- messages

    def read(self, name, seconds, is_it):
        """Reads a stream until the message comes, or time is over."""
        until = time.monotonic() + seconds
        while (message := self.streams[name].receive(until - time.monotonic())) is not None:
            self.place(name, message)
            if is_it(message):
                return message
        if seconds == ANSWER:
            raise server.NotStarted(f"no answer on a watch stream for {ANSWER:g} s")
        return {}

    def read_until_quiet(self):
        until = time.monotonic() + QUIET
        while time.monotonic() < until:
            for name, stream in self.streams.items():
                while (message := stream.receive(0.002)) is not None:
                    self.place(name, message)
                    until = time.monotonic() + QUIET

    def place(self, name, message):
        watch = (name, message.get("watch_id", 0))
        entry = self.entries[-1]
        if message.get("created") and not message.get("canceled"):
            self.created_by[watch] = entry
            self.alive.add(watch)
        elif message.get("canceled"):
            self.alive.discard(watch)
        elif message.get("events"):
            made = self.made_by.get(message["header"]["revision"])
            # What a watch reads of the past came with its creation.
            created = self.created_by[watch]
            entry = created if made is None or self.before(made, created) else made
        entry["received"].append((name, message))

    def before(self, one, other):
        return next(each is one for each in self.entries if each is one or each is other)

    # ---- the file

    def named(self, value, name=""):
        if isinstance(value, dict):
            return {key: self.named(each, key) for key, each in value.items()}
        if isinstance(value, list):
            return [self.named(each) for each in value]
        return self.names.get(value, value) if name in ("ID", "lease") else value

    def lines(self):
        for entry in self.entries:
            received = sorted(entry["received"], key=lambda each: (each[0], each[1].get("watch_id", 0)))
            line = {key: value for key, value in entry.items() if key != "received"}
            if "leases" in line.get("response", {}):
                named = self.named(line["response"]["leases"])
                line["response"] = dict(line["response"], leases=sorted(named, key=lambda each: str(each["ID"])))
            yield line
            for name, message in received:
                yield {"op": "watch_recv", "request": {"stream": name}, "response": message}

    def text(self, meta):
        lines = [{"meta": meta}] + [{"i": i, **self.named(line)} for i, line in enumerate(self.lines())]
        return "".join(json.dumps(line) + "\n" for line in lines)
