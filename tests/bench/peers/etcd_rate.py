"""The operations of etcd_bench.cpp on the etcd of this machine: per second of the server's own CPU time, over
its JSON gateway on loopback. Prints one row each."""

import concurrent.futures
import json
import pathlib
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "conformance" / "etcd"))
from server import Gateway, Server, to_gateway  # noqa: E402  # pylint: disable=import-error,wrong-import-position

OPERATIONS, CLIENTS, VALUE = 1200, 4, "a value of about thirty bytes.."


def key_of(i):
    return f"key/{i:06d}"


def put(key):
    return "kv/put", {"key": key, "value": VALUE}


def txn(key):
    return "kv/txn", {"compare": [{"key": key, "target": "MOD", "result": "GREATER", "mod_revision": 0}],
                      "success": [{"request_put": put(key)[1]}], "failure": [{"request_range": {"key": key}}]}


def one(key):
    return "kv/range", {"key": key}


def fill(gateway, keys):
    for first in range(0, keys, 100):
        puts = [{"request_put": put(key_of(i))[1]} for i in range(first, min(first + 100, keys))]
        gateway.call("kv/txn", {"success": puts})


def send_all(port, requests):
    gateway = Gateway(port)
    for path, body in requests:
        gateway.send(path, body)
    gateway.close()


def measure(running, name, keys, request):
    made = [request(key_of(i * 7919 % keys)) for i in range(OPERATIONS)]
    bodies = [(path, json.dumps(to_gateway(body))) for path, body in made]
    before = running.cpu_seconds()
    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(lambda part: send_all(running.port, bodies[part::CLIENTS]), range(CLIENTS)))
    seconds = running.cpu_seconds() - before
    print(json.dumps({"name": f"real-etcd-{name}-{keys}", "unit": "1/cpu-s", "value": OPERATIONS / seconds}))


def main():
    if not shutil.which("etcd"):
        sys.exit("no etcd is installed")
    with Server() as running:
        for keys in (1, 1_000, 20_000):
            fill(Gateway(running.port), keys)
            for name, request in (("put", put), ("txn", txn), ("range", one)):
                measure(running, name, keys, request)


if __name__ == "__main__":
    main()
