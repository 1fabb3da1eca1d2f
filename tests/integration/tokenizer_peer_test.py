#!/usr/bin/env python3
"""Random texts and ids have the same ids and texts as in the package `tokenizers`, for the tokenizers in
tests/data/llama/tokenizers and variants of them. Skipped without the package.

Run by ctest, or by hand, with other files, more texts, and every code point:

    pip install tokenizers==0.23.3
    STAGELANE_BIN_DIR=build/release/bin tests/integration/tokenizer_peer_test.py \\
        --texts 20000 --seed 7 --every-code-point [TOKENIZER.json ...]
"""

import argparse
import copy
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

SKIPPED = 77
try:
    from tokenizers import Tokenizer
except ImportError:
    print("skipped: the Python package tokenizers is not installed")
    sys.exit(SKIPPED)

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROBE = pathlib.Path(os.environ.get("STAGELANE_BIN_DIR", ROOT / "build/release/bin")) / "stagelane_tokenizer_probe"
DATA = ROOT / "tests/data/llama/tokenizers"
BLANKS = " \t\n\r\v\f\u0085\u00a0\u1680\u180e\u2003\u2028\u3000"
ODD = ["'s", "'S", "'\u017f", "'re", "'LL", "\u2581", "\u2581\u2581", "<0x41>", "<0xE2>", "\u00e9", "e\u0301", "\ufb01",
       "\U0001f642", "\U0001f469\u200d\U0001f467", "\u65e5\u672c\u8a9e", "\u0660\u0661", "\u00bd", "\u216b", "\0",
       "\ufffd", "\U0010ffff", "\u200d", "\u0130", "1234567", "3.14", "\r\n", "\n\n  ", "   ", "don't", "WE'VE", "_",
       "!!", "...", "=>", "<s>", "</s>", "<unk>", "<|eot_id|>", "<|begin_of_text|>", "<|begin", "[A]", "[AB]", "Hello"]


class Probe:
    """Our tokenizer of a file."""

    def __init__(self, file):
        self.process = subprocess.Popen([PROBE, file], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)

    def ask(self, request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        return self.process.wait()


def variants(document):
    """Other files of the supported kinds: name and document."""
    yield "as it is", document

    def changed(name, **members):
        other = copy.deepcopy(document)
        for key, value in members.items():
            if key == "model":
                other["model"].update(value)
            else:
                other[key] = value
        return name, other

    yield changed("merges as texts", model={"merges": [" ".join(pair) for pair in document["model"]["merges"]]})
    yield changed("no decoder", decoder=None)
    yield changed("no post-processor", post_processor=None)
    yield changed("whole words first", model={"ignore_merges": not document["model"]["ignore_merges"]})
    for scheme in ("always", "first", "never"):
        for split in (True, False):
            metaspace = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": scheme, "split": split}
            yield changed(f"Metaspace {scheme} {split}", normalizer=None, pre_tokenizer=metaspace, decoder=metaspace)
    for blank in (True, False):
        level = {"type": "ByteLevel", "add_prefix_space": blank, "trim_offsets": True, "use_regex": True}
        yield changed(f"words of GPT-2 {blank}", normalizer=None, pre_tokenizer=level, decoder=level)
        digits = {"type": "Digits", "individual_digits": blank}
        both = {"type": "Sequence", "pretokenizers": [digits, {**level, "add_prefix_space": not blank}]}
        yield changed(f"digits {blank}", normalizer=None, pre_tokenizer=both, decoder=level)
    letters = {"type": "Split", "pattern": {"Regex": r"\p{L}+|\p{N}*"}, "behavior": "Removed", "invert": True}
    yield changed("only letters", pre_tokenizer=letters)
    yield changed("empty matches", pre_tokenizer={**letters, "behavior": "Isolated", "invert": False})
    unknown = {"byte_fallback": False, "unk_token": next(iter(document["model"]["vocab"]))}
    for fuse in (True, False):
        yield changed(f"unknown characters {fuse}", model={**unknown, "fuse_unk": fuse})
    vocabulary = {text: number for text, number in document["model"]["vocab"].items() if text != "<0xA9>"}
    if len(vocabulary) < len(document["model"]["vocab"]):
        yield changed("a byte without a token", model={"vocab": vocabulary})
    yield "added tokens", with_added_tokens(document)


def with_added_tokens(document):
    """Tokens of each kind that the text is searched for."""
    other = copy.deepcopy(document)
    number = 1 + max([*other["model"]["vocab"].values(), *(token["id"] for token in other["added_tokens"])])
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": False}
    for text, flags in [("[A]", {}), ("[AB]", {"lstrip": True}), ("[A", {"rstrip": True, "special": True}),
                        ("don't", {"normalized": True}), ("we ll", {"normalized": True, "lstrip": True}),
                        ("\u65e5", {"rstrip": True, "lstrip": True}), ("  ", {})]:
        other["added_tokens"].append({"id": number, "content": text, **plain, **flags})
        number += 1
    return other


def random_text(chance, words):
    parts = []
    for _ in range(chance.choice([1, 3, 8, 30])):
        kind = chance.random()
        if kind < 0.4:
            parts.append(chance.choice(words))
        elif kind < 0.6:
            parts.append(chance.choice(ODD))
        elif kind < 0.75:
            parts.append("".join(chance.choice(BLANKS) for _ in range(chance.randint(1, 4))))
        elif kind < 0.85:
            parts.append(" ")
        elif kind < 0.95:
            parts.append("".join(chr(chance.randint(32, 0x2FF)) for _ in range(chance.randint(1, 6))))
        else:
            point = chance.randint(0, 0x10FFFF)
            parts.append("?" if 0xD800 <= point < 0xE000 else chr(point))
    return "".join(parts)


def every_code_point():
    """Each beside letters, digits, signs, blanks, and itself."""
    points = [point for point in range(0x110000) if not 0xD800 <= point < 0xE000]
    for first in range(0, len(points), 32):
        yield "".join(f"a{c}b {c}{c} {c}1{c}!{c}\n{c} '{c}" for c in map(chr, points[first:first + 32]))


def compare(name, document, texts, sequences):
    """The first difference, or None."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(document, file)
        file.flush()
        peer = Tokenizer.from_file(file.name)
        ours = Probe(file.name)
        try:
            for text in texts:
                want = {"ids": peer.encode(text).ids, "bare": peer.encode(text, add_special_tokens=False).ids}
                found = ours.ask({"text": text})
                if found != want:
                    return f"{name}: {text!r}: expected {want}, found {found}"
                sequences.append(want["ids"])
            for ids in sequences:
                want = {"text": peer.decode(ids), "kept": peer.decode(ids, skip_special_tokens=False)}
                found = ours.ask({"ids": ids})
                streamed = found.pop("streamed")
                if found != want:
                    return f"{name}: {ids}: expected {want}, found {found}"
                if "\ufffd" not in want["text"] and streamed != want["text"]:
                    return f"{name}: {ids}: expected {want['text']!r}, streamed {streamed!r}"
        finally:
            ours.close()
    return None


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*", type=pathlib.Path, default=[DATA / "llama2.json", DATA / "llama3.json"])
    parser.add_argument("--texts", type=int, default=300, help="random texts for each variant")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every-code-point", action="store_true")
    parser.add_argument("--only", default="", help="only variants whose names contain this")
    return parser.parse_args()


def main():
    options = arguments()
    chance = random.Random(options.seed)
    differences = []
    count = 0
    for file in options.files:
        document = json.loads(file.read_text())
        words = [word.replace("\u2581", " ").replace("\u0120", " ") for word in document["model"]["vocab"]]
        largest = max(document["model"]["vocab"].values()) + 4
        for name, variant in variants(document):
            if options.only not in name:
                continue
            texts = [random_text(chance, words) for _ in range(options.texts)]
            if options.every_code_point and name == "as it is":
                texts += every_code_point()
            sequences = [[chance.randint(0, largest) for _ in range(chance.choice([1, 4, 24]))]
                         for _ in range(options.texts)]
            difference = compare(f"{file.name}, {name}", variant, texts, sequences)
            count += len(texts)
            if difference:
                differences.append(difference)
                print(difference)
    print(f"{count} texts, {len(differences)} variants differ (seed {options.seed})")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
