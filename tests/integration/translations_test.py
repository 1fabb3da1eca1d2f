#!/usr/bin/env python3
"""The catalogue of the window's texts is the one that its sources make."""

import pathlib
import subprocess
import sys
import unittest

UPDATE = pathlib.Path(__file__).resolve().parents[2] / "resources/translations/update.py"


class Translations(unittest.TestCase):
    def test_catalogue_is_up_to_date(self):
        checked = subprocess.run([sys.executable, str(UPDATE), "--check"], capture_output=True,
                                 text=True, check=False)
        self.assertEqual(checked.returncode, 0, checked.stderr)


if __name__ == "__main__":
    unittest.main()
