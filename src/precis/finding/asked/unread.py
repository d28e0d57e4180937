"""What a request says beside a time, and neither its language nor any memory has: all of that time is in doubt."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from precis.finding.about.conditions import Scope, fit
from precis.finding.asked.asking import Request
from precis.finding.kinds import kinds_asked
from precis.finding.parts import Subject
from precis.finding.reading import HANGUL, UNSPACED, is_caseless
from precis.finding.tables import name_words
from precis.finding.values import Level, Match, Row

_UNREAD = "it is of that time, and nothing tells of what else the request says"


def take_unread(
    request: Request,
    rows: Sequence[Row],
    matches: dict[str, Match],
    bounds: Callable[[Row], Iterable[Match]],
    scope: Scope,
) -> tuple[str, ...]:
    """Put in doubt what is of the time that a request names, where no memory has the rest of it; that rest.

    A rest that is known to be a name or a kind of thing was read, and is what no memory tells of.
    """
    if request.period is None or request.language == "en" or not request.subjects or request.keeps or request.by:
        return ()
    if any(_is_known(subject) for subject in request.subjects):
        return ()
    alone = [replace(row, likeness=()) for row in rows]
    if any(fit(subject, row, at, scope).level > Level.NEAR for at, subject in scope.subjects for row in alone):
        return ()
    for row in rows:
        least = min((match.level for match in bounds(row)), default=Level.NO)
        if least >= Level.DOUBTFUL:
            matches[row.id] = Match(level=Level.DOUBTFUL, why=_UNREAD)
    return tuple(subject.text for subject in request.subjects)


def _is_known(subject: Subject) -> bool:
    """Whether what it asks for is known to be somebody, or a kind of thing, and no words that nobody read."""
    if subject.identifiers or subject.quotes or subject.value:
        return True
    names = (low for name in subject.names for low in name)
    unsure = all(_writes_no_capitals(low) and low not in name_words("given") for low in names)
    return not unsure or any(part.groups or part.kinds or kinds_asked(part.word) for part in subject.parts)


def _writes_no_capitals(low: str) -> bool:
    return bool(is_caseless(low) or HANGUL.search(low) or UNSPACED.search(low))
