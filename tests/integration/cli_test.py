#!/usr/bin/env python3
"""The command line for a user and for a script: exit codes, messages, --json, run folders.

Run by ctest with STAGELANE_BIN_DIR, or by hand: STAGELANE_BIN_DIR=build/release/bin cli_test.py
"""

import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from _fault_clock import FaultClock

BIN = pathlib.Path(os.environ.get("STAGELANE_BIN_DIR", "build/release/bin")).resolve()
STAGELANE = BIN / "stagelane"
ENGINE = BIN / "stagelane-engine"
SOURCE = pathlib.Path(__file__).resolve().parents[2]
PATIENCE_S = 240

RESULT_KEYS = {"stagelane", "name", "status", "timing", "folder", "devices", "variants"}
VARIANT_KEYS = {
    "id", "name", "strategy", "schedule", "split_size", "placement", "status", "seconds",
    "mean_s", "std_s", "median_s", "step_ns", "speedup", "speedup_base", "bound", "loss",
    "devices", "noisy",
}
IDLE_CAUSES = {"warmup", "drain", "tail", "starved", "transfer", "host", "unattributed"}

TOY = {
    "stagelane": 1,
    "name": "Small toy",
    "model": {"zoo": "toy"},
    "input": {"shape": [10], "dtype": "float32"},
    "data": {"kind": "synthetic", "labels": "normal", "batch_size": 20, "batches": 1, "seed": 0},
    "loss": "mse",
    "optimizer": {"kind": "sgd", "lr": 0.001},
    "devices": ["cpu:0", "cpu:1"],
    "repeat": 3,
    "warmup": 1,
    "variants": [
        {"name": "single", "strategy": "single", "device": "cpu:0"},
        {"name": "pipe", "strategy": "pipeline", "schedule": "1f1b", "split_size": 5,
         "placement": {"net1": "cpu:0", "relu": "cpu:0", "net2": "cpu:1"}},
    ],
}


def strategies_of_later_versions():
    """The names that the schema marks as not available in this version."""
    schema = json.loads((BIN.parent / "share/experiment.schema.json").read_text())
    strategy = schema["$defs"]["variant"]["properties"]["strategy"]
    return [name for name in strategy["enum"] if name in strategy["description"]]


def lives(process_id):
    """Whether a process is running, not only an entry that its parent has not read."""
    try:
        stat = pathlib.Path(f"/proc/{process_id}/stat").read_text()
    except OSError:
        return False
    return stat.rsplit(") ", 1)[1][0] != "Z"


class CommandLineTest(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="stagelane-cli-"))
        self.workspace = self.root / "workspace"
        self.environment = dict(os.environ)
        self.environment["STAGELANE_WORKSPACE"] = str(self.workspace)
        for name in ("STAGELANE_ENGINE", "DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
            self.environment.pop(name, None)

    def tearDown(self):
        # A test may have made a folder that cannot be written.
        for folder, _, _ in os.walk(self.root):
            os.chmod(folder, 0o700)
        shutil.rmtree(self.root, ignore_errors=True)

    def start(self, *arguments, **options):
        return subprocess.Popen(
            [str(STAGELANE), *map(str, arguments)], env=self.environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def stagelane(self, *arguments, **options):
        process = self.start(*arguments, **options)
        out, err = process.communicate(timeout=PATIENCE_S)
        return process.returncode, out, err

    def succeed(self, *arguments):
        code, out, err = self.stagelane(*arguments)
        self.assertEqual(code, 0, err)
        return out

    def succeed_json(self, *arguments):
        return json.loads(self.succeed(*arguments, "--json"))

    def refuse(self, code, words, *arguments):
        """The command fails with `code`, prints nothing on standard output, and its message contains `words`."""
        got, out, err = self.stagelane(*arguments)
        self.assertEqual(got, code, f"{arguments}: {err}")
        self.assertEqual(out, "", arguments)
        self.assertTrue(err.startswith("stagelane: error: "), err)
        for word in words:
            self.assertIn(word, err)
        return err

    def experiment(self, change=None, name="x.json"):
        document = json.loads(json.dumps(TOY))
        if change:
            change(document)
        path = self.root / name
        path.write_text(json.dumps(document))
        return path

    def result(self, folder):
        return json.loads((pathlib.Path(folder) / "result.json").read_text())


class UsageTest(CommandLineTest):
    def test_every_command_explains_itself_with_an_example(self):
        listed = self.succeed("--help").split("Subcommands:\n")[1].split("\n\n")[0]
        commands = re.findall(r"^  ([a-z-]+)  ", listed, re.MULTILINE)
        for expected in ("run predict summary schedule analyze convert chart report runs devices "
                         "models calibrate suggest place device-map compare").split():
            self.assertIn(expected, commands)
        for command in commands:
            text = self.succeed(command, "--help")
            if "not available in this version" not in text:
                self.assertRegex(text, rf"Examples?:\n(.*\n)*  stagelane {command}\b", command)

    def test_an_unknown_command_names_the_nearest(self):
        self.refuse(2, ["rnu", "stagelane run"], "rnu", "toy")
        self.refuse(2, ["frobnicate"], "frobnicate")

    def test_wrong_options_are_usage_errors(self):
        self.refuse(2, ["EXPERIMENT"], "run")
        self.refuse(2, ["--bogus"], "run", "toy", "--bogus")
        self.refuse(2, ["--bogus"], "--bogus")
        self.refuse(2, ["--out"], "run", "toy", "--out")

    def test_an_empty_path_to_write_is_a_usage_error(self):
        trace = self.root / "t.json"
        for arguments in (("run", "toy", "--out", ""), ("convert", trace, "--to", "csv", "-o", ""),
                          ("convert", trace, "--to", "csv", "--out", ""),
                          ("chart", self.root, "--kind", "time", "--out", ""),
                          ("report", self.root, "--out", ""), ("predict", "toy", "--trace", ""),
                          ("export", "toy", "--variant", "pipeline-gpipe", "--as", "tutorial", "-o", ""),
                          ("--shot", ""), ("--ui-map", "")):
            self.refuse(2, ["the path is empty"], *arguments)
        self.assertFalse(self.workspace.exists())

    def test_a_malformed_set_is_usage_and_an_unknown_place_is_invalid(self):
        for text in ("repeat=3", "/repeat", "=3", ""):
            self.refuse(2, ["--set"], "run", "toy", "--set", text, "--json")
        self.refuse(3, ["/nothing"], "run", "toy", "--set", "/nothing=3", "--json")
        self.refuse(3, ["/variants/99/split_size"], "predict", "toy", "--set",
                    "/variants/99/split_size=3", "--json")

    def test_strategies_of_later_versions_say_so(self):
        for name in strategies_of_later_versions():
            self.refuse(3, ["not available in this version", "/variants/0/strategy"], "predict",
                        "toy", "--set", f'/variants/0/strategy="{name}"', "--json")

    def test_without_a_display_the_window_says_what_else_to_do(self):
        self.refuse(2, ["display", "stagelane run"])

    def test_window_switches_are_checked(self):
        self.refuse(3, ["--page", "timeline"], "--page", "nowhere")
        self.refuse(3, ["1600x900"], "--size", "big")
        self.refuse(3, ["light, dark"], "--theme", "pink")

    def test_standard_output_that_is_full_is_an_error(self):
        with open("/dev/full", "w") as full:
            process = subprocess.run([str(STAGELANE), "models"], env=self.environment, stdout=full,
                                     stderr=subprocess.PIPE, text=True, timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 8)
        self.assertIn("standard output", process.stderr)


class WithoutEngineTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.environment["STAGELANE_ENGINE"] = str(self.root / "absent")

    def test_run_says_how_to_add_the_engine_and_leaves_nothing_behind(self):
        self.refuse(6, ["STAGELANE_ENGINE", "./dev build"], "run", "toy", "--json")
        self.refuse(6, ["./dev build"], "devices", "--json")
        self.assertFalse((self.workspace / "runs").exists())

    def test_models(self):
        models = self.succeed_json("models")["models"]
        names = [model["name"] for model in models]
        for expected in ("toy", "toy-wide", "net", "mlp", "resnet18", "resnet50", "resnet152"):
            self.assertIn(expected, names)
        self.assertIn("resnet50", self.succeed("models"))

    def test_summary_formats(self):
        table = self.succeed("summary", "resnet18", "--input", "3,64,64")
        self.assertIn("Total params: 11,689,512", table)
        self.assertTrue(self.succeed("summary", "toy", "--format", "repr").startswith("ToyModel("))
        self.assertIn("net1", self.succeed("summary", "toy", "--format", "table"))
        document = json.loads(self.succeed("summary", "toy", "--format", "json", "--batch", "3"))
        self.assertTrue(document)
        self.assertEqual(document, self.succeed_json("summary", "toy", "--batch", "3"))

    def test_summary_of_bad_input(self):
        for shape in ("3,", "3,x", "0", "-1", "3,,3", "99999999999999999999"):
            self.refuse(3, ["--input"], "summary", "toy", f"--input={shape}")
        self.refuse(3, ["no-such-model"], "summary", "no-such-model", "--input", "3")
        self.refuse(3, ["conv1"], "summary", "resnet18", "--input", "3,64", "--json")
        self.refuse(3, ["--format"], "summary", "toy", "--format", "pdf")
        for batch in ("0", "-3", "99999999999999999999"):
            self.refuse(3, ["--batch"], "summary", "toy", "--batch", batch, "--json")

    def test_schedule_formats(self):
        sizes = ("--devices", "2", "--microbatches", "3")
        self.assertEqual(self.succeed("schedule", "gpipe", *sizes).splitlines()[0].split()[:3],
                         ["0F0", "0F1", "0F2"])
        csv = self.succeed("schedule", "1f1b", *sizes, "--format", "csv")
        document = self.succeed_json("schedule", "1f1b", *sizes)
        for key in ("schedule", "devices", "microbatches", "chunks", "layout", "makespan", "idle",
                    "peak", "work", "actions"):
            self.assertIn(key, document)
        self.assertEqual(len(document["actions"]), 2)
        self.assertIn("<svg", self.succeed("schedule", "1f1b", *sizes, "--format", "svg"))
        path = self.root / "mine.csv"
        path.write_text(csv)
        again = self.succeed_json("schedule", path)
        self.assertEqual(again["actions"], document["actions"])
        self.assertEqual(self.succeed_json("schedule", path, *sizes), again)
        self.refuse(3, ["--devices"], "schedule", path, "--devices", "3")

    def test_every_schedule_in_every_format(self):
        for name in ("auto", "tutorial", "gpipe", "1f1b", "interleaved-1f1b", "looped-bfs", "zb-h1",
                     "zb-h2", "interleaved-zero-bubble", "zbv", "v-half", "v-min", "dualpipev"):
            sizes = ("--devices", "3", "--microbatches", "6")
            text = self.succeed("schedule", name, *sizes)
            rows = [line.split() for line in text.splitlines()]
            document = self.succeed_json("schedule", name, *sizes)
            self.assertEqual(document["actions"], rows, name)
            self.assertEqual(document["work"], 18.0, name)
            csv = self.succeed("schedule", name, *sizes, "--format", "csv")
            self.assertEqual([line.split(",") for line in csv.splitlines()], rows, name)
            svg = self.succeed("schedule", name, *sizes, "--format", "svg")
            for cell in rows[0]:
                self.assertIn(f">{cell}<", svg, name)

    def place(self, *more):
        return self.succeed_json("place", "resnet18", "--input", "3,64,64", "--batch", "16",
                                 "--split", "4", "--devices", "cpu:0,cpu:1", *more)

    def test_place_by_every_mode(self):
        best = self.place()
        self.assertEqual(best["basis"], "estimate")
        self.assertEqual([stage["device"] for stage in best["stages"]], ["cpu:0", "cpu:1"])
        for mode in ("optimal", "parameters", "uniform", "block-partition", "auto", "balanced",
                     "balanced_low_0"):
            answer = self.place("--mode", mode)
            self.assertGreaterEqual(answer["bottleneck_ns"], best["least_bottleneck_ns"], mode)
            self.assertGreaterEqual(answer["step_ns"], answer["lower_bound_ns"], mode)
            self.assertGreaterEqual(answer["gap"], 0.0, mode)
        for mode in ("optimal", "parameters", "uniform", "block-partition"):
            self.assertIn("cpu:1", self.succeed("place", "toy", "--batch", "4", "--devices",
                                                "cpu:0,cpu:1", "--mode", mode))

    def test_accelerates_modes_fill_devices_by_bytes(self):
        everything = self.place("--mode", "sequential")
        self.assertEqual([stage["device"] for stage in everything["stages"]], ["cpu:0"])
        self.refuse(3, ["disk", "--mode"], "place", "resnet18", "--input", "3,64,64", "--batch", "4",
                    "--devices", "cpu:0=1MiB,cpu:1=1MiB", "--mode", "sequential", "--json")

    def test_place_of_bad_input(self):
        sizes = ("--batch", "4", "--devices", "cpu:0,cpu:1", "--json")
        self.refuse(2, ["--devices"], "place", "toy", "--batch", "4")
        self.refuse(3, ["--mode"], "place", "toy", *sizes, "--mode", "best")
        self.refuse(3, ["--schedule"], "place", "toy", *sizes, "--schedule", "1f2b")
        self.refuse(3, ["blocks"], "place", "toy", *sizes, "--schedule", "zbv")
        self.refuse(3, ["absent.json"], "place", "toy", *sizes, "--costs", "absent.json")
        self.refuse(3, ["gpu0"], "place", "toy", "--batch", "4", "--devices", "gpu0")
        self.refuse(3, ["/data/batch_size"], "place", "toy", "--batch", "0", "--devices", "cpu:0")

    def test_device_maps_as_accelerate_makes_them(self):
        tree = {"class": "Net", "params": [], "buffers": [], "children": [
            [name, {"class": "Linear", "params": [["weight", size, "float32", n]], "buffers": [],
                    "children": []}] for n, (name, size) in enumerate([("a", 10), ("b", 20)])]}
        case = {"tree": tree, "max_memory": [[0, 200], [1, 200]], "no_split": None}
        path = self.root / "case.json"
        path.write_text(json.dumps(case))
        one = json.loads(self.succeed("device-map", path))
        self.assertEqual(one["map"], {"ok": [["", 0]]})
        path.write_text(json.dumps([case, case]))
        self.assertEqual(self.succeed_json("device-map", path), [one, one])
        path.write_text(json.dumps([case, {"tree": 3, "max_memory": []}]))
        self.refuse(3, ["case.json#/1/tree"], "device-map", path, "--json")
        self.refuse(3, ["absent.json"], "device-map", self.root / "absent.json", "--json")

    def test_suggest_a_plan(self):
        answer = self.succeed_json("suggest", "toy", "--largest-batch")
        self.assertEqual(answer["step_ns"], min(point["step_ns"] for point in answer["curve"]))
        self.assertLessEqual(answer["lower_bound_ns"], answer["step_ns"])
        self.assertIsNone(answer["largest_batch"])
        limited = self.succeed_json("suggest", "toy", "--largest-batch", "--set",
                                    '/devices=[{"id": "cpu:0", "max_memory": "1MiB"}, '
                                    '{"id": "cpu:1", "max_memory": "1MiB"}]')
        self.assertGreaterEqual(limited["largest_batch"]["batch"], 20)
        self.assertIn("split_size", self.succeed("suggest", "toy"))

    def test_a_long_search_for_a_schedule_says_so_and_ends(self):
        code, out, err = self.stagelane("schedule", "auto", "--devices", "64",
                                        "--microbatches", "1000", "--format", "csv")
        self.assertEqual(code, 0, err)
        self.assertEqual(len(out.splitlines()), 64, "standard output has only the schedule")
        self.assertNotIn("search", out)
        notes = err.splitlines()
        self.assertTrue(notes[0].startswith("searching for an order"), err)
        for note in notes[1:]:
            self.assertRegex(note, r"^searching: \d+ orders? tried, \d+ |"
                                   r"^stagelane: warning: the search was cut short")

    def test_schedule_of_bad_input(self):
        self.refuse(2, ["--devices"], "schedule", "1f1b", "--json")
        self.refuse(3, ["--devices"], "schedule", "1f1b", "--devices", "0", "--microbatches", "2")
        self.refuse(3, ["--devices"], "schedule", "1f1b", "--devices", "x", "--microbatches", "2")
        sizes = ("--devices", "2", "--microbatches", "4")
        self.refuse(3, ["two stages on each device"], "schedule", "zbv", *sizes, "--chunks", "3",
                    "--json")
        self.refuse(3, ["a multiple of the 2 devices"], "schedule", "interleaved-1f1b",
                    "--devices", "2", "--microbatches", "5")
        self.refuse(3, ["--chunks"], "schedule", "zbv", *sizes, "--chunks", "0")
        self.refuse(3, ["1f1b"], "schedule", "1f2b", "--devices", "2", "--microbatches", "4")
        self.refuse(3, ["absent.csv"], "schedule", self.root / "absent.csv", "--json")
        broken = self.root / "broken.csv"
        broken.write_text("0F0,hello\n")
        self.refuse(3, ["hello"], "schedule", broken, "--json")

    def test_predict_has_the_documented_form(self):
        document = self.succeed_json("predict", self.experiment(), "--no-calibrate")
        self.assertEqual(set(document), {"variants", "simulator"})
        self.assertEqual(set(document["simulator"]), {"actions", "wall_ns"})
        self.assertLessEqual({"single", "pipe"}, {v["id"] for v in document["variants"]})
        for variant in document["variants"]:
            self.assertEqual(set(variant), {"id", "name", "step_ns", "speedup", "base", "bound",
                                            "lower_bound_ns", "gap", "devices", "basis",
                                            "explanation"})
            self.assertEqual(variant["base"], document["variants"][0]["base"])
            self.assertAlmostEqual(variant["speedup"],
                                   variant["base"]["step_ns"] / variant["step_ns"], places=9)
            explanation = variant["explanation"]
            self.assertEqual(explanation["ideal_ns"] + sum(p["ns"] for p in explanation["parts"]),
                             variant["step_ns"])
            self.assertEqual(variant["basis"], "estimate")
            self.assertGreaterEqual(variant["step_ns"], variant["bound"]["step_ns"])
            self.assertGreaterEqual(variant["bound"]["step_ns"], variant["lower_bound_ns"])
            for device in variant["devices"]:
                self.assertEqual(set(device["idle"]), IDLE_CAUSES)
                self.assertEqual(device["busy_ns"] + sum(device["idle"].values()),
                                 variant["step_ns"])
                peak = device["peak_range"]
                self.assertEqual(peak["from"], "bounds")
                self.assertLessEqual(peak["low_bytes"], device["peak_bytes"])
                self.assertGreaterEqual(peak["high_bytes"], device["peak_bytes"])

    def test_a_dry_sweep_prints_one_document(self):
        document = self.succeed_json("sweep", "toy", "--variant", "pipeline", "--split", "2,5",
                                     "--dry-run", "--json")
        # Two split sizes with the tab's three schedules; what is run to compare with is no point.
        self.assertEqual(document, {"points": 6, "runs": 1})

    def test_an_impossible_point_of_a_sweep_is_refused_before_the_first_is_measured(self):
        for more in ((), ("--dry-run",)):
            code, out, err = self.stagelane("sweep", "toy", "--variant", "pipeline", "--split", "5",
                                            "--schedule", "gpipe,zbv", "--batch", "20,40", *more)
            self.assertEqual((code, out), (3, ""))
            self.assertIn("zbv, split 5, batch 20: ", err)
            self.assertIn("Remove one of these values from the lists", err)
        self.assertEqual(self.succeed_json("sweep", "--list")["sweeps"], [])

    def test_an_imagined_device_is_refused_before_a_sweep(self):
        def imagine(document):
            document["devices"][1] = {"id": "sim:0", "like": "cpu:0", "speed": 2.0}
            document["variants"][1]["placement"] = "optimal"
        code, out, err = self.stagelane("sweep", self.experiment(imagine), "--variant", "pipe",
                                        "--dry-run")
        self.assertEqual((code, out), (3, ""))
        self.assertIn("imagined", err)

    def test_a_gap_in_a_list_of_a_sweep_is_refused(self):
        for option, bad, words in (("--split", "2,,5", "a value is missing in the list '2,,5'"),
                                   ("--split", "2,5,", "a value is missing"),
                                   ("--batch", "20,,40", "a value is missing"),
                                   ("--schedule", "gpipe,,1f1b", "a value is missing"),
                                   ("--placement", ",optimal", "a value is missing"),
                                   ("--recompute", "never,,always", "a value is missing")):
            code, out, err = self.stagelane("sweep", "toy", "--variant", "pipeline", option, bad,
                                            "--dry-run")
            self.assertEqual(code, 2, bad)
            self.assertEqual(out, "")
            self.assertIn(option, err)
            self.assertIn(words, err)
        code, out, err = self.stagelane("sweep", "toy", "--variant", "pipeline", "--split",
                                        "2,five", "--dry-run")
        self.assertEqual((code, out), (3, ""))
        self.assertIn("'five' is not a whole number", err)

    def test_predictions_are_the_same_in_every_locale(self):
        def limit(experiment):
            experiment["devices"][0] = {"id": "cpu:0", "max_memory": "1.5KiB"}
        path = self.experiment(limit)
        shown = {}
        for locale in ("C.UTF-8", "de_DE.UTF-8"):
            # Qt follows the variable even where the C library does not have the locale.
            self.environment.update(LANG=locale, LC_ALL=locale)
            document = self.succeed_json("predict", path, "--no-calibrate")
            shown[locale] = self.succeed("predict", path, "--no-calibrate"), document["variants"]
        self.assertEqual(shown["de_DE.UTF-8"], shown["C.UTF-8"])
        self.assertIn("has 1.5 KiB", shown["C.UTF-8"][1][0]["reason"])

    def test_predict_plays_every_schedule_of_a_sweep(self):
        names = ["tutorial", "gpipe", "1f1b", "interleaved-1f1b", "looped-bfs", "zb-h1", "zb-h2",
                 "interleaved-zero-bubble", "zbv", "v-half", "v-min", "dualpipev"]

        def sweep(experiment):
            experiment["model"] = {"zoo": "resnet18"}
            experiment["input"] = {"shape": [3, 32, 32]}
            experiment["data"] = {"labels": "one_hot", "batch_size": 8}
            experiment["variants"] = [{"name": "p", "strategy": "pipeline", "split_size": 2,
                                       "schedule": names}]
        document = self.succeed_json("predict", self.experiment(sweep), "--no-calibrate")
        steps = {v["id"]: v["step_ns"] for v in document["variants"]}
        for name in names:
            self.assertGreater(steps[f"p-{name}"], 0)

        def odd(experiment):
            sweep(experiment)
            experiment["variants"][0].update(split_size=3, schedule="interleaved-1f1b")
        for command in ("predict", "run"):
            self.refuse(3, ["/variants/0", "a multiple of the 2 devices"], command,
                        self.experiment(odd), "--json")

    def test_predict_takes_costs_and_changes(self):
        blocks = [{"name": name, "points": [{"samples": 1, "F_ns": 1000, "I_ns": 600, "W_ns": 400}]}
                  for name in ("net1", "relu", "net2")]
        costs = self.root / "costs.json"
        costs.write_text(json.dumps({"stagelane_costs": 1, "blocks": blocks}))
        experiment = self.experiment()
        plain = self.succeed_json("predict", experiment, "--costs", costs)
        half = self.succeed_json("predict", experiment, "--costs", costs, "--what-if", "cpu:0 x0.5",
                                 "--what-if", "links=free")
        self.assertEqual(half["what_if"], ["cpu:0 x0.5", "links=free"])
        for before, after in zip(plain["variants"], half["variants"]):
            self.assertEqual(before["basis"], "file")
            self.assertEqual(after["unchanged_step_ns"], before["step_ns"])
            if before["id"] == "single":
                self.assertEqual(2 * after["step_ns"], before["step_ns"])
        self.assertIn("Why it is not faster", self.succeed("predict", experiment, "--costs", costs))
        self.refuse(3, ["links=free", "layer3 x0.8"], "predict", experiment, "--what-if", "faster",
                    "--json")
        blocks[0]["points"][0]["samples"] = 0
        costs.write_text(json.dumps({"stagelane_costs": 1, "blocks": blocks}))
        self.refuse(3, ["costs.json", "/blocks/0/points/0/samples"], "predict", experiment,
                    "--costs", costs, "--json")

    def test_predicted_traces_are_analyzed(self):
        out = self.root / "p.pftrace"
        self.succeed("predict", self.experiment(), "--no-calibrate", "--trace", out)
        trace = self.root / "p-pipe.pftrace"
        self.assertTrue(trace.exists())
        document = self.succeed_json("analyze", trace)
        self.assertEqual({d["name"] for d in document["devices"]}, {"cpu:0", "cpu:1"})
        for device in document["devices"]:
            for step in device["steps"]:
                self.assertEqual(sum(step["causes"].values()), step["wall_ns"])
        self.assertIn("idle", self.succeed("analyze", trace))
        table = self.root / "p.csv"
        self.succeed("convert", trace, "--to", "csv", "-o", table)
        self.assertEqual(table.read_text().splitlines()[0],
                         "start_ns,duration_ns,device,track,category,name,stage,micro_batch,"
                         "correlation")

    def test_a_trace_says_the_same_in_every_format(self):
        out = self.root / "p.pftrace"
        self.succeed("predict", self.experiment(), "--no-calibrate", "--trace", out)
        trace = self.root / "p-pipe.pftrace"
        expected = self.succeed_json("analyze", trace)
        for form in ("chrome", "perfetto"):
            copy = self.root / f"copy.{form}"
            self.succeed("convert", trace, "--to", form, "-o", copy)
            self.assertEqual(self.succeed_json("analyze", copy), expected, form)
        self.refuse(8, ["/proc/nowhere"], "convert", trace, "--to", "csv", "-o", "/proc/nowhere/x")

    def test_compare_matches_the_actions_of_two_traces(self):
        out = {}
        for name, split in (("a", 5), ("b", 10)):
            path = self.experiment(name=name + ".json")
            self.succeed("predict", path, "--no-calibrate", "--trace", self.root / (name + ".pftrace"),
                         "--set", f"/variants/1/split_size={split}")
            out[name] = self.root / f"{name}-pipe.pftrace"
        same = self.succeed_json("compare", out["a"], out["a"])["trace"]
        self.assertEqual((same["delta_ns"], same["only_left"], same["only_right"]), (0, 0, 0))
        self.assertGreater(same["matched"], 0)
        answer = self.succeed_json("compare", out["a"], out["b"])["trace"]
        self.assertEqual(answer["left"]["wall_ns"] + answer["delta_ns"],
                         answer["right"]["wall_ns"])
        self.assertGreater(answer["only_left"], 0)
        for device in answer["devices"]:
            for side in ("left_ns", "right_ns"):
                self.assertEqual(sum(cause[side] for cause in device["causes"].values()),
                                 answer[side[:-3]]["wall_ns"])
        self.assertIn("The right step", self.succeed("compare", out["a"], out["b"]))
        self.refuse(2, ["--predicted"], "compare", out["a"])
        self.refuse(2, ["run folder"], "compare", out["a"], "--predicted")
        self.refuse(3, ["absent"], "compare", out["a"], self.root / "absent", "--json")
        self.refuse(3, ["no such file", "nowhere"], "compare", self.root, self.root / "nowhere")
        self.refuse(3, ["--step", "from 0 to 0"], "compare", out["a"], out["b"], "--step", "4")
        self.refuse(3, ["--step", "expected a number"], "compare", out["a"], out["b"], "--step", "-1")
        self.refuse(2, ["--with"], "compare", out["a"], "--variant", "x", "--with", "y", "--predicted")
        self.refuse(2, ["--definitions hta"], "analyze", out["a"], "--include-last-profiler-step")

    def test_convert_says_what_a_trace_has_no_place_for(self):
        source = self.root / "objects.json"
        source.write_text(json.dumps([{"name": "a", "ph": "X", "pid": 1, "tid": 1, "ts": 1, "dur": 1},
                                      {"name": "o", "ph": "N", "id": 1, "pid": 1, "tid": 1, "ts": 1}]))
        code, _, err = self.stagelane("convert", source, "-o", self.root / "o.pftrace")
        self.assertEqual(code, 0, err)
        self.assertIn("1 event of an unsupported kind is not written: N (1)", err)

    def test_analyze_gives_the_figures_of_hta(self):
        folder = SOURCE / "tests" / "data" / "analysis"
        cases = json.loads((folder / "expected.json").read_text())["cases"]
        for name in ("case04", "case09"):
            answer = self.succeed_json("analyze", folder / f"{name}.json", "--definitions", "hta")
            expected = cases[name]["default"]
            self.assertEqual(list(answer), list(expected), name)
            for part in ("temporal", "overlap", "idle"):
                self.assertEqual(answer[part], expected[part], name)
            self.assertIn("Queue length", self.succeed("analyze", folder / f"{name}.json",
                                                       "--definitions", "hta"))
        two = folder / "degenerate" / "two_devices_in_one_file.json"
        code, out, err = self.stagelane("analyze", two, "--definitions", "hta", "--json")
        self.assertEqual((code, set(json.loads(out)["per_device"])), (0, {"0", "1"}))
        self.assertIn("warning", err)
        broken = self.root / "broken.json"
        broken.write_text('{"traceEvents": [{"ts": 1')
        self.assertEqual(list(self.succeed_json("analyze", broken, "--definitions", "hta")),
                         ["load"])
        self.refuse(3, ["absent.json"], "analyze", self.root / "absent.json", "--definitions",
                    "hta", "--json")

    def test_analyze_answers_in_the_form_of_pipeline_timelines(self):
        timeline = {"name": "t", "note": "", "wall": [0, 100], "devices": [
            {"name": "gpu0", "events": [
                {"kind": "forward", "micro_batch": 0, "start_ns": 0, "end_ns": 60}]}]}
        path = self.root / "timeline.json"
        path.write_text(json.dumps(timeline))
        answer = json.loads(self.succeed("analyze", path, "--definitions", "pipeline"))
        self.assertEqual(answer["wall_ns"], 100)
        self.assertEqual(answer["devices"][0]["busy_ns"], 60)
        path.write_text(json.dumps({"wall": "x"}))
        self.refuse(3, ["timeline.json"], "analyze", path, "--definitions", "pipeline", "--json")

    def test_traces_that_cannot_be_read(self):
        self.refuse(3, ["absent"], "analyze", self.root / "absent", "--json")
        for content in (b"", b"garbage\x00\xff" * 50, b"\x0a"):
            path = self.root / "bad.pftrace"
            path.write_bytes(content)
            self.refuse(3, ["bad.pftrace"], "analyze", path, "--json")
        self.refuse(3, ["traces"], "analyze", self.root)
        self.refuse(3, ["--definitions"], "analyze", path, "--definitions", "mine")
        self.refuse(3, ["--to"], "convert", path, "--to", "docx", "-o", self.root / "x")

    def test_runs_of_an_empty_workspace(self):
        self.assertEqual(self.succeed_json("runs")["runs"], [])
        self.assertIn("stagelane run toy", self.succeed("runs"))

    def test_favorite_runs_can_be_asked_for_in_both_spellings(self):
        plain = self.workspace / "runs" / "20261120-101500-plain"
        starred = self.workspace / "runs" / "20261120-101600-starred"
        for folder in (plain, starred):
            folder.mkdir(parents=True)
            (folder / "experiment.json").write_text(json.dumps(TOY))
        (starred / "labels.json").write_text('{"stagelane_labels": 1, "favourite": true}')
        self.assertEqual(len(self.succeed_json("runs")["runs"]), 2)
        for asked in ("--favorites", "--favourites", "is:favorite", "is:favourite"):
            runs = self.succeed_json("runs", asked)["runs"]
            self.assertEqual([run["folder"] for run in runs], [str(starred)], asked)
        helped = self.succeed("runs", "--help")
        self.assertIn("--favorites", helped)
        self.assertNotIn("favourite", helped)

    def test_runs_writes_no_speedup_of_a_run_that_ended_before_its_base(self):
        folder = self.workspace / "runs" / "20261120-101500-killed"
        folder.mkdir(parents=True)
        (folder / "experiment.json").write_text(json.dumps(TOY))
        events = [{"event": "started", "t_ns": 0, "run": {"name": "killed"}, "devices": ["cpu:0"],
                   "variants": [{"id": "one", "name": "one", "strategy": "pipeline",
                                 "status": "running", "seconds": []}]},
                  {"event": "measurement", "t_ns": 1, "variant": "one", "seconds": 0.5}]
        (folder / "events.jsonl").write_text("".join(json.dumps(e) + "\n" for e in events))
        listed = self.succeed("runs")
        self.assertIn("killed", listed)
        self.assertNotIn("0.00×", listed)

    def test_runs_names_folders_that_cannot_be_read_on_standard_error(self):
        folder = self.workspace / "runs" / "20261120-101500-locked"
        folder.mkdir(parents=True)
        # A link to itself fails for every user; permissions do not apply to root.
        (folder / "events.jsonl").symlink_to("events.jsonl")
        code, out, err = self.stagelane("runs", "--json")
        self.assertEqual(code, 0)
        self.assertEqual(json.loads(out)["runs"], [])
        self.assertIn(f"{folder} cannot be read (events.jsonl: Too many levels", err)


class BadExperimentTest(CommandLineTest):
    """Refused by the command line before any engine starts: no run folder is left."""

    def refuse_experiment(self, words, change):
        path = self.experiment(change)
        for command in (("run", path, "--json"), ("predict", path, "--json")):
            self.refuse(3, words, *command)
        self.assertFalse((self.workspace / "runs").exists())

    def test_malformed_json_names_the_file_and_the_byte(self):
        path = self.root / "bad.json"
        for text in ("", "{", '{"name": }', "[1,2", '{"a":1,"a":2}', "\xff"):
            path.write_text(text)
            self.refuse(3, ["bad.json"], "run", path, "--json")

    def test_a_file_that_is_absent_or_a_folder(self):
        self.refuse(3, ["absent.json"], "run", self.root / "absent.json", "--json")
        self.refuse(3, ["experiment.json"], "run", self.root, "--json")
        self.refuse(3, ["tutorial-resnet50"], "run", "tutorial-resnet5", "--json")

    def test_an_unknown_key_names_its_place_and_the_nearest_key(self):
        self.refuse_experiment(["/repeats", "repeat"], lambda e: e.update(repeats=3))

        def misspell(experiment):
            experiment["variants"][1]["splitsize"] = 5
        self.refuse_experiment(["/variants/1/splitsize", "split_size"], misspell)

    def test_an_uncovered_layer_is_named(self):
        def uncover(experiment):
            del experiment["variants"][1]["placement"]["net2"]
        self.refuse_experiment(["net2", "/variants/1/placement"], uncover)

    def test_a_device_that_the_experiment_does_not_list(self):
        def misplace(experiment):
            experiment["variants"][1]["placement"]["net2"] = "cpu:7"
        self.refuse_experiment(["cpu:7"], misplace)

    def test_a_split_size_of_zero_or_above_the_batch(self):
        for size in (0, -1, 21, 1.5, "five"):
            def split(experiment):
                experiment["variants"][1]["split_size"] = size
            self.refuse_experiment(["/variants/1/split_size"], split)

    def test_strategies_of_later_versions(self):
        for name in strategies_of_later_versions():
            def later(experiment):
                experiment["variants"][0]["strategy"] = name
            self.refuse_experiment(["not available in this version", "/variants/0/strategy"], later)

    def test_a_file_whose_variants_are_all_left_out(self):
        def leave_out(document):
            for variant in document["variants"]:
                variant["include"] = False
        path = self.experiment(leave_out)
        self.refuse(3, ["no variant is included", "/variants"], "run", path)
        self.refuse(3, ["no variant is included"], "predict", path, "--json")

    def test_set_is_checked_like_the_file(self):
        self.refuse(3, ["/variants/1/split_size"], "run", self.experiment(), "--set",
                    "/variants/1/split_size=0", "--json")


@unittest.skipUnless(ENGINE.exists(), "stagelane-engine is not built")
class RunTest(CommandLineTest):
    LONG = ("--set", "/repeat=100000")

    def start_long(self, folder, *arguments):
        """A run that will not end by itself, with a few repeats measured."""
        process = self.start("run", self.experiment(), *self.LONG, "--out", folder, *arguments)
        deadline = time.monotonic() + PATIENCE_S
        while self.measured(folder) < 6:
            self.assertIsNone(process.poll(), "the run ended early")
            self.assertLess(time.monotonic(), deadline, "nothing was measured")
            time.sleep(0.05)
        return process

    def measured(self, folder):
        events = folder / "events.jsonl"
        return events.read_text().count('"measurement"') if events.exists() else 0

    def engine_of(self, process):
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
        return int(children.split()[0])

    def finish(self, process):
        out, err = process.communicate(timeout=PATIENCE_S)
        return process.returncode, out, err

    def kept_seconds(self, folder):
        return sum(len(v["seconds"]) for v in self.result(folder)["variants"])

    def check_result(self, document):
        self.assertEqual(set(document), RESULT_KEYS)
        self.assertEqual(document["stagelane"], 1)
        self.assertEqual(document["status"], "done")
        for variant in document["variants"]:
            self.assertEqual(variant["status"], "done", variant)
            self.assertLessEqual(VARIANT_KEYS, set(variant), variant["id"])
            self.assertGreater(variant["mean_s"], 0)
            self.assertIn(variant["speedup_base"], [v["id"] for v in document["variants"]])
            for device in variant["devices"]:
                self.assertEqual(set(device["idle"]), IDLE_CAUSES)
                self.assertTrue(0 <= device["utilisation"] <= 1)

    def test_the_toy_preset_end_to_end(self):
        code, out, err = self.stagelane("run", "toy", "--json")
        self.assertEqual(code, 0, err)
        document = json.loads(out)
        self.check_result(document)
        folder = pathlib.Path(document["folder"])
        self.assertEqual(folder.parent, self.workspace / "runs")
        self.assertRegex(folder.name, r"^\d{8}-\d{6}-[a-z0-9-]+$")
        for name in ("experiment.json", "environment.json", "events.jsonl", "engine.log"):
            self.assertTrue((folder / name).exists(), name)
        self.assertEqual(self.result(folder), document)
        checked = [v for v in document["variants"] if "gradient_check" in v]
        self.assertTrue(checked)
        for variant in checked:
            self.assertTrue(variant["gradient_check"]["bit_equal"], variant["id"])
        for variant in document["variants"]:
            trace = folder / "traces" / (variant["id"] + ".pftrace")
            self.assertTrue(trace.exists(), trace)
        names = [json.loads(line)["event"] for line in (folder / "events.jsonl").open()]
        self.assertEqual((names[0], names[-1]), ("started", "finished"))
        listed = self.succeed_json("runs")["runs"]
        self.assertEqual([entry["folder"] for entry in listed], [str(folder)])
        self.assertEqual(listed[0]["status"], "done")

    def test_the_table_names_everything_that_the_run_found(self):
        code, out, err = self.stagelane("run", self.experiment(), "--out", self.root / "run")
        self.assertEqual(code, 0, err)
        for word in ("single", "pipe", "speed-up", "all cores", "bound", "idle", "bit-equal",
                     f"folder: {self.root}/run"):
            self.assertIn(word, out)
        self.assertNotIn("\033", err)

    def test_inference_has_latency_throughput_and_checked_outputs(self):
        def infer(document):
            document["task"] = "infer"
            document["baseline_sweep"] = True
        path = self.experiment(infer)
        result = self.succeed_json("run", path, "--out", self.root / "run")
        for variant in result["variants"]:
            self.assertGreater(variant["latency"]["p50_s"], 0, variant["id"])
            self.assertLessEqual(variant["latency"]["p50_s"], variant["latency"]["p99_s"])
            self.assertGreater(variant["throughput"], 0)
            self.assertGreater(variant["step_ns"], 0)
            self.assertEqual(variant["loss"], [])
            self.assertNotIn("gradient_check", variant)
        pipe = next(v for v in result["variants"] if v["id"] == "pipe")
        self.assertTrue(pipe["output_check"]["bit_equal"])
        self.assertIn("samples/s", self.succeed("run", path))
        predicted = self.succeed_json("predict", path)
        self.assertTrue(all(v["step_ns"] > 0 for v in predicted["variants"]))
        for kind in ("time", "idle", "speedup", "memory"):
            self.succeed("chart", self.root / "run", "--kind", kind, "-o", self.root / f"{kind}.svg")
        self.succeed("report", self.root / "run", "-o", self.root / "report.md")
        self.assertIn("Output check", (self.root / "report.md").read_text())
        trace = self.root / "run" / "traces" / "pipe.pftrace"
        for device in self.succeed_json("analyze", trace)["devices"]:
            for step in device["steps"]:
                self.assertEqual(sum(step["causes"].values()), step["wall_ns"])
                self.assertEqual(step["causes"].get("backward", 0), 0)

    def test_a_sweep_measures_all_combinations_of_five_kinds_of_values(self):
        lists = ("--split", "5,10", "--schedule", "gpipe,1f1b", "--placement", "optimal,balanced",
                 "--recompute", "never,always", "--batch", "20,40")
        path = self.experiment(lambda document: document.update(repeat=1, verify_gradients=False))
        tasks = self.succeed_json("sweep", path, "--variant", "pipe", *lists)["tasks"]
        self.assertEqual([task["label"] for task in tasks], ["batch 20", "batch 40"])
        wanted = {f"pipe-sweep-{placement}-{recompute}-{schedule}-s{split}"
                  for placement in ("optimal", "balanced") for recompute in ("never", "always")
                  for schedule in ("gpipe", "1f1b") for split in (5, 10)}
        for task in tasks:
            points = {point["variant"]: point for point in task["points"]}
            self.assertEqual(wanted, {name for name in points if "sweep" in name})
            for name in wanted:
                self.assertEqual(points[name]["status"], "done", name)
                self.assertGreater(points[name]["predicted_step_ns"], 0, name)

    def engine_that_fails_batches_of_40(self, code, before=""):
        """An engine that is the real one, but for batches of 40 samples."""
        script = self.root / "engine"
        event = json.dumps({"event": "error", "t_ns": 1, "code": code, "message": "no luck"})
        script.write_text("#!/bin/bash\n"
                          'if [ "$1" = run ] && grep -q \'"batch_size": 40\' "$2"; then\n'
                          f"  {before}\n  echo '{event}'\n  exit {code}\nfi\n"
                          f'exec "{ENGINE}" "$@"\n')
        script.chmod(0o755)
        self.environment["STAGELANE_ENGINE"] = str(script)

    def test_a_sweep_ends_with_the_code_of_the_first_run_that_failed(self):
        self.engine_that_fails_batches_of_40(5)
        path = self.experiment(lambda document: document.update(repeat=1, verify_gradients=False))
        lists = ("--variant", "pipe", "--batch", "20,40,60", "--split", "5")
        code, out, err = self.stagelane("sweep", path, *lists, "--json")
        self.assertEqual((code, out), (5, ""), err)
        self.assertIn("batch 40", err)
        self.assertIn("no luck", err)
        tasks = self.succeed_json("sweep", "--list")["sweeps"][0]["tasks"]
        self.assertEqual([task["state"] for task in tasks], ["done", "failed", "done"])
        self.assertEqual([task.get("exit_code") for task in tasks], [None, 5, None])
        self.assertRegex(self.succeed("sweep", "--list"), r" failed +2 of 3 ")
        # Completed points are shown to users anyway, and resuming ends in the same way.
        code, out, err = self.stagelane("sweep", path, *lists)
        self.assertEqual(code, 5, err)
        self.assertIn("batch 60: pipe-sweep-s5", out)
        newest = self.succeed_json("sweep", "--list")["sweeps"][0]["folder"]
        self.assertEqual(self.stagelane("sweep", "--resume", newest)[0], 5)

    def test_every_training_option_at_once(self):
        def change(document):
            document["optimizer"] = {"kind": "adamw", "betas": [0.8, 0.9]}
            document.update({"clip_grad_norm": 0.1, "precision": "bf16", "batch_norm": "deferred"})
            document["variants"][1]["recompute"] = "except_last"
        result = self.succeed_json("run", self.experiment(change), "--out", self.root / "run")
        pipe = next(v for v in result["variants"] if v["id"] == "pipe")
        self.assertTrue(pipe["gradient_check"]["bit_equal"])

    def test_more_workers_than_cores_are_warned_of(self):
        def change(document):
            document["threads_per_cpu_worker"] = 64
        _, _, err = self.stagelane("predict", self.experiment(change), "--no-calibrate")
        self.assertIn("share the cores", err)

    def test_set_changes_the_run(self):
        document = self.succeed_json("run", self.experiment(), "--set", "/repeat=2", "--set",
                                     "/variants/1/split_size=10")
        by_id = {v["id"]: v for v in document["variants"]}
        self.assertEqual(len(by_id["pipe"]["seconds"]), 2)
        self.assertEqual(by_id["pipe"]["split_size"], 10)
        kept = json.loads((pathlib.Path(document["folder"]) / "experiment.json").read_text())
        self.assertEqual(kept["repeat"], 2)

    def test_a_run_folder_can_be_run_again(self):
        first = self.succeed_json("run", self.experiment())
        second = self.succeed_json("run", first["folder"])
        self.assertNotEqual(first["folder"], second["folder"])
        self.assertEqual([v["id"] for v in first["variants"]],
                         [v["id"] for v in second["variants"]])

    def test_a_run_folder_stands_for_the_plan_that_was_run(self):
        def change(document):
            document["variants"][1]["placement"] = "optimal"
        first = pathlib.Path(self.succeed_json("run", self.experiment(change))["folder"])
        plan = json.loads((first / "plan.json").read_text())
        stages = plan["variants"]["pipe"]["stages"]
        stages[0]["device"], stages[-1]["device"] = stages[-1]["device"], stages[0]["device"]
        (first / "plan.json").write_text(json.dumps(plan))
        second = pathlib.Path(self.succeed_json("run", first)["folder"])
        again = json.loads((second / "plan.json").read_text())
        self.assertEqual(again["variants"]["pipe"]["stages"], stages)

    def test_a_damaged_plan_of_a_run_is_named(self):
        folder = pathlib.Path(self.succeed_json("run", self.experiment())["folder"])
        (folder / "plan.json").write_text("{")
        code, _, err = self.stagelane("predict", folder)
        self.assertEqual(code, 3)
        self.assertIn("plan.json", err)
        self.assertIn("Remove the file", err)
        for command in (["report", folder, "--out", self.workspace / "r.md"],
                        ["chart", folder, "--kind", "time", "--out", self.workspace / "c.csv"]):
            code, _, err = self.stagelane(*command)
            self.assertEqual(code, 0)
            self.assertIn("warning: predictions are left out", err)
            self.assertIn("plan.json", err)

    def test_analyze_of_a_run(self):
        folder = self.succeed_json("run", self.experiment())["folder"]
        self.refuse(3, ["--variant", "pipe"], "analyze", folder)
        self.assertIn("cpu:1", self.succeed("analyze", folder, "--variant", "pipe"))
        document = self.succeed_json("analyze", folder, "--variant", "pipe")
        for device in document["devices"]:
            for step in device["steps"]:
                self.assertEqual(sum(step["causes"].values()), step["wall_ns"])
        self.assert_compares(folder)

    def assert_compares(self, folder):
        same = self.succeed_json("compare", folder, folder)
        self.assertEqual((same["settings"], same["only_left"]), ([], []))
        for variant in same["variants"]:
            self.assertEqual(variant["trace"]["delta_ns"], 0)
        self.assertIn("within the spread", self.succeed("compare", folder, folder))
        other = self.succeed_json("compare", folder, folder, "--variant", "single", "--with", "pipe")
        self.assertEqual(other["variants"][0]["right"], "pipe")
        trace = self.succeed_json("compare", folder, "--variant", "pipe", "--predicted")["trace"]
        self.assertEqual((trace["left"]["predicted"], trace["right"]["predicted"]), (True, False))
        self.assertGreater(trace["matched"], 0)
        self.assertEqual((trace["only_left"], trace["only_right"]), (0, 0))
        self.refuse(3, ["single, single-all-cores, pipe"], "compare", folder, folder, "--variant",
                    "nope")

    def test_charts_of_a_run_need_no_display(self):
        folder = self.succeed_json("run", self.experiment())["folder"]
        begins = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "csv": b"variant,repeat,device"}
        for suffix, magic in begins.items():
            out = self.root / f"time.{suffix}"
            self.succeed("chart", folder, "--kind", "time", "-o", out)
            self.assertTrue(out.read_bytes().startswith(magic), suffix)
        for kind in ("idle", "speedup", "memory"):
            out = self.root / f"{kind}.svg"
            self.succeed("chart", folder, "--kind", kind, "-o", out)
            self.assertNotIn(b"<image", out.read_bytes())
        self.succeed("chart", folder, "--kind", "time", "--style", "tutorial", "-o",
                     self.root / "t.svg")
        self.refuse(3, ["--kind"], "chart", folder, "--kind", "pie", "-o", self.root / "x.svg")
        self.refuse(3, ["--style"], "chart", folder, "--kind", "time", "--style", "x", "-o",
                    self.root / "x.svg")
        self.refuse(3, ["docx"], "chart", folder, "--kind", "time", "-o", self.root / "x.docx")
        self.refuse(3, ["run folder"], "chart", self.root, "--kind", "time", "-o",
                    self.root / "x.svg")
        self.refuse(8, ["/proc"], "chart", folder, "--kind", "time", "-o", "/proc/x.svg")

    def test_devices(self):
        devices = self.succeed_json("devices")["devices"]
        self.assertIn("cpu:0", [device["id"] for device in devices])
        self.assertIn("cpu:0", self.succeed("devices"))

    def test_a_device_that_this_machine_lacks(self):
        if any(d["kind"] == "gpu" and d["usable"] for d in self.succeed_json("devices")["devices"]):
            self.skipTest("this machine has a GPU")

        def use_gpu(experiment):
            experiment["devices"] = ["cuda:0"]
            experiment["variants"] = [{"name": "s", "strategy": "single", "device": "cuda:0"}]
        self.refuse(4, ["cuda:0"], "run", self.experiment(use_gpu), "--json")

    def test_an_out_folder_that_is_not_empty(self):
        folder = self.root / "full"
        folder.mkdir()
        (folder / "precious").write_text("keep me")
        self.refuse(8, [str(folder)], "run", self.experiment(), "--out", folder, "--json")
        self.assertEqual([p.name for p in folder.iterdir()], ["precious"])
        self.refuse(8, ["precious"], "run", self.experiment(), "--out", folder / "precious",
                    "--json")

    def test_an_empty_out_folder_is_used(self):
        folder = self.root / "empty"
        folder.mkdir()
        self.succeed("run", self.experiment(), "--out", folder)
        self.assertEqual(self.result(folder)["status"], "done")

    def test_a_folder_that_cannot_be_written(self):
        # /proc refuses new folders even for root, unlike a mode of 0500.
        self.refuse(8, ["/proc/nowhere"], "run", self.experiment(), "--out", "/proc/nowhere",
                    "--json")
        self.environment["STAGELANE_WORKSPACE"] = "/proc/nowhere"
        self.refuse(8, ["/proc/nowhere"], "run", self.experiment(), "--json")

    def test_a_full_disk_ends_with_8_and_keeps_what_was_measured(self):
        folder = self.root / "run"
        limit = 60_000

        def limit_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        code, out, err = self.stagelane("run", self.experiment(), *self.LONG, "--out", folder,
                                        "--json", preexec_fn=limit_files)
        ended = time.time()
        FaultClock.of_full_disk(folder).check(self.id(), ended)
        self.assertEqual(code, 8, err)
        self.assertEqual(out, "")
        self.assertIn("stagelane: error: ", err)
        self.succeed("runs")
        self.assertEqual(self.result(folder)["status"], "failed")
        self.assertGreater(self.kept_seconds(folder), 0)

    def test_an_engine_killed_in_the_middle_fails_the_run_and_keeps_its_repeats(self):
        folder = self.root / "run"
        process = self.start_long(folder, "--json")
        os.kill(self.engine_of(process), signal.SIGKILL)
        clock = FaultClock()
        code, out, err = self.finish(process)
        clock.check(self.id())
        self.assertEqual(code, 6, err)
        self.assertEqual(out, "")
        self.assertIn("SIGKILL", err)
        result = self.result(folder)
        self.assertEqual(result["status"], "failed")
        self.assertGreaterEqual(self.kept_seconds(folder), 6)
        for variant in result["variants"]:
            self.assertEqual(variant["status"], "failed")
            self.assertEqual(variant["failure"]["kind"], "killed")
        run = self.succeed_json("runs")["runs"][0]
        self.assertEqual((run["status"], run["failure"]["kind"]), ("failed", "killed"))

    def test_sigterm_sigint_and_sighup_cancel(self):
        self.addCleanup(signal.signal, signal.SIGHUP, signal.getsignal(signal.SIGHUP))
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may run under nohup
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            folder = self.root / f"run-{number}"
            process = self.start_long(folder, "--json")
            if number == signal.SIGHUP:
                os.kill(self.engine_of(process), number)  # a closed terminal ends both
            process.send_signal(number)
            began = time.monotonic()
            code, out, err = self.finish(process)
            print(f"{signal.Signals(number).name}: {time.monotonic() - began:.1f} s", flush=True)
            self.assertEqual(code, 130, err)
            self.assertEqual(json.loads(out)["status"], "canceled")
            result = self.result(folder)
            self.assertEqual(result["status"], "canceled")
            self.assertGreaterEqual(self.kept_seconds(folder), 6)
            last = json.loads((folder / "events.jsonl").read_text().splitlines()[-1])
            self.assertEqual(last["event"], "canceled")

    def test_a_closed_terminal_does_not_cancel_under_nohup(self):
        self.addCleanup(signal.signal, signal.SIGHUP, signal.getsignal(signal.SIGHUP))
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        folder = self.root / "run"
        process = self.start_long(folder)
        os.kill(self.engine_of(process), signal.SIGHUP)
        process.send_signal(signal.SIGHUP)
        more = self.measured(folder) + 6
        deadline = time.monotonic() + PATIENCE_S
        while self.measured(folder) < more:
            self.assertIsNone(process.poll(), "the run ended")
            self.assertLess(time.monotonic(), deadline, "nothing was measured")
            time.sleep(0.05)
        process.terminate()
        self.assertEqual(self.finish(process)[0], 130)

    def test_a_killed_command_line_takes_the_engine_along(self):
        folder = self.root / "run"
        process = self.start_long(folder)
        engine = self.engine_of(process)
        process.kill()
        clock = FaultClock()
        self.finish(process)
        deadline = time.monotonic() + PATIENCE_S
        while lives(engine):
            self.assertLess(time.monotonic(), deadline, "the engine goes on alone")
            time.sleep(0.05)
        clock.check(self.id())
        self.succeed("runs")
        self.assertIn(self.result(folder)["status"], ("canceled", "failed"))

    def test_a_second_run_is_refused_while_one_is_going(self):
        process = self.start_long(self.root / "first")
        try:
            err = self.refuse(8, [str(process.pid)], "run", self.experiment(), "--out",
                              self.root / "second", "--json")
            self.assertIn(str(self.root / "first"), err)
            self.assertFalse((self.root / "second").exists())
        finally:
            process.terminate()
            self.finish(process)
        self.succeed("run", self.experiment(), "--out", self.root / "second")

    def test_a_run_in_progress_reads_as_running(self):
        process = self.start("run", self.experiment(), *self.LONG)
        try:
            deadline = time.monotonic() + PATIENCE_S
            entries = []
            while not entries or entries[0]["name"] == "" or entries[0]["variants"] == 0:
                self.assertLess(time.monotonic(), deadline)
                self.assertIsNone(process.poll(), "the run ended early")
                time.sleep(0.05)
                entries = self.succeed_json("runs")["runs"]
            self.assertEqual(entries[0]["status"], "running")
        finally:
            process.terminate()
            self.finish(process)
        self.assertEqual(self.succeed_json("runs")["runs"][0]["status"], "canceled")

    def test_too_big_says_what_it_needs_and_is_no_failure(self):
        if not (SOURCE / "resources/presets/too-big.json").exists():
            self.skipTest("no preset too-big")
        document = self.succeed_json("run", "too-big", "--set", "/repeat=1")
        not_run = [v for v in document["variants"] if v["status"] == "not_run"]
        self.assertTrue(not_run)
        for variant in not_run:
            self.assertEqual(variant["failure"]["kind"], "does_not_fit")
            self.assertIn(variant["failure"]["device"], document["devices"])
            self.assertRegex(variant["reason"], r"needs.*has")


if __name__ == "__main__":
    if not STAGELANE.exists():
        print(f"there is no {STAGELANE}")
        sys.exit(77)
    unittest.main(verbosity=2)
