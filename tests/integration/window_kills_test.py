"""A few kills of the window or its engine, at moments drawn from a printed seed (window_kills_long.py has many)."""

import _window_kills

_window_kills.main(kills=2)
