#!/usr/bin/env python3
"""How soon the window is there and how long it is ever blocked: from the start of the program to its first picture,
during a run that is started by a click, and while a trace is opened. Runs in a display of its own.

  tests/bench/window.py [--starts N] [--run EXPERIMENT] [--trace FILE]
"""

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

source = Path(__file__).resolve().parents[2]
program = Path(os.environ.get("STAGELANE_BIN_DIR", source / "build/release/bin")) / "stagelane"


class Window:
    """The program with a workspace, settings and a heartbeat of its own."""

    def __init__(self, folder, *arguments):
        self.beats = Path(folder) / "heartbeat.json"
        self.map = Path(folder) / "map.json"
        for old in (self.beats, self.map):
            old.unlink(missing_ok=True)
        environment = {**os.environ, "STAGELANE_HEARTBEAT": str(self.beats), "STAGELANE_WORKSPACE": f"{folder}/workspace",
                       "XDG_CONFIG_HOME": f"{folder}/config", "QT_QPA_PLATFORM": "xcb"}
        self.started_ns = time.monotonic_ns()
        self.process = subprocess.Popen([str(program), "--size", "1600x900", *map(str, arguments)], env=environment,
                                        stderr=subprocess.DEVNULL)

    def until(self, what, seconds=120.0):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                answer = what()
                if answer:
                    return answer
            except (OSError, ValueError, KeyError):
                pass
            if self.process.poll() is not None:
                sys.exit(f"the window ended with {self.process.returncode}")
            time.sleep(0.05)
        sys.exit("the window did not get there in time")

    def read(self):
        return json.loads(self.beats.read_text())

    def first_picture_ms(self):
        beat = self.until(lambda: self.read() if self.read()["first_picture_ns"] else None)
        return (beat["first_picture_ns"] - self.started_ns) / 1e6

    def forget_gaps(self):
        """The window begins anew with its longest gap where its file was taken away."""
        for _ in range(2):
            self.until(self.beats.exists)
            self.beats.unlink()
        self.until(self.beats.exists)

    def longest_gap_ms(self):
        time.sleep(1.2)
        return self.read()["longest_gap_ms"]

    def control(self, name):
        controls = json.loads(self.map.read_text())["controls"]
        return next((control for control in controls if control["name"] == name), None)

    def click(self, name):
        control = self.until(lambda: self.control(name) if self.control(name)["enabled"] else None)
        x, y, width, height = control["rect"]
        # The left part: the right one of a split button opens its menu.
        subprocess.run(["xdotool", "mousemove", str(x + width // 4), str(y + height // 2), "click", "1"], check=True)

    def end(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def measure_starts(folder, count):
    times = []
    for number in range(count + 1):
        window = Window(folder)
        times.append(window.first_picture_ms())
        window.end()
    times = times[1:]  # the first one reads the files
    print(f"start to first picture: median {statistics.median(times):.0f} ms, least {min(times):.0f}, "
          f"most {max(times):.0f}, n = {len(times)} (aim 500)")


def measure_run(folder, experiment):
    window = Window(folder, experiment, "--page", "plan", "--ui-map", Path(folder) / "map.json", "--stay")
    window.until(lambda: window.control("run")["enabled"])
    window.forget_gaps()
    window.click("run")
    runs = Path(folder) / "workspace/runs"
    window.until(lambda: [path for path in runs.glob("*/events.jsonl") if '"finished"' in path.read_text()], 600)
    print(f"longest gap during a run of {experiment}: {window.longest_gap_ms():.0f} ms (aim 50)")
    window.end()


def measure_trace(folder, trace):
    window = Window(folder)
    window.first_picture_ms()
    idle = window.longest_gap_ms()
    window.end()
    window = Window(folder, trace, "--page", "timeline", "--ui-map", Path(folder) / "map.json", "--stay")
    window.first_picture_ms()
    window.until(window.map.exists, 300)  # written when the window is settled
    print(f"longest gap from the start to an open {trace}: {window.longest_gap_ms():.0f} ms (aim 50; "
          f"{idle:.0f} ms of a start without it)")
    window.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--starts", type=int, default=10)
    parser.add_argument("--run", default="toy", help="experiment or preset that is run")
    parser.add_argument("--trace", help="a trace that is opened")
    options = parser.parse_args()
    if "STAGELANE_IN_DISPLAY" not in os.environ:
        environment = {**os.environ, "STAGELANE_IN_DISPLAY": "1", "STAGELANE_SCREEN": "1700x1000x24"}
        display = source / "tests/gui/with-display"
        sys.exit(subprocess.run([str(display), sys.executable, *sys.argv], env=environment).returncode)
    with tempfile.TemporaryDirectory() as folder:
        measure_starts(folder, options.starts)
        measure_run(folder, options.run)
        if options.trace:
            measure_trace(folder, options.trace)


main()
