"""A whole client as a peer: pyodata (V2) pages through a set, and its entities go into SQLite.
usage: pyodata_sqlite.py SERVICE_URL FILE   prints seconds=… rows=… peak_kib=…"""
import pathlib
import resource
import sqlite3
import sys
import time

import pyodata
import requests

NAMES = ("ID", "Number", "Customer", "City", "Street", "Category", "Note", "Price", "Active", "CustomerID")
PAGE = 5_000


def main(url, file):
    for suffix in ("", "-wal", "-shm"):
        pathlib.Path(file + suffix).unlink(missing_ok=True)
    start = time.perf_counter()
    store = sqlite3.connect(file, isolation_level=None)
    store.execute("PRAGMA journal_mode = WAL")
    store.execute("PRAGMA synchronous = NORMAL")
    store.execute("CREATE TABLE Orders (" + ", ".join(
        f"{name} INTEGER PRIMARY KEY" if name == "ID" else name for name in NAMES) + ")")
    insert = f"INSERT INTO Orders VALUES ({', '.join('?' * len(NAMES))})"
    client, rows = pyodata.Client(url, requests.Session()), 0
    while True:
        page = client.entity_sets.Orders.get_entities().skip(rows).top(PAGE).execute()
        values = [[getattr(entity, name) for name in NAMES] for entity in page]
        store.execute("BEGIN")
        store.executemany(insert, [[str(value) if name == "Price" else value for name, value in zip(NAMES, row)]
                                   for row in values])
        store.execute("COMMIT")
        rows += len(values)
        if len(values) < PAGE:
            break
    store.close()
    print(f"seconds={time.perf_counter() - start:.4f} rows={rows}"
          f" peak_kib={resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}")


main(*sys.argv[1:])
