#!/usr/bin/env python3
"""Runs in several processes: what they train, their launchers, their errors, and their common trace.

Run by ctest with STAGELANE_BIN_DIR, or by hand: STAGELANE_BIN_DIR=build/release/bin ranks_test.py
"""

import collections
import pathlib
import socket
import unittest

import _ranks
from _ranks import (ENGINE, PATIENCE_S, PYTHON, PipelineRuns, RanksTest, await_true, endless, events_of, experiment,
                    free_port, pipeline, single, torchrun_like)

EXACT = 1e-12
# The file of torch.distributed.launch, which passes --local-rank, must be a script.
WRAPPER = """import os, sys
os.execv({engine!r}, [{engine!r}, "run", *sys.argv[1:]])
"""


def nearly(got, expected):
    return len(got) == len(expected) and all(abs(a - b) <= EXACT * abs(b) for a, b in zip(got, expected))


class DdpTest(RanksTest):
    def check(self, devices, batch, **options):
        variant = {"name": "ddp", "strategy": "ddp", **options}
        self.run_to_end(experiment(devices, [single(), variant], batch=batch))
        ddp = self.variant("ddp")
        self.assertEqual(ddp["status"], "done")
        self.assertLessEqual(ddp["gradient_check"]["max_rel_error"], EXACT)
        self.assertLessEqual(ddp["gradient_check"]["full_batch_error"], EXACT)
        self.assertTrue(nearly(ddp["loss"], self.variant("single")["loss"]), self.result())
        self.assertNotEqual(ddp["loss"][0], ddp["loss"][1])
        return ddp

    def test_even_shards_have_the_gradients_and_losses_of_one_device(self):
        for ranks in (2, 3, 4):
            with self.subTest(ranks=ranks):
                self.check(ranks, batch=12)

    def test_uneven_shards_have_the_gradients_and_losses_of_one_device(self):
        for ranks, batch in ((2, 13), (3, 13), (4, 10)):
            with self.subTest(ranks=ranks, batch=batch):
                self.check(ranks, batch)

    def test_micro_batches_and_small_buckets_change_no_gradient(self):
        whole = self.check(2, batch=12)["all_reduce"]["bytes"]
        for options in ({"split_size": 3}, {"bucket_mb": 0.001, "first_bucket_mb": 0.001},
                        {"gradient_as_bucket_view": True}):
            with self.subTest(**options):
                self.assertEqual(self.check(2, batch=12, **options)["all_reduce"]["bytes"], whole)
        # The Reducer also sums which parameters were used.
        self.assertGreaterEqual(self.check(2, batch=12, find_unused=True)["all_reduce"]["bytes"], whole)

    def test_the_result_describes_the_ranks_and_the_sums_of_gradients(self):
        ddp = self.check(3, batch=12)
        ranks = ddp["ranks"]
        self.assertEqual([rank["rank"] for rank in ranks], [0, 1, 2])
        self.assertEqual({rank["host"] for rank in ranks}, {socket.gethostname()})
        self.assertEqual(len({rank["pid"] for rank in ranks}), 3)
        self.assertEqual(ranks[0]["pid"], self.started[-1].pid)
        self.assertEqual([rank["status"] for rank in ranks], ["done"] * 3)
        self.assertEqual([rank["devices"] for rank in ranks], [["cpu:0"], ["cpu:1"], ["cpu:2"]])
        self.assertEqual((ranks[0]["clock"]["offset_ns"], ranks[0]["clock"]["error_ns"]), (0, 0))
        for rank in ranks[1:]:
            # One host has one monotonic clock, so the true offset is 0.
            self.assertGreater(rank["clock"]["error_ns"], 0)
            self.assertLessEqual(abs(rank["clock"]["offset_ns"]), rank["clock"]["error_ns"])
        reduced = ddp["all_reduce"]
        parameters = ddp["devices"][0]["parameters"]
        self.assertEqual(reduced["bytes"], parameters * 8)
        self.assertGreater(reduced["exposed_ns"], 0)
        self.assertTrue(0 <= reduced["hidden_pct"] <= 100, reduced)
        self.assertEqual([device["parameters"] for device in ddp["devices"]], [parameters] * 3)
        self.assertNotIn("ranks", self.variant("single"))


class PipelineTest(PipelineRuns):
    def test_two_processes_train_bit_for_bit_as_one(self):
        self.compare(experiment(2, [pipeline(name) for name in ("tutorial", "1f1b", "zbv")]), 2)

    def test_four_devices_in_two_or_four_processes_train_bit_for_bit_as_in_one(self):
        self.compare(experiment(4, [pipeline(name) for name in ("gpipe", "zb-h1", "interleaved-1f1b")]), 2, 4)

    def test_a_replicated_pipeline_trains_bit_for_bit_as_in_one_process(self):
        self.compare(experiment(4, [pipeline(name, replicas=2) for name in ("1f1b", "zb-h1")]), 2, 4)

    def test_ranks_in_device_names_start_processes(self):
        devices = ["cpu:0", "cpu:0@1"]
        self.run_to_end(experiment(devices, [pipeline()]))
        variant = self.variant("pipe-1f1b")
        self.assertEqual([rank["devices"] for rank in variant["ranks"]], [["cpu:0"], ["cpu:0@1"]])
        self.assertTrue(variant["gradient_check"]["bit_equal"])

    def test_an_uneven_last_micro_batch_changes_no_bit(self):
        self.compare(experiment(2, [pipeline(split=5)]), 2)

    def test_clipping_uses_the_norms_of_all_ranks(self):
        self.compare(experiment(4, [pipeline("zb-h1"), pipeline("1f1b", replicas=2)], clip_grad_norm=0.1), 2, 4)
        self.run_to_end(experiment(3, [{"name": "ddp", "strategy": "ddp"}], clip_grad_norm=0.1))
        self.assertLessEqual(self.variant("ddp")["gradient_check"]["full_batch_error"], EXACT)


class LauncherTest(RanksTest):
    """Processes that another program starts."""

    def check(self, count, document):
        variant = self.variant("pipe-1f1b")
        self.assertEqual(len(variant["ranks"]), count)
        self.assertEqual(len({rank["pid"] for rank in variant["ranks"]}), count)
        for each in (v for v in self.result()["variants"] if "gradient_check" in v):
            self.assertLessEqual(each["gradient_check"]["full_batch_error"], EXACT)
        self.assertEqual(len(self.result()["variants"]), len(document["variants"]) + 1)
        # Rank 0 alone writes events.
        self.assertEqual([event["event"] for event in _ranks.events_of(self.folder)].count("started"), 1)

    def launch(self, count, *command, before=("run",)):
        if PYTHON is None:
            self.skipTest("no Python with torch")
        document = experiment(count, [pipeline(), {"name": "ddp", "strategy": "ddp"}])
        arguments = [*before, self.write(document), "--out", self.folder]
        launcher = self.start(*command, *arguments)
        self.assertEqual(launcher.wait(timeout=PATIENCE_S), 0, self.everything_said())
        self.check(count, document)
        self.assert_nothing_left()

    def torchrun(self, count):
        torchrun = pathlib.Path(PYTHON).parent / "torchrun" if PYTHON else ""
        self.launch(count, torchrun, "--standalone", "--no-python", f"--nproc-per-node={count}", ENGINE)

    def test_torchrun_with_two_processes(self):
        self.torchrun(2)

    def test_torchrun_with_four_processes(self):
        self.torchrun(4)

    def test_torch_distributed_launch_with_variables(self):
        port = free_port()
        self.launch(2, PYTHON, "-m", "torch.distributed.launch", "--use-env", "--no-python", "--nproc-per-node=2",
                    f"--master-port={port}", ENGINE)

    def test_torch_distributed_launch_passes_the_local_rank(self):
        wrapper = self.root / "wrapper.py"
        wrapper.write_text(WRAPPER.format(engine=str(ENGINE)))
        self.launch(2, PYTHON, "-m", "torch.distributed.launch", "--nproc-per-node=2",
                    f"--master-port={free_port()}", wrapper, before=())

    def by_hand(self, document, worlds):
        """Starts one engine for each set of variables; the first has rank 0."""
        path = self.write(document)
        processes = [self.start(ENGINE, "run", path, "--out", self.folder, **world) for world in worlds]
        for process in processes:
            self.assertEqual(process.wait(timeout=PATIENCE_S), 0, self.everything_said())

    def stand_in_for_slurm(self, rank, count, port, **more):
        """The variables of `srun`, without Slurm: this is not a test with Slurm itself."""
        return {"SLURM_PROCID": rank, "SLURM_NTASKS": count, "SLURM_LOCALID": rank, "SLURM_NODELIST": "node[03-07]",
                "SLURM_JOB_ID": 4711, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, **more}

    def test_the_stand_in_environment_for_slurm(self):
        port = free_port()
        document = experiment(2, [pipeline()])
        self.by_hand(document, [self.stand_in_for_slurm(rank, 2, port) for rank in range(2)])
        self.check(2, document)
        self.assert_nothing_left(port)

    def test_the_stand_in_for_slurm_derives_address_and_port_from_the_job(self):
        # Fails if something else uses the port, which depends on the number of the job.
        job = next(number for number in range(4711, 5711) if not _ranks.listens(15000 + number))
        worlds = [self.stand_in_for_slurm(rank, 2, "", SLURM_NODELIST="localhost", SLURM_JOB_ID=job, MASTER_ADDR="")
                  for rank in range(2)]
        engines = worlds[1:] + worlds[:1]  # the order of the starts does not matter
        self.by_hand(experiment(2, [pipeline()]), engines)
        self.assertEqual(len(self.variant("pipe-1f1b")["ranks"]), 2)
        self.assert_nothing_left(15000 + job)

    def test_a_follower_needs_no_file(self):
        port = free_port()
        document = experiment(2, [pipeline()])
        leader = self.start_engine(document, **torchrun_like(0, 2, port))
        follower = self.start(ENGINE, "run", **torchrun_like(1, 2, port))
        for process in (leader, follower):
            self.assertEqual(process.wait(timeout=PATIENCE_S), 0, self.everything_said())
        self.check(2, document)

    def test_a_process_that_slurm_has_started_alone_starts_its_own_followers(self):
        self.run_to_end(experiment(2, [{"name": "ddp", "strategy": "ddp"}]),
                        **self.stand_in_for_slurm(0, 1, free_port()))
        self.assertEqual(len(self.variant("ddp")["ranks"]), 2)


class UsageTest(RanksTest):
    def refuse(self, codes, words, document, *arguments, **variables):
        engine = self.start_engine(document, *arguments, **variables)
        code = engine.wait(timeout=PATIENCE_S)
        said = engine.said.read_text()
        self.assertIn(code, codes, said)
        for word in words:
            self.assertIn(word, said)
        self.assert_nothing_left()

    def test_ranks_that_contradict_the_launcher_are_refused(self):
        world = torchrun_like(0, 2, free_port())
        self.refuse([2], ["--ranks 3", "2 processes of torchrun"], experiment(3, [pipeline()]), "--ranks", 3, **world)
        slurm = {"SLURM_PROCID": 0, "SLURM_NTASKS": 2, "SLURM_LOCALID": 0, "MASTER_ADDR": "127.0.0.1",
                 "MASTER_PORT": free_port()}
        self.refuse([2], ["--ranks 4", "2 processes of slurm"], experiment(4, [pipeline()]), "--ranks", 4, **slurm)

    def test_a_local_rank_that_contradicts_the_launcher_is_refused(self):
        self.refuse([2, 3], ["--local-rank", "LOCAL_RANK"], experiment(2, [pipeline()]), "--local-rank", 1,
                    **torchrun_like(0, 2, free_port()))

    def test_numbers_of_ranks_out_of_range_are_usage_errors(self):
        for ranks in ("0", "-1", "two", "1000"):
            self.refuse([2], ["--ranks"], experiment(2, [pipeline()]), "--ranks", ranks)

    def test_more_ranks_than_devices_are_refused(self):
        self.refuse([2, 3], ["4"], experiment(2, [pipeline()]), "--ranks", 4)

    def test_ddp_with_fewer_ranks_than_devices_is_refused(self):
        ddp = experiment(4, [{"name": "ddp", "strategy": "ddp"}])
        self.refuse([3], ["ddp", "rank 2", "2 processes"], ddp, **torchrun_like(0, 2, free_port()))
        self.refuse([2, 3], ["ddp", "2 processes"], ddp, "--ranks", 2)

    def test_devices_of_ranks_that_do_not_exist_are_refused(self):
        document = experiment(["cpu:0", "cpu:0@3"], [pipeline()])
        self.refuse([3], ["cpu:0@3", "2 processes"], document, **torchrun_like(0, 2, free_port()))

    def test_malformed_variables_are_named(self):
        good = torchrun_like(0, 2, free_port())
        for name, value in (("RANK", "x"), ("RANK", "2"), ("WORLD_SIZE", "0"), ("WORLD_SIZE", ""), ("LOCAL_RANK", "1"),
                            ("MASTER_PORT", "99999"), ("MASTER_PORT", ""), ("MASTER_ADDR", ""), ("LOCAL_RANK", ""),
                            ("TORCHELASTIC_RESTART_COUNT", "-1"), ("TORCHELASTIC_USE_AGENT_STORE", "yes")):
            with self.subTest(**{name: value}):
                self.refuse([3], [name], experiment(2, [pipeline()]), **{**good, name: value})

    def test_addresses_and_ports_that_cannot_be_used_are_named(self):
        # An address of TEST-NET-3, which no host has.
        self.refuse([3], ["203.0.113.7", "MASTER_ADDR"], experiment(2, [pipeline()]),
                    **torchrun_like(0, 2, free_port(), "203.0.113.7"))
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            port = other.getsockname()[1]
            self.refuse([3], [str(port), "in use"], experiment(2, [pipeline()]), **torchrun_like(0, 2, port))


class ReportTest(RanksTest):
    """What is known of the ranks while a run is in progress."""

    def reports(self):
        return [event["ranks"] for event in events_of(self.folder) if event["event"] == "ranks"]

    def test_each_rank_says_its_repeat_and_its_action(self):
        engine = self.start_engine(endless(2, pipeline()), "--ranks", 2)

        def told():
            rows = [row for report in self.reports() for row in report]
            return {row["rank"] for row in rows if row.get("repeat", 0) > 0 and row.get("doing")} == {0, 1}

        self.assertTrue(await_true(told), self.everything_said())
        engine.terminate()
        self.assertEqual(engine.wait(timeout=PATIENCE_S), 130)
        events = events_of(self.folder)
        self.assertEqual(events[-1]["event"], "canceled", "nothing comes after the end")
        for row in self.reports()[-1]:
            self.assertEqual(row.get("variant"), "pipe-1f1b")
        self.assertEqual(self.result()["ranks"], 2)

    def test_a_number_of_processes_is_recorded_only_if_it_was_asked_for(self):
        self.run_to_end(experiment(2, [{"name": "ddp", "strategy": "ddp"}]))
        self.assertNotIn("ranks", self.result())
        self.assertEqual(len(self.variant("ddp")["ranks"]), 2)


class TraceTest(RanksTest):
    @staticmethod
    def clock_error(variant):
        return 2 * max(rank["clock"]["error_ns"] for rank in variant["ranks"])

    @staticmethod
    def by_action(rows, category):
        """{(stage, micro-batch): spans in order of time}"""
        found = collections.defaultdict(list)
        for row in sorted(rows, key=lambda row: row["start"]):
            if row["category"] == category:
                found[int(row["stage"]), int(row["micro_batch"])].append(row)
        return found

    def check_order(self, rows, error):
        """Transfers between stages, and what computes before and after them."""
        transfers = 0
        for kind, step in (("F", 1), ("B", -1)):
            sends, receives = self.by_action(rows, "SEND_" + kind), self.by_action(rows, "RECV_" + kind)
            computed = self.by_action(rows, kind)
            self.assertEqual({(stage - step, part) for stage, part in receives}, set(sends))
            for (stage, part), arrivals in receives.items():
                before = computed[stage - step, part]
                self.assertEqual(len(arrivals), len(before))
                later = computed[stage, part]
                for sent, arrived, made, used in zip(sends[stage - step, part], arrivals, before, later):
                    self.assertGreaterEqual(arrived["end"] + error, sent["start"])
                    self.assertGreaterEqual(arrived["end"] + error, made["end"])
                    self.assertGreaterEqual(used["start"] + error, made["end"])
                    self.assertLessEqual(arrived["start"], arrived["end"])
                    transfers += 1
        return transfers

    def test_the_actions_of_all_ranks_are_on_one_axis(self):
        self.run_to_end(experiment(4, [pipeline()], data={"labels": "normal", "batch_size": 12, "batches": 5}),
                        "--ranks", 4)
        variant = self.variant("pipe-1f1b")
        rows = self.spans("pipe-1f1b")
        self.assertEqual({row["device"] for row in rows if row["category"] == "F"}, {f"cpu:{n}" for n in range(4)})
        self.assertEqual(self.check_order(rows, self.clock_error(variant)), 5 * 4 * 3 * 2)

    def test_the_trace_of_ddp_has_the_sums_of_all_ranks(self):
        self.run_to_end(experiment(2, [{"name": "ddp", "strategy": "ddp"}]))
        rows = self.spans("ddp")
        for category in ("F", "REDUCE", "OPT"):
            self.assertEqual({row["device"] for row in rows if row["category"] == category}, {"cpu:0", "cpu:1"})
        error = self.clock_error(self.variant("ddp"))
        sums = [[row for row in sorted(rows, key=lambda row: row["start"])
                 if row["category"] == "REDUCE" and row["device"] == device] for device in ("cpu:0", "cpu:1")]
        self.assertEqual(len(sums[0]), len(sums[1]))
        for one, other in zip(*sums):
            # No all-reduce ends before each member has begun it.
            self.assertGreaterEqual(one["end"] + error, other["start"])
            self.assertGreaterEqual(other["end"] + error, one["start"])


if __name__ == "__main__":
    _ranks.main()
