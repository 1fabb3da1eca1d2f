#!/usr/bin/env python3
"""Collects the window's texts from the sources ('./dev translations [LANGUAGE]').

The repository has the plural forms of English, resources/translations/stagelane_en.ts: "%n block(s)"
is "%n block" for one and "%n blocks" for others. English needs nothing else, so a new text touches
no catalog. The full catalog, for a translator, is written to build/translations/stagelane_LANGUAGE.ts
and keeps what resources/translations/stagelane_LANGUAGE.ts has translated already.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
CATALOGS = ROOT / "resources/translations"
PLURALS = CATALOGS / "stagelane_en.ts"
SOURCES = ("ui", "app/window", "app/engine_client")

# The engine has no Qt and no tr(). These texts of its tables are shown in the window, which
# translates them with QObject::tr().
LITERALS = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
MEMBERS = re.compile(rf"\.(?:title|description)\s*=\s*{LITERALS}")
SECOND_IN_ROW = re.compile(rf'\{{"[^"]*",\s*{LITERALS},')
TABLES = {
    "engine/plan/strategies.cpp": MEMBERS,
    "engine/schedule/methods*.cpp": MEMBERS,
    "engine/model/zoo.cpp": SECOND_IN_ROW,
    "engine/model/zoo_sizes.cpp": re.compile(rf'"[a-z_]+", {LITERALS},'),
}


def lupdate():
    """The path of Qt 6's lupdate."""
    for name in ("/usr/lib/qt6/bin/lupdate", "lupdate6", "lupdate"):
        if found := shutil.which(name):
            return found
    sys.exit("lupdate was not found. Install qt6-l10n-tools")


def table_literals():
    """The C++ string literals of the engine's tables, each text once."""
    found = {}
    for files, pattern in TABLES.items():
        for file in sorted(ROOT.glob(files)):
            found.update(dict.fromkeys(text.strip() for text in pattern.findall(file.read_text())))
    return list(found)


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


def collect(target, language, *options):
    """Writes the catalog of the sources to `target`, keeping the translations that it has."""
    with tempfile.TemporaryDirectory() as folder:
        tables = pathlib.Path(folder) / "tables.cpp"
        tables.write_text("".join(f'QT_TRANSLATE_NOOP("QObject", {text})\n'
                                  for text in table_literals()))
        subprocess.run([lupdate(), "-silent", "-no-obsolete", "-locations", "none", "-I", ".",
                        "-source-language", "en", "-target-language", language, *options,
                        *SOURCES, str(tables), "-ts", str(target)], cwd=ROOT, check=True)
    if language != "en":
        return
    tree = ElementTree.parse(target)
    fill_plurals(tree)
    with open(target, "wb") as file:
        file.write(b'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n')
        tree.write(file, encoding="utf-8", xml_declaration=False)
        file.write(b"\n")


def plurals():
    """The catalog of the English plural forms."""
    with tempfile.TemporaryDirectory() as folder:
        new = pathlib.Path(folder) / PLURALS.name
        collect(new, "en", "-pluralonly")
        return new.read_bytes()


def write_full(target, language):
    """Writes the full catalog of a language, without the translations that `target` had."""
    target.parent.mkdir(parents=True, exist_ok=True)
    known = CATALOGS / f"stagelane_{language}.ts"
    if known.exists():
        shutil.copyfile(known, target)
    else:
        target.unlink(missing_ok=True)
    collect(target, language)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("language", nargs="?", default="en", help="for example de or pt_BR (default: en)")
    parser.add_argument("--check", action="store_true", help="only compare the plural forms")
    parser.add_argument("--full", type=pathlib.Path, metavar="FILE",
                        help="only write the full catalog, to this file")
    arguments = parser.parse_args()
    if arguments.full:
        write_full(arguments.full, arguments.language)
    elif arguments.check:
        if PLURALS.read_bytes() != plurals():
            sys.exit(f"{PLURALS.relative_to(ROOT)} is not up to date. Run ./dev translations")
    else:
        PLURALS.write_bytes(plurals())
        full = ROOT / f"build/translations/stagelane_{arguments.language}.ts"
        write_full(full, arguments.language)
        print(f"All texts of the window: {full.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
