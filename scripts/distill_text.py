"""Sentences the embedding table is fitted on: WordNet, quotations, package descriptions, and sentences made by pattern.

Only text from the free part of the Debian archive and our own patterns, none of it from a benchmark. Everything is
drawn with a seed, so the same inputs give the same sentences.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from distill_patterns import DEALINGS, MATTERS, NAMES, WHEN

Slots = dict[str, list[str]]

#: WordNet's lexicographer files by number, and the slot their nouns fill.
NOUN_FILES = {
    4: "act", 5: "animal", 6: "thing", 7: "quality", 8: "body", 9: "idea", 10: "message", 11: "event",
    12: "feeling", 13: "food", 14: "group", 15: "place", 17: "nature", 18: "person", 19: "event", 20: "plant",
    21: "money", 23: "amount", 26: "state", 27: "stuff", 28: "time",
}  # fmt: skip


def wordnet_sentences(folder: Path) -> Iterator[str]:
    """Every definition and every example sentence of WordNet."""
    for part in ("noun", "verb", "adj", "adv"):
        for line in _lines(folder / f"data.{part}"):
            gloss = line.split(" | ", 1)[1].strip()
            examples = re.findall(r'"([^"]+)"', gloss)
            yield re.split(r';\s*"', gloss)[0]
            yield from examples


def quotations(folder: Path) -> Iterator[str]:
    """Sentences of a folder of fortune files."""
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and "." not in p.name):
        for entry in path.read_text("utf-8", errors="ignore").split("\n%\n"):
            text = re.sub(r"\s+", " ", re.sub(r"\n\s*--.*", "", entry, flags=re.DOTALL)).strip()
            yield from (s for s in re.split(r"(?<=[.!?]) +", text) if len(s.split()) > 2)


def descriptions(path: Path) -> Iterator[str]:
    """The one-line descriptions of a Debian package list."""
    for line in path.read_text("utf-8", errors="ignore").splitlines():
        if line.startswith(("Description: ", "Description-en: ")):
            yield line.split(": ", 1)[1]


def wordnet_lemmas(folder: Path) -> Iterator[str]:
    """Every lemma, spaces for underscores."""
    for part in ("noun", "verb", "adj", "adv"):
        for line in _lines(folder / f"index.{part}"):
            yield line.split(" ", 1)[0].replace("_", " ")


def slots(folder: Path) -> Slots:
    """Words for the patterns, the ones WordNet saw in running text: nouns by subject, transitive verbs, adjectives."""
    filled: Slots = defaultdict(list)
    for lemma, offset in _seen(folder, "noun"):
        slot = NOUN_FILES.get(int(_entry(folder, "noun", offset).split()[1]))
        if slot:
            filled[slot].append(lemma)
    past, going = _irregular(folder)
    for lemma, offset in _seen(folder, "verb"):
        if " + 08 00" in _entry(folder, "verb", offset).split(" | ")[0] and " " not in lemma:
            filled["do"].append(lemma)
            filled["did"].append(past.get(lemma) or _suffixed(lemma, "ed"))
            filled["doing"].append(going.get(lemma) or _suffixed(lemma, "ing"))
    filled["adj"] = [lemma for lemma, _ in _seen(folder, "adj")]
    filled["adv"] = [lemma for lemma, _ in _seen(folder, "adv") if lemma.endswith("ly")]
    filled["things"] = [word if word.endswith("s") else word + "s" for word in filled["thing"]]
    filled |= {"name": NAMES, "when": _listed(WHEN), "be": ["be"]}
    filled |= {"matter": _listed(MATTERS), "deal": _listed(DEALINGS)}
    return dict(filled)


def _listed(text: str) -> list[str]:
    return [entry.strip() for entry in text.split("|")]


def made(patterns: str, words: Slots, count: int, rng: random.Random) -> Iterator[str]:
    """Sentences by pattern; half of the draws favor the front of a list, where the frequent words are."""
    lines = patterns.strip().splitlines()
    for _ in range(count):
        yield re.sub(r"\{(\w+)\}", lambda slot: _drawn(words[slot.group(1)], rng), rng.choice(lines))


def varied(sentences: list[str], count: int, rng: random.Random) -> Iterator[str]:
    """Spans, pairs and speaker lines cut from given sentences: the table has to add up at every length."""
    for _ in range(count):
        words = rng.choice(sentences).split()
        kind = rng.random()
        if kind < 0.45 and len(words) > 3:
            length = rng.randint(2, min(12, len(words) - 1))
            start = rng.randint(0, len(words) - length)
            yield " ".join(words[start : start + length])
        elif kind < 0.75:
            yield " ".join(words) + " " + rng.choice(sentences)
        else:
            yield f"{rng.choice(NAMES)}: {' '.join(words)}"


def _drawn(words: list[str], rng: random.Random) -> str:
    place = rng.random() ** (2 if rng.random() < 0.5 else 1)
    return words[int(place * len(words))]


def _seen(folder: Path, part: str) -> list[tuple[str, int]]:
    """Lemmas tagged in running text and the offset of their first sense, most often tagged first."""
    digits = {"noun": "1", "verb": "2", "adj": "35", "adv": "4"}[part]
    tagged: dict[str, int] = defaultdict(int)
    for line in _lines(folder / "cntlist.rev"):
        key, _, count = line.split()
        lemma, sense = key.split("%", 1)
        if sense[0] in digits:
            tagged[lemma] += int(count)
    found = []
    for line in _lines(folder / f"index.{part}"):
        fields = line.split()
        if tagged.get(fields[0]):
            found.append((-tagged[fields[0]], fields[0].replace("_", " "), int(fields[6 + int(fields[3])])))
    return [(lemma, offset) for _, lemma, offset in sorted(found)]


def _entry(folder: Path, part: str, offset: int) -> str:
    with (folder / f"data.{part}").open("rb") as file:
        file.seek(offset)
        return file.readline().decode()


def _irregular(folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Past and -ing forms that are not made by the rule."""
    past: dict[str, str] = {}
    going: dict[str, str] = {}
    for form, verb in (line.split()[:2] for line in _lines(folder / "verb.exc")):
        if form.endswith("ing"):
            going[verb] = form
        elif not form.endswith(("s", "n")) or verb not in past:
            past[verb] = form
    return past, going


def _suffixed(verb: str, ending: str) -> str:
    if verb.endswith("e") and len(verb) > 2 and not verb.endswith("ee"):
        return verb[:-1] + ending
    if verb.endswith("y") and verb[-2] not in "aeiou" and ending == "ed":
        return verb[:-1] + "ied"
    return verb + ending


def _lines(path: Path) -> Iterator[str]:
    return (line for line in path.read_text("utf-8").splitlines() if line and not line.startswith(" "))
