"""Marks on statements, as a refresh meets them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from precis.database.tx import Tx
from precis.engine.commit import MadeNode
from precis.engine.marks import Mark, Marks
from precis.engine.plan import Plan
from precis.errors import SourceChanged
from precis.keys.keyring import TenantKeys


async def read_marks(tx: Tx, keys: TenantKeys, group_id: str) -> Marks:
    """What people marked as wrong of what rests on members of a group."""
    rows = await tx.all("marks_of_group", group_id=group_id)
    return marks_of(rows, keys)


def marks_of(rows: Sequence[Mapping[str, Any]], keys: TenantKeys) -> Marks:
    """Rows of marks as one value."""
    marks = tuple(
        Mark(
            id=mark_id(row), wording=row["wording"], sources=frozenset(row["sources"]), inputs=frozenset(row["inputs"])
        )
        for row in rows
    )
    return Marks(marks=marks, key=lambda wording: keys.fingerprint("mark", *wording))


async def refuse_unheard(tx: Tx, plan: Plan, root: MadeNode) -> None:
    """Raises SourceChanged where something that a draft rests on was marked after it was planned.

    Called when the sources are locked: whoever marks locks them, too.
    """
    leaves = {leaf.id for leaf in root.node.leaves()}
    cited = sorted({id_ for statement in root.statements for id_ in statement.source_ids} & leaves)
    rows = await tx.all("marks_on", ids=cited)
    if not plan.marks.ids.issuperset(mark_id(row) for row in rows):
        raise SourceChanged


async def forget_marks(tx: Tx, ids: Sequence[str]) -> None:
    """Marks leave with the memories they rest on, in the transaction that forgets these, before the rows go.

    One whose every word another memory it rests on holds stays, without its text: it says nothing of what went.
    """
    names = {"ids": list(ids)}
    await tx.run("forget_texts", **names)
    await tx.run("forget_marks", **names)
    await tx.run("forget_sources", **names)
    await tx.run("forget_inputs", **names)
    await tx.run("forget_feedback")


def mark_id(row: Mapping[str, Any]) -> str:
    """A mark in one word."""
    return f"{row['feedback_id']}.{row['position']}"
