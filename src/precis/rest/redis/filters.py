"""Searches of the wire and their filters: the words of the original server and those of its client, read alike."""

from dataclasses import fields
from datetime import datetime
from typing import Annotated, Any, Self

from fastapi import HTTPException
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from precis.app.redis.long_term_search import Mode, Recency, Wanted
from precis.ids import zoned
from precis.memory import Moments, Words
from precis.store.filtering import Filter
from precis.typed import Or, Storable, TypedBody, in_utc, not_counted, one_of_them

#: Where ``eq`` alone is the same as a field of Filter, for which there is an index.
_PLAIN = ("user_id", "session_id", "namespace", "memory_type")
_MOST = 1000


_Word = Annotated[Storable, Field(max_length=1000)]
_Words = Annotated[tuple[_Word, ...], Field(max_length=_MOST)]
Moment = Annotated[datetime, BeforeValidator(not_counted), AfterValidator(zoned), AfterValidator(in_utc)]


class _Condition(BaseModel):
    """What it does not know is ignored, but a filter that says nothing is refused: it would widen the answer."""

    model_config = ConfigDict(extra="ignore", frozen=True, json_schema_extra=one_of_them)

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if all(getattr(self, name) is None for name in type(self).model_fields):
            known = ", ".join(field.alias or name for name, field in type(self).model_fields.items())
            raise ValueError(f"this filter names no condition; it may have {known}")
        return self


def _as_condition(value: Any) -> Any:
    """A lone word is ``eq``, a list is ``any``."""
    if isinstance(value, str):
        return {"eq": value}
    return {"any": value} if isinstance(value, list) else value


class TagFilter(_Condition):
    """Conditions on a word, or on a list of words."""

    eq: _Word | None = None
    ne: _Word | None = None
    any: _Words | None = None
    all: _Words | None = None
    startswith: _Word | None = None
    #: The client's words for the same.
    in_: _Words | None = None
    not_eq: _Word | None = None
    not_in: _Words | None = None
    none: _Words | None = None

    @property
    def words(self) -> Words:
        """As every store understands it."""
        sets = [set(words) for words in (_alone(self.eq), self.any, self.in_) if words is not None]
        none = [*(_alone(self.ne) or ()), *(_alone(self.not_eq) or ()), *(self.not_in or ()), *(self.none or ())]
        return Words(
            any=tuple(sorted(set.intersection(*sets))) if sets else None,
            all=self.all or (),
            none=tuple(dict.fromkeys(none)),
            startswith=self.startswith,
        )


class DateFilter(_Condition):
    """Conditions on a time."""

    eq: Moment | None = None
    ne: Moment | None = None
    gt: Moment | None = None
    gte: Moment | None = None
    lt: Moment | None = None
    lte: Moment | None = None
    between: Annotated[tuple[Moment, ...], Field(min_length=2, max_length=2)] | None = None
    not_eq: Moment | None = None

    @property
    def moments(self) -> Moments:
        """As every store understands it."""
        first, last = self.between or (None, None)
        return Moments(
            gt=self.gt,
            gte=_latest(self.gte, self.eq, first),
            lt=self.lt,
            lte=_earliest(self.lte, self.eq, last),
            none=tuple(moment for moment in (self.ne, self.not_eq) if moment is not None),
        )


def _alone(word: str | None) -> tuple[str, ...] | None:
    return None if word is None else (word,)


def _latest(*moments: datetime | None) -> datetime | None:
    return max((moment for moment in moments if moment is not None), default=None)


def _earliest(*moments: datetime | None) -> datetime | None:
    return min((moment for moment in moments if moment is not None), default=None)


_WORD = {"type": "string", "maxLength": 1000, "pattern": r"^[^\x00]*$"}
_Tag = Annotated[
    TagFilter, BeforeValidator(_as_condition), Or(_WORD, {"type": "array", "items": _WORD, "maxItems": _MOST})
]
_When = Annotated[DateFilter, BeforeValidator(_as_condition), Or({"type": "string", "format": "date-time"})]


class Filters(TypedBody):
    """The filters of a search."""

    numbers_as_text = True

    model_config = ConfigDict(extra="ignore", frozen=True)

    session_id: _Tag | None = None
    user_id: _Tag | None = None
    namespace: _Tag | None = None
    topics: _Tag | None = None
    entities: _Tag | None = None
    memory_type: _Tag | None = None
    extraction_strategy: _Tag | None = None
    created_at: _When | None = None
    last_accessed: _When | None = None
    event_date: _When | None = None

    def rows(self, **fields: Any) -> Filter:
        """As every store understands them."""
        words: dict[str, Words] = {}
        times: dict[str, Moments] = {}
        for name in Filters.model_fields:
            condition = getattr(self, name)
            if isinstance(condition, DateFilter):
                times[name] = condition.moments
            elif isinstance(condition, TagFilter):
                words[name] = condition.words
        plain: dict[str, Any] = {name: _only(words[name]) for name in _PLAIN if name in words}
        plain = {name: word for name, word in plain.items() if word is not None}
        rest = {name: condition for name, condition in words.items() if name not in plain}
        return Filter(words=rest, times=times, **plain, **fields)


def _only(words: Words) -> str | None:
    """The one word it may be, where nothing else is asked of it."""
    return words.any[0] if words.any and words == Words(any=words.any[:1]) else None


_Weight = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]
_THRESHOLD = "distance_threshold is only supported for semantic search mode"


class RecordSearch(Filters):
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

    def search(self, text: str | None = None) -> Wanted:
        """The same as the app understands it. Raises HTTPException."""
        if self.distance_threshold is not None and self.search_mode != "semantic":
            raise HTTPException(status_code=400, detail=_THRESHOLD)
        return Wanted(
            filter_=self.rows(is_summary=None if self.include_summaries else False),
            text=(self.text if text is None else text) or "",
            mode=self.search_mode,
            alpha=self.hybrid_alpha,
            distance=self.distance_threshold,
            limit=self.limit,
            offset=self.offset,
            recency=None if self.recency_boost is False else self._recency(),
        )

    def _recency(self) -> Recency:
        weights = {field.name: getattr(self, f"recency_{field.name}") for field in fields(Recency)}
        return Recency(**{name: weight for name, weight in weights.items() if weight is not None})
