#!/usr/bin/env python3
"""Runs on another host over ssh, against a real sshd on loopback: lost connections, processes that end, and refusals.

Run by ctest with STAGELANE_BIN_DIR, or by hand: STAGELANE_BIN_DIR=build/release/bin ssh_test.py
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from _sshd import Sshd, find_sshd

BIN = pathlib.Path(os.environ.get("STAGELANE_BIN_DIR", "build/release/bin")).resolve()
SOURCE = pathlib.Path(os.environ.get("STAGELANE_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
STAGELANE = BIN / "stagelane"
PATIENCE_S = 240
SKIPPED = 77
# A lost connection is said within this time.
LIMIT_S = 4.0


def experiment(host="box", repeat=3, batches=1):
    """The toy in two variants."""
    document = json.loads((SOURCE / "resources/presets/toy.json").read_text())
    document.update(devices=[f"{host}/cpu:0", f"{host}/cpu:1"] if host else ["cpu:0", "cpu:1"], repeat=repeat,
                    warmup=0, baseline_sweep=False)
    document["data"]["batches"] = batches
    document["variants"] = [{"name": "single", "strategy": "single", "device": "#0"},
                            {"name": "pipe", "strategy": "pipeline", "schedule": "1f1b", "split_size": 5,
                             "placement": {"net1": "#0", "relu": "#0", "net2": "#1"}}]
    return document


def long_experiment(repeat=12, **more):
    """On one device, where a repeat takes some hundredths of a second, also beside other tests."""
    document = experiment(repeat=repeat, batches=400, **more)
    document["variants"] = document["variants"][:1]
    return document


def events_of(folder):
    lines = (folder / "events.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def measured(folder):
    """(variant, repeat) of each measurement, in order."""
    return [(event["variant"], event["repeat"]) for event in events_of(folder) if event["event"] == "measurement"]


def await_true(condition, seconds=PATIENCE_S):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


class SshTest(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="stagelane-ssh-"))
        (self.root / "sshd").mkdir()
        self.sshd = Sshd(self.root / "sshd")
        self.workspace = self.root / "workspace"
        self.environment = dict(os.environ, STAGELANE_WORKSPACE=str(self.workspace), STAGELANE_SSH=self.sshd.command)
        self.environment.pop("STAGELANE_ENGINE", None)
        self.started = []
        self.use_engine(BIN / "stagelane-engine")

    def tearDown(self):
        for process in self.started:
            if process.poll() is None:
                process.kill()
                process.wait()
        self.sshd.close()
        for run in self.sshd.runs:  # of a test that failed
            if (run / "pid").exists():
                subprocess.run(["kill", "-KILL", "--", "-" + (run / "pid").read_text().strip()], check=False,
                               stderr=subprocess.DEVNULL)
        shutil.rmtree(self.root, ignore_errors=True)

    def use_engine(self, path, host="box"):
        """What `stagelane devices --host` keeps, without asking the host."""
        self.workspace.mkdir(exist_ok=True)
        (self.workspace / "hosts.json").write_text(
            json.dumps({"stagelane_hosts": 1, "hosts": [{"name": host, "engine": str(path)}]}))

    def script(self, name, text):
        path = self.root / "a folder" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
        return path

    def start(self, *arguments):
        """In the background; what it says goes to self.notes."""
        self.notes = self.root / f"notes{len(self.started)}"
        self.output = self.root / f"output{len(self.started)}"
        with open(self.output, "w") as output, open(self.notes, "w") as notes:
            process = subprocess.Popen([STAGELANE, *map(str, arguments)], env=self.environment, stdout=output,
                                       stderr=notes)
        self.started.append(process)
        return process

    def stagelane(self, *arguments):
        process = self.start(*arguments)
        process.wait(PATIENCE_S)
        return process.returncode, self.output.read_text(), self.notes.read_text()

    def write(self, document):
        path = self.root / "experiment.json"
        path.write_text(json.dumps(document))
        return path

    def start_long(self, repeat=12):
        """A run that has begun to measure."""
        self.folder = self.root / "run"
        process = self.start("run", self.write(long_experiment(repeat)), "--out", self.folder)
        self.await_measurements(2)
        return process

    def await_measurements(self, count):
        def there():
            return (self.folder / "events.jsonl").exists() and \
                (self.folder / "events.jsonl").read_text().count('"measurement"') >= count
        self.assertTrue(await_true(there), self.notes.read_text())

    def await_note(self, text, seconds=PATIENCE_S):
        self.assertTrue(await_true(lambda: text in self.notes.read_text(), seconds), self.notes.read_text())

    def assert_complete(self, repeat=12):
        """Every repeat was measured once, nothing is left on the host, and the folder says what its events say."""
        result = json.loads((self.folder / "result.json").read_text())
        self.assertEqual(result["status"], "done")
        lengths = {variant["id"]: len(variant["seconds"]) for variant in result["variants"]}
        self.assertIn("single", lengths)
        self.assertEqual(set(lengths.values()), {repeat})
        self.assertEqual(sorted(measured(self.folder)),
                         sorted((variant, n) for variant in lengths for n in range(1, repeat + 1)))
        times = [event["t_ns"] for event in events_of(self.folder)]
        self.assertEqual(times, sorted(times))
        self.assert_nothing_left()

    def assert_nothing_left(self):
        self.assertEqual(self.sshd.runs, [])
        self.assertFalse((self.folder / ".remote").exists())
        self.assertEqual(json.loads((self.folder / "remote.json").read_text())["state"], "over")

    # --- runs to the end -------------------------------------------------------------------------

    def test_a_run_on_a_host_ends_as_one_here(self):
        engine = self.script("an engine", f'exec "{BIN}/stagelane-engine" "$@"\n')
        self.use_engine(engine)
        self.folder = self.root / "a run"
        code, output, notes = self.stagelane("run", self.write(experiment()), "--out", self.folder, "--json")
        self.assertEqual(code, 0, notes)
        there = json.loads(output)
        code, output, notes = self.stagelane("run", self.write(experiment(host="")), "--out", self.root / "here",
                                             "--json")
        self.assertEqual(code, 0, notes)
        here = json.loads(output)
        self.assertEqual(there["devices"], ["box/cpu:0", "box/cpu:1"])
        self.assertEqual(there["folder"], str(self.folder))
        for one, other in zip(there["variants"], here["variants"], strict=True):
            self.assertEqual(one["id"], other["id"])
            self.assertEqual(one["loss"], other["loss"])
            self.assertEqual(["box/" + device["id"] for device in other["devices"]],
                             [device["id"] for device in one["devices"]])
        names = {str(path.relative_to(self.root / "here")) for path in (self.root / "here").rglob("*")}
        self.assertEqual({str(path.relative_to(self.folder)) for path in self.folder.rglob("*")},
                         names | {"remote.json"})
        self.assertEqual(json.loads((self.folder / "result.json").read_text()), there)
        self.assert_nothing_left()

    def test_devices_of_a_host_are_listed_and_kept(self):
        (self.workspace / "hosts.json").unlink()
        engine = BIN / "stagelane-engine"
        code, output, notes = self.stagelane("devices", "--host", "box", "--engine", engine, "--json")
        self.assertEqual(code, 0, notes)
        document = json.loads(output)
        self.assertEqual((document["host"], document["engine"]), ("box", str(engine)))
        self.assertEqual(document["devices"][0]["id"], "box/cpu:0")
        kept = json.loads((self.workspace / "hosts.json").read_text())["hosts"]
        self.assertEqual([host["name"] for host in kept], ["box"])
        self.assertEqual(kept[0]["devices"][0]["id"], "cpu:0")

    def test_predictions_need_only_the_names(self):
        self.sshd.close()
        code, output, notes = self.stagelane("predict", self.write(experiment()), "--json")
        self.assertEqual(code, 0, notes)
        pipe = next(variant for variant in json.loads(output)["variants"] if variant["id"] == "pipe")
        self.assertEqual([device["id"] for device in pipe["devices"]], ["box/cpu:0", "box/cpu:1"])
        self.assertEqual(pipe["basis"], "estimate")

    # --- connections -----------------------------------------------------------------------------

    def test_no_event_is_lost_or_repeated_when_the_connection_is_cut_twice(self):
        process = self.start_long()
        for count in (4, 9):
            self.await_measurements(count)
            self.assertGreater(self.sshd.kill_sessions(), 0)
        self.assertEqual(process.wait(PATIENCE_S), 0, self.notes.read_text())
        self.assertIn("the connection to box was lost", self.notes.read_text())
        self.assertEqual(self.notes.read_text().count("following the run on box"), 2)
        self.assert_complete()

    def test_a_silent_connection_is_said_in_time_and_taken_up_again(self):
        process = self.start_long()
        self.assertGreater(self.sshd.stop_sessions(), 0)
        stopped = time.monotonic()
        self.await_note("the connection to box was lost")
        self.assertLess(time.monotonic() - stopped, LIMIT_S)
        self.assertEqual(process.wait(PATIENCE_S), 0, self.notes.read_text())
        self.assert_complete()

    def test_another_process_takes_up_the_run_of_a_killed_one(self):
        process = self.start_long()
        process.kill()
        process.wait()
        seen = len(measured(self.folder))
        code, output, _ = self.stagelane("run", "--resume", self.folder)
        self.assertEqual(code, 0, self.notes.read_text())
        self.assertGreater(seen, 0)
        self.assert_complete()

    def test_a_run_that_was_left_reads_as_running(self):
        self.folder = None
        process = self.start("run", self.write(long_experiment(repeat=40)))
        self.assertTrue(await_true(lambda: list(self.workspace.glob("runs/*/events.jsonl"))), self.notes.read_text())
        self.folder = next(self.workspace.glob("runs/*"))
        self.await_measurements(2)
        process.kill()
        process.wait()
        _, output, _ = self.stagelane("runs", "--json")
        self.assertEqual([run["status"] for run in json.loads(output)["runs"]], ["running"])
        process = self.start("run", "--resume", self.folder)
        self.await_measurements(len(measured(self.folder)) + 2)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(PATIENCE_S), 130, self.notes.read_text())
        self.assert_nothing_left()

    # --- cancel ----------------------------------------------------------------------------------

    def test_a_canceled_run_keeps_its_measurements_and_can_be_resumed(self):
        process = self.start_long()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(PATIENCE_S), 130, self.notes.read_text())
        result = json.loads((self.folder / "result.json").read_text())
        self.assertEqual(result["status"], "canceled")
        self.assert_nothing_left()
        code, _, notes = self.stagelane("run", "--resume", self.folder)
        self.assertEqual(code, 0, notes)
        self.assert_complete()

    def test_a_cancel_waits_for_the_host(self):
        process = self.start_long(repeat=1000)
        self.sshd.close()
        self.await_note("the connection to box was lost")
        process.send_signal(signal.SIGINT)
        self.await_note("canceling")
        self.assertEqual(len(self.sshd.runs), 1)
        self.sshd.start()
        self.assertEqual(process.wait(PATIENCE_S), 130, self.notes.read_text())
        self.assert_nothing_left()

    def test_a_second_cancel_leaves_a_run_whose_host_is_not_reached(self):
        process = self.start_long(repeat=1000)
        self.sshd.close()
        self.await_note("the connection to box was lost")
        for _ in range(2):
            process.send_signal(signal.SIGINT)
            self.await_note("canceling")
            time.sleep(0.2)
        self.assertEqual(process.wait(PATIENCE_S), 130)
        self.assertIn("stagelane run --resume", self.notes.read_text())
        self.sshd.start()
        code, _, notes = self.stagelane("run", "--resume", self.folder)
        self.assertEqual(code, 130, notes)
        self.assert_nothing_left()

    def test_an_engine_that_was_killed_fails_the_run(self):
        process = self.start_long(repeat=1000)
        os.killpg(int((self.sshd.runs[0] / "pid").read_text()), signal.SIGKILL)
        self.assertEqual(process.wait(PATIENCE_S), 6, self.notes.read_text())
        result = json.loads((self.folder / "result.json").read_text())
        self.assertEqual(result["failure"]["kind"], "killed")
        self.assertTrue(any(variant["seconds"] for variant in result["variants"]))
        self.assert_nothing_left()

    # --- refusals --------------------------------------------------------------------------------

    def refused(self, *words, host="box"):
        """The run ends with exit code 6 and says all of these; nothing is left of it."""
        code, _, notes = self.stagelane("run", self.write(experiment(host=host)))
        self.assertEqual(code, 6, notes)
        for word in words:
            self.assertIn(word, notes)
        self.assertEqual(list(self.workspace.glob("runs/*")), [])
        self.assertEqual(self.sshd.runs, [])

    def test_another_version_is_named_with_this_one(self):
        self.use_engine(self.script("old", 'echo "stagelane-engine 0.0.7 (abcdef)"\n'))
        version = subprocess.run([BIN / "stagelane-engine", "version"], check=True, capture_output=True, text=True)
        self.refused("stagelane-engine 0.0.7 (abcdef)", version.stdout.strip(), "./dev device-bundle")

    def test_a_missing_engine_is_named(self):
        self.use_engine("/nowhere/stagelane-engine")
        self.refused("/nowhere/stagelane-engine", "stagelane devices --host box --engine PATH")

    def test_refusals_of_ssh_say_what_to_do(self):
        for host, words in {"refuses": ("refuses does not accept the login", "ssh-copy-id refuses"),
                            "new": ("the host key of new is not known", "ssh new"),
                            "off": ("no ssh server answers on off",),
                            "no.such.host.invalid": ("there is no host no.such.host.invalid",)}.items():
            with self.subTest(host):
                self.refused(*words, host=host)

    def test_devices_of_several_hosts_are_refused(self):
        document = experiment()
        document["devices"][1] = "other/cpu:1"
        code, _, notes = self.stagelane("run", self.write(document))
        self.assertEqual(code, 3, notes)
        self.assertIn("torchrun", notes)

    def test_an_experiment_that_the_engine_refuses_leaves_nothing(self):
        document = experiment()
        document["devices"].append("box/cuda:99")
        code, _, notes = self.stagelane("run", self.write(document))
        self.assertEqual(code, 4, notes)
        self.assertEqual(self.sshd.runs, [])

    def test_an_engine_without_the_name_of_its_host_refuses_devices_of_one(self):
        ended = subprocess.run([BIN / "stagelane-engine", "run", self.write(experiment()), "--out", self.root / "out"],
                               capture_output=True, text=True, check=False)
        self.assertEqual(ended.returncode, 3)
        self.assertIn("box/cpu:0", ended.stderr)


if __name__ == "__main__":
    if find_sshd() is None or shutil.which("ssh") is None:
        print("skipped: no sshd (openssh-server) on this machine")
        sys.exit(SKIPPED)
    unittest.main()
