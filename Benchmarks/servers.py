"""The companion service against a C++ program with the same statements and the same JSON on the same tracked database."""
import itertools
import shutil
import sqlite3
import sys
import urllib.request

from bench import NATIVE, ROWS, Native, forget, interleave, line, program

COUNT = min(ROWS, 100_000)
CHANGED = min(1_000, COUNT)
COLUMNS = ("ID INTEGER PRIMARY KEY, Number INTEGER, Customer TEXT, City TEXT, Street TEXT, Category TEXT, Note TEXT, Price REAL,"
           " Active INTEGER, CustomerID INTEGER")
OBJECT = '{{"ID":{key},"Number":{key},"Customer":"Customer {key}","City":"Wien","Street":"Hauptstraße am Markt 7"}}'
PART = ("--c\\nContent-Type: application/http\\nContent-Transfer-Encoding: binary\\nContent-ID: {id}\\n\\nPOST Orders HTTP/1.1"
        "\\nContent-Type: application/json\\nContent-Length: {length}\\n\\n{body}\\n")


class Server(Native):
    """Ours as a program like those of `Benchmarks`."""

    def __init__(self, file):
        super().__init__("server", file)
        self.command = [program("Server"), file]


def made(file):
    connection = sqlite3.connect(file)
    connection.execute(f"CREATE TABLE Orders ({COLUMNS})")
    connection.executemany("INSERT INTO Orders VALUES (?,?,?,?,?,?,?,?,?,?)", (
        (key, key * 7919 % COUNT + 1, f"Customer {key % 20000} & Sons GmbH", "Köln", f"Hauptstraße am Markt {key % 200}",
         "express", "deliver before noon, keep upright" if key % 2 else None, key % 100_000 + 0.25, key % 2,
         key * 31 % 10_000 + 1) for key in range(1, COUNT + 1)))
    connection.commit()
    connection.close()


def get(url, **headers):
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as answer:
        return answer.read().decode()


def delta_link(url):
    """Reads everything; what changes after that is what the link brings."""
    link = url + "Orders"
    while True:
        text = get(link, Prefer="odata.track-changes, odata.maxpagesize=5000")
        kind, _, rest = text[text.rindex('"@odata.') + 8:].partition('":"')
        link = rest[:rest.index('"')]
        if kind == "deltaLink":
            return link


def insertions():
    """A batch of one change set of 1,000 creations, one line."""
    parts = ""
    for number in range(1_000):
        body = OBJECT.format(key=f"%d{number:03}")
        # The number of a request has nine digits, in place of two characters.
        length = len(body.encode()) + body.count("%d") * 7
        parts += PART.format(id=number + 1, length=length, body=body)
    return f"--b\\nContent-Type: multipart/mixed; boundary=c\\n\\n{parts}--c--\\n--b--\\n"


def figures(folder):
    original = folder / "served.db"
    made(original)
    with Server(original) as ours:
        # It adds its tracking.
        link = delta_link(ours.url)
    connection = sqlite3.connect(original)
    sequence = connection.execute("SELECT coalesce(max(sequence), 0) FROM _odata_changes").fetchone()[0]
    connection.execute("UPDATE Orders SET Note = 'new' WHERE ID <= ?", (CHANGED,))
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    files = {name: folder / f"served-{name}.db" for name in ("ours", "floor")}
    for file in files.values():
        shutil.copy(original, file)
    street = "Hauptstra%C3%9Fe%20am%20Markt%207"
    batch = insertions()
    kinds = (
        ("Point", 8, "GET", "/Orders(%k)", "/point/%k", ""),
        ("Point64", 64, "GET", "/Orders(%k)", "/point/%k", ""),
        ("Page", 8, "GET", "/Orders?$filter=ID%20ge%20%k&$orderby=ID&$top=1000", "/page/%k", ""),
        ("Filter", 8, "GET", f"/Orders?$filter=Street%20eq%20'{street}'&$orderby=ID&$top=1000", "/filter/7", ""),
        ("Delta", 8, "GET", "/" + link.split("/", 3)[3], f"/delta/{sequence}", ""),
        ("Insert", 8, "POST", "/Orders", "/insert", OBJECT.format(key="%d")),
        ("Batch", 1, "POST", "/$batch", "/batch", batch),
    )
    results = []
    with Server(files["ours"]) as ours, Native("server", files["floor"]) as floor:
        for name, connections, method, target, floor_target, body in kinds:
            commands = {}
            for side, one, place in (("floor", floor, floor_target), ("ours", ours, target)):
                requests = folder / f"{name}-{side}.txt"
                requests.write_text(f"{method}\n{place}\n{body}\n")
                commands[side] = [NATIVE / "load", connections, 1, requests, one.port, COUNT - 1_000, 0]

            def numbered(call=itertools.count()):
                # Keys of no earlier round, each round leaving room for more than a load inserts in its second.
                first = 100_000_000 + next(call) * 5_000_000
                for command in commands.values():
                    command[-1] = first

            medians = interleave(commands, before=numbered)
            for side, found in medians.items():
                if found["failed"]:
                    sys.exit(f"bench: Server{name}: {found['failed']:.0f} requests of {side} failed")
            results.append(line(f"Server{name}", medians["ours"], medians["floor"], 2.0, "ms",
                                connections=connections, rate=round(medians["ours"]["rate"]),
                                p99=round(medians["ours"]["p99"] * 1e3, 3), floor_p99=round(medians["floor"]["p99"] * 1e3, 3),
                                bytes=int(medians["ours"]["bytes"]), floor_bytes=int(medians["floor"]["bytes"])))
    for file in (original, *files.values()):
        forget(file)
    return results
