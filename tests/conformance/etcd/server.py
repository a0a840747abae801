"""One etcd server on this machine, started and stopped here, and its JSON gateway."""

import base64
import contextlib
import hashlib
import http.client
import json
import os
import pathlib
import queue
import shutil
import socket
import struct
import subprocess
import tempfile
import threading
import time

PATHS = {"range": "kv/range", "put": "kv/put", "delete_range": "kv/deleterange", "txn": "kv/txn",
         "compact": "kv/compaction", "lease_grant": "lease/grant", "lease_revoke": "lease/revoke",
         "lease_keepalive": "lease/keepalive", "lease_ttl": "lease/timetolive", "lease_leases": "lease/leases"}
BYTES = {"key", "value", "range_end"}
LEFT_OUT = {"cluster_id", "member_id", "raft_term"}
# The gateway writes 64-bit numbers as strings; these fields are strings by themselves.
TEXTS = {"type", "cancel_reason", "message"}


class Refused(Exception):
    """etcd's answer was an error."""

    def __init__(self, code, message):
        super().__init__(f"{code} {message}")
        self.code, self.message = code, message


class NotStarted(Exception):
    """The server does not run."""


def to_gateway(value, name=None):
    if isinstance(value, dict):
        return {key: to_gateway(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [to_gateway(each) for each in value]
    if name in BYTES and isinstance(value, str):
        return base64.b64encode(value.encode("latin-1")).decode()
    return value


def from_bytes(text):
    return base64.b64decode(text).decode("latin-1")


def from_gateway(value, name=None):
    if isinstance(value, dict):
        return {key: from_gateway(each, key) for key, each in value.items() if key not in LEFT_OUT}
    if isinstance(value, list):
        return sorted(map(from_bytes, value)) if name == "keys" else [from_gateway(each) for each in value]
    if not isinstance(value, str) or name in TEXTS:
        return value
    if name in BYTES:
        return from_bytes(value)
    return int(value) if value.removeprefix("-").isdigit() else value


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """`with Server() as server:`, which removes its data at the end."""

    def __init__(self, flags=()):
        self.flags = list(flags)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tenure-etcd-"))
        self.port, self.process = None, None

    def __enter__(self):
        try:
            # Between choosing a port and using it somebody else may take it.
            for _ in range(3):
                self.start()
                if self.becomes_ready():
                    return self
                self.end_process()
            log = (self.folder / "log").read_text(encoding="utf-8", errors="replace").strip()
            raise NotStarted(f"etcd does not start: {log[-500:]}")
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_):
        self.end_process()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self):
        self.port = free_port()
        client, peer = f"http://127.0.0.1:{self.port}", f"http://127.0.0.1:{free_port()}"
        shutil.rmtree(self.folder / "data", ignore_errors=True)
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen(
                [shutil.which("etcd"), "--name", "one", "--data-dir", str(self.folder / "data"), "--logger", "zap",
                 "--listen-client-urls", client, "--advertise-client-urls", client, "--listen-peer-urls", peer,
                 "--initial-advertise-peer-urls", peer, "--initial-cluster", f"one={peer}", *self.flags],
                stdout=log, stderr=log, env={"PATH": os.environ.get("PATH", "")})

    def becomes_ready(self, seconds=60):
        until = time.monotonic() + seconds
        while time.monotonic() < until and self.process.poll() is None:
            with contextlib.suppress(OSError, http.client.HTTPException, Refused):
                if Gateway(self.port).call("maintenance/status", {}).get("leader"):
                    return True
            time.sleep(0.05)
        return False

    def end_process(self):
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()

    def cpu_seconds(self):
        """What the process has used so far, of all its threads (proc(5), schedstat: nanoseconds)."""
        threads = pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(each.read_text(encoding="ascii").split()[0]) for each in threads) / 1e9


class Gateway:
    """Requests and their answers, over one connection."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def send(self, path, body):
        self.connection.request("POST", f"/v3/{path}", body, {"Content-Type": "application/json"})
        return self.connection.getresponse().read().decode()

    def call(self, path, request):
        text = self.send(path, json.dumps(to_gateway(request)))
        # A stream (keepalive) answers one object a line, the error inside.
        answer = json.loads(text.splitlines()[0]) if text.strip() else {}
        error = answer.get("error")
        if error:
            said = error if isinstance(error, dict) else answer
            raise Refused(said.get("grpc_code", said.get("code")), said.get("message"))
        return from_gateway(answer.get("result", answer))

    def close(self):
        self.connection.close()


class WatchStream:
    """One multiplexed watch stream: the gateway's websocket (RFC 6455), with the messages in a queue."""

    def __init__(self, port):
        self.messages = queue.Queue()
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET /v3/watch HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
                             "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                             f"Sec-WebSocket-Key: {key}\r\n\r\n").encode())
        self.check_handshake(key)
        threading.Thread(target=self.read, daemon=True).start()

    def check_handshake(self, key):
        digest = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        lines = []
        while (line := self.file.readline().strip()):
            lines.append(line.decode("latin-1"))
        if not any(base64.b64encode(digest).decode() in line for line in lines):
            raise OSError(f"no websocket: {lines[:1]}")

    def read(self):
        text = b""
        with contextlib.suppress(OSError, ValueError, struct.error):
            while True:
                first, length = self.file.read(2)
                length &= 127
                if length >= 126:
                    size, form = (2, ">H") if length == 126 else (8, ">Q")
                    length, = struct.unpack(form, self.file.read(size))
                text += self.file.read(length)
                if first & 15 == 8:
                    break
                if first & 128:
                    for line in text.decode().splitlines():
                        self.messages.put(from_gateway(json.loads(line)["result"]))
                    text = b""
        self.messages.put(None)

    def send(self, request):
        body = json.dumps(to_gateway(request)).encode() + b"\n"
        mask = os.urandom(4)
        if len(body) < 126:
            head = bytes([0x81, 0x80 | len(body)])
        else:
            head = bytes([0x81, 0x80 | 126]) + struct.pack(">H", len(body))
        self.socket.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(body)))

    def receive(self, seconds):
        """The next message; None when none comes in time."""
        try:
            message = self.messages.get(timeout=max(seconds, 0.001))
        except queue.Empty:
            return None
        if message is None:
            raise OSError("the watch stream was closed")
        return message

    def close(self):
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
