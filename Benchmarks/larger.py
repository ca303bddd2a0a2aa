"""Figures of stores of a million rows and of queues of ten thousand changes: ROWS and QUEUED of `bench`.

Where nothing else can do the same work a figure is held against a bound in seconds, which stands as its floor.
"""
import shutil
import statistics
import sys

import peers
import servers
from bench import (LARGEST, NATIVE, QUEUED, ROWS, Native, checkpointed, contents, forget, interleave, line, measure, program)


def synced(folder, name, rows, *words, index="Orders/Number"):
    """A store that has all rows of a service of so many, made once."""
    file = folder / f"{name}.db"
    if not file.exists():
        with Native("service", rows, *words) as online:
            measure([program("Client"), "sync", online.url, file, index])
        checkpointed(file)
    return file


def many_sets(folder):
    """Nothing changed in 50 sets: processor time, at a tenth of the rows and at all, against 8 ms."""
    results = []
    for rows in (ROWS // 10, ROWS):
        with Native("service", rows, "sets=50") as online:
            file = folder / "sets.db"
            forget(file)
            measure([program("Client"), "sync", online.url, file])
            before = int(online.control("requests"))
            rounds = 20
            medians = interleave({"ours": [program("Client"), "unchanged", online.url, file, rounds]})
            asked = int(online.control("requests")) - before
        found = medians["ours"]
        results.append(line(f"ManySets{rows}", found, {"seconds": 0.008}, 1.0, "ms", sets=51,
                            requests=round(asked / len(found["rounds"]) / (rounds + 1), 2)))
    return results


def live_page(folder):
    """From the start of a change of one of a million rows to the difference of a page of 100 by an index: the 99th of 100,
    against 10 ms."""
    original, file = synced(folder, "rows", ROWS), folder / "observed-page.db"

    def fresh():
        forget(file)
        shutil.copy(original, file)

    medians = interleave({"ours": [program("Client"), "livepage", file, 300]}, before=fresh)
    found = medians["ours"]
    return [line("LivePage", {**found, "seconds": found["p99"], "rounds": None}, {"seconds": 0.010}, 1.0, "ms",
                 p50=round(found["seconds"] * 1e3, 3))]


def during_sync(folder):
    """Pages of 100 while a first download runs: the 99th of 100, against 5 ms; and the longest wait of a change, against
    50 ms, the making of the index included."""
    with Native("service", ROWS // 2) as online:
        medians = interleave({"ours": [program("Client"), "during", online.url, folder / "during.db"]})
    found = medians["ours"]
    longest = {"seconds": found["longest_write"], "peak_kib": found["peak_kib"]}
    return [line("DuringSyncRead", found, {"seconds": 0.005}, 1.0, "ms", reads=int(found["reads"]),
                 median=round(found["median"] * 1e3, 3)),
            line("DuringSyncWrite", longest, {"seconds": 0.050}, 1.0, "ms", writes=int(found["writes"]),
                 p99=round(found["write_p99"] * 1e3, 3))]


def sweep(folder):
    """All rows again from a service without deltas, none of them changed: processor time against 4 s for a million, and what
    is written."""
    with Native("service", ROWS, "nodelta") as online:
        file = folder / "swept.db"
        measure([program("Client"), "sync", online.url, file])
        medians = interleave({"ours": [program("Client"), "unchanged", online.url, file, 1]})
    found = medians["ours"]
    return [line("Sweep", found, {"seconds": 4.0 * ROWS / 1e6}, 1.0, "s", rows=ROWS,
                 written_kib=round(found["written"] / 1024))]


def upload(folder):
    """What waits is sent to a service that answers at once, against a bare queue with two durable transactions for each
    sending (ours has one at most) and no change sets; a tenth of the queue beside it, and how many times that the whole takes."""
    results = []
    store = synced(folder, "small", 1_000)
    for way, kind, bound in (("batches", "creates", 5_000), ("singles", "creates", 1_500), ("batches", "sets", None)):
        rates = []
        for count in (QUEUED // 10, QUEUED):
            waiting, file, bare = folder / f"waiting-{kind}-{count}.db", folder / "sent.db", folder / "bare-queue.db"
            if not waiting.exists():
                shutil.copy(store, waiting)
                measure([program("Client"), "queue", kind, waiting, count])
                checkpointed(waiting)

            def fresh():
                forget(file)
                shutil.copy(waiting, file)

            with Native("service", 1_000) as online:
                medians = interleave({
                    "floor": [NATIVE / "uploader", way, online.url, bare, count],
                    "ours": [program("Client"), "upload", way, online.url, file],
                }, before=fresh)
                taken, rounds = int(online.control("changes")), len(medians["ours"]["rounds"])
            if taken != 2 * rounds * count:
                sys.exit(f"bench: the service took {taken} changes of {2 * rounds * count}")
            name = "Sets" if kind == "sets" else way.capitalize()
            ours, floor = medians["ours"], medians["floor"]
            rates.append(count / ours["seconds"])
            results.append(line(f"Upload{name}{count}", ours, floor, None, "s", rate=round(rates[-1]), wanted_rate=bound,
                                cpu_us=round(ours["cpu"] / count * 1e6, 1), floor_cpu_us=round(floor["cpu"] / count * 1e6, 1),
                                growth=round(10 * rates[0] / rates[1], 2) if rates[1:] else None))
    return results


def opening(folder):
    """A process opens a store of a million rows with ten thousand changes waiting, and reads a page: against 30 ms."""
    file = synced(folder, "rows", ROWS)
    waiting = folder / "open.db"
    shutil.copy(file, waiting)
    measure([program("Client"), "queue", "creates", waiting, QUEUED])
    medians = interleave({"ours": [program("Client"), "open", waiting]})
    return [line("Opening", medians["ours"], {"seconds": 0.030}, 1.0, "ms", rows=ROWS, queued=QUEUED,
                 cpu_ms=round(medians["ours"]["cpu"] * 1e3, 3))]


def large_metadata(folder):
    """A document ten times as large takes ten times as long and as much: against 0.3 s of processor time for 10 MB."""
    medians = interleave({"small": [program("Language"), "csdl", 3, 1_000_000],
                          "ours": [program("Language"), "csdl", 1, 10_000_000]})
    found = medians["ours"]
    return [line("LargeMetadata", found, {"seconds": 0.3}, 1.0, "ms", bytes=int(found["bytes"]),
                 memory_times=round(found["memory_times"], 1),
                 growth=round(found["seconds"] / medians["small"]["seconds"], 2))]


def memory(folder):
    """Peak memory of first downloads against 64 MiB: as the rows grow, of a thousand sets, encrypted, in V2; and what one
    row of 50 MB takes beside, against 2.5 times itself."""
    file, results = folder / "memory.db", []

    def peak(*words, secret=False):
        forget(file)
        key = ["env", "ODATA_BENCH_KEY=" + "5d" * 32] if secret else []
        # It hardly varies, and the largest takes long.
        with Native("service", *words) as online:
            return statistics.median(
                measure([*key, program("Client"), online.url, file])["peak_kib"] for _ in range(3)) / 1024

    def result(name, ours, floor, **more):
        results.append({"name": name, "ratio": round(ours / floor, 3), "target": 1.0, "unit": "MiB", "ours": round(ours, 1),
                        "floor": round(floor, 1), **more})
        print("bench", *(value if key == "name" else f"{key}={value}" for key, value in results[-1].items()), flush=True)

    for rows in sorted({ROWS // 10, ROWS, LARGEST}):
        result(f"Memory{rows}", peak(rows), 64)
    result("MemorySets1000", peak(ROWS // 10, "sets=1000"), 64)
    result("MemoryEncrypted", peak(ROWS // 2, secret=True), 64)
    result("MemoryV2", peak(ROWS // 2, "v2"), 64)
    megabytes = 50
    without, beside = peak(5_000), peak(5_000, f"note={megabytes << 20}")
    result("MemoryLargeRow", beside - without, 2.5 * megabytes, without=round(without, 1))
    return results


FIGURES = {"ManySets": many_sets, "LivePage": live_page, "DuringSync": during_sync, "Sweep": sweep, "Upload": upload,
           "Opening": opening, "LargeMetadata": large_metadata, "Memory": memory,
           "ServerFigures": servers.figures, "Peers": peers.figures}
