"""Seeded mixes of operations. The same seed gives the same list, whatever a server answers: revisions are
written relative to the store's ("rev-3") or to the last compaction ("compacted+1"), so that a shorter list
still makes sense."""

import random

KEYS = ["a", "b", "c", "d/1", "d/2", "d/3", "e", "f", "\xff\xfe"]
VALUES = ["", "v0", "v1", "v2", "\x00\x80"]
LEASES = [1001, 1002, 1003, 1004]
STREAMS = ["s", "t"]
BOUNDS = ["min_mod_revision", "max_mod_revision", "min_create_revision", "max_create_revision"]
TARGETS = [("VERSION", "version"), ("CREATE", "create_revision"), ("MOD", "mod_revision"), ("VALUE", "value"),
           ("LEASE", "lease")]

WEIGHTS = {
    "kv": {"put": 40, "delete_range": 15, "range": 35, "compact": 4, "txn": 6},
    "txn": {"put": 15, "delete_range": 5, "range": 8, "compact": 2, "txn": 62, "lease_grant": 4, "lease_revoke": 2},
    "lease": {"put": 35, "delete_range": 8, "range": 6, "txn": 14, "lease_grant": 11, "lease_revoke": 9,
              "lease_keepalive": 5, "lease_ttl": 8, "lease_leases": 3, "compact": 1},
    "watch": {"put": 38, "delete_range": 10, "txn": 14, "compact": 4, "watch_create": 12, "watch_cancel": 6,
              "watch_progress": 3, "lease_grant": 4, "lease_revoke": 4},
}
WEIGHTS["all"] = {op: sum(weights.get(op, 0) for weights in WEIGHTS.values())
                  for op in sorted(set().union(*WEIGHTS.values()))}


class Mix:
    """One list of operations."""

    def __init__(self, kind, seed):
        self.chance = random.Random(f"{kind}/{seed}")
        self.operations, self.weights = zip(*sorted(WEIGHTS[kind].items()))

    def make(self, count):
        return [self.operation() for _ in range(count)]

    def operation(self):
        op = self.chance.choices(self.operations, self.weights)[0]
        return {"op": op, "request": getattr(self, op)()}

    def often(self, share):
        return self.chance.random() < share

    def revision(self):
        if self.often(0.2):
            return f"compacted{self.chance.randint(-1, 2):+d}"
        return f"rev{-self.chance.randint(0, 12):+d}" if self.often(0.93) else "rev+1"

    def one_key(self):
        return self.chance.choice(KEYS) if self.often(0.995) else ""

    def keys(self):
        kind = self.chance.random()
        if kind < 0.55:
            return {"key": self.one_key()}
        if kind < 0.75:
            return {"key": "d/", "range_end": "d0"}
        if kind < 0.9:
            # Now and then the wrong way round.
            first, last = self.chance.sample(KEYS, 2)
            return {"key": first, "range_end": last} if self.often(0.1) else {
                "key": min(first, last), "range_end": max(first, last)}
        return {"key": "\0" if self.often(0.5) else self.chance.choice(KEYS), "range_end": "\0"}

    def put(self):
        request = {"key": self.one_key(), "value": self.chance.choice(VALUES)}
        if self.often(0.3):
            request["prev_kv"] = True
        if self.often(0.3):
            request["lease"] = self.chance.choice(LEASES)
        if self.often(0.08):
            request["ignore_value"] = True
            request["value"] = "" if self.often(0.9) else "v9"
        if self.often(0.08):
            request["ignore_lease"] = True
            if self.often(0.9):
                request.pop("lease", None)
        return request

    def delete_range(self):
        return dict(self.keys(), **({"prev_kv": True} if self.often(0.4) else {}))

    def range(self):
        request = self.keys()
        if self.often(0.35):
            request["revision"] = self.revision()
        if self.often(0.3):
            request["limit"] = self.chance.randint(1, 4)
        if self.often(0.3):
            request["sort_order"] = self.chance.choice(["ASCEND", "DESCEND"])
        if self.often(0.3):
            request["sort_target"] = self.chance.choice(["VERSION", "CREATE", "MOD", "VALUE", "KEY"])
        for bound in BOUNDS:
            if self.often(0.08):
                request[bound] = self.revision()
        if self.often(0.1):
            request[self.chance.choice(["keys_only", "count_only", "serializable"])] = True
        return request

    def compare(self):
        target, field = self.chance.choice(TARGETS)
        request = self.keys() if self.often(0.2) else {"key": self.one_key()}
        request |= {"target": target, "result": self.chance.choice(["EQUAL", "NOT_EQUAL", "GREATER", "LESS"])}
        if field == "version":
            request[field] = self.chance.randint(0, 4)
        elif field == "value":
            request[field] = self.chance.choice(VALUES)
        elif field == "lease":
            request[field] = self.chance.choice([0, *LEASES])
        else:
            request[field] = self.revision() if self.often(0.8) else 0
        return request

    def branch(self, depth):
        made = []
        for _ in range(self.chance.randint(0, 3)):
            kind = self.chance.random()
            if kind < 0.4:
                made.append({"request_put": self.put()})
            elif kind < 0.6:
                made.append({"request_delete_range": self.delete_range()})
            elif kind < 0.85 or depth > 1:
                made.append({"request_range": self.range()})
            else:
                made.append({"request_txn": self.any_txn(depth + 1)})
        return made

    def any_txn(self, depth=0):
        return {"compare": [self.compare() for _ in range(self.chance.choice([0, 1, 1, 2]))],
                "success": self.branch(depth), "failure": self.branch(depth)}

    def txn(self):
        request = self.any_txn()
        if any(each.get("range_end") == "\0" for each in requests_of(request, "request_delete_range")):
            # Such a deletion is not seen to overlap with puts. A put that then finds nothing to keep
            # takes a real server down.
            for put in requests_of(request, "request_put"):
                put.pop("ignore_value", None)
                put.pop("ignore_lease", None)
        return request

    def compact(self):
        # Without waiting for what happens on the disk one could still see what is being removed.
        return {"revision": f"rev{-self.chance.randint(0, 15):+d}" if self.often(0.7) else self.revision(),
                "physical": True}

    def lease_grant(self):
        ttl = self.chance.randint(3000, 9000) if self.often(0.9) else self.chance.choice([9_000_000_000, 9_000_000_001])
        return {"ID": self.chance.choice(LEASES), "TTL": ttl} if self.often(0.9) else {"TTL": ttl}

    def lease_revoke(self):
        return {"ID": self.chance.choice([*LEASES, 7])}

    lease_keepalive = lease_revoke

    def lease_ttl(self):
        return {"ID": self.chance.choice([*LEASES, 7]), **({"keys": True} if self.often(0.8) else {})}

    def lease_leases(self):
        return {}

    def watch_create(self):
        create = self.keys()
        if self.often(0.5):
            create["start_revision"] = self.revision() if self.often(0.9) else f"rev{self.chance.randint(1, 4):+d}"
        if self.often(0.4):
            create["prev_kv"] = True
        if self.often(0.25):
            create["filters"] = self.chance.choice([["NOPUT"], ["NODELETE"], ["NOPUT", "NODELETE"]])
        if self.often(0.15):
            create["watch_id"] = self.chance.randint(1, 12)
        return {"stream": self.chance.choice(STREAMS), "create_request": create}

    def watch_cancel(self):
        return {"stream": self.chance.choice(STREAMS), "watch_id": self.chance.randint(0, 8)}

    def watch_progress(self):
        return {"stream": self.chance.choice(STREAMS)}


def requests_of(txn, name):
    """All requests of one kind, nested ones included."""
    for operation in txn["success"] + txn["failure"]:
        if name in operation:
            yield operation[name]
        if "request_txn" in operation:
            yield from requests_of(operation["request_txn"], name)
