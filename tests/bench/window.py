#!/usr/bin/env python3
"""Start-up time of the window and its longest block: from the start of the program to its first picture,
during a run that is started by a click, during a sweep, and while a trace is opened. Runs in a display of its own.

  tests/bench/window.py [--starts N] [--run EXPERIMENT] [--sweep EXPERIMENT --batches SIZES] [--trace FILE]
                        [--events NUMBER] [--report REPEATS]
"""

import argparse
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from window_program import PROGRAM, Window, in_display  # noqa: E402


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


def write_trace(folder, count):
    """A Perfetto trace of so many actions, kernels and copies on 64 tracks of 16 devices."""
    written, trace = Path(folder) / "written.json", Path(folder) / "written.pftrace"
    kinds = [("F", "F"), ("volta_sgemm_128x64_nn", "kernel"), ("B", "B"), ("Memcpy DtoD", "gpu_memcpy")]
    tracks, step = 64, 40
    with open(written, "w", buffering=1 << 20) as file:
        file.write('{"traceEvents": [\n')
        for number in range(count):
            name, category = kinds[number // tracks % len(kinds)]
            file.write(f'{"," if number else ""}{{"ph":"X","name":"{name}","cat":"{category}",'
                       f'"pid":{number % tracks // 4},"tid":{number % 4},"ts":{number // tracks * step},"dur":{step - 7}}}\n')
        file.write("]}\n")
    subprocess.run([PROGRAM, "convert", written, "-o", trace], check=True, capture_output=True)
    written.unlink()
    return trace


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


def write_long_run(source, folder, repeats):
    """The run, with so many repeats of its first seven variants."""
    shutil.copytree(source, folder)
    events = [json.loads(line) for line in (source / "events.jsonl").read_text().splitlines()]
    started = next(event for event in events if event["event"] == "started")
    finished = next(event for event in events if event["event"] == "finished")
    draw = random.Random(7)
    variants = finished["result"]["variants"][:7]
    for number, variant in enumerate(variants):
        variant["seconds"] = [round(draw.gauss(0.5 + 0.05 * number, 0.01), 6) for _ in range(repeats)]
    lines = [json.dumps(started)]
    for repeat in range(repeats):
        lines += [json.dumps({"event": "measurement", "t_ns": repeat, "variant": variant["id"], "repeat": repeat + 1,
                              "seconds": variant["seconds"][repeat]}) for variant in variants]
    (folder / "events.jsonl").write_text("\n".join([*lines, json.dumps(finished)]) + "\n")
    (folder / "result.json").unlink()
    experiment = json.loads((folder / "experiment.json").read_text())
    (folder / "experiment.json").write_text(json.dumps({**experiment, "repeat": repeats}))


def measure_report(folder, repeats):
    """A report with a row for each repeat: its pages, and its three files."""
    small, large = Path(folder) / "small", Path(folder) / "large"
    subprocess.run([PROGRAM, "run", "toy", "--out", small], check=True, capture_output=True)
    write_long_run(small, large, repeats)
    window = Window(folder, large, "--page", "report", "--ui-map", Path(folder) / "map.json", "--stay")
    window.until(lambda: window.text("reportPageCount").startswith("Page 1 of"), 300)
    what = f"of {repeats} repeats x 7 variants"
    window.forget_gaps()
    window.click("contents.repeats")
    window.until(lambda: int(window.text("reportPageCount").split()[-1]) > repeats * 7 // 100, 300)
    print(f"longest gap while the {window.text('reportPageCount').split()[-1]} pages of a report {what} are made: "
          f"{window.longest_gap_ms():.0f} ms (aim 50)")
    for ending in ["HTML", "PDF", "Markdown"]:
        window.forget_gaps()
        window.click("reportFormat")
        window.key(ending[0].lower())
        window.key("Return")
        window.until(lambda: window.text("reportFormat") == ending)
        window.click("export")
        window.until(lambda: window.text("reportMessage").endswith(window.text("reportPath").split("/")[-1]), 600)
        print(f"longest gap while that report is written as {ending}: {window.longest_gap_ms():.0f} ms (aim 50)")
    window.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--starts", type=int, default=10)
    parser.add_argument("--run", default="toy", help="experiment or preset that is run")
    parser.add_argument("--sweep", default="toy", help="experiment or preset that is swept over three schedules")
    parser.add_argument("--batches", default="20, 40", help="batch sizes of the sweep")
    parser.add_argument("--trace", help="a trace that is opened")
    parser.add_argument("--events", type=int, help="only a trace of so many events, opened without and with its cache")
    parser.add_argument("--report", type=int, metavar="REPEATS", help="only the report, of a run of so many repeats")
    options = parser.parse_args()
    in_display()
    with tempfile.TemporaryDirectory() as folder:
        if options.report:
            measure_report(folder, options.report)
            return
        if options.events:
            trace = write_trace(folder, options.events)
            measure_trace(folder, trace)
            measure_trace(folder, trace)
            return
        measure_starts(folder, options.starts)
        measure_run(folder, options.run)
        measure_sweep(folder, options.sweep, options.batches)
        if options.trace:
            measure_trace(folder, options.trace)


main()
