"""Forgetting what no word of a request names, over REST and Python: pasted words, secrets, tools, facts of a part."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from precis.app import App

pytestmark = pytest.mark.asyncio(loop_scope="session")
Body = dict[str, Any]
DAY = "2026-03-02T09:0{}:00Z"


async def turn(app: App, session: str, *messages: Body) -> None:
    """These messages of a talk of ana's, a minute apart."""
    listed = [{"id": f"{session}-{at}", "created_at": DAY.format(at)} | it for at, it in enumerate(messages)]
    await app.conversations.turn(session, listed, user_id="ana")


async def asked(api: httpx.AsyncClient, what: str) -> Body:
    """What a request would forget."""
    answer = await api.post("/v1/forget", json={"user_id": "ana", "what": what})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def confirmed(api: httpx.AsyncClient, shown: Body) -> Body:
    """The receipt of what was shown."""
    answer = await api.post("/v1/forget", json={"preview_id": shown["preview_id"]})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def texts(app: App) -> list[str | None]:
    """What ana has."""
    return [memory.text for memory in (await app.memories.list(user_id="ana")).rows]


async def test_pasted_words_never_stay_without_their_sender(api: httpx.AsyncClient, app: App) -> None:
    """Julia's new number is hers; left alone it would be told as the user's own."""
    pasted = "Here is what Julia wrote:\n«We marry on 12 December. My new number is 555-2748.»"
    around = 'I baked bread. Julia wrote: "I moved to 4 Quay Lane. My code is 7712." The weather was bad.'
    rows = [{"user_id": "ana", "text": text} for text in (pasted, around, "My dog is ill.")]
    await app.memories.add(rows)
    receipt = await confirmed(api, await asked(api, "Forget everything about Julia"))
    assert (1, 1) == (len(receipt["forgotten"]), len(receipt["edited"]))
    assert {"I baked bread. The weather was bad.", "My dog is ill."} == {*await texts(app)}


async def test_a_pasted_secret_is_found(api: httpx.AsyncClient, app: App) -> None:
    """As a password in doubt; by its own string, within an address, for sure."""
    url = "BROKER_URL=amqp://kargo:9fQz-Tromp-77xLw@rabbit-stg:5672/labels"
    await app.memories.add([{"user_id": "ana", "text": text} for text in (url, "You pasted a password. Rotate it.")])
    shown = await asked(api, "Forget the RabbitMQ password I pasted")
    assert url in [row["text"] for row in shown["doubtful"]]
    assert [] == shown["forget"]
    await confirmed(api, await asked(api, "Forget 9fQz-Tromp-77xLw"))
    assert ["You pasted a password. Rotate it."] == await texts(app)


@pytest.mark.parametrize("what", ["my bank balance", "what the bank_balance tool returned", "all tool results"])
async def test_the_answer_of_a_tool_goes_with_its_call(api: httpx.AsyncClient, app: App, what: str) -> None:
    """The value does not stay while only the call goes."""
    call = {"id": "k", "type": "function", "function": {"name": "bank_balance", "arguments": "{}"}}
    value = '{"account":"NL12 KARG 0417","balance_eur":26410.77}'
    await turn(
        app, "s",
        {"role": "user", "content": "Please look it up."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "name": "bank_balance", "tool_call_id": "k", "content": value},
        {"role": "user", "content": "My bike is red."},
    )  # fmt: skip
    shown = await asked(api, what)
    assert value in [row["text"] for row in shown["forget"]]
    await confirmed(api, shown)
    left = await texts(app)
    assert value not in left
    assert not any("bank_balance" in (text or "") for text in left)
    assert any("My bike is red." in (text or "") for text in left)


async def test_a_fact_that_goes_with_a_part_is_forgotten(api: httpx.AsyncClient, app: App) -> None:
    """The receipt names it so, and as nothing that was left alone."""
    said = "Yes, draft one please. By the way, Tomasz's birthday is on 11 May."
    await turn(app, "s", {"role": "user", "name": "Ana", "content": said})
    await app.facts.read(at_once=True)
    shown = await asked(api, "Tomasz's birthday")
    facts = [row["id"] for row in shown["forget"] if row["keeps"] is None]
    assert 1 == len(facts)
    receipt = await confirmed(api, shown)
    assert facts == receipt["forgotten"]
    assert 1 == len(receipt["edited"])
    assert [] == receipt["changed"]
    assert not any("11 May" in (text or "") for text in await texts(app))


async def test_what_was_edited_is_left_alone_and_named(api: httpx.AsyncClient, app: App) -> None:
    """A memory that says something else by now is changed, and not forgotten."""
    await app.memories.add(
        [
            {"id": "one", "user_id": "ana", "text": "Torvald has a canoe."},
            {"id": "two", "user_id": "ana", "text": "Torvald lives in Kalmar, and Ulrike lives in Ystad."},
        ]
    )
    shown = await asked(api, "everything about Torvald")
    await app.memories.edit("one", {"text": "Torvald has two canoes."})
    receipt = await confirmed(api, shown)
    assert ["one"] == receipt["changed"]
    assert ["two"] == receipt["edited"]
    assert [] == receipt["forgotten"]
