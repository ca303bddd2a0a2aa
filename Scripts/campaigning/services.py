"""The services of a campaign: what they hold, what was done to them, and how they are killed."""

import json
import random
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from pathlib import Path

# Own service: the same small shop as the profiles have, and a log that triggers write in the transaction of the change.
SHOP = {
    "Customers": ("Id", "Name"),
    "Orders": ("Id", "Title"),
    "OrderItems": ("OrderId", "Pos", "Product"),
    "Tags": ("Code", "Label"),
}
KEYS = {"Customers": 1, "Orders": 1, "OrderItems": 2, "Tags": 1}
TABLES = """
CREATE TABLE Customers(Id TEXT NOT NULL PRIMARY KEY, Name TEXT);
CREATE TABLE Orders(Id INTEGER PRIMARY KEY AUTOINCREMENT, Title TEXT);
CREATE TABLE OrderItems(OrderId INTEGER NOT NULL REFERENCES Orders(Id) ON DELETE CASCADE, Pos INTEGER NOT NULL,
    Product TEXT, PRIMARY KEY(OrderId, Pos));
CREATE TABLE Tags(Code TEXT NOT NULL PRIMARY KEY, Label TEXT);
CREATE TABLE campaign_log(Id INTEGER PRIMARY KEY, verb TEXT, "set" TEXT, key TEXT, value TEXT);
"""
OURS = range(2, 14, 2)  # orders that the client may change; the odd ones change at the service
START_SECONDS = 30


def free_port():
    """Below the range that systems take for outgoing connections, so that a service finds its port free again."""
    while True:
        port = random.randrange(20000, 32000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def quoted(set_name, key):
    """An entity with a text as key, as a URL has it."""
    return "{}('{}')".format(set_name, urllib.parse.quote(str(key[0]).replace("'", "''"), safe=""))


class OwnService:
    """`odata serve` over a database of its own; SIGKILL and start again at any moment."""

    can_be_killed = True
    knows_identities = True  # repeatable requests
    has_links = False
    exact = set(SHOP)  # sets whose updates have one effect: each carries an identity that the service knows again

    def __init__(self, name, command, folder):
        self.name, self.command, self.folder = name, command, Path(folder)
        self.v2 = name.endswith("v2")
        self.port = free_port()
        self.path = "/"
        self.process = None
        self.kills = 0
        self.database = None

    def literal(self, set_name, key):
        if set_name == "OrderItems":
            return f"OrderItems(OrderId={self.number(key[0])},Pos={self.number(key[1])})"
        if set_name == "Orders":
            return f"Orders({self.number(key[0])})"
        return quoted(set_name, key)

    def number(self, value):
        return f"{value}L" if self.v2 else str(value)

    def fresh(self, journal):
        """A new database in this journal mode, and the service over it."""
        self.stop()
        self.journal = journal
        self.database = self.folder / "service.sqlite"
        for path in self.folder.glob("service.sqlite*"):
            path.unlink()
        connection = sqlite3.connect(self.database)
        connection.execute(f"PRAGMA journal_mode = {journal}")
        connection.executescript(TABLES)
        for name, columns in SHOP.items():
            for verb, event, row in (
                ("create", "INSERT", "new"),
                ("update", "UPDATE", "new"),
                ("delete", "DELETE", "old"),
            ):
                key = " || ',' || ".join(f"{row}.{column}" for column in columns[: KEYS[name]])
                connection.execute(
                    f"CREATE TRIGGER campaign_{verb}_{name} AFTER {event} ON {name} BEGIN INSERT INTO campaign_log"
                    f"(verb, \"set\", key, value) VALUES ('{verb}', '{name}', {key}, {row}.{columns[-1]}); END"
                )
        connection.executemany("INSERT INTO Customers VALUES (?, ?)", [(f"c{n}", f"Customer {n}") for n in range(8)])
        connection.executemany("INSERT INTO Orders VALUES (?, ?)", [(n, f"Order {n}") for n in range(1, 40)])
        connection.executemany(
            "INSERT INTO OrderItems VALUES (?, ?, ?)", [(n, p, f"Part {n}/{p}") for n in range(1, 9) for p in range(3)]
        )
        connection.executemany("INSERT INTO Tags VALUES (?, ?)", [(f"t/{n} +&'é", f"Label {n}") for n in range(6)])
        connection.execute("DELETE FROM campaign_log")
        connection.commit()
        connection.close()
        self.start()

    def start(self):
        command = [self.command, "serve", "--database", str(self.database), "--exclude", "campaign_log"]
        command += ["--port", str(self.port), "--page-size", "7"] + ["--v2"] * self.v2
        self.log = open(self.folder / "service.log", "a", encoding="utf-8")
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL)
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.01)
        raise RuntimeError(f"{self.name} did not start (status {self.process.poll()}): see {self.folder}/service.log")

    def kill(self):
        self.process.kill()
        if self.process.wait() == -9:
            self.kills += 1

    def stop(self):
        """An orderly end. Returns what is wrong with the database afterwards."""
        if self.process is None:
            return []
        self.process.terminate()
        status = self.process.wait(START_SECONDS)
        self.process = None
        self.log.close()
        connection = sqlite3.connect(self.database)
        journal = connection.execute("PRAGMA journal_mode").fetchone()[0]
        whole = connection.execute("PRAGMA integrity_check").fetchone()[0]
        connection.close()
        found = [f"the service ended with status {status}"] if status else []
        if journal != self.journal:
            found.append(f"the journal mode was {self.journal} and is {journal}")
        if whole != "ok":
            found.append(f"the service's database: {whole}")
        return found

    def ask(self, sql, arguments=()):
        connection = sqlite3.connect(self.database, timeout=20)
        try:
            with connection:
                return connection.execute(sql, arguments).fetchall()
        finally:
            connection.close()

    def state(self):
        rows = {}
        for name, columns in SHOP.items():
            found = self.ask(f"SELECT {', '.join(columns)} FROM {name}")
            rows[name] = {tuple(str(part) for part in row[:-1]): row[-1] for row in found}
        return rows

    def links(self):
        return set()

    def effects(self):
        found = self.ask('SELECT verb, "set", key, value FROM campaign_log')
        return [
            {"verb": verb, "set": name, "key": tuple(str(key).split(",")), "value": value}
            for verb, name, key, value in found
        ]

    def change(self, chance, mark):
        """One change by another program."""
        order = chance.randrange(15, 39, 2)
        kind = chance.randrange(4)
        if kind == 0:
            self.ask("INSERT INTO Orders(Title) VALUES (?)", (mark,))
        elif kind == 1:
            self.ask("DELETE FROM Orders WHERE Id = ?", (order,))
        elif kind == 2:
            self.ask("UPDATE OrderItems SET Product = ? WHERE OrderId = ? AND Pos = 1", (mark, chance.choice((1, 3))))
        else:
            self.ask("UPDATE Orders SET Title = ? WHERE Id = ?", (mark, order))


class ProfileService:
    """A strict service of the shared profiles; it holds its state in memory and is never killed."""

    can_be_killed = False
    has_links = True

    def __init__(self, name, home, folder):
        self.name, self.folder = name, Path(folder)
        sys.path.insert(0, str(home))
        from profileservice import profile as profiles

        self.profile = profiles.load(name)
        self.v2 = self.profile.v2
        self.exact = set(self.profile.etag_sets) if self.profile.etag else set()
        self.path = self.profile.root
        self.knows_identities = self.profile.repeatability
        self.port, self.admin_port = free_port(), free_port()
        self.kills = 0
        self.process = subprocess.Popen(
            [
                sys.executable,
                str(Path(home) / "profile-service"),
                name,
                "--port",
                str(self.port),
                "--admin-port",
                str(self.admin_port),
                "--end-with-stdin",
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=open(self.folder / "service.log", "w", encoding="utf-8"),
        )
        for _ in range(400):
            try:
                self.admin("info")
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(f"the profile {name} did not start")

    def admin(self, name, **content):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.admin_port}/{name}", data=json.dumps(content).encode()
        )
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=20) as answer:
            return json.load(answer)

    def literal(self, set_name, key):
        if set_name == "OrderItems":
            return f"OrderItems(OrderId={key[0]},Pos={key[1]})"
        if set_name == "Orders":
            return f"Orders({key[0]})"
        if set_name == "Customers":
            return f"Customers(guid'{key[0]}')" if self.v2 else f"Customers({key[0]})"
        return quoted(set_name, key)

    def fresh(self, journal):
        self.admin("reset")

    def stop(self):
        return ["a defect of the profile service, see service.log"] if self.admin("info")["defects"] else []

    def end(self):
        self.process.terminate()
        self.process.wait()

    def state(self):
        rows = {}
        for name, columns in SHOP.items():
            rows[name] = {
                tuple(str(row[part]) for part in columns[:-1]): row[columns[-1]]
                for row in self.admin("state")["sets"][name]
            }
        return rows

    def links(self):
        return {tuple(pair) for pair in self.admin("state")["links"]}

    def effects(self):
        return [
            {
                "verb": effect["verb"],
                "set": effect["set"],
                "key": tuple(effect["key"]),
                "value": effect["values"].get(SHOP.get(effect["set"], ("", ""))[-1]),
            }
            for effect in self.admin("effects")
        ]

    def change(self, chance, mark):
        if chance.random() < 0.3:
            key, values = [7, 1], {"Product": mark}
            self.admin("change", set="OrderItems", key=key, values=values)
        else:
            self.admin("change", set="Orders", key=[chance.choice((1, 3, 5, 7))], values={"Title": mark})
