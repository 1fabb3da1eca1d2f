#!/usr/bin/env python3
"""Benchmark bench/engine: ResNet-50 128², batch 32, on two workers of one thread each.

Ours against the best single worker, against our own bound, and against torch.distributed.pipelining
from the same wheel (peer_pipelining.py under torchrun). First every configuration of both runs
once; then the finalists take turns for some rounds, all in this one run, and medians are compared.
The machine should be idle otherwise.

    ./dev bench engine                 about half an hour
    ./dev bench engine -- --quick      about six minutes: fewer configurations and rounds
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
ENGINE = pathlib.Path(os.environ.get("STAGELANE_BIN_DIR", ROOT / "build/release/bin")) / "stagelane-engine"
PYTHON = pathlib.Path(os.environ.get("STAGELANE_BENCH_PYTHON", ROOT / ".venv/bin/python"))
PEER = pathlib.Path(__file__).with_name("peer_pipelining.py")

BATCH = 32
# First block of each stage but the first. Two stages for one stage a device; four for two.
CUTS_OF_TWO = (["layer3.0"], ["layer3.1"], ["layer3.2"])
CUTS_OF_FOUR = (["layer2.0", "layer3.0", "layer4.0"], ["layer2.0", "layer3.1", "layer4.0"])
FOUR_STAGES = {"interleaved-1f1b", "looped-bfs", "interleaved-zero-bubble", "zbv", "dualpipev",
               "v-half", "v-min"}
V_LAYOUT = {"zbv", "dualpipev", "v-half", "v-min"}
PEER_SCHEDULES = ("gpipe", "1f1b", "interleaved-1f1b", "looped-bfs", "interleaved-zero-bubble",
                  "zbv", "dualpipev")
OUR_SCHEDULES = ("gpipe", "1f1b", "zb-h1", "zb-h2", "interleaved-1f1b", "interleaved-zero-bubble",
                 "zbv", "auto")
CHUNKS = (2, 4, 8)
FORMATS = ("contiguous", "channels_last")


def say(text):
    print(text, flush=True)


def cuts_for(schedule):
    return CUTS_OF_FOUR if schedule in FOUR_STAGES else CUTS_OF_TWO


def stages(schedule, cuts):
    devices = ["cpu:0", "cpu:1"]
    if schedule in FOUR_STAGES:
        devices = ["cpu:0", "cpu:1", "cpu:1", "cpu:0"] if schedule in V_LAYOUT else devices * 2
    return [{"first": first, "device": device} for first, device in zip(["conv1", *cuts], devices)]


def our_variant(configuration):
    schedule, chunks, cuts = configuration
    variant = {"name": f"{schedule}:{chunks}:{','.join(cuts)}", "strategy": "pipeline",
               "schedule": schedule, "split_size": BATCH // chunks,
               "stages": stages(schedule, cuts)}
    if schedule in FOUR_STAGES:
        variant["chunks"] = 2
    return variant


def single_variant(samples):
    variant = {"name": f"single, micro-batch {samples}", "strategy": "single", "device": "cpu:0"}
    if samples < BATCH:
        variant["split_size"] = samples
    return variant


class Bench:
    def __init__(self, folder, options):
        self.folder = folder
        self.options = options
        self.runs = 0

    def experiment(self, variants, memory_format, allocator, repeats):
        return {"stagelane": 1, "name": "bench/engine", "model": {"zoo": "resnet50"},
                "input": {"shape": [3, 128, 128]}, "data": {"batch_size": BATCH, "batches": 1},
                "loss": "mse", "optimizer": {"kind": "sgd", "lr": 0.001},
                "devices": ["cpu:0", "cpu:1"], "memory_format": memory_format,
                "allocator": allocator, "warmup": 1, "repeat": repeats, "verify_gradients": False,
                "baseline_sweep": False, "variants": variants}

    def ours(self, variants, memory_format, repeats, allocator="caching"):
        """Name → result of the variant, for those that this engine can run."""
        self.runs += 1
        file = self.folder / f"experiment-{self.runs}.json"
        out = self.folder / f"run-{self.runs}"
        file.write_text(json.dumps(self.experiment(variants, memory_format, allocator, repeats)))
        ended = subprocess.run([str(ENGINE), "run", str(file), "--out", str(out)],
                               capture_output=True, text=True, check=False)
        results = {}
        asked = {variant["name"] for variant in variants}
        events = out / "events.jsonl"
        for line in events.read_text().splitlines() if events.exists() else []:
            event = json.loads(line)
            if event["event"] == "variant_done" and event["result"].get("seconds") and (
                    event["result"]["name"] in asked):
                results[event["result"]["name"]] = event["result"]
        if ended.returncode != 0:
            say(f"    ours, {variants[0]['name']}: {''.join(ended.stderr.strip().splitlines()[-1:])}")
        return results

    def peer(self, configurations, memory_format, repeats):
        """Configuration → seconds. One that fails ends the processes; those before it count."""
        command = [str(PYTHON), "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2",
                   str(PEER), *configurations, "--batch", str(BATCH), "--repeats", str(repeats)]
        if memory_format == "channels_last":
            command.append("--channels-last")
        ended = subprocess.run(command, capture_output=True, text=True, check=False,
                               env={**os.environ, "OMP_NUM_THREADS": "1"})
        answers = {}
        for line in ended.stdout.splitlines():
            if line.startswith("{"):
                answer = json.loads(line)
                answers[answer["configuration"]] = answer["seconds"]
        left = [text for text in configurations if text not in answers]
        if ended.returncode != 0 and left:
            reason = [line for line in ended.stderr.splitlines() if "Error" in line]
            say(f"    peer, {left[0]}: does not run: {reason[0].strip() if reason else '?'}")
            if len(left) > 1:
                answers.update(self.peer(left[1:], memory_format, repeats))
        return answers

    # --- every configuration once

    def survey_of_ours(self, memory_format):
        schedules = ("1f1b", "zb-h1", "zb-h2", "auto") if self.options.quick else OUR_SCHEDULES
        chunks = (4, 8) if self.options.quick else CHUNKS
        results, by_name = {}, {}
        for schedule in schedules:
            # Together, unless this engine refuses the schedule.
            variants = [our_variant((schedule, count, cuts)) for count in chunks
                        for cuts in cuts_for(schedule)]
            by_name.update({variant["name"]: variant for variant in variants})
            results.update(self.ours(variants, memory_format, 1))
        ordered = sorted(results, key=lambda name: results[name]["seconds"][0])
        for name in ordered:
            say(f"    ours  {1000 * results[name]['seconds'][0]:8.1f} ms  {name}")
        return [by_name[name] for name in ordered[:self.options.finalists]]

    def survey_of_peer(self, memory_format):
        schedules = (("1f1b", "interleaved-zero-bubble") if self.options.quick else PEER_SCHEDULES)
        chunks = (4, 8) if self.options.quick else CHUNKS
        found = {}
        for schedule in schedules:
            found.update(self.peer([f"{schedule}:{count}:{','.join(cuts)}" for count in chunks
                                    for cuts in cuts_for(schedule)], memory_format, 1))
        ordered = sorted(found, key=lambda name: found[name][0])
        for name in ordered:
            say(f"    peer  {1000 * found[name][0]:8.1f} ms  {name}")
        return ordered[:self.options.finalists]

    def survey_of_singles(self):
        """(format, allocator, samples) of the fastest single workers."""
        found = {}
        for memory_format in self.options.formats:
            for allocator in ("caching", "system"):
                sizes = (4, 8, 32) if self.options.quick else (2, 4, 8, 16, 32)
                for name, result in self.ours([single_variant(size) for size in sizes],
                                              memory_format, 1, allocator).items():
                    size = next(s for s in sizes if single_variant(s)["name"] == name)
                    found[memory_format, allocator, size] = result["seconds"][0]
        return {memory_format: min((key for key in found if key[0] == memory_format),
                                   key=lambda key: found[key])
                for memory_format in self.options.formats}


def add(seconds, key, values):
    seconds.setdefault(key, []).extend(values)


def rounds(bench, options, ours, peers, singles):
    """The finalists take turns. Seconds of each, and the share of the bound that ours reaches."""
    seconds, bounds = {}, {}
    for number in range(options.rounds):
        say(f"  round {number + 1} of {options.rounds}")
        for memory_format in options.formats:
            for name, result in bench.ours(ours[memory_format], memory_format, 2).items():
                add(seconds, ("ours", memory_format, name), result["seconds"])
                add(bounds, (memory_format, name),
                    [(result["bound"]["step_ns"] / result["step_ns"],
                      result["bound"]["perfect_cut_step_ns"] / result["step_ns"])])
            for name, values in bench.peer(peers[memory_format], memory_format, 2).items():
                add(seconds, ("peer", memory_format, name), values)
            _, allocator, size = singles[memory_format]
            for name, result in bench.ours([single_variant(size)], memory_format, 2,
                                           allocator).items():
                add(seconds, ("single", memory_format, f"{name}, {allocator}"), result["seconds"])
    return seconds, bounds


def best(medians, kind, memory_format=None):
    keys = [key for key in medians if key[0] == kind and memory_format in (None, key[1])]
    return min(keys, key=lambda key: medians[key]) if keys else None


def report(seconds, bounds, options):
    medians = {key: statistics.median(values) for key, values in seconds.items()}
    say("\nMedian step, ms (each with the number of steps)")
    for key in sorted(medians, key=lambda key: medians[key]):
        say(f"  {1000 * medians[key]:8.1f}  {key[0]:6}  {key[1]:13}  {key[2]}  ({len(seconds[key])})")

    def ratio(text, slower, faster, aim=""):
        if slower and faster:
            say(f"  {medians[slower] / medians[faster]:.3f}×  {text}{aim}")

    say("\nRatios")
    for memory_format in options.formats:
        ratio(f"ours against the peer, both {memory_format}", best(medians, "peer", memory_format),
              best(medians, "ours", memory_format), " (aim 1.15, better 1.20)")
    default = best(medians, "peer", "contiguous")
    ratio("our best settings against the peer's default", default, best(medians, "ours"),
          " (aim 1.30)")
    ratio("our best against the best single worker", best(medians, "single"), best(medians, "ours"))
    ours = best(medians, "ours")
    if ours:
        for part, text in enumerate(("its bound, with its waits but free transfers (aim 95 %)",
                                     "the bound of a perfect cut, all work evenly and no wait")):
            share = statistics.median(shares[part] for shares in bounds[ours[1:]])
            say(f"  {100 * share:.1f} %   reaches our best, {ours[2]}, of {text}")
    return {"medians_s": {" | ".join(key): value for key, value in medians.items()}}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rounds", type=int, default=None)
    parser.add_argument("--finalists", type=int, default=None)
    parser.add_argument("--formats", nargs="+", default=list(FORMATS), choices=FORMATS)
    options = parser.parse_args()
    options.rounds = options.rounds or (3 if options.quick else 5)
    options.finalists = options.finalists or (2 if options.quick else 3)
    for needed in (ENGINE, PYTHON):
        if not needed.exists():
            sys.exit(f"{needed} is missing: run ./dev build first")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(pathlib.Path(folder), options)
        say("ResNet-50 128², batch 32, 2 workers of one thread")
        load = os.getloadavg()[0]
        if load > 0.75 * (os.cpu_count() or 1):
            say(f"  the machine is busy (load average {load:.1f}): these figures will mean little")
        ours, peers = {}, {}
        for memory_format in options.formats:
            say(f"  every configuration once, {memory_format}")
            ours[memory_format] = bench.survey_of_ours(memory_format)
            peers[memory_format] = bench.survey_of_peer(memory_format)
        singles = bench.survey_of_singles()
        report(*rounds(bench, options, ours, peers, singles), options)


if __name__ == "__main__":
    main()
