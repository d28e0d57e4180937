"""Whether what is asked for is only told by words that may tell anything else: "andiamo in Sardegna", of a trip.

Beside what is asked for by a name, "the trip to Sardinia", or beside an illness, "takes ... for blood pressure", they
can mean nothing else.
"""

from collections.abc import Collection, Sequence

from precis.finding.parts import Part, Subject
from precis.finding.reading import Word, read_words, word_from, words_before
from precis.finding.tables import any_group
from precis.finding.values import Span
from precis.finding.written.told import is_weak

_ILLNESSES = frozenset({"illness"})


def told_weakly(
    subject: Subject, text: str, low: str, hits: Sequence[tuple[Sequence[Span], bool]], tongues: Collection[str]
) -> bool:
    """Whether all that tells one of the words of a subject may tell something else there."""
    return any(
        not exact
        and bool(places)
        and all(is_weak(low[start:end], tongues, part.roots) for start, end in places)
        and not _is_clear(subject, part, text, low, places)
        for part, (places, exact) in zip(subject.parts, hits, strict=True)
    )


def _is_clear(subject: Subject, part: Part, text: str, low: str, places: Sequence[Span]) -> bool:
    if part.roots == {"medicine"}:
        return any_group(_ILLNESSES, plain=low.isascii()).search(low) is not None
    names = {word for name in subject.names for word in name}
    return part.roots == {"travel"} and bool(names) and any(_is_beside(read_words(text), it, names) for it in places)


def _is_beside(words: Sequence[Word], place: Span, names: Collection[str]) -> bool:
    """Whether where somebody goes is named right behind, or right before where a verb stands last: "गोवा जाने"."""
    at, behind = word_from(words, place[0]), words_before(words, place[1])
    beside = (*words[max(0, at - 1) : at], *words[behind : behind + 1])
    return any(word.low in names for word in beside)
