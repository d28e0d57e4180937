"""Marks on statements, as a refresh meets them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from precis.database.queries import Connection, Queries
from precis.engine.commit import MadeNode
from precis.engine.marks import Mark, Marks
from precis.engine.plan import Plan
from precis.errors import SourceChanged
from precis.keys.keyring import TenantKeys

_SQL = Queries("feedback")


async def read_marks(connection: Connection, keys: TenantKeys, group_id: str) -> Marks:
    """What people marked as wrong of what rests on members of a group."""
    rows = await _SQL.all(connection, "marks_of_group", tenant_id=keys.tenant_id, group_id=group_id)
    return marks_of(rows, keys)


def marks_of(rows: Sequence[Mapping[str, Any]], keys: TenantKeys) -> Marks:
    """Rows of marks as one value."""
    found = tuple(
        Mark(
            id=mark_id(row), wording=row["wording"], sources=frozenset(row["sources"]), inputs=frozenset(row["inputs"])
        )
        for row in rows
    )
    return Marks(marks=found, key=lambda wording: keys.fingerprint("mark", *wording))


async def refuse_unheard(connection: Connection, plan: Plan, made: MadeNode) -> None:
    """Raises SourceChanged where something that a draft rests on was marked after it was planned.

    Called when the sources are locked: whoever marks locks them, too.
    """
    leaves = {leaf.id for leaf in made.node.leaves()}
    cited = sorted({id_ for one in made.statements for id_ in one.source_ids} & leaves)
    rows = await _SQL.all(connection, "marks_on", tenant_id=plan.tenant_id, ids=cited)
    if not plan.marks.ids.issuperset(mark_id(row) for row in rows):
        raise SourceChanged


async def forget_marks(connection: Connection, tenant_id: str, ids: Sequence[str]) -> None:
    """Marks leave with the memories they rest on, in the transaction that forgets these, before the rows go.

    One whose every word another memory it rests on holds stays, without its text: it says nothing of what went.
    """
    here = {"tenant_id": tenant_id, "ids": list(ids)}
    await _SQL.run(connection, "forget_texts", **here)
    await _SQL.run(connection, "forget_marks", **here)
    await _SQL.run(connection, "forget_sources", **here)
    await _SQL.run(connection, "forget_inputs", **here)
    await _SQL.run(connection, "forget_feedback", tenant_id=tenant_id)


def mark_id(row: Mapping[str, Any]) -> str:
    """A mark in one word."""
    return f"{row['feedback_id']}.{row['position']}"
