"""One store through one spell of weather: changes, kills, faults; then calm, and the verdict."""

import json
import random
import threading
import time
import uuid
from collections import Counter

from .client import Client, Crashes, Hangs
from .ledger import MARK, Ledger, Subject
from .proxy import Proxy
from .rival import KEYS, Contest, Rival
from .services import OURS, SHOP

SYNCS_UNTIL_SETTLED = 8
SILENT_AFTER = 3


class Broken(Exception):
    """The round cannot go on: what it says is the finding."""

    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


class Round:
    """`figures` counts what happened; `findings` says what must not have."""

    def __init__(self, service, command, folder, seed, sealed, options):
        self.chance = random.Random(seed)
        self.service, self.folder, self.options = service, folder, options
        self.sealed = sealed
        self.log = open(folder / "commands.log", "w", encoding="utf-8")
        for path in folder.glob("store.db*"):
            path.unlink()
        key_file = None
        if sealed:
            key_file = folder / "key"
            key_file.write_text("%064x\n" % self.chance.getrandbits(256))
        self.client = Client(command, folder / "store.db", key_file, self.log, self.chance)
        self.client.usual.update(options.usual)
        self.ledger = Ledger()
        self.proxy = Proxy(self.chance.random())
        self.proxy.upstream = service.port
        self.proxy.trace = self.trace
        self.proxy.knows_identities = service.knows_identities
        self.root = f"http://127.0.0.1:{self.proxy.port}{service.path}"
        self.findings = []
        self.figures = Counter()
        self.theirs = 0
        self.rival = None
        if "Orders" in service.exact:  # without entity tags nobody can see who was first
            self.rival = Rival(service, random.Random(self.chance.random()))
            self.proxy.meanwhile = self.rival.meanwhile
        self.may_be_listed = False

    def run(self):
        kills = self.service.kills
        try:
            self.service.fresh(self.chance.choice(["wal", "delete"]))
            self.first_sync()
            self.storm()
            self.calm()
        except Broken as broken:
            self.findings.append((broken.kind, str(broken)))
        except (Hangs, Crashes) as error:
            self.findings.append(("stuck" if isinstance(error, Hangs) else "crash", str(error)))
        finally:
            self.proxy.quiesce(echoes=True)
            self.findings += [("different", text) for text in self.service.stop()]
            self.proxy.close()
            for kind, text in self.findings:
                self.log.write(f"== {kind}: {text}\n")
            self.log.close()
        self.options.usual.update(self.client.usual)
        self.figures.update(
            commands=self.client.commands,
            client_kills=self.client.kills,
            service_kills=self.service.kills - kills,
            requests=self.proxy.requests,
            faulted=sum(self.proxy.faulted.values()),
            changes=self.ledger.count,
            rivals=self.rival.count if self.rival else 0,
        )
        return self

    def trace(self, request, kind, answer):
        """What passed, beside the commands."""
        body = request.body.decode("utf-8", "replace")
        marks = " ".join(dict.fromkeys(MARK.findall(body)))
        self.log.write(f"   | {request.method} {request.target} {kind} {marks} -> {answer}\n")

    # -- the weather

    def first_sync(self):
        """The store comes to be, under faults and kills."""
        for attempt in range(12):
            self.proxy.rate = self.options.fault_rate if attempt < 8 else 0
            result = self.network("sync", self.root, kill=attempt < 6 and self.chance.random() < self.options.kill_rate)
            if result.status == 0:
                return
        raise Broken("stuck", f"no first sync: {result.said}")

    def storm(self):
        changes = 54 * self.options.changes / (1 - self.options.changes)
        steps = {"change": changes, "upload": 16, "sync": 20, "download": 10, "both": 8}
        for _ in range(self.options.steps):
            self.proxy.rate = self.options.fault_rate
            step = self.chance.choices(list(steps), list(steps.values()))[0]
            if self.chance.random() < 0.25:
                self.theirs += 1
                self.service.change(self.chance, f"theirs {self.theirs}")
            if self.rival and self.chance.random() < 0.2:
                self.rival.write(self.chance.choice(KEYS))
            if step == "change":
                for _ in range(self.chance.randint(1, 3)):
                    self.contend() if self.rival and self.chance.random() < 0.3 else self.change()
            elif step == "both":
                self.both()
            else:
                self.network(*([step, self.root] if step == "sync" else [step]), kill=self.chance.random() < self.options.kill_rate)

    def network(self, *arguments, kill):
        """A command that talks to the service, which may be killed meanwhile, too."""
        self.proxy.quiesce()
        self.may_be_listed = True
        process = self.client.start(*arguments)
        killer = self.service_killer(arguments[0])
        try:
            return self.client.end(process, arguments, kill)
        finally:
            if killer:
                killer.join()

    def service_killer(self, name):
        if not self.service.can_be_killed or self.chance.random() >= self.options.service_kill_rate:
            return None
        moment = self.chance.random() * 1.1 * self.client.usual.get(name, 0.3)
        pause = self.chance.choice((0, 0, 0.1, 0.3))

        def strike():
            time.sleep(moment)
            self.service.kill()
            time.sleep(pause)
            self.service.start()

        thread = threading.Thread(target=strike)
        thread.start()
        return thread

    def both(self):
        """A change in one process while another one synchronises."""
        self.settle()
        self.proxy.quiesce()
        self.may_be_listed = True
        arguments = ("sync", self.root)
        process = self.client.start(*arguments)
        time.sleep(self.chance.random() * self.client.usual.get("sync", 0.3))
        kind, *rest = self.plan(only_new=True)
        self.carry_out(kind, *rest, kill=False)
        self.client.end(process, arguments, kill=self.chance.random() < self.options.kill_rate)

    # -- changes

    def change(self):
        """A person first looks at what is listed: to change an unsettled row means to send it again."""
        if self.may_be_listed:
            self.settle()
            self.may_be_listed = False
        kind, *rest = self.plan()
        self.carry_out(kind, *rest, kill=self.chance.random() < self.options.write_kill_rate)

    def contend(self):
        """A change of a row that the rival changes as well, also behind one that is on its way or has no answer."""
        if self.may_be_listed:
            self.settle()
            self.may_be_listed = False
        key, mark = self.chance.choice(KEYS), self.ledger.mark()
        shown = self.query(f"Orders({key})")[0]["Title"]
        arguments = ("update", self.service.literal("Orders", (key,)), json.dumps({"Title": mark}))
        kill = self.chance.random() < self.options.write_kill_rate
        result = self.client.run(*arguments, kill=kill)
        if result.status not in (0, -9):
            raise Broken("lost", f"a change was refused locally: {' '.join(arguments)}: {result.said}")
        if result.status == 0 or self.find("Orders", mark) is not None:
            self.ledger.contests.setdefault(key, Contest()).add(mark, shown)
            self.figures["contended"] += 1

    def note_listed(self, request):
        """Whoever sends a listed change again knows what it goes over."""
        mark = MARK.search(str(request.get("body", "")))
        for contest in self.ledger.contests.values():
            if mark and mark[0] in contest.seen:
                contest.seen[mark[0]] = self.rival.count

    def plan(self, only_new=False):
        """(kind, subject, arguments, new value)"""
        kind = self.chance.choices(["create", "child", "update", "delete", "link"], [40, 14, 30, 10, 6])[0]
        if only_new:
            kind = "create"
        ledger = self.ledger
        mark = ledger.mark()
        if kind == "link" and self.service.has_links:
            return self.plan_link(mark)
        if kind == "update":
            subject = self.row_to_change()
            body = {SHOP[subject.set][-1]: mark}
            return "update", subject, ("update", self.literal(subject), json.dumps(body)), mark
        if kind == "delete":
            rows = [s for s in ledger.alive(*SHOP, made=True) if not s.has_children]
            if rows:
                subject = self.here(self.chance.choice(rows))
                return "delete", subject, ("delete", self.literal(subject)), subject.value
            order = self.chance.choice((10, 12))
            if not any(s.key == (str(order),) and s.set == "Orders" for s in ledger.subjects):
                subject = Subject("Orders", (str(order),), [], None)
                return "delete", subject, ("delete", self.literal(subject)), None
        if kind == "child":
            return self.plan_child(mark)
        return self.plan_creation(mark)

    def plan_link(self, mark):
        order = self.chance.choice((2, 4, 6, 8))
        known = self.service.links()
        if (str(order), "plain") in known | self.ledger.links:
            return self.plan_creation(mark)
        return "link", (str(order), "plain"), ("link", f"Orders({order})", "Tags", "Tags('plain')"), mark

    def plan_creation(self, mark):
        set_name = self.chance.choice(["Orders", "Orders", "Customers", "Tags"])
        if set_name == "Orders":
            subject, body = Subject("Orders"), {"Title": mark}
        elif set_name == "Customers":
            key = str(uuid.UUID(int=self.chance.getrandbits(128), version=4))
            subject, body = Subject("Customers", (key,)), {"Id": key, "Name": mark}
        else:
            key = f"{mark}'/ &é"
            subject, body = Subject("Tags", (key,)), {"Code": key, "Label": mark}
        subject.is_made = True
        return "create", subject, ("create", set_name, json.dumps(body, ensure_ascii=False)), mark

    def plan_child(self, mark):
        """An item of an order, which may itself be new."""
        parents = self.ledger.alive("Orders", made=True)
        if parents and self.chance.random() < 0.7:
            parent = self.here(self.chance.choice(parents))
            parent.has_children = True
            order = self.local_key(parent)[0]
        else:
            order = self.chance.choice((2, 4, 6, 8))
        position = 100 + self.ledger.count
        body = {"OrderId": int(order), "Pos": position, "Product": mark}
        subject = Subject("OrderItems", None, is_made=True)
        return "create", subject, ("create", "OrderItems", json.dumps(body)), mark

    def row_to_change(self):
        made = self.ledger.alive(*SHOP, made=True)
        if made and self.chance.random() < 0.5:
            return self.here(self.chance.choice(made))
        key = (str(self.chance.choice(list(OURS)[:4])),)
        known = next((s for s in self.ledger.subjects if s.set == "Orders" and s.key == key and not s.is_made), None)
        return known or Subject("Orders", key)

    def carry_out(self, kind, subject, arguments, mark, kill):
        result = self.client.run(*arguments, kill=kill)
        if result.status == 0:
            took = True
        elif result.was_killed:
            took = self.took(kind, subject, mark)
        else:
            raise Broken("lost", f"a change was refused locally: {' '.join(map(str, arguments))}: {result.said}")
        if not took:
            return
        if kind == "link":
            self.ledger.links.add(subject)
            return
        if subject not in self.ledger.subjects:
            self.ledger.subjects.append(subject)
        if kind == "delete":
            subject.is_alive = False
        else:
            subject.marks.append(mark)
            subject.value = mark

    def took(self, kind, subject, mark):
        """Whether a change whose command was killed is in the store."""
        if kind == "link":
            answer = self.query(f"Orders({subject[0]})/Tags")
            return any(row["Code"] == subject[1] for row in answer)
        if kind == "delete":
            return self.find(subject.set, subject.value, subject.key) is None
        return self.find(subject.set, mark) is not None

    # -- looking into the store

    def query(self, text):
        result = self.client.run("query", text, "--json")
        if result.status != 0:
            raise Broken("lost", f"the store does not answer {text}: {result.said}")
        answer = json.loads(result.out)
        return answer["value"] if "value" in answer else [answer]

    def find(self, set_name, value, key=None):
        """The row with this text, or with this key where it has none yet."""
        if value is None:
            rows = self.query(f"{set_name}?$filter={SHOP[set_name][0]} eq {key[0]}")
        else:
            rows = self.query(f"{set_name}?$filter={SHOP[set_name][-1]} eq '{value}'")
        return rows[0] if rows else None

    def here(self, subject):
        """A row that commands acknowledged is here, before anything else is done with it."""
        row = self.find(subject.set, subject.value)
        if row is None:
            raise Broken("lost", f"{subject.set} {subject.value} was acknowledged and is not in the store")
        subject.row = row
        return subject

    def local_key(self, subject):
        if getattr(subject, "row", None):
            return tuple(subject.row[column] for column in SHOP[subject.set][:-1])
        return subject.key

    def literal(self, subject):
        return self.service.literal(subject.set, self.local_key(subject))

    # -- what a person does about listed requests

    def listed(self):
        result = self.client.run("errors", "--json")
        if result.status != 0:
            raise Broken("stuck", f"`odata errors`: {result.said}")
        return json.loads(result.out)

    def settle(self):
        """Each listed request is looked at in the service, then confirmed or tried again. Returns how many there were."""
        entries = self.listed()
        if not entries:
            return 0
        self.proxy.quiesce()
        full = {e["id"]: e for e in json.loads(self.client.run("errors", "export").out)}
        for entry in entries:
            if not (entry.get("message") or entry.get("status")):
                self.findings.append(("unlisted", f"{entry['method']} {entry['url']} is listed without a reason"))
            self.figures["listed"] += 1
            self.note_listed(full.get(entry["id"], entry))
            # What was never sent waits for another one; it had no effect.
            took, entity = False, None
            if entry.get("attempts"):
                took, entity = self.ledger.took_effect(full.get(entry["id"], entry), self.service)
            if not took:
                self.client.run("errors", "retry", entry["id"])
            else:
                self.confirm(entry["id"], [entity] if entity else [])
        return len(entries)

    def confirm(self, request, entity):
        """The entity that a creation made may be unknown here until it is downloaded."""
        if self.client.run("errors", "confirm", request, *entity).status == 0:
            return
        rate, self.proxy.rate = self.proxy.rate, 0
        self.client.run("download")
        if self.client.run("errors", "confirm", request, *entity).status != 0:
            self.client.run("errors", "cancel", request)
            self.client.run("download")
            self.figures["cancelled"] += 1
        self.proxy.rate = rate

    # -- calm

    def calm(self):
        """No faults any more: everything arrives, or is listed and can be settled; then both sides are the same."""
        self.proxy.quiesce(echoes=True)
        self.proxy.rate = 0
        for turn in range(1, SYNCS_UNTIL_SETTLED + 1):
            result = self.client.run("sync", self.root)
            queued = json.loads(self.client.run("queue", "--json").out)
            waiting = [entry for entry in queued if not entry["failed"]]
            if turn == SILENT_AFTER and waiting and not self.listed():
                self.findings.append(("unlisted", f"{len(waiting)} changes wait silently: {waiting[0]}"))
            settled = self.settle()
            if result.status == 0 and not waiting and not settled:
                break
        else:
            left = [f"{e['method']} {e['url']}" for e in [*queued, *self.listed()]]
            self.findings.append(("stuck", f"after {turn} syncs: {result.said}; left: {left[:4]}"))
        self.findings += self.ledger.problems(self.service)
        self.compare()
        check = self.client.run_file("store", "check", self.client.store)
        if check.status != 0:
            self.findings.append(("different", f"store check: {check.said}"))

    def compare(self):
        """The store's rows and the service's, set by set."""
        state = self.service.state()
        for set_name, columns in SHOP.items():
            rows = {tuple(str(row[c]) for c in columns[:-1]): row[columns[-1]] for row in self.query(set_name)}
            if rows == state[set_name]:
                continue
            keys = sorted(k for k in {*rows, *state[set_name]} if rows.get(k, "–") != state[set_name].get(k, "–"))
            key = keys[0]
            self.findings.append(
                (
                    "different",
                    f"{len(keys)} rows of {set_name} differ, first {key}: store {rows.get(key, 'none')!r}, "
                    f"service {state[set_name].get(key, 'none')!r}",
                )
            )
