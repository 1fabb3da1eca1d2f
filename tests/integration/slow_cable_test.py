#!/usr/bin/env python3
"""A slow cable between two ranks, cut a few times (slow_cable_long.py cuts it often)."""

import _slow_cable

_slow_cable.main(cuts=5)
