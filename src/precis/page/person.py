"""People: who is remembered and how much; of one everything as one timeline, and a search beside it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from starlette.responses import Response

from precis.app import App
from precis.app.recall import Recalled
from precis.memory import Memory
from precis.page.rendering import TIERS, counted, link
from precis.page.visit import Visit
from precis.recall.ranking import PARTS
from precis.summary import Summary

_USERS = 20
_ENTRIES = 25
#: Messages whose conversations a page names.
_MESSAGES = 200
#: Tokens that an agent may be given, at least, at most, and before anybody drags.
_LEAST, _MOST, _USUAL = 50, 4_000, 600
_RESULTS = 10


async def people(visit: Visit) -> Response:
    """A page of the users of the tenant."""
    users = await visit.app.persons.list(limit=_USERS, cursor=visit.query.get("cursor"))
    counts = await visit.app.jobs.counts()
    return visit.show(
        "people.html", users=users, due=counts.waiting + counts.running + counts.retrying, failed=counts.failed
    )


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
    #: What was read from it: subjects or types of facts, and where they are shown.
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class _Entries:
    """Some of them, and where the next ones begin."""

    rows: Sequence[Entry]
    next_cursor: str | None


Timeline = Callable[[App, str, Mapping[str, str]], Awaitable[_Entries]]


def of_memory(memory: Memory, facts: Sequence[Memory] = ()) -> Entry:
    """A memory as a row; with a message the facts that were read from it."""
    notes = (memory.extracted_type, *(["replaced by a newer one"] if memory.superseded_at else []))
    return Entry(
        kind=memory.memory_type.value, at=memory.created_at, href=link("memory", id=memory.id), text=memory.text,
        title=memory.speaker or memory.extracted_key, notes=notes,
        facts=tuple((fact.extracted_key or fact.extracted_type, link("memory", id=fact.id)) for fact in facts),
    )  # fmt: skip


def of_summary(summary: Summary) -> Entry:
    """A summary as what it is about."""
    days = (summary.starts_on, summary.ends_on) if summary.starts_on and summary.ends_on else None
    return Entry(
        kind=f"{TIERS[summary.tier.value]} summary", at=summary.updated_at, href=link("summary", id=summary.id),
        text=summary.text, title=summary.title or summary.extracted_key, days=days,
        notes=(counted(len(summary.leaf_source_ids), "memory", "memories"), *(["stale"] if summary.stale else [])),
    )  # fmt: skip


def _rows(**conditions: Any) -> Timeline:
    async def timeline(app: App, user_id: str, query: Mapping[str, str]) -> _Entries:
        fields: dict[str, Any] = {**conditions, "user_id": user_id}
        if query.get("session"):
            fields["session_id"] = query["session"]
        page = await app.memories.list(limit=_ENTRIES, cursor=query.get("cursor"), **fields)
        summaries = await app.standing.get_many([memory.id for memory in page.rows if memory.is_summary])
        facts = _facts_of(page.rows)
        folded = {fact.id for of_message in facts.values() for fact in of_message}
        rows = [
            of_summary(summaries[memory.id]) if memory.id in summaries else of_memory(memory, facts.get(memory.id, ()))
            for memory in page.rows
            if memory.id not in folded
        ]
        return _Entries(rows=rows, next_cursor=page.next_cursor)

    return timeline


def _facts_of(rows: Sequence[Memory]) -> Mapping[str, Sequence[Memory]]:
    """The facts among these rows by the message among them that they were read from."""
    ids = {row.id for row in rows}
    facts: dict[str, list[Memory]] = {}
    for row in rows:
        said_in = next((id_ for id_ in row.parent_id if id_ in ids), None)
        if said_in is not None and not row.is_summary:
            facts.setdefault(said_in, []).append(row)
    return facts


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
    """Those of the latest messages; the one at the end of a page goes on on the next, and is not named there again."""
    cursor, _, shown = query.get("cursor", "").partition(" ")
    page = await app.memories.list(limit=_MESSAGES, cursor=cursor or None, user_id=user_id, memory_type="message")
    sessions: dict[str, list[Memory]] = {}
    for message in page.rows:
        if message.session_id:
            sessions.setdefault(message.session_id, []).append(message)
    last = list(sessions)[-1] if sessions and page.next_cursor else ""
    rows = [
        Entry(
            kind="conversation", at=messages[0].created_at, href=link("person", user=user_id, session=name),
            text=messages[-1].text, title=name,
            notes=(
                *([] if name == last else [counted(len(messages), "message")]),
                *dict.fromkeys(message.speaker for message in reversed(messages) if message.speaker),
            ),
        )
        for name, messages in sessions.items()
        if name != shown
    ]  # fmt: skip
    return _Entries(rows=rows, next_cursor=f"{page.next_cursor} {last or shown}" if page.next_cursor else None)


@dataclass(frozen=True, kw_only=True)
class Tab:
    """One of the tabs of a timeline."""

    words: str
    entries: Timeline
    #: Where its entries come from: what to do where there are none.
    hint: str


_NOTES = "of notes: episodic memories whose metadata has kind: note"
_SAID = "; with rollups_messages also of what users say"
#: By their names in the address.
TABS: Mapping[str, Tab] = {
    "all": Tab(words="Everything", entries=_rows(), hint="Memories and summaries stand here, the newest first."),
    "memories": Tab(words="Memories", entries=_rows(is_summary=False), hint="What somebody writes stands here."),
    "subjects": Tab(
        words="Subjects", entries=_subjects,
        hint="Memories near to each other share a subject; with min_cluster_items of them it gets a summary.",
    ),
    "days": Tab(
        words="Days", entries=_summaries("day"),
        hint=f"A day is made {_NOTES}, once they are as old as rollups_retain_days says.",
    ),
    "weeks": Tab(words="Weeks", entries=_summaries("week"), hint=f"A week is made on Sundays, {_NOTES}{_SAID}."),
    "months": Tab(
        words="Months", entries=_summaries("month"), hint=f"A month is made of its weeks on the first, {_NOTES}{_SAID}."
    ),
    "conversations": Tab(
        words="Conversations", entries=_conversations, hint="Messages with one session_id are a conversation."
    ),
    "archive": Tab(
        words="Archive", entries=_summaries("archive"),
        hint="The archive summarizes what is old, where the setting archive_enabled switches it on.",
    ),
}  # fmt: skip


async def person(visit: Visit) -> Response:
    """One user's timeline."""
    user_id, tab = visit.query.get("user", ""), visit.query.get("tab", "all")
    tab = tab if tab in TABS else "all"
    census = await visit.app.persons.get(user_id)
    entries = await TABS[tab].entries(visit.app, user_id, visit.query)
    return visit.show(
        "person.html", user_id=user_id, census=census, tab=tab, tabs=TABS, entries=entries,
        session=visit.query.get("session"),
    )  # fmt: skip


async def search(visit: Visit) -> Response:
    """What recall finds for a question, why, and the context as an agent would read it."""
    user_id, question = visit.query.get("user", ""), visit.query.get("q", "").strip()
    budget = visit.number("budget", _USUAL, _LEAST, _MOST)
    results: Sequence[Recalled] = ()
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
