"""A part of a memory was forgotten, and who has the memory as it was sends it again: at no door the part comes back."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from agent_memory_client.models import MemoryMessage, WorkingMemory
from wire_rooms import connected, create, record

pytestmark = pytest.mark.asyncio(loop_scope="session")
TWO = "Torvald lives in Kalmar, and Ulrike lives in Ystad."
REST = "Ulrike lives in Ystad."
CARE = "The kettle whistles."


async def forget(api: httpx.AsyncClient, memory_id: str) -> None:
    """Torvald's half of the one memory."""
    asked = {"user_id": "ana", "what": "everything about Torvald", "confirm": True}
    answer = await api.post("/v1/forget", json=asked)
    assert (answer.json()["edited"], answer.json()["forgotten"]) == ([memory_id], []), answer.text


async def texts(api: httpx.AsyncClient) -> list[str]:
    """Whatever stands of the user, in the order of the alphabet."""
    rows = (await api.get("/v1/memories", params={"user_id": "ana", "is_summary": "false"})).json()["memories"]
    return sorted(row["text"] for row in rows)


async def write(api: httpx.AsyncClient, *rows: dict[str, Any]) -> httpx.Response:
    """Over REST."""
    return await api.post("/v1/memories", json={"memories": [{"user_id": "ana", **row} for row in rows]})


async def test_over_rest(api: httpx.AsyncClient) -> None:
    """The row is there already, and the others of the write are written; another text is refused as ever."""
    assert (await write(api, {"id": "t0", "text": TWO, "pinned": True})).status_code == 201
    await forget(api, "t0")
    again = await write(api, {"id": "t0", "text": TWO, "pinned": True}, {"id": "t1", "text": CARE})
    assert again.status_code == 201, again.text
    assert [row["created"] for row in again.json()["memories"]] == [False, True]
    assert [CARE, REST] == await texts(api)
    assert (await write(api, {"id": "t0", "text": TWO, "pinned": False})).status_code == 409
    assert (await write(api, {"id": "t0", "text": TWO + " Really."})).status_code == 409


async def test_whoever_edits_it_says_it_anew(api: httpx.AsyncClient) -> None:
    """An edit is meant: the text stands again, and from then on it may be sent again and replaced as any other."""
    await create(api, record("t0", TWO))
    await forget(api, "t0")
    assert (await api.patch("/v1/memories/t0", json={"text": TWO})).status_code == 200
    assert [TWO] == await texts(api)
    await create(api, record("t0", CARE))
    await create(api, record("t0", TWO))
    assert [TWO] == await texts(api)


async def test_two_parts_one_after_the_other(api: httpx.AsyncClient) -> None:
    """What stood between them comes back as little as what stood first."""
    between = f"{REST} Sigrun keeps bees."
    await create(api, record("t0", f"{TWO} Sigrun keeps bees."))
    await forget(api, "t0")
    assert [between] == await texts(api)
    asked = {"user_id": "ana", "what": "everything about Sigrun", "confirm": True}
    assert (await api.post("/v1/forget", json=asked)).status_code == 200
    for text in (f"{TWO} Sigrun keeps bees.", between):
        await create(api, record("t0", text))
        assert [REST] == await texts(api)


async def test_over_the_wire(api: httpx.AsyncClient) -> None:
    """Under its own id, and under another that it had when it was whole."""
    await create(api, record("t0", TWO))
    await create(api, record("t1", TWO))
    await forget(api, "t0")
    await create(api, record("t0", TWO, topics=["people"]), record("t1", TWO), record("t2", CARE))
    assert [CARE, REST] == await texts(api)
    await create(api, record("t0", "Ulrike moved to Lund."))
    assert [CARE, "Ulrike moved to Lund."] == await texts(api)


async def test_in_a_session_of_the_wire(api: httpx.AsyncClient, url: str, key: str) -> None:
    """The published client puts the session as it has it in hand."""
    messages = [MemoryMessage(id="a", role="user", content=TWO), MemoryMessage(id="b", role="assistant", content=CARE)]
    session = WorkingMemory(session_id="w1", user_id="ana", messages=messages)
    async with connected(url, key) as client:
        first = await client.put_working_memory("w1", session, user_id="ana")
        assert [message.content for message in first.messages] == [TWO, CARE]
        stored = (await api.get("/v1/working-memory/w1", params={"user_id": "ana"})).json()["messages"]
        await forget(api, stored[0]["memory_id"])
        session.messages.append(MemoryMessage(id="c", role="user", content="Is it raining in Ystad?"))
        again = await client.put_working_memory("w1", session, user_id="ana")
        assert [message.content for message in again.messages] == [REST, CARE, "Is it raining in Ystad?"]
        session.messages[0] = MemoryMessage(id="a", role="user", content="Ulrike moved to Lund.")
        edited = await client.put_working_memory("w1", session, user_id="ana")
        assert edited.messages[0].content == "Ulrike moved to Lund."


async def test_in_a_session_that_was_ended(api: httpx.AsyncClient) -> None:
    """Its ids may be written again, but not with what a person forgot a part of: that is refused as forgotten."""
    body = {"user_id": "ana", "messages": [{"id": "a", "role": "user", "content": TWO}]}
    await api.put("/v1/working-memory/w2", json=body)
    stored = (await api.get("/v1/working-memory/w2", params={"user_id": "ana"})).json()["messages"]
    await forget(api, stored[0]["memory_id"])
    assert (await api.delete("/v1/working-memory/w2", params={"user_id": "ana"})).status_code == 200
    again = await api.put("/v1/working-memory/w2", json=body)
    assert (again.status_code, await texts(api)) == (410, []), again.text
    body["messages"] = [{"id": "a", "role": "user", "content": CARE}]
    assert (await api.put("/v1/working-memory/w2", json=body)).status_code == 200
    assert [CARE] == await texts(api)


async def test_in_a_turn(api: httpx.AsyncClient) -> None:
    """The turn goes on: what is new is written."""
    turn = {"user_id": "ana", "messages": [{"id": "q1", "role": "user", "content": TWO}]}
    written = await api.post("/v1/conversations/c1/turns", json=turn)
    await forget(api, written.json()["messages"][0]["memory_id"])
    turn["messages"] = [*turn["messages"], {"id": "q2", "role": "user", "content": CARE}]
    again = await api.post("/v1/conversations/c1/turns", json=turn)
    assert again.status_code == 201, again.text
    assert [CARE, REST] == await texts(api)
