#!/usr/bin/env python3
"""Clients whose requests for changes a service holds (`Prefer: wait`): how long from a change until each has its answer.

usage: waiting.py ODATA CLIENTS ROUNDS   ODATA is the built command; prints percentiles in milliseconds, over all clients and
rounds from the sending of a change, from its answer, and until `odata download --live` says that it has stored the row.
"""
import http.client
import json
import pathlib
import resource
import selectors
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse


class Held:
    """Connections that each have a request held at one service, over and over."""

    def __init__(self, host, port, link, count):
        self.address, self.link = (host, port), link
        self.selector = selectors.DefaultSelector()
        self.sockets = []
        for _ in range(count):
            connection = socket.create_connection(self.address)
            connection.setblocking(False)
            self.selector.register(connection, selectors.EVENT_READ)
            self.sockets.append(connection)

    def ask(self):
        part = urllib.parse.urlsplit(self.link)
        request = (f"GET {part.path}?{part.query} HTTP/1.1\r\nHost: {self.address[0]}:{self.address[1]}\r\n"
                   "Accept: application/json\r\nPrefer: wait=60\r\n\r\n").encode()
        # No more at once than a service lets wait for a thread.
        for number, connection in enumerate(self.sockets):
            connection.send(request)
            if number % 400 == 399:
                time.sleep(0.4)

    def answers(self):
        """When each of them has its whole answer, and the delta link of one."""
        parts = {connection: b"" for connection in self.sockets}
        times, link = [], None
        while len(times) < len(self.sockets):
            for key, _ in self.selector.select(timeout=70):
                connection = key.fileobj
                parts[connection] += connection.recv(65_536)
                head, _, body = parts[connection].partition(b"\r\n\r\n")
                length = next((int(field[15:]) for field in head.lower().split(b"\r\n")
                               if field.startswith(b"content-length:")), None)
                if length is None or len(body) < length:
                    continue
                times.append(time.perf_counter())
                answer = json.loads(body[:length])
                if not head.startswith(b"HTTP/1.1 200") or not answer["value"]:
                    sys.exit(f"waiting: expected a change, found {head[:40]} {body[:80]}")
                link = answer["@odata.deltaLink"]
                parts[connection] = b""
        self.link = link
        return times

    def close(self):
        for connection in self.sockets:
            connection.close()


def delta_link(connection):
    link = "/WorkOrders"
    while True:
        connection.request("GET", link, headers={"Prefer": "odata.track-changes"})
        page = json.loads(connection.getresponse().read())
        if "@odata.deltaLink" in page:
            return page["@odata.deltaLink"]
        link = page["@odata.nextLink"].partition(connection.host + f":{connection.port}")[2]


def change(connection, number):
    body = json.dumps({"Title": f"Title {number}"})
    connection.request("PATCH", "/WorkOrders(1)", body=body, headers={"Content-Type": "application/json"})
    answer = connection.getresponse()
    answer.read()
    if answer.status != 204:
        sys.exit(f"waiting: a change was answered with {answer.status}")


def percentiles(name, seconds):
    ordered = sorted(second * 1e3 for second in seconds)
    at = lambda part: ordered[min(len(ordered) - 1, int(len(ordered) * part))]
    print(f"{name}: p50={at(0.5):.2f} p99={at(0.99):.2f} max={ordered[-1]:.2f} of {len(ordered)}", flush=True)


def started(command):
    return subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def main():
    program, clients, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        port = socket.create_server(("127.0.0.1", 0)).getsockname()[1]
        service = started([program, "serve", "--sample", "fieldservice", "--database", folder / "service.db", "--port", port])
        live = None
        try:
            service.stdout.readline()
            url = f"http://127.0.0.1:{port}/"
            subprocess.run([program, "sync", url, "--store", folder / "store.db"], check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
            live = started([program, "download", "--live", "--store", folder / "store.db", "--every", 86_400])
            live.stdout.readline()
            writer = http.client.HTTPConnection("127.0.0.1", port)
            held = Held("127.0.0.1", port, delta_link(writer), clients)
            sent, answered, stored = [], [], []
            for number in range(rounds + 1):
                held.ask()
                time.sleep(0.3 + clients / 400)
                start = time.perf_counter()
                change(writer, number)
                end = time.perf_counter()
                times = held.answers()
                row = live.stdout.readline()
                seen = time.perf_counter()
                if "WorkOrders" not in row:
                    sys.exit(f"waiting: the live download says {row!r}")
                # The first round fills caches.
                if number:
                    sent += [at - start for at in times]
                    answered += [at - end for at in times]
                    stored.append(seen - start)
            percentiles("change sent to answers", sent)
            percentiles("change answered to answers", answered)
            percentiles("change sent to row stored (or last answer)", stored)
            held.close()
        finally:
            for process in (live, service):
                if process:
                    process.kill()
                    process.wait()


if __name__ == "__main__":
    main()
