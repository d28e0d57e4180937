"""Whether a request asks for what is not the user's: "other people's illnesses", "all numbers except mine"."""

import re
from collections.abc import Sequence

from precis.finding.parts import Subject
from precis.finding.reading import UNSPACED
from precis.finding.tables import languages, patterns
from precis.finding.values import Level, Match


def asks_for_others(what: str) -> bool:
    """Whether it says that what it asks for is everybody's but the user's."""
    return any(
        re.search(rf"(?<!\w)(?:{pattern})(?!\w)", what, re.IGNORECASE)
        for language in languages()
        for pattern in patterns(language, "other_people")
    )


def of_another(owner: Match, *, called: bool) -> Match:
    """Whether it is of somebody else, where ``owner`` says whether it is the user's; ``called`` somebody else's."""
    if owner.level is Level.SURE:
        return Match(level=Level.NEAR, why="it is the user's own")
    if owner.level is Level.NEAR or called:
        return Match(level=Level.SURE, why="it is somebody else's")
    return owner


def without_mine(text: str) -> tuple[str, bool]:
    """The text without "except mine", and whether it had that."""
    for language in languages():
        for pattern in patterns(language, "but_mine"):
            begins = "" if UNSPACED.search(pattern) else r"(?<!\w)"
            match = re.search(f"{begins}(?:{pattern})", text, re.IGNORECASE)
            if match is not None and (match.start() > 0 or match.end() < len(text)):
                return f"{text[: match.start()]} {text[match.end() :]}".strip(), True
    return text, False


def spares_own(subjects: Sequence[Subject], keeps: Sequence[Subject]) -> bool:
    """Whether what is to be left alone is the user's of all that is asked for: "all salaries except my salary"."""
    if len(subjects) != 1 or not keeps or subjects[0].mine or subjects[0].names or not subjects[0].parts:
        return False
    words = {part.word for part in subjects[0].parts}
    roots = frozenset[str]().union(*(part.roots for part in subjects[0].parts))
    return all(_is_own(kept, words, roots) for kept in keeps)


def _is_own(kept: Subject, words: set[str], roots: frozenset[str]) -> bool:
    aside = kept.names or kept.identifiers or kept.quotes or kept.clause or kept.old or kept.current
    same = all(part.word in words or (part.groups and part.roots <= roots) for part in kept.parts)
    return kept.mine and not aside and same
