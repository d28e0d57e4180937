"""S4.2: check, summarize, load, persist: the summarize step computes only, the end of a turn is one transaction."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from steps import with_engine
from talks import hold, said, short, texts, told

from precis.app import App
from precis.app.refreshing import work
from precis.bootstrap import Runtime
from precis.conversation import Address
from precis.errors import Conflict, Forgotten, ModelUnavailable, StoreUnavailable
from precis.makers import Draft, Request
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")
ANA = Address(session_id="talk", user_id="ana", project_id="", environment="production")


async def rows_of(runtime: Runtime, tenant: str) -> dict[str, Any]:
    """Every row of a tenant, by table."""
    found: dict[str, Any] = {}
    async with runtime.database.tenant(tenant) as connection:
        for table in ("conversations", "messages", "memories", "groups", "members", "nodes", "statements", "refreshes"):
            asked = await connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3")  # noqa: S608 - our own names
            found[table] = [repr(row) for row in await asked.fetchall()]
    return found


async def test_check_and_summarize_write_nothing(app: App, runtime: Runtime, tenant: str) -> None:
    """Not a row, not a lease; the persist step then writes all of it."""
    await hold(app, range(1, 7))
    before = await rows_of(runtime, tenant)
    checked = await app.conversations.check(ANA, [said(7)], limits=short())
    computed = await app.conversations.summarize(checked, limits=short())
    assert computed.root.title
    assert before == await rows_of(runtime, tenant)
    written = await app.conversations.persist(checked, computed)
    assert (written.summary_id is not None, len(written.created)) == (True, 1)
    context = await app.conversations.context("talk")
    assert (context.covered, context.version) == (4, written.version)


async def test_a_turn_that_cannot_be_written_leaves_nothing(app: App, runtime: Runtime, tenant: str) -> None:
    """An id that is there with other words: neither the other messages nor the summary is written."""
    await hold(app, range(1, 7))
    before = await rows_of(runtime, tenant)
    with pytest.raises(Conflict):
        await app.conversations.turn("talk", [said(8), said(1) | {"content": "Else."}], user_id="ana", limits=short())
    assert before == await rows_of(runtime, tenant)


async def test_a_turn_may_be_repeated(app: App) -> None:
    """The same ids with the same content are answered as known; nothing is written twice."""
    first = await app.conversations.turn("talk", [said(1), said(2)], user_id="ana")
    again = await app.conversations.turn("talk", [said(1), said(2)], user_id="ana")
    assert (len(first.created), again.created) == (2, ())
    assert told(await app.conversations.context("talk")) == texts(range(1, 3))


async def test_the_same_ids_in_two_conversations(app: App) -> None:
    """A caller's ids are its own business in each conversation."""
    await app.conversations.turn("one", [said(1)], user_id="ana")
    await app.conversations.turn("two", [said(1) | {"content": "Something else."}], user_id="ana")
    assert told(await app.conversations.context("one")) == texts(range(1, 2))
    assert told(await app.conversations.context("two")) == ["Something else."]


async def test_a_failure_leaves_the_turn_and_the_old_summary(app: App) -> None:
    """The model is down: the turn is written, what stood stays, nothing leaves the context, and a worker makes it."""
    model = Quoting()
    quoted = with_engine(app, summarizer=model, retry_after=lambda _: timedelta(0))
    await hold(quoted, range(1, 8), each=7, limits=short())
    model.error = ModelUnavailable("down")
    turned = await hold(quoted, range(8, 13), each=5, limits=short())
    assert (turned.summarized, turned.degraded, turned.reason) == (False, True, "down")
    context = await quoted.conversations.context("talk", limits=short())
    assert (context.covered, context.degraded) == (4, True)
    assert told(context) == texts(range(5, 13))
    model.error = None
    engine = quoted.parts.engine
    await work(engine, quoted.parts.tenant_id, until=engine.clock() + timedelta(seconds=5))
    context = await quoted.conversations.context("talk", limits=short())
    assert (context.covered, context.degraded) == (10, False)
    assert context.title
    assert told(context) == texts(range(11, 13))


async def test_what_fits_is_served_when_the_summary_is_overdue(app: App) -> None:
    """Within the budget: the previous summary and the newest messages, marked, with what is missing counted."""
    model = Quoting()
    quoted = with_engine(app, summarizer=model)
    await hold(quoted, range(1, 8), each=7, limits=short())
    model.error = ModelUnavailable("down")
    await hold(quoted, range(8, 30), limits=short())
    context = await quoted.conversations.context("talk", token_budget=300)
    assert context.tokens <= 300
    assert context.degraded
    assert context.messages_left == 25 - len(context.messages)
    assert told(context) == texts(range(30 - len(context.messages), 30))


async def test_the_turn_waits_for_the_deadline_and_no_longer(app: App) -> None:
    """A model that hangs: the turn is written when the deadline is over."""

    class Hanging(Quoting):
        """Never answers."""

        async def summarize(self, request: Request) -> Draft:
            """Wait."""
            await asyncio.sleep(60)
            return await super().summarize(request)

    slow = with_engine(app, summarizer=Hanging())
    clock = asyncio.get_running_loop().time
    began = clock()
    turned = await hold(slow, range(1, 8), each=7, limits=short(deadline=0.2))
    assert clock() - began < 3
    assert (turned.degraded, turned.reason) == (True, "the summary was not made in time")
    assert told(await slow.conversations.context("talk")) == texts(range(1, 8))


async def test_messages_written_meanwhile_are_not_overtaken(app: App) -> None:
    """While the summary is made, somebody writes: it stands behind what the summary covers, and is still read."""
    model = Quoting()
    quoted = with_engine(app, summarizer=model)
    await hold(quoted, range(1, 7))

    async def interrupt() -> None:
        await app.conversations.turn("talk", [said(30)], user_id="ana")

    model.meanwhile = interrupt
    turned = await hold(quoted, range(7, 9), limits=short())
    assert turned.summarized
    left = told(await quoted.conversations.context("talk", limits=short()))
    assert left == [*texts(range(30, 31)), *texts(range(7, 9))]


async def test_a_summary_that_would_overtake_a_message_is_not_written(app: App) -> None:
    """The turn's own messages are covered, and somebody wrote before them: the summary waits, no message is lost."""
    model = Quoting()
    quoted = with_engine(app, summarizer=model, retry_after=lambda _: timedelta(0))

    async def interrupt() -> None:
        await app.conversations.turn("talk", [said(30)], user_id="ana")

    model.meanwhile = interrupt
    turned = await hold(quoted, range(1, 8), each=7, limits=short())
    assert (turned.summarized, turned.degraded) == (False, True)
    assert turned.reason == "a message came in between"
    assert told(await quoted.conversations.context("talk")) == [*texts(range(30, 31)), *texts(range(1, 8))]


async def test_a_source_edited_meanwhile_discards_the_summary(app: App) -> None:
    """The draft read what is no longer so: the turn is written, the summary is not."""
    model = Quoting()
    quoted = with_engine(app, summarizer=model)
    await hold(quoted, range(1, 7))
    first = (await quoted.conversations.messages("talk", limit=6))[0]

    async def interrupt() -> None:
        await app.memories.edit(first.id, {"text": "The canoe was sold."})

    model.meanwhile = interrupt
    turned = await hold(quoted, range(7, 9), limits=short())
    assert (turned.summarized, turned.degraded) == (False, True)
    assert told(await quoted.conversations.context("talk"))[0] == "The canoe was sold."


async def test_fifty_writers_lose_nothing(app: App) -> None:
    """Each message once, in an order that all agree on, and each writer's own in its order."""

    async def write(writer: int) -> None:
        for number in range(3):
            given = {"id": f"{writer}-{number}", "role": "user", "content": f"Writer {writer} says {number}."}
            while True:
                # On a busy computer the queue for a connection is too long for some: they are told to try again.
                with suppress(StoreUnavailable):
                    await app.conversations.turn("talk", [given], user_id="ana", limits=short(trigger=30, keep=4))
                    break

    await asyncio.gather(*(write(writer) for writer in range(50)))
    messages = await app.conversations.messages("talk", limit=1000)
    assert [one.seq for one in messages] == list(range(1, 151))
    assert len({one.given for one in messages}) == 150
    for writer in range(50):
        own = [one.given for one in messages if one.given.startswith(f"{writer}-")]
        assert own == [f"{writer}-{number}" for number in range(3)]
    context = await app.conversations.context("talk", limits=short(trigger=30, keep=4))
    assert context.covered + len(context.messages) == 150
    assert context.covered > 0


async def test_a_version_can_be_insisted_on(app: App) -> None:
    """Who wants to write to what it has read, and to nothing else, says so."""
    first = await app.conversations.turn("talk", [said(1)], user_id="ana")
    await app.conversations.turn("talk", [said(2)], user_id="ana", expected_version=first.version)
    with pytest.raises(Conflict, match="version 2"):
        await app.conversations.turn("talk", [said(3)], user_id="ana", expected_version=first.version)


async def test_a_forgotten_message_is_not_written_again(app: App) -> None:
    """Its id is refused like that of any memory."""
    turned = await app.conversations.turn("talk", [said(1), said(2)], user_id="ana")
    await app.memories.forget(turned.messages[0].id)
    with pytest.raises(Forgotten):
        await app.conversations.turn("talk", [said(1)], user_id="ana")
