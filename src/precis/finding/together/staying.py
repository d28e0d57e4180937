"""What a request leaves alone stays, and so does what may be that: it is near, and not in doubt.

Whoever confirms all that is in doubt would else forget just what the request keeps.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from precis.finding.about.kept import spared
from precis.finding.about.tellings import TOLD
from precis.finding.asked.asking import Request
from precis.finding.together.two_people import has_more, without_kept
from precis.finding.values import MAY_STAY, STAYS, Level, Match, Row


def leave_kept(
    request: Request,
    rows: Sequence[Row],
    matches: dict[str, Match],
    about: Callable[[int, Row], Match],
    own_names: Collection[str],
) -> frozenset[str]:
    """What was to be left alone stays, and so does what may be that. The ids of all that may be that.

    Where everything was asked for but something that no row tells of, everything is in doubt: it may be told in other
    words. ``about`` says how well a row fits the one of the subjects that are kept which has this number.
    """
    numbers = range(len(request.keeps))
    kept = {row.id: max((about(at, row) for at in numbers), key=lambda match: match.level) for row in rows}
    plain = all(subject.known for subject in request.keeps)
    known = (bool(request.subjects) and plain) or any(match.level >= Level.DOUBTFUL for match in kept.values())
    asked = {low for subject in request.subjects for name in subject.names for low in name}
    asked |= {part.word for subject in request.subjects for part in subject.parts}
    near = spared(request.keeps, rows, kept, frozenset(own_names) | asked)
    for row in rows:
        if matches[row.id].level >= Level.DOUBTFUL:
            matches[row.id] = _left(row, matches[row.id], kept[row.id], spared=row.id in near, known=known)
    staying = [row.id for row in rows if matches[row.id].why == MAY_STAY]
    if not request.subjects and len(staying) > 1 and all(it.why == MAY_STAY for it in matches.values() if it.level):
        # Of everything there is all may be what is to stay: what that is was not understood.
        matches |= {id_: replace(matches[id_], level=Level.DOUBTFUL) for id_ in staying}
    return near.union(id_ for id_, match in kept.items() if match.level >= Level.DOUBTFUL)


def _left(row: Row, match: Match, kept: Match, *, spared: bool, known: bool) -> Match:
    """The match of a row that is meant or may be, where it tells of what is kept, or may."""
    if kept.level is Level.SURE:
        return without_kept(row, match, kept) or Match(level=Level.NEAR, why=STAYS)
    if spared and has_more(kept, match):
        rest = without_kept(row, match, kept)
        return replace(rest, level=Level.DOUBTFUL, why=MAY_STAY) if rest else Match(level=Level.NEAR, why=MAY_STAY)
    if spared:
        # Nothing of it but words of what is asked for says that it is to stay.
        return Match(level=Level.DOUBTFUL, why=MAY_STAY)
    if match.why.startswith(TOLD):
        return replace(match, level=Level.DOUBTFUL, why="in other words it may tell what is to stay")
    return match if known else replace(match, level=Level.DOUBTFUL, why="nothing tells of what was to be left alone")
