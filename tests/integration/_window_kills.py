"""Kills the window or its engine at moments drawn from a seed, during runs and sweeps, and resumes in the window.

Used by window_kills_test.py (a few) and window_kills_long.py (many). A person is played who starts a run or a sweep,
sees the window or the run go away, starts the window again where it is gone, and goes on by what it offers: what the
window had shown as measured must still be there (`_run_folders.py` says what else must hold).
"""

import os
import re
import signal
import sys
import tempfile
import time
from collections import Counter

from _run_folders import (REPEATS, Attempt, OneRun, OneSweep, Workspace, kill_many, run_json, seeded_generator,
                          skip_without_programs, tasks_of)

sys.path.insert(0, os.path.join(os.environ["STAGELANE_SOURCE_DIR"], "tests/support"))

from window_program import Unseen, Window, in_display  # noqa: E402

PATIENCE_S = 60.0
WORK_S = 600.0  # a machine may be loaded
LONGEST_S = 2.0  # about as long as a run takes
SPLITS = ("5", "10")
BATCHES = ("20", "40")
REPEATS_OF_BAR = re.compile(r", n = (\d+)")


class Desk:
    """The window on its display, started again whenever it is gone."""

    def __init__(self, folder, generator):
        self.folder = folder
        self.generator = generator
        self.workspace = Workspace(os.path.join(folder, "workspace"))
        self.window = None

    def sit_down(self):
        """A window that was started again lists every run that has begun."""
        if self.window is None:
            self.window = Window(self.folder, self.workspace.file, "--page", "runs", "--ui-map",
                                 os.path.join(self.folder, "map.json"), "--stay", size="1280x800")
            self.window.until(self.window.map.exists, PATIENCE_S)
            runs = self.workspace.begun_runs()
            if runs:
                self.window.until(lambda: self.window.text("runs.kind.all") == f"All {runs}", PATIENCE_S)

    def show(self, page, key):
        self.window.key(key)
        self.window.until(lambda: f'"page": "{page}"' in self.window.map.read_text(), PATIENCE_S)

    def is_idle(self):
        return self.window.control("run")["enabled"]

    def strike(self):
        """Kills one of the two. @returns False if no engine was running any more"""
        if self.generator.random() < 0.5:
            self.window.end()
            return True
        engine = self.window.engine()
        if engine is None:
            return False
        try:
            os.kill(engine, signal.SIGKILL)
        except ProcessLookupError:
            return False
        return True

    def shown(self):
        """The last state of the screen."""
        try:
            return self.window.controls()
        except FileNotFoundError:
            return {}

    def look_up(self):
        """Forgets a killed window; waits until a live one is settled."""
        if self.window.process.poll() is not None:
            self.window = None
        else:
            self.window.until(self.is_idle, PATIENCE_S)

    def leave(self):
        if self.window:
            self.window.end()

    def check_errors(self):
        """Qt reports problems on standard error, too."""
        with open(os.path.join(self.folder, "stderr")) as file:
            errors = file.read()
        assert errors == "", errors


class InWindow:
    """A run or a sweep, started and resumed with clicks and keys."""

    def __init__(self, desk, target):
        self.desk = desk
        self.target = target

    def attempt(self, may_kill):
        desk = self.desk
        desk.sit_down()
        if not self.begin():
            return Attempt(refused=True)
        killed = False
        if may_kill:
            time.sleep(desk.generator.uniform(0.0, LONGEST_S))
            killed = desk.strike()
        if not killed:
            desk.window.until(desk.is_idle, WORK_S)
            desk.window.until(self.shows_all, PATIENCE_S)
        reported = self.reported(desk.shown())
        desk.look_up()
        return Attempt(killed, reported=reported)

    def refused(self):
        """Whether the window reports that another engine still has the workspace."""
        window = self.desk.window
        return any("another run is using" in window.text(name) for name in ("banner", "sweepProblem"))

    def press(self, button):
        """Clicks, and again if nothing happened, as a user would who missed a button that had moved.

        @returns whether it has begun; else it was refused, which a banner may still say of an earlier click
        """
        for _ in range(3):
            self.desk.window.click(button)
            try:
                return self.wait_for_begin(15.0)
            except Unseen:
                print(f"clicked on {button} again", flush=True)
        raise AssertionError(f"nothing comes of {button}: {self.desk.window.describe()}")

    def wait_for_begin(self, seconds):
        asked = time.monotonic()
        self.desk.window.until(lambda: self.begun() or (self.refused() and time.monotonic() > asked + 1.0), seconds)
        return self.begun()

    def begun(self):
        return not self.desk.is_idle() or self.target.is_done()


class RunInWindow(InWindow):
    def __init__(self, desk):
        super().__init__(desk, OneRun(desk.workspace))

    def begin(self):
        window = self.desk.window
        if self.target.path is None:
            begun = self.press("run")
        elif window.control("resumeRun"):
            begun = self.press("resumeRun")
        else:
            begun = self.resume_from_history()
        self.desk.show("charts", "ctrl+3")
        return begun

    def resume_from_history(self):
        """After the window was killed: the run is in the list as canceled or failed, R resumes it."""
        window = self.desk.window
        self.desk.show("runs", "ctrl+4")
        row = f"run.{self.number()}"
        window.until(lambda: window.control(row)["value"].startswith(("canceled", "failed")), PATIENCE_S)
        self.choose(row)
        window.key("r")
        return self.wait_for_begin(PATIENCE_S)

    def choose(self, row):
        """Clicks on a row, and again if a new strip or panel moved it."""
        window = self.desk.window
        title = f"Run {self.number()}"
        for _ in range(3):
            window.click(row)
            try:
                return window.until(lambda: window.text("runTitle").startswith(title), 15.0)
            except Unseen:
                print(f"clicked on {row} again", flush=True)
        raise AssertionError(f"nothing comes of {row}: {window.describe()}")

    def number(self):
        runs = run_json(["runs", "--json"], self.desk.workspace.environment)["runs"]
        return next(run["number"] for run in runs if run["folder"] == self.target.path)

    def shows_all(self):
        counts = Counter(name for _, name, _ in self.reported(self.desk.shown()))
        return counts["single"] == REPEATS and counts["pipe"] == REPEATS

    def reported(self, shown):
        folder = self.target.path or self.desk.workspace.new("runs")
        found = []
        for name, control in shown.items():
            count = REPEATS_OF_BAR.search(control["value"]) if name.startswith("bar.time.") else None
            found += [(folder, name[len("bar.time."):], n + 1) for n in range(int(count[1]))] if count else []
        return found


class SweepInWindow(InWindow):
    def __init__(self, desk):
        super().__init__(desk, OneSweep(desk.workspace))

    def begin(self):
        window = self.desk.window
        self.desk.show("runs", "ctrl+4")
        if tasks_of(self.target.path or self.desk.workspace.new("sweeps") or "") is None:
            window.key("ctrl+F5")
            window.until(lambda: window.control("sweepVariant")["text"] == "pipe", PATIENCE_S)
            window.replace("sweepSplits", ", ".join(SPLITS))
            window.replace("sweepBatches", ", ".join(BATCHES))
            window.until(lambda: window.text("sweepCount").startswith("4 points in 2 runs"), PATIENCE_S)
            return self.press("sweepStart")
        return self.press("sweepGoOn")

    def shows_all(self):
        points = len(SPLITS) * len(BATCHES)
        return (self.desk.window.text("sweepTitle").endswith(": done") and
                len(self.reported(self.desk.shown())) == points * REPEATS)

    def reported(self, shown):
        """The points are in the order of the runs and, in each, of the split sizes."""
        tasks = tasks_of(self.target.path or self.desk.workspace.new("sweeps") or "") or []
        found = []
        for name, control in shown.items():
            if name.startswith("sweepPoint."):
                run, split = divmod(int(name.split(".")[1]), len(SPLITS))
                found += [(tasks[run]["run"], f"pipe-sweep-s{SPLITS[split]}", n + 1)
                          for n in range(int(control["value"]))]
        return found


def main(kills):
    skip_without_programs()
    in_display()
    generator = seeded_generator()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        desk = Desk(folder, generator)
        try:
            kill_many(kills, [lambda: RunInWindow(desk), lambda: SweepInWindow(desk)])
        finally:
            desk.leave()
        desk.check_errors()
