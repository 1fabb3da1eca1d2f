#!/usr/bin/env python3
"""Benchmark of runs in several processes: against PyTorch, and predicted against measured.

    ./dev bench ranks                        all parts, about half an hour
    ./dev bench ranks -- ddp pipeline        some of them: ddp, pipeline, exposed
    ./dev bench ranks -- --quick             about ten minutes: fewer rounds

ddp: the strategy `ddp` against DistributedDataParallel, for ResNet-18 and gpt. pipeline: a pipeline
over two processes against torch.distributed.pipelining. Both have two processes of one thread, Gloo,
and the same modules, initial values, data, optimizer, split, and micro-batches, because the peer
runs the code that `stagelane export` writes (peer_script.py); the losses must agree. The two take
turns, A B A B; a ratio is that of the medians of a round, and the figure is the median of the rounds.
exposed: what of an all-reduce the backward does not hide, predicted from a calibration and measured.
The machine should be idle otherwise.
"""

import argparse
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
BIN = pathlib.Path(os.environ.get("STAGELANE_BIN_DIR", ROOT / "build/release/bin"))
STAGELANE = BIN / "stagelane"
PYTHON = pathlib.Path(os.environ.get("STAGELANE_BENCH_PYTHON", ROOT / ".venv/bin/python"))
PEER = pathlib.Path(__file__).with_name("peer_script.py")
REPEATS = 4  # of a turn
PARTS = ("ddp", "pipeline", "exposed")
LARGEST_DIFFERENCE_OF_LOSSES = 1e-3  # relative; float32 with other orders of additions

RESNET18 = {"model": {"zoo": "resnet18", "num_classes": 1000}, "input": {"shape": [3, 64, 64]}}
RESNET50 = {"model": {"zoo": "resnet50"}, "input": {"shape": [3, 128, 128]}}
GPT = {"model": {"zoo": "gpt", "layers": 4, "heads": 4, "width": 256, "vocab": 2000, "context": 128},
       "input": {"shape": [128]}}
MLP = {"model": {"zoo": "mlp", "depth": 4, "width": 512, "in": 256, "out": 10}, "input": {"shape": [256]}}


def say(text):
    print(text, flush=True)


def experiment(name, model, batch, batches, variants, repeats, **more):
    return {"stagelane": 1, "name": name, **model,
            "data": {"labels": "class", "batch_size": batch, "batches": batches, "seed": 0},
            "loss": "cross_entropy", "optimizer": {"kind": "sgd", "lr": 0.001, "momentum": 0.9},
            "devices": ["cpu:0", "cpu:1"], "threads_per_cpu_worker": 1, "repeat": repeats,
            "warmup": 1, "timing": "steady", "verify_gradients": False, "baseline_sweep": False,
            "variants": variants, **more}


def stages(*firsts):
    return [{"first": first, "device": f"cpu:{index}"} for index, first in enumerate(firsts)]


class Bench:
    def __init__(self, folder, options):
        self.folder = folder
        self.options = options
        self.environment = {**os.environ, "STAGELANE_WORKSPACE": str(folder / "workspace"),
                            "OMP_NUM_THREADS": "1"}
        self.files = 0

    def call(self, *command):
        ended = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                               check=False, env=self.environment)
        if ended.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}\nended with {ended.returncode}:\n"
                     f"{ended.stdout[-2000:]}{ended.stderr[-2000:]}")
        return ended.stdout

    def write(self, document):
        self.files += 1
        path = self.folder / f"experiment-{self.files}.json"
        path.write_text(json.dumps(document))
        return path

    def ours(self, path, ranks=None):
        """Variant → its member of result.json."""
        command = [STAGELANE, "run", path, "--json"] + (["--ranks", ranks] if ranks else [])
        return {each["id"]: each for each in json.loads(self.call(*command))["variants"]}

    def exported(self, path, variant, form):
        script = path.with_name(f"{path.stem}-{variant}-{form}.py")
        self.call(STAGELANE, "export", path, "--variant", variant, "--as", form, "-o", script)
        return script

    def peer(self, kind, script, *options):
        return Peer(self, kind, script, options)


class Peer:
    """Two processes of PyTorch, which are idle except during `run`."""

    def __init__(self, bench, kind, script, options):
        self.orders = script.with_name(f"{script.stem}-orders-{len(options)}")
        os.mkfifo(self.orders)
        self.process = subprocess.Popen(
            [str(PYTHON), "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2",
             str(PEER), kind, str(script), str(self.orders), *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=bench.environment)
        self.pipe = self.open_orders()

    def open_orders(self):
        """Once the peer reads them. Opening a pipe would block if the peer has ended."""
        while self.process.poll() is None:
            try:
                descriptor = os.open(self.orders, os.O_WRONLY | os.O_NONBLOCK)
            except OSError:
                time.sleep(0.05)
                continue
            os.set_blocking(descriptor, True)
            return open(descriptor, "w", encoding="utf-8")
        sys.exit(f"the peer ended:\n{self.process.stderr.read()[-2000:]}")

    def run(self, repeats):
        self.pipe.write(f"{repeats}\n")
        self.pipe.flush()
        for line in self.process.stdout:
            if line.startswith("{"):
                return json.loads(line)
        sys.exit(f"the peer ended:\n{self.process.stderr.read()[-2000:]}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.pipe.close()
        self.process.communicate()
        os.unlink(self.orders)


def spread(values):
    return f"{min(values):.3f} to {max(values):.3f}"


def check_losses(name, ours, peer):
    for one, other in zip(ours, peer, strict=True):
        if abs(one - other) > LARGEST_DIFFERENCE_OF_LOSSES * abs(other):
            sys.exit(f"{name}: the losses differ, {ours} and {peer}")


def in_turns(name, rounds, ours, peer, aim):
    """One run of each to warm up, then turns. `ours` gives {"seconds", "loss"}."""
    first, second = ours(), peer.run(REPEATS)
    check_losses(name, first["loss"], second["loss"])
    ratios, times = [], ([], [])
    for _ in range(rounds):
        answers = ours(), peer.run(REPEATS)
        medians = [statistics.median(answer["seconds"]) for answer in answers]
        for place, answer in zip(times, answers):
            place.extend(answer["seconds"])
        ratios.append(medians[1] / medians[0])
    fastest = min(times[1]) / min(times[0])
    say(f"  {statistics.median(ratios):.3f}×  {name} (aim {aim}; {spread(ratios)}; of the fastest "
        f"repeats {fastest:.3f}×)")


def part_ddp(bench):
    say("ddp against DistributedDataParallel, 2 processes; above 1 Stagelane is faster")
    rounds = 4 if bench.options.quick else 9
    for name, model, batch, batches in (("ResNet-18, 64², batch 8 a rank", RESNET18, 16, 3),
                                        ("gpt, 4 layers of width 256, batch 4 a rank", GPT, 8, 3)):
        single = {"name": "single", "strategy": "single", "device": "cpu:0"}
        script = bench.exported(
            bench.write(experiment(name, model, batch, batches, [single], REPEATS)), "single",
            "tutorial")
        for label, more, options in (
                ("", {}, []),
                (", gradient_as_bucket_view", {"gradient_as_bucket_view": True}, ["--bucket-view"])):
            path = bench.write(experiment(name, model, batch, batches,
                                          [{"name": "ddp", "strategy": "ddp", **more}], REPEATS))
            with bench.peer("ddp", script, *options) as peer:
                in_turns(name + label, rounds, lambda p=path: bench.ours(p)["ddp"], peer, 1.0)


def part_pipeline(bench):
    say("pipeline over 2 processes against torch.distributed.pipelining; above 1 Stagelane is faster")
    rounds = 3 if bench.options.quick else 7
    for name, model, batch, batches, split, firsts in (
            ("ResNet-18, 64², batch 32", RESNET18, 32, 2, 8, ("conv1", "layer3.0")),
            ("gpt, 4 layers of width 256, batch 16", GPT, 16, 1, 2, ("embedding", "h.2")),
            ("ResNet-50, 128², batch 32", RESNET50, 32, 1, 4, ("conv1", "layer3.0"))):
        for schedule in ("1f1b", "gpipe"):
            if bench.options.quick and model is RESNET50 and schedule == "gpipe":
                continue
            variants = [{"name": "p", "strategy": "pipeline", "schedule": schedule,
                         "split_size": split, "stages": stages(*firsts)}]
            path = bench.write(experiment(name, model, batch, batches, variants, REPEATS))
            label = f"{name}, {batch // split} micro-batches, {schedule}"
            with bench.peer("pipelining", bench.exported(path, "p", "pipelining")) as peer:
                in_turns(label, rounds, lambda p=path: bench.ours(p, ranks=2)["p"], peer, 1.15)


def measured_exposed(bench, path, rounds):
    """Of each variant: exposed nanoseconds of all rounds, hidden percent, step."""
    found = {}
    for _ in range(rounds):
        for name, result in bench.ours(path).items():
            if result.get("all_reduce"):
                found.setdefault(name, []).append(
                    (result["all_reduce"]["exposed_ns"], result["all_reduce"]["hidden_pct"],
                     result["step_ns"]))
    return found


def part_exposed(bench):
    say("exposed all-reduce, predicted from a calibration against the median of the runs (aim 10 %)")
    rounds = 2 if bench.options.quick else 7
    variants = [{"name": "25 MiB", "strategy": "ddp"},
                {"name": "5 MiB", "strategy": "ddp", "bucket_mb": 5},
                {"name": "one bucket", "strategy": "ddp", "bucket_mb": 1000, "first_bucket_mb": 1000}]
    small = [{"name": "1 MiB", "strategy": "ddp", "bucket_mb": 1, "first_bucket_mb": 0.25},
             variants[0], variants[2]]
    errors = []
    for name, model, batches, sizes, own in (
            ("ResNet-18, 64²", RESNET18, 2, (8, 16, 32), variants),
            ("MLP of ddp-toy", MLP, 20, (32, 64, 256), small),
            ("gpt", GPT, 4, (4, 8, 16), variants)):
        for batch in sizes:
            path = bench.write(experiment(name, model, batch, batches, own, 5))
            bench.call(STAGELANE, "calibrate", path, "--seconds", bench.options.seconds)
            predicted = {each["id"]: each["all_reduce"]["exposed_ns"] for each in
                         json.loads(bench.call(STAGELANE, "predict", path, "--json"))["variants"]
                         if each.get("all_reduce")}
            for variant, values in measured_exposed(bench, path, rounds).items():
                times = [value[0] for value in values]
                real = statistics.median(times)
                error = predicted[variant] / real - 1 if real else 0.0
                step = statistics.median(value[2] for value in values)
                errors.append(error)
                say(f"  {100 * error:+6.1f} %  {name}, batch {batch}, {variant}: "
                    f"{100 * real / step:.1f} % of a step, spread "
                    f"{100 * (max(times) - min(times)) / real if real else 0:.0f} %")
    say(f"  median error {100 * statistics.median(map(abs, errors)):.1f} %, largest "
        f"{100 * max(map(abs, errors)):.1f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help="ddp, pipeline, exposed (default: all)")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seconds", type=float, help="of each calibration")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER",
                        help="leave experiments, calibrations, and runs in this folder")
    options = parser.parse_args()
    options.seconds = options.seconds or (4.0 if options.quick else 10.0)
    if not set(options.parts) <= set(PARTS):
        parser.error("the parts are " + ", ".join(PARTS))
    for needed in (STAGELANE, PYTHON):
        if not needed.exists():
            sys.exit(f"{needed} is missing: run ./dev build first")
    say(f"Load average before: {os.getloadavg()[0]:.2f} on {os.cpu_count()} cores")
    with contextlib.ExitStack() as stack:
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
        folder = options.keep or stack.enter_context(tempfile.TemporaryDirectory())
        bench = Bench(pathlib.Path(folder).resolve(), options)
        for part in PARTS:
            if not options.parts or part in options.parts:
                {"ddp": part_ddp, "pipeline": part_pipeline, "exposed": part_exposed}[part](bench)
    say(f"Load average after: {os.getloadavg()[0]:.2f} (own processes included)")


if __name__ == "__main__":
    main()
