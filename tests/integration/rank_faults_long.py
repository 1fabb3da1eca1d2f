#!/usr/bin/env python3
"""Many faults of each kind in runs of several processes (rank_faults_test.py has a few)."""

import _rank_faults

_rank_faults.main(repetitions=50)
