"""Two hundred kills of runs and sweeps, at moments drawn from a printed seed."""

import _kills

_kills.main(kills=200)
