"""What fits one subject of a request, in doubt where it may tell of something else after all."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from precis.finding.about.denials import denials
from precis.finding.doubts.bearers import is_called_after, is_firm, says_role
from precis.finding.doubts.care import of_an_animal, only_at_work, only_colleagues
from precis.finding.doubts.clauses import is_of_one_named, takes_up_clause
from precis.finding.doubts.compounds import is_of_several, only_modifies
from precis.finding.doubts.for_others import is_for_another, is_told_of_another
from precis.finding.doubts.lacking import lacks_part
from precis.finding.doubts.senses import is_figure, is_named_for, is_otherwise_written, is_phrasal, is_supposed
from precis.finding.doubts.topics_unspaced import told_of_topic
from precis.finding.doubts.whose import of_another_owner
from precis.finding.parts import Subject
from precis.finding.reading import folded, places_of, read_words
from precis.finding.tables import name_words
from precis.finding.values import Level, Match, Row, Span
from precis.finding.written.cases import LIKE_NAME
from precis.finding.written.clauses import clauses_of

# Whether a memory says of the very thing that it is not so, or a request does: "Denise is not a nurse".
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


_Doubt = Callable[[Subject, str, Sequence[Span]], bool]


def _firm_of(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether somebody is asked for, and the name is that of a firm there."""
    names = {name[0] for name in subject.names}
    placed = [span for span in spans if any(word.low in names for word in read_words(text[slice(*span)]))]
    return says_role(subject) and is_firm(text, placed)


_DOUBTS: tuple[tuple[_Doubt, str], ...] = (
    (only_at_work, "it may only tell of a work or a study"),
    (of_an_animal, "it may tell that of an animal"),
    (only_colleagues, "it tells of somebody there"),
    (says_contrary, "one of the two says that it is not so"),
    (_firm_of, "there it may be a firm"),
    (is_called_after, "it may be a thing that is called so"),
    (lacks_part, "it has only a part of what was asked for"),
    (only_modifies, "it only says of what kind another thing is"),
    (of_another_owner, "it is called somebody else's"),
    (is_of_several, "it is called somebody else's"),
    (is_for_another, "it is for somebody else"),
    (is_told_of_another, "it is told of somebody else"),
    (is_of_one_named, "it may tell that of somebody who is named there"),
    (takes_up_clause, "it may tell that of something else"),
    (told_of_topic, "somebody else may do that"),
    (is_supposed, "it may be a joke, or only supposed"),
    (is_named_for, "it only says of what kind another thing is"),
    (is_phrasal, "it has the words, perhaps in another sense"),
    (is_figure, "it only says of what kind another thing is"),
    (is_otherwise_written, "it has the words, perhaps in another sense"),
)
#: Why a row is in doubt, whatever another reading of the request makes of it.
DOUBTS = frozenset(why for _, why in _DOUBTS) | {LIKE_NAME}


def with_doubts(subject: Subject, row: Row, match: Match) -> Match:
    """The match of one subject, in doubt where any of these reasons holds."""
    if match.level is not Level.SURE:
        return match
    doubt = next((why for holds, why in _DOUBTS if holds(subject, row.text, match.spans)), "")
    return replace(match, level=Level.DOUBTFUL, why=doubt) if doubt else match
