"""Where the user speaks of themselves, or of what is theirs: by a word beside it, a verb or an ending."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache

from precis.finding.reading import Word
from precis.finding.tables import ground_languages, ground_words
from precis.finding.values import Span


@cache
def own_words(language: str, sort: str) -> frozenset[str]:
    """How the user speaks of themselves ("speaks") or of what is theirs (the other sorts), folded."""
    return frozenset(ground_words(language, sort)) if language in ground_languages() else frozenset()


def speaking(words: Sequence[Word], language: str, asked: Collection[Span]) -> int | None:
    """The number of the word by which a sentence tells of the user what was asked for; None where none does.

    A word for what is theirs stands right beside that: "min søsters løn" is not theirs.
    """
    speaks, theirs = own_words(language, "speaks"), own_words(language, "mine") | own_words(language, "mine_behind")
    places = [at for at, word in enumerate(words) if any(start <= word.start < end for start, end in asked)]
    for at, word in enumerate(words):
        if word.low in speaks and (at == 0 or word.low not in theirs):
            return at
    return next((at for at in places if is_mine(words, at, language) or _ends_mine(words[at], language)), None)


def is_mine(words: Sequence[Word], at: int, language: str) -> bool:
    """Whether a word for what is the user's stands right beside another word, on its side of it."""
    before, behind = own_words(language, "mine"), own_words(language, "mine_behind")
    return (at > 0 and words[at - 1].low in before) or (at + 1 < len(words) and words[at + 1].low in behind)


def calls_mine(words: Sequence[Word], language: str) -> int | None:
    """The number of the word of a request by which, or by the ending of which, something is called the user's."""
    mine = own_words(language, "mine") | own_words(language, "mine_behind")
    return next(
        (at for at, word in enumerate(words) if word.low in mine or (at > 0 and _ends_mine(word, language))), None
    )


def _ends_mine(word: Word, language: str) -> bool:
    endings = tuple(own_words(language, "ends_mine"))
    return bool(endings) and word.low.endswith(endings)
