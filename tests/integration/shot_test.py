#!/usr/bin/env python3
"""`stagelane --shot --ui-map` without a display: pictures and maps for scripts, also at twice the pixels.

Run by ctest with STAGELANE_BIN_DIR, or by hand: STAGELANE_BIN_DIR=build/release/bin shot_test.py
"""

import json
import os
import pathlib
import resource
import shutil
import struct
import subprocess
import tempfile
import unittest
import zlib

BIN = pathlib.Path(os.environ.get("STAGELANE_BIN_DIR", "build/release/bin")).resolve()
STAGELANE = BIN / "stagelane"
PATIENCE_S = 120
WIDTH, HEIGHT = 1024, 700
FRAME = 4  # at most: what Qt's offscreen platform puts around a window, in pixels of the screen


def picture(path):
    """Width, height and the first pixel's (r, g, b) of a PNG of 8 bits a channel."""
    data = path.read_bytes()
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    packed, at = b"", 8
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        if name == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    # For any filter, the first pixel of the first row is stored unchanged.
    first = zlib.decompressobj().decompress(packed, 4)
    assert depth == 8 and kind in (2, 6), (depth, kind)
    return width, height, tuple(first[1:4])


class ShotTest(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="stagelane-shot-"))
        self.environment = dict(os.environ, STAGELANE_WORKSPACE=str(self.root / "workspace"),
                                QT_QPA_PLATFORM="offscreen")
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_SCALE_FACTOR"):
            self.environment.pop(name, None)

    def tearDown(self):
        shutil.rmtree(self.root, ignore_errors=True)

    def window(self, *arguments, **options):
        return subprocess.run([str(STAGELANE), *map(str, arguments)], env=self.environment, text=True,
                              capture_output=True, timeout=PATIENCE_S, **options)

    def shot(self, page, theme):
        image, written = self.root / f"{page}-{theme}.png", self.root / f"{page}-{theme}.json"
        done = self.window("toy", "--page", page, "--theme", theme, "--size", f"{WIDTH}x{HEIGHT}",
                           "--shot", image, "--ui-map", written)
        self.assertEqual(done.returncode, 0, done.stderr)
        return picture(image), json.loads(written.read_text())

    def expect_inside(self, written, width, height):
        self.assertGreater(len(written["controls"]), 20)
        for control in written["controls"]:
            x, y, w, h = control["rect"]
            self.assertTrue(0 <= x and 0 <= y and x + w <= width + FRAME and y + h <= height + FRAME,
                            control)

    def test_a_picture_and_a_map_of_a_page_in_each_theme(self):
        (width, height, light), written = self.shot("plan", "light")
        self.assertEqual((width, height), (WIDTH, HEIGHT))
        self.assertEqual(written["page"], "plan")
        self.expect_inside(written, WIDTH, HEIGHT)
        (_, _, dark), written = self.shot("charts", "dark")
        self.assertEqual(written["page"], "charts")
        self.assertGreater(sum(light), 3 * 180)
        self.assertLess(sum(dark), 3 * 80)

    def test_twice_the_pixels(self):
        self.environment["QT_SCALE_FACTOR"] = "2"
        (width, height, _), written = self.shot("plan", "light")
        self.assertEqual((width, height), (2 * WIDTH, 2 * HEIGHT))
        self.expect_inside(written, 2 * WIDTH, 2 * HEIGHT)
        right = max(control["rect"][0] + control["rect"][2] for control in written["controls"])
        self.assertGreater(right, WIDTH, "rectangles are those of the screen's pixels")

    def test_what_cannot_be_written_is_said(self):
        done = self.window("toy", "--shot", self.root / "no such folder" / "a.png")
        self.assertEqual(done.returncode, 8, done.stderr)
        self.assertIn("no such folder", done.stderr)

    def test_a_full_disk_is_said_and_leaves_no_part_of_a_picture(self):
        done = self.window("toy", "--shot", "/dev/full")
        self.assertEqual(done.returncode, 8, done.stderr)
        self.assertIn("the disk is full", done.stderr)
        image = self.root / "a.png"

        def limit_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        done = self.window("toy", "--shot", image, preexec_fn=limit_files)
        self.assertEqual(done.returncode, 8, done.stderr)
        self.assertIn("size limit", done.stderr)
        self.assertFalse(image.exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
