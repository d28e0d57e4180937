"""Which of the rows that were found on one subject is the newest, as far as any of them answers the question. Pure."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from precis.recall.question import Candidate, Floats, Pool, Question, bm25

#: How much more than the best raw row a summary may count that is any number of times as good.
_BEYOND = 0.25


def named_terms(question: Question, counts: Floats) -> list[int]:
    """Which terms of the question are names."""
    return [at for at, term in enumerate(question.terms) if term in question.named and at < counts.shape[1]]


def scaled(values: Floats, raw: NDArray[np.bool_], least: float = 0.0) -> Floats:
    """0..1 of the best raw row, of any row where none is raw, or of ``least`` if that is more.

    A better summary hardly counts more than that.

    Summaries whose originals have gone may all be better than what is left: how much tells which of them answers.
    """
    top = max(values[raw].max(initial=0.0) or values.max(initial=0.0), least)
    if top <= 0:
        return np.zeros_like(values)
    beyond = np.maximum(values, top)
    scaled: Floats = np.clip(values, 0.0, top) / top + _BEYOND * (1 - top / beyond)
    return scaled


def newest_first(
    question: Question, pool: Pool, rows: Sequence[Candidate], words: Floats, counts: Floats, lengths: Floats
) -> dict[str, float]:
    """0 for the oldest to 1 for the newest of the raw rows of one subject, as far as any of them answers the question.

    The newest value of a fact need not hold the question's words: "arrived in Oban" is where somebody lives because an
    older row of its subject says "I live in". A row without company has none, nor has what others say where the
    question names somebody who speaks here. What a tool or a document says is no newer value.
    """
    own = _own(question, pool, rows, counts, lengths)
    named = any(row.spoken for row in rows)
    kin: dict[Hashable, list[tuple[bool, datetime, str]]] = defaultdict(list)
    answering: dict[Hashable, float] = defaultdict(float)
    for row, score, alone in zip(rows, words.tolist(), own.tolist(), strict=True):
        if row.subject is not None and not row.is_summary and (row.spoken if named else score > 0):
            kin[row.subject].append((not row.relayed, row.event_date or row.created_at, row.id))
            answering[row.subject] = max(answering[row.subject], alone)
    return {
        id_: answering[subject] * at / (len(members) - 1)
        for subject, members in kin.items()
        if len(members) > 1
        for at, (_, _, id_) in enumerate(sorted(members))
    }


def _own(question: Question, pool: Pool, rows: Sequence[Candidate], counts: Floats, lengths: Floats) -> Floats:
    """What the words of each row say without its neighbors and without whom the question names, 0..1 of the best."""
    what = counts.copy()
    what[:, named_terms(question, counts)] = 0.0
    raw = np.asarray([not row.is_summary for row in rows])
    return scaled(bm25(what, lengths, np.full(len(rows), pool.mean_length), pool), raw)
