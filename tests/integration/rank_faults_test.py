#!/usr/bin/env python3
"""A few faults of each kind in runs of several processes (rank_faults_long.py has many)."""

import _rank_faults

_rank_faults.main(repetitions=5)
