"""S4.5: a real tokenizer, a check on every summary, calls with their results; forgetting corrects all of it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from steps import app_of, summaries_of, with_engine
from talks import hold, said, short, texts, told

from precis.app import App
from precis.app.refreshing import work
from precis.bootstrap import Runtime
from precis.errors import NotFound
from precis.models.tokens import count
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def again(app: App) -> None:
    """What a worker does next."""
    engine = app.parts.engine
    await work(engine, app.parts.tenant_id, until=engine.clock() + timedelta(seconds=5))


async def test_tokens_are_those_of_a_tokenizer(app: App) -> None:
    """Chinese is three times as long as four characters a token would have it."""
    chinese = "\u4eca\u5929\u6211\u4eec\u51b3\u5b9a\u628a\u4f1a\u8bae\u63a8\u8fdf\u5230\u4e0b\u5468\u4e8c\u3002" * 20
    turned = await app.conversations.turn("talk", [{"role": "user", "content": chinese}], user_id="ana")
    assert turned.messages[0].tokens - count(chinese) == 9
    assert count(chinese) > 2 * len(chinese) / 4


async def test_a_summary_that_the_messages_do_not_bear_out_is_not_taken(app: App) -> None:
    """The check stands before the commit: the turn is written without it, and what stood stays."""
    model = Quoting()
    quoted = with_engine(app, summarizer=model)
    await hold(quoted, range(1, 8), each=7, limits=short())
    before = await quoted.conversations.context("talk")
    model.says = ("Napoleon marched on Moscow with 600000 men.", "The budget of the ministry doubled in 1994.")
    turned = await hold(quoted, range(8, 13), each=5, limits=short())
    assert (turned.summarized, turned.degraded) == (False, True)
    assert "checks" in turned.reason
    context = await quoted.conversations.context("talk", limits=short())
    assert (context.summary, context.covered) == (before.summary, 4)
    assert told(context) == texts(range(5, 13))


async def test_parallel_calls_are_never_parted(app: App) -> None:
    """Wherever a turn ends, a call is in the context with all its results or behind the summary with them."""
    for number in range(1, 13):
        calls = [{"id": f"{number}-{at}", "name": "look", "arguments": {"at": at}} for at in range(3)]
        results = [
            {"role": "tool", "content": f"{said(number)['content']} {at}", "tool_call_id": f"{number}-{at}"}
            for at in range(3)
        ]
        asked = {"role": "assistant", "content": "", "tool_calls": calls}
        given = [said(2 * number + 1) | {"id": f"q{number}"}, asked, *results]
        await app.conversations.turn("talk", given, user_id="ana", limits=short(trigger=7, keep=3))
        context = await app.conversations.context("talk", limits=short(trigger=7, keep=3))
        opened = {id_ for one in context.messages for id_ in one.opens}
        assert opened == {id_ for one in context.messages for id_ in one.closes}
    assert context.covered >= 50


async def test_a_pending_approval_stays(app: App) -> None:
    """And goes with its answer, once there is one."""
    ask = {"role": "assistant", "content": "May I send it?", "opens": ["approval-1"]}
    await app.conversations.turn("talk", [said(1), said(2), ask], user_id="ana", limits=short())
    await hold(app, range(3, 11), limits=short())
    context = await app.conversations.context("talk", limits=short())
    assert "May I send it?" in told(context)
    yes = {"role": "user", "content": "Yes, send it.", "closes": ["approval-1"]}
    await app.conversations.turn("talk", [yes, said(12)], user_id="ana", limits=short())
    left = told(await app.conversations.context("talk", limits=short()))
    assert ("May I send it?" in left) == ("Yes, send it." in left)


async def test_forgetting_a_message_corrects_summary_and_title_at_once(app: App) -> None:
    """No read after the forget says it; the worker makes both anew from what is left."""
    model = Quoting()
    quoted = with_engine(app, summarizer=model)
    await hold(quoted, range(1, 8), each=7, limits=short())
    before = await quoted.conversations.context("talk")
    assert "canoe" in (before.title or "")
    first = (await quoted.conversations.messages("talk", limit=7))[0]
    receipt = await quoted.memories.forget(first.id)
    assert receipt.forgotten == (first.id,)
    context = await quoted.conversations.context("talk")
    assert "canoe" not in context.summary
    assert "canoe" not in (context.title or "")
    assert context.stale
    assert context.title
    assert context.title.casefold() in context.summary.casefold()
    await again(quoted)
    context = await quoted.conversations.context("talk")
    assert (context.covered, context.stale) == (3, False)
    assert context.title == said(2)["content"].rstrip(".")
    assert all("canoe" not in one.text for one in await quoted.conversations.messages("talk"))


async def test_an_edited_message_is_back_in_the_context_until_it_is_read_again(app: App) -> None:
    """The summary does not speak for its new text: nothing leaves the context unread."""
    await hold(app, range(1, 8), each=7, limits=short())
    first = (await app.conversations.messages("talk", limit=7))[0]
    await app.memories.edit(first.id, {"text": "The canoe was sold to a museum."})
    context = await app.conversations.context("talk", limits=short())
    assert "canoe" not in context.summary
    assert told(context)[0] == "The canoe was sold to a museum."
    await again(app)
    context = await app.conversations.context("talk", limits=short())
    assert "sold to a museum" in context.summary
    assert told(context) == texts(range(5, 8))


async def test_messages_belong_to_their_conversation_alone(runtime: Runtime, tenant: str) -> None:
    """They join no cluster, and recall finds none where the settings say so; the summary is found like any."""
    app = app_of(runtime, tenant, conversations_in_recall=False)
    await hold(app, range(1, 8), each=7, limits=short())
    assert {one.policy for one in await summaries_of(app)} == {"conversations"}
    results = await app.recall.search("the canoe number 1 in Kyoto", user_id="ana")
    assert {one.memory.is_summary for one in results} == {True}


async def test_messages_that_are_not_recalled_have_no_vector(runtime: Runtime, tenant: str) -> None:
    """And get none from another embedder: no embedder is said to have read them."""
    app = app_of(runtime, tenant, conversations_in_recall=False)
    await hold(app, range(1, 4), each=3)
    rows = (await app.memories.list(turns=True)).rows
    assert [row.embedding_version for row in rows] == [None, None, None]
    assert [] == await app.parts.store.embeddings.outdated(app.parts.tenant_id, "other@1", after="", limit=10)


async def test_messages_are_recalled(app: App) -> None:
    """Words and vectors of each."""
    await hold(app, range(1, 4), each=3)
    results = await app.recall.search("the canoe number 1 in Kyoto", user_id="ana")
    assert results[0].memory.text == said(1)["content"]


async def test_forgetting_a_conversation(app: App) -> None:
    """Nothing of it is left: messages, summary, title, properties, name."""
    await hold(app, range(1, 8), each=7, limits=short())
    receipt = await app.conversations.forget("talk")
    assert receipt is not None
    assert len(receipt.forgotten) == 7
    with pytest.raises(NotFound):
        await app.conversations.context("talk")
    assert (await app.memories.list()).rows == ()
    assert (await app.conversations.sessions()).total == 0


async def test_forgetting_the_user(app: App) -> None:
    """All conversations go with the key."""
    await hold(app, range(1, 8), each=7, limits=short())
    await app.memories.forget_user("ana")
    assert (await app.conversations.sessions()).total == 0
    with pytest.raises(NotFound):
        await app.conversations.context("talk")
