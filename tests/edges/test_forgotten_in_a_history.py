"""Clients without ids send their whole history at each turn: what a person forgot of it stays out at every door."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from precis.app import App
from precis.bootstrap import Runtime

pytestmark = pytest.mark.asyncio(loop_scope="session")
Body = dict[str, Any]
TALK = [
    "We moved to Ystad in March.",
    "How nice by the sea!",
    "Torvald owes me 300 crowns.",
    "That is a lot.",
    "The bakery opens on Monday.",
    "Good luck with it.",
    "My cat is called Sill.",
]
TWO = "Torvald lives in Kalmar, and Ulrike lives in Ystad."


def said(*texts: str) -> list[Body]:
    """User and assistant in turns, without ids."""
    return [{"role": ("user", "assistant")[at % 2], "content": text} for at, text in enumerate(texts)]


async def turn(api: httpx.AsyncClient, *texts: str) -> Body:
    """Write a list of messages as a turn."""
    body = {"user_id": "ana", "messages": said(*texts)}
    answer = await api.post("/v1/conversations/s1/turns", json=body)
    assert answer.status_code == 201, answer.text
    written: Body = answer.json()
    return written


async def session(api: httpx.AsyncClient, *texts: str) -> Body:
    """Put them as a session of the wire, each under an id of its own, another one each time."""
    answer = await api.put("/v1/working-memory/s1", json={"user_id": "ana", "messages": said(*texts)})
    assert answer.status_code == 200, answer.text
    return {"messages": answer.json()["messages"]}


DOORS = pytest.mark.parametrize("write", [turn, session])


async def stored(api: httpx.AsyncClient) -> list[Body]:
    """What the conversation consists of."""
    answer = await api.get("/v1/conversations/s1/messages", params={"user_id": "ana", "limit": 100})
    rows: list[Body] = answer.json()["messages"]
    return rows


async def texts(api: httpx.AsyncClient) -> list[str]:
    """Their texts, in order."""
    return [row["message"]["content"] for row in await stored(api)]


async def forget(api: httpx.AsyncClient, *places: int) -> None:
    """The messages that stand there."""
    rows = await stored(api)
    answer = await api.post("/v1/forget", json={"ids": [rows[at]["memory_id"] for at in places]})
    assert len(answer.json()["forgotten"]) == len(places), answer.text


@DOORS
@pytest.mark.parametrize("places", [(0,), (2,), (4,), (0, 1), (1, 3), (2, 4), (0, 1, 2, 3), (0, 1, 2, 3, 4)])
async def test_it_does_not_come_back(api: httpx.AsyncClient, write: Any, places: tuple[int, ...]) -> None:
    """Wherever it stood; what was said since is written once, and so it goes on at the next turn."""
    await write(api, *TALK[:5])
    await forget(api, *places)
    left = [text for at, text in enumerate(TALK) if at not in places]
    for _ in range(2):
        await write(api, *TALK)
        assert left == await texts(api)
    await write(api, *TALK, "And yours?", "Mine is called Mort.")
    assert [*left, "And yours?", "Mine is called Mort."] == await texts(api)


async def test_a_turn_names_what_it_leaves_out(api: httpx.AsyncClient) -> None:
    """By its place in the list, since it has no id."""
    await turn(api, *TALK[:5])
    await forget(api, 2)
    assert (await turn(api, *TALK))["forgotten"] == ["messages.2"]
    assert (await turn(api, "And yours?"))["forgotten"] == []


@DOORS
async def test_who_says_it_again_says_it(api: httpx.AsyncClient, write: Any) -> None:
    """Behind what is stored; from then on the history has it once as forgotten, and once as said again."""
    await write(api, *TALK[:5])
    await forget(api, 2)
    again = [*TALK[:6], TALK[2], "Still?"]
    await write(api, *again)
    left = [*TALK[:2], *TALK[3:6], TALK[2], "Still?"]
    assert left == await texts(api)
    await write(api, *again, "Yes, still.")
    assert [*left, "Yes, still."] == await texts(api)


async def test_few_new_lines_are_no_history(api: httpx.AsyncClient) -> None:
    """Who sends only what is new may say anything again."""
    await turn(api, *TALK[:5])
    await forget(api, 2)
    assert (await turn(api, TALK[2], "Still?", "Yes."))["forgotten"] == []
    assert (await texts(api))[-3:] == [TALK[2], "Still?", "Yes."]


@DOORS
async def test_the_rest_of_a_message_stands_for_the_whole(api: httpx.AsyncClient, write: Any) -> None:
    """Of which a part was forgotten, in words."""
    await write(api, TALK[0], TALK[1], TWO, TALK[3])
    asked = {"user_id": "ana", "what": "everything about Torvald", "confirm": True}
    assert len((await api.post("/v1/forget", json=asked)).json()["edited"]) == 1
    left = [TALK[0], TALK[1], "Ulrike lives in Ystad.", TALK[3]]
    for end in (5, 7):
        await write(api, TALK[0], TALK[1], TWO, *TALK[3:end])
        assert [*left, *TALK[4:end]] == await texts(api)


async def test_a_conversation_that_was_forgotten_whole(api: httpx.AsyncClient) -> None:
    """It begins anew with what is new."""
    await turn(api, *TALK[:5])
    assert (await api.delete("/v1/conversations/s1", params={"user_id": "ana"})).status_code == 200
    assert (await turn(api, *TALK))["forgotten"] == [f"messages.{at}" for at in range(5)]
    assert await texts(api) == TALK[5:]


async def test_a_conversation_that_was_forgotten_whole_behind_a_prompt(api: httpx.AsyncClient) -> None:
    """What a client tells its model is of this hour, and was not forgotten."""
    prompts = [{"role": "system", "content": f"It is {hour} o'clock."} for hour in (9, 10)]
    bodies = [{"user_id": "ana", "messages": [prompts[at], *said(*TALK[: 5 + 2 * at])]} for at in (0, 1)]
    await api.post("/v1/conversations/s1/turns", json=bodies[0])
    assert (await api.delete("/v1/conversations/s1", params={"user_id": "ana"})).status_code == 200
    await api.post("/v1/conversations/s1/turns", json=bodies[1])
    assert await texts(api) == [prompts[1]["content"], *TALK[5:]]


async def test_a_session_that_ended_may_be_written_again(api: httpx.AsyncClient) -> None:
    """Nobody asked to forget it."""
    await session(api, *TALK[:5])
    await api.delete("/v1/working-memory/s1", params={"user_id": "ana"})
    await session(api, *TALK)
    assert await texts(api) == TALK


async def test_in_another_conversation_it_is_news(api: httpx.AsyncClient) -> None:
    """What was forgotten here may be said there."""
    await turn(api, *TALK[:5])
    await forget(api, 2)
    body = {"user_id": "ana", "messages": said(*TALK)}
    assert (await api.post("/v1/conversations/s2/turns", json=body)).json()["forgotten"] == []


async def test_an_older_copy_knows_it_from_the_log(
    api: httpx.AsyncClient, runtime: Runtime, tenant: str, app: App
) -> None:
    """Of a copy from before the message was written: what stands beside the database tells."""
    await app.memories.add([{"id": "t1", "user_id": "ana", "text": "The kettle whistles."}])
    await turn(api, *TALK[:5])
    await forget(api, 2)
    async with runtime.database.tenant(tenant) as connection:
        for table in ("tombstones", "receipts", "receipt_heads"):
            await connection.execute(f"DELETE FROM {table}".encode())  # noqa: S608 - our own names
    await runtime.forget_again(tenant)
    await turn(api, *TALK)
    assert [*TALK[:2], *TALK[3:]] == await texts(api)
