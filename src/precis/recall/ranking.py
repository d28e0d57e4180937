"""Ranking: a weighted mix of two arms, importance and recency. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Weights:
    """How much each part counts; the parts are 0..1, so the score is at most their sum."""

    keyword: float = 0.55
    vector: float = 0.45
    importance: float = 0.05
    recency: float = 0.03
    #: Days after which recency has halved.
    half_life_days: float = 90.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Figures:
    """What ranking knows of one candidate."""

    id: str
    #: Cosine similarity, -1..1; None without a comparable vector.
    similarity: float | None
    bm25: float
    importance: float
    created_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Score:
    """A candidate's score and the parts it is the sum of."""

    id: str
    total: float
    keyword: float
    vector: float
    importance: float
    recency: float


def rank(candidates: Sequence[Figures], *, now: datetime, weights: Weights | None = None) -> list[Score]:
    """Best first. Each arm is scaled by its best candidate, so that neither drowns the other."""
    weights = weights or Weights()
    top_keyword = max((c.bm25 for c in candidates), default=0.0) or 1.0
    top_vector = max((c.similarity or 0.0 for c in candidates), default=0.0)
    scores = [_score(c, top_keyword, top_vector if top_vector > 0 else 1.0, now, weights) for c in candidates]
    return sorted(scores, key=lambda score: (-score.total, score.id))


def _score(c: Figures, top_keyword: float, top_vector: float, now: datetime, weights: Weights) -> Score:
    age_days = max(0.0, (now - c.created_at).total_seconds() / 86_400)
    keyword = weights.keyword * c.bm25 / top_keyword
    vector = weights.vector * max(0.0, c.similarity or 0.0) / top_vector
    importance = weights.importance * c.importance
    recency = weights.recency * 0.5 ** (age_days / weights.half_life_days)
    total = keyword + vector + importance + recency
    return Score(id=c.id, total=total, keyword=keyword, vector=vector, importance=importance, recency=recency)
