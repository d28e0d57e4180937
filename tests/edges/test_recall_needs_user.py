"""Where the settings want it, nobody recalls what all users of a tenant said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from precis.app import App, app_over
from precis.app.redis.long_term_search import Wanted
from precis.errors import InvalidInput
from precis.store.filtering import Filter

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_recall_names_its_user(app: App) -> None:
    """Recall, context and the search of the wire; with a user they answer as before."""
    rows = [{"user_id": user, "text": f"{user} plays the viola."} for user in ("ana", "bo")]
    await app.memories.add(rows)
    assert len(await app.recall.search("viola")) > 1
    strict = app_over(replace(app.parts, settings=app.parts.settings.model_copy(update={"recall_needs_user": True})))
    with pytest.raises(InvalidInput, match="PRECIS_RECALL_NEEDS_USER"):
        await strict.recall.search("viola")
    with pytest.raises(InvalidInput, match="PRECIS_RECALL_NEEDS_USER"):
        await strict.context.assemble("viola", token_budget=200)
    with pytest.raises(InvalidInput, match="PRECIS_RECALL_NEEDS_USER"):
        await strict.long_term.search(Wanted(text="viola", filter_=Filter()))
    assert [row.memory.scope.user_id for row in await strict.recall.search("viola", user_id="ana")] == ["ana"]
    assert "bo" not in (await strict.context.assemble("viola", token_budget=200, user_id="ana")).text
    found = await strict.long_term.search(Wanted(text="viola", filter_=Filter(user_id="ana")))
    assert {row.memory.scope.user_id for row in found.rows} == {"ana"}
