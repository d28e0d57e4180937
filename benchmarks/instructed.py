"""Are standing instructions known as such? 245 sentences to an assistant in fourteen languages (``instructed.toml``).

Each set is in two halves by the hash of the sentence; of one half the misses were read while the tables were widened.
Printed for each set, half and kind is how many are taken for what they are: "every" for an instruction that holds of
every answer, "some" for one that holds of some, "none" for what is no standing instruction. ``--show`` prints what is
not, of the half that is read only; ``--languages`` prints each language apart.

    python benchmarks/instructed.py [--show] [--languages]
"""

from __future__ import annotations

import argparse
import tomllib
import zlib
from collections import Counter
from pathlib import Path

from precis.language.newest.instructed import holds_of_every_answer, standing_in

HALVES = ("unread", "read")


def kind_of(sentence: str) -> str:
    """What precis takes a sentence for."""
    if holds_of_every_answer(sentence):
        return "every"
    return "some" if standing_in([sentence]) else "none"


def main() -> None:
    """Read and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--languages", action="store_true")
    options = parser.parse_args()
    right, every = Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()
    for name, languages in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).items():
        for language, kinds in languages.items():
            for kind, sentence in ((kind, line) for kind, text in kinds.items() for line in text.strip().splitlines()):
                half = HALVES[zlib.crc32(sentence.encode()) % 2]
                key = (name, half, kind, *([language] if options.languages else []))
                every[key] += 1
                right[key] += kind_of(sentence) == kind
                if options.show and half == "read" and kind_of(sentence) != kind:
                    print(f"{name}, {language}, {kind}, taken for {kind_of(sentence)}: {sentence}")
    for key, number in sorted(every.items()):
        print(f"{', '.join(key)}: {right[key]} of {number}")


if __name__ == "__main__":
    main()
