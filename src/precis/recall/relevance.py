"""Relevance: how likely a row is to be evidence for a question, by what the two have in common. Pure.

The score of a row orders an answer and is scaled to its best row, so it cannot say that there is nothing. Relevance
can: it is a chance, 0..1, that means the same in every answer. It is a logistic function of a few figures, fitted to
questions that have evidence, that have none in the scope they are asked of, and that ask one speaker for what another
one said (docs/why/relevance.md has the table, one data set left out at a time).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from precis.language.grammar import FIRST, SECOND
from precis.recall.pool import Candidate, Pool
from precis.recall.question import Question

_Floats = NDArray[np.float64]
_WORD = re.compile(r"\w+")
#: Of a longer question so many of its rarest terms that any row holds are what a row could hold at best.
_MOST_TERMS = 12
#: Rows that hold none of the terms, beside those of the scope: in a small one what every row holds is no filler yet.
_BESIDE = 300.0
#: How much of a neighbor's words counts.
_NEIGHBOR = 0.6
#: Where the embedder cannot read the question, this share of the words held stands in for likeness.
_UNREAD = 0.6
#: Rows, best first, whose relevance is found from each other: the answer to a shorter limit is cut from these.
COMPARED = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """What a row and a question have in common, each 0..1; also how much each counts, in log-odds."""

    #: Share of the question's words, by rarity, that the row and its neighbors hold; the name of who says it counts.
    words: float
    #: The same of the row alone, squared: a row that holds nearly all of them.
    exact: float
    #: The same of the row alone, without the names in the question: what it is about.
    content: float
    #: Likeness in meaning, of the row, and of the better of it and its neighbors.
    likeness: float
    nearby: float
    #: The question names somebody; nobody of that name speaks here, and the row, which somebody says, has no such name.
    unnamed: float
    #: The question names who speaks here, and somebody else says more on it, of themselves, than this row.
    elsewhere: float
    #: The question names who speaks here, and this is somebody else, speaking of themselves; and how well that fits.
    other_self: float
    other_fits: float
    #: It asks and does not tell.
    asks: float
    #: The question names who speaks here, and somebody else says this to them.
    addressed: float


#: Fitted; see docs/why/relevance.md.
WEIGHTS = Evidence(
    words=0.5, exact=0.5, content=1.1, likeness=0.8, nearby=2.1, unnamed=-1.7, elsewhere=-1.5, other_self=-0.8,
    other_fits=-1.0, asks=-0.4, addressed=-1.1,
)  # fmt: skip
INTERCEPT = -3.6
NAMES = tuple(part.name for part in fields(Evidence))


@dataclass(frozen=True, kw_only=True, slots=True)
class Relevance:
    """How likely a row is to be evidence, and why."""

    value: float
    evidence: Evidence

    @property
    def parts(self) -> dict[str, float]:
        """What each figure adds to the log-odds, by name."""
        return {name: getattr(WEIGHTS, name) * getattr(self.evidence, name) for name in NAMES}


@dataclass(frozen=True, kw_only=True, slots=True)
class Spoken:
    """What a row says, and who says it; None where nobody knows, so that it may be anybody's."""

    text: str
    speaker: str | None


def relevances(question: Question, pool: Pool, rows: Mapping[str, Spoken], *, trust: float) -> dict[str, Relevance]:
    """The relevance of each of these rows of the pool, by id: the best of an answer in order, COMPARED of them or more.

    ``trust`` is how much of the question the embedder can read, 0..1.
    """
    evidence = _evidence(question, pool, rows, trust)
    return {
        id_: Relevance(value=_chance(figures), evidence=figures) for id_, figures in zip(rows, evidence, strict=True)
    }


def _chance(evidence: Evidence) -> float:
    odds = INTERCEPT + sum(getattr(WEIGHTS, name) * getattr(evidence, name) for name in NAMES)
    return 1 / (1 + math.exp(-odds))


def _evidence(question: Question, pool: Pool, spoken: Mapping[str, Spoken], trust: float) -> list[Evidence]:
    rarity = _rarity(pool)
    named = np.asarray([term in question.named for term in question.terms][: len(rarity)], dtype=bool)
    anybody = any(row.spoken for row in pool.rows.values())
    rows = [pool.rows[id_] for id_ in spoken]
    known = [row.speaker is not None for row in spoken.values()]
    common = _common(pool, rows, rarity, named, trust, np.asarray(known, dtype=bool))
    traits = [_traits(row.text) for row in spoken.values()]
    # Somebody else than who is named, speaking of themselves. A summary says who did what.
    selves = [
        anybody and is_known and not row.spoken and not row.is_summary and first
        for row, is_known, (first, _, _) in zip(rows, known, traits, strict=True)
    ]
    fits = [0.4 * content + 0.6 * likeness for _, _, content, likeness, _, _ in common]
    best = max((fit for fit, other in list(zip(fits, selves, strict=True))[:COMPARED] if other), default=0.0)
    return [
        Evidence(
            words=words, exact=exact, content=content, likeness=likeness, nearby=nearby,
            unnamed=float(bool(named.any()) and is_known and not row.spoken and not holds_name and not anybody),
            elsewhere=max(0.0, best - fit) if anybody and not other else 0.0,
            other_self=float(other), other_fits=fit * other, asks=float(asks),
            addressed=float(anybody and is_known and not row.spoken and not row.is_summary and you and not first),
        )
        for row, is_known, fit, other, (first, you, asks), (words, exact, content, likeness, nearby, holds_name) in zip(
            rows, known, fits, selves, traits, common, strict=True
        )
    ]  # fmt: skip


def _rarity(pool: Pool) -> _Floats:
    """Of each term of the question: one that no row holds is the rarest."""
    documents, holding = pool.documents + _BESIDE, np.asarray(pool.holding, dtype=np.float64)
    rarity: _Floats = np.log(1 + np.maximum(0.0, documents - holding + 0.5) / (holding + 0.5))
    return rarity


def _common(
    pool: Pool,
    rows: Sequence[Candidate],
    rarity: _Floats,
    named: NDArray[np.bool_],
    trust: float,
    known: NDArray[np.bool_],
) -> list[tuple[float, float, float, float, float, bool]]:
    """Of each row: words, exact, content, likeness, nearby, and whether it holds a name that the question has.

    Where nobody knows who says a row, a name that it does not hold speaks neither for it nor against it.
    """
    beside = [
        [pool.rows[links[row.id]] for links in (pool.before, pool.after) if links.get(row.id) in pool.rows]
        for row in rows
    ]
    own, near = _holds(rows, rarity), np.zeros((len(rows), len(rarity)))
    owners = [at for at, neighbors in enumerate(beside) for _ in neighbors]
    np.add.at(near, owners, _holds([neighbor for neighbors in beside for neighbor in neighbors], rarity))
    holds_name: NDArray[np.bool_] = np.any(own[:, named], axis=1)
    unnamed = np.where(named, 0.0, rarity)
    content = _shares(own, unnamed[None, :], pool)
    spoken = np.asarray([row.spoken for row in rows], dtype=bool)
    own = np.where(named & spoken[:, None], 1.0, own)
    counting = np.where((known | holds_name)[:, None], rarity, unnamed)
    words = _shares(np.minimum(1.0, own + _NEIGHBOR * np.minimum(1.0, near)), counting, pool)
    exact = [share**2 for share in _shares(own, counting, pool)]
    if trust:
        likeness = [max(0.0, row.similarity or 0.0) for row in rows]
        nearby = [
            max([alike, *(neighbor.similarity or 0.0 for neighbor in neighbors)])
            for alike, neighbors in zip(likeness, beside, strict=True)
        ]
    else:
        likeness = nearby = [_UNREAD * share for share in words]
    return list(zip(words, exact, content, likeness, nearby, map(bool, holds_name), strict=True))


def _holds(rows: Sequence[Candidate], rarity: _Floats) -> _Floats:
    """Which terms each row holds, 0 or 1."""
    counts = np.asarray([row.frequencies[: len(rarity)] for row in rows], dtype=np.float64)
    return np.minimum(1.0, counts.reshape(len(rows), len(rarity)))


def _shares(holds: _Floats, rarity: _Floats, pool: Pool) -> list[float]:
    """Of what there is to hold, by row: all terms of a short question, the rarest that any row holds of a long one."""
    most = rarity.sum(axis=1)
    cut = np.count_nonzero(rarity, axis=1) > _MOST_TERMS
    if cut.any():
        holding = np.asarray(pool.holding, dtype=np.float64)
        rarest = np.sort(np.where(holding > 0, rarity, 0.0), axis=1)[:, -_MOST_TERMS:].sum(axis=1)
        most = np.where(cut, rarest, most)
    sums = (rarity * holds).sum(axis=1)
    shares = np.divide(sums, most, out=np.zeros_like(sums), where=most > 0)
    return np.minimum(1.0, shares).tolist()  # type: ignore[no-any-return]


def _traits(text: str) -> tuple[bool, bool, bool]:
    """Whether a row speaks of its speaker, speaks to somebody, and asks."""
    words = {word.lower() for word in _WORD.findall(text)}
    return bool(words & FIRST), bool(words & SECOND), text.rstrip().endswith(("?", "\uff1f", "\u061f"))
