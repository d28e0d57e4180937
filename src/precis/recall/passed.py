"""Statements that would be read before what is newer, in a context. Pure.

The days of a context go from the newest to the oldest, but its parts and subjects stand in an order of their own: a
statement of a summary may stand above a newer line. Where that line answers as well, what the statement says is quoted
among the memories instead, where the newer one is above it.
"""

from collections.abc import Collection, Sequence

from precis.language.words import content
from precis.recall.pieces import Line, Piece, Section
from precis.recall.question import as_asked, other_forms

#: No statement says before a memory what that gives the newer value of with this likelihood.
_RENEWED = 0.05


def read_too_soon(lines: Sequence[Line], query: str, own: Collection[str]) -> frozenset[int]:
    """The statements among these lines below which a newer line answers as well, as ``id()`` of their pieces.

    It answers as well where its score is no lower, it holds each word of the question that the statement holds, whoever
    says it, or it may give the newer value of what the statement rests on. Of a key insight, which stands above all
    else, half of these words are enough: where there is no room for both it would be all that is read. What holds
    of every answer is never read too soon. ``own`` are stems that are not looked for.
    """
    terms = content(query).difference(own)
    forms = other_forms(query, terms)
    held = [terms.intersection(as_asked(content(f"{line.piece.speaker or ''} {line.text}"), forms)) for line in lines]
    return frozenset(
        id(line.piece)
        for at, line in enumerate(lines)
        if line.piece.section is not Section.MEMORIES
        and not line.piece.is_lasting
        and any(
            below.piece.day > line.piece.day
            and (
                below.piece.score >= line.piece.score
                or (held[at] and held[at] <= held[by])
                or (
                    line.piece.section is Section.INSIGHTS
                    and held[at]
                    and 2 * len(held[at] & held[by]) >= len(held[at])
                )
                or _renews(below.piece, line.piece)
            )
            for by, below in enumerate(lines[at + 1 :], start=at + 1)
        )
    )


def _renews(newer: Piece, statement: Piece) -> bool:
    return any(newer.renews.get(id_, 0.0) >= _RENEWED for id_ in statement.source_ids)
