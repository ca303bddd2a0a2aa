"""A peer of the first sync, written as one writes it in Python: http.client, orjson, sqlite3.
usage: orjson_sqlite.py SERVICE_URL FILE   prints seconds=… rows=… peak_kib=…"""
import http.client
import pathlib
import resource
import sqlite3
import sys
import time
import urllib.parse

import orjson

COLUMNS = ("@odata.etag", "ID", "Customer", "City", "Street", "Category", "Email", "Note", "Price", "Tax", "Weight",
           "CreatedAt", "DueDate", "Active", "CustomerID")


def main(url, file):
    for suffix in ("", "-wal", "-shm"):
        pathlib.Path(file + suffix).unlink(missing_ok=True)
    start = time.perf_counter()
    store = sqlite3.connect(file, isolation_level=None)
    store.execute("PRAGMA journal_mode = WAL")
    store.execute("PRAGMA synchronous = NORMAL")
    names = ["etag", *COLUMNS[1:]]
    store.execute("CREATE TABLE Orders (" + ", ".join(
        f"{name} INTEGER PRIMARY KEY" if name == "ID" else name for name in names) + ")")
    insert = f"INSERT INTO Orders VALUES ({', '.join('?' * len(names))})"
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc)
    link, rows = url + "Orders", 0
    while link:
        connection.request("GET", link.removeprefix(url.rstrip("/")))
        page = orjson.loads(connection.getresponse().read())
        store.execute("BEGIN")
        store.executemany(insert, [tuple(row.get(name) for name in COLUMNS) for row in page["value"]])
        store.execute("COMMIT")
        rows += len(page["value"])
        link = page.get("@odata.nextLink")
    store.execute("CREATE INDEX buyers ON Orders (CustomerID)")
    store.close()
    print(f"seconds={time.perf_counter() - start:.4f} rows={rows}"
          f" peak_kib={resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}")


main(*sys.argv[1:])
