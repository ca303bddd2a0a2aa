"""A box between client and service: passes HTTP on, or does one of the things in `faults`."""

import http.client
import random
import socket
import struct
import threading
import time
from dataclasses import dataclass

from . import faults

LOGIN = b"<!DOCTYPE html><html><head><title>Log on to the network</title></head><body><form></form></body></html>"
HTML = [("Content-Type", "text/html; charset=utf-8")]
REDIRECTED = "/redirected"
UPSTREAM_SECONDS = 30
LOSES_ANSWER = {"drop-after", "cut", *(kind for kind in faults.KINDS if kind.endswith("-after"))}
NOT_PASSED_ON = {"connection", "transfer-encoding", "content-length", "keep-alive", "proxy-connection"}


@dataclass
class Request:
    method: str
    path: str
    target: str
    headers: list
    body: bytes


@dataclass
class Answer:
    status: int
    headers: list
    body: bytes


class Proxy:
    """Listens on a port of its own; `rate` is the share of requests that meet a fault."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.rate = 0.0
        self.upstream = None  # port of the service
        self.requests = 0
        self.faulted = {}
        self.active = 0
        self.echoes = []
        self.state = threading.Condition()
        self.knows_identities = False
        self.trace = lambda request, kind, answer: None
        self.meanwhile = lambda request: None  # what others do while an answer is lost
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.open = True
        threading.Thread(target=self.accept, daemon=True).start()

    def close(self):
        self.open = False
        self.listener.close()

    def accept(self):
        while self.open:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def quiesce(self, echoes=False):
        """Waits until nothing is under way, so that who looks at the service sees what came of everything."""
        with self.state:
            self.state.wait_for(lambda: self.active == 0, UPSTREAM_SECONDS)
        while echoes and self.echoes:
            self.echoes.pop().join()

    # -- one connection

    def serve(self, connection):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        reader = connection.makefile("rb")
        try:
            while request := self.read_request(reader, connection):
                with self.state:
                    self.active += 1
                try:
                    keeps = self.handle(request, connection)
                finally:
                    with self.state:
                        self.active -= 1
                        self.state.notify_all()
                if not keeps:
                    break
        except (OSError, ValueError):
            pass  # the client has gone
        finally:
            try:
                reader.close()
                connection.close()
            except OSError:
                pass

    def read_request(self, reader, connection):
        line = reader.readline(65536)
        if not line.strip():
            return None
        method, target, _ = line.decode("latin-1").split(" ", 2)
        headers = []
        while (line := reader.readline(65536)).strip():
            name, _, value = line.decode("latin-1").partition(":")
            headers.append((name.strip(), value.strip()))
        if not line:
            return None  # killed in the middle of the head
        named = {name.lower(): value for name, value in headers}
        if named.get("expect", "").lower() == "100-continue":
            connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        body = self.read_body(reader, named)
        if body is None:
            return None
        if target.startswith(REDIRECTED):
            target = target[len(REDIRECTED) :]
        return Request(method, target.partition("?")[0], target, headers, body)

    def read_body(self, reader, named):
        if named.get("transfer-encoding", "").lower() == "chunked":
            body = b""
            while size := int(reader.readline().split(b";")[0] or b"x", 16):
                body += reader.read(size)
                reader.readline()
            while reader.readline().strip():
                pass
            return body
        length = int(named.get("content-length") or 0)
        body = reader.read(length) if length else b""
        return body if len(body) == length else None

    # -- one request

    def draw(self, request):
        with self.state:
            self.requests += 1
            if self.chance.random() >= self.rate:
                return "", 0.0
            kind = faults.draw(self.chance, request, self.knows_identities)
            self.faulted[kind] = self.faulted.get(kind, 0) + 1
            return kind, self.chance.random()

    def handle(self, request, connection):
        if request.path == "/login":
            return self.send(connection, request, Answer(200, HTML, LOGIN))
        kind, part = self.draw(request)
        if request.method != "GET":
            self.trace(request, kind, "")
        early = self.forged(kind, request, part)
        if early is not None:
            return self.send(connection, request, early)
        if kind == "drop-before":
            self.meanwhile(request)
            return self.reset(connection)
        if kind == "drop-half-request":
            self.send_half(request)
            return self.reset(connection)
        if kind == "delay":
            time.sleep(0.05 + 0.35 * part)
        answer = self.forward(request)
        if answer is None:  # the service was not there, or was killed meanwhile
            return self.reset(connection) if part < 0.5 else self.send(connection, request, gateway(502))
        if kind in LOSES_ANSWER:
            self.meanwhile(request)
        if kind == "duplicate":
            second = self.forward(request)
            answer = second if second and part < 0.5 else answer
        elif kind == "echo":
            self.echo(request, part)
        elif kind == "drop-after":
            return self.reset(connection)
        elif kind.endswith("-after"):
            return self.send(connection, request, self.after(kind))
        return self.send(connection, request, answer, kind, part)

    def forged(self, kind, request, part):
        """Answers of others, without any effect."""
        if kind == "redirect-login":
            return Answer(302, [("Location", f"http://127.0.0.1:{self.port}/login"), *HTML], LOGIN)
        if kind == "redirect-307":
            return Answer(307, [("Location", f"http://{host(request)}{REDIRECTED}{request.target}")], b"")
        if kind == "portal":
            return Answer(200, HTML, LOGIN)
        if kind == "portal-json":
            return Answer(200, [("Content-Type", "application/json")], b'{"status":"login required"}')
        if kind in ("empty-200", "empty-204"):
            return Answer(int(kind[-3:]), [], b"")
        if kind.startswith("gateway-") and not kind.endswith("-after"):
            return gateway(int(kind.split("-")[1]))
        return None

    def after(self, kind):
        if kind == "portal-after":
            return Answer(200, HTML, LOGIN)
        if kind == "empty-204-after":
            return Answer(204, [], b"")
        return gateway(int(kind.split("-")[1]))

    def echo(self, request, part):
        """The same request once more, later, as a box does that holds it back."""

        def later():
            time.sleep(0.1 + 2 * part)
            self.forward(request)

        thread = threading.Thread(target=later, daemon=True)
        self.echoes.append(thread)
        thread.start()

    # -- upstream

    def forward(self, request):
        upstream = http.client.HTTPConnection("127.0.0.1", self.upstream, timeout=UPSTREAM_SECONDS)
        try:
            upstream.putrequest(request.method, request.target, skip_host=True, skip_accept_encoding=True)
            for name, value in request.headers:
                if name.lower() not in NOT_PASSED_ON and name.lower() != "expect":
                    upstream.putheader(name, value)
            upstream.putheader("Connection", "close")
            if request.body or request.method not in ("GET", "HEAD"):
                upstream.putheader("Content-Length", str(len(request.body)))
            upstream.endheaders(request.body or None)
            answer = upstream.getresponse()
            body = answer.read()
            if request.method != "GET":
                self.trace(request, "service", answer.status)
            return Answer(answer.status, answer.getheaders(), body)
        except (OSError, http.client.HTTPException):
            return None
        finally:
            upstream.close()

    def send_half(self, request):
        """The head and half of the body, then the connection ends: a service must not act upon it."""
        head = [f"{request.method} {request.target} HTTP/1.1"]
        head += [f"{name}: {value}" for name, value in request.headers if name.lower() not in NOT_PASSED_ON]
        if request.body:
            head.append(f"Content-Length: {len(request.body)}")
        text = ("\r\n".join(head) + "\r\n\r\n").encode("latin-1")
        part = text + request.body[: len(request.body) // 2] if request.body else text[: len(text) // 2]
        try:
            with socket.create_connection(("127.0.0.1", self.upstream), timeout=UPSTREAM_SECONDS) as upstream:
                upstream.sendall(part)
        except OSError:
            pass

    # -- downstream

    def send(self, connection, request, answer, kind="", part=0.0):
        has_body = request.method != "HEAD" and answer.status not in (204, 304)
        lines = [f"HTTP/1.1 {answer.status} {http.client.responses.get(answer.status, 'Answer')}"]
        lines += [f"{name}: {value}" for name, value in answer.headers if name.lower() not in NOT_PASSED_ON]
        if has_body:
            lines.append(f"Content-Length: {len(answer.body)}")
        text = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + (answer.body if has_body else b"")
        if kind == "cut":
            # Anywhere in the answer, the head included.
            connection.sendall(text[: int(len(text) * part)])
            return False
        if kind == "trickle":
            step = len(text) // 4 + 1
            for start in range(0, len(text), step):
                connection.sendall(text[start : start + step])
                time.sleep(0.02 + 0.08 * part)
            return True
        connection.sendall(text)
        return True

    def reset(self, connection):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return False


def host(request):
    return next((value for name, value in request.headers if name.lower() == "host"), "127.0.0.1")


def gateway(status):
    extra = {429: [("Retry-After", "1")], 503: [("Retry-After", "1")], 401: [("WWW-Authenticate", "Bearer")]}
    text = f"<html><head><title>{status}</title></head><body>answer of a gateway</body></html>".encode()
    return Answer(status, [*HTML, *extra.get(status, [])], text)
