"""A server that does what a test says, among it what a service should not do."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Received:
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


Step = Callable[["Handler", Received], None]


@dataclass
class Scripted:
    """Answers each request by the next of the steps, and all further ones by the last."""

    steps: list[Step]
    url: str = ""
    received: list[Received] = field(default_factory=list[Received])
    connections: set[socket.socket] = field(default_factory=set[socket.socket])
    lock: threading.Lock = field(default_factory=threading.Lock)
    closing: threading.Event = field(default_factory=threading.Event)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    script: Scripted

    def setup(self) -> None:
        super().setup()
        with self.script.lock:
            self.script.connections.add(self.connection)

    def finish(self) -> None:
        with self.script.lock:
            self.script.connections.discard(self.connection)
        super().finish()

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        received = Received(self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, body)
        with self.script.lock:
            steps = self.script.steps
            step = steps[min(len(self.script.received), len(steps) - 1)]
            self.script.received.append(received)
        step(self, received)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def cut(self) -> None:
        """Cuts the connection."""
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is one of the faults."""


@contextmanager
def scripted_server(*steps: Step) -> Iterator[Scripted]:
    script = Scripted(list(steps))
    server = _Server(("127.0.0.1", 0), type("ScriptedHandler", (Handler,), {"script": script}))
    script.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield script
    finally:
        script.closing.set()
        server.shutdown()
        server.server_close()


def answers(status: int, body: Any, headers: Mapping[str, str] | None = None) -> Step:
    """Answers JSON, or bytes as they are."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()

    def step(handler: Handler, _: Received) -> None:
        handler.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **(headers or {})}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(content)

    return step


def ok(body: Any) -> Step:
    return answers(200, body)


def fails(status: int, detail: Any, headers: Mapping[str, str] | None = None) -> Step:
    return answers(status, {"detail": detail}, headers)


def breaks_off(status: int = 200) -> Step:
    """Says that more will come, and cuts the connection."""

    def step(handler: Handler, _: Received) -> None:
        handler.send_response(status)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b'{"total_patterns":')
        handler.wfile.flush()
        handler.cut()

    return step


def hangs_up(handler: Handler, _: Received) -> None:
    """Cuts the connection without an answer."""
    handler.cut()


def keeps_silent(handler: Handler, _: Received) -> None:
    """Never answers."""
    handler.script.closing.wait()


def drips(handler: Handler, _: Received) -> None:
    """Sends a byte now and then, and never all of them."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000000")
    handler.end_headers()
    while not handler.script.closing.wait(0.02):
        handler.wfile.write(b" ")
        handler.wfile.flush()


def drips_headers(handler: Handler, _: Received) -> None:
    """Sends a header now and then for two seconds, and no more."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for n in range(40):
        if handler.script.closing.wait(0.05):
            return
        handler.wfile.write(b"X-%d: a\r\n" % n)
        handler.wfile.flush()
    handler.cut()
