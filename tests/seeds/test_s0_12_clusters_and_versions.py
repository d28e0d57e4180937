"""S0.12: rows and summaries show the embedding's version; clusters are listed with what their tuning goes by."""

from __future__ import annotations

from datetime import timedelta

import pytest
from steps import TEA, TRAINS, ids, rows, tell, the_summary, with_engine

from precis.app import App
from precis.errors import InvalidInput
from precis.testing.clock import FrozenClock
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_rows_and_summaries_name_their_embedder(app: App) -> None:
    """The same pipeline and the same stamp for both."""
    written = rows()
    await tell(app, written)
    version = app.parts.engine.embedder.version
    memory, summary = await app.memories.get(written[0]["id"]), await the_summary(app)
    assert [version] * 3 == [
        memory.embedding_version, summary.embedding_version, (await app.memories.get(summary.id)).embedding_version
    ]  # fmt: skip


async def test_a_redacted_summary_has_no_vector_until_it_is_made_anew(app: App) -> None:
    """Its version leaves with its vector."""
    written = rows(TEA[:4])
    await tell(app, written)
    await app.memories.forget(written[1]["id"])
    assert (await the_summary(app)).embedding_version is None
    await app.summaries.refresh_all()
    assert app.parts.engine.embedder.version == (await the_summary(app)).embedding_version


async def test_clusters_are_listed_the_largest_first(app: App) -> None:
    """Each with its size, whether it is sparse, how often it was refreshed in this hour, and when last."""
    clock = FrozenClock()
    timed = with_engine(app, clock=clock, summarizer=Quoting())
    for row in rows(TEA[:4]):
        await timed.memories.add([row])
        clock.advance(timedelta(minutes=1))
    made_at = clock.now - timedelta(minutes=1)
    await timed.memories.add(rows(TRAINS[:2], key="train"))
    large, small = (await timed.clusters.list()).rows
    assert ("tea", 4, False, 2, made_at, (await the_summary(timed)).id) == (
        large.extracted_key, large.size, large.sparse, large.churn, large.last_refresh, large.summary_id
    )  # fmt: skip
    assert ("train", 2, True, 0, None, None) == (
        small.extracted_key, small.size, small.sparse, small.churn, small.last_refresh, small.summary_id
    )  # fmt: skip
    clock.advance(timedelta(hours=2))
    assert [0, 0] == [row.churn for row in (await timed.clusters.list()).rows]


async def test_a_cluster_is_found_by_its_key_in_any_spelling(app: App) -> None:
    """And by user, type, and whether it is sparse."""
    await tell(app, rows(TEA[:3], key="Green-Teas"))
    await tell(app, rows(TRAINS[:2], key="train", type="plan"))
    await tell(app, rows(["Ben plays the cello."], key="cello", user_id="ben"))
    for spelling in ("green tea", "Green-Teas", "GREEN_TEA"):
        assert ["green tea"] == [row.extracted_key for row in (await app.clusters.list(key=spelling)).rows]
    assert ["cello"] == [row.extracted_key for row in (await app.clusters.list(user_id="ben")).rows]
    assert ["train"] == [row.extracted_key for row in (await app.clusters.list(extracted_type="plan")).rows]
    assert {"train", "cello"} == {row.extracted_key for row in (await app.clusters.list(sparse=True)).rows}
    assert ["green tea"] == [row.extracted_key for row in (await app.clusters.list(sparse=False)).rows]
    assert () == (await app.clusters.list(key="coffee")).rows


async def test_the_list_is_paged(app: App) -> None:
    """Every cluster once, whatever the page's length; a cursor of somebody's own is refused."""
    for at in range(5):
        await tell(app, rows([f"Ana keeps harp number {at}.", f"Ana tuned harp {at}."][: 1 + at % 2], key=f"harp {at}"))
    every, cursor = [], None
    while True:
        page = await app.clusters.list(limit=2, cursor=cursor)
        every += [row.group_id for row in page.rows]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert [row.group_id for row in (await app.clusters.list()).rows] == every
    assert 5 == len(set(every))
    with pytest.raises(InvalidInput, match="cursor"):
        await app.clusters.list(cursor="WzEsMl0=")


async def test_a_forgotten_subject_is_not_listed(app: App) -> None:
    """The key is the oldest living member's; what was forgotten names nothing and finds nothing."""
    written = rows(["Ana tunes her zither."], key="zither")
    await tell(app, written)
    await app.memories.forget(ids(written)[0])
    assert () == (await app.clusters.list(key="zither")).rows
    assert () == (await app.clusters.list()).rows
