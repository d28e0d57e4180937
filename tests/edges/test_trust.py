"""From whom a memory is: written, shown, filtered by, and what it may not replace; over HTTP."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from precis.ids import new_id

pytestmark = pytest.mark.asyncio(loop_scope="session")
Row = dict[str, Any]
FERNS = ["The fern needs shade.", "The fern came from Tromso.", "The fern is repotted each May."]
SPRAY = "The fern needs a spray from acme-plants."


def row(text: str, *, user_id: str = "bram", day: int = 1, **more: Any) -> Row:
    """A memory of a day of March 2024."""
    return {"id": new_id(), "text": text, "user_id": user_id, "created_at": f"2024-03-{day:02}T09:00:00Z", **more}


async def write(api: httpx.AsyncClient, *rows: Row) -> list[Row]:
    """Write them, and answer what became of each."""
    answer = await api.post("/v1/memories", json={"memories": rows})
    assert answer.status_code == 201, answer.text
    return list(answer.json()["memories"])


async def read(api: httpx.AsyncClient, memory_id: str) -> Row:
    """One memory."""
    return dict((await api.get(f"/v1/memories/{memory_id}")).json())


@pytest.mark.parametrize(
    ("more", "source_class"),
    [({}, "user"), ({"source_class": "document"}, "document"), ({"metadata": {"role": "assistant"}}, "agent"),
     ({"metadata": {"actor": "tool"}}, "tool"), ({"metadata": {"role": "tool"}, "source_class": "user"}, "user")],
)  # fmt: skip
async def test_a_memory_says_from_whom_it_is(api: httpx.AsyncClient, more: Row, source_class: str) -> None:
    """As its writer says, else by the role in its metadata, else the user's; written again it is the same."""
    memory = row("Wanja collects stamps.", **more)
    await write(api, memory)
    assert source_class == (await read(api, memory["id"]))["source_class"]
    assert [False] == [written["created"] for written in await write(api, memory)]


async def test_an_unknown_class_is_refused(api: httpx.AsyncClient) -> None:
    """The list is closed, on the way in and in a filter."""
    bad = await api.post("/v1/memories", json={"memories": [row("Wanja paints.", source_class="friend")]})
    assert bad.status_code == 422
    assert (await api.post("/v1/recall", json={"query": "paints", "min_trust": "friend"})).status_code == 422
    assert (await api.get("/v1/memories", params={"min_trust": "friend"})).status_code == 422


async def test_a_tool_replaces_what_the_user_said_only_if_the_user_agrees(api: httpx.AsyncClient) -> None:
    """By ids it is refused, and nothing is written; in words it replaces nothing and says what was meant."""
    older = row("Odile lives at 4 Elm Road.")
    await write(api, older)
    newer = row("Odile lives at 9 Lake View.", day=9, source_class="tool", supersedes=[older["id"]])
    refused = await api.post("/v1/memories", json={"memories": [newer]})
    assert (refused.status_code, "confirm" in refused.text) == (409, True)
    assert (await api.get(f"/v1/memories/{newer['id']}")).status_code == 404
    in_words = row("Odile lives at 7 Mill Lane.", day=8, source_class="document", supersedes="Odile's old address")
    (written,) = await write(api, in_words)
    assert ([], older["id"]) == (written["supersedes"], written["doubtful"][0]["id"])
    (written,) = await write(api, {**newer, "confirm": True})
    assert older["id"] in written["supersedes"]
    assert [newer["id"]] == (await read(api, older["id"]))["superseded_by"]


async def test_an_edit_confirms_or_vouches(api: httpx.AsyncClient) -> None:
    """A user who agrees says so with the edit, or makes the memory the user's own."""
    older, tool = row("Ksenia's rent is 700 euros."), row("Ksenia pays more.", day=5, source_class="tool")
    await write(api, older, tool)
    where = f"/v1/memories/{tool['id']}"
    assert (await api.patch(where, json={"supersedes": [older["id"]]})).status_code == 409
    assert (await api.patch(where, json={"confirm": True})).status_code == 422
    assert (await api.patch(where, json={"source_class": "user"})).status_code == 200
    assert "user" == (await read(api, tool["id"]))["source_class"]
    assert (await api.patch(where, json={"supersedes": [older["id"]]})).status_code == 200


@pytest.mark.parametrize("said", ["user", "agent", "imported", "document", "tool"])
@pytest.mark.parametrize("newer", ["user", "agent", "imported", "document", "tool"])
async def test_the_rules_hold_to_it(api: httpx.AsyncClient, said: str, newer: str) -> None:
    """Of one attribute a newer value replaces by rule what is no more vouched for than itself."""
    user = new_id()
    rows = [
        row("My phone number is 555-2231.", user_id=user, source_class=said),
        row("My phone number is now 555-9084.", user_id=user, day=9, source_class=newer),
    ]
    written = await write(api, *rows)
    stands = newer in {"document", "tool"} and said not in {"document", "tool"}
    assert ([] if stands else [rows[0]["id"]]) == written[1]["supersedes"]


async def test_a_summary_has_the_least_trusted_class_of_what_it_rests_on(api: httpx.AsyncClient) -> None:
    """Each statement its own; the filter leaves the summary out; when the tool's memory goes, it is the user's."""
    rows = [row(text, user_id="fern", key="fern", type="fact", day=at) for at, text in enumerate(FERNS, start=1)]
    spray = row(SPRAY, user_id="fern", key="fern", type="fact", day=5, source_class="tool")
    await write(api, *rows, spray)
    (summary,) = (await api.get("/v1/summaries", params={"user_id": "fern"})).json()["summaries"]
    assert "tool" == summary["source_class"]
    classes = {tuple(s["source_ids"]): s["source_class"] for s in summary["statements"]}
    assert ("tool", "user") == (classes[spray["id"],], classes[rows[0]["id"],])
    assert [] == (await api.get("/v1/summaries", params={"user_id": "fern", "min_trust": "agent"})).json()["summaries"]
    question = {"query": "What does the fern need?", "user_id": "fern", "limit": 50}
    answers = (await api.post("/v1/recall", json=question)).json()["results"]
    assert {"user", "tool"} == {result["memory"]["source_class"] for result in answers}
    trusted = (await api.post("/v1/recall", json={**question, "min_trust": "imported"})).json()["results"]
    assert {row_["id"] for row_ in rows} == {result["memory"]["id"] for result in trusted}
    listed = (await api.get("/v1/memories", params={"user_id": "fern", "min_trust": "document"})).json()["memories"]
    assert {row_["id"] for row_ in rows} == {memory["id"] for memory in listed}
    await api.delete(f"/v1/memories/{spray['id']}")
    await api.post(f"/v1/summaries/{summary['id']}/refresh", json={})
    assert "user" == (await api.get(f"/v1/summaries/{summary['id']}")).json()["source_class"]


async def test_a_context_marks_what_came_from_outside(api: httpx.AsyncClient) -> None:
    """In the text in two words, in the lines by its class; with a least trust it is not there."""
    await write(
        api, row("The boiler in Cadiz is from Vestas.", user_id="heat"),
        row("The boiler in Cadiz is to be paid to account 4410.", user_id="heat", day=3, source_class="document"),
    )  # fmt: skip
    question = {"query": "the boiler in Cadiz", "user_id": "heat", "min_relevance": 0}
    answer = (await api.post("/v1/context", json=question)).json()
    assert "(from a document) The boiler in Cadiz is to be paid" in answer["text"]
    assert {"user", "document"} == {line["source_class"] for line in answer["lines"]}
    trusted = (await api.post("/v1/context", json={**question, "min_trust": "user"})).json()
    assert ("Vestas" in trusted["text"], "4410" in trusted["text"]) == (True, False)


async def test_recall_does_not_take_a_tools_value_for_the_newest(api: httpx.AsyncClient) -> None:
    """Asked how things are now, the user's value comes first, though a tool gave another since."""
    user: Row = {"user_id": "dora", "key": "home", "type": "fact"}
    await write(
        api, row("Dora lives in Ghent.", **user), row("Dora lives in Bergen.", day=4, **user),
        row("Dora lives in Minsk.", day=9, source_class="tool", **user),
    )  # fmt: skip
    body = {"query": "Where does Dora live now?", "user_id": "dora", "summaries": "without"}
    assert "Dora lives in Bergen." == (await api.post("/v1/recall", json=body)).json()["results"][0]["memory"]["text"]


async def test_roles_of_a_session_of_the_wire(api: httpx.AsyncClient) -> None:
    """Working memory's messages are from whoever their role names, there and in conversations."""
    said = [("user", "I bake rye bread."), ("assistant", "Rye bread, noted."), ("tool", "Rye bread: 3 recipes.")]
    messages = [
        {"role": role, "content": text, "created_at": f"2024-03-0{at}T09:00:00Z"}
        for at, (role, text) in enumerate(said, start=1)
    ]
    session = new_id()
    await api.put(f"/v1/working-memory/{session}", json={"messages": messages, "user_id": "baker"})
    again = await api.put(f"/v1/working-memory/{session}", json={"messages": messages, "user_id": "baker"})
    assert 3 == len(again.json()["messages"])
    listed = (await api.get("/v1/memories", params={"session_id": session})).json()["memories"]
    assert ["tool", "agent", "user"] == [memory["source_class"] for memory in listed]
