#!/usr/bin/env python3
"""The catalogs of the window's texts: plural forms in the repository, all texts for a translator."""

import importlib.util
import pathlib
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
SPEC = importlib.util.spec_from_file_location("update", ROOT / "resources/translations/update.py")
update = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(update)


def full(language, folder):
    """The messages of the full catalog of a language."""
    target = pathlib.Path(folder) / f"stagelane_{language}.ts"
    update.write_full(target, language)
    return list(ElementTree.parse(target).iter("message"))


def sources(messages):
    return {message.findtext("source") for message in messages}


class Plurals(unittest.TestCase):
    def test_are_up_to_date(self):
        self.assertEqual(update.PLURALS.read_bytes(), update.plurals(), "Run ./dev translations")

    def test_are_all_that_is_kept_of_english_and_are_finished(self):
        messages = list(ElementTree.parse(update.PLURALS).iter("message"))
        self.assertTrue(messages)
        for message in messages:
            self.assertEqual(message.get("numerus"), "yes", message.findtext("source"))
            self.assertIsNone(message.find("translation").get("type"), message.findtext("source"))
            self.assertTrue(all(form.text for form in message.iter("numerusform")))


class FullCatalog(unittest.TestCase):
    def test_has_the_texts_of_the_window_and_of_the_tables_of_the_engine(self):
        with tempfile.TemporaryDirectory() as folder:
            found = sources(full("en", folder))
        self.assertGreater(len(found), 1000)
        for text in ("Split size", "%n run(s) compared", "single device",
                     "Micro-batches pass through the devices at the same time",
                     "All forwards, one loss of the whole batch, all backwards, as in the PyTorch tutorial",
                     "Searches for the order with the shortest predicted step",
                     "Linear 10 to 10, ReLU, Linear 10 to 5",
                     "transformer on tokens; sizes: layers, heads, width, vocab, context, dropout, tie",
                     "Classes", "Tie head to embedding"):
            self.assertIn(text, found)

    def test_keeps_what_a_language_has_already(self):
        with tempfile.TemporaryDirectory() as folder:
            update.CATALOGS, before = pathlib.Path(folder) / "kept", update.CATALOGS
            try:
                update.CATALOGS.mkdir()
                full("de", update.CATALOGS)
                kept = update.CATALOGS / "stagelane_de.ts"
                tree = ElementTree.parse(kept)
                message = next(one for one in tree.iter("message")
                               if one.findtext("source") == "Split size")
                message.find("translation").text = "Teilgröße"
                message.find("translation").attrib.pop("type")
                tree.write(kept, encoding="utf-8", xml_declaration=True)
                messages = full("de", folder)
            finally:
                update.CATALOGS = before
        self.assertIn("Teilgröße", {one.findtext("translation") for one in messages})
        self.assertGreater(len(messages), 1000)


if __name__ == "__main__":
    unittest.main()
