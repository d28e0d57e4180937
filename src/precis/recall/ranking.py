"""Ranking: a row with its neighbors against a question, and what each part of its score is. Pure.

A turn of a conversation rarely says what it is about: the turn before does. So a row is scored as a window of itself
and its two neighbors in the session, by words (BM25, Robertson and Zaragoza 2009, the neighbors' words counting in
part) and by vectors. Each arm is scaled by the best raw row: what summaries are found never changes the score of a
raw row.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from precis.language.words import PASSAGE, terms
from precis.recall.newest import named_terms, newest_first, scaled
from precis.recall.persons import USERS
from precis.recall.question import (
    Candidate,
    Floats,
    Pool,
    Question,
    bm25,
    mean_neighbors,
    of_neighbors,
    places,
    share_of_turns,
    shortness,
    stretches,
    whole,
)
from precis.recall.speakers import own_names, with_speakers
from precis.recall.wishes import marks_asked

#: How much of what all words of the question count a row has to have, to have all that ``keyword`` may count.
_WHOLE = 0.9
_ROLE = re.compile(r"\b[Tt]he ((?:[A-Z][\w'-]+ ?)+)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Weights:
    """How much each part counts: a part is between 0 and its weight."""

    #: Words of the row and, in part, of its neighbors.
    keyword: float = 0.35
    #: Likeness in meaning, of the row and its neighbors; times the share of the query that the embedder can read.
    vector: float = 0.25
    #: The share of the question's words, by rarity, that the candidates around it in its session hold with it.
    stretch: float = 0.2
    #: A turn of next to no words, or half of it a note of few words; this one is taken off.
    shortness: float = -0.2
    #: The question names who said it.
    speaker: float = 0.15
    #: The question names somebody, and the row has that name, or is said by whom it is of; half of it among turns.
    named: float = 0.1
    #: The question names its date.
    date: float = 0.15
    #: A summary that answers the question better than any row it rests on, this one among them.
    summary: float = 0.05
    #: It is the newest of the rows found on its subject; much more where the question asks how things are now.
    newest: float = 0.01
    newest_asked: float = 0.45
    importance: float = 0.14
    #: The same where the embedder reads nothing of the question: the rules that guess importance read English as well.
    importance_unread: float = 0.03
    recency: float = 0.015
    #: A raw row of the last days; a summary of what lies long back.
    preference: float = 0.03
    #: How much of the words, and of the likeness, of a neighbor counts for a row.
    neighbor_words: float = 0.6
    neighbor_vectors: float = 0.5
    #: A neighbor of more terms counts as much less: what it says is mostly of other things.
    neighbor_length: float = 40.0
    #: How much of the words of a long row is those of its best passage.
    passage: float = 0.7
    #: Days after which recency has halved.
    half_life_days: float = 90.0
    #: Raw rows are preferred while they are newer than this, summaries once all they rest on is older than that.
    raw_days: int = 7
    summary_days: int = 30


class Score(NamedTuple):
    """A candidate's score: the sum of its parts. An answer has some thirty: they are made in little time."""

    id: str
    keyword: float = 0.0
    vector: float = 0.0
    stretch: float = 0.0
    shortness: float = 0.0
    speaker: float = 0.0
    named: float = 0.0
    date: float = 0.0
    summary: float = 0.0
    newest: float = 0.0
    importance: float = 0.0
    recency: float = 0.0
    preference: float = 0.0
    #: Added once its text is read (``precis.recall.telling``).
    telling: float = 0.0

    @property
    def parts(self) -> dict[str, float]:
        """What it is the sum of, by name."""
        return {name: getattr(self, name) for name in PARTS}

    @property
    def total(self) -> float:
        """All of it."""
        return float(sum(self[1:]))


#: The names of the parts, as ``Weights`` has them.
PARTS = Score._fields[1:]


def rank(
    question: Question,
    pool: Pool,
    *,
    now: datetime,
    trust: float = 1.0,
    weights: Weights | None = None,
    limit: int | None = None,
    besides: Collection[str] = (),
) -> list[Score]:
    """The best ``limit`` (None: all), best first, besides these.

    ``trust`` is how much of the question the embedder can read, 0..1: the rest is left to the words.
    """
    weights = weights or Weights()
    rows = list(pool.rows.values())
    if not rows:
        return []
    parts = _parts(question, pool, rows, now, trust, weights)
    totals = parts.sum(axis=1)
    most = len(rows) if limit is None else min(len(rows), limit + len(besides))
    # Only what may be among the best is put in order.
    least = np.partition(totals, -most)[-most] if most else np.inf
    among = np.flatnonzero(totals >= least).tolist()
    order = sorted((-totals[at], rows[at].created_at, rows[at].id, at) for at in among)
    best = [at for *_, id_, at in order if id_ not in besides][:limit]
    return [Score(rows[at].id, *parts[at].tolist()) for at in best]


def _parts(
    question: Question, pool: Pool, rows: Sequence[Candidate], now: datetime, trust: float, weights: Weights
) -> Floats:
    """The parts of every row's score, in the order of PARTS."""
    # The candidates field by field: what is asked of each of them is read at once.
    columns_of_rows: list[Any] = list(zip(*rows, strict=True))
    fields_: Any = Candidate(*columns_of_rows)
    size = (len(rows), len(pool.holding))
    counts = np.fromiter(chain.from_iterable(fields_.frequencies), np.float64, size[0] * size[1]).reshape(size)
    pool, by_them = with_speakers(pool, rows, counts)
    own = own_names(question, pool)
    counts[:, own] = 0.0
    lengths = np.asarray(fields_.length, dtype=np.float64)
    summaries = np.asarray(fields_.is_summary, dtype=np.bool_)
    turns = share_of_turns(rows)
    words, likeness = _arms(pool, fields_, counts, lengths, weights, _least(question, pool, own))
    newest = newest_first(question, pool, rows, words, counts, lengths) if any(fields_.subject) else {}
    lifted = _lifted(rows, words) if summaries.any() else {}
    ages = _ages(fields_, now)
    important = weights.importance if trust else weights.importance_unread
    columns: dict[str, Any] = {
        "keyword": weights.keyword * words,
        "vector": weights.vector * trust * likeness,
        "stretch": weights.stretch * (stretches(pool, rows, counts, turns=turns) if turns else 0.0 * lengths),
        "shortness": 0.0 + weights.shortness * shortness(rows, lengths, turns=turns),  # never minus zero
        "speaker": weights.speaker * by_them.astype(np.float64),
        "named": weights.named * _names(question, by_them, counts, turns=turns),
        "date": weights.date * _dated(question, rows),
        "summary": weights.summary * _by_id(fields_.id, lifted),
        "newest": (weights.newest_asked if question.present else weights.newest) * _by_id(fields_.id, newest),
        "importance": important * np.asarray(fields_.importance, dtype=np.float64),
        "recency": weights.recency * 0.5 ** (ages / weights.half_life_days),
        "preference": weights.preference * np.where(summaries, ages > weights.summary_days, ages <= weights.raw_days),
        "telling": np.zeros(len(rows)),
    }
    return np.column_stack([columns[name] for name in PARTS]).astype(np.float64)


def _least(question: Question, pool: Pool, own: Sequence[int]) -> float:
    """What the words of a row have to come to, to have all that ``keyword`` may count.

    Where a question asks by a mark ("Which rules was she told?") what has it need not hold a word of the question.
    """
    return 0.0 if marks_asked(question.text) else _WHOLE * whole(pool, own)


def _by_id(ids: Sequence[str], values: Mapping[str, float]) -> Floats:
    """The value of each, 0 for those without one."""
    return np.fromiter(map(values.get, ids, repeat(0.0)), np.float64, len(ids))


def _arms(
    pool: Pool, fields_: Any, counts: Floats, lengths: Floats, weights: Weights, least: float
) -> tuple[Floats, Floats]:
    """Words and likeness of each window, 0..1 of the best raw one; of words at least of ``least``."""
    near = np.asarray([similarity or 0.0 for similarity in fields_.similarity], dtype=np.float64)
    beside, beside_lengths = np.zeros_like(counts), np.zeros_like(lengths)
    means = np.full(len(near), pool.mean_length, dtype=np.float64)
    if pool.before or pool.after:
        at = {id_: place for place, id_ in enumerate(fields_.id)}
        before, after = places(pool.before, at), places(pool.after, at)
        share, brief = weights.neighbor_words, np.minimum(1.0, weights.neighbor_length / np.maximum(1.0, lengths))
        beside = share * of_neighbors(counts * brief[:, None], before, after)
        beside_lengths = share * of_neighbors(lengths * brief, before, after)
        neighbors = of_neighbors(near * brief, before, after)
        # A note has no neighbors: beside turns it counts for those that it might have, which would be as near.
        notes = [session is None and not of for session, of in zip(fields_.session, fields_.is_summary, strict=True)]
        neighbors[notes] = near[notes] * mean_neighbors(before, after)
        near += weights.neighbor_vectors * neighbors
        means[(before >= 0) | (after >= 0)] *= 1 + share * mean_neighbors(before, after)
    words = bm25(counts + beside, lengths + beside_lengths, means, pool)
    # A row without a vector has no likeness, whatever its neighbors say.
    near[[similarity is None for similarity in fields_.similarity]] = 0.0
    raw = ~np.asarray(fields_.is_summary, dtype=np.bool_)
    words = _by_passage(words, pool, fields_.passages, beside, beside_lengths, means, weights.passage)
    return scaled(words, raw, least), scaled(near, raw)


def _by_passage(
    words: Floats,
    pool: Pool,
    passages: Sequence[Sequence[tuple[float, ...]]],
    beside: Floats,
    beside_lengths: Floats,
    means: Floats,
    share: float,
) -> Floats:
    """The scores by words, of a long row in this share those of its best passage with the row's neighbors.

    As a whole a long row holds many words of any question, and its length holds it back for what else it says.
    """
    owners = [at for at, of_row in enumerate(passages) for _ in of_row]
    if not owners:
        return words
    counts = np.asarray([passage for of_row in passages for passage in of_row], dtype=np.float64) + beside[owners]
    best = np.zeros_like(words)
    np.maximum.at(best, owners, bm25(counts, PASSAGE + beside_lengths[owners], means[owners], pool))
    mixed = words.copy()
    mixed[owners] += share * (best[owners] - words[owners])
    return mixed


def _names(question: Question, by_them: NDArray[np.bool_], counts: Floats, *, turns: float) -> Floats:
    """1 for each row that has a name of the question or is said by whom it names; half of it where all are turns.

    A noun may be no name in German, and "the Project Manager" is what somebody does.
    """
    if question.nouns_too or not question.named:
        return np.zeros(len(by_them))
    roles = terms(" ".join(_ROLE.findall(question.text)))
    roles = [*roles, *USERS]
    named = [at for at in named_terms(question, counts) if question.terms[at] not in roles]
    has_it = by_them & bool(named) | (counts[:, named] > 0).any(axis=1)
    return np.where(has_it, 1.0 - 0.5 * turns, 0.0)


def _lifted(rows: Sequence[Candidate], words: Floats) -> dict[str, float]:
    """How much better the best summary over each row answers than any of the rows it rests on.

    It brings together what several of them say. Where one of them says it all, the others come no nearer to it.
    """
    scores = {row.id: score for row, score in zip(rows, words.tolist(), strict=True)}
    lifted: dict[str, float] = {}
    for row in rows:
        if row.is_summary and scores[row.id] > 0:
            beyond = scores[row.id] - max(map(scores.get, row.sources, repeat(0.0)), default=0.0)
            lifted |= {source: max(lifted.get(source, 0.0), beyond) for source in row.sources if beyond > 0}
    return lifted


def _dated(question: Question, rows: Sequence[Candidate]) -> Floats:
    """1 for each row of a day that the question names."""
    if not question.days:
        return np.zeros(len(rows))
    return np.asarray([any(day.fits(row.event_date or row.created_at) for day in question.days) for row in rows], float)


def _ages(fields_: Any, now: datetime) -> Floats:
    """Days since when each says what it says; a summary is as old as its newest source."""
    seconds = [
        (now - (newest or created)).total_seconds()
        for newest, created in zip(fields_.newest_source_at, fields_.created_at, strict=True)
    ]
    return np.maximum(0.0, np.asarray(seconds) / 86_400)
