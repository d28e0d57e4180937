"""What the tests of the first document share: a story of one subject, and the steps a user takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from precis.app import App, app_over
from precis.app.memories import Written
from precis.app.parts import Parts
from precis.bootstrap import Runtime
from precis.engine.policy import Policy
from precis.ids import new_id
from precis.memory import Memory
from precis.summary import Summary

#: Six memories of one subject, told by nobody in particular.
TEA = (
    "Ana drinks green tea every morning.",
    "Ana keeps her oolong in a tin from Kyoto.",
    "Ana buys tea at the harbor market on Saturdays.",
    "Ana gave up sugar in her tea last winter.",
    "Ana brews rooibos before bed.",
    "Ana owns a cracked porcelain teapot.",
)
#: Three of another.
TRAINS = (
    "Ana takes the early train to Lisbon.",
    "Ana books window seats on the train.",
    "Ana missed the night train in March.",
)


def rows(texts: Sequence[str] = TEA[:3], *, key: str | None = "tea", **fields: Any) -> list[dict[str, Any]]:
    """Memories of one user about one subject, as a caller writes them; the fields are those of MemoryInput."""
    given = {"user_id": "ana", "type": "preference", "key": key} | fields
    return [{"id": new_id(), "text": text} | given for text in texts]


def ids(given: Sequence[Mapping[str, Any]]) -> list[str]:
    """The ids of such memories, in order."""
    return [row["id"] for row in given]


async def tell(app: App, given: Sequence[dict[str, Any]], **how: Any) -> Written:
    """Write memories one after the other, as a conversation does; answers the last write."""
    for row in given[:-1]:
        await app.memories.add([row], **how)
    return await app.memories.add([given[-1]], **how)


def with_engine(app: App, **parts: Any) -> App:
    """The same app with another summarizer, embedder, clock or the like."""
    return app_over(replace(app.parts, engine=replace(app.parts.engine, **parts)))


def with_policy(app: App, policy: Policy) -> App:
    """The same app with another way to group."""
    return with_engine(app, policies={policy.name: policy})


def app_of(runtime: Runtime, tenant: str, **settings: Any) -> App:
    """An app whose limits differ from the deployment's."""
    chosen = runtime.settings.model_copy(update=settings)
    return app_over(Parts(tenant_id=tenant, store=runtime.store, engine=runtime.engine, settings=chosen))


async def summaries_of(app: App, **scope: Any) -> tuple[Summary, ...]:
    """Every summary of a scope."""
    return (await app.summaries.list(**scope)).rows


async def the_summary(app: App, **scope: Any) -> Summary:
    """The one summary of a scope."""
    found = await summaries_of(app, **scope)
    assert len(found) == 1
    return found[0]


async def raw_rows(app: App, **scope: Any) -> tuple[Memory, ...]:
    """Every raw row of a scope, newest first."""
    return (await app.memories.list(limit=1000, is_summary=False, **scope)).rows


async def stored(runtime: Runtime, tenant: str, memory_id: str) -> Mapping[str, Any]:
    """A row of the table as it lies there."""
    async with runtime.database.tenant(tenant) as connection:
        asked = await connection.execute("SELECT * FROM memories WHERE memory_id = %s", [memory_id])
        row = await asked.fetchone()
    assert row is not None
    return row
