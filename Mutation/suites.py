"""The tests of the copy: what they come by, how long they take, and whether they notice a mutant."""
import concurrent.futures
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import making

# In this order where they take as long.
GROUPS = [
    "ODataSyncPlanTests", "ODataStoreTests", "ODataServerTests", "ODataSyncTests", "SAPOfflineODataTests",
    "ODataProvidersTests", "SimulationTests", "StrictServiceTests", "EndToEndTests",
]
# A suite that takes longer is taken apart into its tests.
LONG = 5.0
WIDTH = "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"
MEMORY = 16 << 30
PATIENCE = 30


def batches(units):
    """Quick ones first; each batch is one process, and takes as long as all before it."""
    ordered = sorted(units, key=lambda unit: (max(unit["seconds"], 0.5), GROUPS.index(unit["group"])))
    batch, cost, size = [], 0.0, 4.0
    for unit in ordered:
        if batch and cost + unit["seconds"] > size:
            yield batch
            batch, cost, size = [], 0.0, size * 1.6
        batch.append(unit)
        cost += unit["seconds"]
    if batch:
        yield batch


def bounded():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Tests:
    def __init__(self, folder, state):
        self.folder, self.state = folder, state
        built = subprocess.check_output(
            ["swift", "build", "--package-path", str(folder), "--ignore-lock", "--show-bin-path"], text=True,
            stderr=subprocess.DEVNULL)
        bundles = sorted(pathlib.Path(built.split()[-1]).glob("*PackageTests.xctest"))
        if not bundles:
            sys.exit("mutate: no tests are built")
        bundle = bundles[0]
        # On Apple platforms the bundle is a folder, which the package manager's helper opens.
        self.command = [str(bundle), "--testing-library", "swift-testing"]
        if bundle.is_dir():
            helper = subprocess.check_output(["xcrun", "--find", "swift"], text=True).strip()
            helper = pathlib.Path(helper).parent.parent / "libexec/swift/pm/swiftpm-testing-helper"
            binary = next((bundle / "Contents/MacOS").iterdir())
            self.command = [
                str(helper), "--test-bundle-path", str(binary), str(binary), "--testing-library", "swift-testing"]

    def run(self, filters, seconds, **environment):
        """Runs tests until one fails: "passed", "failed", "astray", "crashed" or "hung"; which tests, and what is said of it."""
        with tempfile.TemporaryDirectory(prefix="m") as folder:
            # Some tests have children of another user.
            os.chmod(folder, 0o755)
            events = pathlib.Path(folder) / "events"
            events.touch()
            command = [*self.command, "--event-stream-output-path", str(events), "--event-stream-version", "0"]
            for text in filters:
                command += ["--filter", text]
            kept = {"SWIFT_BACKTRACE": "enable=no", "TMPDIR": folder, WIDTH: "4"}
            runner = subprocess.Popen(
                command, cwd=self.folder, env={**os.environ, **kept, **environment}, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=bounded)
            try:
                return self.watch(runner, events, time.monotonic() + seconds)
            finally:
                try:
                    os.killpg(runner.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                runner.wait()
                shutil.rmtree(folder, ignore_errors=True)

    def watch(self, runner, events, end):
        begun, ended = [], False
        with open(events, errors="replace") as stream:
            rest = ""
            while True:
                is_over = runner.poll() is not None
                *lines, rest = (rest + stream.read()).split("\n")
                for line in lines:
                    try:
                        event = json.loads(line)["payload"]
                    except (ValueError, KeyError):
                        continue
                    kind, test = event.get("kind"), event.get("testID", "").rsplit("/", 1)[0]
                    if kind == "testStarted" and test.endswith(")"):
                        begun.append(test)
                    elif kind == "testEnded" and test in begun:
                        begun.remove(test)
                    elif kind == "issueRecorded":
                        issue = event.get("issue", {})
                        if not issue.get("isKnown") and issue.get("isFailure", True):
                            place = issue.get("sourceLocation", {})
                            where = f"{place.get('fileID')}:{place.get('line')}"
                            return ("failed", [test], test) if test else ("astray", [], where)
                    ended = ended or kind == "runEnded"
                if is_over:
                    if runner.returncode == 0 and ended:
                        return "passed", [], None
                    return "crashed", begun, f"crashed ({runner.returncode}): {' or '.join(begun[:3])}"
                if time.monotonic() > end:
                    return "hung", begun, f"hung: {' or '.join(begun[:3])}"
                time.sleep(0.03)

    # MARK: What comes by

    def listed(self):
        """The tests of each suite; one outside of a suite is a suite of its own."""
        said = subprocess.check_output([*self.command, "--list-tests"], text=True, cwd=self.folder, stderr=subprocess.DEVNULL)
        found = {}
        for line in said.splitlines():
            if line.split(".")[0] in GROUPS:
                found.setdefault(line.split("/")[0] if "/" in line else line, []).append(line)
        return found

    def version(self, name):
        """A name of the file of a suite as it is; of all files of its target where none is called like it."""
        group, _, suite = name.split("/")[0].partition(".")
        files = sorted((self.folder / "Tests" / group).rglob("*.swift"))
        own = [path for path in files if path.stem == suite]
        return making.digest("", own or files)

    def traced(self, name, pattern):
        trace = self.state / f"trace-{abs(hash(name))}"
        trace.unlink(missing_ok=True)
        start = time.monotonic()
        end, _, said = self.run([pattern], 1200, ODATA_MUTANT_TRACE=str(trace))
        seconds = time.monotonic() - start
        reached = sorted({int(line) for line in trace.read_text().split() if line.isdigit()}) if trace.exists() else []
        trace.unlink(missing_ok=True)
        return {
            "name": name, "pattern": pattern, "group": name.split(".")[0], "seconds": round(seconds, 2),
            "reached": reached, "end": end, "test": said, "key": f"{name} {self.version(name)}"}

    def measured(self, key, jobs):
        """Suites, and the tests of long ones, with what they come by; those that fail without any mutant are left out."""
        kept = self.state / "units.json"
        known = json.loads(kept.read_text()) if kept.exists() else {}
        if known.get("key") != key:
            known = {"key": key, "units": {}}
        suites = self.listed()
        units = known["units"]
        known["units"] = {
            name: unit for name, unit in units.items()
            if unit["key"] == f"{name} {self.version(name)}" and unit["end"] == "passed"}
        waiting = [(name, "^" + re.escape(name) + ("/" if "/" in tests[0] else "")) for name, tests in suites.items()]
        while waiting:
            with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
                asked = [pool.submit(self.traced, *each) for each in waiting if each[0] not in known["units"]]
                for done in concurrent.futures.as_completed(asked):
                    unit = done.result()
                    known["units"][unit["name"]] = unit
                    kept.write_text(json.dumps(known))
            parts = [
                (test, "^" + re.escape(test)) for name, tests in suites.items()
                if known["units"][name]["seconds"] > LONG and len(tests) > 1 for test in tests]
            waiting = [each for each in parts if each[0] not in known["units"]]
        present = {*suites, *(test for tests in suites.values() for test in tests)}
        split = {name for name, tests in suites.items() if known["units"][name]["seconds"] > LONG and len(tests) > 1}
        units = [unit for name, unit in known["units"].items() if name in present and name not in split]
        failing = [unit for unit in units if unit["end"] != "passed"]
        print(f"mutate: {len(units)} suites or tests, {sum(unit['seconds'] for unit in units):.0f} s", flush=True)
        for unit in failing:
            print(f"mutate: fails without a mutant, is left out: {unit['name']} ({unit['end']} {unit['test']})", flush=True)
        return [dict(unit, reached=set(unit["reached"])) for unit in units if unit["end"] == "passed"]

    # MARK: Whether one is noticed

    def notice(self, number, batch):
        """Who notices a mutant; nothing where nobody does, or nobody does so when asked again: the machine may be busy."""
        seconds = PATIENCE + 4 * sum(unit["seconds"] for unit in batch)
        patterns = [unit["pattern"] for unit in batch]
        for _ in range(2):
            end, tests, said = self.run(patterns, seconds, ODATA_MUTANT=str(number))
            if end == "passed":
                return None
            # An issue of a thread that belongs to no test is looked for in the whole batch.
            once = ["^" + re.escape(test) + "/" for test in tests] or patterns
            again, _, _ = self.run(once, seconds, ODATA_MUTANT=str(number))
            if again != "passed":
                return {"by": said}
        return None
