"""First syncs of others in the same run: Python with orjson and sqlite3, and pyodata paging into SQLite."""
import subprocess
import sys

from bench import HERE, ROWS, Feeder, Native, interleave, line, program

# Peers that make objects of everything are asked for fewer rows.
COUNT = min(ROWS, 500_000)
FEW = min(ROWS, 50_000)


def foreign_python():
    """The Python that has pyodata; None where it is not installed."""
    found = subprocess.run([HERE.parent / "Scripts/foreign-clients", "--there"], capture_output=True, text=True)
    return found.stdout.strip() if found.returncode == 0 else None


def figures(folder):
    results = []
    try:
        import orjson  # noqa: F401
    except ImportError:
        print("bench: PeerOrjson left out, orjson is not installed", file=sys.stderr)
    else:
        with Feeder(COUNT) as feeder:
            medians = interleave({
                "peer": [sys.executable, HERE / "Peers/orjson_sqlite.py", feeder.url, folder / "orjson.db"],
                "ours": [program("Client"), feeder.url, folder / "peer-ours.db"],
            })
        results.append(line("PeerOrjson", medians["ours"], medians["peer"], 1.0, rows=COUNT,
                            their_peak_mib=round(medians["peer"]["peak_kib"] / 1024, 1)))
    python = foreign_python()
    if not python:
        print("bench: PeerPyodata left out: Scripts/foreign-clients installs it", file=sys.stderr)
        return results
    with Native("service", FEW, "v2") as old, Native("service", FEW, "nodelta") as new:
        medians = interleave({
            "peer": [python, HERE / "Peers/pyodata_sqlite.py", old.url, folder / "pyodata.db"],
            "ours": [program("Client"), new.url, folder / "peer-ours.db"],
        })
    results.append(line("PeerPyodata", medians["ours"], medians["peer"], 0.1, rows=FEW,
                        their_peak_mib=round(medians["peer"]["peak_kib"] / 1024, 1)))
    return results
