"""What a question within a request asks for: "where Lea lives", "où travaille ma femme", "annemin nerede oturduğu"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from precis.finding.framing import sorts_of
from precis.finding.parts import Part
from precis.finding.reading import Word
from precis.finding.tables import framed_languages, ground_asks, words_of
from precis.finding.wording import FORGETS
from precis.finding.written.speaking import RELATIONS

#: What people ask for of places in English; "what she works on" asks for no job.
_PLACED = frozenset({"home.address", "job"})
#: Groups of those of whom something is asked.
PEOPLE = RELATIONS | {"role", "doctor", "pet"}


def asked_for(parts: Sequence[Part], words: Sequence[Word], language: str, *, clause: bool) -> tuple[Part, ...]:
    """The parts of a subject, with what the verb of a question asks for, and without what only makes it one.

    ``words`` are those of the subject, ``clause`` says that it tells of what the user does.
    """
    asking = {*words_of(language, "asking")}
    lows = [word.low for word in words]
    question = not asking.isdisjoint(lows[:1] if language == "en" else lows)
    if not (question or clause):
        return tuple(parts)
    read = tuple(_read(parts, lows, language, question=question))
    # Without the words of a question that no table reads, everything about somebody would be meant.
    return read if any(not part.is_of(PEOPLE) for part in read) else tuple(parts)


def _read(parts: Sequence[Part], lows: Sequence[str], language: str, *, question: bool) -> Iterator[Part]:
    empty = {*words_of(language, "asking"), *words_of(language, "light")} if question else set()
    for part in parts:
        group = ground_asks().get(part.word)
        placed = language != "en" or not question or (group in _PLACED) == (lows[0] == "where")
        if group and placed and not part.groups:
            yield replace(part, groups=frozenset({group}))
        elif part.groups or part.word not in empty:
            yield part


# A question that asks for nothing to be forgotten: "What did I say about Tomasz?".
_ASKED = re.compile(r"[?\uff1f\u061f]\s*[\"'\u201d\u00bb)]*\s*$")
#: Words that ask for something to be forgotten, or kept from being known.
_FORGETTING = frozenset({"forgets", "denies", "judges", "stores", "keeps"})


def only_inquires(text: str, language: str) -> bool:
    """Whether a text is a question that has no word by which anything is forgotten, in its language or in English."""
    if _ASKED.search(text) is None or FORGETS.search(text):
        return False
    spoken = {language, "en"} & {*framed_languages()}
    return not any(_FORGETTING.intersection(sorts_of(text, each)) for each in spoken)
