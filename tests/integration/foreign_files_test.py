#!/usr/bin/env python3
"""Folders, traces and names that somebody else made: nothing is written through their links, and nothing in them
commands the terminal or a spreadsheet. And surroundings that a program does not expect: closed standard streams,
a workspace that another program holds.

Run by ctest with STAGELANE_BIN_DIR, or by hand: STAGELANE_BIN_DIR=build/release/bin foreign_files_test.py
"""

import csv
import fcntl
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest

from cli_test import ENGINE, PATIENCE_S, STAGELANE, CommandLineTest

CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")
PRECIOUS = b"precious\n"


def content(folder):
    """What is in a folder: the target of a link, the bytes of a file."""
    paths = sorted(pathlib.Path(folder).rglob("*"))
    return {str(path): os.readlink(path) if path.is_symlink() else path.read_bytes()
            for path in paths if path.is_symlink() or path.is_file()}


def catches(process, number):
    """Whether the process handles the signal."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    caught = int(re.search(r"^SigCgt:\s*([0-9a-f]+)", status, re.MULTILINE).group(1), 16)
    return bool(caught >> (number - 1) & 1)


class ForeignTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.environment["XDG_CACHE_HOME"] = str(self.root / "cache")
        self.precious = self.root / "precious"
        self.precious.write_bytes(PRECIOUS)

    def expect_precious(self):
        self.assertEqual(self.precious.read_bytes(), PRECIOUS)


class ForeignTraceTest(ForeignTest):
    def test_the_cache_of_a_large_trace_is_not_written_through_a_link(self):
        trace = self.root / "big.json"
        event = {"name": "a", "ph": "X", "pid": 1, "tid": 1, "ts": 1, "dur": 1}
        trace.write_text('{"traceEvents":[' + json.dumps(event) + " " * (33 << 20) + "]}")
        cache = self.root / "big.json.stagelane-cache"
        cache.symlink_to(self.precious)
        for _ in range(2):
            self.succeed("convert", trace, "--to", "csv", "-o", self.root / "big.csv")
            self.expect_precious()
            self.assertTrue(cache.is_symlink())
        self.assertEqual(len(list((self.root / "cache").rglob("*.stagelane-cache"))), 1)


@unittest.skipUnless(ENGINE.exists(), "stagelane-engine is not built")
class ForeignRunTest(ForeignTest):
    def setUp(self):
        super().setUp()
        self.made = self.root / "made"
        self.succeed("run", self.experiment(), "--out", self.made)
        # Somebody else's run whose engine was killed, with a result.json from before the end.
        self.folder = self.root / "foreign"
        shutil.copytree(self.made, self.folder)
        events = (self.folder / "events.jsonl").read_text().splitlines(keepends=True)
        self.assertIn('"finished"', events[-1])
        (self.folder / "events.jsonl").write_text("".join(events[:-1]))

    def read_by_every_command(self, folder):
        self.succeed("report", folder, "--out", self.root / "r.html")
        self.succeed("chart", folder, "--kind", "time", "--out", self.root / "c.svg")
        self.succeed("compare", folder, folder)
        self.succeed("analyze", folder, "--variant", "pipe")

    def test_a_foreign_folder_is_only_read(self):
        before = content(self.folder)
        self.read_by_every_command(self.folder)
        self.assertEqual(content(self.folder), before)
        (self.folder / "result.json").unlink()
        before = content(self.folder)
        self.read_by_every_command(self.folder)
        self.assertEqual(content(self.folder), before)

    def test_where_a_run_was_made_its_result_is_brought_up_to_date(self):
        shutil.copy(self.folder / "events.jsonl", self.made / "events.jsonl")
        self.succeed("chart", self.made, "--kind", "time", "--out", self.root / "c.svg")
        self.assertEqual(self.result(self.made)["status"], "failed")

    def test_reading_does_not_write_through_a_link(self):
        for target in (self.precious, self.root / "absent"):
            (self.folder / "result.json").unlink()
            (self.folder / "result.json").symlink_to(target)
            before = content(self.folder)
            self.read_by_every_command(self.folder)
            self.assertEqual(content(self.folder), before)
            self.expect_precious()
            self.assertFalse((self.root / "absent").exists())

    def test_in_the_workspace_a_link_is_replaced_and_its_target_kept(self):
        mine = self.workspace / "runs" / "20261120-101500-foreign"
        shutil.copytree(self.folder, mine)
        (mine / "result.json").unlink()
        (mine / "result.json").symlink_to(self.precious)
        self.succeed("runs")
        self.expect_precious()
        self.assertFalse((mine / "result.json").is_symlink())
        self.assertEqual(self.result(mine)["status"], "failed")
        # A link to a folder elsewhere is not the workspace's own.
        before = content(self.folder)
        (self.workspace / "runs" / "20261120-101501-link").symlink_to(self.folder)
        self.succeed("runs")
        self.assertEqual(content(self.folder), before)

    def test_a_known_folder_that_became_somebody_elses_is_only_read(self):
        known = self.root / "known"
        self.succeed("run", self.experiment(), "--out", known)
        shutil.rmtree(known)
        shutil.copytree(self.folder, known)
        (known / "result.json").unlink()
        (known / "result.json").symlink_to(self.precious)
        before = content(known)
        self.succeed("runs")
        self.assertEqual(content(known), before)
        self.expect_precious()

    def test_resuming_refuses_what_leads_elsewhere(self):
        for name in ("events.jsonl", "engine.log", "traces", "traces/pipe.pftrace"):
            place, outside = self.folder / name, self.root / "outside"
            place.rename(outside)
            place.symlink_to(outside)
            before, elsewhere = content(self.folder), outside.is_file() and outside.read_bytes()
            self.refuse(8, ["a symbolic link is in its place", name], "run", "--resume", self.folder, "--json")
            engine = subprocess.run([str(ENGINE), "run", "--resume", str(self.folder)], env=self.environment,
                                    capture_output=True, text=True, timeout=PATIENCE_S)
            self.assertEqual(engine.returncode, 8, engine.stderr)
            self.assertEqual(content(self.folder), before, name)
            self.assertEqual(outside.is_file() and outside.read_bytes(), elsewhere, name)
            place.unlink()
            outside.rename(place)

    def test_resuming_replaces_a_result_that_is_a_link(self):
        (self.folder / "result.json").unlink()
        (self.folder / "result.json").symlink_to(self.precious)
        self.succeed("run", "--resume", self.folder)
        self.expect_precious()
        self.assertFalse((self.folder / "result.json").is_symlink())
        self.assertEqual(self.result(self.folder)["status"], "done")

    def test_a_sweep_that_is_refused_leaves_no_folder(self):
        self.workspace.mkdir(exist_ok=True)
        with open(self.workspace / "run.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            code, out, err = self.stagelane("sweep", self.experiment(), "--variant", "pipe", "--split", "5,10")
        self.assertEqual((code, out), (8, ""), err)
        self.assertEqual(list((self.workspace / "sweeps").iterdir()), [])
        self.assertNotIn("sweep in", err)

    def test_a_sweep_that_cannot_be_written_leaves_no_folder(self):
        def limit_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))
        code, _, err = self.stagelane("sweep", self.experiment(), "--variant", "pipe", "--split", "5,10",
                                      preexec_fn=limit_files)
        self.assertEqual(code, 8, err)
        sweeps = self.workspace / "sweeps"
        self.assertEqual(list(sweeps.iterdir()) if sweeps.exists() else [], [])

    def test_a_signal_before_anything_is_measured_cancels(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            # The tests may run under nohup, which ignores SIGHUP.
            process = self.start("run", self.experiment(), "--out", self.root / f"early-{number}",
                                 preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))
            deadline = time.monotonic() + PATIENCE_S
            while not catches(process.pid, number):
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.001)
            process.send_signal(number)
            _, err = process.communicate(timeout=PATIENCE_S)
            self.assertEqual(process.returncode, 130, err)
            self.assertIn("canceled", err)

    def test_closed_standard_streams_do_not_disturb_a_run_or_a_calibration(self):
        def close_all():
            for number in (0, 1, 2):
                os.close(number)
        began = time.monotonic()
        for arguments in (("run", self.experiment(), "--out", self.root / "closed"),
                          ("calibrate", self.experiment(), "--seconds", "1", "--only-occurring")):
            process = subprocess.Popen([str(STAGELANE), *map(str, arguments)], env=self.environment,
                                       preexec_fn=close_all)
            try:
                self.assertEqual(process.wait(timeout=PATIENCE_S), 0, arguments)
            finally:
                process.kill()
        print(f"without streams: {time.monotonic() - began:.1f} s", flush=True)
        self.assertEqual(self.result(self.root / "closed")["status"], "done")
        predicted = self.succeed_json("predict", self.experiment(), "--no-calibrate")
        self.assertIn("calibrated", [variant["basis"] for variant in predicted["variants"]])


class NamesTest(CommandLineTest):
    EVIL = "x\033[2J\033]0;title\a\nstagelane: error: forged\r\x7f\x9b1m"

    def expect_harmless(self, text):
        self.assertEqual(CONTROL.findall(text), [], text)
        self.assertFalse(any(line.startswith("stagelane: error: forged") for line in text.splitlines()), text)

    def test_file_names_in_errors_are_shown(self):
        path = self.root / (self.EVIL + ".json")
        for arguments in (("predict", path), ("run", path), ("analyze", path), ("convert", path, "-o", path),
                          ("schedule", str(path)[:-5] + ".csv"), ("compare", path, path)):
            code, out, err = self.stagelane(*arguments)
            self.assertEqual((code, out), (3, ""), err)
            self.assertIn("␛[2J", err)
            self.expect_harmless(err)

    def test_names_of_variants_and_experiments_are_shown(self):
        def rename(document):
            document["name"] = self.EVIL
            document["variants"][1]["name"] = self.EVIL + "2"
        path = self.experiment(rename)
        out = self.succeed("predict", path, "--no-calibrate")
        self.assertIn("␛[2J", out)
        self.expect_harmless(out)
        document = self.succeed_json("predict", path, "--no-calibrate")
        self.assertIn(self.EVIL + "2", [variant["name"] for variant in document["variants"]])
        self.expect_harmless(self.succeed("suggest", path))

        def break_it(document):
            rename(document)
            document["variants"][1]["placement"][self.EVIL] = "cpu:0"
        code, _, err = self.stagelane("predict", self.experiment(break_it))
        self.assertEqual(code, 3)
        self.expect_harmless(err)

    def test_names_in_a_trace_are_shown(self):
        trace = self.root / "t.json"
        trace.write_text(json.dumps([
            {"name": "process_name", "ph": "M", "pid": 1, "args": {"name": self.EVIL}},
            {"name": self.EVIL, "cat": "F", "ph": "X", "pid": 1, "tid": 1, "ts": 1, "dur": 5}]))
        out = self.succeed("analyze", trace)
        self.assertIn("␛[2J", out)
        self.expect_harmless(out)
        self.expect_harmless(self.succeed("compare", trace, trace))

    def test_a_csv_holds_no_formulas_and_gives_the_names_back(self):
        names = ["=1+2", "+x", "-x", "@x", "'=x", "\t=x", "plain", "=HYPERLINK(\"u\",\"n\")"]
        trace = self.root / "t.json"
        trace.write_text(json.dumps([{"name": name, "ph": "X", "pid": 1, "tid": 1, "ts": at, "dur": 1}
                                     for at, name in enumerate(names)]))
        code, out, err = self.stagelane("convert", trace, "--to", "csv", "-o", "-", cwd=self.root)
        self.assertEqual(code, 0, err)
        self.assertFalse((self.root / "-").exists())
        rows = list(csv.DictReader(out.splitlines()))
        self.assertEqual([row["name"][1:] if row["name"].startswith("'") else row["name"] for row in rows], names)
        for row in rows:
            self.assertNotIn(row["name"][:1], ("=", "+", "-", "@", "\t"))
        table = self.root / "t.csv"
        self.succeed("convert", trace, "-o", table)
        self.assertEqual(table.read_text(), out)

    def test_standard_output_is_continued_and_not_replaced(self):
        trace = self.root / "t.json"
        trace.write_text(json.dumps([{"name": "a", "ph": "X", "pid": 1, "tid": 1, "ts": 1, "dur": 1}]))
        table = self.root / "rows.csv"
        table.write_text("before\n")
        with open(table, "a") as file:
            process = subprocess.run([str(STAGELANE), "convert", str(trace), "--to", "csv", "-o", "-"],
                                     env=self.environment, stdout=file, cwd=self.root, timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 0)
        lines = table.read_text().splitlines()
        self.assertEqual((lines[0], lines[1][:9]), ("before", "start_ns,"))
        self.refuse(2, ["--to"], "convert", trace, "-o", "-")
        self.refuse(2, ["--per-device"], "convert", trace, "--per-device", "-o", "-")
        for arguments in (["predict", "toy", "--trace", "-"], ["run", "toy", "--out", "-"], ["toy", "--shot", "-"],
                          ["report", self.root, "-o", "-"], ["toy", "--ui-map", "-"]):
            self.refuse(2, ["cannot write to standard output"], *arguments)
        self.assertFalse((self.root / "-").exists())

    def test_an_empty_path_is_not_an_absent_one(self):
        for arguments in (["predict", "toy", "--costs", ""], ["suggest", "toy", "--costs", ""],
                          ["place", "toy", "--batch", "4", "--devices", "cpu:0", "--costs", ""],
                          ["sweep", "toy", "--variant", "pipeline", "--split", "5", "--resume", ""],
                          ["run", "--resume", ""], ["", "--shot", self.root / "x.png"]):
            self.refuse(2, ["the path is empty"], *arguments)


if __name__ == "__main__":
    if not STAGELANE.exists():
        print(f"there is no {STAGELANE}")
        sys.exit(77)
    unittest.main(verbosity=2)
