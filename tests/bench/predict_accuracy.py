#!/usr/bin/env python3
"""Accuracy of predictions: calibrates, predicts every plan of predict_plans.json, then runs them.

    tests/bench/predict_accuracy.py [--bin build/release/bin] [--repeats 5] [--seconds 20]
                                    [--only GROUP] [--out docs/development/prediction-accuracy.md]
    tests/bench/predict_accuracy.py --ranks 2 …     each device in a process of its own

The plans are committed before anything is calibrated, and calibration never sees them: it measures
the blocks of the same models in an experiment without pipelines. All plans of a model run in turns
within each repeat. An error counts beyond the measurement's own interquartile range; two plans whose
medians differ by less than the larger of their ranges are ties for Kendall's tau-b.
"""

import argparse
import itertools
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def run(command):
    process = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, check=False)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nanswered {process.returncode}:\n"
                 f"{process.stderr[-2000:]}{process.stdout[-2000:]}")
    return process.stdout


def experiment(plans, group, variants, repeats):
    own = {key: group[key] for key in ("loss",) if key in group}
    return {**plans["defaults"], **own, "name": group["name"], "model": group["model"],
            "input": group["input"], "repeat": repeats, "variants": variants,
            "data": {"kind": "synthetic", "labels": group.get("labels", "one_hot"),
                     "batch_size": group["batch_size"], "batches": 1, "seed": 0}}


def quartiles(values):
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, high


def idle_pct(devices, step_ns):
    return {device["id"]: 100.0 * (1.0 - device["busy_ns"] / step_ns) for device in devices}


def measure(options, plans, group, folder):
    """The plans of one model: a row each."""
    sizes = {"name": "blocks", "strategy": "single", "device": "cpu:0",
             "split_size": group["calibrate"]}
    blocks = folder / f"{group['name']}-blocks.json"
    blocks.write_text(json.dumps(experiment(plans, group, [sizes], 1)))
    costs = folder / f"{group['name']}-costs.json"
    run([options.bin / "stagelane-engine", "calibrate", blocks, "--out", costs,
         "--seconds", options.seconds])
    document = folder / f"{group['name']}.json"
    document.write_text(json.dumps(experiment(plans, group, group["variants"], options.repeats)))
    ranks = ["--ranks", options.ranks] if options.ranks else []
    predicted = json.loads(run([options.bin / "stagelane", "predict", document, "--costs", costs,
                                "--json", *ranks]))
    out = folder / f"{group['name']}-run"
    run([options.bin / "stagelane-engine", "run", document, "--out", out, *ranks])
    measured = {v["id"]: v for v in json.loads((out / "result.json").read_text())["variants"]}
    rows = []
    for variant in predicted["variants"]:
        real = measured[variant["id"]]
        if variant["id"] == "single-all-cores":
            continue
        seconds = real["seconds"]
        low, high = quartiles(seconds)
        median = statistics.median(seconds)
        step = variant["step_ns"] / 1e9
        beyond = max(0.0, abs(step - median) - (high - low) / 2) / median
        expected = idle_pct(variant["devices"], variant["step_ns"])
        found = idle_pct(real["devices"], real["step_ns"])
        rows.append({"group": group["name"], "plan": variant["id"], "predicted": step,
                     "median": median, "iqr": high - low, "error": (step - median) / median,
                     "beyond": beyond,
                     "idle": max(abs(expected[d] - found[d]) for d in expected)})
        print(f"{group['name']:10} {variant['id']:16} {1e3 * step:9.2f} {1e3 * median:9.2f} ms  "
              f"{100 * rows[-1]['error']:+6.1f} %  idle {rows[-1]['idle']:4.1f}", flush=True)
    return rows


def sign(first, second, spread):
    return 0 if abs(first - second) <= spread else math.copysign(1, first - second)


def kendall_tau_b(rows):
    """Over pairs of plans of one model; differences inside the spread are ties in both orders."""
    concordant, ties_measured, ties_predicted, pairs = 0.0, 0, 0, 0
    for a, b in itertools.combinations(rows, 2):
        if a["group"] != b["group"]:
            continue
        spread = max(a["iqr"], b["iqr"])
        real = sign(a["median"], b["median"], spread)
        expected = sign(a["predicted"], b["predicted"], spread)
        pairs += 1
        concordant += real * expected
        ties_measured += real == 0
        ties_predicted += expected == 0
    scale = math.sqrt((pairs - ties_measured) * (pairs - ties_predicted))
    return concordant / scale if scale else float("nan")


def report(rows, options):
    beyond = [row["beyond"] for row in rows]
    summary = [
        f"{len(rows)} plans, {options.repeats} interleaved repeats each.", "",
        "| figure | measured | aim |", "|---|---|---|",
        f"| step time, median error beyond the spread | {100 * statistics.median(beyond):.1f} % | ≤ 2 % |",
        f"| step time, worst | {100 * max(beyond):.1f} % | ≤ 5 % |",
        f"| device idle, median | {statistics.median(r['idle'] for r in rows):.1f} points | |",
        f"| device idle, worst | {max(r['idle'] for r in rows):.1f} points | ≤ 3 points |",
        f"| order of plans, Kendall τ-b | {kendall_tau_b(rows):.3f} | ≥ 0.95 |", "",
        "| model | plan | predicted ms | measured ms | IQR ms | error | beyond the spread | idle, points |",
        "|---|---|---:|---:|---:|---:|---:|---:|"]
    for row in rows:
        summary.append(
            f"| {row['group']} | {row['plan']} | {1e3 * row['predicted']:.2f} | "
            f"{1e3 * row['median']:.2f} | {1e3 * row['iqr']:.2f} | {100 * row['error']:+.1f} % | "
            f"{100 * row['beyond']:.1f} % | {row['idle']:.1f} |")
    return "\n".join(summary) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    built = os.environ.get("STAGELANE_BIN_DIR", HERE.parents[1] / "build/release/bin")
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path(built))
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=20.0, help="of calibration, a model")
    parser.add_argument("--only", help="one group")
    parser.add_argument("--ranks", type=int, help="processes to which the devices are dealt")
    parser.add_argument("--out", type=pathlib.Path, help="also write the table there (Markdown)")
    options = parser.parse_args()
    if options.repeats < 2:
        parser.error("--repeats must be 2 or more: a spread is needed")
    plans = json.loads((HERE / "predict_plans.json").read_text())
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for group in plans["groups"]:
            if options.only in (None, group["name"]):
                rows += measure(options, plans, group, pathlib.Path(folder))
    text = report(rows, options)
    print(text)
    if options.out:
        command = (f"tests/bench/predict_accuracy.py --repeats {options.repeats} "
                   f"--seconds {options.seconds:g}" +
                   (f" --ranks {options.ranks}" if options.ranks else ""))
        options.out.write_text("# How well predictions hold\n\nMade by `" + command +
                               f" --out {options.out}` on this project's 2-core machine; the plans "
                               "are in tests/bench/predict_plans.json.\n\n" + text)


if __name__ == "__main__":
    main()
