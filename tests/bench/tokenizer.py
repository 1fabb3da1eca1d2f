#!/usr/bin/env python3
"""Encodes and decodes text with our tokenizer and with the package `tokenizers`, in turns.

Trains a tokenizer of each kind (LLaMA 2, LLaMA 3) on the sources of this repository with the package, and prints the
medians of both, their ratio (above 1: ours is faster), and whether the ids are equal.

    pip install tokenizers==0.23.3
    ./dev bench tokenizer [-- --vocabulary 32000 --megabytes 2 --rounds 7]
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

# One thread each, as a prompt of one request has.
os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["RAYON_NUM_THREADS"] = "1"

try:
    from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
except ImportError:
    python = os.environ.pop("STAGELANE_BENCH_PYTHON", None)
    if python and os.access(python, os.X_OK):
        os.execv(python, [python, *sys.argv])
    sys.exit("the package tokenizers is missing: pip install tokenizers==0.23.3 (in .venv for ./dev bench)")

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROBE = pathlib.Path(os.environ.get("STAGELANE_BIN_DIR", ROOT / "build/release/bin")) / "stagelane_tokenizer_probe"
LLAMA3 = json.loads((ROOT / "tests/data/llama/tokenizers/llama3.json").read_text())
WORDS = Regex(LLAMA3["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"])


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--vocabulary", type=int, default=32000)
    parser.add_argument("--megabytes", type=float, default=2.0, help="text to encode")
    parser.add_argument("--rounds", type=int, default=7)
    return parser.parse_args()


def corpus(limit):
    """The sources and pages of this repository, as one text."""
    files = sorted(file for ending in ("md", "h", "cpp", "py") for file in ROOT.glob(f"*/**/*.{ending}")
                   if "build" not in file.parts)
    return "".join(file.read_text(errors="ignore") for file in files)[:limit]


def llama2(text, size):
    """Trained on words, used without a pre-tokenizer, as LLaMA 2 is."""
    tokenizer = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>", fuse_unk=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")])
    tokenizer.pre_tokenizer = pre_tokenizers.Split("\u2581", "merged_with_next")
    special = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    tokenizer.train_from_iterator([text], trainers.BpeTrainer(vocab_size=size, special_tokens=special,
                                                              show_progress=False))
    document = json.loads(tokenizer.to_str())
    document["pre_tokenizer"] = None
    document["added_tokens"] = document["added_tokens"][:3]
    decoder = decoders.Sequence([decoders.Replace("\u2581", " "), decoders.ByteFallback(), decoders.Fuse(),
                                 decoders.Strip(" ", 1, 0)])
    tokenizer = Tokenizer.from_str(json.dumps(document))
    tokenizer.decoder = decoder
    return tokenizer


def llama3(text, size):
    tokenizer = Tokenizer(models.BPE(ignore_merges=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(WORDS, "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator([text], trainers.BpeTrainer(vocab_size=size, initial_alphabet=alphabet,
                                                              show_progress=False))
    return tokenizer


def measure(name, tokenizer, text, rounds):
    with tempfile.TemporaryDirectory() as folder:
        file, words = pathlib.Path(folder) / "tokenizer.json", pathlib.Path(folder) / "text"
        file.write_text(tokenizer.to_str())
        words.write_text(text)
        times = {"theirs": [], "ours": []}
        counts = set()
        for _ in range(rounds):
            # A tokenizer of its own each time: the package remembers words.
            peer = Tokenizer.from_file(str(file))
            begin = time.perf_counter()
            ids = peer.encode(text).ids
            times["theirs"].append(time.perf_counter() - begin)
            answer = json.loads(subprocess.run([PROBE, file, words, "1"], check=True, capture_output=True).stdout)
            times["ours"].append(answer["seconds"])
            counts.add(answer["tokens"] - len(ids))
        theirs, ours = (statistics.median(times[who]) for who in ("theirs", "ours"))
        rate = len(text.encode()) / ours / 1e6
        print(f"{name}: {len(ids)} tokens ({'the same number' if counts == {0} else 'DIFFERENT'}), "
              f"theirs {theirs:.3f} s, ours {ours:.3f} s ({rate:.1f} MB/s), ratio {theirs / ours:.1f}")


def main():
    options = arguments()
    text = corpus(int(options.megabytes * 1e6))
    for name, train in (("llama2", llama2), ("llama3", llama3)):
        measure(name, train(text, options.vocabulary), text, options.rounds)


if __name__ == "__main__":
    main()
