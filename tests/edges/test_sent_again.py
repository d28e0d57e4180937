"""A conversation that is handed in again and again over REST: what is stored is recognized, and costs nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import httpx
import pytest

from precis.app import App, app_over
from precis.policies.conversations import Limits
from precis.sizes import Size
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")
Body = dict[str, Any]
TURNS = 40


def line(number: int, *, ids: bool) -> Body:
    """One message without a date."""
    text = f"Crate {number} of the ship Amihan holds {number * 17} bolts of cloth and goes to pier {number % 7}."
    return {"role": ("user", "assistant")[number % 2], "content": text} | ({"id": f"m{number}"} if ids else {})


async def turn(api: httpx.AsyncClient, messages: list[Body], session: str = "amihan") -> Body:
    """Write one turn."""
    answer = await api.post(f"/v1/conversations/{session}/turns", json={"user_id": "sade", "messages": messages})
    assert answer.status_code == 201, answer.text
    written: Body = answer.json()
    return written


@pytest.mark.parametrize("ids", [True, False], ids=["under their ids", "without ids"])
async def test_the_whole_history_at_each_turn(api: httpx.AsyncClient, ids: bool) -> None:
    """As many summaries as if each message came once, none degraded, and every message keeps its date."""
    summarized = 0
    dates: dict[str, str] = {}
    for number in range(TURNS):
        answer = await turn(api, [line(at, ids=ids) for at in range(2 * number + 2)])
        assert not answer["degraded"], answer["reason"]
        summarized += answer["summarized"]
        assert 2 * number + 2 == len(answer["messages"])
        for message in answer["messages"]:
            assert message["created_at"] == dates.setdefault(message["id"], message["created_at"])
    assert 3 < summarized < 10
    stored = (await api.get("/v1/conversations/amihan/messages", params={"limit": 1000})).json()["messages"]
    assert [line(at, ids=False)["content"] for at in range(2 * TURNS)] == [m["message"]["content"] for m in stored]
    context = (await api.get("/v1/conversations/amihan/context")).json()
    assert (2 * TURNS, False) == (context["total"], context["degraded"])


async def test_it_costs_what_the_new_messages_cost(app: App) -> None:
    """The same calls of the model, over the same messages, as where only what is new is handed in."""
    limits = Limits(triggers=(Size.parse("12 messages"),), keep=Size.parse("4 messages"))
    made = []
    for whole in (False, True):
        quoting = Quoting()
        quoted = app_over(replace(app.parts, engine=replace(app.parts.engine, summarizer=quoting)))
        for number in range(20):
            first = 0 if whole else 2 * number
            messages = [line(at, ids=True) for at in range(first, 2 * number + 2)]
            turned = await quoted.conversations.turn(f"ship-{whole}", messages, user_id="sade", limits=limits)
            assert not turned.degraded, turned.reason
        made.append([[item.text for item in request.items] for request in quoting.requests])
    assert made[0] == made[1]
    assert made[0]


async def test_the_same_words_again_are_another_message(api: httpx.AsyncClient) -> None:
    """Whoever hands in what is new may say the same twice, with an id or without."""
    yes = [{"role": "user", "content": "Yes."}, {"role": "assistant", "content": "Done."}]
    for count in (2, 4):
        await turn(api, yes)
        stored = (await api.get("/v1/conversations/amihan/messages")).json()["messages"]
        assert count == len(stored)
    for number in range(2):
        await turn(api, [{"id": f"y{number}", "role": "user", "content": "Yes."}], session="other")
    assert 2 == len((await api.get("/v1/conversations/other/messages")).json()["messages"])


async def test_an_id_with_other_words_is_refused(api: httpx.AsyncClient) -> None:
    """409, and nothing of the turn is written; another date of the same words is no other message."""
    await turn(api, [line(0, ids=True)])
    again = line(0, ids=True) | {"created_at": "2026-01-05T09:00:00Z"}
    assert [] != (await turn(api, [again]))["messages"]
    changed = [line(1, ids=True), line(0, ids=True) | {"content": "Crate 0 is empty."}]
    answer = await api.post("/v1/conversations/amihan/turns", json={"user_id": "sade", "messages": changed})
    assert 409 == answer.status_code
    assert 1 == len((await api.get("/v1/conversations/amihan/messages")).json()["messages"])


#: What clients tell a model with each list: what hour it is, what was looked up, how to answer.
PROMPTS = {
    "of this hour": lambda turn, told: [{"role": "system", "content": f"It is {turn}:15. Be brief."}, *told],
    "of a developer, and of this hour": lambda turn, told: [
        {"role": "system", "content": "Be brief."}, {"role": "developer", "content": f"It is {turn}:15."}, *told,
    ],
    "the same, before what was said last": lambda turn, told: [
        *told[:-2], {"role": "system", "content": "Be brief."}, *told[-2:],
    ],
    "another from the fourth turn on": lambda turn, told: [
        {"role": "system", "content": "Be brief." if turn < 4 else "Be kind."}, *told,
    ],
    "none at first": lambda turn, told: [*([{"role": "system", "content": "Be brief."}] if turn else []), *told],
}  # fmt: skip


@pytest.mark.parametrize("prompt", PROMPTS.values(), ids=PROMPTS)
async def test_the_whole_history_behind_a_prompt(api: httpx.AsyncClient, prompt: Any) -> None:
    """Whatever a client tells the model with it: every message is stored once, and so is each place of a prompt."""
    for number in range(8):
        await turn(api, prompt(number, [line(at, ids=False) for at in range(2 * number + 2)]))
    rows = (await api.get("/v1/conversations/amihan/messages", params={"limit": 1000})).json()["messages"]
    talk = [row["message"]["content"] for row in rows if row["message"]["role"] in ("user", "assistant")]
    assert talk == [line(at, ids=False)["content"] for at in range(16)]
    prompts = [row["message"]["role"] for row in rows if row["message"]["role"] not in ("user", "assistant")]
    assert len(prompts) == len(set(prompts))


async def test_a_prompt_that_comes_in_the_middle_is_kept(api: httpx.AsyncClient) -> None:
    """As often as its words are others: it may say what happened then."""
    told: list[Body] = []
    for number in range(4):
        told += [{"role": "system", "content": f"Parcel {number} has come."}] if number else []
        told += [line(2 * number, ids=False), line(2 * number + 1, ids=False)]
        await turn(api, told)
    rows = (await api.get("/v1/conversations/amihan/messages", params={"limit": 1000})).json()["messages"]
    assert [row["message"]["content"] for row in rows] == [row["content"] for row in told]
