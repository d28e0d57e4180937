"""Marks on statements: what people said is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from precis.database.connections import Call, Row, Tx
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


def marks_of(rows: Sequence[Row], keys: TenantKeys) -> Marks:
    """What people marked as wrong of what rests on members of a group: rows of marks_of_group."""
    marks = tuple(
        Mark(
            id=mark_id(row["feedback_id"], row["position"]), wording=row["wording"],
            sources=frozenset(row["sources"]), inputs=frozenset(row["inputs"]),
        )
        for row in rows
    )  # fmt: skip
    return Marks(marks=marks, key=lambda wording: keys.fingerprint("mark", *wording))


def marks_on(root: MadeNode) -> Call:
    """Asks for the marks on what a draft rests on, behind the locks of the sources: whoever marks locks them, too."""
    leaves = {leaf.id for leaf in root.node.leaves()}
    return "marks_on", {"ids": sorted({id_ for s in root.statements for id_ in s.source_ids} & leaves)}


def refuse_unheard(plan: Plan, rows: Sequence[Row]) -> None:
    """Raises SourceChanged where something that a draft rests on was marked after it was planned."""
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
