"""A search as the wire asks for it, and its answer."""

from __future__ import annotations

from typing import Annotated, Self

from fastapi import HTTPException
from pydantic import BaseModel, Field

from precis.app.long_term_search import Found, Mode, Wanted
from precis.recall.recency import Recency
from precis.rest.redis.filters import Filters
from precis.rest.redis.shapes import Result

_THRESHOLD = "distance_threshold is only supported for semantic search mode"
_Weight = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]


class Search(Filters):
    """What to look for; without a text, which memories to list."""

    text: str | None = None
    search_mode: Mode = "semantic"
    hybrid_alpha: Annotated[float, Field(ge=0, le=1)] = 0.7
    distance_threshold: Annotated[float, Field(ge=0, le=2)] | None = None
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    offset: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    recency_boost: bool | None = None
    recency_semantic_weight: _Weight | None = None
    recency_recency_weight: _Weight | None = None
    recency_freshness_weight: _Weight | None = None
    recency_novelty_weight: _Weight | None = None
    recency_half_life_last_access_days: _Weight | None = None
    recency_half_life_created_days: _Weight | None = None
    include_summaries: bool = Field(default=False, description="also answer the summaries that precis made")

    def wanted(self, text: str | None = None) -> Wanted:
        """The same as the app understands it. Raises HTTPException."""
        if self.distance_threshold is not None and self.search_mode != "semantic":
            raise HTTPException(status_code=400, detail=_THRESHOLD)
        return Wanted(
            chosen=self.chosen(is_summary=None if self.include_summaries else False),
            text=(self.text if text is None else text) or "",
            mode=self.search_mode,
            alpha=self.hybrid_alpha,
            distance=self.distance_threshold,
            limit=self.limit,
            offset=self.offset,
            recency=None if self.recency_boost is False else self._recency(),
        )

    def _recency(self) -> Recency:
        given = {
            "semantic_weight": self.recency_semantic_weight,
            "recency_weight": self.recency_recency_weight,
            "freshness_weight": self.recency_freshness_weight,
            "novelty_weight": self.recency_novelty_weight,
            "half_life_last_access_days": self.recency_half_life_last_access_days,
            "half_life_created_days": self.recency_half_life_created_days,
        }
        return Recency(**{name: value for name, value in given.items() if value is not None})


class Results(BaseModel):
    """A page of what was found."""

    memories: list[Result]
    total: int = Field(description="how many there are in all")
    next_offset: int | None

    @classmethod
    def of(cls, found: Found) -> Self:
        """The answer for a page."""
        return cls(memories=[Result.found(row) for row in found.rows], total=found.total, next_offset=found.next_offset)
