"""The files that `cmake --install` puts where a desktop expects them: programs, desktop file, icon, MIME types."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

BIN = pathlib.Path(os.environ.get("STAGELANE_BIN_DIR", "build/release/bin")).resolve()
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


class InstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.prefix = pathlib.Path(tempfile.mkdtemp(prefix="stagelane-install-"))
        done = subprocess.run(
            ["cmake", "--install", BIN.parent, "--prefix", cls.prefix],
            capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        cls.share = cls.prefix / "share"
        cls.desktop = cls.share / "applications/stagelane.desktop"

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.prefix, ignore_errors=True)

    def entry(self, key):
        for line in self.desktop.read_text().splitlines():
            if line.startswith(key + "="):
                return line.partition("=")[2]
        self.fail(f"no {key} in the desktop file")

    def mime_types(self):
        root = xml.etree.ElementTree.parse(self.share / "mime/packages/stagelane.xml").getroot()
        return {kind.get("type"): kind for kind in root.iter(MIME + "mime-type")}

    def test_the_installed_program_starts_and_finds_its_engine_and_presets(self):
        program = self.prefix / "bin" / self.entry("Exec").split()[0]
        self.assertTrue(os.access(program, os.X_OK))
        self.assertTrue(os.access(self.prefix / "bin/stagelane-engine", os.X_OK))
        environment = dict(os.environ, STAGELANE_WORKSPACE=str(self.prefix / "workspace"))
        environment.pop("STAGELANE_ENGINE", None)
        done = subprocess.run([program, "predict", "toy", "--json"], env=environment,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.share / "stagelane/presets/toy.json").exists())

    def test_the_desktop_file_takes_a_file_and_has_an_icon(self):
        self.assertIn("%f", self.entry("Exec").split())
        icon = self.share / f"icons/hicolor/scalable/apps/{self.entry('Icon')}.svg"
        self.assertTrue(xml.etree.ElementTree.parse(icon).getroot().tag.endswith("svg"))

    def test_its_mime_types_are_installed_with_names_and_patterns(self):
        types = self.mime_types()
        for name in self.entry("MimeType").strip(";").split(";"):
            self.assertIn(name, types)
            self.assertTrue(types[name].find(MIME + "comment").text)
            self.assertTrue([one.get("pattern") for one in types[name].iter(MIME + "glob")])

    def test_the_desktops_tools_take_the_files(self):
        checks = {"desktop-file-validate": [self.desktop],
                  "update-mime-database": [self.share / "mime"]}
        there = [name for name in checks if shutil.which(name)]
        if not there:
            self.skipTest("neither " + " nor ".join(checks) + " is installed here")
        for name in there:
            done = subprocess.run([name, *checks[name]], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (0, ""), name + done.stderr)


if __name__ == "__main__":
    unittest.main()
