"""What every pool must do, whoever's store it is. Inherited by a test of each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from precis.sources.source import Pool, PoolMemory

START = datetime(2026, 1, 10, 12, tzinfo=UTC)


class PoolContract:
    """Fixtures of the inheriting test: ``pool``, and ``put``, which writes as the owner of the store does."""

    async def given(self, pool: Pool, user_id: str = "ana") -> Sequence[PoolMemory]:
        """What the tests put there for a user, oldest first."""
        return await pool.list(user_id)

    async def test_users(self, pool: Pool) -> None:
        """In order."""
        assert ["ana", "ben"] == list(await pool.users())

    async def test_oldest_first(self, pool: Pool) -> None:
        """With text, user and an aware date; the one without a date comes last."""
        found = await self.given(pool)
        assert ["Oldest.", "Middle.", "Newest.", "Undated."] == [one.text for one in found]
        assert {"ana"} == {one.user_id for one in found}
        assert [START, START + timedelta(days=1), START + timedelta(days=2), None] == [one.created_at for one in found]

    async def test_before_a_moment(self, pool: Pool) -> None:
        """Older only, and so many at most; what has no date is not older than anything."""
        before = START + timedelta(days=2)
        assert ["Oldest.", "Middle."] == [one.text for one in await pool.list("ana", before=before)]
        assert ["Oldest."] == [one.text for one in await pool.list("ana", before=before, limit=1)]
        assert [] == list(await pool.list("ana", before=START))

    async def test_nobody(self, pool: Pool) -> None:
        """Who has nothing, has nothing."""
        assert [] == list(await pool.list("cleo"))

    async def test_get(self, pool: Pool) -> None:
        """By id, those that exist."""
        found = await self.given(pool)
        ids = [found[0].id, "nope", found[2].id]
        assert {one.id: one for one in (found[0], found[2])} == await pool.get(ids)
        assert {} == await pool.get([])

    async def test_a_summary_is_added_once(self, pool: Pool) -> None:
        """It is listed among summaries and not among memories, and adding it again changes nothing."""
        await pool.ready()
        originals = await self.given(pool)
        summary = PoolMemory(
            id="precis-1", text="All of it.", user_id="ana", created_at=START + timedelta(days=30), is_summary=True,
            summarized_memory_ids=tuple(one.id for one in originals), summarized_until=START + timedelta(days=2),
        )  # fmt: skip
        first, again = await pool.add(summary), await pool.add(summary)
        assert first == again
        (there,) = await pool.list("ana", summaries=True)
        assert (first, "All of it.", True, "ana") == (there.id, there.text, there.is_summary, there.user_id)
        assert originals == await self.given(pool)
        assert [] == list(await pool.list("ben", summaries=True))

    async def test_delete(self, pool: Pool) -> None:
        """Those, and no others; what is gone is no error."""
        found = await self.given(pool)
        await pool.delete([found[0].id, found[1].id])
        await pool.delete([found[0].id])
        await pool.delete([])
        assert ["Newest.", "Undated."] == [one.text for one in await self.given(pool)]
        assert 1 == len(await self.given(pool, "ben"))

    async def test_its_name_is_its_own(self, pool: Pool) -> None:
        """Under it precis finds what it keeps."""
        assert pool.name
        with pytest.raises(AttributeError):
            _ = pool.nothing  # type: ignore[attr-defined]
