"""S0.3: a row joins its cluster by nearest centroid among those in scope; beyond the limit it opens a new one."""

from __future__ import annotations

import pytest
from steps import rows, tell, the_summary, with_engine, with_policy

from precis.app import App
from precis.language.labels import extract
from precis.policies.clusters import clusters
from precis.testing.fakes import HashEmbedder

pytestmark = pytest.mark.asyncio(loop_scope="session")

SHIPS = (
    "The blue zeppelin hangs above the pier.",
    "The silver zeppelin hangs above the pier.",
    "The green zeppelin hangs above the pier.",
)
KETTLE = "Copper kettles rust slowly near salty shores."


@pytest.fixture
def hashing(app: App) -> App:
    """An app whose vectors follow from the words alone."""
    return with_engine(app, embedder=HashEmbedder())


def keyless(*texts: str) -> list[dict[str, object]]:
    """Rows that neither caller nor rules give a subject."""
    assert [extract(text, speaker=None).key for text in texts] == [None] * len(texts)
    return rows(texts, key=None, type="fact")


async def group_of(app: App, row: dict[str, object]) -> str | None:
    """Write a row; answers the cluster it joined."""
    return (await app.memories.add([row])).memories[0].group_id


async def test_near_rows_without_a_key_share_a_cluster(hashing: App) -> None:
    """Three rows near to each other, no subject named: one cluster, one summary."""
    given = keyless(*SHIPS)
    await tell(hashing, given)
    assert set((await the_summary(hashing)).parent_id) == {row["id"] for row in given}


async def test_a_far_row_opens_a_cluster(hashing: App) -> None:
    """A row beyond the distance limit from every centroid is the first of a new cluster."""
    ship, far, near = keyless(SHIPS[0], KETTLE, SHIPS[1])
    first = await group_of(hashing, ship)
    assert await group_of(hashing, far) != first
    assert await group_of(hashing, near) == first


async def test_the_nearest_of_several_is_chosen(hashing: App) -> None:
    """With two centroids within the limit the nearer one takes the row."""
    wide = with_policy(hashing, clusters(distance=2.0))
    tight = with_policy(hashing, clusters(distance=0.0))
    ship, kettle, later = keyless(SHIPS[0], KETTLE, "The kettles rust near the shores.")
    first, second = await group_of(tight, ship), await group_of(tight, kettle)
    assert first != second
    assert await group_of(wide, later) == second


async def test_the_distance_is_a_setting(hashing: App) -> None:
    """What joins under the default opens a cluster of its own under a narrower limit."""
    narrow = with_policy(hashing, clusters(distance=0.01))
    one, two = keyless(*SHIPS[:2])
    assert await group_of(narrow, one) != await group_of(narrow, two)


async def test_only_centroids_in_scope_count(hashing: App) -> None:
    """The same text of another user, project, environment or type opens a cluster there."""
    scopes: tuple[dict[str, str], ...] = (
        {},
        {"user_id": "bob"},
        {"project_id": "atlas"},
        {"environment": "staging"},
        {"type": "opinion"},
    )
    groups = [await group_of(hashing, keyless(SHIPS[0])[0] | scope) for scope in scopes]
    assert len(set(groups)) == len(groups)


async def test_the_centroid_follows_its_members(hashing: App) -> None:
    """After the only member a row was near to is forgotten, the row is no longer near."""
    ship, kettle = keyless(SHIPS[0], KETTLE)
    joined = with_policy(hashing, clusters(distance=2.0))
    first = await group_of(hashing, ship)
    assert await group_of(joined, kettle) == first
    await hashing.memories.forget(str(ship["id"]))
    assert await group_of(hashing, keyless(SHIPS[1])[0]) != first
