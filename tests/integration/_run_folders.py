"""What must hold of run folders, sweeps and the index whenever a program was killed; and the loop that kills.

What was reported as measured is in the folder, the index agrees with it, and resuming neither measures a repeat
twice nor leaves one out. `_kills.py` kills the command line and its engine, `_window_kills.py` the window and its.
"""

import fcntl
import json
import math
import os
import random
import sqlite3
import subprocess
import sys
import time

BIN = os.environ["STAGELANE_BIN_DIR"]
STAGELANE = os.path.join(BIN, "stagelane")
REPEATS = 12


def experiment():
    """The toy with repeats that are long enough to be killed in; `pipe` is what sweeps vary."""
    with open(os.path.join(os.environ["STAGELANE_SOURCE_DIR"], "resources/presets/toy.json")) as file:
        toy = json.load(file)
    toy["name"] = "Killed"
    toy["repeat"] = REPEATS
    toy["baseline_sweep"] = False
    toy["data"]["batches"] = 40
    toy["variants"] = [toy["variants"][0],
                       {"name": "pipe", "strategy": "pipeline", "schedule": "1f1b", "split_size": 5,
                        "placement": {"net1": "#0", "relu": "#0", "net2": "#1"}}]
    return toy


class Workspace:
    """Where the killed programs work, with the experiment that they run."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = dict(os.environ, STAGELANE_WORKSPACE=folder)
        os.makedirs(folder, exist_ok=True)
        self.file = os.path.join(folder, "experiment.json")
        with open(self.file, "w") as file:
            json.dump(experiment(), file)
        self.known = set()

    def new(self, kind):
        """The one folder in `runs` or `sweeps` that was not forgotten yet, or None."""
        parent = os.path.join(self.folder, kind)
        names = os.listdir(parent) if os.path.isdir(parent) else []
        paths = [os.path.join(parent, name) for name in names]
        new = [path for path in paths if path not in self.known]
        assert len(new) < 2, new
        return new[0] if new else None

    def forget(self, path):
        self.known.add(path)

    def begun_runs(self):
        parent = os.path.join(self.folder, "runs")
        names = os.listdir(parent) if os.path.isdir(parent) else []
        return sum(has_begun(os.path.join(parent, name)) for name in names)

    def check_database(self):
        path = os.path.join(self.folder, "stagelane.db")
        if os.path.exists(path):
            database = sqlite3.connect(path, timeout=20)
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            database.close()


def run_json(arguments, environment):
    done = subprocess.run([STAGELANE] + arguments, env=environment, capture_output=True, text=True,
                          timeout=120, check=False)
    assert done.returncode == 0, f"{arguments}: {done.returncode} {done.stderr}"
    return json.loads(done.stdout)


def events_of(folder):
    events = []
    try:
        with open(os.path.join(folder, "events.jsonl"), "rb") as file:
            for line in file:
                try:
                    events.append(json.loads(line))
                except ValueError:
                    pass  # cut short
    except FileNotFoundError:
        pass
    return events


def wait_until_released(folder):
    """An engine whose reader was killed ends by itself; its lock on the events tells when."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            with open(os.path.join(folder, "events.jsonl")) as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return
        except FileNotFoundError:
            return
        except BlockingIOError:
            time.sleep(0.02)
    raise AssertionError(f"an engine still writes in {folder}")


def has_begun(folder):
    """False if the folder was still empty when the program was killed."""
    return os.path.exists(os.path.join(folder, "experiment.json"))


def measured(events):
    """variant id -> seconds by repeat; a repeat that was measured twice is an error."""
    seconds = {}
    for event in events:
        if event.get("event") == "measurement":
            of_variant = seconds.setdefault(event["variant"], {})
            assert event["repeat"] not in of_variant, f"measured twice: {event}"
            of_variant[event["repeat"]] = event["seconds"]
    return seconds


def ids_by_name(events):
    names = {}
    for event in events:
        if event.get("event") == "started":
            names.update({variant["name"]: variant["id"] for variant in event["variants"]})
    return names


def status_of(folder):
    try:
        with open(os.path.join(folder, "result.json")) as file:
            return json.load(file)["status"]
    except FileNotFoundError:
        return None


def check_folder(folder, reported, environment):
    """What was reported, as (id or name, repeat), is in the events; the index and result.json agree with those."""
    events = events_of(folder)
    names = ids_by_name(events)
    seconds = measured(events)
    for name, repeat in reported:
        assert repeat in seconds.get(names.get(name, name), {}), f"{name} repeat {repeat} is lost in {folder}"
    entries = run_json(["runs", "--json"], environment)["runs"]
    mine = [entry for entry in entries if entry["folder"] == folder]
    assert len(mine) == (1 if has_begun(folder) else 0), mine
    if mine:
        most = max((len(each) for each in seconds.values()), default=0)
        assert mine[0]["repeats"] == most, (mine[0], most)
        with open(os.path.join(folder, "result.json")) as file:
            for variant in json.load(file)["variants"]:
                kept = seconds.get(variant["id"], {})
                assert variant["seconds"] == [kept[repeat] for repeat in sorted(kept)], folder
    return seconds


def check_done(folder, seconds):
    with open(os.path.join(folder, "result.json")) as file:
        result = json.load(file)
    assert result["status"] == "done", (folder, result["status"])
    for variant in result["variants"]:
        if variant.get("included") is False:
            continue
        assert variant["status"] == "done", variant
        assert len(variant["seconds"]) == REPEATS, (folder, variant["id"], variant["seconds"])
        assert variant["step_ns"] > 0, variant
        assert os.path.exists(os.path.join(folder, "traces", variant["id"] + ".pftrace"))
        assert variant["seconds"] == [seconds[variant["id"]][n + 1] for n in range(REPEATS)]


def tasks_of(sweep):
    try:
        with open(os.path.join(sweep, "sweep.json")) as file:
            return json.load(file)["tasks"]
    except FileNotFoundError:
        return None  # killed while its experiments were written: there is no sweep yet


class OneRun:
    """The folder of a run that is killed and resumed."""

    def __init__(self, workspace):
        self.workspace = workspace
        self.path = None

    def folders(self):
        """The run folders that must be sound now."""
        self.path = self.path or self.workspace.new("runs")
        if self.path is None:
            return []
        wait_until_released(self.path)
        if not has_begun(self.path):
            self.workspace.forget(self.path)
            self.path = None
            return []
        return [self.path]

    def is_done(self):
        return self.path is not None and status_of(self.path) == "done"


class OneSweep:
    """The folder of a sweep over two batch sizes, each a run, and two split sizes."""

    def __init__(self, workspace):
        self.workspace = workspace
        self.path = None

    def folders(self):
        self.path = self.path or self.workspace.new("sweeps")
        if self.path is None:
            return []
        tasks = tasks_of(self.path)
        if tasks is None:
            self.workspace.forget(self.path)
            self.path = None
            return []
        runs = [task["run"] for task in tasks if task["run"]]
        assert len(set(runs)) == len(runs), runs
        for run in runs:
            self.workspace.forget(run)
            wait_until_released(run)
        return runs

    def is_done(self):
        runs = self.path is not None and [task["run"] for task in tasks_of(self.path) or []]
        return bool(runs) and all(run and status_of(run) == "done" for run in runs)


class Attempt:
    """The outcome of one start or resume."""

    def __init__(self, killed=False, refused=False, reported=()):
        self.killed = killed
        self.refused = refused  # another engine still had the workspace
        self.reported = reported  # (folder or None for any, id or name of the variant, repeat)


def kill_until_done(work, most):
    """Starts `work`, kills it and resumes it, at most `most` times, until it is done.

    `work.target` is a OneRun or OneSweep; `work.attempt(may_kill)` starts or resumes, and kills or waits for the end.
    @returns how often it was killed
    """
    target = work.target
    kills = 0
    kept = {}
    while True:
        attempt = work.attempt(may_kill=kills < most)
        kills += attempt.killed
        if attempt.refused:
            time.sleep(0.2)  # the engine of a killed program ends at its next action
            continue
        folders = target.folders()
        target.workspace.check_database()
        for folder in folders:
            reported = {(name, repeat) for where, name, repeat in attempt.reported if where in (None, folder)}
            seconds = check_folder(folder, reported, target.workspace.environment)
            for variant, repeats in kept.get(folder, {}).items():
                for repeat, value in repeats.items():
                    assert seconds[variant][repeat] == value, f"{folder} {variant} repeat {repeat} was measured again"
            kept[folder] = seconds
        for where, name, repeat in attempt.reported:
            assert where in (None, *folders), f"{name} repeat {repeat} was reported in {where}, which is gone"
        if not attempt.killed:
            assert target.is_done(), (target.path, [status_of(folder) for folder in folders])
        if target.is_done():
            break
    target.workspace.forget(target.path)
    for folder in folders:
        check_done(folder, kept[folder])
    return kills


def seeded_generator():
    seed = int(os.environ.get("STAGELANE_KILL_SEED", random.SystemRandom().randrange(1 << 30)))
    print(f"STAGELANE_KILL_SEED={seed}", flush=True)
    return random.Random(seed)


def skip_without_programs():
    for program in (STAGELANE, os.environ.get("STAGELANE_ENGINE", os.path.join(BIN, "stagelane-engine"))):
        if not os.path.exists(program):
            print(f"skipped: there is no {program}")
            sys.exit(77)


def kill_many(kills, works):
    """Runs and sweeps in turns (`works` are functions that make one), each killed until it is done."""
    done = 0
    count = 0
    most = math.ceil(kills / len(works))
    while done < kills:
        done += kill_until_done(works[count % len(works)](), most=min(most, 4 + count % 2))
        count += 1
        print(f"{done} kills, {count} runs and sweeps", flush=True)
