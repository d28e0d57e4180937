"""The day above a memory is the day where its user lives."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from precis.app import App

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_context_and_recall_have_the_day_of_the_zone(app: App) -> None:
    """Half past eight in Tokyo is the evening before in UTC: "yesterday" counts from the day there."""
    await app.rollups.set_zone("Asia/Tokyo", user_id="misaki")
    at = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
    for user in ("misaki", "ida"):
        await app.memories.add([{"text": "The oven broke yesterday.", "user_id": user, "created_at": at}])
    for user, day, yesterday in (("misaki", "2 March", "1 March 2026"), ("ida", "1 March", "28 February 2026")):
        context = await app.context.assemble("What broke?", user_id=user, token_budget=250)
        assert f"2026\n{day}\n" in context.text
        assert f"yesterday [{yesterday}]" in context.text
        (result,) = await app.recall.search("What broke?", user_id=user, summaries="without")
        assert result.dated_text == f"The oven broke yesterday [{yesterday}]."
