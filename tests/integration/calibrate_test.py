#!/usr/bin/env python3
"""`stagelane calibrate` and `stagelane-engine calibrate` for a user and for a script.

Run by ctest with STAGELANE_BIN_DIR, or by hand: STAGELANE_BIN_DIR=build/release/bin calibrate_test.py
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

BIN = pathlib.Path(os.environ.get("STAGELANE_BIN_DIR", "build/release/bin")).resolve()
STAGELANE = BIN / "stagelane"
ENGINE = BIN / "stagelane-engine"
PATIENCE_S = 240

TOY = {
    "stagelane": 1,
    "name": "Small toy",
    "model": {"zoo": "toy"},
    "input": {"shape": [10], "dtype": "float32"},
    "data": {"labels": "normal", "batch_size": 20, "batches": 1},
    "devices": ["cpu:0", "cpu:1"],
    "variants": [
        {"name": "pipe", "strategy": "pipeline", "schedule": "1f1b", "split_size": 5,
         "placement": {"net1": "cpu:0", "relu": "cpu:0", "net2": "cpu:1"}},
    ],
}


class CalibrateTest(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="stagelane-calibrate-"))
        self.workspace = self.root / "workspace"
        self.environment = {**os.environ, "STAGELANE_WORKSPACE": str(self.workspace)}
        self.environment.pop("STAGELANE_ENGINE", None)
        self.toy = self.experiment({})

    def tearDown(self):
        shutil.rmtree(self.root, ignore_errors=True)

    def experiment(self, change, name="toy.json"):
        path = self.root / name
        path.write_text(json.dumps({**TOY, **change}))
        return str(path)

    def run_program(self, program, *arguments):
        ended = subprocess.run([str(program), *arguments], env=self.environment, text=True,
                               capture_output=True, timeout=PATIENCE_S, check=False)
        return ended.returncode, ended.stdout, ended.stderr

    def stored(self):
        return sorted((self.workspace / "calibrations").glob("*.json"))

    def test_the_table_names_every_block_and_says_how_noisy_it_is(self):
        code, out, err = self.run_program(STAGELANE, "calibrate", self.toy, "--seconds", "1")
        self.assertEqual(code, 0, err)
        for word in ("net1", "relu", "net2", "Noise:", "Saved in", "cpu, 1 thread"):
            self.assertIn(word, out)
        self.assertEqual(len(self.stored()), 1)

    def test_json_is_one_cost_table_that_is_also_the_stored_file(self):
        code, out, err = self.run_program(STAGELANE, "calibrate", self.toy, "--seconds", "1",
                                          "--json")
        self.assertEqual(code, 0, err)
        table = json.loads(out)
        self.assertEqual(table["stagelane_costs"], 1)
        self.assertEqual({block["name"] for block in table["blocks"]}, {"net1", "relu", "net2"})
        for block in table["blocks"]:
            for point in block["points"]:
                self.assertGreater(point["F_ns"], 0)
        self.assertEqual(pathlib.Path(table["file"]), self.stored()[0])
        self.assertIn("environment", table["origin"])

    def test_a_second_calibration_adds_its_sizes(self):
        for split in ("5", "4"):
            code, out, err = self.run_program(
                STAGELANE, "calibrate", self.toy, "--seconds", "1", "--only-occurring", "--set",
                f"/variants/0/split_size={split}", "--json")
            self.assertEqual(code, 0, err)
        table = json.loads(out)
        sizes = {point["samples"] for block in table["blocks"] for point in block["points"]
                 if block.get("threads") == 1}
        self.assertEqual(sizes, {4, 5})
        self.assertEqual(len(self.stored()), 1)

    def predicted(self, *arguments):
        code, out, err = self.run_program(STAGELANE, "predict", self.toy, "--json", *arguments)
        self.assertEqual(code, 0, err)
        return {variant["basis"] for variant in json.loads(out)["variants"]}, err

    def test_predict_measures_once_where_nothing_was_and_not_when_told_not_to(self):
        self.assertEqual(self.predicted("--no-calibrate")[0], {"estimate"})
        basis, said = self.predicted()
        self.assertEqual(basis, {"calibrated"})
        self.assertIn("measuring", said)
        basis, said = self.predicted()
        self.assertEqual(basis, {"calibrated"})
        self.assertNotIn("measuring", said)

    def test_what_another_machine_measured_is_stale(self):
        self.run_program(STAGELANE, "calibrate", self.toy, "--seconds", "1")
        table = json.loads(self.stored()[0].read_text())
        table["origin"]["environment"]["cpu"] = "Another CPU"
        self.stored()[0].write_text(json.dumps(table))
        self.assertEqual(self.predicted("--no-calibrate")[0], {"stale"})

    def test_a_run_predicts_by_what_was_calibrated(self):
        self.run_program(STAGELANE, "calibrate", self.toy, "--seconds", "1")
        code, out, err = self.run_program(STAGELANE, "run", self.toy, "--set", "/name=again",
                                          "--json", "--out", str(self.root / "run"))
        self.assertEqual(code, 0, err)
        for variant in json.loads(out)["variants"]:
            self.assertEqual(variant["predicted"]["basis"], "calibrated")

    def test_a_device_that_is_not_there_is_an_error_and_keeps_nothing(self):
        path = self.experiment({"devices": ["cpu:0", "cuda:63"], "variants": [
            {"name": "mp", "strategy": "model_parallel",
             "placement": {"net1": "cpu:0", "relu": "cpu:0", "net2": "cuda:63"}}]})
        code, out, err = self.run_program(STAGELANE, "calibrate", path, "--json")
        self.assertEqual(code, 4, err)
        self.assertEqual(out, "")
        self.assertIn("cuda:63", err)
        self.assertEqual(self.stored(), [])

    def test_wrong_use_is_refused(self):
        self.assertEqual(self.run_program(STAGELANE, "calibrate")[0], 2)
        self.assertEqual(self.run_program(STAGELANE, "calibrate", "nowhere.json")[0], 3)
        code, _, err = self.run_program(STAGELANE, "calibrate", self.toy, "--seconds", "0")
        self.assertEqual(code, 3)
        self.assertIn("expected a number of seconds > 0", err)

    def test_the_engine_speaks_in_event_lines(self):
        out = self.root / "costs.json"
        code, lines, err = self.run_program(ENGINE, "calibrate", self.toy, "--out", str(out),
                                            "--seconds", "1")
        self.assertEqual(code, 0, err)
        events = [json.loads(line) for line in lines.splitlines()]
        self.assertEqual(events[0]["event"], "started")
        self.assertEqual(events[-1]["event"], "finished")
        self.assertTrue(out.exists())
        steps = [event for event in events if event["event"] == "calibrating"]
        self.assertTrue(steps)
        self.assertTrue(all(event["done"] <= event["of"] for event in steps))
        self.assertEqual(sorted(event["done"] for event in steps),
                         [event["done"] for event in steps])

    def test_sigterm_cancels_it(self):
        out = self.root / "costs.json"
        resnet = self.experiment({
            "model": {"zoo": "resnet18"}, "input": {"shape": [3, 64, 64]},
            "data": {"batch_size": 16, "batches": 1},
            "variants": [{"name": "single", "strategy": "single", "device": "cpu:0"}]},
            "resnet.json")
        process = subprocess.Popen(
            [str(ENGINE), "calibrate", resnet, "--out", str(out), "--seconds", "600"],
            env=self.environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for line in process.stdout:
            if json.loads(line)["event"] == "calibrating":
                break
        process.send_signal(signal.SIGTERM)
        lines = process.stdout.read().splitlines()
        process.stdout.close()
        self.assertEqual(process.wait(timeout=PATIENCE_S), 130)
        self.assertEqual(json.loads(lines[-1])["event"], "canceled")
        self.assertFalse(out.exists())


if __name__ == "__main__":
    if not ENGINE.exists():
        print("skipped: stagelane-engine was not built")
        sys.exit(77)
    unittest.main()
