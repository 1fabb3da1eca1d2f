"""Kills runs at moments drawn from a seed, goes on with them, and looks whether anything was lost.

Used by kill_test.py (a few) and kill_long.py (many). Whoever is killed, the engine or the command line in
front of it, what was reported as measured must be in the folder, the index must agree with it, and going on
must neither measure a repeat twice nor leave one out.
"""

import fcntl
import json
import os
import random
import re
import signal
import subprocess
import tempfile
import threading
import time

BIN = os.environ["STAGELANE_BIN_DIR"]
STAGELANE = os.path.join(BIN, "stagelane")
REPEATS = 12
LINE = re.compile(r"^(?P<name>.+): repeat (?P<repeat>\d+), ")


def experiment():
    with open(os.path.join(os.environ["STAGELANE_SOURCE_DIR"], "resources/presets/toy.json")) as file:
        toy = json.load(file)
    toy["name"] = "Killed"
    toy["repeat"] = REPEATS
    toy["baseline_sweep"] = False
    toy["data"]["batches"] = 100
    toy["variants"] = [toy["variants"][0], toy["variants"][1]]
    return toy


class Started:
    """A program in front of an engine; what it reports is read while it lives."""

    def __init__(self, arguments, environment):
        self.process = subprocess.Popen(
            [STAGELANE] + arguments, env=environment, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        self.lines = []
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self):
        for line in self.process.stderr:
            self.lines.append(line.rstrip("\n"))

    def engine(self):
        """The process id of the engine, or None while there is none."""
        path = f"/proc/{self.process.pid}/task/{self.process.pid}/children"
        try:
            with open(path) as file:
                children = file.read().split()
        except OSError:
            return None
        for child in children:
            try:
                with open(f"/proc/{child}/comm") as file:
                    if file.read().startswith("stagelane-engin"):
                        return int(child)
            except OSError:
                continue
        return None

    def kill(self, victim):
        target = self.process.pid if victim == "program" else self.engine()
        if target is None:
            return False
        try:
            os.kill(target, signal.SIGKILL)
        except ProcessLookupError:
            return False
        return True

    def wait(self):
        self.process.wait(timeout=120)
        self.reader.join(timeout=10)

    def refused(self):
        return self.process.returncode == 8 and any("another run is using" in line for line in self.lines)

    def reported(self):
        """(name, repeat) pairs that were said to be measured."""
        found = (LINE.match(line) for line in self.lines)
        return {(match["name"], int(match["repeat"])) for match in found if match}


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


def measured(events):
    """variant id -> seconds by repeat; a repeat that was measured twice is an error."""
    seconds = {}
    for event in events:
        if event.get("event") == "measurement":
            of_variant = seconds.setdefault(event["variant"], {})
            assert event["repeat"] not in of_variant, f"measured twice: {event}"
            of_variant[event["repeat"]] = event["seconds"]
    return seconds


def run_json(arguments, environment):
    done = subprocess.run([STAGELANE] + arguments, env=environment, capture_output=True, text=True,
                          timeout=120, check=False)
    assert done.returncode == 0, f"{arguments}: {done.returncode} {done.stderr}"
    return json.loads(done.stdout)


def check_folder(folder, reported, environment):
    """What was reported is in the events, and the index and result.json agree with those."""
    events = events_of(folder)
    names = {}
    for event in events:
        if event.get("event") == "started":
            names.update({variant["name"]: variant["id"] for variant in event["variants"]})
    seconds = measured(events)
    for name, repeat in reported:
        assert repeat in seconds.get(names.get(name, name), {}), f"{name} repeat {repeat} is lost in {folder}"
    entries = run_json(["runs", "--json"], environment)["runs"]
    mine = [entry for entry in entries if entry["folder"] == folder]
    assert len(mine) == (1 if os.path.exists(os.path.join(folder, "experiment.json")) else 0), mine
    if mine:
        most = max((len(each) for each in seconds.values()), default=0)
        assert mine[0]["repeats"] == most, (mine[0], most)
        with open(os.path.join(folder, "result.json")) as file:
            for variant in json.load(file)["variants"]:
                kept = seconds.get(variant["id"], {})
                assert variant["seconds"] == [kept[repeat] for repeat in sorted(kept)], folder
    return seconds


class Workspace:
    def __init__(self, folder):
        self.folder = folder
        self.environment = dict(os.environ, STAGELANE_WORKSPACE=folder)
        self.file = os.path.join(folder, "experiment.json")
        with open(self.file, "w") as file:
            json.dump(experiment(), file)
        self.sweep_file = os.path.join(folder, "sweep.json")
        swept = experiment()
        swept["variants"][1] = {"name": "pipe", "strategy": "pipeline", "schedule": "1f1b", "split_size": 5,
                                "placement": {"net1": "#0", "relu": "#0", "net2": "#1"}}
        with open(self.sweep_file, "w") as file:
            json.dump(swept, file)

    def new_runs(self, known):
        runs = os.path.join(self.folder, "runs")
        names = os.listdir(runs) if os.path.isdir(runs) else []
        return [os.path.join(runs, name) for name in names if os.path.join(runs, name) not in known]


def kill_one_run(workspace, generator, known):
    """One run, killed until it is done. @returns how often it was killed"""
    kills = 0
    folder = None
    kept = {}
    while True:
        arguments = ["run", workspace.file] if folder is None else ["run", "--resume", folder]
        started = Started(arguments, workspace.environment)
        victim = generator.choice(["engine", "program"])
        time.sleep(generator.uniform(0.0, 1.2))
        killed = started.kill(victim) if kills < 4 else False
        started.wait()
        kills += killed
        if started.refused():
            time.sleep(0.2)  # the engine of a killed program ends at its next action
            continue
        if folder is None:
            new = workspace.new_runs(known)
            if not new:
                continue  # killed before there was a folder, or right after: nothing to lose
            folder = new[0]
        wait_until_released(folder)
        if not os.path.exists(os.path.join(folder, "experiment.json")):
            known.add(folder)
            folder = None  # nothing but its name was there yet
            continue
        seconds = check_folder(folder, started.reported(), workspace.environment)
        for variant, repeats in kept.items():
            for repeat, value in repeats.items():
                assert seconds[variant][repeat] == value, f"{variant} repeat {repeat} was measured again"
        kept = seconds
        if not killed:
            assert started.process.returncode == 0, started.lines
            break
    known.add(folder)
    check_done(folder, seconds)
    return kills


def only_sweep(workspace, known):
    folder = os.path.join(workspace.folder, "sweeps")
    names = os.listdir(folder) if os.path.isdir(folder) else []
    new = [os.path.join(folder, name) for name in names if os.path.join(folder, name) not in known]
    return new[0] if new else None


def tasks_of(sweep):
    try:
        with open(os.path.join(sweep, "sweep.json")) as file:
            return json.load(file)["tasks"]
    except FileNotFoundError:
        return None  # killed while its experiments were written: there is no sweep yet


def kill_one_sweep(workspace, generator, known):
    """A sweep over two batch sizes and two split sizes, killed until it is through."""
    kills = 0
    sweep = None
    kept = {}
    while True:
        arguments = (["sweep", "--resume", sweep] if sweep else
                     ["sweep", workspace.sweep_file, "--variant", "pipe", "--split", "5,10",
                      "--batch", "20,40"])
        started = Started(arguments, workspace.environment)
        victim = generator.choice(["engine", "program"])
        time.sleep(generator.uniform(0.0, 1.8))
        killed = started.kill(victim) if kills < 5 else False
        started.wait()
        kills += killed
        if started.refused():
            time.sleep(0.2)  # the engine of a killed program ends at its next action
            continue
        if sweep is None:
            sweep = only_sweep(workspace, known)
            if sweep is None:
                continue
            if tasks_of(sweep) is None:
                known.add(sweep)
                sweep = None
                continue
        runs = [task["run"] for task in tasks_of(sweep) if task["run"]]
        for run in runs:
            wait_until_released(run)
            seconds = check_folder(run, set(), workspace.environment)
            for variant, repeats in kept.get(run, {}).items():
                for repeat, value in repeats.items():
                    assert seconds[variant][repeat] == value, f"{run} {variant} {repeat}"
            kept[run] = seconds
        if not killed:
            assert started.process.returncode == 0, started.lines
            break
    known.add(sweep)
    assert len(runs) == 2 and len(set(runs)) == 2, runs
    for run in runs:
        known.add(run)
        check_done(run, kept[run])
    return kills


def check_done(folder, seconds):
    with open(os.path.join(folder, "result.json")) as file:
        result = json.load(file)
    assert result["status"] == "done", (folder, result["status"])
    for variant in result["variants"]:
        if variant.get("reason") == "not included":
            continue
        assert variant["status"] == "done", variant
        assert len(variant["seconds"]) == REPEATS, (folder, variant["id"], variant["seconds"])
        assert variant["step_ns"] > 0, variant
        assert os.path.exists(os.path.join(folder, "traces", variant["id"] + ".pftrace"))
        assert variant["seconds"] == [seconds[variant["id"]][n + 1] for n in range(REPEATS)]


def main(kills):
    seed = int(os.environ.get("STAGELANE_KILL_SEED", random.SystemRandom().randrange(1 << 30)))
    print(f"STAGELANE_KILL_SEED={seed}", flush=True)
    generator = random.Random(seed)
    done = 0
    runs = 0
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(folder)
        known = set()
        while done < kills:
            kill_one = kill_one_sweep if runs % 2 else kill_one_run
            done += kill_one(workspace, generator, known)
            runs += 1
            print(f"{done} kills, {runs} runs and sweeps", flush=True)
