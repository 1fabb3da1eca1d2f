#!/usr/bin/env python3
"""All schedules of pipelines in one, two and four processes, and with replicas: bit for bit the same.

Run by ctest with STAGELANE_BIN_DIR, or by hand: STAGELANE_BIN_DIR=build/release/bin ranks_long.py
"""

import _ranks
from _ranks import SCHEDULES, PipelineRuns, experiment, pipeline

# The tutorial's schedule takes the loss of the whole batch on one device.
REPLICATED = [name for name in SCHEDULES if name != "tutorial"]


class SchedulesTest(PipelineRuns):
    def test_all_schedules_on_two_devices(self):
        self.compare(experiment(2, [pipeline(name) for name in SCHEDULES], batch=24), 2)

    def test_all_schedules_on_four_devices(self):
        self.compare(experiment(4, [pipeline(name) for name in SCHEDULES], batch=24), 2, 4)

    def test_all_schedules_in_two_replicas(self):
        self.compare(experiment(4, [pipeline(name, replicas=2) for name in REPLICATED], batch=24), 2, 4)

    def test_all_schedules_with_uneven_micro_batches(self):
        self.compare(experiment(2, [pipeline(name, split=7) for name in SCHEDULES], batch=27), 2)


if __name__ == "__main__":
    _ranks.main()
