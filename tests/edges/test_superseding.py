"""A memory that replaces another one, over HTTP: by ids, in words, by the rules; what leaves, and what comes back."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest

from precis.app import App, app_over
from precis.ids import new_id
from precis.store.changes.writing import Added
from precis.testing.clock import FrozenClock

pytestmark = pytest.mark.asyncio(loop_scope="session")
Row = dict[str, Any]
TRAINS = ["I like trains.", "I like night trains.", "I like slow trains.", "I like trains with a dining car."]


def row(text: str, *, user_id: str = "ines", day: int = 1, **more: Any) -> Row:
    """A memory of a day of May 2024."""
    return {"id": new_id(), "text": text, "user_id": user_id, "created_at": f"2024-05-{day:02}T09:00:00Z", **more}


async def write(api: httpx.AsyncClient, *rows: Row) -> list[Row]:
    """Write them, and answer what became of each."""
    answer = await api.post("/v1/memories", json={"memories": rows})
    assert answer.status_code == 201, answer.text
    return list(answer.json()["memories"])


async def recalled(api: httpx.AsyncClient, query: str, **more: Any) -> list[str]:
    """Ids of the raw rows that recall answers."""
    answer = await api.post("/v1/recall", json={"query": query, "limit": 50, "summaries": "without", **more})
    assert answer.status_code == 200, answer.text
    return [result["memory"]["id"] for result in answer.json()["results"]]


async def context(api: httpx.AsyncClient, query: str, **more: Any) -> str:
    """The text of a context."""
    answer = await api.post("/v1/context", json={"query": query, "min_relevance": 0, **more})
    return str(answer.json()["text"])


async def summaries(api: httpx.AsyncClient, **more: Any) -> list[Row]:
    """Every summary."""
    return list((await api.get("/v1/summaries", params=more)).json()["summaries"])


async def test_what_is_named_by_its_id_leaves_recall_context_and_summaries(api: httpx.AsyncClient) -> None:
    """The row stays, and each side names the other."""
    rows = [row(text, type="preference", key="trains") for text in TRAINS]
    await write(api, *rows)
    assert "dining car" in (await summaries(api))[0]["text"]
    newer = row("I like trains with bunks.", day=9, type="preference", key="trains", supersedes=[rows[3]["id"]])
    (written,) = await write(api, newer)
    assert [rows[3]["id"]] == written["supersedes"]
    assert rows[3]["id"] not in await recalled(api, "trains with a dining car")
    assert newer["id"] in await recalled(api, "trains with a dining car")
    assert "dining car" not in await context(api, "trains with a dining car")
    (summary,) = await summaries(api)
    assert "dining car" not in summary["text"]
    assert "bunks" in summary["text"]
    assert (rows[3]["id"] in summary["leaf_source_ids"], summary["stale"]) == (False, False)
    older = (await api.get(f"/v1/memories/{rows[3]['id']}")).json()
    assert (older["text"], older["superseded_by"], older["superseded_at"]) == (
        TRAINS[3], [newer["id"]], "2024-05-09T09:00:00Z"
    )  # fmt: skip
    assert [rows[3]["id"]] == (await api.get(f"/v1/memories/{newer['id']}")).json()["supersedes"]


async def test_it_comes_back_when_the_newer_one_is_forgotten(api: httpx.AsyncClient) -> None:
    """In recall at once, in the summary with its refresh."""
    rows = [row(text, type="preference", key="trains") for text in TRAINS]
    await write(api, *rows)
    newer = row("I like trains with bunks.", day=9, type="preference", key="trains", supersedes=[rows[3]["id"]])
    await write(api, newer)
    assert (await api.delete(f"/v1/memories/{newer['id']}")).status_code == 200
    assert rows[3]["id"] in await recalled(api, "trains with a dining car")
    back = (await api.get(f"/v1/memories/{rows[3]['id']}")).json()
    assert (back["superseded_by"], back["superseded_at"]) == ([], None)
    (summary,) = await summaries(api)
    await api.post(f"/v1/summaries/{summary['id']}/refresh")
    (summary,) = await summaries(api)
    assert "dining car" in summary["text"]
    assert rows[3]["id"] in summary["leaf_source_ids"]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Imre lives in Graz.", "Imre moved to Linz."),
        ("My phone number is 555-2231.", "My phone number is now 555-9084."),
        ("Odile works at Lufthansa.", "Odile quit Lufthansa."),
        ("The rent is 720 euros.", "The rent is 765 euros now."),
    ],
)
async def test_the_rules_replace_what_nothing_is_left_of(api: httpx.AsyncClient, older: str, newer: str) -> None:
    """With two memories, and so without a summary; whichever of them is written first."""
    old, new = row(older), row(newer, day=5)
    await write(api, old)
    (written,) = await write(api, new)
    assert [old["id"]] == written["supersedes"]
    assert [new["id"]] == await recalled(api, older)
    again = [await write(api, sent) for sent in (new, old)]
    assert [(row["created"], row["supersedes"], row["superseded_by"]) for (row,) in again] == [
        (False, [old["id"]], []), (False, [], [new["id"]])
    ]  # fmt: skip
    late = row(older, user_id="late"), row(newer, day=5, user_id="late")
    await write(api, late[1])
    (written,) = await write(api, late[0])
    assert [late[1]["id"]] == written["superseded_by"]
    assert [late[1]["id"]] == await recalled(api, older, user_id="late")


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Imre lives in Graz.", "Odile moved to Linz."),
        ("Imre lives in Graz. He has two cats.", "Imre moved to Linz."),
        ("Imre likes tea.", "Imre likes coffee."),
        ("Imre met Odile in Graz.", "Imre met Odile in Linz."),
    ],
)
async def test_in_doubt_both_stand(api: httpx.AsyncClient, older: str, newer: str) -> None:
    """Of somebody else, with something that is nowhere else, or of what there may be two."""
    rows = row(older), row(newer, day=5)
    await write(api, *rows)
    assert {entry["id"] for entry in rows} == set(await recalled(api, older))


async def test_what_was_said_or_happened_is_not_out_of_date(api: httpx.AsyncClient) -> None:
    """The rules leave messages and notes of a day alone."""
    for kind in ("message", "episodic"):
        rows = [row(text, user_id=kind, day=day, memory_type=kind) for day, text in enumerate(
            ("Imre lives in Graz.", "Imre moved to Linz."), start=1)]  # fmt: skip
        await write(api, *rows)
        assert {entry["id"] for entry in rows} == set(await recalled(api, "where Imre lives", user_id=kind))


async def test_words_name_what_is_replaced(api: httpx.AsyncClient) -> None:
    """Where it is sure which memory is meant."""
    old, bystander = row("Odile lives at 4 Elm Road."), row("Odile forgot the address of the bakery.")
    await write(api, old, bystander)
    new = row("Odile found a place in Ghent.", day=9, supersedes="Odile's old address")
    (written,) = await write(api, new)
    assert ([old["id"]], []) == (written["supersedes"], written["doubtful"])
    assert old["id"] not in await recalled(api, "Odile address")
    assert bystander["id"] in await recalled(api, "Odile address")


async def test_words_in_doubt_replace_nothing_and_list_what_may_be_meant(api: httpx.AsyncClient) -> None:
    """The new memory is written; ids and texts of the others are in the answer. In an edit it is 409."""
    rows = [row("Odile lives at 4 Elm Road."), row("Odile has a flat in Ghent as well.")]
    await write(api, *rows)
    new = row("We meet on Fridays.", day=9, supersedes="Odile's address")
    (written,) = await write(api, new | {"supersedes": "the note on Odile"})
    assert ([], True) == (written["supersedes"], written["created"])
    assert {entry["id"] for entry in rows} == {entry["id"] for entry in written["doubtful"]}
    assert {entry["id"] for entry in rows} <= set(await recalled(api, "Odile"))
    answer = await api.patch(f"/v1/memories/{new['id']}", json={"supersedes": "the note on Odile"})
    assert answer.status_code == 409
    assert rows[0]["id"] in answer.json()["detail"]


async def test_an_edit_says_what_a_memory_replaces_and_takes_it_back(api: httpx.AsyncClient) -> None:
    """An empty list takes it back; a change of the text is read by the rules again."""
    old, new = row("I take the night train."), row("I take the bus.", day=4)
    await write(api, old, new)
    answer = await api.patch(f"/v1/memories/{new['id']}", json={"supersedes": [old["id"]]})
    assert [old["id"]] == answer.json()["memory"]["supersedes"]
    assert old["id"] not in await recalled(api, "night train")
    await api.patch(f"/v1/memories/{new['id']}", json={"pinned": True})
    assert old["id"] not in await recalled(api, "night train")
    await api.patch(f"/v1/memories/{new['id']}", json={"supersedes": []})
    assert old["id"] in await recalled(api, "night train")
    home, moved = row("Imre lives in Graz."), row("Imre moved to Linz.", day=3)
    await write(api, home, moved)
    assert home["id"] not in await recalled(api, "Imre lives in Graz")
    await api.patch(f"/v1/memories/{moved['id']}", json={"text": "Imre visited Linz."})
    assert home["id"] in await recalled(api, "Imre lives in Graz")


async def test_a_chain_stays_one_when_its_middle_is_forgotten(api: httpx.AsyncClient) -> None:
    """What the middle one had replaced stays replaced by what replaced that."""
    first = row("The door code is 1111.")
    second = row("The door code was 2222 for a week.", day=2, supersedes=[first["id"]])
    third = row("The door code changed to 3333.", day=3, supersedes=[second["id"]])
    await write(api, first)
    await write(api, second)
    await write(api, third)
    assert [third["id"]] == await recalled(api, "door code")
    await api.delete(f"/v1/memories/{second['id']}")
    assert [third["id"]] == await recalled(api, "door code")
    await api.delete(f"/v1/memories/{third['id']}")
    assert [first["id"]] == await recalled(api, "door code")


async def test_a_circle_is_refused(api: httpx.AsyncClient) -> None:
    """Two memories that replace each other would both be gone: 409, and nothing is written; itself is 422."""
    first = row("The code is 1111.")
    second = row("The code is 2222.", day=2, supersedes=[first["id"]])
    await write(api, first)
    await write(api, second)
    answer = await api.patch(f"/v1/memories/{first['id']}", json={"supersedes": [second["id"]]})
    assert answer.status_code == 409
    assert [second["id"]] == await recalled(api, "code")
    one, two = new_id(), new_id()
    rows = [row("a code", supersedes=[two]) | {"id": one}, row("another code", supersedes=[one]) | {"id": two}]
    assert (await api.post("/v1/memories", json={"memories": rows})).status_code == 409
    assert (await api.get(f"/v1/memories/{one}")).status_code == 404
    itself = row("the code") | {"id": one, "supersedes": [one]}
    assert (await api.post("/v1/memories", json={"memories": [itself]})).status_code == 422


async def test_what_is_older_by_its_date_may_replace_what_is_newer(api: httpx.AsyncClient) -> None:
    """What its writer says counts, also before the rules."""
    newer_by_date = row("Imre moved to Linz.", day=20)
    await write(api, newer_by_date)
    said = row("Imre lives in Graz.", day=2, supersedes=[newer_by_date["id"]])
    await write(api, said)
    assert [said["id"]] == await recalled(api, "where does Imre live")


async def test_only_memories_of_the_same_scope_can_be_replaced(
    api: httpx.AsyncClient, stranger: httpx.AsyncClient
) -> None:
    """404 for what is not there or another tenant's, 422 for another user's, 409 for a summary; nothing is written."""
    others = row("I like tea.", user_id="somebody"), row("I like tea.")
    await write(api, others[0])
    await write(stranger, others[1])
    rows = [row(text, type="preference", key="trains") for text in TRAINS]
    await write(api, *rows)
    (summary,) = await summaries(api)
    for older, status in ((others[0]["id"], 422), (others[1]["id"], 404), ("nobody", 404), (summary["id"], 409)):
        new = row("I like coffee.", supersedes=[older])
        answer = await api.post("/v1/memories", json={"memories": [new]})
        assert (status, older in answer.json()["detail"]) == (answer.status_code, True)
        assert (await api.get(f"/v1/memories/{new['id']}")).status_code == 404


async def test_a_write_may_be_repeated(api: httpx.AsyncClient) -> None:
    """Also when what it replaced was forgotten since."""
    old = row("I take the night train.")
    new = row("I take the bus.", day=4, supersedes=[old["id"]])
    await write(api, old)
    await write(api, new)
    (written,) = await write(api, new)
    assert (False, [old["id"]]) == (written["created"], written["supersedes"])
    await api.delete(f"/v1/memories/{old['id']}")
    (written,) = await write(api, new)
    assert (False, []) == (written["created"], written["supersedes"])


async def test_as_of_a_date_the_older_value_stands(api: httpx.AsyncClient) -> None:
    """In recall and context: what was known by then, and not replaced by then. A day stands for all of it."""
    home, moved = row("Imre lives in Graz."), row("Imre moved to Linz.", day=9)
    later = row("Imre likes the river in Linz.", day=20)
    await write(api, home, moved, later)
    query = "where does Imre live, Graz or Linz"
    assert {moved["id"], later["id"]} == set(await recalled(api, query))
    assert [home["id"]] == await recalled(api, query, as_of="2024-05-08")
    assert [home["id"]] == await recalled(api, query, as_of="2024-05-09T08:59:59Z")
    assert [moved["id"]] == await recalled(api, query, as_of="2024-05-09")
    assert [] == await recalled(api, query, as_of="2024-04-30")
    assert "Graz" in await context(api, query, as_of="2024-05-08")
    assert "Graz" not in await context(api, query)
    listed = await api.get("/v1/memories", params={"as_of": "2024-05-08"})
    assert [home["id"]] == [memory["id"] for memory in listed.json()["memories"]]
    everything = await api.get("/v1/memories", params={"is_summary": False})
    assert {home["id"], moved["id"], later["id"]} == {memory["id"] for memory in everything.json()["memories"]}
    await api.delete(f"/v1/memories/{home['id']}")
    assert [] == await recalled(api, query, as_of="2024-05-08")


@pytest.mark.parametrize("as_of", ["yesterday", "2024-05-09T08:00:00", "20240509", "2024-13-01", 5])
async def test_as_of_is_a_day_or_a_time_with_its_zone(api: httpx.AsyncClient, as_of: Any) -> None:
    """Anything else is 422."""
    answer = await api.post("/v1/recall", json={"query": "tea", "as_of": as_of})
    assert answer.status_code == 422
    assert (await api.get("/v1/summaries", params={"as_of": str(as_of)})).status_code == 422


@pytest.mark.parametrize(
    ("before", "beside", "after", "words"),
    [
        ("Unsere Miete beträgt 1.180 Euro.", "Ida zahlt 1.450 Euro Miete.", "Ab Juni 1.260.", "unsere alte Miete"),
        ("Trabajo como contadora en Oropeza.", "Ana trabaja en Puebla.", "Empecé en Lanza.", "mi trabajo anterior"),
        ("Kiramız 22.000 lira.", "Hülya 18.000 lira kira ödüyor.", "Artık 24.500 lira.", "eski kiramız"),
        ("Mon adresse est 4 rue des Lilas.", "Luc habite rue Noire.", "Au 9 quai Nord.", "mon ancienne adresse"),
    ],
)  # fmt: skip
async def test_words_name_what_is_replaced_in_other_languages(
    app: App, before: str, beside: str, after: str, words: str
) -> None:
    """As a request to forget would find it, though it is the only one that is known and so not old yet."""
    await app.memories.add([{"id": f"{n}", "user_id": "u", "text": text} for n, text in enumerate((before, beside))])
    added = await app.memories.add([{"id": "new", "user_id": "u", "text": after, "supersedes": words}])
    assert (added.memories[0].supersedes, added.memories[0].doubtful) == (("0",), ())


async def test_a_date_that_is_still_to_come_replaces_nothing_that_is_said_now(app: App) -> None:
    """A clock was an hour ahead and is put back: what is said then is the newer one, so both stand. Later one does."""
    now = app.parts.engine.clock()

    async def say(text: str, at: datetime) -> Added:
        then = app_over(replace(app.parts, engine=replace(app.parts.engine, clock=FrozenClock(at))))
        return (await then.memories.add([{"text": text, "user_id": "ines"}], summarize="deferred")).memories[0]

    await say("I live in Oslo.", now + timedelta(hours=1))
    bergen = await say("I live in Bergen.", now)
    assert ((), ()) == (bergen.supersedes, bergen.superseded_by)
    assert len((await say("I live in Tromso.", now + timedelta(hours=2))).supersedes) == 2
