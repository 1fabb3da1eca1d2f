"""Faults of runs in several processes: what is said, how soon all processes have ended, and that nothing is left.

Used by rank_faults_test.py (few repetitions) and rank_faults_long.py (many). Repetitions train a pipeline and ddp in
turns; several run at a time, because they mostly wait.
"""

import concurrent.futures
import json
import os
import resource
import signal
import time
import unittest
from pathlib import Path

import _ranks
from _ranks import (ENGINE, PATIENCE_S, PYTHON, RanksTest, await_true, endless, events_of, experiment, free_port,
                    is_alive, marked, pipeline, torchrun_like)

LIMIT_S = 10.0
# Until all ranks have started, and until rank 0 listens.
MEET_LIMIT_S = 60.0
CONNECT_LIMIT_S = 30.0
REPETITIONS = 5
AT_ONCE = 5

FAKE_FOLLOWER = """import datetime, json, os, sys, time
import torch.distributed as dist
port, hello = int(sys.argv[1]), sys.argv[2]
store = dist.PrefixStore("stagelane/0", dist.TCPStore("127.0.0.1", port, None, False, datetime.timedelta(seconds=60)))
assert "experiment" in json.loads(store.get("experiment"))
store.set("hello/1", hello)
time.sleep(60)
"""
FAKE_LEADER = """import datetime, sys, time
import torch.distributed as dist
port, document, hello = int(sys.argv[1]), sys.argv[2], sys.argv[3]
store = dist.PrefixStore("stagelane/0", dist.TCPStore("127.0.0.1", port, None, True, datetime.timedelta(seconds=60),
                                                      wait_for_workers=False))
store.set("experiment", document)
store.set("hello/0", hello)
time.sleep(60)
"""


def hello(rank, version="9.9.9", revision="feedface"):
    return json.dumps({"rank": rank, "host": "elsewhere", "pid": os.getpid(), "version": version,
                       "revision": revision, "boot_id": "none", "devices": "cpu:1"})


def computed_s(pid):
    """Seconds of processor time of a process."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def no_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def small_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (24 << 10, 24 << 10))


class Attempt(RanksTest):
    """One run with a fault; it has no tests."""

    def document(self, number, **data):
        """A pipeline in two processes or ddp in three, by turns."""
        ddp = number % 2 == 1
        self.size = 3 if ddp else 2
        self.trained = "ddp" if ddp else "pipe-1f1b"
        document = endless(self.size, {"name": "ddp", "strategy": "ddp"} if ddp else pipeline())
        # Steps of tens of milliseconds: the ranks soon train, and the first turn does not end before the
        # fault, unless `data` says so.
        document["model"].update({"width": 1024})
        document["data"].update({"batches": 600, **data})
        return document

    def train(self, document, own=True, limits=(), repeats=0):
        """Starts all ranks, as followers of rank 0 or each by itself, and waits until they train."""
        if own:
            self.engines = [self.start_engine(document, "--ranks", self.size, before=dict(limits).get(0))]
        else:
            self.port = free_port()
            path = self.write(document)
            self.engines = [self.start(ENGINE, "run", path, "--out", self.folder, before=dict(limits).get(rank),
                                       **torchrun_like(rank, self.size, self.port)) for rank in range(self.size)]
        self.assertTrue(await_true(lambda: self.trains(repeats) or self.engines[0].poll() is not None),
                        self.everything_said())
        self.assertIsNone(self.engines[0].poll(), self.everything_said())
        self.pids = {int(environment["RANK"]): pid for pid, environment in marked(self.mark).items()
                     if "RANK" in environment}
        if own:
            self.port = int(_ranks.environment_of(self.pids[1])["MASTER_PORT"])
            self.pids[0] = self.engines[0].pid
        self.assertEqual(len(self.pids), self.size)
        # Some steps and heartbeats, however busy the machine is.
        begin = {pid: computed_s(pid) for pid in self.pids.values()}
        self.assertTrue(await_true(lambda: all(computed_s(pid) - begin[pid] >= 0.7 for pid in begin)),
                        self.everything_said())

    def trains(self, repeats):
        events = events_of(self.folder)
        measured = sum(event["event"] == "measurement" and event["variant"] == self.trained for event in events)
        return measured >= repeats and any(event["event"] == "progress" for event in events)

    def strike(self, number, *ranks):
        self.struck = time.monotonic()
        for rank in ranks:
            os.kill(self.pids[rank], number)

    def await_end(self, pids=None, limit=LIMIT_S):
        """@returns the seconds from the fault until all processes have ended"""
        pids = list(self.pids.values()) if pids is None else pids

        def gone():
            for engine in self.engines:
                engine.poll()
            return not any(is_alive(pid) for pid in pids)
        ended = await_true(gone, limit + 20.0)
        took = time.monotonic() - self.struck
        self.assertTrue(ended and took <= limit, f"the fault has not ended after {took:.2f} s, limit {limit} s\n"
                        + self.everything_said())
        return took

    def codes(self):
        return [engine.wait(timeout=PATIENCE_S) for engine in self.engines]

    def error(self):
        errors = [event for event in events_of(self.folder) if event["event"] == "error"]
        self.assertEqual(len(errors), 1, self.everything_said())
        return errors[0]

    def check_lost(self, rank):
        """The events, the result and rank 0's log name the rank. @returns whether they name its action"""
        error = self.error()
        self.assertEqual((error["code"], error["rank"]), (6, rank), error)
        self.assertEqual(error["host"], os.uname().nodename)
        self.assertTrue(error["device"], error)
        self.assertIn(f"rank {rank}", error["reason"])
        self.assertIn(error["reason"], self.engines[0].said.read_text())
        self.assertIn("stage", error)
        result = self.result()
        self.assertEqual(result["status"], "failed")
        self.assertEqual(result["failure"]["rank"], rank)
        return "action" in error

    def check_kept(self):
        """What was measured is in the result."""
        seconds = [event["seconds"] for event in events_of(self.folder)
                   if event["event"] == "measurement" and event["variant"] == self.trained]
        variant = self.variant(self.trained)
        self.assertGreater(len(seconds), 0)
        self.assertEqual(variant["seconds"], seconds)
        self.assertTrue(all(rank["pid"] == self.pids[rank["rank"]] for rank in variant["ranks"]))


class FaultsTest(unittest.TestCase):
    def attempt(self, one, number):
        run = Attempt()
        run.setUp()
        try:
            return one(run, number)
        finally:
            run.tearDown()

    def repeated(self, title, one, repetitions=None):
        """`one(run, number)` returns the seconds until the end and, if it matters, whether the action was named."""
        repetitions = REPETITIONS if repetitions is None else repetitions
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            attempts = [pool.submit(self.attempt, one, number) for number in range(repetitions)]
            outcomes = [attempt.result() for attempt in attempts]
        times = sorted(outcome[0] for outcome in outcomes)
        print(f"{title}: {len(times)} faults ended after {times[0]:.2f} to {times[-1]:.2f} s, median "
              f"{times[len(times) // 2]:.2f} s (limit {LIMIT_S:.0f} s)", flush=True)
        # Between two steps a rank does nothing that has a name.
        named = [outcome[1] for outcome in outcomes if len(outcome) > 1]
        self.assertGreaterEqual(sum(named), len(named) / 2, "actions of lost ranks are not named")

    def test_a_killed_follower(self):
        def one(run, number):
            run.train(run.document(number))
            rank = run.size - 1
            run.strike(signal.SIGKILL, rank)
            took = run.await_end()
            self.assertEqual(run.codes(), [6])
            named = run.check_lost(rank)
            self.assertIn("SIGKILL", run.error()["reason"])
            run.assert_nothing_left(run.port)
            return took, named
        self.repeated("SIGKILL of a follower", one)

    def test_a_killed_rank_that_another_program_started(self):
        def one(run, number):
            run.train(run.document(number), own=False)
            rank = run.size - 1
            run.strike(signal.SIGKILL, rank)
            took = run.await_end()
            codes = run.codes()
            self.assertEqual(codes[rank], -signal.SIGKILL)
            self.assertEqual(set(codes) - {-signal.SIGKILL}, {6})
            named = run.check_lost(rank)
            run.assert_nothing_left(run.port)
            return took, named
        self.repeated("SIGKILL of a rank of a launcher", one)

    def test_a_stopped_follower(self):
        def one(run, number):
            run.train(run.document(number))
            rank = run.size - 1
            run.strike(signal.SIGSTOP, rank)
            took = run.await_end()
            self.assertEqual(run.codes(), [6])
            named = run.check_lost(rank)
            run.assert_nothing_left(run.port)
            return took, named
        self.repeated("SIGSTOP of a follower", one)

    def test_a_killed_rank_0_takes_its_followers_along(self):
        def one(run, number):
            run.train(run.document(number))
            run.strike(signal.SIGKILL, 0)
            took = run.await_end()
            run.assert_nothing_left(run.port)
            return (took,)
        self.repeated("SIGKILL of rank 0", one)

    def test_a_killed_rank_0_of_a_launcher(self):
        def one(run, number):
            run.train(run.document(number), own=False)
            run.strike(signal.SIGKILL, 0)
            took = run.await_end()
            self.assertEqual(set(run.codes()[1:]), {6})
            for engine in run.engines[1:]:
                self.assertIn("rank 0", engine.said.read_text())
            run.assert_nothing_left(run.port)
            return (took,)
        self.repeated("SIGKILL of rank 0 of a launcher", one)

    def test_a_stopped_rank_0_which_has_the_store(self):
        def one(run, number):
            run.train(run.document(number), own=number % 4 < 2)
            run.strike(signal.SIGSTOP, 0)
            took = run.await_end([pid for rank, pid in run.pids.items() if rank != 0])
            # It has not noticed anything, and finds itself alone.
            run.strike(signal.SIGCONT, 0)
            run.await_end()
            self.assertEqual(set(run.codes()), {6})
            self.assertEqual(run.result()["status"], "failed")
            run.assert_nothing_left(run.port)
            return (took,)
        self.repeated("SIGSTOP of rank 0", one)

    def test_all_are_asked_to_end(self):
        def one(run, number):
            run.train(run.document(number, batches=5), own=number % 4 < 2, repeats=2)
            run.strike(signal.SIGTERM, *run.pids)
            took = run.await_end()
            self.assertEqual(set(run.codes()), {130}, run.everything_said())
            self.assertEqual(run.result()["status"], "canceled")
            self.assertEqual(run.variant(run.trained)["status"], "canceled")
            run.check_kept()
            run.assert_nothing_left(run.port)
            return (took,)
        self.repeated("SIGTERM to all", one)

    def test_rank_0_alone_is_asked_to_end(self):
        def one(run, number):
            run.train(run.document(number, batches=5), repeats=2)
            run.strike(signal.SIGTERM, 0)
            took = run.await_end()
            self.assertEqual(run.codes(), [130])
            self.assertEqual(run.result()["status"], "canceled")
            run.check_kept()
            run.assert_nothing_left(run.port)
            return (took,)
        self.repeated("SIGTERM to rank 0", one)

    def test_a_follower_alone_is_asked_to_end(self):
        def one(run, number):
            run.train(run.document(number, batches=5), repeats=1)
            run.strike(signal.SIGTERM, 1)
            took = run.await_end()
            self.assertEqual(run.codes(), [6])
            self.assertEqual(run.error()["rank"], 1)
            run.check_kept()
            run.assert_nothing_left(run.port)
            return (took,)
        self.repeated("SIGTERM to a follower", one)

    def test_a_full_disk_of_rank_0(self):
        def one(run, number):
            document = run.document(number, batches=5)
            engine = run.start_engine(document, "--ranks", run.size, before=small_files)
            run.engines = [engine]
            self.assertTrue(await_true(lambda: engine.poll() is not None, 60.0), run.everything_said())
            files = [file for file in run.folder.rglob("*") if file.is_file()]
            full = max(files, key=lambda file: file.stat().st_size).stat().st_mtime
            took = max(0.0, time.time() - full)
            self.assertLessEqual(took, LIMIT_S)
            self.assertEqual(engine.returncode, 8, run.everything_said())
            run.assert_nothing_left()
            return (took,)
        self.repeated("a full disk of rank 0", one)

    def test_a_full_disk_of_a_follower_hides_no_fault(self):
        def one(run, number):
            run.train(run.document(1), own=False, limits={1: no_files})
            run.strike(signal.SIGKILL, 2)
            took = run.await_end()
            self.assertEqual(run.codes(), [6, 6, -signal.SIGKILL])
            self.assertEqual(run.engines[1].said.read_text(), "")
            named = run.check_lost(2)
            run.assert_nothing_left(run.port)
            return took, named
        self.repeated("a follower that cannot write its log", one)

    def test_torchrun_ends_all_when_a_rank_was_killed(self):
        if PYTHON is None:
            self.skipTest("no Python with torch")

        def one(run, number):
            path = run.write(run.document(number, batches=5))
            torchrun = os.path.join(os.path.dirname(PYTHON), "torchrun")
            run.engines = [run.start(torchrun, "--standalone", "--no-python", f"--nproc-per-node={run.size}", ENGINE,
                                     "run", path, "--out", run.folder)]
            self.assertTrue(await_true(lambda: run.trains(2)), run.everything_said())
            run.pids = {int(environment["RANK"]): pid for pid, environment in marked(run.mark).items()
                        if "RANK" in environment}
            run.strike(signal.SIGKILL, run.size - 1)
            took = run.await_end([run.engines[0].pid, *run.pids.values()])
            self.assertNotEqual(run.codes(), [0])
            self.assertIn(run.result()["status"], ("failed", "canceled"))
            run.check_kept()
            run.assert_nothing_left()
            return (took,)
        self.repeated("torchrun, a killed rank", one, max(1, REPETITIONS // 5))


class Late:
    """A rank without rank 0, and rank 0 without the other: they wait while other tests run."""

    started = None

    def __init__(self):
        self.attempts = [Attempt(), Attempt()]
        for attempt in self.attempts:
            attempt.setUp()
        follower, leader = self.attempts
        self.pool = concurrent.futures.ThreadPoolExecutor(2)
        self.ends = {
            "without rank 0": self.watch(follower, follower.start(ENGINE, "run", **torchrun_like(1, 2, free_port()))),
            "without rank 1": self.watch(leader, leader.start_engine(experiment(2, [pipeline()]),
                                                                     **torchrun_like(0, 2, free_port())))}

    def watch(self, attempt, process):
        begun = time.monotonic()
        return self.pool.submit(lambda: (process.wait(timeout=PATIENCE_S), time.monotonic() - begun, attempt))

    def outcome(self, which):
        """(exit code, seconds, attempt)"""
        outcome = self.ends[which].result()
        print(f"{which}: ended after {outcome[1]:.1f} s", flush=True)
        return outcome

    def remove(self):
        for attempt in self.attempts:
            attempt.tearDown()
        self.pool.shutdown()


class MeetingTest(unittest.TestCase):
    """Faults before the training begins."""

    def setUp(self):
        self.run_ = Attempt()
        self.run_.setUp()
        self.addCleanup(self.run_.tearDown)
        self.port = free_port()

    def fake(self, script, *arguments):
        if PYTHON is None:
            self.skipTest("no Python with torch")
        path = self.run_.root / "fake.py"
        path.write_text(script)
        return self.run_.start(PYTHON, path, self.port, *arguments)

    def end_fake(self, fake):
        fake.kill()
        fake.wait()
        self.run_.assert_nothing_left(self.port)

    def lead(self):
        return self.run_.start_engine(experiment(2, [pipeline()]), **torchrun_like(0, 2, self.port))

    def follow(self):
        return self.run_.start(ENGINE, "run", **torchrun_like(1, 2, self.port))

    def refused_hello(self, words):
        """Rank 0 refuses a rank that says `words` of itself. @returns rank 0's error"""
        leader = self.lead()
        fake = self.fake(FAKE_FOLLOWER, words)
        self.assertEqual(leader.wait(timeout=PATIENCE_S), 6, self.run_.everything_said())
        self.assertIsNone(fake.poll(), fake.said.read_text())
        self.end_fake(fake)
        return self.run_.error()

    def test_a_rank_of_another_version_is_named_with_both_versions(self):
        error = self.refused_hello(hello(1))
        self.assertEqual((error["rank"], error["host"]), (1, "elsewhere"))
        self.assertIn("9.9.9 (feedface)", error["reason"])
        version = json.loads((self.run_.folder / "environment.json").read_text())["stagelane"]
        self.assertIn(version, error["reason"])
        self.assertEqual(self.run_.result()["status"], "failed")

    def test_a_rank_of_another_protocol_is_refused(self):
        self.assertIn("rank 1", self.refused_hello("not a word of ours")["message"])

    def test_a_follower_refuses_rank_0_of_another_version(self):
        fake = self.fake(FAKE_LEADER, json.dumps({"version": "9.9.9", "revision": "feedface", "new": {}}), hello(0))
        follower = self.follow()
        self.assertEqual(follower.wait(timeout=PATIENCE_S), 6, self.run_.everything_said())
        self.assertIn("9.9.9 (feedface)", follower.said.read_text())
        self.end_fake(fake)

    def test_ranks_that_never_start_are_named_within_the_limits(self):
        late = Late.started or Late()
        self.addCleanup(late.remove)
        code, waited, follower = late.outcome("without rank 0")
        self.assertEqual(code, 6)
        self.assertIn("nothing listens on 127.0.0.1", follower.everything_said())
        self.assertLessEqual(waited, CONNECT_LIMIT_S + LIMIT_S)
        code, waited, leader = late.outcome("without rank 1")
        self.assertEqual(code, 6)
        self.assertLessEqual(waited, MEET_LIMIT_S + LIMIT_S)
        error = leader.error()
        self.assertEqual(error["rank"], 1)
        self.assertIn("rank 1 did not start", error["reason"])
        leader.assert_nothing_left()

    def test_a_cancel_while_waiting_for_a_rank(self):
        leader = self.lead()
        self.assertTrue(await_true(lambda: _ranks.listens(self.port)))
        struck = time.monotonic()
        leader.send_signal(signal.SIGTERM)
        self.assertEqual(leader.wait(timeout=PATIENCE_S), 130, self.run_.everything_said())
        self.assertLessEqual(time.monotonic() - struck, LIMIT_S)
        self.assertEqual(self.run_.result()["status"], "canceled")

    def test_a_follower_that_ends_before_the_meeting_is_named_at_once(self):
        engine = self.run_.start_engine(experiment(2, [pipeline()]), "--ranks", 2)
        self.assertTrue(await_true(lambda: any("RANK" in environment for environment in
                                               marked(self.run_.mark).values()), 20.0))
        for pid, environment in marked(self.run_.mark).items():
            if "RANK" in environment:
                os.kill(pid, signal.SIGKILL)
        struck = time.monotonic()
        self.assertEqual(engine.wait(timeout=PATIENCE_S), 6, self.run_.everything_said())
        self.assertLessEqual(time.monotonic() - struck, LIMIT_S)
        self.assertEqual(self.run_.error()["rank"], 1)
        self.run_.assert_nothing_left()


def main(repetitions):
    global REPETITIONS
    REPETITIONS = repetitions
    if ENGINE.exists():
        Late.started = Late()
    _ranks.main("_rank_faults")
