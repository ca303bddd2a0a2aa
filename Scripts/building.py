"""What the scripts that work with a finished build share: where it is, how its modules are found, what they declare."""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The modules whose public names an app, a service or a test of an app can write.
PUBLIC_MODULES = [
    "OData", "SAPCommon", "SAPFoundation", "ODataClasses", "ODataProviders", "SAPOData", "SAPOfflineOData", "ODataServer",
    "ODataTesting",
]


def run(command, seconds=600, **options):
    """The finished process with what it printed; one that takes longer than that is ended and has failed."""
    try:
        return subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds, **options)
    except subprocess.TimeoutExpired as error:
        said = error.stdout or b""
        said = said.decode(errors="replace") if isinstance(said, bytes) else said
        return subprocess.CompletedProcess(command, 124, f"{said}did not end in {seconds} s\n")


class Build:
    """The products of the last build."""

    def __init__(self, asker):
        found = run(["swift", "build", "--ignore-lock", "--show-bin-path"], cwd=ROOT).stdout.split()
        self.folder = pathlib.Path(found[-1]) if found else ROOT
        if not (self.folder / "Modules").is_dir():
            sys.exit(f"{asker}: nothing is built: swift build --build-tests")
        maps = set(self.folder.glob("*/module.modulemap")) | set(self.folder.glob("*.build/module.modulemap"))
        checkouts = ROOT / ".build" / "checkouts"
        for folder in [ROOT / "Sources", checkouts / "GRDB.swift" / "Sources"]:
            maps |= set(folder.rglob("module.modulemap"))
        maps |= {path for path in checkouts.glob("*/Sources/*/include/module.modulemap")}
        named = {}
        for path in sorted(maps):
            name = re.search(r"module\s+(\w+)", path.read_text())
            named.setdefault(name[1] if name else str(path), path)
        self.flags = ["-I", str(self.folder / "Modules")]
        for path in named.values():
            self.flags += ["-Xcc", f"-fmodule-map-file={path}"]

    def check(self, text, folder):
        source = folder / "main.swift"
        source.write_text(text)
        return run(["swiftc", "-typecheck", "-swift-version", "6", *self.flags, str(source)])

    def symbol_graph(self, module, folder):
        """Writes what a module declares for everybody into the folder; ends the program where it is not built."""
        folder.mkdir(parents=True, exist_ok=True)
        triple = json.loads(run(["swiftc", "-print-target-info"]).stdout)["target"]["unversionedTriple"]
        made = run([
            "swift", "symbolgraph-extract", "-module-name", module, *self.flags, "-target", triple,
            "-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", str(folder)])
        if made.returncode or not (folder / f"{module}.symbols.json").is_file():
            sys.exit(f"{module} is not built, or cannot be read: swift build --build-tests\n{made.stdout}")
