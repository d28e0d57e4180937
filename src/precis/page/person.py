"""A person: everything of them as one timeline, and a search beside it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from starlette.responses import Response

from precis.app import App
from precis.app.recall import Result
from precis.memory import Memory
from precis.page.rendering import counted, link
from precis.page.visit import Visit
from precis.recall.ranking import PARTS
from precis.summary import Summary

_ENTRIES = 25
#: Tokens that an agent may be given, at least, at most, and before anybody drags.
_LEAST, _MOST, _USUAL = 50, 4_000, 600
_RESULTS = 10


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One thing on a timeline."""

    kind: str
    at: datetime | None
    href: str
    text: str | None
    #: What it is about, in somebody's words.
    title: str | None = None
    #: First and last day, of a day, week or month.
    days: tuple[date, date] | None = None
    #: What else there is to say, in ours.
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class _Entries:
    """Some of them, and where the next ones begin."""

    rows: Sequence[Entry]
    next_cursor: str | None


Timeline = Callable[[App, str, Mapping[str, str]], Awaitable[_Entries]]


def of_memory(memory: Memory) -> Entry:
    """A memory or a summary, as a row."""
    notes = [memory.extracted_type, *(["replaced by a newer one"] if memory.superseded_at else [])]
    speaker = [memory.speaker] if memory.speaker else []
    if memory.is_summary:
        href, kind = link("summary", id=memory.id), f"{memory.tier.value} summary"
    else:
        href, kind = link("memory", id=memory.id), memory.memory_type.value
    return Entry(
        kind=kind, at=memory.created_at, href=href, text=memory.text, title=", ".join(speaker) or memory.extracted_key,
        notes=tuple(notes),
    )  # fmt: skip


def of_summary(summary: Summary) -> Entry:
    """A summary as what it is about."""
    days = (summary.starts_on, summary.ends_on) if summary.starts_on and summary.ends_on else None
    return Entry(
        kind=f"{summary.tier.value} summary", at=summary.updated_at, href=link("summary", id=summary.id),
        text=summary.text, title=summary.title or summary.extracted_key, days=days,
        notes=(counted(len(summary.leaf_source_ids), "memory", "memories"), *(["stale"] if summary.stale else [])),
    )  # fmt: skip


def _rows(**conditions: Any) -> Timeline:
    async def timeline(app: App, user_id: str, query: Mapping[str, str]) -> _Entries:
        fields: dict[str, Any] = {**conditions, "user_id": user_id}
        if query.get("session"):
            fields["session_id"] = query["session"]
        page = await app.memories.list(limit=_ENTRIES, cursor=query.get("cursor"), **fields)
        return _Entries(rows=[of_memory(memory) for memory in page.rows], next_cursor=page.next_cursor)

    return timeline


def _summaries(policy: str) -> Timeline:
    async def timeline(app: App, user_id: str, query: Mapping[str, str]) -> _Entries:
        page = await app.summaries.list(policy=policy, limit=_ENTRIES, cursor=query.get("cursor"), user_id=user_id)
        return _Entries(rows=[of_summary(summary) for summary in page.rows], next_cursor=page.next_cursor)

    return timeline


async def _subjects(app: App, user_id: str, query: Mapping[str, str]) -> _Entries:
    page = await app.clusters.list(user_id=user_id, limit=_ENTRIES, cursor=query.get("cursor"))
    summaries = await app.memories.get_many([row.summary_id for row in page.rows if row.summary_id])
    rows = [
        Entry(
            kind=cluster.extracted_type, at=cluster.last_refresh,
            href=link("summary", id=cluster.summary_id) if cluster.summary_id else "",
            text=summaries[cluster.summary_id].text if cluster.summary_id and cluster.summary_id in summaries else "",
            title=cluster.title or cluster.extracted_key,
            notes=(
                counted(cluster.size, "memory", "memories"), *(["too few for a summary"] if cluster.sparse else []),
                *(["stale"] if cluster.stale else []),
            ),
        )
        for cluster in page.rows
    ]  # fmt: skip
    return _Entries(rows=rows, next_cursor=page.next_cursor)


async def _conversations(app: App, user_id: str, query: Mapping[str, str]) -> _Entries:
    cursor = query.get("cursor", "")
    offset = int(cursor) if cursor.isascii() and cursor.isdecimal() and len(cursor) < 10 else 0
    sessions = await app.conversations.sessions(user_id=user_id, limit=_ENTRIES, offset=offset)
    rows = [
        Entry(kind="conversation", at=None, href=link("person", user=user_id, session=name), text="", title=name)
        for name in sessions.names
    ]
    more = offset + _ENTRIES < sessions.total
    return _Entries(rows=rows, next_cursor=str(offset + _ENTRIES) if more else None)


#: The tabs of a timeline: a name in the address, words, and where its entries are from.
TABS: Mapping[str, tuple[str, Timeline]] = {
    "all": ("Everything", _rows()),
    "memories": ("Memories", _rows(is_summary=False)),
    "subjects": ("Subjects", _subjects),
    "days": ("Days", _summaries("day")),
    "weeks": ("Weeks", _summaries("week")),
    "months": ("Months", _summaries("month")),
    "conversations": ("Conversations", _conversations),
    "archive": ("Archive", _summaries("archive")),
}


async def person(visit: Visit) -> Response:
    """One user's timeline."""
    user_id, tab = visit.query.get("user", ""), visit.query.get("tab", "all")
    tab = tab if tab in TABS else "all"
    held = await visit.app.persons.get(user_id)
    entries = await TABS[tab][1](visit.app, user_id, visit.query)
    return visit.show(
        "person.html", user_id=user_id, held=held, tab=tab, tabs=TABS, entries=entries,
        session=visit.query.get("session"), bounds=(_LEAST, _MOST, _USUAL),
    )  # fmt: skip


async def search(visit: Visit) -> Response:
    """What recall finds for a question, why, and the context as an agent would read it."""
    user_id, question = visit.query.get("user", ""), visit.query.get("q", "").strip()
    budget = visit.number("budget", _USUAL, _LEAST, _MOST)
    results: Sequence[Result] = ()
    assembled = None
    if question:
        assembled, results = await visit.app.context.explain(question, token_budget=budget, user_id=user_id)
    return visit.show(
        "search.html", user_id=user_id, question=question, budget=budget, bounds=(_LEAST, _MOST, budget),
        results=results[:_RESULTS], context=assembled, score_parts=PARTS,
    )  # fmt: skip


async def context(visit: Visit) -> Response:
    """The context alone, as the budget is dragged."""
    user_id, question = visit.query.get("user", ""), visit.query.get("q", "").strip()
    budget = visit.number("budget", _USUAL, _LEAST, _MOST)
    assembled = None
    if question:
        assembled = await visit.app.context.assemble(question, token_budget=budget, user_id=user_id)
    return visit.show("context.html", context=assembled, budget=budget)
