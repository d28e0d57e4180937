"""Where the user works, lives or stays: "I work at the Port of Hull", of "where I work"."""

import re
from collections.abc import Collection, Sequence

from precis.finding.about.clauses import speaks
from precis.finding.capitals import ADVERBS, calendar
from precis.finding.parts import Subject
from precis.finding.reading import Word, read_words
from precis.finding.values import Span
from precis.language.tokens import token
from precis.language.verbs import form_of

_WHERE = re.compile(r"where (?:i|we) ([a-z]+)$", re.IGNORECASE)
#: Before a place; those of the second list only where it is no work: "works in Java".
_AT, _IN = frozenset("at for".split()), frozenset("in on near with".split())
_ARTICLES = frozenset({"the", "a", "an"})


def tells_where(subject: Subject, text: str, own_names: Collection[str]) -> tuple[Span, ...]:
    """Where a text tells by a name where the user does what a clause asks for; nothing where it does not.

    It opens with the user and that verb, in the time in which it was asked.
    """
    asked = _WHERE.match(subject.text.strip())
    words = read_words(text)
    if asked is None or not speaks(words, own_names) or words[0].owns:
        return ()
    at = 1
    while at < len(words) and words[at].low in ADVERBS | {"now", "currently"}:
        at += 1
    if at + 1 >= len(words) or not _is_same_verb(asked[1].lower(), words[at].low):
        return ()
    work = any("job" in part.roots for part in subject.parts)
    if words[at + 1].low not in (_AT if work else _AT | _IN):
        return ()
    place = _place(words[at + 2 :])
    return ((words[at].start, place.end),) if place is not None else ()


def _place(words: Sequence[Word]) -> Word | None:
    """The last word of the name of a place that begins here."""
    rest = list(words[1:] if words and words[0].low in _ARTICLES else words)
    if not rest or not rest[0].capital or calendar(rest[0].low):
        return None
    last = rest[0]
    for word in rest[1:]:
        if not word.capital or word.gap != " ":
            break
        last = word
    return last


def _is_same_verb(asked: str, told: str) -> bool:
    """Whether both are the same verb, in the present."""
    first, second = form_of(token(asked)), form_of(token(told))
    lemmas = (first.lemma if first else asked, second.lemma if second else told)
    return lemmas[0] == lemmas[1] and told in {asked, f"{asked}s", f"{asked}es"}
