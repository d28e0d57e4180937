"""Names in a question that tell rows apart less than they are rare: who speaks here, and whose memory it is. Pure.

People seldom say their own name in a chat. So a turn that calls them has the rarest word of "Where does Wren live?",
and would come before all that Wren says.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from precis.recall.question import Candidate, Floats, Pool, Question

#: The name of who speaks here is in this share of the rows, or in more.
_SHARE = 0.3
#: Where a user's own name stands in fewer of the rows than this, they say "I"; where in more than that, most are so.
_NAMING, _MOSTLY = 0.1, 0.5


def with_speakers(pool: Pool, rows: Sequence[Candidate], counts: Floats) -> tuple[Pool, NDArray[np.bool_]]:
    """The pool as it is where each row holds the name of its speaker, and which rows are by whom the question names.

    ``counts`` (rows x terms) then has the names. A summary names who said what it says.
    """
    by_them = np.asarray([row.spoken for row in rows], dtype=np.bool_)
    names: set[int] = set()
    for at, row in enumerate(rows):
        for name in row.called:
            counts[at, name] = max(1.0, counts[at, name])
            names.add(name)
    if not names:
        return pool, by_them
    summaries = np.asarray([row.is_summary for row in rows], dtype=np.bool_)
    by_them |= summaries & (counts[:, sorted(names)] > 0).any(axis=1)
    least = _SHARE * pool.documents
    holding = tuple(max(least, held) if at in names else held for at, held in enumerate(pool.holding))
    return replace(pool, holding=holding), by_them


def own_names(question: Question, pool: Pool) -> list[int]:
    """Places of the terms that name whose memory it is and tell no rows apart: hardly a row has them, or most do.

    "I drive a Skoda" is Hanne's car; and each note of a layer that writes them so is of "the user".
    """
    return [
        at for at, term in enumerate(question.terms)
        if term in question.own and _is_of_all(pool.holding[at], pool.documents)
    ]  # fmt: skip


def not_looked_for(question: Question, rows: Sequence[Collection[str]]) -> frozenset[str]:
    """The same terms, where the stems of the rows that were found are known."""
    return frozenset(term for term in question.own if _is_of_all(sum(term in stems for stems in rows), len(rows)))


def _is_of_all(holding: float, rows: float) -> bool:
    return not _NAMING * rows <= holding <= _MOSTLY * rows
