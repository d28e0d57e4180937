"""Whether a row tells of who says it, speaks to somebody, or asks. Pure."""

import re
from collections.abc import Mapping

from precis.language.grammar import FIRST, OWN, SECOND, THEIR, THIRD
from precis.language.sentences import sentences
from precis.language.words import STOP_WORDS, WORDED, index_terms, kept_where_short
from precis.recall.question import as_asked

_WORD = re.compile(WORDED)
_OF_ONESELF, _OF_ANOTHER = FIRST | OWN, THIRD | THEIR
_ASKS = ("?", "\uff1f", "\u061f")
#: Of the words of a sentence in English at least so many are small ones.
_ENGLISH = 0.25


def of_themselves(text: str, looked_for: frozenset[str], forms: Mapping[str, str]) -> set[str]:
    """Which of these terms are in its sentences that tell of who says it: in the first person, or left open.

    Those have few of the small words of English: "Finished quilting!", and sentences of other languages.
    """
    terms: set[str] = set()
    for sentence in sentences(text) or [text]:
        hits = looked_for.intersection(as_asked(index_terms(sentence), forms))
        if hits <= terms or sentence.rstrip().endswith(_ASKS):
            continue
        words = _words(sentence)
        is_open = sum(map(STOP_WORDS.__contains__, words)) < _ENGLISH * len(words)
        if is_open or not _OF_ONESELF.isdisjoint(words):
            terms |= hits
    return terms


def _words(text: str) -> list[str]:
    """Its words in small letters; of some scripts, small letters are other words."""
    return _WORD.findall(text.lower()) if text.isascii() else [word.lower() for word in _WORD.findall(text)]


@kept_where_short
def traits(text: str) -> tuple[bool, bool, bool, bool]:
    """Whether a row speaks of its speaker, speaks to somebody, takes up somebody by a pronoun, and asks."""
    words = _words(text)
    first, second, third = (not persons.isdisjoint(words) for persons in (FIRST, SECOND, _OF_ANOTHER))
    return first, second, third, text.rstrip().endswith(_ASKS)
