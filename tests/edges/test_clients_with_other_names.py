"""Clients with new ids at each post, with ids for what is new alone, or with other names of the roles: over REST."""

from __future__ import annotations

from uuid import uuid4

import httpx
import pytest
from test_histories_of_clients import TURNS, Body, answers, asks, stored, told_by, turn

from precis.app import App

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_new_ids_at_each_post(api: httpx.AsyncClient) -> None:
    """The first exchange is stored twice, since it may have been said twice; nothing else is, nor what is forgotten."""
    told: list[Body] = []
    for number in range(TURNS):
        told += [asks(number), answers(number)]
        written = await turn(api, [row | {"id": uuid4().hex} for row in told])
        if number == 5:
            ids = [row["memory_id"] for row in await stored(api) if row["message"]["content"] == asks(4)["content"]]
            assert len((await api.post("/v1/forget", json={"ids": ids})).json()["forgotten"]) == 1
    assert len(written["forgotten"]) == 1
    left = [row for row in told if row["content"] != asks(4)["content"]]
    assert told_by([row["message"] for row in await stored(api)]) == told_by([*told[:2], *left])


async def test_a_first_post_sent_twice_under_its_ids(api: httpx.AsyncClient) -> None:
    """Nobody said that it had arrived; the lists that follow may have ids or none."""
    first = [asks(0, id="f0"), answers(0, id="a0")]
    for messages in (first, first, [asks(0), answers(0), asks(1, id="f1"), answers(1, id="a1")]) * 2:
        await turn(api, messages)
    told = [asks(0), answers(0), asks(1), answers(1)]
    assert told_by([row["message"] for row in await stored(api)]) == told_by(told)


async def test_other_names_of_the_roles(api: httpx.AsyncClient, app: App) -> None:
    """As LangChain and Gemini call them: one history, where what is forgotten stays out and facts are the user's."""
    names = {"user": "Human", "assistant": "model"}
    told = [{"role": "user", "content": "I work as a luthier in Leoben."}, answers(0)]
    for number in range(1, TURNS):
        told += [asks(number), answers(number)]
        named = [row | {"role": names[row["role"]] if number % 2 else row["role"]} for row in told]
        await turn(api, named)
        if number == 5:
            ids = [row["memory_id"] for row in await stored(api) if row["message"]["content"] == asks(4)["content"]]
            assert len((await api.post("/v1/forget", json={"ids": ids})).json()["forgotten"]) == 1
    left = [row for row in told if row["content"] != asks(4)["content"]]
    assert told_by([row["message"] for row in await stored(api)]) == told_by(left)
    await app.facts.read(at_once=True)
    rows = (await api.get("/v1/memories", params={"user_id": "imke", "is_summary": "false"})).json()["memories"]
    assert [row["text"] for row in rows if row["memory_type"] != "message"] == ["I work as a luthier in Leoben."]
