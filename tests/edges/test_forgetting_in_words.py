"""Forgetting in words over REST and Python: what is shown is what goes, and what is in doubt stays."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import httpx
import pytest

from precis.app import App
from precis.app.in_words.answers import Confirmed
from precis.app.receipts import Verification
from precis.bootstrap import Runtime
from precis.errors import InvalidInput, NotFound
from precis.keys.keyring import Keyring
from precis.keys.vault import Vault
from precis.store.forgotten.previews import Choice
from precis.store.forgotten.scan import Scan

pytestmark = pytest.mark.asyncio(loop_scope="session")

BOAT = (
    ("b0", "Torvald called me about the canoe."),
    ("b1", "He wants the paddles back."),
    ("b2", "I bake bread every Saturday."),
    ("b3", "Torvald lives in Kalmar, and Ulrike lives in Ystad."),
    ("b4", "Torvald Lindqvist plays the organ in town."),
    ("b5", "Ulrike has a grey horse."),
)


async def written(app: App, rows: tuple[tuple[str, str], ...] = BOAT, **fields: Any) -> None:
    """These memories of ana, in one session."""
    memories = [{"id": id_, "user_id": "ana", "session_id": "s1", "text": text, **fields} for id_, text in rows]
    await app.memories.add(memories)


async def texts(app: App) -> set[str | None]:
    """What ana has."""
    return {memory.text for memory in (await app.memories.list(user_id="ana")).rows}


async def test_an_exception_stays_whoever_confirms_all(api: httpx.AsyncClient, app: App) -> None:
    """Also where a label says that a memory tells of it: it is near, and nothing that is in doubt."""
    birthday = "Tom's birthday is on 2 June."
    await written(
        app, (("t0", birthday), ("t1", "Tom works at the bank."), ("t2", "Tom and Ana argued about the car."))
    )
    body = {"user_id": "ana", "what": "everything about Tom except his birthday"}
    shown = (await api.post("/v1/forget", json=body)).json()
    assert ["t1", "t2"] == [row["id"] for row in shown["forget"]]
    assert ([], ["t0"]) == (shown["doubtful"], [row["id"] for row in shown["near"]])
    confirmed = {"preview_id": shown["preview_id"], "include_doubtful": True}
    assert ["t1", "t2"] == (await api.post("/v1/forget", json=confirmed)).json()["forgotten"]
    assert {birthday} == await texts(app)


async def test_what_is_shown_is_what_goes(api: httpx.AsyncClient, app: App) -> None:
    """The preview says what goes and why, what stays of a sentence, and what is in doubt; its id confirms just that."""
    await written(app)
    answer = await api.post("/v1/forget", json={"user_id": "ana", "what": "everything about Torvald"})
    shown = answer.json()
    assert answer.status_code == 200, answer.text
    assert ["b0", "b1", "b3"] == [row["id"] for row in shown["forget"]]
    assert "Ulrike lives in Ystad." == shown["forget"][2]["keeps"]
    assert ["b4"] == [row["id"] for row in shown["doubtful"]]
    assert all(row["why"] for row in [*shown["forget"], *shown["doubtful"]])
    assert len(BOAT) == len(await texts(app))
    receipt = (await api.post("/v1/forget", json={"preview_id": shown["preview_id"]})).json()
    assert ["b0", "b1"] == receipt["forgotten"]
    assert ["b3"] == receipt["edited"]
    assert ["b4"] == receipt["doubtful"]
    assert {"I bake bread every Saturday.", "Ulrike lives in Ystad.", BOAT[4][1], BOAT[5][1]} == await texts(app)


async def test_a_request_in_a_wording_that_no_rule_knows_is_read(api: httpx.AsyncClient, app: App) -> None:
    """By what the memories say: rules took it for one to keep something, and refused it."""
    await written(app)
    what = "Hey, magst du alles rausschmeißen, was du über Torvald weißt?"
    shown = (await api.post("/v1/forget", json={"user_id": "ana", "what": what})).json()
    assert ["b0", "b1", "b3"] == [row["id"] for row in shown["forget"]]


async def test_the_old_ones_go_by_what_newer_ones_say_anew(api: httpx.AsyncClient, app: App) -> None:
    """The newest is shown as near, another's stays, and a request for the new one alone is refused."""
    rows = (
        ("p0", "The kayak costs 400 euros."),
        ("p1", "The tent costs 120 euros."),
        ("p2", "The kayak costs 350 euros now."),
    )
    await written(app, rows)
    shown = (await api.post("/v1/forget", json={"user_id": "ana", "what": "forget the old price"})).json()
    assert [["p0"], ["p2"]] == [[row["id"] for row in shown[name]] for name in ("forget", "near")]
    body = {"user_id": "ana", "what": "Keep the new price of the kayak, the old one can go.", "confirm": True}
    assert ["p0"] == (await api.post("/v1/forget", json=body)).json()["forgotten"]
    assert {rows[1][1], rows[2][1]} == await texts(app)
    refused = await api.post("/v1/forget", json={"user_id": "ana", "what": "don't forget the old price"})
    assert 422 == refused.status_code


async def test_a_zone_whose_name_is_not_known_here_is_utc(app: App) -> None:
    """It was set where other zones are known; the request ended in an error that nobody foresaw."""
    await written(app)
    await app.parts.store.zones.put(app.parts.tenant_id, "ana", "Mars/Olympus", policies=["day"])
    shown = await app.memories.find_to_forget("everything about Torvald", user_id="ana")
    assert ["b0", "b1", "b3"] == [row.id for row in shown.forget]


async def test_a_misspelled_request_is_read(api: httpx.AsyncClient, app: App) -> None:
    """A slip is read as the word that was meant; where that is not clear, what is found is in doubt and stays."""
    texts_ = ("My medication is Velomycin.", "My salary is 3,100 a month.", "My meditation is at nine.")
    await app.memories.add([{"id": f"s{at}", "user_id": "ana", "text": text} for at, text in enumerate(texts_)])
    body = {"user_id": "ana", "what": "plese frget my medcation", "confirm": True}
    assert ["s0"] == (await api.post("/v1/forget", json=body)).json()["forgotten"]
    shown = (await api.post("/v1/forget", json={"user_id": "ana", "what": "delte my salery"})).json()
    assert ([], ["s1"]) == (shown["forget"], [row["id"] for row in shown["doubtful"]])
    refused = await api.post("/v1/forget", json={"user_id": "ana", "what": "please refrain from deleting my salary"})
    assert 422 == refused.status_code
    assert list(texts_[1:]) == sorted(await texts(app), key=texts_.index)


async def test_what_only_summaries_still_say_leaves_by_words(
    api: httpx.AsyncClient, app: App, runtime: Runtime, tenant: str
) -> None:
    """An original that has expired is found by what is still said of it, and its neighbors stay."""
    things = ("Qwyzzel sold the barge.", "The weir is closed in May.", "Ulrike paints boats.", "Qwyzzel has a parrot.")
    await app.memories.add([
        {"id": f"e{at}", "user_id": "ana", "text": text, "key": "harbor", "type": "fact",
         "created_at": f"2020-03-0{at + 1}T10:00:00Z"}
        for at, text in enumerate(things)
    ])  # fmt: skip
    assert 4 == (await api.post("/memory/summarize")).json()["deletions"]
    assert {None} == {memory.text for memory in (await app.memories.list(user_id="ana", is_summary=False)).rows}
    body = {"user_id": "ana", "what": "everything about Qwyzzel"}
    shown = (await api.post("/v1/forget", json=body)).json()
    assert (["e0", "e3"], []) == ([row["id"] for row in shown["forget"]], shown["doubtful"])
    assert all("expired" in row["why"] and "Qwyzzel" in row["text"] for row in shown["forget"])
    await api.post("/v1/forget", json={"preview_id": shown["preview_id"]})
    said = " ".join(summary.text for summary in (await app.summaries.list(user_id="ana")).rows)
    assert ("weir" in said, "Ulrike" in said, "Qwyzzel" in said) == (True, True, False)
    proof = Verification(runtime.database, runtime.settings, tenant)
    assert [] == [looked.where for looked in await proof.look(["qwyzzel"], files=False) if looked.hits]
    assert 404 == (await api.post("/v1/forget", json=body)).status_code


async def test_a_memory_in_which_nothing_can_be_read_stands_in_nobodys_way(app: App) -> None:
    """No vector has a direction where a text is a smiley: how near it is to a thing cannot be computed."""
    await written(app, (("b0", "My violin is in the attic."), ("b1", "🎉"), ("b2", "...."), ("b3", "I bake bread.")))
    preview = await app.memories.find_to_forget("forget my violin", user_id="ana")
    assert ["b0"] == [finding.id for finding in preview.forget]
    assert not preview.doubtful


async def test_what_is_in_doubt_goes_where_it_is_chosen(api: httpx.AsyncClient, app: App) -> None:
    """include_doubtful takes it as well, also after the rest was confirmed."""
    await written(app)
    shown = (await api.post("/v1/forget", json={"user_id": "ana", "what": "Torvald"})).json()
    await api.post("/v1/forget", json={"preview_id": shown["preview_id"]})
    body = {"preview_id": shown["preview_id"], "include_doubtful": True}
    answer = await api.post("/v1/forget", json=body)
    assert ["b4"] == answer.json()["forgotten"]
    assert 404 == (await api.post("/v1/forget", json=body)).status_code


async def test_of_much_in_doubt_the_likeliest_is_listed_and_only_that_goes(api: httpx.AsyncClient, app: App) -> None:
    """The rest is counted, stays also where what is in doubt is confirmed, and is listed where more is asked for."""
    namesakes = [(f"n{at}", f"Torvald {name} sells bricks.") for at, name in enumerate(("Holm", "Dahl", "Krogh"))]
    await written(app, (*BOAT, *namesakes))
    asked = {"user_id": "ana", "what": "everything about Torvald"}
    everything = (await api.post("/v1/forget", json=asked)).json()
    assert (4, 0) == (len(everything["doubtful"]), everything["more_doubtful"])
    shown = (await api.post("/v1/forget", json={**asked, "most_doubtful": 1})).json()
    listed = [row["id"] for row in shown["doubtful"]]
    assert ([everything["doubtful"][0]["id"]], 3) == (listed, shown["more_doubtful"])
    confirmed = {"preview_id": shown["preview_id"], "include_doubtful": True}
    assert {*listed} <= {*(await api.post("/v1/forget", json=confirmed)).json()["forgotten"]}
    kept = {text for id_, text in (*namesakes, BOAT[4]) if id_ not in listed}
    assert kept <= await texts(app)
    assert 3 == len(kept)


async def test_confirm_forgets_at_once(api: httpx.AsyncClient, app: App) -> None:
    """With confirm the answer is the receipt; what is in doubt stays."""
    await written(app)
    body = {"user_id": "ana", "what": "delete all about Torvald", "confirm": True}
    receipt = (await api.post("/v1/forget", json=body)).json()
    assert (["b0", "b1"], ["b3"], ["b4"]) == (receipt["forgotten"], receipt["edited"], receipt["doubtful"])
    assert BOAT[4][1] in await texts(app)


async def test_rows_of_a_preview_are_chosen(api: httpx.AsyncClient, app: App) -> None:
    """Those of also go though they were in doubt; those of keep stay, and go later only where they are chosen."""
    await written(app)
    shown = (await api.post("/v1/forget", json={"user_id": "ana", "what": "Torvald"})).json()
    body = {"preview_id": shown["preview_id"]}
    assert (["b0", "b1", "b3"], ["b4"]) == tuple([row["id"] for row in shown[name]] for name in ("forget", "doubtful"))
    receipt = (await api.post("/v1/forget", json={**body, "also": ["b4"], "keep": ["b0", "b3"]})).json()
    assert (["b1", "b4"], [], ["b0", "b3"]) == (sorted(receipt["forgotten"]), receipt["edited"], receipt["doubtful"])
    assert {BOAT[0][1], BOAT[3][1]} <= await texts(app)
    assert 404 == (await api.post("/v1/forget", json=body)).status_code
    receipt = (await api.post("/v1/forget", json={**body, "also": ["b0"]})).json()
    assert (["b0"], ["b3"]) == (receipt["forgotten"], receipt["doubtful"])


async def test_no_row_is_chosen_that_was_not_shown(api: httpx.AsyncClient, app: App) -> None:
    """Such an id is named and nothing goes; nor does one that is to go and to stay, nor are rows of words chosen."""
    await written(app)
    shown = (await api.post("/v1/forget", json={"user_id": "ana", "what": "Torvald"})).json()
    body, before = {"preview_id": shown["preview_id"]}, await texts(app)
    for wrong in ({"also": ["b2"]}, {"keep": ["nobody"]}, {"also": ["b4"], "keep": ["b4"]}):
        answer = await api.post("/v1/forget", json={**body, **wrong})
        assert 422 == answer.status_code
        assert next(iter(wrong.values()))[0] in answer.json()["detail"]
    for beside in ({"user_id": "ana", "what": "Torvald", "confirm": True}, {"ids": ["b0"]}):
        answer = await api.post("/v1/forget", json={**beside, "also": ["b4"]})
        assert 422 == answer.status_code
        assert "goes with preview_id" in answer.text
    assert before == await texts(app)


async def test_what_another_preview_took_meanwhile_is_gone_and_the_rest_goes(api: httpx.AsyncClient, app: App) -> None:
    """Of two previews of one person the second is confirmed whole, whatever the first took of it."""
    await written(app)
    bodies = [{"user_id": "ana", "what": what} for what in ("Torvald", "the organ")]
    shown, other = [(await api.post("/v1/forget", json=body)).json() for body in bodies]
    receipt = (await api.post("/v1/forget", json={"preview_id": other["preview_id"], "also": ["b4"]})).json()
    assert ["b4"] == receipt["forgotten"]
    answer = await api.post("/v1/forget", json={"preview_id": shown["preview_id"], "also": ["b4"], "keep": ["b0"]})
    assert 200 == answer.status_code, answer.text
    assert (["b1"], ["b3"], 1) == tuple(answer.json()[name] for name in ("forgotten", "edited", "gone"))


async def test_edited_or_forgotten_since(api: httpx.AsyncClient, app: App) -> None:
    """A memory that was edited since it was shown is left alone and named; one that was forgotten is counted."""
    await written(app)
    shown = (await api.post("/v1/forget", json={"user_id": "ana", "what": "Torvald"})).json()
    await api.patch("/v1/memories/b0", json={"text": "Somebody called me about the canoe."})
    await api.patch("/v1/memories/b3", json={"text": "Torvald and Ulrike moved."})
    await api.delete("/v1/memories/b1")
    answer = await api.post("/v1/forget", json={"preview_id": shown["preview_id"]})
    assert 404 == answer.status_code
    answer = await api.post("/v1/forget", json={"preview_id": shown["preview_id"], "include_doubtful": True})
    receipt = answer.json()
    assert (["b4"], ["b0", "b3"], 1) == (receipt["forgotten"], receipt["changed"], receipt["gone"])
    assert {"Somebody called me about the canoe.", "Torvald and Ulrike moved."} <= await texts(app)


async def test_previews_belong_to_tenant_and_user(
    api: httpx.AsyncClient, stranger: httpx.AsyncClient, app: App, runtime: Runtime, tenant: str
) -> None:
    """Another tenant or user confirms nothing, and a preview is gone with its user."""
    await written(app)
    shown = (await api.post("/v1/forget", json={"user_id": "ana", "what": "Torvald"})).json()
    body = {"preview_id": shown["preview_id"]}
    assert 404 == (await stranger.post("/v1/forget", json=body)).status_code
    assert 404 == (await api.post("/v1/forget", json={**body, "user_id": "ben"})).status_code
    await api.delete("/v1/users/ana")
    async with runtime.database.tenant(tenant) as connection:
        asked = await connection.execute("SELECT count(*) AS rows FROM forget_previews")
        assert {"rows": 0} == dict(await asked.fetchone() or {})
    assert 404 == (await api.post("/v1/forget", json=body)).status_code


async def test_previews_expire(app: App, runtime: Runtime, tenant: str) -> None:
    """After an hour nothing can be confirmed any more."""
    await written(app)
    shown = await app.memories.find_to_forget("Torvald", user_id="ana")
    assert timedelta(minutes=59) < shown.expires_at - runtime.engine.clock() <= timedelta(hours=1)
    with pytest.raises(NotFound):
        await runtime.store.previews.confirmable(
            tenant, shown.preview_id, Choice(), user_id="ana", now=shown.expires_at
        )


async def test_nothing_meant_is_404_and_writes_nothing(
    api: httpx.AsyncClient, app: App, runtime: Runtime, tenant: str
) -> None:
    """Nobody is certified gone who was never there."""
    await written(app)
    for body in ({"what": "everything about Zebediah"}, {"what": "everything about Zebediah", "confirm": True}):
        assert 404 == (await api.post("/v1/forget", json={"user_id": "ana", **body})).status_code
    assert 404 == (await api.post("/v1/forget", json={"user_id": "nobody", "what": "Torvald"})).status_code
    async with runtime.database.tenant(tenant) as connection:
        asked = await connection.execute(
            "SELECT (SELECT count(*) FROM receipts) + (SELECT count(*) FROM forget_previews) AS rows"
        )
        assert {"rows": 0} == dict(await asked.fetchone() or {})


@pytest.mark.parametrize(
    "body",
    [
        {"what": "Torvald"},
        {"user_id": "ana", "what": "everything"},
        {"user_id": "ana", "what": "don't forget Torvald"},
        {"user_id": "ana", "what": "  "},
        {"user_id": "ana", "what": "forget my tea, " * 200},
        {"user_id": "ana", "what": "Torvald", "ids": ["b0"]},
        {"ids": ["b0"], "confirm": True},
        {"preview_id": "p", "namespace": "n"},
        {"user_id": "ana"},
        {},
    ],
)
async def test_what_cannot_be_meant_is_refused(api: httpx.AsyncClient, body: dict[str, Any]) -> None:
    """Whose, what, and one way to say it; everything of a user is asked for where users are."""
    assert 422 == (await api.post("/v1/forget", json=body)).status_code


async def test_scopes_narrow_it(app: App) -> None:
    """Namespace, session and time of writing; with one of them everything in it may be meant."""
    await written(app, (("n0", "Torvald sails."),), namespace="boats")
    await written(app, (("n1", "Torvald skis."),), namespace="snow", created_at="2025-01-05T10:00:00Z")
    shown = await app.memories.find_to_forget("Torvald", user_id="ana", namespace="snow")
    assert ["n1"] == [row.id for row in shown.forget]
    shown = await app.memories.find_to_forget("everything", user_id="ana", namespace="boats")
    assert ["n0"] == [row.id for row in shown.forget]
    with pytest.raises(InvalidInput):
        await app.memories.find_to_forget("everything", user_id="ana")


async def test_python_confirms_a_preview(app: App) -> None:
    """app.memories.forget takes a preview as it takes ids."""
    await written(app)
    receipt = await app.memories.forget(await app.memories.find_to_forget("everything about bread", user_id="ana"))
    assert isinstance(receipt, Confirmed)
    assert ("b2",) == receipt.forgotten


async def test_summaries_are_shown_and_nothing_is_left(app: App, runtime: Runtime, tenant: str) -> None:
    """The statements that rest on it are in the preview; afterwards no scan finds a word of it, at no door."""
    rows = [
        {"id": f"c{n}", "user_id": "ana", "text": text, "type": "preference", "key": "coffee"}
        for n, text in enumerate((
            "I drink my coffee with oat milk.", "Brother Quillwick gave me a coffee mill.",
            "I like my coffee black on Mondays.", "My favorite coffee is a flat white.",
        ))
    ]  # fmt: skip
    await app.memories.add(rows)
    shown = await app.memories.find_to_forget("everything about Quillwick", user_id="ana")
    assert ["c1"] == [row.id for row in shown.forget]
    assert any("Quillwick" in said.text for leaving in shown.summaries for said in leaving.statements)
    scan = Scan(runtime.database, Vault(Keyring(runtime.settings.keys_folder)))
    assert await hits(scan, tenant) > 0
    await app.memories.forget(shown)
    assert await hits(scan, tenant) == 0
    assert "Quillwick" not in repr(await app.recall.search("Quillwick", user_id="ana"))


async def hits(scan: Scan, tenant: str, word: str = "Quillwick") -> int:
    """How often the word is found: decrypted, as a keyed word, and in every column."""
    words = [word]
    looked = [
        *await scan.texts(tenant, words), *await scan.keyed_words(tenant, words), *await scan.columns(tenant, words)
    ]  # fmt: skip
    return sum(place.hits for place in looked)


@pytest.mark.parametrize("word", ["8213", "4471", "27150", "62.5", "beef", "dead", "0a1b"])
async def test_a_figure_is_not_found_by_chance(app: App, runtime: Runtime, tenant: str, word: str) -> None:
    """No hash, vector, id or time of a row is read as a text, and what is a text is: a session is called so."""
    scan = Scan(runtime.database, Vault(Keyring(runtime.settings.keys_folder)))
    await app.memories.add([{"text": f"Oak {at} is by the canal.", "user_id": "ana"} for at in range(120)])
    assert await hits(scan, tenant, word) == 0
    await app.memories.add([{"text": "Elm.", "user_id": "ana", "session_id": f"door {word}"}], summarize="deferred")
    (found,) = [place for place in await scan.columns(tenant, [word]) if place.hits]
    assert "memories.session_id" in found.places


@pytest.mark.parametrize("scope", [{}, {"session_id": "s1"}, {"since": "2020-01-01T00:00:00Z"}])
async def test_words_that_name_nobody_are_refused_in_any_scope(
    api: httpx.AsyncClient, app: App, scope: dict[str, Any]
) -> None:
    """What only points does not mean everything of a session or a time: nothing goes, and the answer says so."""
    await written(app)
    before = await texts(app)
    for confirm in (False, True):
        answer = await api.post("/v1/forget", json={"user_id": "ana", "what": "about her", "confirm": confirm, **scope})
        assert answer.status_code == 422, answer.text
        assert "what: it names nobody and nothing" in answer.text
    assert before == await texts(app)


async def test_each_thing_is_looked_for_and_what_was_not_found_is_said(api: httpx.AsyncClient, app: App) -> None:
    """Of a salary, a birthday and a car each is found by itself; a PIN that no memory tells is named."""
    rows = (
        ("s", "User's salary is 33,800 pounds."),
        ("b", "Anna's birthday is 14 March."),
        ("c", "Tom's car is red."),
        ("t", "User likes tea."),
    )
    await written(app, rows)
    asked = "Forget my salary. Also forget Tom's car. And Anna's birthday. And my PIN."
    shown = (await api.post("/v1/forget", json={"user_id": "ana", "what": asked})).json()
    assert ["s", "b", "c"] == [row["id"] for row in shown["forget"]]
    assert ["my PIN"] == shown["understood"]["not_found"]
    receipt = (await api.post("/v1/forget", json={"preview_id": shown["preview_id"]})).json()
    assert ["b", "c", "s"] == sorted(receipt["forgotten"])
    assert {"User likes tea."} == await texts(app)


async def test_what_a_preview_makes_sure_is_nothing_that_only_looks_like_it(app: App) -> None:
    """In one session: another's doctor, a salary at a clinic, a firm of that name, and a passport's number."""
    rows = (
        ("d", "User's dentist is Dr. Okafor on Whiteladies Road."),
        ("e", "I earn 29,400 pounds a year at the clinic."),
        ("o", "Tom goes to Dr. Okafor, too."),
        ("n", "User's nephew Chase is allergic to peanuts."),
        ("m", "User is trying to get a mortgage with Chase for 180,000 pounds."),
        ("p", "User's passport number is 561203447."),
        ("q", "My phone number is 07700 900123."),
    )
    await written(app, rows)
    asked = {"forget my dentist": "d", "forget my nephew Chase": "n", "forget my phone number": "q"}
    for what, goes in asked.items():
        shown = await app.memories.find_to_forget(what, user_id="ana")
        assert (what, [goes]) == (what, [row.id for row in shown.forget])


async def test_a_summary_is_named_once(api: httpx.AsyncClient, app: App) -> None:
    """Where one request forgets a memory whole and takes a part of another, their summary has one line, in all."""
    memories = [{"id": id_, "text": text, "user_id": "ana", "key": "torvald", "type": "fact"} for id_, text in BOAT]
    await app.memories.add(memories)
    (summary,) = (await app.summaries.list(user_id="ana")).rows
    receipt = (
        await api.post("/v1/forget", json={"user_id": "ana", "what": "all about Torvald", "confirm": True})
    ).json()
    assert receipt["forgotten"]
    assert receipt["edited"]
    assert receipt["also"]
    assert [summary.id] == [touched["id"] for touched in receipt["summaries"]]
    assert receipt["statements_removed"] == receipt["summaries"][0]["statements_removed"] > 0


async def test_what_is_only_near_is_shown(api: httpx.AsyncClient, app: App) -> None:
    """Where nothing is meant a preview names what looks like it: nothing can be confirmed, and all of it stays."""
    await written(app, (("n0", "Bo's bike is blue."), ("n1", "I bake bread.")))
    body = {"what": "forget my bike", "user_id": "ana"}
    shown = (await api.post("/v1/forget", json=body)).json()
    assert ([], [], ["n0"]) == tuple([row["id"] for row in shown[name]] for name in ("forget", "doubtful", "near"))
    refused = await api.post("/v1/forget", json=body | {"confirm": True, "include_doubtful": True})
    assert (404, True) == (refused.status_code, "1 only near" in refused.json()["detail"])
    assert 404 == (await api.post("/v1/forget", json={"preview_id": shown["preview_id"]})).status_code
    assert {"Bo's bike is blue.", "I bake bread."} == await texts(app)
    assert 404 == (await api.post("/v1/forget", json=body | {"what": "forget my zeppelin"})).status_code


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("Lösche alles über Fr. Nowak.", "Fr. Nowak hat Diabetes."),
        ("Vergiss alles über Hr. Lenz.", "Gestern kam Hr. Lenz vorbei, er hat seine Stelle verloren."),
        ("Olvida todo sobre el Sr. Lara.", "Ayer vino el Sr. Lara, ha perdido el trabajo."),
        ("Oublie tout sur M. Garrigue.", "M. Garrigue a la goutte."),
    ],
)
async def test_a_confirmed_forget_leaves_nothing_behind_a_title(
    api: httpx.AsyncClient, app: App, what: str, text: str
) -> None:
    """Neither the sentence of whom it is about, nor the title alone."""
    await written(app, (("t0", text), ("t1", "I bake bread.")))
    receipt = (await api.post("/v1/forget", json={"what": what, "user_id": "ana", "confirm": True})).json()
    assert (["t0"], []) == (receipt["forgotten"], receipt["edited"])
    assert {"I bake bread."} == await texts(app)


async def test_an_older_value_in_doubt_makes_no_other_thing_sure(app: App) -> None:
    """What is told of a tuba beside them is no older club: which club is meant is in doubt."""
    told = (
        "My son played in goal for the Dock Rangers until 2022.",
        "Since 2022 my son has played in goal for Lowfield Athletic.",
        "My nephew plays in midfield for the Dock Rangers.",
        "My son used to play the tuba.",
    )
    for at, text in enumerate(told):
        row = {"id": f"club-{at}", "text": text, "user_id": "clubs", "created_at": f"2026-05-0{at + 1}T12:00:00Z"}
        await app.memories.add([row])
    preview = await app.memories.find_to_forget("Can you delete the club my son used to play for?", user_id="clubs")
    assert "club-3" not in {listed.id for listed in preview.forget}
