"""What is put right, by whoever tells of it, over HTTP: in facts, recall and context, and by `supersedes` in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import httpx
import pytest

from precis.app import App
from precis.ids import new_id
from precis.memory import EXTRACTED
from precis.sizes import Size

pytestmark = pytest.mark.asyncio(loop_scope="session")
Row = dict[str, Any]
REHEARSAL = {"query": "When does Tess have orchestra rehearsal?", "user_id": "noor"}


def row(text: str, *, day: int = 1, **more: Any) -> Row:
    """A memory of a day of May 2024."""
    return {"id": new_id(), "text": text, "user_id": "ines", "created_at": f"2024-05-{day:02}T09:00:00Z", **more}


async def write(api: httpx.AsyncClient, *rows: Row) -> list[Row]:
    """Write them, and answer what became of each."""
    answer = await api.post("/v1/memories", json={"memories": rows})
    assert answer.status_code == 201, answer.text
    return list(answer.json()["memories"])


async def recalled(api: httpx.AsyncClient, body: Row) -> list[str]:
    """Texts in their order."""
    answer = await api.post("/v1/recall", json=body)
    return [entry["memory"]["text"] for entry in answer.json()["results"]]


async def test_what_is_put_right_a_moment_later_is_the_fact(api: httpx.AsyncClient, app: App) -> None:
    """It rests on both messages; in recall what puts right stands before what it puts right."""
    texts = ["My orchestra rehearsal moved to Wednesdays at five.", "no wait, it's Thursdays. Bring the oboe."]
    spoken = [
        {"role": "user", "name": "Tess", "content": text, "created_at": f"2026-04-23T07:4{at}:00Z"}
        for at, text in enumerate(texts)
    ]
    answer = await api.post("/v1/conversations/s1/turns", json={"user_id": "noor", "messages": spoken})
    ids = {message["memory_id"] for message in answer.json()["messages"]}
    assert [texts[1], texts[0]] == (await recalled(api, REHEARSAL))[:2]
    assert "(later: " in (await api.post("/v1/context", json=REHEARSAL)).json()["text"]
    await app.facts.read(at_once=True)
    (fact,) = [each for each in (await app.memories.list(limit=1000)).rows if each.metadata.get("kind") == EXTRACTED]
    assert ("Tess's orchestra rehearsal moved to Thursdays at five.", ids) == (fact.text, set(fact.parent_id))
    assert (await recalled(api, REHEARSAL))[0] == fact.text


async def test_a_fact_that_was_found_already_is_put_right_as_well(api: httpx.AsyncClient, app: App) -> None:
    """A moment later its message is put right: the fact of it leaves recall, and all else stays."""
    texts = ["My choir meets on Mondays. My sister Liv bakes bread.", "Sorry, I meant Tuesdays."]
    for at, text in enumerate(texts):
        message = {"role": "user", "name": "Tess", "content": text, "created_at": f"2026-04-23T07:4{at}:00Z"}
        answer = await api.post("/v1/conversations/s2/turns", json={"user_id": "tess", "messages": [message]})
        assert answer.status_code == 201
        await app.facts.read(at_once=True)
        facts = await recalled(api, {"query": "When does the choir of Tess meet?", "user_id": "tess"})
        assert ("Tess's choir meets on Mondays." in facts) is (at == 0)
    rows = (await app.memories.list(user_id="tess", memory_type="semantic")).rows
    standing = {each.text for each in rows if each.superseded_at is None}
    assert standing == {"Tess's choir meets on Tuesdays.", "Tess's sister Liv bakes bread."}
    assert len(rows) == len(standing) + 1


async def test_words_mean_what_is_written_with_them(api: httpx.AsyncClient) -> None:
    """In one write as in two, where it stands before and is no newer; in doubt it is listed."""
    old, bystander = row("Odile lives at 4 Elm Road."), row("Odile forgot the address of the bakery.")
    new = row("Odile found a place in Ghent.", day=9, supersedes="Odile's old address")
    *_, written = await write(api, old, bystander, new)
    assert ([old["id"]], []) == (written["supersedes"], written["doubtful"])
    assert old["text"] not in await recalled(api, {"query": "Odile address", "user_id": "ines"})
    earlier = row("Imre found a place in Linz.", supersedes="Imre's old address")
    *_, written = await write(api, row("Imre lives in Graz.", day=9), earlier)
    assert written["supersedes"] == []
    rows = [row("Bo lives at 4 Elm Road.", user_id="bo"), row("Bo has a flat in Ghent as well.", user_id="bo")]
    *_, written = await write(api, *rows, row("It rains.", user_id="bo", day=9, supersedes="the note on Bo"))
    assert {entry["id"] for entry in rows} == {entry["id"] for entry in written["doubtful"]}


async def test_what_several_share_is_replaced_by_whoever_tells_of_it(api: httpx.AsyncClient) -> None:
    """What is somebody's own stays, and so does what a tool would replace."""
    texts = [
        ("The garage code is 4471.", "Liz"),
        ("My rent is 900 euros.", "Liz"),
        ("The alarm code is 7788.", "Liz"),
        ("The garage code is 1212 now.", "Tom"),
        ("My rent is now 950 euros.", "Tom"),
    ]
    rows = [row(text, day=day, metadata={"speaker": who}) for day, (text, who) in enumerate(texts, start=1)]
    rows.append(row("The alarm code is now 9900.", day=9, metadata={"role": "tool"}))
    await write(api, *rows)
    written = [(await api.get(f"/v1/memories/{entry['id']}")).json() for entry in rows]
    assert ["The garage code is 4471."] == [entry["text"] for entry in written if entry["superseded_by"]]


async def test_words_that_name_what_was_changed_since_leave_it_in_doubt(api: httpx.AsyncClient) -> None:
    """Nothing is replaced, and the value of now is listed first."""
    tins = [
        row("Pepper gets the kidney food, half a tin twice a day."),
        row("The vet says Pepper is to have a whole tin twice a day now.", day=5),
    ]
    await write(api, *tins)
    (written,) = await write(api, row("Pepper is back to half a tin.", day=9, supersedes="how much food Pepper gets"))
    assert written["supersedes"] == []
    assert [tin["id"] for tin in reversed(tins)] == [entry["id"] for entry in written["doubtful"]]


async def notes(api: httpx.AsyncClient, who: str, *texts: str) -> list[str]:
    """The key insights of the week of somebody's notes, minutes apart."""
    rows = [
        {**row(text), "user_id": who, "memory_type": "episodic", "metadata": {"kind": "note", "speaker": "Rosario"}}
        | {"created_at": f"2026-05-04T10:{3 * at:02}:00Z"}
        for at, text in enumerate(texts)
    ]
    await write(api, *rows)
    for period in ("weekly", "monthly"):
        body = {"userId": who, "period": period, "day": "2026-05-04"}
        answer = await api.post("/memory/summarize", json=body)
        assert answer.status_code == 200, answer.text
    told = [
        insight
        for period in ("weekly", "monthly")
        for each in (await api.get("/memory/summaries", params={"userId": who, "period": period})).json()
        for insight in each["keyInsights"]
    ]
    assert told
    return told


async def test_what_is_taken_back_in_notes_is_put_right_or_told_with_them(api: httpx.AsyncClient) -> None:
    """In weeks, months and their insights the other value stands, and where that is not plain, both in one."""
    wedding = "La boda de la hija del farmacéutico es el 13 de junio, me piden doscientos panecillos."
    told = await notes(api, "plain", wedding, "Perdona, el 13 no, el 20 de junio.", "Los lunes cerramos.")
    assert any("20 de junio" in text for text in told)
    assert not any("13 de junio" in text for text in told)
    told = await notes(api, "doubt", wedding, "Perdona, el 13 no puede el cura, creo que el 20.", "Los lunes cerramos.")
    assert all("creo que el 20" in text for text in told if "13 de junio" in text)


@pytest.mark.parametrize(
    ("user", "first", "second"),
    [
        ("es", "La alarma ahora es 9075, la cambié ayer.", "Eso, que han pedido más, al final doscientos cincuenta."),
        ("de", "Ich darf erst am 18. Mai anreisen.", "Das macht der Jens, er hat extra Urlaub genommen."),
        ("fr", "Le code du portail est 5291.", "C'est Paul qui garde le chat, il a deux semaines."),
        ("it", "Il codice del garage è 4471.", "È alle nove di sera, porta Gino la torta."),
        ("en", "The alarm code is 9075 now.", "It costs 380 euros a month, Marek says."),
    ],
)
async def test_a_note_that_points_back_is_not_hung_on_another(
    api: httpx.AsyncClient, user: str, first: str, second: str
) -> None:
    """Nobody knows whether that speaks of the same: it is told by itself, or not at all."""
    told = await notes(api, f"notes-{user}", first, second, "Los lunes cerramos.")
    assert not any(first[:12] in text and second[:12] in text for text in told)


async def test_a_summary_does_not_part_what_is_taken_back_from_what_takes_it_back(app: App) -> None:
    """Wherever the context is cut: the one is told with the other, or both are still in the context."""
    wedding, taken = "La boda de Inés es el 13 de junio en Jaén.", "Perdona, el 13 no puede el cura, creo que el 20."
    after = ["La alarma es 9075.", "Los lunes cerramos.", "El martes viene Ortuño.", "El jueves viene Javi."]
    limits = replace(app.conversations.limits(), triggers=(Size.parse("4 messages"),), keep=Size.parse("1 messages"))
    summarized = 0
    for before in range(5):
        name = f"parted-{before}"
        for at, text in enumerate([*(f"El hotel pide {at} barras." for at in range(before)), wedding, taken, *after]):
            message = {
                "role": "user",
                "name": "Rosario",
                "content": text,
                "created_at": f"2026-05-01T10:{2 * at:02}:00Z",
            }
            await app.conversations.turn(name, [message], user_id=name, limits=limits)
            context = await app.conversations.context(name, user_id=name)
            told = [statement.text for statement in context.statements if "13 de junio" in statement.text]
            assert all("el cura" in text for text in told)
            summarized += bool(told)
    assert summarized
