"""Two hundred kills of the window or its engine during runs and sweeps, at moments drawn from a printed seed."""

import _window_kills

_window_kills.main(kills=200)
