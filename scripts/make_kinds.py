"""Makes src/precis/finding/words/kinds.txt.gz: which English noun is a kind of which, from WordNet 3.0.

    apt-get download wordnet-base && dpkg -x wordnet-base_*.deb wordnet
    python scripts/make_kinds.py wordnet/usr/share/wordnet

A line is a synset: the numbers of the lines of its kinds, a bar, and its words, each with its rank among the senses
of that word (0 is its most frequent one). Only the first three senses of a word are written, no names of persons and
places, and of the fields of WordNet only those of things that people tell of.
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

#: Numbers of WordNet's lexicographer files: act, animal, artifact, body, cognition, communication, event, feeling,
#: food, person, phenomenon, plant, possession, process, state, substance.
FIELDS = {4, 5, 6, 8, 9, 10, 11, 12, 13, 18, 19, 20, 21, 22, 26, 27}
TARGET = Path(__file__).parents[1] / "src/precis/finding/words/kinds.txt.gz"
_SENSES = 3


def _plain(lemma: str) -> bool:
    return lemma.replace("_", "").replace("-", "").isalpha() and lemma.islower() and lemma.count("_") < 2


def main(folder: Path) -> None:
    """Write the table."""
    ranks: dict[tuple[str, str], int] = {}
    for line in (folder / "index.noun").read_text("ascii").splitlines():
        if not line.startswith(" "):
            fields = line.split()
            for rank, offset in enumerate(fields[-int(fields[2]) :][:_SENSES]):
                ranks[fields[0], offset] = rank
    synsets: dict[str, tuple[list[str], list[str]]] = {}
    for line in (folder / "data.noun").read_text("ascii").splitlines():
        if line.startswith(" ") or int(line.split()[1]) not in FIELDS | {3}:
            continue
        fields = line.split(" | ")[0].split()
        count = int(fields[3], 16)
        words = [fields[4 + 2 * at] for at in range(count)]
        pointers = fields[5 + 2 * count :]
        above = [pointers[at + 1] for at in range(0, len(pointers) - 3, 4) if pointers[at] == "@"]
        known = [f"{word}:{ranks[word, fields[0]]}" for word in words if _plain(word) and (word, fields[0]) in ranks]
        if above or fields[1] == "03":
            synsets[fields[0]] = (above, known)
    numbers = {offset: number for number, offset in enumerate(synsets)}
    lines = [
        f"{' '.join(str(numbers[each]) for each in above if each in numbers)}|{' '.join(words)}"
        for above, words in synsets.values()
    ]
    with gzip.GzipFile(TARGET, "wb", mtime=0, compresslevel=9) as file:
        file.write("\n".join(lines).encode("ascii"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
