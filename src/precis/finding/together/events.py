"""What lies before or after something that happened to the user: "what I told you before I moved"."""

import re
from collections.abc import Callable, Sequence
from datetime import datetime

from precis.finding.parts import Subject
from precis.finding.reading import folded
from precis.finding.values import Level, Match, Row, Span

Bound = Callable[[Row], Match]
#: Behind these words it is only spoken of, and was before: "since the divorce".
_SINCE = re.compile(
    r"\b(?:since|after|following|seit|nach|nachdem|depuis|apr\u00e8s|desde|despu\u00e9s de|tras|dopo|ap\u00f3s"
    r"|depois d[aeo]|sinds|na|sedan|efter|od|po|\u043f\u043e\u0441\u043b\u0435|\u0441)\s+(?:[\w'\u2019]+\s+){0,2}$",
    re.IGNORECASE,
)
#: Words that begin alike in so many letters may tell of the same: "divorce", "divorced".
_BEGINS = 5


def by_event(rows: Sequence[Row], event: Subject, about: Callable[[Row], Match], *, before: bool) -> Bound:
    """Whether a row lies before, or after, what some rows tell; in doubt between the first and the last of them.

    It is dated by when those rows say that it was, else by when they were written. What tells of it is near itself, and
    everything is where no row tells of it. Where all of them only say what is so since then, it was earlier, and nobody
    knows when: what was written before the first of them is in doubt.
    """
    matches = {row.id: about(row) for row in rows}
    telling = {row.id: row for row in rows if matches[row.id].level is Level.SURE}
    if not telling:
        return lambda _: Match(level=Level.NEAR, why="when that was is not known")
    moments = [row.event_date or row.created_at for row in telling.values()]
    first, last = min(moments), max(moments)
    vague = all(_is_since(row.text, matches[row.id].spans) for row in telling.values())
    heads = tuple(part.word[:_BEGINS] for part in event.parts if len(part.word) >= _BEGINS)

    def bound(row: Row) -> Match:
        if row.id in telling:
            return Match(level=Level.NEAR, why="it tells of that itself")
        match = _between(row.created_at, first, last, before=before)
        if vague and row.created_at < first:
            return Match(level=Level.DOUBTFUL, why="when that was is not known")
        if match.level is Level.SURE and heads and _has(folded(row.text), heads):
            return Match(level=Level.DOUBTFUL, why="it may tell of that itself")
        return match

    return bound


def _is_since(text: str, spans: Sequence[Span]) -> bool:
    """Whether it only says what is so since then, wherever it has the words for it."""
    return bool(spans) and all(_SINCE.search(text[:start]) for start, _ in spans)


def _has(low: str, heads: Sequence[str]) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(head)}", low) for head in heads)


def _between(moment: datetime, first: datetime, last: datetime, *, before: bool) -> Match:
    sure = moment < first if before else moment > last
    outside = moment > last if before else moment < first
    if sure:
        return Match(level=Level.SURE, why="it was written before that" if before else "it was written after that")
    if outside:
        return Match(level=Level.NO, why="it was written after that" if before else "it was written before that")
    return Match(level=Level.DOUBTFUL, why="it was written about then")
