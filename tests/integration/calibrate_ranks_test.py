#!/usr/bin/env python3
"""Calibrations with several processes: what they measure between ranks, launchers, lost ranks, and what they leave.

Run by ctest with STAGELANE_BIN_DIR, or by hand: STAGELANE_BIN_DIR=build/release/bin calibrate_ranks_test.py
"""

import glob
import json
import os
import pathlib
import signal
import subprocess
import tempfile

import _ranks
from _ranks import ENGINE, PATIENCE_S, STAGELANE, RanksTest, experiment, free_port, pipeline, torchrun_like

# Between two processes of one host: far wider than any machine needs.
SHORTEST_NS = 500
LONGEST_NS = 50_000_000
SLOWEST_BYTES_PER_S = 1e6
FASTEST_BYTES_PER_S = 1e12


def ddp():
    return {"name": "ddp", "strategy": "ddp"}


class CalibrateRanksTest(RanksTest):
    def setUp(self):
        super().setUp()
        self.table = self.root / "costs.json"
        self.temporary = set(self.folders_of_logs())

    @staticmethod
    def folders_of_logs():
        return glob.glob(str(pathlib.Path(tempfile.gettempdir()) / "stagelane-calibration-*"))

    def start_calibration(self, path, *arguments, before=(), **variables):
        out = open(self.root / f"events{len(self.started)}", "w+")
        self.addCleanup(out.close)
        command = [*before, ENGINE, "calibrate", path, "--out", self.table, "--seconds", "1", "--only-occurring",
                   *arguments]
        process = subprocess.Popen([str(part) for part in command], env=self.environment(**variables),
                                   stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, text=True)
        process.events = out
        self.addCleanup(process.stderr.close)
        self.started.append(process)
        return process

    def calibrate(self, document, *arguments, code=0, **variables):
        process = self.start_calibration(self.write(document), *arguments, **variables)
        said = process.communicate(timeout=PATIENCE_S)[1]
        self.assertEqual(process.returncode, code, said)
        self.assert_all_gone()
        return json.loads(self.table.read_text()) if code == 0 else said

    def assert_all_gone(self):
        self.assert_nothing_left()
        self.assertEqual(set(self.folders_of_logs()) - self.temporary, set())

    @staticmethod
    def events(process):
        # Not by its own descriptor, which shares its position with the engine.
        lines = pathlib.Path(process.events.name).read_text().split("\n")[:-1]
        return [json.loads(line) for line in lines]

    def check_link(self, link):
        self.assertTrue(SHORTEST_NS <= link["latency_ns"] <= LONGEST_NS, link)
        self.assertTrue(SLOWEST_BYTES_PER_S <= link["bytes_per_s"] <= FASTEST_BYTES_PER_S, link)

    def test_ranks_in_device_names_are_measured_in_processes_of_their_own(self):
        table = self.calibrate(experiment(["cpu:0", "cpu:1@1"], [pipeline()]))
        self.assertIn("ranks", [event["event"] for event in self.events(self.started[-1])])
        links = {(link.get("from"), link.get("to")): link for link in table["process_links"]}
        self.assertLessEqual({("cpu:0", "cpu:1@1"), ("cpu:1@1", "cpu:0")}, set(links))
        for link in links.values():
            self.check_link(link)

    def test_devices_are_dealt_to_as_many_processes_as_asked_for(self):
        table = self.calibrate(experiment(2, [pipeline(), ddp()]), "--ranks", "2")
        pairs = [(link["from"], link["to"]) for link in table["process_links"] if "from" in link]
        self.assertEqual(sorted(pairs), [("cpu:0", "cpu:1"), ("cpu:1", "cpu:0")])

    def test_ddp_has_sums_and_links_without_processes_of_its_own(self):
        table = self.calibrate(experiment(2, [ddp()]))
        self.assertNotIn("ranks", [event["event"] for event in self.events(self.started[-1])])
        self.assertEqual([set(link) for link in table["process_links"]], [{"latency_ns", "bytes_per_s"}])
        self.check_link(table["process_links"][0])
        sums = table["process_sums"]
        self.assertEqual(sums["processes"], 2)
        self.assertTrue(all(point["ns"] > 0 for point in sums["points"]), sums)
        for factor in ("busy_factor", "compute_factor"):
            self.assertGreaterEqual(sums[factor], 1.0)

    def test_predictions_take_the_links_of_ranks(self):
        path = self.write(experiment(["cpu:0", "cpu:1@1"], [pipeline()]))
        predict = [str(STAGELANE), "predict", str(path), "--json"]
        # The first one calibrates.
        document = json.loads(subprocess.run(predict, env=self.environment(), check=True, capture_output=True,
                                             timeout=PATIENCE_S).stdout)
        variant = next(each for each in document["variants"] if each["id"] == "pipe-1f1b")
        self.assertEqual(variant["basis"], "calibrated")
        self.assertNotIn("process_links", variant, "nothing is estimated")
        table = json.loads(next((self.root / "ws" / "calibrations").glob("*.json")).read_text())
        del table["process_links"], table["process_sums"]
        self.table.write_text(json.dumps(table))
        again = json.loads(subprocess.run([*predict, "--costs", str(self.table)], env=self.environment(), check=True,
                                          capture_output=True, timeout=PATIENCE_S).stdout)
        slower = next(each for each in again["variants"] if each["id"] == "pipe-1f1b")
        self.assertGreater(variant["step_ns"], slower["step_ns"], "a file without links has free ones")
        self.assert_all_gone()

    def test_a_launcher_starts_the_processes(self):
        port = free_port()
        path = self.write(experiment(2, [pipeline(), ddp()]))
        both = [self.start_calibration(path, **torchrun_like(rank, 2, port)) for rank in (0, 1)]
        for process in both:
            said = process.communicate(timeout=PATIENCE_S)[1]
            self.assertEqual(process.returncode, 0, said)
        self.assertEqual(self.events(both[0])[-1]["event"], "finished")
        self.assertEqual(self.events(both[1]), [], "only rank 0 writes events")
        table = json.loads(self.table.read_text())
        self.assertEqual(len([link for link in table["process_links"] if "from" in link]), 2)
        self.assert_nothing_left(port)

    def test_ranks_on_several_hosts_sum_between_these(self):
        elsewhere = ("unshare", "--uts", "sh", "-c", 'hostname elsewhere && exec "$@"', "sh")
        if subprocess.run([*elsewhere, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("may not give a process another host name")
        port = free_port()
        path = self.write(experiment(2, [ddp()]))
        first = self.start_calibration(path, **torchrun_like(0, 2, port))
        second = self.start_calibration(path, before=elsewhere, **torchrun_like(1, 2, port))
        for process in (first, second):
            said = process.communicate(timeout=PATIENCE_S)[1]
            self.assertEqual(process.returncode, 0, said)
        ranks = next(event for event in self.events(first) if event["event"] == "ranks")["ranks"]
        self.assertEqual(ranks[1]["host"], "elsewhere")
        sums = json.loads(self.table.read_text())["process_sums"]
        self.assertEqual(sums["processes"], 2)
        self.assertTrue(all(point["ns"] > 0 for point in sums["points"]), sums)
        self.assert_nothing_left(port)

    def test_too_few_processes_are_an_error(self):
        said = self.calibrate(experiment(["cpu:0", "cpu:1@2"], [pipeline()]), "--ranks", "2", code=3)
        self.assertIn("rank 2", said)

    def lose(self, when):
        """Kills rank 3 of four, which have twelve links to measure."""
        devices = ["cpu:0", "cpu:1@1", "cpu:0@2", "cpu:1@3"]
        process = self.start_calibration(self.write(experiment(devices, [pipeline()])))

        def last():
            return [pid for pid, environment in _ranks.marked(self.mark).items() if environment.get("RANK") == "3"]

        self.assertTrue(_ranks.await_true(last, pause=0.001))
        self.assertTrue(_ranks.await_true(lambda: when(process), pause=0.001))
        os.kill(last()[0], signal.SIGKILL)
        said = process.communicate(timeout=PATIENCE_S)[1]
        self.assertEqual(process.returncode, 6, said)
        self.assertIn("rank 3", said)
        self.assertIn("was killed by signal 9 (SIGKILL)", said)
        error = self.events(process)[-1]
        self.assertEqual(error["event"], "error")
        self.assertEqual((error["failure"]["kind"], error["failure"]["rank"]), ("rank_lost", 3))
        self.assertFalse(self.table.exists())
        self.assert_all_gone()

    def test_a_rank_that_is_lost_while_it_starts_is_named(self):
        self.lose(lambda _: True)

    def test_a_rank_that_is_lost_while_it_measures_is_named(self):
        self.lose(lambda process: any(event["event"] == "ranks" for event in self.events(process)))

    def test_a_cancel_ends_all_processes(self):
        process = self.start_calibration(self.write(experiment(["cpu:0", "cpu:1@1"], [pipeline()])))
        self.assertTrue(_ranks.await_true(lambda: len(_ranks.marked(self.mark)) == 2, pause=0.001))
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=PATIENCE_S)[1]
        self.assertEqual(process.returncode, 130, said)
        self.assertEqual(self.events(process)[-1]["event"], "canceled")
        self.assertFalse(self.table.exists())
        self.assert_all_gone()


if __name__ == "__main__":
    _ranks.main()
