"""Messages that come again under their ids and say more by now, over REST: the last version counts."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from precis.app import App
from precis.app.conversing import content_parts

pytestmark = pytest.mark.asyncio(loop_scope="session")
Body = dict[str, Any]
ASKS: Body = {"id": "q1", "role": "user", "content": "Wann fährt der letzte Zug nach Bludenz?"}
WHOLE = "Der letzte Zug nach Bludenz fährt um 23:14. Danach gibt es einen Nachtbus.\n\n- Linie N7\n- ab Bahnhof Egg"
NEXT: Body = {"id": "q2", "role": "user", "content": "Und was kostet der Nachtbus?"}


def answer(length: int | None = None, text: str = WHOLE, id_: str = "a1") -> Body:
    """As much of an answer as has come."""
    return {"id": id_, "role": "assistant", "content": text[:length]}


async def turn(api: httpx.AsyncClient, name: str, *messages: Body, status: int = 201) -> Body:
    """Write one."""
    done = await api.post(f"/v1/conversations/{name}/turns", json={"user_id": "imke", "messages": list(messages)})
    assert done.status_code == status, done.text
    return dict(done.json())


async def stored(api: httpx.AsyncClient, name: str) -> list[Body]:
    """Its messages as they come back."""
    return list((await api.get(f"/v1/conversations/{name}/messages")).json()["messages"])


async def said(api: httpx.AsyncClient, name: str) -> list[Any]:
    """What they say."""
    return [row["message"]["content"] for row in await stored(api, name)]


async def remembered(api: httpx.AsyncClient, name: str) -> list[str]:
    """What their memories say."""
    return [(await api.get(f"/v1/memories/{row['memory_id']}")).json()["text"] for row in await stored(api, name)]


async def forget(api: httpx.AsyncClient, what: str) -> Body:
    """In words, at once."""
    done = await api.post("/v1/forget", json={"user_id": "imke", "what": what, "confirm": True})
    assert done.status_code == 200, done.text
    return dict(done.json())


async def test_an_answer_saved_while_it_is_streamed(api: httpx.AsyncClient) -> None:
    """Each piece of it is posted, with the history or alone; place and date stay, and recall finds the end of it."""
    await turn(api, "stream", ASKS, answer(17))
    first = (await stored(api, "stream"))[1]
    await turn(api, "stream", answer(40))
    await turn(api, "stream", ASKS, answer(), NEXT)
    await turn(api, "stream", ASKS, answer(), NEXT, answer(text="Er kostet 4,80 Euro.", id_="a2"))
    rows = await stored(api, "stream")
    assert [row["message"]["content"] for row in rows] == [
        ASKS["content"], WHOLE, NEXT["content"], "Er kostet 4,80 Euro.",
    ]  # fmt: skip
    assert [row["seq"] for row in rows] == [1, 2, 3, 4]
    assert {name: rows[1][name] for name in ("seq", "created_at", "memory_id")} == {
        name: first[name] for name in ("seq", "created_at", "memory_id")
    }
    found = await api.post("/v1/recall", json={"user_id": "imke", "query": "Linie N7 ab Bahnhof Egg"})
    assert "Linie N7" in str(found.json()["results"][0])


async def test_two_tabs(api: httpx.AsyncClient) -> None:
    """Whichever version comes last, and all at once: the longest stays, and is what the answer shows."""
    await turn(api, "tabs", ASKS, answer(20))
    await turn(api, "tabs", answer(60))
    late = await turn(api, "tabs", ASKS, answer(20), NEXT)
    assert [row["message"]["content"] for row in late["messages"]][1] == WHOLE[:60]
    await asyncio.gather(*(turn(api, "tabs", ASKS, answer(length)) for length in (None, 30, 45, 70, 62)))
    assert await said(api, "tabs") == [ASKS["content"], WHOLE, NEXT["content"]]


async def test_other_words_are_refused(api: httpx.AsyncClient) -> None:
    """The message says why and what to do; of a user's own words a shorter version is another one, too."""
    mine = {"id": "u1", "role": "user", "content": "Ich nehme 5"}
    await turn(api, "other", mine, answer(30))
    for message in (
        answer(text="Heute fährt keiner mehr."), {**mine, "content": "Ich nehme 50 Stück"},
        {**mine, "content": "Ich nehme"}, {**mine, "role": "assistant"},
    ):  # fmt: skip
        refused = await turn(api, "other", message, status=409)
        assert "exists with other content" in refused["detail"]
        assert "PATCH memory" in refused["detail"]
    assert await said(api, "other") == [mine["content"], WHOLE[:30]]
    await turn(api, "other", {**mine, "content": "Ich nehme 5 Stück."})
    assert (await said(api, "other"))[0] == "Ich nehme 5 Stück."


def screen(state: str | None = None, text: str = "", **more: Any) -> Body:
    """An answer of the AI SDK's screens with a tool that runs in the browser."""
    parts: list[Body] = [
        {"type": "step-start"}, {"type": "reasoning", "text": "Wo ist er?"}, {"type": "text", "text": "Moment."},
    ]  # fmt: skip
    if state is not None:
        parts += [{"type": "tool-locate", "toolCallId": "c9", "state": state, "input": {"exact": True}, **more}]
    return {"id": "s1", "role": "assistant", "parts": parts + ([{"type": "text", "text": text}] if text else [])}


async def test_a_tool_that_returns_later(api: httpx.AsyncClient) -> None:
    """Its call is written while its arguments come; then what it returned, then what is said about it."""
    versions = [
        screen(), screen("input-streaming", input={"ex": ""}), screen("input-available"),
        screen("output-available", output={"town": "Hohenems"}),
        screen("output-available", "Du bist in Hohenems.", output={"town": "Hohenems"}),
    ]  # fmt: skip
    for version in versions:
        for _ in range(2):
            await turn(api, "tool", ASKS, version)
        assert (await stored(api, "tool"))[1]["message"]["parts"] == version["parts"]
    for version in versions:
        await turn(api, "tool", ASKS, version)
    assert (await stored(api, "tool"))[1]["message"]["parts"] == versions[-1]["parts"]
    assert (await remembered(api, "tool"))[1] == 'Moment.\n[calls locate {"exact":true}]\nDu bist in Hohenems.'
    await turn(api, "tool", screen("output-available", "Du bist in Lustenau.", output={}), status=409)


async def test_a_call_whose_arguments_are_streamed(api: httpx.AsyncClient) -> None:
    """As OpenAI's API has it: words and calls grow side by side."""

    def asks(words: str, arguments: str) -> Body:
        call = {"id": "c1", "type": "function", "function": {"name": "fare", "arguments": arguments}}
        return {"id": "m1", "role": "assistant", "content": words, "tool_calls": [call]}

    for message in (asks("Ich", '{"to'), asks("Ich schaue nach.", '{"to": "Lech"}'), asks("Ich", '{"to')):
        await turn(api, "calls", message)
    row = (await stored(api, "calls"))[0]["message"]
    assert (row["content"], row["tool_calls"]) == ("Ich schaue nach.", asks("", '{"to": "Lech"}')["tool_calls"])
    result = {"id": "m2", "role": "tool", "tool_call_id": "c1", "content": ""}
    await turn(api, "calls", result)
    await turn(api, "calls", result | {"content": "12,40 Euro"})
    assert (await said(api, "calls"))[1] == "12,40 Euro"


async def test_nothing_that_was_forgotten_comes_back(api: httpx.AsyncClient) -> None:
    """A part is forgotten of the half, at its beginning or at its end: it stays as it is and is named, at each post."""
    told = {
        "front": ("Doktor Zwettler wohnt in Retz. Der Hund heißt Poldi.", "Der Hund heißt Poldi."),
        "back": ("Der Hund heißt Poldi. Doktor Zwettler wohnt in Retz.", "Der Hund heißt Poldi."),
    }
    for name, (half, rest) in told.items():
        row = {"id": "a1", "role": "assistant", "content": half}
        grown = row | {"content": f"{half} Er bellt viel."}
        await turn(api, name, ASKS, row)
        assert len((await forget(api, "everything about Doktor Zwettler"))["edited"]) == 1
        assert (await said(api, name))[1] == rest
        for messages in ((ASKS, grown), (ASKS, grown, NEXT), (ASKS, row, NEXT), (ASKS, row | {"content": half[:-9]})):
            done = await turn(api, name, *messages)
            assert done["forgotten"] == ([] if row in messages else ["a1"])
            assert "Zwettler" not in str(await stored(api, name))
        assert await said(api, name) == [ASKS["content"], rest, NEXT["content"]]
        mine = {"id": "u1", "role": "user", "content": half}
        await turn(api, name, mine)
        assert len((await forget(api, "everything about Doktor Zwettler"))["edited"]) == 1
        assert (await turn(api, name, mine | {"content": f"{half} Er bellt viel."}))["forgotten"] == ["u1"]
        assert (await said(api, name))[3] == rest
        await turn(api, name, mine | {"content": "Heute regnet es."}, status=409)


async def test_what_its_owner_edited_stays_so(api: httpx.AsyncClient) -> None:
    """The text that an edit took away does not come back with a later version; it is named."""
    half = "Die PIN der Garage ist 7714. Der Schlüssel hängt innen."
    await turn(api, "edited", ASKS, answer(text=half))
    id_ = (await stored(api, "edited"))[1]["memory_id"]
    assert (await api.patch(f"/v1/memories/{id_}", json={"text": "Die PIN der Garage"})).status_code == 200
    done = await turn(api, "edited", ASKS, answer(text=f"{half} Licht ist links."), NEXT)
    assert done["forgotten"] == ["a1"]
    assert await said(api, "edited") == [ASKS["content"], "Die PIN der Garage", NEXT["content"]]


async def test_forgotten_whole_it_stays_forgotten(api: httpx.AsyncClient) -> None:
    """Its later version has its id."""
    await turn(api, "whole", ASKS, answer(30))
    id_ = (await stored(api, "whole"))[1]["memory_id"]
    await api.post("/v1/forget", json={"ids": [id_]})
    done = await turn(api, "whole", ASKS, answer(), NEXT)
    assert done["forgotten"] == ["a1"]
    assert await said(api, "whole") == [ASKS["content"], NEXT["content"]]


async def test_a_half_that_a_summary_has_read(api: httpx.AsyncClient, app: App) -> None:
    """The summary follows as with any edit; and what is handed over in the turn that brings the rest is the rest."""
    half = "The tiler Benedek comes on Monday"
    told = [
        {"id": f"p{at}", "role": ("user", "assistant")[at % 2], "content": f"Room {at} gets tiles of kind {at * 7}."}
        for at in range(24)
    ]  # fmt: skip
    told[1] = {"id": "p1", "role": "assistant", "content": half}
    await turn(api, "sums", *told)
    context = (await api.get("/v1/conversations/sums/context")).json()
    assert context["covered"] > 1
    told[1] |= {"content": f"{half} and costs 900 euros."}
    await turn(api, "sums", *told)
    await app.summaries.refresh_all()
    context = (await api.get("/v1/conversations/sums/context")).json()
    assert "Benedek comes on Monday." not in str(context["statements"])
    shown = await app.conversations.expand("sums", user_id="imke")
    assert [row.text for row in shown][1] == told[1]["content"]


async def test_facts_of_the_later_version(api: httpx.AsyncClient, app: App) -> None:
    """Those of a user's message that grew; the first version is read no more."""
    mine = {"id": "f1", "role": "user", "content": "I moved to Feldkirch."}
    await turn(api, "grows", mine)
    await app.facts.read(at_once=True)
    await turn(api, "grows", mine | {"content": "I moved to Feldkirch. My daughter Ronja is allergic to walnuts."})
    await app.facts.read(at_once=True)
    rows = (await api.get("/v1/memories", params={"user_id": "imke", "is_summary": "false"})).json()["memories"]
    assert sorted(row["text"] for row in rows if row["memory_type"] != "message") == [
        "I moved to Feldkirch.", "My daughter Ronja is allergic to walnuts.",
    ]  # fmt: skip


async def test_what_another_reading_stored(api: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """An earlier release read the reasoning as words: the same message under its id is the same message."""
    spoken = tuple(name for name in content_parts._UNSPOKEN if name != "reasoning")
    monkeypatch.setattr(content_parts, "_UNSPOKEN", spoken)
    await turn(api, "older", ASKS, screen())
    assert (await remembered(api, "older"))[1] == "Wo ist er?\nMoment."
    monkeypatch.undo()
    await turn(api, "older", ASKS, screen(), NEXT)
    await turn(api, "older", ASKS, screen("output-available", "Gefunden.", output=1), NEXT)
    assert (await remembered(api, "older"))[1] == 'Moment.\n[calls locate {"exact":true}]\nGefunden.'


async def test_nothing_is_half_written(api: httpx.AsyncClient, app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words, what belongs to them and what rests on them change in one transaction; the next post does it again."""
    await turn(api, "torn", ASKS, screen("input-available"))
    before = (await stored(api, "torn"))[1]
    later = screen("output-available", "Du bist in Rankweil.", output={"town": "Rankweil"})
    forgetting = type(app.parts.store.memories._forgetting)

    async def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("the process dies here")

    with monkeypatch.context() as patched:
        patched.setattr(forgetting, "remove_facts", broken)
        await turn(api, "torn", ASKS, later, NEXT, status=500)
    assert (await stored(api, "torn"))[1] == before
    await turn(api, "torn", ASKS, later, NEXT)
    assert (await stored(api, "torn"))[1]["message"]["parts"] == later["parts"]


async def put(api: httpx.AsyncClient, name: str, *messages: Body) -> list[str]:
    """Write a session of the wire; answers what it says then."""
    body = {"user_id": "imke", "messages": list(messages)}
    done = await api.put(f"/v1/working-memory/{name}", json=body)
    assert done.status_code == 200, done.text
    return [row["content"] for row in done.json()["messages"]]


async def test_in_a_session_of_the_wire(api: httpx.AsyncClient) -> None:
    """It reads as the body says, longer or shorter; only what was forgotten of a message does not come back."""
    half = "Doktor Zwettler wohnt in Retz. Der Hund heißt Poldi."
    for text in (half[:20], half, half[:30], half):
        assert await put(api, "wire", ASKS, answer(text=text)) == [ASKS["content"], text]
    assert len((await forget(api, "everything about Doktor Zwettler"))["edited"]) == 1
    rest = [ASKS["content"], "Der Hund heißt Poldi."]
    for text in (half, f"{half} Er bellt viel."):
        assert await put(api, "wire", ASKS, answer(text=text)) == rest
    assert await put(api, "wire", ASKS, answer(text="Heute regnet es.")) == [ASKS["content"], "Heute regnet es."]


async def test_a_session_leaves_what_a_turn_stored_beside_the_words(api: httpx.AsyncClient) -> None:
    """The wire has no such field."""
    await turn(api, "both", ASKS, screen("output-available", "Da.", output={"town": "Egg"}))
    before = await stored(api, "both")
    await put(api, "both", ASKS, {"id": "s1", "role": "assistant", "content": (await remembered(api, "both"))[1]})
    assert await stored(api, "both") == before


async def test_facts_of_who_is_called_human(api: httpx.AsyncClient, app: App) -> None:
    """A session keeps the names of roles as they come: what a human says is read as what a user says."""
    await put(api, "human", {"id": "h1", "role": "human", "content": "I work as a cooper in Hohenems."})
    await app.facts.read(at_once=True)
    rows = (await api.get("/v1/memories", params={"user_id": "imke", "is_summary": "false"})).json()["memories"]
    assert [row["text"] for row in rows if row["memory_type"] != "message"] == ["I work as a cooper in Hohenems."]


async def test_ids_of_answers_alone(api: httpx.AsyncClient) -> None:
    """As OpenAI's APIs have it: what the user says has none, and all of the talk comes each time."""
    told: list[Body] = []
    for number in range(4):
        told.append({"role": "user", "content": f"Wie heißt Halt {number}?"})
        for length in (12, None):
            grown = answer(length, f"Die Haltestelle heißt Gasse {number}.", f"msg_{number}")
            await turn(api, "mixed", *told, grown)
        told.append(grown)
    assert await said(api, "mixed") == [row["content"] for row in told]
