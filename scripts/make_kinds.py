"""Makes src/precis/finding/words/kinds.txt.gz: which English noun is a kind of which, from WordNet 3.0.

    apt-get download wordnet-base && dpkg -x wordnet-base_*.deb wordnet
    python scripts/make_kinds.py wordnet/usr/share/wordnet

A line is a synset: the numbers of the lines of its kinds, a bar, and its words, each with its rank among the senses
of that word (0 is its most frequent one; "~" behind it where the word is more often no noun). Behind a second bar are
verbs and adjectives that one of its nouns is made of or that are made of it ("pray" of "prayer"), with the rank of the
sense. Only the first three senses of a noun and two of other words are written, no names of persons and places, and of
the fields of WordNet only those of things that people tell of.
"""

from __future__ import annotations

import gzip
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

#: Numbers of WordNet's lexicographer files: act, animal, artifact, body, cognition, communication, event, feeling,
#: food, person, phenomenon, plant, possession, process, state, substance.
FIELDS = {4, 5, 6, 8, 9, 10, 11, 12, 13, 18, 19, 20, 21, 22, 26, 27}
#: Of those, the ones whose nouns may have a capital: kinds of people.
CAPITALS = {18}
TARGET = Path(__file__).parents[1] / "src/precis/finding/words/kinds.txt.gz"
_SENSES = 3
_OTHER_SENSES = 2
#: Links of verbs and adjectives to nouns: derived forms, and what an adjective pertains to.
_DERIVED = {"+", "\\"}
#: How often a word is met otherwise for each time it is met as a noun, from which on it is no noun first.
_SELDOM = 1.0


def _plain(lemma: str) -> bool:
    return lemma.replace("_", "").replace("-", "").isalpha() and lemma.islower() and lemma.count("_") < 2


def _ranks(folder: Path, part: str, senses: int) -> dict[tuple[str, str], int]:
    """By word and synset: which sense of the word it is."""
    ranks: dict[tuple[str, str], int] = {}
    for line in (folder / f"index.{part}").read_text("ascii").splitlines():
        if not line.startswith(" "):
            fields = line.split()
            for rank, offset in enumerate(fields[-int(fields[2]) :][:senses]):
                ranks[fields[0], offset] = rank
    return ranks


def _seldom_nouns(folder: Path) -> set[str]:
    """Words that were met more often as verbs or adjectives than as nouns."""
    noun, other = Counter[str](), Counter[str]()
    for line in (folder / "cntlist.rev").read_text("ascii").splitlines():
        key, _, count = line.split()
        lemma, _, sense = key.partition("%")
        (noun if sense[0] == "1" else other)[lemma] += int(count)
    return {lemma for lemma, count in other.items() if count > _SELDOM * noun[lemma]}


def _read(folder: Path, part: str) -> Iterator[tuple[list[str], list[str], list[str]]]:
    """By synset: the fields of its head, its words and its links."""
    for line in (folder / f"data.{part}").read_text("ascii").splitlines():
        if not line.startswith(" "):
            fields = line.split(" | ")[0].split()
            count = int(fields[3], 16)
            yield fields[:3], [fields[4 + 2 * at] for at in range(count)], fields[5 + 2 * count :]


def _deeds(folder: Path) -> dict[str, list[str]]:
    """By synset of a noun: the verbs and adjectives that belong to it, with the rank of their senses."""
    deeds: dict[str, dict[str, int]] = defaultdict(dict)
    for part in ("verb", "adj"):
        ranks = _ranks(folder, part, _OTHER_SENSES)
        for (offset, *_), words, links in _read(folder, part):
            for at in range(0, len(links) - 3, 4):
                if links[at] in _DERIVED and links[at + 2] == "n":
                    word = words[max(0, int(links[at + 3][:2], 16) - 1)].partition("(")[0]
                    rank = ranks.get((word, offset))
                    if rank is not None and _plain(word) and "_" not in word:
                        deeds[links[at + 1]][word] = min(rank, deeds[links[at + 1]].get(word, rank))
    return {offset: [f"{word}:{rank}" for word, rank in words.items()] for offset, words in deeds.items()}


def main(folder: Path) -> None:
    """Write the table."""
    ranks, seldom, deeds = _ranks(folder, "noun", _SENSES), _seldom_nouns(folder), _deeds(folder)
    synsets: dict[str, tuple[list[str], list[str]]] = {}
    for (offset, field, _), words, links in _read(folder, "noun"):
        if int(field) not in FIELDS | {3}:
            continue
        above = [links[at + 1] for at in range(0, len(links) - 3, 4) if links[at] == "@"]
        called = [word.lower() for word in words] if int(field) in CAPITALS and "@i" not in links else words
        known = [
            f"{word}:{ranks[word, offset]}{'~' if word in seldom else ''}"
            for word in called
            if _plain(word) and (word, offset) in ranks
        ]
        if above or field == "03":
            synsets[offset] = (above, known)
    numbers = {offset: number for number, offset in enumerate(synsets)}
    lines = []
    for offset, (above, words) in synsets.items():
        kinds = " ".join(str(numbers[each]) for each in above if each in numbers)
        behind = f"|{' '.join(deeds[offset])}" if offset in deeds else ""
        lines.append(f"{kinds}|{' '.join(words)}{behind}")
    with gzip.GzipFile(TARGET, "wb", mtime=0, compresslevel=9) as file:
        file.write("\n".join(lines).encode("ascii"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
