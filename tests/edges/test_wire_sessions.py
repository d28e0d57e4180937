"""Sessions of the wire as its clients use them: sent again under other ids, found, ended, begun again, and refused."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from ulid import ULID

from precis.app import App
from precis.bootstrap import Runtime

pytestmark = pytest.mark.asyncio(loop_scope="session")
Body = dict[str, Any]
ROOT = "/v1/working-memory"
LINES = (
    ("user", "Please order two sacks of rye flour."),
    ("assistant", "Two sacks of rye flour are ordered."),
    ("user", "The oven in the back is broken again."),
    ("assistant", "I have called Tesfaye, who repairs ovens."),
    ("user", "thanks"),
    ("assistant", "Anything else?"),
    ("user", "thanks"),
)


def transcript(count: int) -> list[Body]:
    """The first lines, each under an id that nobody has seen before."""
    return [{"id": str(ULID()), "role": role, "content": text} for role, text in LINES[:count]]


async def put(api: httpx.AsyncClient, session: str, messages: list[Body] | None = None, **body: Any) -> httpx.Response:
    """Write a session."""
    return await api.put(f"{ROOT}/{session}", json={"messages": messages or []} | body)


def texts(body: Body) -> list[str]:
    """What is said in an answer."""
    return [one["content"] for one in body["messages"]]


# --- sent again ---


async def test_a_transcript_under_fresh_ids_is_the_same_one(api: httpx.AsyncClient) -> None:
    """Every turn sends all of it under ids made anew: each line is stored once, with its first id and date."""
    first: Body = {}
    for count in range(1, len(LINES) + 1):
        body = (await put(api, "bakery", transcript(count), user_id="mei")).json()
        assert [text for _, text in LINES[:count]] == texts(body)
        first = first or body["messages"][0]
        assert first == body["messages"][0]
    stored = (await api.get("/v1/conversations/bakery/messages")).json()["messages"]
    assert len(LINES) == len(stored)


async def test_half_known_by_id_half_by_its_words(api: httpx.AsyncClient) -> None:
    """One client appends under ids it keeps, another sends all of it under ids of its own, as ADK's two services do."""
    kept: list[Body] = []
    for count in range(1, len(LINES) + 1):
        kept = (await put(api, "bakery", [*kept, *transcript(count)[-1:]])).json()["messages"]
        kept = (await put(api, "bakery", transcript(count))).json()["messages"]
        assert count == len(kept)
    assert [text for _, text in LINES] == [one["content"] for one in kept]


async def test_sending_all_of_it_again_after_a_summary(api: httpx.AsyncClient, app: App, runtime: Runtime) -> None:
    """What the summary covers is recognized too, stays behind it, and nothing is summarized twice."""
    long = [
        {"role": ("user", "assistant")[n % 2], "content": f"Shelf {n} holds {n * 13} jars of jam."} for n in range(60)
    ]
    params = {"context_window_max": 1000}
    for count in range(10, 61, 10):
        sent = [{"id": str(ULID()), **one} for one in long[:count]]
        answer = await api.put(f"{ROOT}/jam", json={"messages": sent}, params=params)
        body = answer.json()
        assert body["covered_count"] + len(body["messages"]) == count
        assert not body["degraded"]
    stored = (await api.get("/v1/conversations/jam/messages", params={"limit": 100})).json()["messages"]
    assert [one["content"] for one in long] == [one["message"]["content"] for one in stored]
    waiting = await runtime.store.summaries.due(
        app.parts.tenant_id, now=app.parts.engine.clock() + timedelta(hours=1), policies=["conversations"]
    )
    assert not waiting


async def test_a_line_in_the_middle_comes_and_goes(api: httpx.AsyncClient) -> None:
    """The order of the body is the order of the session, and of what a model is to read."""
    await put(api, "s1", [*transcript(1), *transcript(4)[3:]])
    body = (await put(api, "s1", transcript(4))).json()
    assert [text for _, text in LINES[:4]] == texts(body)
    context = (await api.get("/v1/conversations/s1/context")).json()
    assert [text for _, text in LINES[:4]] == [one["message"]["content"] for one in context["messages"]]
    body = (await put(api, "s1", [*transcript(2), *transcript(4)[3:]])).json()
    assert 3 == len(texts(body))


# --- found ---


async def test_a_name_alone_finds_what_has_exactly_that_name(api: httpx.AsyncClient) -> None:
    """First the session without user and namespace, then the only one there is; two of them are none."""
    await put(api, "shop", transcript(1), user_id="mei", namespace="app", data={"of": "mei"})
    assert (await api.get(f"{ROOT}/shop")).json()["data"] == {"of": "mei"}
    await put(api, "shop", data={"of": "nobody"})
    assert (await api.get(f"{ROOT}/shop")).json()["data"] == {"of": "nobody"}
    assert (await api.get(f"{ROOT}/shop", params={"user_id": "mei"})).json()["data"] == {"of": "mei"}
    assert (await api.get(f"{ROOT}/shop", params={"namespace": "app"})).json()["data"] == {"of": "mei"}
    assert (await api.get(f"{ROOT}/shop", params={"user_id": "tom"})).status_code == 404
    await put(api, "shop", user_id="tom", namespace="app")
    assert (await api.get(f"{ROOT}/shop", params={"namespace": "app"})).status_code == 404
    assert (await api.delete(f"{ROOT}/shop")).json() == {"status": "ok"}
    assert (await api.get(f"{ROOT}/shop")).status_code == 404
    assert (await api.get(f"{ROOT}/shop", params={"user_id": "mei"})).status_code == 200


async def test_the_list_without_its_slash_leads_to_the_list(api: httpx.AsyncClient, url: str, key: str) -> None:
    """Also below /t/<key>/, which the address does not repeat."""
    await put(api, "s1", transcript(1), user_id="mei")
    answer = await api.get(ROOT, params={"limit": 5})
    assert 307 == answer.status_code
    async with httpx.AsyncClient(follow_redirects=True) as client:
        plain = await client.get(f"{url}/t/{key}{ROOT}", params={"limit": 5, "user_id": "mei"})
    assert (["s1"], 1) == (plain.json()["sessions"], len(plain.history))
    assert key not in plain.history[0].headers["Location"]


async def test_an_answer_has_no_field_that_the_original_leaves_out(api: httpx.AsyncClient) -> None:
    """A client takes ``unsaved`` and ``new_session`` for those of a server that is gone."""
    for answer in (await put(api, "s1", transcript(2)), await api.get(f"{ROOT}/s1")):
        assert {"unsaved", "new_session"}.isdisjoint(answer.json())


# --- ended and begun again ---


async def test_a_deleted_session_can_be_written_again(api: httpx.AsyncClient) -> None:
    """With the same ids, and a summary from elsewhere, as often as one likes."""
    messages = transcript(4)
    for context in ("Mei runs a bakery.", "Mei runs two bakeries."):
        answer = await put(api, "s1", messages, context=context)
        assert 200 == answer.status_code, answer.text
        assert (context, 4) == (answer.json()["context"], len(answer.json()["messages"]))
        await api.delete(f"{ROOT}/s1")
        assert (await api.get(f"{ROOT}/s1")).status_code == 404


async def test_a_message_that_was_left_out_may_come_back(api: httpx.AsyncClient) -> None:
    """Leaving out is an edit of the session."""
    messages = transcript(4)
    for sent in (messages, messages[:2], messages, []):
        assert [one["id"] for one in sent] == [one["id"] for one in (await put(api, "s1", sent)).json()["messages"]]


async def test_a_session_that_ran_out_begins_empty(api: httpx.AsyncClient, app: App) -> None:
    """Nothing of it is there any more, and the same ids may be written again."""
    messages = transcript(3)
    await put(api, "s1", messages, ttl_seconds=1, data={"old": True})
    await asyncio.sleep(1.1)
    assert (await api.get(f"{ROOT}/s1")).status_code == 404
    body = (await put(api, "s1", messages[1:])).json()
    assert (2, None) == (len(body["messages"]), body["data"])
    assert 2 == len((await app.memories.list()).rows)


async def test_what_a_person_forgot_stays_forgotten(api: httpx.AsyncClient) -> None:
    """By /v1, whatever of it: then the wire answers 410 for its id, and writes nothing."""
    messages = transcript(3)
    body = (await put(api, "s1", messages)).json()
    assert (await api.delete(f"/v1/memories/{body['messages'][1]['memory_id']}")).status_code == 200
    answer = await put(api, "s1", [*messages, *transcript(4)[3:]], data={"step": 2})
    assert 410 == answer.status_code
    found = (await api.get(f"{ROOT}/s1")).json()
    assert ([LINES[0][1], LINES[2][1]], None) == (texts(found), found["data"])
    assert (await api.delete("/v1/conversations/s1")).status_code == 200
    assert (await put(api, "s1", messages[:1])).status_code == 410
    assert (await put(api, "s1", transcript(1))).status_code == 200


async def test_forgetting_after_a_deletion_is_still_forgetting(api: httpx.AsyncClient) -> None:
    """A message that came back after its session was deleted can be forgotten for good."""
    messages = transcript(1)
    await put(api, "s1", messages)
    await api.delete(f"{ROOT}/s1")
    body = (await put(api, "s1", messages)).json()
    assert (await api.delete(f"/v1/memories/{body['messages'][0]['memory_id']}")).status_code == 200
    await api.delete(f"{ROOT}/s1")
    assert (await put(api, "s1", messages)).status_code == 410


# --- ids, owners and limits ---


ODD = [
    "Ana Lima",
    "team/blue 7",
    "naïve café",
    "\u540d\u524d",
    "a" * 512,
    "\U0001f9c1" * 512,
    "100% sure?&x=1#y",
    "'; --",
]


@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
async def test_ids_are_any_text(api: httpx.AsyncClient, odd: str) -> None:
    """Of messages, users, memories, sessions and namespaces; what is written can be found, read and forgotten."""
    path = f"{ROOT}/{quote(odd)}"
    message = {"id": odd, "role": "user", "content": LINES[0][1]}
    answer = await api.put(path, json={"messages": [message], "user_id": odd, "namespace": odd})
    assert 200 == answer.status_code, answer.text
    found = (await api.get(path, params={"user_id": odd, "namespace": odd})).json()
    assert (odd, odd, odd, odd) == (
        found["session_id"], found["user_id"], found["namespace"], found["messages"][0]["id"],
    )  # fmt: skip
    memory = {"id": f"m{odd}"[:512], "text": LINES[1][1], "user_id": odd}
    answer = await api.post("/v1/long-term-memory/", json={"memories": [memory]})
    assert 200 == answer.status_code, answer.text
    search = {"text": "rye", "user_id": {"eq": odd}, "memory_type": {"eq": "semantic"}}
    hits = (await api.post("/v1/long-term-memory/search", json=search)).json()
    assert [memory["id"]] == [one["id"] for one in hits["memories"]]
    native = (await api.get("/v1/memories", params={"user_id": odd})).json()["memories"]
    assert {memory["id"], found["messages"][0]["memory_id"]} == {one["id"] for one in native}
    assert (await api.post("/v1/forget", json={"ids": [memory["id"]]})).json()["forgotten"] == [memory["id"]]


async def test_ids_that_no_index_can_hold_together_are_refused(api: httpx.AsyncClient) -> None:
    """Two of 512 characters of four bytes each, all different: 422 in words, and nothing is written."""
    ids = ["".join(chr(0x20000 + at * 97 % 40_000) for at in range(first, first + 512)) for first in (0, 512)]
    memory = {"id": ids[0], "text": LINES[0][1], "user_id": ids[1]}
    answer = await api.post("/v1/long-term-memory/", json={"memories": [memory]})
    assert (422, True) == (answer.status_code, "too long together" in answer.text)
    assert (
        200 == (await api.post("/v1/long-term-memory/", json={"memories": [memory | {"user_id": "mei"}]})).status_code
    )
    assert 200 == (await put(api, "s1", [{"id": ids[0], "role": "user", "content": "Hi"}], user_id=ids[1])).status_code


@pytest.mark.parametrize("bad", ["", "a" * 513, "a\nb", "\x7f", "\x85"])
async def test_what_is_no_id_is_named_with_its_row(api: httpx.AsyncClient, bad: str) -> None:
    """422, and nothing of the batch is written."""
    rows = [{"id": "good", "text": LINES[0][1]}, {"id": "other", "text": LINES[1][1]}, {"id": bad, "text": LINES[2][1]}]
    answer = await api.post("/v1/long-term-memory/", json={"memories": rows})
    assert 422 == answer.status_code
    detail = answer.json()["detail"]
    where = answer.json()["field"] if isinstance(detail, str) else ".".join(map(str, detail[0]["loc"]))
    assert where.removeprefix("body.") == "memories.2.id"
    assert (await api.get("/v1/long-term-memory/good")).status_code == 404


async def test_a_refused_row_is_named(api: httpx.AsyncClient) -> None:
    """One that was forgotten, one of another user, one that is too long: the others of its batch can be sent again."""
    owned = {"id": "hers", "text": LINES[0][1], "user_id": "mei"}
    gone = {"id": "gone", "text": LINES[1][1], "user_id": "mei"}
    await api.post("/v1/long-term-memory/", json={"memories": [owned, gone]})
    await api.delete("/v1/memories/gone")
    good = {"id": "new", "text": LINES[2][1], "user_id": "tom"}
    for bad, status in (
        (gone, 410),
        ({**owned, "user_id": "tom", "text": "It is all mine now."}, 409),
        ({"id": "long", "text": "x" * 200_001}, 422),
    ):
        for answer in (
            await api.post("/v1/long-term-memory/", json={"memories": [good, bad]}),
            await put(api, "s1", transcript(1), memories=[good, bad], user_id="tom"),
        ):
            assert status == answer.status_code, answer.text
            assert "memories.1" in answer.text
    assert (await api.get("/v1/long-term-memory/new")).status_code == 404
    assert (await api.get(f"{ROOT}/s1")).status_code == 404
    kept = (await api.get("/v1/long-term-memory/hers")).json()
    assert ("mei", LINES[0][1]) == (kept["user_id"], kept["text"])


async def test_a_long_text_is_taken(api: httpx.AsyncClient) -> None:
    """The limit of the original is 200,000 characters, in a memory and in an edit of one."""
    text = "Mei bakes bread. " * 11_764
    answer = await api.post("/v1/long-term-memory/", json={"memories": [{"id": "long", "text": text[:200_000]}]})
    assert 200 == answer.status_code, answer.text
    assert text[:200_000] == (await api.get("/v1/long-term-memory/long")).json()["text"]
    edited = await api.patch("/v1/long-term-memory/long", json={"text": text[1:200_001]})
    assert 200 == edited.status_code


async def test_a_refused_message_is_named_as_its_client_names_it(api: httpx.AsyncClient) -> None:
    """By the id in the body: one that is there twice, and one that a person forgot."""
    twice = [{"id": "m1", "role": "user", "content": text} for text in ("The kiln is on.", "The kiln is off.")]
    refused = await api.put("/v1/working-memory/kiln", json={"messages": twice})
    assert refused.status_code == 409
    assert refused.json()["detail"].startswith("this write has 'm1' twice, with different content")
    body = {"messages": [{"id": "m1", "role": "user", "content": "The kiln is on."}]}
    written = (await api.put("/v1/working-memory/kiln", json=body)).json()["messages"][0]
    await api.post("/v1/forget", json={"ids": [written["memory_id"]]})
    refused = await api.put("/v1/working-memory/kiln", json=body)
    assert (refused.status_code, refused.json()["detail"]) == (410, "message 'm1' was forgotten; leave it out")


async def test_an_edit_takes_the_words_of_lists_that_a_write_takes(api: httpx.AsyncClient) -> None:
    """A comma separates them; an id with a control character is refused by the name of its field."""
    await api.post("/v1/long-term-memory/", json={"memories": [{"id": "w1", "text": "The kiln is on."}]})
    assert (await api.patch("/v1/long-term-memory/w1", json={"topics": ["clay,fire"]})).status_code == 422
    assert (await api.patch("/v1/long-term-memory/w1", json={"topics": ["clay"]})).json()["topics"] == ["clay"]
    bad = {"id": "w2", "text": "The kiln is on.", "user_id": "a\u0001b"}
    refused = await api.post("/v1/long-term-memory/", json={"memories": [bad]})
    assert refused.json()["field"] == "memories.0.user_id"


async def test_if_match_may_list_several_versions(api: httpx.AsyncClient) -> None:
    """Any of them that is the current one is enough."""
    body = {"messages": [{"id": "m1", "role": "user", "content": "The kiln is on."}]}
    tag = (await api.put("/v1/working-memory/tags", json=body)).headers["ETag"]
    listed = await api.put("/v1/working-memory/tags", json=body, headers={"If-Match": f'"other", {tag}'})
    assert listed.status_code == 200
    others = await api.put("/v1/working-memory/tags", json=body, headers={"If-Match": '"other", "another"'})
    assert others.status_code == 412
