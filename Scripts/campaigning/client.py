"""The command as a process that is killed at random moments."""

import os
import subprocess
import time
from dataclasses import dataclass

END_SECONDS = 90


@dataclass
class Result:
    status: int
    out: str
    err: str

    @property
    def was_killed(self):
        return self.status == -9

    @property
    def said(self):
        lines = (self.err.strip() or self.out.strip()).splitlines()
        return lines[-1][:200] if lines else ""


class Hangs(Exception):
    """A command that does not end."""


class Crashes(Exception):
    """A command that ended by a signal that nobody sent, or with a status that its contract does not know."""


class Client:

    def __init__(self, command, store, key_file, log, chance):
        self.command, self.store, self.key_file, self.log, self.chance = command, store, key_file, log, chance
        self.usual = {}  # seconds by subcommand, without kills
        self.kills = 0
        self.commands = 0
        self.environment = {n: v for n, v in os.environ.items() if not n.lower().endswith("_proxy")}

    def start(self, *arguments):
        full = [self.command, *map(str, arguments), "--store", str(self.store)]
        if self.key_file:
            full += ["--key-file", str(self.key_file)]
        self.commands += 1
        return subprocess.Popen(
            full, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment
        )

    def run(self, *arguments, kill=False):
        """One command; with `kill`, SIGKILL at a moment of its usual duration, any being as likely."""
        return self.end(self.start(*arguments), arguments, kill)

    def end(self, process, arguments, kill=False):
        began = time.monotonic()
        usual = self.usual.get(arguments[0], 0.3)
        moment = self.chance.random() * 1.1 * usual if kill else END_SECONDS
        try:
            out, err = process.communicate(timeout=moment)
            if not kill:
                self.usual[arguments[0]] = 0.8 * usual + 0.2 * (time.monotonic() - began)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            if not kill:
                self.note(arguments, "hangs", out, err)
                raise Hangs(f"`odata {' '.join(map(str, arguments[:2]))}` does not end in {END_SECONDS} s") from None
        result = Result(process.returncode, out.decode(errors="replace"), err.decode(errors="replace"))
        self.kills += result.was_killed
        self.note(arguments, "KILLED" if result.was_killed else result.status, result.out, result.err)
        if result.status not in (0, 1, 2, -9):
            raise Crashes(f"`odata {' '.join(map(str, arguments[:2]))}` ended with {result.status}: {result.said}")
        return result

    def note(self, arguments, status, out, err):
        text = " ".join(str(argument) for argument in arguments)
        self.log.write(f"$ odata {text}\n{str(out)[:3000]}{str(err)[:3000]}  -> {status}\n")
        self.log.flush()

    def run_file(self, *arguments):
        """A command that names the store by itself."""
        full = [self.command, *map(str, arguments)] + (["--key-file", str(self.key_file)] if self.key_file else [])
        process = subprocess.run(full, capture_output=True, stdin=subprocess.DEVNULL, timeout=END_SECONDS)
        result = Result(process.returncode, process.stdout.decode(errors="replace"), process.stderr.decode(errors="replace"))
        self.note(arguments, result.status, result.out, result.err)
        return result
