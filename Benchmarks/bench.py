"""Building, running and interleaving of the programs of benchmarks, for `run`, `curves` and `compare`."""
import json
import os
import pathlib
import sqlite3
import statistics
import subprocess
import sys
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE / ".build"
NATIVE = BUILD / "native"
# ODATA_BENCH_TRY=1 lets a script be tried in fewer rounds than a figure takes.
ROUNDS = max(1 if os.environ.get("ODATA_BENCH_TRY") else 9, int(os.environ.get("ODATA_BENCH_ROUNDS", "9")))
# How large the stores of the larger figures are, and how much waits in them.
ROWS = int(os.environ.get("ODATA_BENCH_ROWS", "1000000"))
LARGEST = int(os.environ.get("ODATA_BENCH_LARGEST", "10000000"))
QUEUED = int(os.environ.get("ODATA_BENCH_QUEUED", "10000"))
# What the store itself sets (LocalStore.options).
PRAGMAS = ["synchronous = NORMAL", "cache_size = -16384", "temp_store = FILE", "wal_autocheckpoint = 4000"]
CHECK = ("SELECT count(*), sum(ID), sum(length(CAST(Customer AS BLOB)) + length(CAST(Street AS BLOB))),"
         " sum(length(Note)), sum(CustomerID), sum(Active) FROM Orders")


# Program, its source, and what it is linked with.
NATIVES = (("feeder", "Feeder/feeder.cpp", "-pthread"), ("floor", "Floor/floor.cpp", "-lcurl -lsimdjson -lsqlite3"),
           ("reads", "Reads/reads.cpp", "-lsqlite3 -pthread"), ("writes", "Writes/writes.cpp", "-lsqlite3"),
           ("replay", "Replay/replay.cpp", "-lcurl"), ("json", "JSON/json.cpp", "-lsimdjson"),
           ("batch", "Batch/batch.cpp", ""), ("service", "Service/service.cpp", "-pthread"),
           ("uploader", "Uploader/uploader.cpp", "-lcurl -lsqlite3"), ("load", "Load/load.cpp", "-pthread"),
           ("server", "Server/server.cpp", "-lsqlite3 -pthread"))


def build_natives(*names):
    """The programs of these names, or all of them."""
    NATIVE.mkdir(parents=True, exist_ok=True)
    for name, source, libraries in NATIVES:
        if names and name not in names:
            continue
        subprocess.run(["g++", "-O3", "-DNDEBUG", "-std=c++17", "-o", NATIVE / name, HERE / source, *libraries.split()],
                       check=True)
    if not names or "longest" in names:
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", NATIVE / "longest.so", HERE / "Longest/longest.c", "-ldl",
                        "-lpthread"], check=True)


def build():
    build_natives()
    for package in (HERE, HERE / "Wire"):
        subprocess.run(["swift", "build", "-c", "release", "--package-path", package, "--scratch-path",
                        BUILD / ("wire" if package.name == "Wire" else "")], check=True, stdout=sys.stderr)


def program(name):
    """A program of ours; ODATA_BENCH_PROGRAMS names a folder of programs that were built elsewhere."""
    elsewhere = os.environ.get("ODATA_BENCH_PROGRAMS")
    if elsewhere:
        return pathlib.Path(elsewhere) / name
    return BUILD / ("wire/release" if name == "Wire" else "release") / name


class Native:
    """A service of `Benchmarks` in a process of its own; it ends with its standard input."""

    def __init__(self, name, *arguments):
        self.command = [NATIVE / name, *map(str, arguments)]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = self.process.stdout.readline().strip()
        self.url = f"http://127.0.0.1:{self.port}/"
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def control(self, what):
        """Asks `Service/service.cpp` for a number, or tells it something."""
        with urllib.request.urlopen(f"{self.url}control/{what}") as answer:
            return answer.read().decode()


def Feeder(*sizes):
    return Native("feeder", *sizes)


def measure(command, **environment):
    """Runs one program and gives the figures of its last line."""
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True, env=os.environ | environment)
    if done.returncode != 0:
        sys.exit(f"bench: {' '.join(map(str, command))} failed: {done.stdout[-400:]}")
    return {name: float(value) for name, value in
            (item.split("=") for item in done.stdout.strip().splitlines()[-1].split())}


def forget(file):
    """Deletes a store with what lies beside it."""
    for suffix in ("", "-wal", "-shm"):
        pathlib.Path(f"{file}{suffix}").unlink(missing_ok=True)


def wanted_names(words, known, script):
    """The words that are no options, or all that is known; ends the script for one that is not."""
    names = [word for word in words if not word.startswith("-")]
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"{script}: unknown: {', '.join(unknown)}; known: {', '.join(known)}")
    return names or list(known)


def checkpointed(file):
    """The file with everything that its log holds."""
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return file


def contents(file):
    connection = sqlite3.connect(file)
    try:
        return connection.execute(CHECK).fetchone()
    finally:
        connection.close()


def interleave(commands, before=lambda: None):
    """Medians of every figure of every program, the programs taking turns; `rounds` has the seconds of each round."""
    rounds = {name: [] for name in commands}
    for number in range(ROUNDS):
        for name, command in commands.items():
            before()
            rounds[name].append(measure(command))
            print(f"round {number + 1} {name}: {rounds[name][-1]}", file=sys.stderr)
    return {name: {key: statistics.median(figures[key] for figures in all_figures) for key in all_figures[0]}
            | {"rounds": [figures.get("seconds", 0) for figures in all_figures]}
            for name, all_figures in rounds.items()}


def spread(ours, floor):
    """The middle half of the ratios of the rounds, as `low..high`."""
    own = ours.get("rounds")
    if not own or len(own) < 2:
        return None
    floors = floor.get("rounds") or [floor["seconds"]] * len(own)
    quarters = statistics.quantiles((one / other for one, other in zip(own, floors)), n=4, method="inclusive")
    return f"{quarters[0]:.3f}..{quarters[2]:.3f}"


def line(name, ours, floor, target, unit="s", **more):
    """One figure; small durations in µs or ms. More figures may follow at the end of the line."""
    factor, digits = {"s": (1, 3), "ms": (1e3, 3), "us": (1e6, 1)}[unit]
    result = {"name": name, "ratio": round(ours["seconds"] / floor["seconds"], 3), "spread": spread(ours, floor),
              "target": target, "unit": unit, "ours": round(ours["seconds"] * factor, digits),
              "floor": round(floor["seconds"] * factor, digits), "peak_mib": round(ours["peak_kib"] / 1024, 1), **more}
    print("bench", name, *(f"{key}={'none' if value is None else value}" for key, value in result.items()
                           if key != "name"), flush=True)
    return result


def keep(results):
    """Writes bench.json; what this run has not measured stays in it."""
    file = HERE.parent / "bench.json"
    known = json.loads(file.read_text()) if file.exists() else []
    names = {result["name"] for result in results}
    file.write_text(json.dumps([one for one in known if one["name"] not in names] + results, indent=2) + "\n")
