#!/usr/bin/env python3
"""Brings the English catalogue of the window's texts up to date ('./dev translations').

lupdate collects the texts of tr() from the sources. English needs no translation but plural forms:
"%n block(s)" is "%n block" for one and "%n blocks" for others. With --check nothing is written, and
the exit code is 1 if the catalogue is not what would be written.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
CATALOGUE = ROOT / "resources/translations/stagelane_en.ts"
SOURCES = ("ui", "app/window", "app/engine_client")


def lupdate():
    """The path of Qt 6's lupdate."""
    for name in ("/usr/lib/qt6/bin/lupdate", "lupdate6", "lupdate"):
        if found := shutil.which(name):
            return found
    sys.exit("lupdate was not found. Install qt6-l10n-tools")


def fill_plurals(tree):
    """Writes both English forms of every text with a number."""
    for message in tree.iter("message"):
        if message.get("numerus") != "yes":
            continue
        source = message.findtext("source")
        translation = message.find("translation")
        translation.attrib.pop("type", None)
        for form, endings in zip(translation.iter("numerusform"), (("", ""), ("s", "es"))):
            form.text = source.replace("(s)", endings[0]).replace("(es)", endings[1])


def generate(target):
    """Writes a new catalogue of the sources to `target`."""
    command = [lupdate(), "-silent", "-no-obsolete", "-locations", "none", "-I", ".",
               "-source-language", "en", "-target-language", "en"]
    subprocess.run([*command, *SOURCES, "-ts", str(target)], cwd=ROOT, check=True)
    tree = ElementTree.parse(target)
    fill_plurals(tree)
    with open(target, "wb") as file:
        file.write(b'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n')
        tree.write(file, encoding="utf-8", xml_declaration=False)
        file.write(b"\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only compare")
    check = parser.parse_args().check
    with tempfile.TemporaryDirectory() as folder:
        new = pathlib.Path(folder) / CATALOGUE.name
        generate(new)
        same = CATALOGUE.exists() and new.read_bytes() == CATALOGUE.read_bytes()
        if check and not same:
            sys.exit(f"{CATALOGUE.relative_to(ROOT)} is not up to date. Run ./dev translations")
        if not check:
            shutil.copyfile(new, CATALOGUE)


if __name__ == "__main__":
    main()
