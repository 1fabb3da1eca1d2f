"""A pipeline in two processes whose hosts a slow cable joins: network namespaces, and frames that come late.

Used by slow_cable_test.py (few cuts of the cable) and slow_cable_long.py (many). Needs root, and a kernel that permits namespaces. The addresses are of TEST-NET-1 and exist in these namespaces only.
"""

import concurrent.futures
import itertools
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import time
import unittest

import _ranks
from _ranks import (BIN, ENGINE, PATIENCE_S, RanksTest, await_true, endless, events_of, experiment, pipeline,
                    torchrun_like)

BRIDGE = BIN / "stagelane_delay_bridge"
ADDRESSES = ("192.0.2.1", "192.0.2.2")
PORT = 29555
DELAY_US = 20_000
# From the cut to the end of both ranks: the limits of heartbeats and of calls to the store.
LIMIT_S = 10.0
CUTS = 5
CUTS_AT_ONCE = 5


def ip(*arguments, check=True):
    return subprocess.run(["ip", *map(str, arguments)], check=check, capture_output=True, text=True)


class Cable:
    """Two namespaces, and a third between them in which the frames wait."""

    numbers = itertools.count()

    def __init__(self, delay_us, megabytes_per_s=0):
        name = f"sl-{os.getpid()}-{next(self.numbers)}"
        self.first, self.second, self.middle = (f"{name}-{part}" for part in "abm")
        self.bridge = None
        try:
            self.join()
            self.bridge = subprocess.Popen(["ip", "netns", "exec", self.middle, str(BRIDGE), "west", "east",
                                            str(delay_us), str(megabytes_per_s)], stdout=subprocess.PIPE, text=True)
            assert self.bridge.stdout.readline() == "ready\n"
        except BaseException:
            self.remove()
            raise

    def join(self):
        for namespace in (self.first, self.second, self.middle):
            ip("netns", "add", namespace)
        for namespace, address, end in ((self.first, ADDRESSES[0], "west"), (self.second, ADDRESSES[1], "east")):
            ip("link", "add", "eth0", "netns", namespace, "type", "veth", "peer", "name", end, "netns", self.middle)
            ip("-n", namespace, "addr", "add", address + "/30", "dev", "eth0")
            ip("-n", namespace, "link", "set", "lo", "up")
            ip("-n", namespace, "link", "set", "eth0", "up")
            ip("-n", self.middle, "link", "set", end, "up")

    def cut(self):
        ip("-n", self.middle, "link", "set", "west", "down")

    def remove(self):
        if self.bridge is not None:
            self.bridge.kill()
            self.bridge.wait()
            self.bridge.stdout.close()
        for namespace in (self.first, self.second, self.middle):
            ip("netns", "del", namespace, check=False)

    @staticmethod
    def reason_against():
        """Why there can be none here, or None."""
        if not BRIDGE.exists():
            return f"there is no {BRIDGE}"
        if os.geteuid() != 0 or shutil.which("ip") is None:
            return "network namespaces need root and the program ip"
        try:
            Cable(0).remove()
        except (subprocess.CalledProcessError, OSError, AssertionError) as error:
            return f"network namespaces are not permitted here ({getattr(error, 'stderr', error)})"
        return None


class SlowCableTest(RanksTest):
    def setUp(self):
        super().setUp()
        self.cable = Cable(DELAY_US)

    def tearDown(self):
        super().tearDown()
        self.cable.remove()

    def start_both(self, document):
        path = self.write(document)
        spaces = (self.cable.first, self.cable.second)
        return [self.start("ip", "netns", "exec", space, ENGINE, "run", path, "--out", self.folder,
                           **torchrun_like(rank, 2, PORT, ADDRESSES[0], LOCAL_RANK=0))
                for rank, space in enumerate(spaces)]

    def transfers_ms(self, category):
        return [(row["end"] - row["start"]) * 1e-6 for row in self.spans("pipe-1f1b") if row["category"] == category]

    def test_the_bridge_delays_each_direction(self):
        """Without the engine, so that a failure below is not the cable's."""
        echoed = subprocess.run(["ip", "netns", "exec", self.cable.second, sys.executable, "-c", ROUND_TRIPS],
                                capture_output=True, text=True, check=True, timeout=60)
        shortest = float(echoed.stdout)
        self.assertGreaterEqual(shortest, 2 * DELAY_US * 1e-6)
        self.assertLess(shortest, 2 * DELAY_US * 1e-6 * 1.5)

    def test_a_pipeline_trains_over_it_and_shows_the_delay_as_transfer(self):
        document = experiment(2, [pipeline()], repeat=2)
        document["data"]["batches"] = 4
        self.run_to_end(document)
        alone = self.variant("pipe-1f1b")
        for engine in self.start_both(document):
            self.assertEqual(engine.wait(timeout=PATIENCE_S), 0, self.everything_said())
        variant = self.variant("pipe-1f1b")
        self.assertTrue(variant["gradient_check"]["bit_equal"])
        self.assertEqual(variant["loss"], alone["loss"])
        clock = variant["ranks"][1]["clock"]
        print(f"clock: offset {clock['offset_ns'] * 1e-6:.2f} ms, error {clock['error_ns'] * 1e-6:.2f} ms", flush=True)
        # Half of the round trip; both namespaces have the same clock.
        self.assertLess(abs(clock["error_ns"] - DELAY_US * 1000), 0.5 * DELAY_US * 1000)
        self.assertLessEqual(abs(clock["offset_ns"]), clock["error_ns"])
        delay_ms = DELAY_US * 1e-3
        for category in ("RECV_F", "RECV_B"):
            median = statistics.median(self.transfers_ms(category))
            print(f"{category}: median {median:.2f} ms over a cable of {delay_ms:.0f} ms", flush=True)
            self.assertLess(abs(median - delay_ms), 0.2 * delay_ms)
        idle = [device["idle"]["transfer"] for device in variant["devices"]]
        self.assertGreater(max(idle), 0.5 * DELAY_US * 1000, variant["devices"])
        self.assert_nothing_left()

    def cut_while_training(self):
        """@returns the seconds from the cut to the end of both ranks"""
        engines = self.start_both(endless(2, pipeline(), data={"labels": "normal", "batch_size": 12, "batches": 2}))
        self.assertTrue(await_true(lambda: any(event["event"] == "measurement" for event in events_of(self.folder))),
                        self.everything_said())
        struck = time.monotonic()
        self.cable.cut()
        ended = await_true(lambda: all(engine.poll() is not None for engine in engines), LIMIT_S + 20)
        took = time.monotonic() - struck
        self.assertTrue(ended and took <= LIMIT_S, self.everything_said())
        self.assertEqual([engine.returncode for engine in engines], [6, 6], self.everything_said())
        errors = [event for event in events_of(self.folder) if event["event"] == "error"]
        self.assertEqual([(error["rank"], error["host"]) for error in errors], [(1, socket.gethostname())])
        self.assertTrue(errors[0]["device"] and "stage" in errors[0], errors)
        self.assertIn("rank 0", engines[1].said.read_text())
        result = self.result()
        self.assertEqual(result["status"], "failed")
        self.assertGreater(len(self.variant("pipe-1f1b")["seconds"]), 0)
        self.assert_nothing_left()
        return took


def cut_once(_number):
    run = SlowCableTest("cut_while_training")
    run.setUp()
    try:
        return run.cut_while_training()
    finally:
        run.tearDown()


class CutCableTest(unittest.TestCase):
    def test_a_cut_cable_is_named_within_the_limits(self):
        with concurrent.futures.ThreadPoolExecutor(CUTS_AT_ONCE) as pool:
            times = sorted(pool.map(cut_once, range(CUTS)))
        print(f"a cut cable: {len(times)} faults ended after {times[0]:.2f} to {times[-1]:.2f} s (limit {LIMIT_S:.0f} "
              "s)", flush=True)


ROUND_TRIPS = f"""
import socket, time
def one():
    begin = time.monotonic()
    try:
        socket.create_connection(("{ADDRESSES[0]}", 9), timeout=10).close()
    except ConnectionRefusedError:
        return time.monotonic() - begin
print(min(one() for _ in range(6)))
"""


def main(cuts):
    global CUTS
    CUTS = cuts
    reason = Cable.reason_against()
    if reason is not None:
        print(f"skipped: {reason}")
        sys.exit(_ranks.SKIPPED)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    _ranks.main(__name__)
