"""Weeks and months of what users say in conversations, where that is set: over REST, in Python, by night."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import httpx
import pytest
import pytest_asyncio

from precis.app import App
from precis.app.passes import rollups_pass
from precis.app.refreshing import work_run
from precis.bootstrap import Runtime, build_policies, scheduled
from precis.conversation import Remembering
from precis.database.connections import Tx
from precis.jobs.upkeep import run_due
from precis.keys.forgotten_log import ForgottenLog
from precis.keys.keyring import Keyring
from precis.rest.server import listening
from precis.store.changes.conversation_turn import Turns
from precis.store.ledger import PostgresRuns
from precis.store.postgres import postgres_store
from precis.summary import Summary
from precis.testing.clock import FrozenClock

pytestmark = pytest.mark.asyncio(loop_scope="session")
#: A Sunday, and the days of two weeks that begin with it.
SUNDAY = datetime(2026, 2, 15, 12, tzinfo=UTC)
SAYS = (
    ("m1", "user", "I chose the blue tiles for the bathroom in Faro."),
    ("m2", "assistant", "The blue tiles cost 40 euros a box at the harbor shop."),
    ("m3", "user", "The plumber Edite comes on Thursday at nine."),
    ("m4", "tool", "plumber_calendar: booked for nine"),
)


@dataclass(frozen=True, kw_only=True)
class Room:
    """One tenant under a clock that is moved by hand."""

    runtime: Runtime
    tenant: str
    clock: FrozenClock

    @property
    def app(self) -> App:
        """precis for the tenant."""
        return self.runtime.app(self.tenant)

    async def turn(
        self, *messages: tuple[str, str, str], at: datetime | None = None, name: str = "talk", **where: Any
    ) -> None:
        """A turn of rui's; where ``at`` is given, it was said then."""
        said = [{"id": id_, "role": role, "content": text, "created_at": at} for id_, role, text in messages]
        await self.app.conversations.turn(name, said, user_id="rui", **where)

    async def until(self, when: datetime) -> None:
        """Sleep until then, and do what is due."""
        self.clock.now = when
        engine = self.runtime.engine
        while True:
            passes = await run_due(self.runtime, self.tenant)
            until = engine.clock() + timedelta(seconds=1)
            if not await work_run(engine, self.runtime.runs, self.tenant, until=until) and not passes:
                return

    async def night(self, day: date) -> None:
        """The run at five and the pass half an hour later."""
        await self.until(datetime(day.year, day.month, day.day, 5, tzinfo=UTC))
        await self.until(datetime(day.year, day.month, day.day, 5, 30, tzinfo=UTC))

    async def summaries(self, policy: str) -> list[Summary]:
        """Those of a policy, oldest first."""
        rows = (await self.app.summaries.list(policy=policy, limit=1000)).rows
        return sorted(rows, key=lambda row: row.starts_on or date.min)

    async def week(self) -> Summary:
        """The only week."""
        (week,) = await self.summaries("week")
        return week

    async def periods(self) -> Mapping[str, int]:
        """How many members the groups of each policy of the calendar have."""
        async with self.runtime.database.tenant(self.tenant) as connection:
            asked = await connection.execute(
                "SELECT g.policy, count(b.memory_id) AS members FROM groups g LEFT JOIN members b"
                " ON b.tenant_id = g.tenant_id AND b.group_id = g.group_id"
                " WHERE g.tenant_id = %s AND g.policy IN ('day', 'week', 'month') GROUP BY g.policy",
                [self.tenant],
            )
            return {row["policy"]: row["members"] for row in await asked.fetchall()}


def opened(runtime: Runtime, tenant: str, **settings: Any) -> Room:
    """The tenant under these settings, on the Sunday."""
    chosen, clock = runtime.settings.model_copy(update=settings), FrozenClock(SUNDAY)
    policies = build_policies(chosen)
    store = postgres_store(
        runtime.database, Keyring(chosen.keys_folder), policies, ForgottenLog(chosen.forgotten_folder)
    )
    engine = replace(runtime.engine, clock=clock, policies=dict(policies), groups=store.groups)
    runs = PostgresRuns(runtime.database, runtime.runs._guards, scheduled(policies))
    own = replace(runtime, settings=chosen, engine=engine, store=store, runs=runs, passes=(rollups_pass(),))
    return Room(runtime=own, tenant=tenant, clock=clock)


@pytest.fixture
def room(runtime: Runtime, tenant: str) -> Room:
    """With messages in weeks and months."""
    return opened(runtime, tenant, rollups_messages=True)


@pytest_asyncio.fixture(loop_scope="session")
async def rest(room: Room, key: str) -> AsyncIterator[httpx.AsyncClient]:
    """A server of the same settings."""
    headers = {"Authorization": f"Bearer {key}"}
    async with listening(room.runtime) as url, httpx.AsyncClient(base_url=url, headers=headers, timeout=60) as client:
        yield client


async def test_a_week_has_what_the_user_said(room: Room) -> None:
    """The next Sunday, by itself: neither what the assistant said nor what a tool did; and no day."""
    await room.turn(*SAYS)
    assert await room.periods() == {"week": 2, "month": 2}
    await room.night(date(2026, 2, 22))
    week = await room.week()
    assert "blue tiles" in week.text
    assert "Edite" in week.text
    assert "40 euros" not in week.text
    assert "booked" not in week.text
    assert len(week.leaf_source_ids) == 2
    assert await room.summaries("day") == []


async def test_a_month_reads_its_weeks(room: Room) -> None:
    """Weeks before months, as with notes; the last days of the month one by one."""
    await room.turn(*SAYS)
    await room.until(datetime(2026, 2, 24, 9, tzinfo=UTC))
    await room.turn(("m5", "user", "I sold the old boiler to Simao."))
    for day in range(5):
        await room.night(date(2026, 2, 25) + timedelta(days=day))
    (month,) = await room.summaries("month")
    assert {week.id for week in await room.summaries("week")} == set(month.parent_id)
    assert len(month.leaf_source_ids) == 3


async def test_nothing_changes_where_it_is_off(runtime: Runtime, tenant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No group of the calendar, and no statement more than a turn ran before there were any."""
    statements: list[str] = []
    run, many, together, every = Tx.run, Tx.many, Tx.together, Tx.all

    async def noting_run(tx: Tx, name: str, /, **parameters: Any) -> int:
        statements.append(name)
        return await run(tx, name, **parameters)

    async def noting_many(tx: Tx, name: str, rows: Any) -> None:
        statements.append(name)
        await many(tx, name, rows)

    async def noting_together(tx: Tx, *calls: Any) -> Any:
        statements.extend(name for name, *_ in calls)
        return await together(tx, *calls)

    async def noting_all(tx: Tx, name: str, /, **parameters: Any) -> Any:
        statements.append(name)
        return await every(tx, name, **parameters)

    for name, noting in (
        ("run", noting_run), ("many", noting_many), ("together", noting_together), ("all", noting_all)
    ):  # fmt: skip
        monkeypatch.setattr(Tx, name, noting)
    room = opened(runtime, tenant)
    await room.turn(*SAYS)
    placing = {"share_placing", "read_placing", "insert_place", "hold_groups", "join_places", "unread_messages"}
    assert "insert_message" in statements
    assert placing.isdisjoint(statements)
    await room.night(date(2026, 2, 22))
    assert "unread_messages" not in statements
    assert await room.periods() == {}
    set_otherwise = opened(runtime, tenant, rollups_messages=True)
    await set_otherwise.turn(("n1", "user", "The stairs get an oak rail."))
    assert placing - {"unread_messages"} <= set(statements)


async def test_a_period_can_be_asked_for(room: Room, rest: httpx.AsyncClient) -> None:
    """Over REST, at once: with what came in under dates of the past; counted as notes are."""
    said = [
        {"id": id_, "role": role, "content": text, "created_at": "2025-06-11T09:00:00Z"} for id_, role, text in SAYS
    ]
    answer = await rest.post("/v1/conversations/old/turns", json={"user_id": "rui", "messages": said})
    assert answer.status_code == 201, answer.text
    for period in ("weekly", "monthly"):
        wished = {"userId": "rui", "period": period, "day": "2025-06-11"}
        made = (await rest.post("/memory/summarize", json=wished)).json()
        assert (made["status"], made["notesConsolidated"]) == ("complete", 2)
        (row,) = (await rest.get("/memory/summaries", params={"userId": "rui", "period": period})).json()
        assert row["notesConsolidated"] == 2
    daily = (await rest.post("/memory/summarize", json={"userId": "rui", "period": "daily"})).json()
    assert daily["status"] == "empty"


async def test_a_quiet_week_is_read_as_notes_are(room: Room) -> None:
    """Nobody is called "user" where only a user speaks, and a week of little is not empty; who has a name keeps it."""
    await room.turn(("q1", "user", "The bakery closes in May."), ("q2", "user", "ok thanks"))
    named = {"id": "q3", "role": "user", "name": "Ines", "content": "I sold the old boiler in Lagos for 300 euros."}
    await room.app.conversations.turn("shop", [named], user_id="rui", namespace="shop")
    await room.app.rollups.summarize("rui", "weekly", day=date(2026, 2, 15))
    texts = {summary.text for summary in await room.summaries("week")}
    assert texts == {"The bakery closes in May (2026).", "Ines: I sold the old boiler in Lagos for 300 euros."}


async def test_what_came_late_is_told_in_the_next_night(room: Room) -> None:
    """An import of last year, without being asked."""
    await room.turn(*SAYS, at=datetime(2025, 6, 11, 9, tzinfo=UTC))
    await room.night(date(2026, 2, 16))
    week = await room.week()
    assert week.starts_on == date(2025, 6, 8)
    (month,) = await room.summaries("month")
    assert month.parent_id == (week.id,)


async def test_sent_again_costs_nothing(room: Room) -> None:
    """The week that was made stays current."""
    await room.turn(*SAYS)
    await room.night(date(2026, 2, 22))
    before = await room.week()
    await room.turn(*SAYS)
    made = await room.app.rollups.summarize("rui", "weekly", day=date(2026, 2, 15))
    assert (made.status, made.summary_id) == ("unchanged", before.id)
    assert await room.periods() == {"week": 2, "month": 2}


async def test_forgetting_takes_it_out_at_once(room: Room, rest: httpx.AsyncClient) -> None:
    """In words and over REST: week and month do not say it any more, before anything is made anew."""
    await room.turn(*SAYS)
    for period in ("weekly", "monthly"):
        await room.app.rollups.summarize("rui", period, day=date(2026, 2, 15))
    assert "Edite" in (await room.week()).text
    preview = (await rest.post("/v1/forget", json={"user_id": "rui", "what": "everything about Edite"})).json()
    assert len(preview["forget"]) == 1
    receipt = (await rest.post("/v1/forget", json={"preview_id": preview["preview_id"]})).json()
    assert len(receipt["forgotten"]) == 1
    for policy in ("week", "month"):
        (summary,) = await room.summaries(policy)
        assert "Edite" not in summary.text
        assert "blue tiles" in summary.text
    assert await room.periods() == {"week": 1, "month": 1}


async def test_an_edit_reaches_the_week(room: Room) -> None:
    """What it says now is told, and what it said is not."""
    await room.turn(*SAYS)
    await room.app.rollups.summarize("rui", "weekly", day=date(2026, 2, 15))
    rows = (await room.app.memories.list(user_id="rui", is_summary=False)).rows
    (memory,) = [row for row in rows if row.text == SAYS[0][2]]
    await room.app.memories.edit(memory.id, {"text": "I chose the green tiles for the bathroom in Faro."})
    await room.app.rollups.summarize("rui", "weekly", day=date(2026, 2, 15))
    assert "green tiles" in (await room.week()).text
    assert "blue tiles" not in (await room.week()).text


async def test_nothing_is_left_of_a_conversation_or_a_user(room: Room) -> None:
    """Weeks and months go with their last member; another conversation keeps its part."""
    await room.turn(*SAYS)
    await room.turn(("x1", "user", "The attic gets a window to the north."), name="other")
    for period in ("weekly", "monthly"):
        await room.app.rollups.summarize("rui", period, day=date(2026, 2, 15))
    await room.app.conversations.forget("talk", user_id="rui")
    assert await room.periods() == {"week": 1, "month": 1}
    week = await room.week()
    assert "attic" in week.text
    assert "tiles" not in week.text
    await room.app.memories.forget_user("rui")
    assert await room.periods() == {}
    assert await room.summaries("week") == await room.summaries("month") == []


async def test_a_turn_is_written_with_its_membership_or_not_at_all(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """One transaction: where its last step fails, no week is there."""

    async def fail(*_: Any) -> int:
        raise RuntimeError("the machine went")

    with monkeypatch.context() as patch:
        patch.setattr(Turns, "_advance", fail)
        with pytest.raises(RuntimeError):
            await room.turn(*SAYS)
    assert await room.periods() == {}
    await room.turn(*SAYS)
    assert await room.periods() == {"week": 2, "month": 2}


async def test_many_conversations_at_once(room: Room) -> None:
    """Turns of one user in several conversations meet in one week: each is there once, whoever came first."""
    turns = [
        room.turn((f"c{number}", "user", f"Shelf {number} of the pantry is painted."), name=f"talk-{number % 4}")
        for number in range(12)
    ]
    await asyncio.gather(*turns)
    assert await room.periods() == {"week": 12, "month": 12}


async def test_the_summary_of_the_conversation_is_made_beside_it(room: Room) -> None:
    """A turn that hands messages over to the summary puts what is new into the week as well."""
    things = "violin canoe lantern bakery meadow compass sweater garden bicycle telescope kitchen ladder".split()
    texts = [f"The {thing} of my aunt in {place} needs repair." for thing in things for place in ("Faro", "Lagos")]
    await room.turn(*((f"u{at}", "user", text) for at, text in enumerate(texts)))
    context = await room.app.conversations.context("talk")
    assert context.covered
    assert await room.periods() == {"week": len(texts), "month": len(texts)}


async def test_what_was_said_before_is_taken_up(runtime: Runtime, tenant: str) -> None:
    """When it is switched on later: asked for, at once; else it is taken up in one night and told in the next."""
    before = opened(runtime, tenant)
    await before.turn(*SAYS, at=datetime(2025, 6, 11, 9, tzinfo=UTC))
    await before.night(date(2026, 2, 16))
    after = opened(runtime, tenant, rollups_messages=True)
    made = await after.app.rollups.summarize("rui", "weekly", day=date(2025, 6, 11))
    assert (made.status, made.notes_consolidated) == ("complete", 2)
    await before.turn(("p1", "user", "Ines paints the shutters."), at=datetime(2025, 8, 6, 9, tzinfo=UTC))
    await after.night(date(2026, 2, 17))
    await after.night(date(2026, 2, 18))
    assert [date(2025, 6, 8), date(2025, 8, 3)] == [week.starts_on for week in await after.summaries("week")]
    assert [date(2025, 6, 1), date(2025, 8, 1)] == [month.starts_on for month in await after.summaries("month")]


async def test_what_is_kept_out_of_recall_is_in_no_week(room: Room) -> None:
    """A conversation that no recall answers is answered by no week either, nor taken up later."""
    quiet = Remembering(recall=False)
    said = [{"id": id_, "role": role, "content": text} for id_, role, text in SAYS]
    await room.app.conversations.turn("quiet", said, user_id="rui", remembering=quiet)
    made = await room.app.rollups.summarize("rui", "weekly", day=date(2026, 2, 15))
    assert made.status == "empty"
    assert await room.periods() == {}


async def test_another_zone_moves_what_was_said(room: Room) -> None:
    """Late on Saturday in UTC is Sunday in Tokyo: the week after."""
    await room.turn(*SAYS, at=datetime(2026, 2, 14, 20, tzinfo=UTC))
    await room.app.rollups.summarize("rui", "weekly", day=date(2026, 2, 14))
    assert (await room.week()).starts_on == date(2026, 2, 8)
    assert await room.app.rollups.set_zone("Asia/Tokyo", user_id="rui") == 2
    await room.until(datetime(2026, 2, 22, 5, tzinfo=UTC))
    assert (await room.week()).starts_on == date(2026, 2, 15)


async def test_notes_and_messages_share_a_week_and_namespaces_do_not(room: Room) -> None:
    """One week of both; what was said in a namespace has weeks of its own."""
    note = {"text": "The roof is tight again.", "user_id": "rui", "memory_type": "episodic", "created_at": SUNDAY}
    await room.app.memories.add([note | {"metadata": {"kind": "note"}}], summarize="deferred")
    await room.turn(*SAYS)
    await room.turn(("s1", "user", "The bakery closes in May."), name="shop", namespace="shop")
    await room.night(date(2026, 2, 22))
    weeks = {len(week.leaf_source_ids): week.text for week in await room.summaries("week")}
    assert weeks.keys() == {1, 3}
    assert "bakery" in weeks[1]
    assert "bakery" not in weeks[3]


async def test_the_plan_names_it(room: Room) -> None:
    """What the next refresh reads, before it does."""
    await room.turn(*SAYS)
    plan = await room.app.summaries.plan(policy="week")
    assert [2] == [len(planned.plan.leaves) for planned in plan]
