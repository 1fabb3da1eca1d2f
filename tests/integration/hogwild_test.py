#!/usr/bin/env python3
"""The strategy `hogwild` as a program: what it trains, and what is left of its processes after a fault.

Run by ctest with STAGELANE_BIN_DIR, or by hand: STAGELANE_BIN_DIR=build/release/bin hogwild_test.py
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

BIN = pathlib.Path(os.environ.get("STAGELANE_BIN_DIR", "build/release/bin")).resolve()
SOURCE = pathlib.Path(os.environ.get("STAGELANE_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
ENGINE = BIN / "stagelane-engine"
PATIENCE_S = 240
# A fault ends within two seconds on an idle machine; tests run beside others.
FAULT_S = 5.0
ENDLESS = 1_000_000_000


def preset(updates=2000, repeat=1, seed=0, **variant):
    """The experiment of the preset, with the Hogwild variant alone."""
    experiment = json.loads((SOURCE / "resources/presets/hogwild-mlp.json").read_text())
    experiment.update(repeat=repeat, warmup=0)
    experiment["data"]["seed"] = seed
    hogwild = next(v for v in experiment["variants"] if v["strategy"] == "hogwild")
    experiment["variants"] = [{**hogwild, "updates": updates, **variant}]
    return experiment


def is_alive(pid):
    """False for a zombie, too: its memory and descriptors are gone."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def children_of(pid):
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            found += [int(child) for child in (task / "children").read_text().split()]
        except (FileNotFoundError, ProcessLookupError):
            pass
    return found


def await_true(condition, seconds=PATIENCE_S):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


class HogwildTest(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="stagelane-hogwild-"))
        self.count = 0
        self.engine = None

    def tearDown(self):
        if self.engine is not None and self.engine.poll() is None:
            self.engine.kill()
            self.engine.wait()
        shutil.rmtree(self.root, ignore_errors=True)

    def start(self, experiment):
        self.count += 1
        path = self.root / f"experiment{self.count}.json"
        path.write_text(json.dumps(experiment))
        self.folder = self.root / f"run{self.count}"
        self.errors = self.root / f"errors{self.count}"
        with open(self.errors, "w") as errors:
            self.engine = subprocess.Popen([str(ENGINE), "run", str(path), "--out", str(self.folder)],
                                           stdout=subprocess.DEVNULL, stderr=errors)

    def run_to_end(self, experiment):
        """@returns the exit code"""
        self.start(experiment)
        return self.engine.wait(timeout=PATIENCE_S)

    def result(self):
        return json.loads((self.folder / "result.json").read_text())

    def variant(self):
        return next(v for v in self.result()["variants"] if v["strategy"] == "hogwild")

    def started_workers(self, count=4):
        """Waits until the processes train; @returns their ids, by number."""
        def train():
            children = children_of(self.engine.pid)
            return len(children) == count and all(self.cpu_ticks(child) > 150 for child in children)
        self.assertTrue(await_true(train), self.errors.read_text())
        return sorted(children_of(self.engine.pid), key=self.number_of)

    @staticmethod
    def number_of(pid):
        return int(pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[3])

    @staticmethod
    def cpu_ticks(pid):
        try:
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except (FileNotFoundError, ProcessLookupError):
            return 0
        return int(fields[11]) + int(fields[12])

    def assert_gone(self, workers):
        self.assertTrue(await_true(lambda: not any(is_alive(pid) for pid in workers), FAULT_S), workers)

    def assert_lost(self, code, number, words):
        """The run failed because of this process, and says so."""
        self.assertEqual(code, 6, self.errors.read_text())
        failure = self.result()["failure"]
        self.assertEqual((failure["kind"], failure["rank"]), ("rank_lost", number))
        self.assertEqual(failure["variant"], "hogwild")
        self.assertEqual(failure["device"], f"cpu:0@{number}")
        self.assertIn(f"process {number}", self.result()["reason"])
        self.assertIn(words, self.result()["reason"])

    def test_four_processes_end_at_a_tenth_of_the_first_loss_for_ten_seeds(self):
        for seed in range(10):
            with self.subTest(seed=seed):
                self.assertEqual(self.run_to_end(preset(seed=seed)), 0, self.errors.read_text())
                hogwild = self.variant()["hogwild"]
                print(f"seed {seed}: loss {hogwild['first_loss']:.4f} to {hogwild['last_loss']:.2e}, "
                      f"{hogwild['updates_per_s']:.0f} updates/s, staleness {hogwild['staleness']}", flush=True)
                self.assertEqual((hogwild["processes"], hogwild["updates"]), (4, 2000))
                self.assertLessEqual(hogwild["last_loss"], 0.1 * hogwild["first_loss"])

    def test_the_result_has_what_the_docs_say(self):
        experiment = preset(updates=600, repeat=2)
        experiment["variants"].insert(0, {"name": "single", "strategy": "single"})
        self.assertEqual(self.run_to_end(experiment), 0, self.errors.read_text())
        variant = self.variant()
        hogwild = variant["hogwild"]
        self.assertEqual(len(variant["seconds"]), 2)
        self.assertEqual(len(variant["loss"]), experiment["data"]["batches"])
        self.assertEqual([device["id"] for device in variant["devices"]], [f"cpu:0@{n}" for n in range(4)])
        self.assertEqual([len(curve["loss"]) <= 200 for curve in hogwild["curves"]], [True] * 4)
        self.assertGreater(sum(len(curve["loss"]) for curve in hogwild["curves"]), 200)
        self.assertLessEqual(hogwild["staleness"]["median"], hogwild["staleness"]["p99"])
        self.assertLessEqual(hogwild["staleness"]["p99"], hogwild["staleness"]["max"])
        self.assertFalse(hogwild["threads"])
        for absent in ("gradient_check", "bound", "explanation"):
            self.assertNotIn(absent, variant)
        single = next(v for v in self.result()["variants"] if v["id"] == "single")
        batches = experiment["data"]["batches"]
        expected = (single["median_s"] / batches) / (variant["median_s"] / 600)
        self.assertAlmostEqual(variant["speedup"], expected, delta=1e-9 * expected)
        self.assertTrue((self.folder / "traces" / "hogwild.pftrace").exists())
        events = [json.loads(line) for line in (self.folder / "events.jsonl").read_text().splitlines()]
        warnings = [event for event in events if event["event"] == "warning" and event["code"] == "hogwild"]
        self.assertEqual(len(warnings), 1)

    def test_threads_train_as_processes_do(self):
        self.assertEqual(self.run_to_end(preset(threads=True)), 0, self.errors.read_text())
        hogwild = self.variant()["hogwild"]
        self.assertTrue(hogwild["threads"])
        self.assertLessEqual(hogwild["last_loss"], 0.1 * hogwild["first_loss"])

    def test_every_optimizer_and_option_trains(self):
        for change in ({"optimizer": {"kind": "sgd", "lr": 0.01, "momentum": 0.9}},
                       {"optimizer": {"kind": "adamw", "lr": 0.001}}, {"clip_grad_norm": 1.0},
                       {"precision": "bf16"}, {"timing": "tutorial"}):
            with self.subTest(**change):
                self.assertEqual(self.run_to_end({**preset(), **change}), 0, self.errors.read_text())
                hogwild = self.variant()["hogwild"]
                self.assertLess(hogwild["last_loss"], hogwild["first_loss"])

    def test_nothing_is_left_after_the_engine_was_killed(self):
        before = set(os.listdir("/dev/shm"))
        self.start(preset(updates=ENDLESS))
        workers = self.started_workers()
        self.engine.kill()
        self.engine.wait()
        self.assert_gone(workers)
        self.assertEqual(set(os.listdir("/dev/shm")) - before, set())

    def test_a_killed_process_fails_the_run_which_names_it(self):
        self.start(preset(updates=ENDLESS))
        workers = self.started_workers()
        os.kill(workers[2], signal.SIGKILL)
        struck = time.monotonic()
        code = self.engine.wait(timeout=PATIENCE_S)
        took = time.monotonic() - struck
        print(f"a killed process: the fault ended after {took:.3f} s (limit {FAULT_S} s)", flush=True)
        self.assertLess(took, FAULT_S)
        self.assert_lost(code, 2, "signal 9")
        self.assert_gone(workers)
        self.assertGreater(self.variant()["hogwild"]["updates"], 0)

    def test_a_stopped_process_is_noticed_after_the_stall_limit(self):
        self.start({**preset(updates=ENDLESS), "stall_timeout_s": 2})
        workers = self.started_workers()
        os.kill(workers[1], signal.SIGSTOP)
        code = self.engine.wait(timeout=PATIENCE_S)
        self.assert_lost(code, 1, "has not responded")
        self.assert_gone(workers)

    def test_a_cancel_keeps_what_was_measured(self):
        self.start(preset(updates=ENDLESS))
        workers = self.started_workers()
        os.kill(self.engine.pid, signal.SIGTERM)
        self.assertEqual(self.engine.wait(timeout=PATIENCE_S), 130, self.errors.read_text())
        self.assert_gone(workers)
        variant = self.variant()
        self.assertEqual(variant["status"], "canceled")
        self.assertGreater(variant["hogwild"]["updates"], 0)
        self.assertGreater(sum(len(curve["loss"]) for curve in variant["hogwild"]["curves"]), 0)

    def test_an_interrupt_of_the_whole_group_cancels(self):
        self.start(preset(updates=ENDLESS))
        workers = self.started_workers()
        for pid in [*workers, self.engine.pid]:
            os.kill(pid, signal.SIGINT)
        self.assertEqual(self.engine.wait(timeout=PATIENCE_S), 130, self.errors.read_text())
        self.assert_gone(workers)

    def test_a_loss_that_is_not_finite_fails_with_advice(self):
        experiment = preset()
        experiment["optimizer"]["lr"] = 1000.0
        self.assertEqual(self.run_to_end(experiment), 6)
        result = self.result()
        self.assertIn("the loss became", result["reason"])
        self.assertIn("learning rate", result["reason"])
        self.assertEqual(result["failure"]["kind"], "engine_failure")

    def assert_refused(self, experiment, *words):
        self.assertEqual(self.run_to_end(experiment), 3)
        for word in words:
            self.assertIn(word, self.errors.read_text())

    def test_what_cannot_be_shared_is_refused(self):
        gpu = preset(device="cuda:0")
        gpu["devices"] = ["cuda:0"]
        self.assert_refused(gpu, "/variants/0/device", "host's memory", "cuda:0")
        self.assert_refused({**preset(), "task": "infer"}, "/variants/0/strategy")
        self.assert_refused(preset(split_size=4), "/variants/0/split_size")
        other = preset()
        other["variants"] = [{"strategy": "single", "processes": 4}]
        self.assert_refused(other, "/variants/0/processes", "hogwild")

    def test_the_command_of_the_processes_is_not_for_people(self):
        told = subprocess.run([str(ENGINE), "--help"], capture_output=True, text=True, check=True).stdout
        self.assertNotIn("hogwild", told)
        wrong = subprocess.run([str(ENGINE), "hogwild-worker", "0", "0", "1"], stdin=subprocess.DEVNULL,
                               capture_output=True, check=False)
        self.assertEqual(wrong.returncode, 2)


if __name__ == "__main__":
    unittest.main()
