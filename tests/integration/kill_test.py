"""A few kills of runs and sweeps, at moments drawn from a printed seed (kill_long.py has many)."""

import _kills

_kills.main(kills=4)
