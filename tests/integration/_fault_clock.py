"""Measures how long a fault takes to end, from the moment that it is made until the program has ended."""

import os
import time

LIMIT_S = 5.0


class FaultClock:
    """Starts when it is made."""

    def __init__(self):
        self.struck = time.time()

    @classmethod
    def of_full_disk(cls, folder):
        """The fault of a limit on the size of files: when the largest file in `folder` was last written."""
        clock = cls()
        files = [os.path.join(path, name) for path, _, names in os.walk(folder) for name in names]
        clock.struck = os.stat(max(files, key=os.path.getsize)).st_mtime
        return clock

    def check(self, name, ended=None):
        """Prints the time and fails above the limit."""
        took = (time.time() if ended is None else ended) - self.struck
        print(f"{name}: the fault ended after {took:.3f} s (limit {LIMIT_S} s)", flush=True)
        assert took <= LIMIT_S, f"{name}: the fault ended after {took:.3f} s"
