#!/usr/bin/env python3
"""What ./dev gpu-check tells: whether a GPU is usable, and the table for docs/development/gpu.md.

usage: gpu_report.py usable DEVICES.json
           exits with 0 if the engine lists a usable GPU, else with 4 after naming the reasons
       gpu_report.py table DEVICES.json RESULTS.xml COMMIT
           prints the table; exits with 1 if a test failed, or if none ran

DEVICES.json is what `stagelane-engine devices --json` prints, RESULTS.xml what `ctest --output-junit` writes.
"""

import json
import re
import sys
import xml.etree.ElementTree
from collections import Counter

NO_GPU = 4
# The words of ctest for a test that skipped itself; other tests that did not run failed to start.
SKIPPED_ITSELF = "SKIP_"
REASON = re.compile(r": Skipped\n(.+)")


def gpus_of(file):
    with open(file) as text:
        return [device for device in json.load(text)["devices"] if device["kind"] == "gpu"]


def usable(devices):
    gpus = gpus_of(devices)
    if any(gpu["usable"] for gpu in gpus):
        return 0
    if not gpus:
        print("the engine lists no GPU", file=sys.stderr)
    for gpu in gpus:
        print(f"{gpu['id']} ({gpu['name']}) is not usable: {gpu['reason']}", file=sys.stderr)
    return NO_GPU


def machine(devices):
    """ "2 × NVIDIA H100, driver 580.65.06" """
    gpus = [gpu for gpu in gpus_of(devices) if gpu["usable"]]
    parts = [name if count == 1 else f"{count} × {name}" for name, count in Counter(g["name"] for g in gpus).items()]
    drivers = sorted({str(gpu["details"].get("driver") or "unknown") for gpu in gpus})
    return ", ".join(parts + [f"driver {driver}" for driver in drivers])


class Suite:
    """The tests of one fixture."""

    def __init__(self):
        self.passed = 0
        self.failed = []
        self.skipped = Counter()  # by reason

    def add(self, name, case):
        skip = case.find("skipped")
        if skip is not None and skip.get("message", "").startswith(SKIPPED_ITSELF):
            said = REASON.search(case.findtext("system-out") or "")
            self.skipped[said[1].strip() if said else "no reason given"] += 1
        elif case.get("status") == "run" and case.find("failure") is None:
            self.passed += 1
        else:
            self.failed.append(name)

    def outcome(self):
        parts = []
        if self.failed:
            parts.append(f"**{len(self.failed)} failed**: " + ", ".join(f"`{name}`" for name in self.failed))
        if self.passed:
            parts.append(f"{self.passed} passed")
        parts += [f"{count} skipped ({reason})" for reason, count in self.skipped.items()]
        return "; ".join(parts)

    def count(self):
        return self.passed + len(self.failed) + sum(self.skipped.values())


def suites_of(results):
    """By name: `Fixture` of the test `folder/Prefix/Fixture.Test/Parameter`."""
    suites = {}
    for case in xml.etree.ElementTree.parse(results).getroot().iter("testcase"):
        path, _, test = case.get("name").partition(".")
        name = path.rpartition("/")[2]
        suites.setdefault(name, Suite()).add(test or name, case)
    return suites


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def table(devices, results, commit):
    suites = suites_of(results)
    print("| commit | GPU, driver | what ran | outcome |\n|---|---|---|---|")
    for name, suite in suites.items():
        tests = "1 test" if suite.count() == 1 else f"{suite.count()} tests"
        row = [commit, machine(devices), f"`{name}`, {tests}", suite.outcome()]
        print("| " + " | ".join(cell(text) for text in row) + " |")
    failed = any(suite.failed for suite in suites.values())
    ran = any(suite.passed for suite in suites.values())
    return 0 if ran and not failed else 1


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "usable":
        return usable(arguments[1])
    if len(arguments) == 4 and arguments[0] == "table":
        return table(*arguments[1:])
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
