"""A second writer: plain HTTP, past the box, with the entity tag that it has read."""

import http.client
import json
import re
import threading
from dataclasses import dataclass, field

KEYS = ("9", "11", "13")  # orders that both write, and nobody else
MARK = re.compile(r"rival (\d+)")
ATTEMPTS = 4
SECONDS = 20


class Rival:
    """Changes rows as a program does that keeps to the rules: it never writes over what it has not read."""

    def __init__(self, service, chance):
        self.service, self.chance = service, chance
        self.count = 0
        self.head = {}  # session and token, where the service wants them
        self.turn = threading.Lock()

    def write(self, key):
        """One change; the service may be away, or others faster, and then it may not come to be."""
        with self.turn:
            self.count += 1
            mark = f"rival {self.count}"
            try:
                for _ in range(ATTEMPTS):
                    if self.attempt(key, mark):
                        return
            except (OSError, http.client.HTTPException):
                pass

    def attempt(self, key, mark):
        path = self.service.path + self.service.literal("Orders", (key,))
        status, headers, _ = self.ask("GET", path, {"X-CSRF-Token": "Fetch"})
        tag = headers.get("ETag")
        if status != 200 or tag is None:
            return False
        if "x-csrf-token" in headers:
            self.head["X-CSRF-Token"] = headers["x-csrf-token"]
        if "set-cookie" in headers:
            self.head["Cookie"] = headers["set-cookie"].partition(";")[0]
        body = json.dumps({"Title": mark}).encode()
        method = "MERGE" if self.service.v2 else "PATCH"
        status, _, _ = self.ask(method, path, {"If-Match": tag, "Content-Type": "application/json"}, body)
        return 200 <= status < 300

    def ask(self, method, path, headers, body=None):
        upstream = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=SECONDS)
        try:
            upstream.request(method, path, body, {**self.head, "Accept": "application/json", **headers})
            answer = upstream.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            upstream.close()

    def meanwhile(self, request):
        """While the answer to a request is lost the rows that it writes change."""
        if request.method in ("GET", "HEAD"):
            return
        text = request.target + request.body.decode("utf-8", "replace")
        for key in KEYS:
            if self.service.literal("Orders", (key,)) in text and self.chance.random() < 0.6:
                self.write(key)


@dataclass
class Contest:
    """What the client did to a row that another writes as well."""

    marks: list = field(default_factory=list)
    seen: dict = field(default_factory=dict)  # mark -> up to which change of the rival it may go over

    def add(self, mark, shown):
        """A change made while the store showed a text: the rival's last, or an own one that waits."""
        rival = MARK.fullmatch(shown or "")
        known = int(rival[1]) if rival else self.seen.get(shown, 0)
        self.marks.append(mark)
        self.seen[mark] = known

    def problems(self, key, history):
        """[(kind, sentence)] of a history: what the row had been changed to, one after the other."""
        name = f"Orders {key}"
        mine = [value for value in history if value in self.marks]
        for mark in dict.fromkeys(mine):
            if mine.count(mark) > 1:
                yield "doubled", f"{name} was changed to {mark} {mine.count(mark)} times: {history}"
        if mine != sorted(mine, key=self.marks.index):
            yield "doubled", f"{name}: changes in another order than they were made: {history}"
        if self.marks and self.marks[-1] not in mine:
            yield "lost", f"{name}: {self.marks[-1]} is not at the service: {history}"
        last = 0
        for value in history:
            rival = MARK.fullmatch(value or "")
            last = int(rival[1]) if rival else last
            if value in self.seen and last > self.seen[value]:
                yield "lost", f"{name}: {value} went over rival {last} in silence: {history}"
