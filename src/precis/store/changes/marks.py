"""Marks on statements: what people said is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from precis.database.connections import Tx
from precis.engine.commit import MadeNode
from precis.engine.marks import Mark, Marks, wording
from precis.engine.plan import Plan
from precis.errors import SourceChanged
from precis.keys.cipher import TenantKeys


def new_marks(
    feedback_id: str, texts: Sequence[tuple[str, tuple[str, ...]]], inputs: frozenset[str], keys: TenantKeys
) -> Marks:
    """What feedback marks as wrong: texts with the memories they rest on."""
    marks = tuple(
        Mark(
            id=mark_id(feedback_id, position), wording=keys.fingerprint("mark", *wording(text)),
            sources=frozenset(sources), inputs=inputs,
        )
        for position, (text, sources) in enumerate(texts)
    )  # fmt: skip
    return Marks(marks=marks, key=lambda words: keys.fingerprint("mark", *words))


async def read_marks(tx: Tx, keys: TenantKeys, group_id: str) -> Marks:
    """What people marked as wrong of what rests on members of a group."""
    rows = await tx.all("marks_of_group", group_id=group_id)
    marks = tuple(
        Mark(
            id=mark_id(row["feedback_id"], row["position"]), wording=row["wording"],
            sources=frozenset(row["sources"]), inputs=frozenset(row["inputs"]),
        )
        for row in rows
    )  # fmt: skip
    return Marks(marks=marks, key=lambda wording: keys.fingerprint("mark", *wording))


async def refuse_unheard(tx: Tx, plan: Plan, root: MadeNode) -> None:
    """Raises SourceChanged where something that a draft rests on was marked after it was planned.

    Called when the sources are locked: whoever marks locks them, too.
    """
    leaves = {leaf.id for leaf in root.node.leaves()}
    cited = sorted({id_ for statement in root.statements for id_ in statement.source_ids} & leaves)
    rows = await tx.all("marks_on", ids=cited)
    if not plan.marks.ids.issuperset(mark_id(row["feedback_id"], row["position"]) for row in rows):
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


def mark_id(feedback_id: str, position: int) -> str:
    """A mark in one word."""
    return f"{feedback_id}.{position}"
