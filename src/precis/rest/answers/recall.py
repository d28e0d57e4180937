"""What was recalled, and a context, as callers are answered."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from pydantic import Field

from precis.memory import Tier
from precis.recall.assembly import Section
from precis.rest.answers import Answer, found_at
from precis.rest.answers.summaries import MemoryBody
from precis.trust import SourceClass


class ScoreParts(Answer):
    """What a score is the sum of; a part is 0 where it does not apply."""

    keyword: float = Field(description="words of the row, and in part those of its neighbors in the session")
    vector: float = Field(description="likeness in meaning, of the row and its neighbors")
    stretch: float = Field(description="words of the question that rows around it in its session hold with it")
    shortness: float = Field(description="a turn of next to no words; 0 or less")
    speaker: float = Field(description="the question names who said it")
    date: float = Field(description="the question names its date")
    summary: float = Field(description="a summary that answers the question rests on it")
    newest: float = Field(description="newest of the rows found on its subject")
    importance: float
    recency: float
    preference: float = Field(description="a raw row of the last days, or a summary of what lies long back")


class RecalledBody(Answer):
    """One row of an answer."""

    memory: MemoryBody
    dated_text: str | None = Field(
        description="the text with the days that its words mean on the day when it was written, in square brackets: "
        "last weekend [11\u201312 March 2023]; null where it names none"
    )
    score: float = found_at("score", "total")
    parts: ScoreParts = Field(validation_alias="score")
    relevance: float = found_at(
        "relevance",
        "value",
        description="chance that it is evidence for the question, 0 to 1, the same in every answer",
    )
    source_ids: tuple[str, ...] = Field(description="for a summary: its source rows")
    sources: list[MemoryBody] | None = Field(
        default=None, validation_alias="expansion", description="those rows, when expand was asked for"
    )
    folded: list[RecalledBody] = Field(description="rows found that are shown under this one, when fold was asked for")


class UnknownBody(Answer):
    """What an answer as of a moment cannot know."""

    as_of: datetime
    expired: int = Field(description="memories of the scope that were known then and whose text has expired since")
    summaries: int = Field(
        description="summaries of the scope that stood then and say something else now, unless what they said is kept"
    )


class RecallAnswer(Answer):
    """The best rows, best first."""

    results: list[RecalledBody]
    unknown: UnknownBody | None = Field(default=None, description="with as_of: what is not among them for that")


_of_piece = partial(found_at, "piece")


class LineBody(Answer):
    """One line of the context and where it is from."""

    number: int = Field(description="what it is cited by in the text")
    section: Section = _of_piece("section")
    tier: Tier = _of_piece("tier")
    id: str = _of_piece("id", description="the memory, or the summary that says it")
    date: datetime = _of_piece("created_at")
    text: str = Field(
        validation_alias="quote", description="its words in the context; what stands in square brackets was added"
    )
    excerpt: bool = Field(description="sentences of the memory that matter less are left out")
    subject: str | None = _of_piece("subject", description="what its summary is about")
    source_ids: tuple[str, ...] = _of_piece("source_ids", description="the memories it rests on")
    source_class: SourceClass = _of_piece("source_class", description="the least trusted of what it rests on")
    score: float = _of_piece("score")


class ContextAnswer(Answer):
    """A context that fits its budget."""

    text: str
    tokens: int
    token_budget: int
    lines: list[LineBody]
    left_out: dict[Section, int] = Field(description="found and not there, by part: no room, or nothing called for it")
    already_said: int = Field(description="lines left out because a line says the same, or speaks for them")
    unknown: UnknownBody | None = Field(default=None, description="with as_of: what is not in it for that")
