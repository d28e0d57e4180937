"""What a request in Chinese or Japanese names, where no space sets words apart."""

from __future__ import annotations

import re
from collections.abc import Collection

from precis.finding.parts import Part
from precis.finding.reading import read_words
from precis.finding.tables import fields, groups, name_words, words_of
from precis.finding.wording import EDGE


def unspaced(text: str, language: str) -> tuple[tuple[tuple[str, ...], ...], tuple[Part, ...]]:
    """Of a request in Chinese or Japanese: names in Latin letters, group words, and what else is left as a name."""
    names: list[tuple[str, ...]] = []
    parts: list[Part] = []
    latin = read_words(re.sub(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]", " ", text))
    if latin:
        names.append(tuple(word.low for word in latin))
    for chunk in re.split(r"[\x00-\u024f\s]+|\u7684|\u306e|\u306b|\u306f|\u3092|\u3067", text):
        bare = chunk.strip(EDGE)
        for ending in words_of(language, "behind"):
            bare = bare.removesuffix(ending) if len(bare) > len(ending) + 1 else bare
        if not bare:
            continue
        part = _chunk(bare)
        if part:
            parts.append(part)
        elif bare not in name_words("unspaced_weak"):
            names.append((bare,))
    return tuple(names), tuple(parts)


def _chunk(chunk: str) -> Part | None:
    for pattern, members in fields().values():
        if pattern.fullmatch(chunk):
            return Part(word=chunk, groups=members, field=True)
    called = {name for name, (pattern, _) in groups().items() if pattern.fullmatch(chunk)}
    if not called:
        called = {
            name
            for name, (pattern, _) in groups().items()
            for match in [pattern.match(chunk)]
            if match and len(match.group()) >= 2
        }
    return Part(word=chunk, groups=narrowed(called)) if called else None


def narrowed(names: Collection[str]) -> frozenset[str]:
    """Without the group of a kind that is named: "dog" is no name of all pets."""
    return frozenset(names) - {name.partition(".")[0] for name in names if "." in name}
