"""The history of a summary over HTTP: each refresh, what it said at a moment, and nothing of what is forgotten."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from precis.ids import new_id
from precis.settings import Settings

pytestmark = pytest.mark.asyncio(loop_scope="session")
Row = dict[str, Any]
PLANTS = ["The fern needs shade.", "The cactus needs sand.", "The orchid needs mist.", "The palm needs the corner."]


def rows(*texts: str) -> list[Row]:
    """Memories on one subject."""
    return [{"id": new_id(), "text": text, "user_id": "ines", "type": "fact", "key": "plants"} for text in texts]


async def write(api: httpx.AsyncClient, *memories: Row) -> None:
    """Write them one after the other."""
    for memory in memories:
        answer = await api.post("/v1/memories", json={"memories": [memory]})
        assert answer.status_code == 201, answer.text


async def the_summary(api: httpx.AsyncClient, **more: Any) -> Row:
    """The only one there is."""
    (summary,) = (await api.get("/v1/summaries", params=more)).json()["summaries"]
    return dict(summary)


async def history(api: httpx.AsyncClient) -> list[Row]:
    """The refreshes of that, the newest first."""
    summary = await the_summary(api)
    answer = await api.get(f"/v1/summaries/{summary['id']}/history")
    assert answer.status_code == 200, answer.text
    return list(answer.json()["refreshes"])


def texts(statements: list[Row]) -> str:
    """What statements say."""
    return " ".join(statement["text"] for statement in statements)


async def test_each_refresh_says_when_why_and_what_came_and_went(api: httpx.AsyncClient) -> None:
    """The first brings everything, the next the fourth memory; one that replaces another takes that away."""
    plants = rows(*PLANTS)
    await write(api, *plants)
    second, first = await history(api)
    assert (1, 2) == (first["number"], second["number"])
    assert {plant["id"] for plant in plants[:3]} == set(first["came"])
    assert ([plants[3]["id"]], []) == (second["came"], second["went"])
    assert "fern" in texts(first["added"])
    assert ("palm" in texts(second["added"]), "fern" in texts(second["added"])) == (True, False)
    assert (first["calls"], first["tokens"], first["cost"], first["dropped"]) == (0, 0, 0.0, [])
    assert first["reason"] == "3 members, no summary yet"
    assert 4 == second["counts"]["total"]
    (newer,) = rows("The palm needs the window.")
    await write(api, newer | {"supersedes": [plants[3]["id"]]})
    third = (await history(api))[0]
    assert ([newer["id"]], [plants[3]["id"]]) == (third["came"], third["went"])
    assert "window" in texts(third["added"])
    assert "corner" in texts(third["dropped"])
    assert [plants[3]["id"]] == third["dropped"][0]["source_ids"]


async def test_a_summary_is_read_as_it_stood(api: httpx.AsyncClient) -> None:
    """Alone and in a list; before its first refresh there was none."""
    plants = rows(*PLANTS)
    await write(api, *plants[:3])
    before = await the_summary(api)
    await write(api, plants[3])
    now = await the_summary(api)
    stood = (await api.get(f"/v1/summaries/{now['id']}", params={"as_of": before["updated_at"]})).json()
    assert (before["text"], before["counts"], before["updated_at"]) == (
        stood["text"], stood["counts"], stood["updated_at"]
    )  # fmt: skip
    assert set(before["leaf_source_ids"]) == set(stood["leaf_source_ids"])
    assert before["text"] == (await the_summary(api, as_of=before["updated_at"]))["text"]
    assert now["text"] == (await the_summary(api, as_of=now["updated_at"]))["text"]
    assert (await api.get(f"/v1/summaries/{now['id']}", params={"as_of": "2020-01-01"})).status_code == 404
    assert [] == (await api.get("/v1/summaries", params={"as_of": "2020-01-01"})).json()["summaries"]


async def test_recall_as_of_searches_summaries_as_they_stood(api: httpx.AsyncClient) -> None:
    """By the words that they said then: those that came later find nothing, and those that went are found."""
    plants = rows(*PLANTS)
    await write(api, *plants[:3])
    before = await the_summary(api)
    await write(api, plants[3])
    (newer,) = rows("The fern needs light.")
    await write(api, newer | {"supersedes": [plants[0]["id"]]})
    now = await the_summary(api)
    assert ("shade" in before["text"], "shade" in now["text"]) == (True, False)
    body = {"query": "what needs shade and mist", "as_of": before["updated_at"], "expand": True}
    answer = (await api.post("/v1/recall", json=body)).json()
    assert {"as_of": before["updated_at"], "expired": 0, "summaries": 0} == answer["unknown"]
    found = {result["memory"]["id"]: result for result in answer["results"]}
    assert {before["id"], *(plant["id"] for plant in plants[:3])} == set(found)
    stood = found[before["id"]]
    assert (before["text"], before["updated_at"]) == (stood["memory"]["text"], stood["memory"]["updated_at"])
    assert {plant["id"] for plant in plants[:3]} == {source["id"] for source in stood["sources"]}
    assert stood["parts"]["keyword"] > 0
    only = (await api.post("/v1/recall", json=body | {"summaries": "only", "query": "the window corner"})).json()
    assert before["id"] not in {result["memory"]["id"] for result in only["results"]}
    without = (await api.post("/v1/recall", json=body | {"summaries": "without"})).json()
    assert {plant["id"] for plant in plants[:3]} == {result["memory"]["id"] for result in without["results"]}
    text = (await api.post("/v1/context", json={"query": body["query"], "as_of": body["as_of"]})).text
    assert "corner" not in text
    assert (await api.post("/v1/recall", json={"query": "plants"})).json()["unknown"] is None


async def test_recall_as_of_says_nothing_that_was_forgotten_since(api: httpx.AsyncClient) -> None:
    """The summary stood on it then; what is left of what it said is answered."""
    plants = rows(*PLANTS)
    await write(api, *plants[:3])
    before = await the_summary(api)
    await write(api, plants[3])
    assert (await api.delete(f"/v1/memories/{plants[0]['id']}")).status_code == 200
    body = {"query": "what needs shade and mist", "as_of": before["updated_at"]}
    answer = await api.post("/v1/recall", json=body)
    assert before["id"] in {result["memory"]["id"] for result in answer.json()["results"]}
    assert not {"fern", "shade"} & set(answer.text.replace(".", " ").split())
    assert "mist" in answer.text


async def test_what_of_a_summary_is_not_kept_is_counted(api: httpx.AsyncClient) -> None:
    """It stood before its oldest refresh that is kept."""
    plants = rows(*PLANTS)
    await write(api, *plants[:3])
    before = await the_summary(api)
    for number in range(25):
        await write(api, *rows(f"The moss number {number} needs {number + 3} drops."))
    body = {"query": "what do the plants need", "as_of": before["updated_at"]}
    answer = (await api.post("/v1/recall", json=body)).json()
    assert 1 == answer["unknown"]["summaries"]
    assert before["id"] not in {result["memory"]["id"] for result in answer["results"]}


async def test_nothing_of_a_forgotten_memory_is_in_it(api: httpx.AsyncClient) -> None:
    """Neither its id nor a statement that rested on it, of what stands or was said before; nor what an edit took."""
    plants = rows(*PLANTS, "The marzipan tree needs sugar.", "The ivy needs the marzipan wall.")
    await write(api, *plants)
    (newer,) = rows("The tree is a plum.")
    await write(api, newer | {"supersedes": [plants[4]["id"]]})
    assert "marzipan" in str(await history(api))
    await api.patch(f"/v1/memories/{plants[5]['id']}", json={"text": "The ivy needs the wall."})
    past = str(await history(api))
    assert ("marzipan tree" in past, "marzipan wall" in past) == (True, False)
    await api.delete(f"/v1/memories/{plants[4]['id']}")
    past = str(await history(api))
    assert ("marzipan" in past, plants[4]["id"] in past, "fern" in past) == (False, False, True)


async def test_the_history_of_a_deleted_summary_goes_with_it(api: httpx.AsyncClient) -> None:
    """There is none to ask for."""
    await write(api, *rows(*PLANTS[:3]))
    summary = await the_summary(api)
    assert (await api.delete(f"/v1/summaries/{summary['id']}")).status_code == 204
    assert (await api.get(f"/v1/summaries/{summary['id']}/history")).status_code == 404


async def test_another_tenant_reads_none(api: httpx.AsyncClient, stranger: httpx.AsyncClient) -> None:
    """404, as for the summary itself."""
    await write(api, *rows(*PLANTS[:3]))
    summary = await the_summary(api)
    assert (await stranger.get(f"/v1/summaries/{summary['id']}/history")).status_code == 404


async def test_only_the_last_refreshes_are_kept(api: httpx.AsyncClient) -> None:
    """As many as the setting says: of the oldest that is kept all that it said is told."""
    keep = Settings().history_refreshes
    await write(api, *rows(*(f"Plant {number} needs pot {number}." for number in range(keep + 5))))
    refreshes = await history(api)
    assert keep == len(refreshes)
    assert refreshes[-1]["number"] > 1
    assert "Plant 0" in texts(refreshes[-1]["added"])
