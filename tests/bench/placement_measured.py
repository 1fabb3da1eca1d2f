#!/usr/bin/env python3
"""Predicts and measures a model under four placements on CPU workers.

The placements are those of `stagelane place` by its modes; `stagelane run` takes them in turns in one
run. Printed: the step of each, measured and predicted, and its ratio to the optimal one.

    ./dev bench placement_measured -- --model resnet50 --calibrate 40
    tests/bench/placement_measured.py build/release/bin/stagelane --model vgg16 --costs costs.json
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("STAGELANE_BIN_DIR", ROOT / "build/release/bin"))
MODES = ["optimal", "parameters", "uniform", "block-partition"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("stagelane", nargs="?", default=str(BIN / "stagelane"))
    parser.add_argument("--model", default="resnet50")
    parser.add_argument("--input", default="3,128,128")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--split", type=int, default=4)
    parser.add_argument("--schedule", default="1f1b")
    parser.add_argument("--devices", default="cpu:0,cpu:1")
    parser.add_argument("--repeat", type=int, default=5)
    costs = parser.add_mutually_exclusive_group()
    costs.add_argument("--costs", help="cost file for the placements")
    costs.add_argument("--calibrate", type=float, metavar="SECONDS",
                       help="measure the blocks first, for so long")
    return parser.parse_args()


def calibrated(options, folder):
    """Costs of the model's blocks, measured without any of the placements."""
    sizes = {"name": "blocks", "strategy": "single", "device": options.devices.split(",")[0],
             "split_size": [max(1, options.split // 2), options.split, 2 * options.split]}
    path, costs = pathlib.Path(folder) / "blocks.json", pathlib.Path(folder) / "costs.json"
    path.write_text(json.dumps({**experiment(options, {}), "baseline_sweep": False,
                                "variants": [sizes]}))
    engine = pathlib.Path(options.stagelane).with_name("stagelane-engine")
    subprocess.run([engine, "calibrate", path, "--out", costs, "--seconds",
                    str(options.calibrate)], check=True, capture_output=True)
    return str(costs)


def answer(command):
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def place(options, mode):
    command = [options.stagelane, "place", options.model, "--input", options.input,
               "--batch", str(options.batch), "--split", str(options.split),
               "--devices", options.devices, "--schedule", options.schedule, "--mode", mode, "--json"]
    return answer(command + (["--costs", options.costs] if options.costs else []))


def variant(mode, placement, options):
    stages = [{"first": stage["first"], "device": stage["device"]} for stage in placement["stages"]]
    return {"name": mode, "strategy": "pipeline", "schedule": options.schedule,
            "split_size": options.split, "stages": stages}


def experiment(options, placements):
    return {"stagelane": 1, "name": "placements of " + options.model,
            "model": {"zoo": options.model},
            "input": {"shape": [int(size) for size in options.input.split(",")]},
            "data": {"labels": "normal", "batch_size": options.batch},
            "loss": "mse", "optimizer": {"kind": "sgd", "lr": 1e-6},
            "devices": options.devices.split(","), "repeat": options.repeat,
            "verify_gradients": False,
            "variants": [variant(mode, placements[mode], options) for mode in placements]}


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        if options.calibrate:
            options.costs = calibrated(options, folder)
        placements = {mode: place(options, mode) for mode in MODES}
        path = pathlib.Path(folder) / "placements.json"
        path.write_text(json.dumps(experiment(options, placements)))
        run = answer([options.stagelane, "run", path, "--out", str(pathlib.Path(folder) / "run"),
                      "--json"])
    measured = {one["name"]: one["step_ns"] for one in run["variants"] if one["status"] == "done"}
    print(f"{options.model} {options.input}, batch {options.batch}, split {options.split}, "
          f"{options.schedule}; costs: {placements['optimal']['basis']}")
    for mode in MODES:
        cut = " | ".join(stage["first"] for stage in placements[mode]["stages"])
        step, predicted = measured[mode], placements[mode]["step_ns"]
        print(f"{mode:16} measured {step / 1e6:8.1f} ms ({step / measured['optimal']:.3f}×)   "
              f"predicted {predicted / 1e6:8.1f} ms "
              f"({predicted / placements['optimal']['step_ns']:.3f}×)   {cut}")


if __name__ == "__main__":
    main()
