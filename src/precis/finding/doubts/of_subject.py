"""What fits one subject of a request, in doubt where it may tell of something else after all."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from precis.finding.doubts.bearers import is_called_after, is_firm, says_role
from precis.finding.doubts.care import of_an_animal, only_at_work, only_colleagues
from precis.finding.doubts.clauses import is_of_one_named, takes_up_clause
from precis.finding.doubts.compounds import is_of_several, only_modifies
from precis.finding.doubts.denied import says_contrary
from precis.finding.doubts.for_others import is_for_another, is_told_of_another
from precis.finding.doubts.lacking import lacks_part
from precis.finding.doubts.senses import (
    is_called_so,
    is_figure,
    is_named_for,
    is_otherwise_written,
    is_phrasal,
    is_supposed,
)
from precis.finding.doubts.topics_unspaced import told_of_topic
from precis.finding.doubts.whose import of_another_owner
from precis.finding.parts import Subject
from precis.finding.reading import folded, read_words
from precis.finding.values import Level, Match, Row, Span
from precis.finding.written.cases import LIKE_NAME

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
    (is_called_so, "somebody is only called so there"),
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


def _of_speaker(subject: Subject, row: Row, holds: _Doubt) -> Subject:
    """The subject as it is said by whom it names: "my knee" of Will's, where Will speaks."""
    if holds is not of_another_owner or not (row.speaker and subject.parts) or subject.clause or subject.mine:
        return subject
    if subject.names != (tuple(map(folded, row.speaker.split())),):
        return subject
    return replace(subject, text=f"my {' '.join(part.word for part in subject.parts)}", names=(), mine=True)


def with_doubts(subject: Subject, row: Row, match: Match) -> Match:
    """The match of one subject, in doubt where any of these reasons holds."""
    if match.level is not Level.SURE:
        return match
    doubt = next((why for holds, why in _DOUBTS if holds(_of_speaker(subject, row, holds), row.text, match.spans)), "")
    return replace(match, level=Level.DOUBTFUL, why=doubt) if doubt else match
