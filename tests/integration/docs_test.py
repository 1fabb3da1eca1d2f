#!/usr/bin/env python3
"""The documentation: links have targets, commands work, and names are those of the program.

Run by ctest with STAGELANE_BIN_DIR, or by hand: STAGELANE_BIN_DIR=build/release/bin docs_test.py

An HTML comment in the line before a fenced block describes the block:
  <!-- file: NAME -->    the block is written to NAME before the commands of the page run
  <!-- long: REASON -->  the commands are not run; their options are compared with --help
  <!-- needs: torch -->  the commands run only where Python has PyTorch
"""

import fnmatch
import importlib.util
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

BIN = pathlib.Path(os.environ.get("STAGELANE_BIN_DIR", "build/release/bin")).resolve()
STAGELANE = BIN / "stagelane"
ENGINE = BIN / "stagelane-engine"
SOURCE = pathlib.Path(os.environ.get("STAGELANE_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
DOCS = SOURCE / "docs"
PATIENCE_S = 120

FENCE = re.compile(r"^(?:<!-- (?P<note>[^\n]*?) -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.S | re.M)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.*?) *$", re.M)
# Documents that were never part of the repository.
FOREIGN = re.compile(r"contracts\.md|\(contracts\b|\bdesign\.md|\bui\.md|\bstyle\.md|\bhouse\.md|\bwording\.md"
                     r"|\bmock-?ups?\b|\bblueprint\b", re.I)
SOURCE_FOLDERS = ("app", "cmake", "engine", "profiler", "resources", "tests", "ui")
SOURCE_SUFFIXES = {".h", ".cpp", ".py", ".json", ".cmake", ".txt", ".in", ".sh", ".md"}


def pages():
    return [SOURCE / "README.md", *sorted(DOCS.rglob("*.md"))]


def name_of(page):
    return str(page.relative_to(SOURCE))


def blocks(text):
    """(note, kind, text) of every fenced block."""
    return [(match["note"] or "", match["kind"], match["text"]) for match in FENCE.finditer(text)]


def without_blocks(text):
    return FENCE.sub("", text)


def prose(page):
    """The text of a page without fenced blocks and `code`, where brackets mean no links."""
    return re.sub(r"`[^`\n]*`", "", without_blocks(page.read_text()))


def anchors(page):
    """The ids that GitHub gives to the headings of a page."""
    found, count = set(), {}
    for heading in HEADING.findall(without_blocks(page.read_text())):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        seen = count[slug] = count.get(slug, -1) + 1
        found.add(slug if seen == 0 else f"{slug}-{seen}")
    return found


def source_files():
    for folder in SOURCE_FOLDERS:
        for path in sorted((SOURCE / folder).rglob("*")):
            if path.suffix in SOURCE_SUFFIXES and path.is_file() and "tests/data" not in str(path):
                yield path
    for name in ("CMakeLists.txt", "README.md", "dev"):
        yield SOURCE / name


def names_of_tests():
    """The full names of the tests in C++, with 0 for the value of a parameter."""
    text = "\n".join(path.read_text() for path in sorted((SOURCE / "tests").rglob("*.cpp")))
    names = [f"{suite}.{name}" for suite, name in re.findall(r"^TEST(?:_F)?\((\w+),\s*(\w+)\)", text, re.M)]
    prefixes = re.findall(r"^INSTANTIATE_TEST_SUITE_P\(\s*(\w+),\s*(\w+),", text, re.M)
    for suite, name in re.findall(r"^TEST_P\((\w+),\s*(\w+)\)", text, re.M):
        names += [f"{prefix}/{suite}.{name}/0" for prefix, instance in prefixes if instance == suite]
    return names


def stagelane(*arguments):
    done = subprocess.run([STAGELANE, *arguments], capture_output=True, text=True, timeout=PATIENCE_S,
                          env=dict(os.environ, QT_QPA_PLATFORM="offscreen"))
    assert done.returncode == 0, f"stagelane {arguments}: {done.stderr}"
    return done.stdout


def schema():
    return json.loads((SOURCE / "resources/experiment.schema.json").read_text())


def schema_keys(node):
    """Every name of a member that the schema allows, except those of models."""
    keys = set()
    if isinstance(node, dict):
        for name, value in node.items():
            if name == "properties":
                keys |= set(value)
            keys |= schema_keys({} if name == "model" else value)
    elif isinstance(node, list):
        for value in node:
            keys |= schema_keys(value)
    return keys


class DocsTest(unittest.TestCase):
    def test_relative_links_anchors_and_images_resolve(self):
        for page in pages():
            for target in LINK.findall(prose(page)):
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, anchor = target.partition("#")
                file = (page.parent / path).resolve() if path else page
                with self.subTest(page=name_of(page), link=target):
                    self.assertTrue(file.exists(), "no such file")
                    if anchor:
                        self.assertIn(anchor, anchors(file))

    def test_every_page_is_linked(self):
        linked = {(page.parent / target.partition("#")[0]).resolve()
                  for page in pages() for target in LINK.findall(prose(page))}
        for page in pages()[1:]:
            with self.subTest(page=name_of(page)):
                self.assertIn(page, linked)

    def test_pictures_are_used_and_small(self):
        text = "".join(page.read_text() for page in pages())
        for picture in sorted((DOCS / "images").iterdir()):
            with self.subTest(picture=picture.name):
                self.assertLess(picture.stat().st_size, 300_000)
                # The test of pictures writes every page in both themes.
                either = re.sub(r"-(light|dark)\.", "-{}.", picture.name)
                self.assertTrue(any(either.format(theme) in text for theme in ("light", "dark")))

    def test_sources_name_only_documents_that_are_there(self):
        for file in source_files():
            if file.name == pathlib.Path(__file__).name:
                continue
            text = file.read_text(errors="replace")
            for document in re.findall(r"\bdocs/[\w/-]+\.md\b", text):
                with self.subTest(file=name_of(file), document=document):
                    self.assertTrue((SOURCE / document).exists())
            with self.subTest(file=name_of(file)):
                self.assertIsNone(FOREIGN.search(text))

    def test_docs_name_only_files_that_are_there(self):
        path = re.compile(r"`((?:app|cmake|engine|profiler|resources|tests|ui)/[\w/.-]+)`")
        for page in pages():
            text = page.read_text()
            with self.subTest(page=name_of(page)):
                self.assertIsNone(FOREIGN.search(text))
            for name in path.findall(text):
                with self.subTest(page=name_of(page), file=name):
                    self.assertTrue((SOURCE / name).exists())

    def test_commands_of_the_script_dev_exist(self):
        usage = subprocess.run([SOURCE / "dev", "--help"], capture_output=True, text=True, check=True).stdout
        known = set(re.findall(r"^  ([a-z-]+) ", usage, re.M))
        self.assertIn("test", known)
        for page in pages():
            for name in re.findall(r"\./dev ([a-z][a-z-]*)", page.read_text()):
                with self.subTest(page=name_of(page), command=name):
                    self.assertIn(name, known)

    def test_findings_of_the_gpu_page_have_tests_that_exist(self):
        """Names as in --gtest_filter, with `*`."""
        table = (DOCS / "development/gpu.md").read_text().partition("\n| finding | test | fixed by |\n")[2]
        rows = [row.strip("| ").split(" | ") for row in table.partition("\n\n")[0].splitlines()[1:]]
        self.assertTrue(rows)
        known = names_of_tests()
        for row in rows:
            with self.subTest(finding=row[0]):
                self.assertEqual(len(row), 3)
                tests = re.findall(r"`([^`]*)`", row[1])
                self.assertTrue(tests and row[2])
            for name in tests:
                with self.subTest(finding=row[0], test=name):
                    self.assertTrue(fnmatch.filter(known, name), "no test has this name")

    def test_labels_of_the_window_exist(self):
        """Bold words of the guide and the tutorials are words of the window."""
        sources = "\n".join(path.read_text() for folder in ("ui", "app")
                            for path in sorted((SOURCE / folder).rglob("*.cpp")))
        # Long texts are written as several literals.
        words = re.sub(r'"\s*\n?\s*"', "", sources).replace('\\"', '"')
        for page in [*(DOCS / "guide").glob("*.md"), *(DOCS / "tutorials").glob("*.md")]:
            for label in re.findall(r"\*\*([^*\n]+)\*\*", prose(page)):
                if label.endswith((".", ":")):
                    continue  # emphasis, not a label
                with self.subTest(page=name_of(page), label=label):
                    self.assertRegex(words, r'["/(]' + re.escape(label))


class ReferenceTest(unittest.TestCase):
    def setUp(self):
        self.page = (DOCS / "reference/experiment.md").read_text()

    def test_the_keys_are_those_of_the_schema(self):
        keys = schema_keys(schema())
        for key in sorted(keys):
            with self.subTest(key=key):
                self.assertRegex(self.page, rf'`"?{key}"?`|"{key}":')
        for row in re.findall(r'^\| ((?:`"\w+"`(?:, )?)+) \|', self.page, re.M):
            for key in re.findall(r'"(\w+)"', row):
                with self.subTest(key=key):
                    self.assertIn(key, keys)


@unittest.skipUnless(STAGELANE.exists(), f"there is no {STAGELANE}")
class CommandsTest(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="stagelane-docs-"))

    def tearDown(self):
        shutil.rmtree(self.root, ignore_errors=True)

    def subcommands(self):
        return re.findall(r"^  ([a-z-]+) ", stagelane("--help").partition("Subcommands:")[2].partition("Examples:")[0],
                          re.M)

    def test_every_command_is_in_the_guide(self):
        headings = " ".join(HEADING.findall((DOCS / "guide/command-line.md").read_text()))
        text = (DOCS / "guide/command-line.md").read_text()
        for name in self.subcommands():
            with self.subTest(command=name):
                self.assertTrue(re.search(rf"\b{name}\b", headings) or f"`{name}`" in text)

    def test_kinds_of_chart_are_those_of_the_program(self):
        offered = re.search(r"--kind TEXT REQUIRED\s+(.*)", stagelane("chart", "--help"))[1]
        described = re.findall(r"^\| \*\*.*?\*\* \| `(\w+)` \|", (DOCS / "guide/charts.md").read_text(), re.M)
        self.assertEqual(sorted(re.findall(r"\w+", offered.replace(" or ", " "))), sorted(described))

    def test_the_schedules_are_those_of_the_program(self):
        page = (DOCS / "reference/experiment.md").read_text()
        table = page.partition("## Schedules")[2].partition("\n## ")[0]
        named = [name for row in re.findall(r"^\| (`.*?) \|", table, re.M) for name in re.findall(r"`([\w-]+)`", row)]
        offered = re.findall(r"^  ([\w-]+)  ", stagelane("schedule", "--help").partition("Schedules:\n")[2]
                             .partition("Examples:")[0], re.M)
        self.assertIn("gpipe", offered)
        self.assertEqual(sorted(named), sorted(set(offered) - {"single", "model_parallel"}))

    def test_the_schedules_take_the_numbers_of_micro_batches_that_the_table_says(self):
        """On 4 devices, for which 6 is no multiple and 7 is less than twice as many."""
        cases = {
            "any": [(True, 6)],
            "at least 2p": [(True, 8), (False, 7)],
            "a multiple of p; any if v = 1": [(True, 8, "--chunks", 2), (False, 6, "--chunks", 2),
                                              (True, 6, "--chunks", 1)],
        }
        table = (DOCS / "reference/experiment.md").read_text().partition("## Schedules")[2].partition("\n## ")[0]
        rows = re.findall(r"^\| (`.*?) \|.*\| ([^|]*) \|$", table, re.M)
        self.assertEqual({condition for _, condition in rows}, set(cases))
        for names, condition in rows:
            for name in re.findall(r"`([\w-]+)`", names):
                for works, count, *options in cases[condition]:
                    done = subprocess.run([STAGELANE, "schedule", name, "--devices", "4", "--microbatches", str(count),
                                           *map(str, options)], capture_output=True, text=True, timeout=PATIENCE_S)
                    with self.subTest(schedule=name, micro_batches=count, options=options):
                        self.assertEqual(done.returncode, 0 if works else 3, done.stderr)

    def test_the_strategies_are_those_of_the_program(self):
        row = re.search(r'^\| `"strategy"` \| (.*?) \|', (DOCS / "reference/experiment.md").read_text(), re.M)[1]
        refused = subprocess.run([STAGELANE, "predict", "toy", "--set", '/variants/0={"name": "a"}'],
                                 capture_output=True, text=True, timeout=PATIENCE_S).stderr
        offered = re.search(r"one of: (.*)", refused)[1]
        self.assertEqual(re.findall(r"\w+", row), re.findall(r"\w+", offered))

    def test_the_formats_of_traces_are_those_of_the_program(self):
        table = (DOCS / "reference/formats.md").read_text().partition("\n| format |")[2].partition("\n\n")[0]
        help_text = stagelane("convert", "--help")
        read = [part.rpartition(" ")[0] for part in re.search(r"Trace \((.*?);", help_text)[1].split(", ")]
        written = re.search(r"--to TEXT\s+(.*?);", help_text)[1].split(", ")
        self.assertTrue(read and written)
        for title in read:
            with self.subTest(format=title):
                self.assertRegex(table, rf"\n\| {re.escape(title)}\b")
        for name in written:
            with self.subTest(format=name):
                self.assertIn(f"`convert --to {name}`", table)

    def test_every_page_of_the_window_is_in_the_guide(self):
        offered = re.search(r"--page TEXT\s+(.*)", stagelane("--help"))[1].split(", ")
        self.assertIn("plan", offered)
        contents = (DOCS / "guide/README.md").read_text()
        for name in offered:
            with self.subTest(page=name):
                self.assertTrue(f"({name}.md)" in contents or f"`--page {name}`" in contents)

    def check_options(self, command):
        words = shlex.split(command)
        known = stagelane(words[1], "--help")
        for word in words[2:]:
            if re.match(r"--?[a-z]", word):
                with self.subTest(command=command, option=word):
                    self.assertRegex(known, rf"(^|[\s,]){re.escape(word)}\b")

    def run_page(self, page):
        folder = self.root / name_of(page).replace("/", "-")
        folder.mkdir()
        environment = dict(os.environ, STAGELANE_WORKSPACE=str(folder / "workspace"), QT_QPA_PLATFORM="offscreen",
                           PATH=os.pathsep.join([str(BIN), str(pathlib.Path(sys.executable).parent),
                                                 os.environ["PATH"]]))
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "STAGELANE_ENGINE"):
            environment.pop(name, None)
        text = page.read_text()
        for note, _, block in blocks(text):
            if note.startswith("file: "):
                (folder / note.partition(": ")[2]).write_text(block)
        for note, kind, block in blocks(text):
            commands = re.findall(r"^(?:stagelane|python3) .*", block, re.M) if kind == "sh" else []
            if note == "needs: torch" and importlib.util.find_spec("torch") is None:
                continue
            for command in commands:
                if note.startswith("long: "):
                    self.check_options(command)
                    continue
                with self.subTest(page=name_of(page), command=command):
                    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True,
                                          capture_output=True, timeout=PATIENCE_S)
                    self.assertEqual(done.returncode, 0, done.stderr)

    @unittest.skipUnless(ENGINE.exists(), f"there is no {ENGINE}")
    def test_the_commands_of_the_guide_and_the_tutorials_work(self):
        for page in pages():
            if page.parent.name in ("guide", "tutorials") or page.name == "README.md":
                self.run_page(page)


if __name__ == "__main__":
    unittest.main(verbosity=2)
