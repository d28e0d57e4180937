"""Who is remembered, and how much: GET /v1/users."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import httpx
import pytest

from precis.app import App
from precis.errors import InvalidInput

pytestmark = pytest.mark.asyncio(loop_scope="session")


def row(user_id: str, text: str, **more: Any) -> dict[str, Any]:
    """A memory of somebody."""
    return {"user_id": user_id, "text": text, **more}


async def test_users_are_counted_by_kind_age_and_month(app: App, api: httpx.AsyncClient) -> None:
    """Raw memories by type, age and month; summaries apart."""
    now = datetime.now(UTC)
    kettles = [row("bo", f"I own {number} kettles.", type="fact", key="kettle") for number in (2, 3, 4)]
    old = [row("bo", f"The {day}th ferry was late.", memory_type="episodic", created_at=f"2020-05-{day}T10:00:00Z")
           for day in (11, 12)]  # fmt: skip
    recent = [row("bo", "The kiln is hot.", created_at=(now - timedelta(days=20)).isoformat())]
    await app.memories.add([*kettles, *old, *recent])
    held = (await api.get("/v1/users/bo")).json()
    assert (6, 0, 1) == (held["memories"], held["expired"], held["summaries"])
    assert {"semantic": 4, "episodic": 2} == held["by_type"]
    assert {"week": 3, "month": 1, "older": 2} == held["by_age"]
    assert len(held["by_month"]) == 12
    assert held["by_month"][f"{now:%Y-%m}-01"] >= 3
    assert sum(held["by_month"].values()) == 4
    assert {"cluster": 1} == held["by_tier"]
    assert held["oldest"].startswith("2020-05-11")
    assert date.fromisoformat(held["newest"][:10]) >= now.date() - timedelta(days=1)


async def test_users_come_in_pages_by_their_names(api: httpx.AsyncClient) -> None:
    """Each once, also one with a slash or a foreign script in the name, and one of nobody's name."""
    names = ["", "ada", "a/b", "Ωmega", "zoë z", "אבי"]
    rows = [{"id": f"m{at}", "text": f"Gate {at} is green.", "user_id": name or None} for at, name in enumerate(names)]
    assert (await api.post("/v1/long-term-memory/", json={"memories": rows})).status_code == 200
    seen: list[str] = []
    cursor = None
    for _ in names:
        page = (await api.get("/v1/users", params={"limit": 1} | ({"cursor": cursor} if cursor else {}))).json()
        seen += [user["user_id"] for user in page["users"]]
        cursor = page["next_cursor"]
    assert cursor is None
    assert sorted(names) == sorted(seen)
    assert (await api.get("/v1/users/a/b")).json()["memories"] == 1


async def test_another_tenant_sees_nobody(app: App, stranger: httpx.AsyncClient) -> None:
    """Neither in the list nor by name."""
    await app.memories.add([row("ivo", "The gate is green.")])
    assert [] == (await stranger.get("/v1/users")).json()["users"]
    assert (await stranger.get("/v1/users/ivo")).status_code == 404


async def test_a_forgotten_user_is_listed_no_more(app: App) -> None:
    """At once."""
    await app.memories.add([row("ivo", "The gate is green.")])
    await app.memories.forget_user("ivo")
    assert (await app.persons.list()).rows == ()


async def test_a_cursor_of_nobody_is_refused(app: App) -> None:
    """It names what is wrong."""
    with pytest.raises(InvalidInput, match="cursor"):
        await app.persons.list(cursor="nonsense")


@pytest.mark.parametrize("way", ["each", "user"])
async def test_who_was_forgotten_is_remembered_anew(api: httpx.AsyncClient, way: str) -> None:
    """Once all of a user is gone, what the same process writes for them joins clusters and has a summary, as before."""

    def rows(round_: int) -> list[dict[str, str]]:
        texts = ("I keep bees in hives.", "My bees sting in May.", "The bees love lime trees.")
        return [{"id": f"{round_}-{at}", "user_id": "iben", "text": text} for at, text in enumerate(texts)]

    written = []
    for round_ in range(3):
        answer = (await api.post("/v1/memories", json={"memories": rows(round_)})).json()
        written.append((len({row["group_id"] for row in answer["memories"]}), len(answer["summaries"])))
        assert all(row["group_id"] for row in answer["memories"])
        groups = (await api.get("/v1/clusters", params={"user_id": "iben"})).json()
        assert {row["group_id"] for row in answer["memories"]} == {row["group_id"] for row in groups["clusters"]}
        if way == "user":
            await api.delete("/v1/users/iben")
        else:
            await api.post("/v1/forget", json={"ids": [row["id"] for row in rows(round_)]})
    assert written == [written[0]] * 3
