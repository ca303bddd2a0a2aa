"""What came of the mutants."""
import json
import re
import subprocess


class Results:
    """The ends of mutants, kept as they come; those of another sample are dropped."""

    def __init__(self, path, key):
        self.path, self.key, self.ends = path, key, {}
        if path.exists():
            for line in path.read_text().splitlines():
                kept = json.loads(line)
                if kept["key"] == key:
                    self.ends[kept["number"]] = kept

    def waits(self, number, units, again):
        """Whether a mutant has not met what it is to meet: what is new, and again also what was left."""
        end = self.ends.get(number)
        if not end or end["end"] != "lives":
            return not end
        met = {*end["ran"], *([] if again else end["left"])}
        return any(number in unit["reached"] and unit["key"] not in met for unit in units)

    def note(self, number, end):
        self.ends[number] = {"key": self.key, "number": number, **end}
        with open(self.path, "a") as file:
            file.write(json.dumps(self.ends[number]) + "\n")


def why(end):
    """What is known of a mutant that lives."""
    if not end["ran"] and not end["left"]:
        return "no test comes here"
    left = f", {len(end['left'])} more were not run" if end["left"] else ""
    return f"{len(end['ran'])} suites or tests notice nothing{left}"


def shown(text):
    """A text as a cell of a table."""
    text = text if len(text) <= 110 else text[:107] + "…"
    return "`" + text.replace("|", "\\|").replace("`", "'") + "`" if text else "nothing"


def change(mutant):
    """What was changed; the same words after lines have moved."""
    if mutant["kind"] == "removed" and not mutant["after"]:
        return f"removed: {shown(mutant['before'])}"
    return f"{shown(mutant['before'])} → {shown(mutant['after'])}"


def reasons(path):
    """The reasons that people have written, by file and change."""
    found = {}
    if path.exists():
        for line in path.read_text().splitlines():
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)]
            if len(cells) == 5 and re.search(r"\.swift:\d+$", cells[1]) and not cells[3].startswith("**open**: "):
                found[cells[1].rsplit(":", 1)[0], cells[2]] = cells[3]
    return found


def tell(mutants, left_out, ends, path, chosen):
    """Prints the figures and writes the list of those that live; 1 where fewer than nine tenths are killed."""
    living = [mutant for mutant in mutants if ends[mutant["number"]]["end"] == "lives"]
    killed = len(mutants) - len(living)
    rate = 100 * killed / max(1, len(mutants))
    commit = subprocess.check_output(["git", "rev-parse", "--short=8", "HEAD"], text=True, cwd=path.parent).strip()
    figures = (
        f"mutate seed={chosen.seed} mutants={len(mutants)} killed={killed} survived={len(living)}"
        f" not_built={len(left_out)} rate={rate:.1f}%")
    known = reasons(path)
    lines = [
        "# Mutants that live", "",
        f"Of `make mutate MUTANTS={chosen.mutants} SEED={chosen.seed}` at {commit}: {len(mutants)} mutants,"
        f" {killed} killed, {len(living)} alive ({rate:.1f} % killed); {len(left_out)} more did not compile.", "",
        "The tables are written by `Mutation/run`; reasons are written by people and kept.", "",
        "| place | mutant | reason |", "| --- | --- | --- |",
    ]
    for mutant in sorted(living, key=lambda mutant: (mutant["file"], mutant["line"])):
        reason = known.get((mutant["file"], change(mutant)), f"**open**: {why(ends[mutant['number']])}")
        lines.append(f"| {mutant['file']}:{mutant['line']} | {change(mutant)} | {reason} |")
    path.write_text("\n".join(lines) + "\n")
    print(figures)
    return 0 if rate >= 90 else 1
