"""Without a model the same input gives the same words, in whichever tenant and whatever its ids and keys."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from precis.app.refreshing import work
from precis.bootstrap import Runtime
from precis.ids import new_id

pytestmark = pytest.mark.asyncio(loop_scope="session")

START = datetime(2026, 3, 2, 8, tzinfo=UTC)
WHO = ("Ngozi", "Tomas", "my neighbor", "the plumber", "our tenant", "Priya")
DID = ("repaired", "measured", "ordered", "paid for", "photographed", "returned", "inspected", "insulated")
WHAT = ("the cellar pump", "a roof window", "forty floor tiles", "the boiler valve", "two oak doors", "the gutter")
WHY = ("before the frost", "since it leaked again", "for 310 euros", "with a borrowed ladder", "after the inspection")


def notes(count: int) -> list[dict[str, Any]]:
    """As many about one house as make several segments, and as many again that name no subject."""
    chance = Random(5)  # noqa: S311 - drawn the same each time
    rows = []
    for number in range(count):
        text = f"{chance.choice(WHO)} {chance.choice(DID)} {chance.choice(WHAT)} {chance.choice(WHY)}, visit {number}."
        named = {"key": "house repair", "type": "fact"} if number % 2 else {}
        # Many at one moment, as an import with bare dates has them.
        rows.append({"text": text[0].upper() + text[1:], "created_at": START + timedelta(days=number // 10), **named})
    return rows


async def summaries(runtime: Runtime, rows: list[dict[str, Any]]) -> list[str]:
    """What all summaries say in a tenant of their own."""
    tenant_id = f"t-{new_id()}"
    await runtime.store.tenants.create(tenant_id, name="test", now=runtime.engine.clock())
    app = runtime.app(tenant_id)
    for start in range(0, len(rows), 60):
        await app.memories.add([row | {"user_id": "hana"} for row in rows[start : start + 60]], summarize="deferred")
    await work(app.parts.engine, app.parts.tenant_id, until=app.parts.engine.clock() + timedelta(minutes=5))
    page = await app.memories.list(is_summary=True, limit=1000)
    return sorted(row.text or "" for row in page.rows)


async def test_two_runs_over_the_same_input_give_the_same_words(runtime: Runtime) -> None:
    """Also where a cluster is cut into segments, which is where they once differed."""
    rows = notes(240)
    first, second = await summaries(runtime, rows), await summaries(runtime, rows)
    assert first == second
    assert max(map(len, first)) > 500
