"""Statements that a context may take: of summaries over the recalled rows, and key insights."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import NamedTuple

from precis.app.parts import Parts, days_in
from precis.app.recall import Recalled
from precis.engine.titles.names import opened
from precis.language.words import content
from precis.memory import Memory, RetentionState, Tier
from precis.recall.assembly import Piece, Section
from precis.recall.question import Question, as_asked
from precis.store.filtering import Filter
from precis.summary import Statement, Summary, speaker_of

#: Weeks and months that insights are taken from, the newest ones; and so many statements that rest on no recalled row.
_PERIODS, _ROWS = 6, 100
#: The share of its summary's score that a statement has if recall found none of its sources, and the statement holds no
#: word of the question.
_ALONE = 0.25
#: A key insight stands before all else, so it is about as relevant as the best row; where recall has none of its
#: sources, it holds this share of the words of the question.
_NEAR_BEST, _MOST_WORDS = 0.5, 0.5
#: The months at the end of a title.
_MONTHS = re.compile(r", [^,]*\b\d{4}$")
_SCOPE = ("user_id", "project_id", "environment")


class Statements:
    """What summaries say of a question, as pieces of a context."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def pieces(
        self, question: Question, results: Sequence[Recalled], filter_: Filter, *, bounded: bool
    ) -> list[Piece]:
        """Those over these rows. Insights stand for themselves, unless the caller set a bound: then not either."""
        insights = await self._insights(question, results, filter_) if results else []
        if bounded:
            relevant = {id_ for result in results for id_ in (result.memory.id, *result.source_ids)}
            insights = [scored for scored in insights if not relevant.isdisjoint(scored.statement.source_ids)]
        statements = [*insights, *await self._statements(question, results, filter_)]
        return await self._pieces(statements, results, filter_)

    async def _statements(self, question: Question, results: Sequence[Recalled], filter_: Filter) -> list[_Scored]:
        """Statements of summaries over the recalled rows, and of summaries that were recalled themselves.

        A statement scores as the best recalled row that it rests on, if its summary is current. Where recall has none
        of its sources, it gets a share of its summary's score by the words of the question that it holds. Its sources
        may have expired, so that nothing else says it: then its summary need not be current.
        """
        scores = {result.memory.id: result.score.total for result in results}
        relevance = {result.memory.id: result.relevance.value for result in results}
        over = await self._parts.store.search.over(
            self._parts.tenant_id, [result.memory.id for result in results if not result.memory.is_summary]
        )
        hits = [result.memory.id for result in results if result.memory.is_summary]
        summaries = await self._parts.store.summaries.get(self._parts.tenant_id, list(dict.fromkeys([*over, *hits])))
        standing = list(summaries.values())
        if filter_.as_of is not None:
            history, tenant_id = self._parts.store.history, self._parts.tenant_id
            standing = list(await history.stood(tenant_id, standing, filter_.as_of, since=True))
        resting, alone = [], []
        for summary in standing:
            for statement in _served(summary, filter_):
                best = [scores[source] for source in statement.source_ids if source in scores]
                if best and not summary.stale:
                    resting.append(_Scored(Section.SUMMARIES, summary, statement, max(best)))
                elif not best and summary.id in scores:
                    share = _ALONE + (1 - _ALONE) * _share(question, statement)
                    score = scores[summary.id] * share
                    alone.append(_Scored(Section.SUMMARIES, summary, statement, score, relevance[summary.id]))
        return [*resting, *sorted(alone, key=lambda scored: -scored.score)[:_ROWS]]

    async def _insights(self, question: Question, results: Sequence[Recalled], filter_: Filter) -> list[_Scored]:
        """Important statements of the newest weeks and months that have to do with the question, the closest first.

        One does that rests on a recalled row that is about as relevant as the best; where recall has none of its
        sources, one that holds most words of the question.
        """
        tenant_id, store = self._parts.tenant_id, self._parts.store
        pages = [
            await store.rollups.list(tenant_id, tier.value, user_id=filter_.user_id, limit=_PERIODS, cursor=None)
            for tier in (Tier.WEEK, Tier.MONTH)
        ]
        ids = [row.summary_id for page in pages for row in page.rows if row.summary_id is not None]
        least = self._parts.settings.rollups_min_importance
        hits = {id_: hit for hit in reversed(results) for id_ in (*hit.memory.parent_id, hit.memory.id)}
        best = max(hit.relevance.value for hit in results)
        scored = []
        for summary in (await store.summaries.get(tenant_id, ids)).values():
            for statement in _served(summary, filter_):
                sources = [hits[id_] for id_ in statement.source_ids if id_ in hits]
                score = max((hit.score.total for hit in sources), default=_share(question, statement))
                relevance = max((hit.relevance.value for hit in sources), default=None)
                is_near = score >= _MOST_WORDS if relevance is None else relevance >= _NEAR_BEST * best
                if statement.importance >= least and is_near:
                    scored.append(_Scored(Section.INSIGHTS, summary, statement, score, relevance))
        return scored

    async def _pieces(self, statements: Sequence[_Scored], results: Sequence[Recalled], filter_: Filter) -> list[Piece]:
        """The statements all of whose sources are in scope, expired or not; each is dated as its newest source.

        A statement without a recalled source is taken only where one of its sources has
        expired or is of a kind that recall does not look at: of all others recall has judged that they do not matter.
        """
        tenant_id, store = self._parts.tenant_id, self._parts.store
        memories = store.memories
        recalled = {result.memory.id: result.memory for result in results}
        others = {result.memory.id for result in results if result.of_another}
        ids = {id_ for scored in statements for id_ in scored.statement.source_ids} - recalled.keys()
        inside = await memories.among(tenant_id, replace(filter_, is_summary=None, turns=True, recalled=None), ids)
        looked_at = await memories.among(tenant_id, filter_, inside)
        beyond = await memories.get(tenant_id, sorted(inside))
        zones = await store.zones.of_memories(tenant_id, list(beyond)) if beyond else {}
        said_at = {hit.memory.id: hit.said_at or hit.memory.created_at for hit in results}
        said_at |= days_in(zones, beyond.values())
        rows = {**recalled, **beyond}

        def belongs(scored: _Scored) -> bool:
            if not rows.keys() >= set(scored.statement.source_ids):
                return False
            if all(_is_replaced(rows[id_], filter_.as_of) for id_ in scored.statement.source_ids):
                return False
            if not recalled.keys().isdisjoint(scored.statement.source_ids):
                return True
            sources = [rows[id_] for id_ in scored.statement.source_ids]
            return any(row.id not in looked_at or row.retention_state is RetentionState.EXPIRED for row in sources)

        return [
            Piece(
                section=scored.section,
                id=scored.summary.id,
                text=scored.statement.text,
                created_at=max(rows[id_].event_date or said_at[id_] for id_ in scored.statement.source_ids),
                source_ids=_flat(scored.statement.source_ids, rows),
                score=scored.score,
                relevance=scored.relevance,
                tier=scored.summary.tier,
                subject=_subject(scored.summary),
                place=scored.place,
                of_another=others.issuperset(scored.statement.source_ids),
                said_on=_one_day([said_at[id_] for id_ in scored.statement.source_ids]),
                source_class=scored.statement.source_class,
            )
            for scored in statements
            if belongs(scored)
        ]


class _Scored(NamedTuple):
    """A statement that a context could have, and where it is from."""

    section: Section
    summary: Summary
    statement: Statement
    score: float
    #: Of its summary, where recall found it; None where it did not.
    relevance: float | None = None

    @property
    def place(self) -> int:
        """Among the statements of its summary, which say first what is so now."""
        return self.summary.statements.index(self.statement)


def _share(question: Question, statement: Statement) -> float:
    """The share of the question's words that a statement holds, in whatever form."""
    held = frozenset(as_asked(content(statement.text), question.forms))
    return len(held.intersection(question.terms)) / max(1, len(question.terms))


def subject_of(title: str, texts: Sequence[str]) -> str:
    """What a summary with this title and these statements is about, without months: each line has its day.

    Who speaks of it stands behind it: "Mara: bars" would be read as what she says.
    """
    bare = _MONTHS.sub("", title)
    who, _, what = bare.partition(": ")
    speakers = {speaker for text in texts if (speaker := speaker_of(text))}
    return f"{opened(what, texts)} ({who})" if what and any(name in who for name in speakers) else bare


def _subject(summary: Summary) -> str | None:
    texts = [statement.text for statement in summary.statements]
    return subject_of(summary.title, texts) if summary.title else summary.extracted_key


def _flat(ids: Sequence[str], rows: Mapping[str, Memory]) -> tuple[str, ...]:
    """The memories with the messages that facts among them rest on."""
    return tuple(dict.fromkeys([*ids, *(parent for id_ in ids for parent in rows[id_].parent_id)]))


def _one_day(moments: Sequence[datetime]) -> date | None:
    """The day on which all of them are, if it is one."""
    days = {moment.date() for moment in moments}
    return days.pop() if len(days) == 1 else None


def _served(summary: Summary, filter_: Filter) -> Iterable[Statement]:
    """What a summary says, if it is of the scope asked for: a view may be of many users."""
    inside = all(getattr(filter_, name) in (None, getattr(summary.scope, name)) for name in _SCOPE)
    inside = inside and (filter_.as_of is None or summary.updated_at <= filter_.as_of)
    return [statement for statement in summary.statements if statement.superseded_by is None] if inside else []


def _is_replaced(memory: Memory, as_of: datetime | None) -> bool:
    """Whether a newer memory stood in its place, by now or by then."""
    return memory.superseded_at is not None and (as_of is None or memory.superseded_at <= as_of)
