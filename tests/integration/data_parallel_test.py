#!/usr/bin/env python3
"""Data parallel through the command line: its presets, the sizes of its batches, its results.

Run by ctest with STAGELANE_BIN_DIR, or by hand: STAGELANE_BIN_DIR=build/release/bin data_parallel_test.py
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BIN = pathlib.Path(os.environ.get("STAGELANE_BIN_DIR", "build/release/bin")).resolve()
PATIENCE_S = 240
ON_CPU = ["--set", '/devices=["cpu:0","cpu:1"]']
FEW = ["--set", "/repeat=2", "--set", "/warmup=0"]


def batch_lines(samples):
    """The lines of one batch on two devices."""
    half = samples // 2
    part = f"\tIn Model: input size torch.Size([{half}, 5]) output size torch.Size([{half}, 2])"
    return [part, part, f"Outside: input size torch.Size([{samples}, 5]) "
                        f"output_size torch.Size([{samples}, 2])"]


class DataParallelTest(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.TemporaryDirectory(prefix="stagelane-data-parallel-")
        self.addCleanup(self.root.cleanup)
        self.environment = dict(os.environ, STAGELANE_WORKSPACE=f"{self.root.name}/workspace")
        self.environment.pop("STAGELANE_ENGINE", None)

    def stagelane(self, *arguments):
        return subprocess.run([str(BIN / "stagelane"), *map(str, arguments)], env=self.environment,
                              text=True, capture_output=True, timeout=PATIENCE_S)

    def run_json(self, *arguments):
        """The variants of a run by their ids, and what it wrote on standard error."""
        ended = self.stagelane("run", *arguments, "--json")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return {one["id"]: one for one in json.loads(ended.stdout)["variants"]}, ended.stderr

    def check_proof(self, variant):
        self.assertEqual(variant["status"], "done")
        self.assertTrue(variant["gradient_check"]["bit_equal"])
        self.assertLessEqual(variant["gradient_check"]["full_batch_error"], 1e-12)

    def test_sizes_prints_the_lines_of_the_tutorial_before_the_table(self):
        ended = self.stagelane("run", "data-parallel-sizes", *ON_CPU, *FEW)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        expected = ["Let's use 2 workers!"] + 3 * batch_lines(30) + batch_lines(10)
        lines = ended.stdout.split("\n")
        self.assertEqual(lines[:len(expected)], expected)
        self.assertTrue(lines[len(expected)].startswith("Data parallel, sizes on cpu:0, cpu:1"))
        self.assertNotIn("torch.Size", "\n".join(lines[len(expected):]))

    def test_sizes_with_json_prints_one_document_and_keeps_the_events(self):
        folder = pathlib.Path(self.root.name) / "run"
        variants, _ = self.run_json("data-parallel-sizes", *ON_CPU, *FEW, "--out", folder)
        self.assertEqual(variants["data-parallel"]["replicas"], 2)
        self.assertNotIn("replicas", variants["single"])
        self.assertEqual(len(variants["data-parallel"]["loss"]), 4)
        self.check_proof(variants["data-parallel"])
        events = map(json.loads, (folder / "events.jsonl").read_text().splitlines())
        sizes = [event for event in events if event["event"] == "sizes"]
        self.assertEqual([event["input"] for event in sizes], [[30, 5], [30, 5], [30, 5], [10, 5]])
        self.assertEqual(sizes[3]["replicas"],
                         [{"device": device, "input": [5, 5], "output": [5, 2]}
                          for device in ("cpu:0", "cpu:1")])

    def test_net_has_the_losses_of_one_device(self):
        variants, _ = self.run_json("data-parallel-net", *ON_CPU, *FEW)
        self.check_proof(variants["data-parallel"])
        pairs = list(zip(variants["data-parallel"]["loss"], variants["single"]["loss"]))
        self.assertEqual(len(pairs), 100)
        for replicas, one in pairs:
            self.assertAlmostEqual(replicas, one, delta=1e-4 * one)
        self.assertNotEqual(pairs[0][1], pairs[-1][1])

    def test_ten_layers_are_on_both_devices_or_five_on_each(self):
        variants, _ = self.run_json("ten-layers", *ON_CPU, *FEW)
        shares = {name: [(device["layers"], device["parameters"]) for device in one["devices"]]
                  for name, one in variants.items()}
        whole = (10, 9 * (512 * 512 + 512) + 512 * 10 + 10)
        first, second = shares["model-parallel"]
        self.assertEqual(shares["single"], [whole])
        self.assertEqual(shares["data-parallel"], [whole, whole])
        self.assertEqual((first[0], second[0]), (5, 5))
        self.assertEqual(first[1] + second[1], whole[1])
        self.assertEqual(shares["pipeline"], shares["model-parallel"])
        for name in ("data-parallel", "model-parallel", "pipeline"):
            self.assertTrue(variants[name]["gradient_check"]["bit_equal"], name)
        table = self.stagelane("run", "ten-layers", *ON_CPU, *FEW).stdout
        self.assertEqual(table.count(f"10 layers, {whole[1]} parameters"), 4)
        self.assertEqual(table.count("5 layers, "), 4)

    def test_a_batch_of_five_on_four_devices_has_three_replicas(self):
        variants, said = self.run_json(
            "data-parallel-net", *FEW, "--set", '/devices=["cpu:0","cpu:1","cpu:2","cpu:3"]',
            "--set", "/data/batch_size=5", "--set", "/data/batches=3")
        variant = variants["data-parallel"]
        self.assertEqual(variant["replicas"], 3)
        self.assertEqual(variant["split_size"], 2)
        self.assertEqual([device["id"] for device in variant["devices"]],
                         ["cpu:0", "cpu:1", "cpu:2"])
        self.check_proof(variant)
        self.assertIn("3 of 4 devices have a replica", said)

    def test_a_pipeline_with_replicas_is_proven(self):
        pipeline = {"name": "pipeline", "strategy": "pipeline", "split_size": 16, "replicas": 2}
        variants, _ = self.run_json(
            "ten-layers", *FEW, "--set", '/devices=["cpu:0","cpu:1","cpu:2","cpu:3"]',
            "--set", "/variants/3=" + json.dumps(pipeline))
        variant = variants["pipeline"]
        self.assertEqual(variant["replicas"], 2)
        self.assertEqual(len(variant["devices"]), 4)
        self.assertTrue(variant["gradient_check"]["bit_equal"])


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
