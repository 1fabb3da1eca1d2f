"""The window for a user: the real program in a display, observed through the map of its controls (`--ui-map`) and
worked with by the mouse and the keys of the X server. For scripts; tests in C++ have tests/gui/window_driver.h.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("STAGELANE_BIN_DIR", SOURCE / "build/release/bin")) / "stagelane"


class WindowEnded(AssertionError):
    """The program ended during a wait."""


class Unseen(AssertionError):
    """The awaited condition did not occur in time."""


def in_display():
    """If this script has no display of its own yet, runs it again in one and exits with its code."""
    if "STAGELANE_IN_DISPLAY" not in os.environ:
        environment = {**os.environ, "STAGELANE_IN_DISPLAY": "1", "STAGELANE_SCREEN": "1700x1000x24"}
        display = SOURCE / "tests/gui/with-display"
        sys.exit(subprocess.run([str(display), sys.executable, *sys.argv], env=environment).returncode)


def engine_of(program):
    """The process id of the engine that the program with this id has started, or None."""
    try:
        children = Path(f"/proc/{program}/task/{program}/children").read_text().split()
    except OSError:
        return None
    for child in children:
        try:
            if Path(f"/proc/{child}/comm").read_text().startswith("stagelane-engin"):
                return int(child)
        except OSError:
            continue
    return None


class Window:
    """The program with a workspace, settings and a heartbeat of its own, all below `folder`."""

    def __init__(self, folder, *arguments, size="1600x900"):
        folder = Path(folder)
        self.beats = folder / "heartbeat.json"
        self.map = folder / "map.json"
        for old in (self.beats, self.map):
            old.unlink(missing_ok=True)
        for name in ("home", "runtime"):
            (folder / name).mkdir(mode=0o700, exist_ok=True)
        environment = {**os.environ, "STAGELANE_HEARTBEAT": str(self.beats),
                       "STAGELANE_WORKSPACE": f"{folder}/workspace", "XDG_CONFIG_HOME": f"{folder}/config",
                       "XDG_RUNTIME_DIR": f"{folder}/runtime", "HOME": f"{folder}/home", "QT_QPA_PLATFORM": "xcb"}
        self.errors = folder / "stderr"
        self.started_ns = time.monotonic_ns()
        with open(self.errors, "ab") as errors:
            self.process = subprocess.Popen([str(PROGRAM), "--size", size, *map(str, arguments)], env=environment,
                                            stderr=errors)

    def until(self, what, seconds=120.0):
        """Polls until the answer is true; a file that cannot be read yet counts as no answer."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                answer = what()
                if answer:
                    return answer
            except (OSError, ValueError, KeyError, TypeError):
                pass
            if self.process.poll() is not None:
                raise WindowEnded(f"the window ended with {self.process.returncode}: {self.errors.read_text()}")
            time.sleep(0.02)
        raise Unseen(f"the window did not get there in {seconds} s; it shows {self.describe()}")

    def read(self):
        return json.loads(self.beats.read_text())

    def first_picture_ms(self):
        beat = self.until(lambda: self.read() if self.read()["first_picture_ns"] else None)
        return (beat["first_picture_ns"] - self.started_ns) / 1e6

    def forget_gaps(self):
        """The window starts a new longest gap when its file is removed."""
        for _ in range(2):
            self.until(self.beats.exists)
            self.beats.unlink()
        self.until(self.beats.exists)

    def longest_gap_ms(self):
        time.sleep(1.2)
        return self.read()["longest_gap_ms"]

    def controls(self):
        """What is on the screen, by name."""
        return {control["name"]: control for control in json.loads(self.map.read_text())["controls"]}

    def control(self, name):
        return self.controls().get(name)

    def text(self, name):
        control = self.control(name)
        return control["text"] if control else ""

    def describe(self):
        try:
            shown = self.controls()
        except (OSError, ValueError):
            return "nothing"
        return ", ".join(f"{name}={control['text'] or control['value']}" for name, control in shown.items())

    def wait_for(self, name, seconds=120.0):
        """@returns the control, once it can be used"""
        return self.until(lambda: self.control(name) if self.control(name)["enabled"] else None, seconds)

    def resting_place(self, name):
        """The place of an enabled control, once it no longer moves: the map may be older than a layout."""
        before = self.wait_for(name)["rect"]
        while True:
            time.sleep(0.12)
            now = self.wait_for(name)["rect"]
            if now == before:
                return now
            before = now

    def click(self, name):
        x, y, width, height = self.resting_place(name)
        # The left part: the right one of a split button opens its menu.
        self.xdotool("mousemove", x + width // 4, y + height // 2, "click", 1)

    def key(self, keys):
        self.xdotool("key", keys)

    def replace(self, field, text):
        self.click(field)
        self.key("ctrl+a")
        self.xdotool("type", "--delay", 4, "--", text)
        self.until(lambda: self.text(field) == text)

    @staticmethod
    def xdotool(*arguments):
        subprocess.run(["xdotool", *map(str, arguments)], check=True)

    def engine(self):
        return engine_of(self.process.pid)

    def end(self):
        """kill -9, as a crash would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
