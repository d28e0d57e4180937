"""Whether a memory says of the very thing that it is not so, or a request does: "Denise is not a nurse"."""

from collections.abc import Sequence

from precis.finding.about.denials import denials
from precis.finding.parts import Subject
from precis.finding.reading import folded, places_of, read_words
from precis.finding.tables import name_words
from precis.finding.values import Span
from precis.finding.written.clauses import clauses_of

#: Between a denial and what is denied: "does not have any", "was never diagnosed with".
_WITHIN = frozenset(
    """have has had having any a an the be been is are own owns get gets got suffer suffers suffered from diagnosed
    with of keep keeps use uses take takes eat eats drink drinks like likes longer anymore actually really my his her
    their user's currently need needs want wants""".split()
)


def says_contrary(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether one of the two denies what the other tells, in the very words; English only."""
    if subject.foreign or not subject.parts or not spans or subject.old or subject.current:
        return False
    low = folded(text)
    if not all(places_of(part.word, low) for part in subject.parts):
        return False
    if subject.states or subject.clause:
        return denials(read_words(subject.text)) != _denies_there(text, spans)
    return all(_is_denied(text, span) for span in spans)


def _denies_there(text: str, spans: Sequence[Span]) -> bool:
    """Whether the clauses that have one of the places deny."""
    pieces = [(s, e) for s, e in clauses_of(text) if any(first < e and last > s for first, last in spans)]
    inside = [word for word in read_words(text) if any(s <= word.start < e for s, e in pieces)]
    return denials(inside)


def _is_denied(text: str, span: Span) -> bool:
    """Whether a denial stands before it, and nothing between that would be denied in its place."""
    before = [word for word in read_words(text) if word.end <= span[0]]
    while before and before[-1].low in _WITHIN and not denials(before[-1:]):
        if before[-1].opens:
            return False
        before.pop()
    return bool(before) and denials(before[-1:]) and before[-1].low not in name_words("copulas")
