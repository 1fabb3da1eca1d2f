"""HTA 0.5.0 gives the same values for our exported files as `analyze --definitions hta`."""

import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
REQUIREMENT = "holistictraceanalysis==0.5.0"
source = Path(os.environ.get("STAGELANE_SOURCE_DIR", Path(__file__).resolve().parents[2]))
program = Path(os.environ.get("STAGELANE_BIN_DIR", source / "build/release/bin")) / "stagelane"

ASK_HTA = r"""
import json, logging, math, sys, warnings
warnings.filterwarnings("ignore"); logging.disable(logging.CRITICAL)
from hta.trace_analysis import TraceAnalysis
def clean(value):
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and math.isnan(value) else value
def guarded(part):
    try: return part()
    except Exception as problem: return {"exception": type(problem).__name__}
answers = {}
for path in sys.argv[1:]:
    rank = json.load(open(path))["distributedInfo"]["rank"]
    try: ta = TraceAnalysis(trace_files={rank: path})
    except BaseException as problem:
        answers[path] = {"load": type(problem).__name__}
        continue
    def temporal():
        row = ta.get_temporal_breakdown(visualize=False).iloc[0]
        names = {"idle_time(us)": "idle_time_us", "compute_time(us)": "compute_time_us",
                 "non_compute_time(us)": "non_compute_time_us", "kernel_time(us)": "kernel_time_us"}
        keys = list(names) + ["idle_time_pctg", "compute_time_pctg", "non_compute_time_pctg"]
        return {names.get(key, key): clean(row[key]) for key in keys}
    def overlap():
        frame = ta.get_comm_comp_overlap(visualize=False)
        return {"comp_comm_overlap_pctg": clean(frame.iloc[0]["comp_comm_overlap_pctg"])}
    def idle():
        frame = ta.get_idle_time_breakdown(ranks=[rank], visualize=False)[0]
        rows = [{"stream": int(row["stream"]), "category": row["idle_category"],
                 "idle_time_us": clean(row["idle_time"]), "idle_time_ratio": clean(row["idle_time_ratio"])}
                for _, row in frame.iterrows()]
        return {"rows": sorted(rows, key=lambda row: (row["stream"], row["category"]))}
    def queue():
        frame = ta.get_queue_length_summary(ranks=[rank])
        if frame is None: return None
        rows = []
        for (_, stream), row in frame.iterrows():
            lengths = row["queue_length"]
            rows.append({"stream": int(stream), **{key: clean(lengths[key]) for key in lengths.index}})
        return {"rows": sorted(rows, key=lambda row: row["stream"])}
    answers[path] = {"temporal": guarded(temporal), "overlap": guarded(overlap), "idle": guarded(idle),
                     "queue": guarded(queue)}
json.dump(answers, sys.stdout)
"""


def interpreter():
    """A Python that has HTA: the given one, or .venv-hta, made from PyPI."""
    given = os.environ.get("STAGELANE_HTA_PYTHON")
    if given:
        return given
    environment = source / ".venv-hta"
    python = environment / "bin/python"
    ready = environment / "ready"
    if not ready.exists():
        made = subprocess.run([sys.executable, "-m", "venv", str(environment)], capture_output=True)
        install = [str(python), "-m", "pip", "-q", "--disable-pip-version-check", "install", REQUIREMENT]
        if made.returncode != 0 or subprocess.run(install, capture_output=True).returncode != 0:
            print(f"skipped: {REQUIREMENT} cannot be installed from PyPI")
            sys.exit(SKIPPED)
        ready.touch()
    return str(python)


def stagelane(*arguments):
    done = subprocess.run([str(program), *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"stagelane {arguments}: {done.returncode}: {done.stderr}")
    return done.stdout


def two_gpus():
    """Two devices with overlapping communication, launches, a host, and whole microseconds."""
    events = [{"ph": "M", "name": "process_name", "pid": 99, "tid": 0, "args": {"name": "python"}}]
    correlation = 0
    for device in (0, 1):
        time = 1000
        for step in range(40):
            correlation += 1
            duration = 20 + (step * 7 + device * 3) % 31
            events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 99, "tid": 1 + device,
                           "ts": time - 15, "dur": 3, "args": {"correlation": correlation}})
            name = ["gemm", "ncclDevKernel_AllReduce", "relu"][step % 3]
            stream = 20 if step % 3 == 1 else 7
            events.append({"ph": "X", "cat": "kernel", "name": name, "pid": device, "tid": stream, "ts": time,
                           "dur": duration, "args": {"device": device, "stream": stream, "correlation": correlation}})
            if step % 5 == 0:
                correlation += 1
                events.append({"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pinned -> Device)", "pid": device,
                               "tid": 7, "ts": time + duration, "dur": 4,
                               "args": {"device": device, "stream": 7, "correlation": correlation, "bytes": 4096}})
            if step % 9 == 0:
                events.append({"ph": "X", "cat": "cuda_sync", "name": "Stream Sync", "pid": device, "tid": 1000007,
                               "ts": time, "dur": 60, "args": {"device": device, "stream": 7, "correlation": 5000 + step}})
            time += duration + (step * 13) % 40 - (6 if step % 3 == 1 else 0)
    return {"schemaVersion": 1, "distributedInfo": {"rank": 0}, "traceEvents": events}


def own_runs(folder):
    """Traces of a run, if there is an engine."""
    engine = Path(os.environ.get("STAGELANE_ENGINE", program.with_name("stagelane-engine")))
    if not engine.exists():
        return []
    stagelane("run", "toy", "--out", folder / "run")
    return sorted((folder / "run/traces").glob("*.pftrace"))


def equal(ours, theirs):
    """Rows of figures, alike to the last bits: pandas sums in another order."""
    def close(left, right):
        return left == right if None in (left, right) else math.isclose(left, right, rel_tol=1e-12, abs_tol=1e-12)
    return ours is not None and len(ours) == len(theirs) and all(
        mine.keys() == other.keys() and all(close(mine[key], other[key]) for key in mine)
        for mine, other in zip(ours, theirs))


def main():
    python = interpreter()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        os.environ["STAGELANE_WORKSPACE"] = str(folder / "workspace")
        inputs = sorted((source / "tests/data/analysis").glob("case*.json"))
        made = folder / "two.json"
        made.write_text(json.dumps(two_gpus()))
        stagelane("predict", "toy", "--trace", folder / "predicted")
        files = []
        for index, path in enumerate([*inputs, made]):
            out = folder / f"export{index}"
            stagelane("convert", path, "--per-device", "-o", out)
            files += sorted(out.glob("rank*.json"))
        own = set()
        for index, path in enumerate([*sorted(folder.glob("predicted-*")), *own_runs(folder)]):
            out = folder / f"own{index}"
            stagelane("convert", path, "--per-device", "-o", out)
            own.update(out.glob("rank*.json"))
        files += sorted(own)
        assert len(list((folder / f"export{len(inputs)}").glob("rank*.json"))) == 2, "one file a GPU"
        asked = subprocess.run([python, "-c", ASK_HTA, *map(str, files)], capture_output=True, text=True)
        if asked.returncode != 0:
            sys.exit(asked.stderr[-2000:])
        answers = json.loads(asked.stdout)
        wrong = queues = 0
        for file in files:
            ours = json.loads(stagelane("analyze", file, "--definitions", "hta", "--json"))
            theirs = answers[str(file)]
            for part, figures in theirs.items():
                mine = ours.get(part)
                queues += part == "queue" and bool(figures) and "rows" in figures
                if part == "load":
                    same = "load" in ours
                elif figures is None:
                    same = mine is None
                elif part == "queue" and "rows" in figures:
                    same = mine is not None and equal(mine.get("rows"), figures["rows"])
                elif "exception" in figures:
                    same = mine.get("exception") == figures["exception"]
                elif part == "idle":
                    same = mine["rows"] == figures["rows"]
                else:
                    same = mine == figures
                if file in own and part == "temporal":
                    same = same and figures.get("compute_time_us", 0) > 0
                if not same:
                    wrong += 1
                    print(f"{file} {part}:\n  ours   {mine}\n  theirs {figures}")
        print(f"{len(files)} files ({queues} with queues), {wrong} parts differ")
        sys.exit(1 if wrong or not queues else 0)


main()
