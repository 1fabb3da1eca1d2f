"""Shared by the tests of runs in several processes: experiments, launchers, traces, and what a run leaves behind.

Every process of a test has a mark in its environment, so that none that is left is missed.
"""

import csv
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import uuid

SOURCE = pathlib.Path(os.environ.get("STAGELANE_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
BIN = pathlib.Path(os.environ.get("STAGELANE_BIN_DIR", SOURCE / "build/release/bin")).resolve()
ENGINE = BIN / "stagelane-engine"
STAGELANE = BIN / "stagelane"
PATIENCE_S = 180
SKIPPED = 77
MARK = "STAGELANE_TEST_MARK"
# Variables of launchers: the test itself may run in a job.
LAUNCHERS = ("RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_", "TORCHELASTIC_", "SLURM_", "STAGELANE_LAUNCHER", "GROUP_",
             "ROLE_")

# The schedules of pipelines, with the stages on each device.
SCHEDULES = {"tutorial": 1, "gpipe": 1, "1f1b": 1, "zb-h1": 1, "zb-h2": 1, "interleaved-1f1b": 2, "looped-bfs": 2,
             "interleaved-zero-bubble": 2, "zbv": 2, "v-half": 2, "v-min": 2, "dualpipev": 2}


def experiment(devices, variants, batch=12, **changes):
    """A small network in float64, with one variant per entry of `variants`."""
    document = {
        "stagelane": 1, "name": "Ranks",
        "model": {"zoo": "mlp", "depth": 8, "width": 16, "in": 16, "out": 4},
        "input": {"shape": [16], "dtype": "float64"},
        "data": {"labels": "normal", "batch_size": batch, "batches": 2}, "loss": "mse",
        "optimizer": {"kind": "sgd", "lr": 0.05, "momentum": 0.9},
        "devices": [f"cpu:{n}" for n in range(devices)] if isinstance(devices, int) else devices,
        "threads_per_cpu_worker": 1, "repeat": 1, "warmup": 0, "variants": variants}
    document.update(changes)
    return document


def single():
    return {"name": "single", "strategy": "single", "device": "cpu:0"}


def pipeline(schedule="1f1b", split=3, **more):
    return {"name": f"pipe-{schedule}", "strategy": "pipeline", "schedule": schedule, "split_size": split,
            "chunks": SCHEDULES[schedule], **more}


def endless(devices, variant, **changes):
    """Trains until something ends it: short repeats, so that some are measured before."""
    return experiment(devices, [variant], repeat=10_000, verify_gradients=False, **changes)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def plain_environment(**more):
    """This process's environment without the variables of launchers."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(LAUNCHERS)}
    kept.pop("STAGELANE_ENGINE", None)
    return {**kept, **{name: str(value) for name, value in more.items()}}


def torchrun_like(rank, size, port, address="127.0.0.1", **more):
    """The variables that torchrun gives a process when no agent serves the store."""
    return {"RANK": rank, "WORLD_SIZE": size, "LOCAL_RANK": rank, "MASTER_ADDR": address, "MASTER_PORT": port, **more}


def python_with_torch():
    for candidate in (sys.executable, str(SOURCE / ".venv/bin/python3"), str(BIN.parents[2] / ".venv/bin/python3")):
        try:
            found = subprocess.run([candidate, "-c", "import torch"], capture_output=True, check=False)
        except OSError:
            continue
        if found.returncode == 0:
            return candidate
    return None


PYTHON = python_with_torch()


def is_alive(pid):
    """False for a zombie, too: its memory and descriptors are gone."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def environment_of(pid):
    try:
        entries = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return {}
    return dict(entry.decode(errors="replace").split("=", 1) for entry in entries if b"=" in entry)


def marked(mark):
    """{pid: environment} of the live processes with this mark."""
    found = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit() and is_alive(entry):
            environment = environment_of(entry)
            if environment.get(MARK) == mark:
                found[int(entry)] = environment
    return found


def listens(port):
    """Whether any socket of this network namespace listens on the port."""
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in pathlib.Path(table).read_text().splitlines()[1:]:
            fields = line.split()
            if int(fields[1].rsplit(":", 1)[1], 16) == port and fields[3] == "0A":
                return True
    return False


def await_true(condition, seconds=PATIENCE_S, pause=0.01):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(pause)
    return True


def events_of(folder):
    """The complete lines of a run's events."""
    try:
        lines = (folder / "events.jsonl").read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return []
    return [json.loads(line) for line in lines]


class RanksTest(unittest.TestCase):
    """Starts runs and makes sure that nothing of them is left."""

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="stagelane-ranks-"))
        self.mark = uuid.uuid4().hex
        self.count = 0
        self.folder = self.root / "no-run"
        self.started = []
        self.shared_memory = set(os.listdir("/dev/shm"))

    def tearDown(self):
        for pid in marked(self.mark):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for process in self.started:
            process.wait(timeout=PATIENCE_S)
        shutil.rmtree(self.root, ignore_errors=True)

    def environment(self, **more):
        return plain_environment(**{MARK: self.mark, "OMP_NUM_THREADS": 1, "STAGELANE_WORKSPACE": self.root / "ws"},
                                 **more)

    def write(self, document):
        """Also chooses the run folder."""
        self.count += 1
        path = self.root / f"experiment{self.count}.json"
        path.write_text(json.dumps(document))
        self.folder = self.root / f"run{self.count}"
        return path

    def start(self, *command, before=None, **variables):
        """Starts a program; its output is in `.said`."""
        said = self.root / f"said{len(self.started)}"
        with open(said, "w") as output:
            process = subprocess.Popen([str(part) for part in command], env=self.environment(**variables),
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=output,
                                       preexec_fn=before)
        process.said = said
        self.started.append(process)
        return process

    def start_engine(self, document, *arguments, **variables):
        return self.start(ENGINE, "run", self.write(document), "--out", self.folder, *arguments, **variables)

    def run_to_end(self, document, *arguments, code=0, **variables):
        """Runs the engine. @returns what it said"""
        engine = self.start_engine(document, *arguments, **variables)
        ended = engine.wait(timeout=PATIENCE_S)
        self.assertEqual(ended, code, self.everything_said())
        self.assert_nothing_left()
        return engine.said.read_text()

    def everything_said(self):
        logs = sorted(self.folder.glob("ranks/*")) if self.folder.exists() else []
        files = [process.said for process in self.started] + logs
        return "\n".join(f"{file.name}: {file.read_text(errors='replace')[-2000:]}" for file in files)

    def result(self):
        return json.loads((self.folder / "result.json").read_text())

    def variant(self, which=-1):
        """By id, or the last one."""
        variants = self.result()["variants"]
        return variants[which] if isinstance(which, int) else next(v for v in variants if v["id"] == which)

    def assert_nothing_left(self, port=None, seconds=5.0):
        self.assertTrue(await_true(lambda: not marked(self.mark), seconds), marked(self.mark))
        if port is not None:
            # The last threads of a killed process may still end.
            self.assertTrue(await_true(lambda: not listens(port), seconds), f"something still listens on {port}")
        self.assertEqual(set(os.listdir("/dev/shm")) - self.shared_memory, set())

    def spans(self, variant):
        """The rows of a variant's trace, with numbers for times, stages and micro-batches."""
        table = self.root / f"trace{self.count}-{variant}.csv"
        subprocess.run([str(STAGELANE), "convert", str(self.folder / "traces" / f"{variant}.pftrace"), "--to", "csv",
                        "-o", str(table)], env=self.environment(), check=True, stdout=subprocess.DEVNULL,
                       timeout=PATIENCE_S)
        rows = list(csv.DictReader(table.read_text().splitlines()))
        for row in rows:
            row["start"] = int(row["start_ns"])
            row["end"] = row["start"] + int(row["duration_ns"])
        return rows


class PipelineRuns(RanksTest):
    """The same experiments in one process and in several."""

    def compare(self, document, *counts):
        self.run_to_end(document)
        alone = {variant["id"]: variant for variant in self.result()["variants"]}
        for count in counts:
            with self.subTest(ranks=count):
                self.run_to_end(document, "--ranks", count)
                for variant in self.result()["variants"]:
                    if variant["strategy"] == "pipeline":
                        self.check(variant, alone[variant["id"]], count)

    def check(self, variant, alone, count):
        self.assertEqual(variant["status"], "done")
        self.assertTrue(variant["gradient_check"]["bit_equal"], variant)
        self.assertEqual(variant["loss"], alone["loss"])
        self.assertEqual(variant["placement"], alone["placement"])
        self.assertEqual([rank["rank"] for rank in variant["ranks"]], list(range(count)))
        dealt = [device for rank in variant["ranks"] for device in rank["devices"]]
        self.assertEqual(dealt, sorted(device["id"] for device in variant["devices"]))
        self.assertEqual({len(rank["devices"]) for rank in variant["ranks"]}, {len(dealt) // count})
        self.assertNotIn("ranks", alone)


def main(module="__main__"):
    """Runs the tests of a module, or skips them without programs."""
    for program in (ENGINE, STAGELANE):
        if not program.exists():
            print(f"skipped: there is no {program}")
            sys.exit(SKIPPED)
    unittest.main(module)
