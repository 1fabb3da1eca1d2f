#!/usr/bin/env python3
"""A slow cable between two ranks, cut many times (slow_cable_test.py cuts it a few times)."""

import _slow_cable

_slow_cable.main(cuts=50)
