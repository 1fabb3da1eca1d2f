#!/usr/bin/env python3
"""How soon the window is there and how long it is ever blocked: from the start of the program to its first picture,
during a run that is started by a click, during a sweep, and while a trace is opened. Runs in a display of its own.

  tests/bench/window.py [--starts N] [--run EXPERIMENT] [--sweep EXPERIMENT --batches SIZES] [--trace FILE]
"""

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from window_program import Window, in_display  # noqa: E402


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


def measure_sweep(folder, experiment, batches):
    """All of it: the dialog, the queue of runs, the curve that fills, the history beside it."""
    window = Window(folder, experiment, "--page", "runs", "--ui-map", Path(folder) / "map.json", "--stay")
    window.wait_for("run")
    window.forget_gaps()
    window.key("ctrl+F5")
    window.replace("sweepSchedules", "gpipe, 1f1b, zb-h1")
    window.replace("sweepBatches", batches)
    window.click("sweepStart")
    window.until(lambda: window.text("sweepTitle").endswith(": done"), 900)
    print(f"longest gap during a sweep of {experiment}, {window.text('sweepText').split(',')[0]}: "
          f"{window.longest_gap_ms():.0f} ms (aim 50)")
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
    parser.add_argument("--sweep", default="toy", help="experiment or preset that is swept over three schedules")
    parser.add_argument("--batches", default="20, 40", help="batch sizes of the sweep")
    parser.add_argument("--trace", help="a trace that is opened")
    options = parser.parse_args()
    in_display()
    with tempfile.TemporaryDirectory() as folder:
        measure_starts(folder, options.starts)
        measure_run(folder, options.run)
        measure_sweep(folder, options.sweep, options.batches)
        if options.trace:
            measure_trace(folder, options.trace)


main()
