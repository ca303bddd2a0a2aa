"""What was asked for by commands that ended well, and whether it came to be: once, and nothing else."""

import re
from dataclasses import dataclass, field
from urllib.parse import unquote

from .services import SHOP

MARK = re.compile(r"w\d+\.")


@dataclass
class Subject:
    """One row that the client changes. Its marks are texts that no other row ever has."""

    set: str
    key: tuple = None  # None: the service makes it
    marks: list = field(default_factory=list)
    value: str = None  # the last text that was acknowledged
    is_made: bool = False  # by the client
    is_alive: bool = True
    has_children: bool = False


class Ledger:

    def __init__(self):
        self.subjects = []
        self.links = set()
        self.contests = {}  # by key of the order
        self.count = 0

    def mark(self):
        self.count += 1
        return f"w{self.count}."

    def alive(self, *sets, made=None):
        return [s for s in self.subjects if s.is_alive and s.set in sets and made in (None, s.is_made)]

    # -- the verdict

    def problems(self, service, rows=None):
        """[(kind, sentence)] of kinds lost and doubled. `rows` are a state to judge in place of the service's."""
        state = service.state() if rows is None else rows
        effects = service.effects()
        found = []
        for subject in self.subjects:
            found += self.problems_of(subject, state[subject.set], effects, service)
        found += [("lost", f"the link {link} is not at the service") for link in self.links - service.links()]
        for key, contest in self.contests.items():
            history = [e["value"] for e in effects if e["set"] == "Orders" and e["key"] == (key,)]
            found += contest.problems(key, history)
        return [*found, *self.strays(effects)]

    def problems_of(self, subject, rows, effects, service):
        name = f"{subject.set} {subject.marks[0] if subject.is_made else subject.key}"
        mine = [e for e in effects if e["set"] == subject.set and e["value"] in subject.marks]
        made = sum(e["verb"] == "create" for e in mine)
        if made > 1:
            yield "doubled", f"{name} was created {made} times"
        holders = [key for key, value in rows.items() if value in subject.marks]
        if not subject.is_made and subject.key in rows and subject.key not in holders and subject.is_alive:
            holders = [subject.key]
        if len(holders) > 1:
            yield "doubled", f"{name} is there {len(holders)} times: {holders}"
        if not subject.is_alive:
            if holders or not subject.is_made and subject.key in rows:
                yield "lost", f"{name} was deleted here, and is at the service"
        elif not holders:
            yield "lost", f"{name} ({subject.value}) is not at the service"
        elif rows[holders[0]] != subject.value:
            yield "lost", f"{name} is {rows[holders[0]]!r} at the service, expected {subject.value!r}"
        if subject.set in service.exact:
            for mark in subject.marks:
                updates = sum(e["verb"] == "update" and e["value"] == mark for e in mine)
                if updates > 1:
                    yield "doubled", f"{name} was changed to {mark} {updates} times"
        deletions = [e for e in effects if e["verb"] == "delete" and e["set"] == subject.set]
        keys = {e["key"] for e in mine} | ({subject.key} if subject.key else set())
        count = sum(e["key"] in keys for e in deletions)
        if count > (not subject.is_alive):
            yield "doubled", f"{name} was deleted {count} times"

    def strays(self, effects):
        """Marks whose command was killed before it took: they must have had no effect."""
        known = {mark for subject in [*self.subjects, *self.contests.values()] for mark in subject.marks}
        for effect in effects:
            value = effect["value"]
            if isinstance(value, str) and MARK.fullmatch(value) and value not in known:
                yield "doubled", f"an effect nobody asked for: {effect['verb']} {effect['set']} {value}"

    # -- what a person sees who looks at the service

    def took_effect(self, request, service):
        """Whether the change of a listed request is at the service; for a creation, the entity that it made."""
        state = service.state()
        set_name, url = request["entitySet"], request["url"]
        body = str(request.get("body", ""))
        if "/$ref" in url or "/$links/" in url:
            link = next((link for link in self.links if f"Orders({link[0]})" in url), None)
            return link in service.links(), None
        if request["method"] == "DELETE":
            return not any(unquote(service.literal(set_name, key)) == unquote(url) for key in state[set_name]), None
        mark = MARK.search(body)
        if mark is None:
            return False, None
        holder = next((key for key, value in state[set_name].items() if value == mark[0]), None)
        was = any(e["value"] == mark[0] for e in service.effects())
        if holder is None:
            return was, None
        return True, service.literal(set_name, holder) if request["method"] == "POST" else None
