"""Shared by the tests of `stagelane export`: an experiment is run, its variants are exported, the scripts
are run with PyTorch itself, and both have to come to the same losses."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("STAGELANE_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
STAGELANE = pathlib.Path(os.environ.get("STAGELANE_BIN_DIR", SOURCE / "build/release/bin")) / "stagelane"
PATIENCE_S = 300
SKIPPED = 77
ROUNDING = 2e-6


def python_with_torch():
    for candidate in (sys.executable, str(SOURCE / ".venv/bin/python3")):
        try:
            found = subprocess.run([candidate, "-c", "import torch"], capture_output=True, check=False)
        except OSError:
            continue
        if found.returncode == 0:
            return candidate
    return None


PYTHON = python_with_torch()


def mlp(**changes):
    document = {
        "stagelane": 1, "name": "a \"quoted\" \\ name",
        "model": {"zoo": "mlp", "depth": 8, "width": 64, "in": 32, "out": 10}, "input": {"shape": [32]},
        "data": {"labels": "class", "batch_size": 16, "batches": 3, "seed": 5}, "loss": "cross_entropy",
        "optimizer": {"kind": "adam", "lr": 0.01}, "clip_grad_norm": 0.5,
        "devices": ["cpu:0", "cpu:1"], "repeat": 1, "warmup": 0,
        "variants": [{"name": "mp", "strategy": "model_parallel", "placement": "balanced"}]}
    document.update(changes)
    return document


def pipeline(name, schedule, split, **more):
    return {"name": name, "strategy": "pipeline", "schedule": schedule, "split_size": split, **more}


class ExportedCodeTest(unittest.TestCase):
    def setUp(self):
        root = tempfile.TemporaryDirectory(prefix="stagelane-export-")
        self.addCleanup(root.cleanup)
        self.root = pathlib.Path(root.name)
        self.environment = dict(os.environ, STAGELANE_WORKSPACE=str(self.root / "ws"), OMP_NUM_THREADS="1")
        self.environment.pop("DISPLAY", None)

    def stagelane(self, *arguments):
        return subprocess.run([str(STAGELANE), *map(str, arguments)], env=self.environment, text=True,
                              capture_output=True, timeout=PATIENCE_S, check=False)

    def write(self, document):
        path = self.root / "x.json"
        path.write_text(json.dumps(document))
        return path

    def measured(self, document):
        """{variant: losses} of `stagelane run`."""
        done = self.stagelane("run", self.write(document), "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return {each["id"]: each["loss"] for each in json.loads(done.stdout)["variants"]}

    def exported(self, variant, form):
        path = self.root / f"{variant}-{form}.py"
        done = self.stagelane("export", self.root / "x.json", "--variant", variant, "--as", form, "-o", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        return path

    def refused(self, document, variant, form, words):
        done = self.stagelane("export", self.write(document), "--variant", variant, "--as", form)
        self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
        self.assertIn(words, done.stderr)

    def losses(self, script, processes=0):
        start = [PYTHON]
        if processes:
            start += ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(processes)]
        done = subprocess.run([*start, str(script), "--json", "--repeat", "1"], env=self.environment, text=True,
                              capture_output=True, timeout=PATIENCE_S, check=False)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        return json.loads(done.stdout)["loss"]

    def agree(self, got, expected):
        self.assertEqual(len(got), len(expected))
        for a, b in zip(got, expected):
            self.assertLessEqual(abs(a - b), ROUNDING * abs(b), (got, expected))


def main():
    if PYTHON is None:
        print("skipped: no Python with torch")
        sys.exit(SKIPPED)
    unittest.main(module="__main__")
