"""The copy of the package with mutants in it, and its build."""
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
FLAGS = shlex.split(os.environ.get("BUILD_FLAGS", ""))
# Of what is drawn some does not compile, which only a build tells.
SPARE = 1.2
# The modules of `places`, from the bottom up.
ORDER = ["ODataSyncPlan", "ODataStore", "ODataServer"]
ERROR = re.compile(r"^(/[^:]+\.swift):(\d+):\d+: error: (.*)", re.MULTILINE)


def say(text):
    print(f"mutate: {text}", flush=True)


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def digest(text, files):
    """A name of a text with the contents of files."""
    found = hashlib.sha256(text.encode())
    for path in files:
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def places():
    """The files that mutants are made in."""
    lines = [line.strip() for line in (HERE / "places").read_text().splitlines()]
    found = {path for line in lines if line and line[0] != "#" for path in ROOT.glob(line)}
    return sorted(str(path.relative_to(ROOT)) for path in found)


class Copy:
    """A copy of the package, in which files are written only where they change, so that little is built again."""

    def __init__(self, folder, state):
        self.folder, self.state = folder, state
        self.files = places()
        self.left_out = {}
        # A name of what is mutated, as it is now.
        self.key = ""

    def make(self, count, seed):
        """Writes and builds it; the mutants that are in it: those that compile, as many as are asked for."""
        self.bring()
        tool = self.tool()
        # A larger sample begins with the smaller one.
        drawing = digest(f"{seed}", [ROOT / file for file in self.files])
        kept = self.state / "left-out.json"
        known = json.loads(kept.read_text()) if kept.exists() else {}
        self.is_sifted = drawing in known
        self.left_out = {int(number): why for number, why in known.get(drawing, {}).items()}
        for _ in range(40):
            drawn = self.write(tool, count, seed)
            mutants = [mutant for mutant in drawn if mutant["number"] not in self.left_out][:count]
            # Those beyond the number asked for are spares: their switches are there and nobody turns them.
            failing = self.build(drawn)
            if not failing:
                self.key = drawing
                say(f"{len(mutants)} mutants are built, {len(self.left_out)} of {len(drawn)} do not compile")
                return mutants
            self.left_out.update(failing)
            kept.write_text(json.dumps({drawing: self.left_out}, indent=1))
            say(f"{len(failing)} do not compile: {', '.join(map(str, sorted(failing)))}")
        sys.exit("mutate: the copy does not build")

    def bring(self):
        """Copies what git knows or would know, but the files with mutants, which the tool writes."""
        listed = subprocess.check_output(["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, text=True)
        mine = set(self.files)
        for name in filter(None, listed.split("\0")):
            source, target = ROOT / name, self.folder / name
            if name in mine or not (source.exists() or source.is_symlink()):
                target.parent.mkdir(parents=True, exist_ok=True)
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_symlink():
                if not target.is_symlink():
                    target.symlink_to(os.readlink(source))
            elif source.is_file() and not (target.is_file() and target.read_bytes() == source.read_bytes()):
                shutil.copy2(source, target)
        for folder in ("Sources", "Tests"):
            for path in (self.folder / folder).rglob("*.swift"):
                name = path.relative_to(self.folder)
                if not (ROOT / name).exists() and path.name != "MutantSwitch.swift":
                    path.unlink()

    def tool(self):
        say("builds the tool")
        made = run(["swift", "build", "--package-path", str(HERE), "--product", "mutants"])
        if made.returncode:
            sys.exit(made.stdout)
        shown = run(["swift", "build", "--package-path", str(HERE), "--show-bin-path"])
        return pathlib.Path(shown.stdout.split()[-1]) / "mutants"

    def write(self, tool, count, seed):
        without = ",".join(map(str, sorted(self.left_out))) or "-"
        listed = self.state / "mutants.json"
        drawn = str(int(count * SPARE))
        made = run([str(tool), str(ROOT), str(self.folder), str(listed), str(seed), drawn, without, *self.files])
        if made.returncode:
            sys.exit(made.stdout)
        say(made.stdout.strip())
        return json.loads(listed.read_text())

    def build(self, drawn):
        """Builds modules with mutants first, which tell soonest; the mutants that do not compile, and what was said."""
        first = [] if self.is_sifted else [["--target", module] for module in ORDER]
        for step in first + [["--build-tests"]]:
            made = run(["swift", "build", "--package-path", str(self.folder), *step, *FLAGS])
            if made.returncode == 0:
                continue
            (self.state / "build.log").write_text(made.stdout)
            errors = {(file, int(line), text) for file, line, text in ERROR.findall(made.stdout)}
            failing = {}
            for file, line, text in errors:
                name = str(pathlib.Path(file).resolve().relative_to(self.folder)) if file.startswith(str(self.folder)) else file
                for number in blamed(drawn, name, line):
                    failing[number] = text
            if not failing:
                sys.exit(f"mutate: no mutant is to blame:\n{made.stdout[-4000:]}")
            return failing
        return {}


def blamed(drawn, file, line):
    """The mutants that an error is laid on: the closest statement around it; else what is near; else all of the file."""
    there = [mutant for mutant in drawn if mutant["file"] == file and mutant.get("span")]
    around = [mutant for mutant in there if mutant["span"][0] <= line <= mutant["span"][1]]
    if around:
        least = min(mutant["span"][1] - mutant["span"][0] for mutant in around)
        return [mutant["number"] for mutant in around if mutant["span"][1] - mutant["span"][0] == least]
    near = [mutant for mutant in there if mutant["span"][0] - 5 <= line <= mutant["span"][1] + 60]
    return [mutant["number"] for mutant in near or there]
