"""S0.2: the cluster key is user, project, environment, type and key; ingestion finds the last two unless given."""

from __future__ import annotations

from typing import Any

import pytest
from steps import TEA, raw_rows, rows, summaries_of, tell

from precis.app import App

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize(
    "other",
    [
        {"user_id": "bob"},
        {"project_id": "atlas"},
        {"environment": "staging"},
        {"type": "fact"},
        {"key": "kitchen inventory"},
    ],
    ids=lambda other: next(iter(other)),
)
async def test_each_part_of_the_key_parts_clusters(app: App, other: dict[str, Any]) -> None:
    """Two memories here and one that differs in a single part make no cluster of three."""
    here, there = rows(TEA[:2]), rows(TEA[2:3], **other)
    written = await tell(app, [*here, *there])
    assert await summaries_of(app) == ()
    assert written.waiting == ()
    groups = {(await app.memories.add([row])).memories[0].group_id for row in rows(TEA[3:4]) + rows(TEA[3:4], **other)}
    assert len(groups) == 2


async def test_the_same_key_makes_one_cluster(app: App) -> None:
    """Same user, project, environment, type and subject: one summary over all."""
    given = rows(project_id="atlas", environment="staging")
    await tell(app, given)
    (summary,) = await summaries_of(app)
    assert (summary.scope.user_id, summary.scope.project_id, summary.scope.environment) == ("ana", "atlas", "staging")
    assert (summary.extracted_type, summary.extracted_key) == ("preference", "tea")


async def test_the_three_clusters_of_the_document(app: App) -> None:
    """Alice's screen, Alice's mails and Bob's screen are three clusters, from the words of the memories alone."""
    themes = ("I use dark mode everywhere.", "Dark mode helps me at night.", "I switched to dark mode last year.")
    mails = ("Send me the weekly digest only.", "I want one newsletter a month.", "A daily email is too much for me.")
    for user, texts in (("alice", themes), ("alice", mails), ("bob", themes)):
        await app.memories.add([{"text": text, "user_id": user} for text in texts])
    assert sorted((s.scope.user_id, len(s.parent_id)) for s in await summaries_of(app)) == [
        ("alice", 3), ("alice", 3), ("bob", 3)
    ]  # fmt: skip
    titles = [str(s.title).casefold() for s in await summaries_of(app)]
    assert 2 == sum("dark mode" in title for title in titles)


async def test_a_row_has_the_type_of_its_cluster_unless_it_was_given_one(app: App) -> None:
    """A subject is told as a fact, an event and a plan; all that rules typed is of one type."""
    for text in ("I use dark mode everywhere.", "Dark mode helps me at night.", "I switched to dark mode last year."):
        await app.memories.add([{"text": text, "user_id": "alice"}])
    (summary,) = await summaries_of(app)
    members = await app.memories.get_many(summary.parent_id)
    assert {row.extracted_type for row in members.values()} == {summary.extracted_type}
    await app.memories.add([{"text": "Dark mode saves power.", "user_id": "alice", "type": "rumor"}])
    assert "rumor" in {row.extracted_type for row in await raw_rows(app)}
    assert len((await summaries_of(app))[0].parent_id) == 3


async def test_what_the_caller_gives_is_not_extracted(app: App) -> None:
    """A given type and key stand, whatever the rules would have found; the key is normalized."""
    await app.memories.add([{"text": "I use dark mode.", "user_id": "ana", "type": "rule", "key": "Office_Policies"}])
    (row,) = await raw_rows(app)
    assert (row.extracted_type, row.extracted_key) == ("rule", "office policy")


async def test_spellings_of_a_key_are_one(app: App) -> None:
    """``UI-theme``, ``ui_themes`` and ``User Interface theme`` meet in one cluster."""
    texts = ("Dark is easier to read.", "Light hurts at night.", "Auto would be the best.")
    keys = ("UI-theme", "ui_themes", "User Interface theme")
    await tell(app, [row for text, key in zip(texts, keys, strict=True) for row in rows([text], key=key)])
    assert len(await summaries_of(app)) == 1


async def test_rows_that_name_different_people_never_join(app: App) -> None:
    """One type and one key, told by three people: no cluster of three."""
    texts = ("I love green tea.", "I love green tea!", "I love green tea a lot.")
    people = ("Ana", "Ben", "Cleo")
    told = [row for text, who in zip(texts, people, strict=True) for row in rows([text], metadata={"speaker": who})]
    await tell(app, told)
    assert await summaries_of(app) == ()
