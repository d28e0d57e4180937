"""Whether a word is a name where it stands: "Will called", and not "I will call" or "in May"."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from precis.finding.reading import Word
from precis.finding.tables import name_words
from precis.finding.values import Level
from precis.language.dates import MONTHS, WEEKDAYS
from precis.language.tokens import token
from precis.language.verbs import form_of
from precis.language.words import STOP_WORDS

_BEFORE_MONTHS = frozenset(
    "in last next early late mid every each until since during through throughout by this im en em".split()
)
_TOGETHER = frozenset("and or & und oder et ou y e o и".split())


_NAMED = (Level.SURE, "it has that name")
_WORD = (Level.NEAR, "there it is a word and no name")
_DOUBT = (Level.DOUBTFUL, "it begins the sentence and may be a word and no name")


def as_name(words: Sequence[Word], place: int, size: int, text: str, small: Collection[str]) -> tuple[Level, str]:
    """Whether this word is a name: ``size`` words have capitals together, ``small`` are written small elsewhere."""
    word = words[place]
    ambiguous = word.low in name_words("words") or word.low in small
    if (
        word.capital
        and size == 1
        and place
        and word.low in name_words("places")
        and words[place - 1].low in name_words("where")
    ):
        return Level.DOUBTFUL, "there it may be a place"
    if not ambiguous or (word.capital and size > 1):
        return _NAMED
    if not word.capital:
        return _written_small(words, place, text) if word.text.upper() != word.text else _NAMED
    if len(text) > 3 and text.isupper():
        return Level.DOUBTFUL, "all of it is in capitals, and the name is a word, too"
    if _is_date(words, place):
        return Level.NEAR, "there it is a time"
    return _opening(words, place) if word.opens else _inside(words, place)


def _written_small(words: Sequence[Word], place: int, text: str) -> tuple[Level, str]:
    titled = words[place].owns or (place > 0 and words[place - 1].low in name_words("titles"))
    if text.lower() != text or (not titled and _opening(words, place)[0] is Level.NEAR):
        return _WORD
    return Level.DOUBTFUL, "all of it is in small letters, and the name is a word, too"


def _is_date(words: Sequence[Word], place: int) -> bool:
    word = words[place]
    if word.low not in name_words("times"):
        return False
    before = words[place - 1].low if place else ""
    behind = words[place + 1] if place + 1 < len(words) else None
    if behind is not None and (behind.text[0].isdigit() or calendar(behind.low)):
        return True
    return before in _BEFORE_MONTHS or before[:1].isdigit() or calendar(before)


def _inside(words: Sequence[Word], place: int) -> tuple[Level, str]:
    """A capital inside a sentence; behind an article it may be a noun."""
    before = words[place - 1].low
    if before in name_words("articles") and words[place].gap == " ":
        return Level.DOUBTFUL, "it may be a word and no name there"
    return _NAMED


def _opening(words: Sequence[Word], place: int) -> tuple[Level, str]:
    """At the beginning of a sentence: what follows decides."""
    word = words[place]
    if word.owns:
        return _NAMED
    if place + 1 == len(words) or words[place + 1].opens or "," in words[place + 1].gap:
        return _DOUBT
    behind = words[place + 1]
    if behind.low in _TOGETHER:
        named = (place + 2 < len(words) and words[place + 2].capital) or _verb_follows(words, place + 1)
        return _NAMED if named else _DOUBT
    if behind.low in {"is", "was", "are", "were"}:
        return _described(words, place)
    if finite(behind):
        return _NAMED
    return _WORD if behind.low in STOP_WORDS or word.low in name_words("auxiliaries") else _DOUBT


def _described(words: Sequence[Word], place: int) -> tuple[Level, str]:
    """Of "Rose is my aunt" and "Rose is my favorite color": what makes a person is said, or it stays in doubt."""
    rest = {word.low for word in words[place + 2 : place + 9]}
    return _NAMED if rest & name_words("persons") else _DOUBT


def _verb_follows(words: Sequence[Word], place: int) -> bool:
    return place + 2 < len(words) and finite(words[place + 2])


def finite(word: Word) -> bool:
    """Whether it is a verb in the third person or the past."""
    if word.low in name_words("finite"):
        return True
    form = form_of(token(word.text))
    return form is not None and bool(form.kinds & {"third", "past"})


def calendar(word: str) -> bool:
    """Whether it is the name of a month or a weekday."""
    return word in MONTHS or word in WEEKDAYS
