"""Kills runs and sweeps of the command line at moments drawn from a seed, and resumes them.

Used by kill_test.py (a few) and kill_long.py (many). Either the engine or the command line in front of it is
killed; `_run_folders.py` checks what must hold afterwards.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

from _fault_clock import FaultClock
from _run_folders import STAGELANE, Attempt, OneRun, OneSweep, Workspace, kill_many, seeded_generator, skip_without_programs

sys.path.insert(0, os.path.join(os.environ["STAGELANE_SOURCE_DIR"], "tests/support"))

from window_program import engine_of  # noqa: E402

LINE = re.compile(r"^(?P<name>.+): repeat (?P<repeat>\d+), ")


class Started:
    """A program that starts an engine; its output is read while it runs."""

    def __init__(self, arguments, environment):
        self.process = subprocess.Popen(
            [STAGELANE] + arguments, env=environment, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        self.lines = []
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self):
        for line in self.process.stderr:
            self.lines.append(line.rstrip("\n"))

    def kill(self, victim):
        """@returns the id of the killed process, or None if it was not there"""
        target = self.process.pid if victim == "program" else engine_of(self.process.pid)
        if target is None:
            return None
        try:
            os.kill(target, signal.SIGKILL)
        except ProcessLookupError:
            return None
        return target

    def wait_for_the_end_of(self, engine):
        """Waits until the program has ended or, in a sweep, has gone on with an engine for the next run."""
        while self.process.poll() is None and engine_of(self.process.pid) in (engine, None):
            time.sleep(0.002)

    def wait(self):
        self.process.wait(timeout=120)
        self.reader.join(timeout=10)

    def refused(self):
        return self.process.returncode == 8 and any("another run is using" in line for line in self.lines)

    def reported(self):
        """(name, repeat) pairs that were reported as measured."""
        found = (LINE.match(line) for line in self.lines)
        return {(match["name"], int(match["repeat"])) for match in found if match}


class Command:
    """A run or a sweep of the command line."""

    def __init__(self, target, generator, longest_s, first, again):
        self.target = target
        self.generator = generator
        self.longest_s = longest_s
        self.first = first
        self.again = again

    def attempt(self, may_kill):
        path = self.target.path
        started = Started(self.again + [path] if path else self.first, self.target.workspace.environment)
        victim = self.generator.choice(["engine", "program"])
        time.sleep(self.generator.uniform(0.0, self.longest_s))
        target = started.kill(victim) if may_kill else None
        killed = target is not None
        if killed:
            clock = FaultClock()
            started.wait_for_the_end_of(target)
            clock.check(f"{self.first[0]}, {victim} killed")
        started.wait()
        if started.refused():
            return Attempt(killed, refused=True)
        assert killed or started.process.returncode == 0, started.lines
        # The runs of a sweep have the same variants, so only a run says where a repeat was measured.
        reported = started.reported() if isinstance(self.target, OneRun) else ()
        return Attempt(killed, reported=[(None, name, repeat) for name, repeat in reported])


def main(kills):
    skip_without_programs()
    generator = seeded_generator()
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(folder)
        sweep = ["sweep", workspace.file, "--variant", "pipe", "--split", "5,10", "--batch", "20,40"]
        kill_many(kills, [
            lambda: Command(OneRun(workspace), generator, 1.2, ["run", workspace.file], ["run", "--resume"]),
            lambda: Command(OneSweep(workspace), generator, 1.8, sweep, ["sweep", "--resume"])])
